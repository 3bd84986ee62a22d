"""The reports of a synthetic run. After a wanted change of a report, renew its golden file with

SERBENCH_UPDATE_GOLDEN=1 python -m pytest tests/report
and look at the difference.
"""

import csv
import io
import json
import os
import re
import unicodedata
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from rich.cells import cell_len
from rich.console import Console

from serbench.errors import UserError
from serbench.report.brief import brief_document
from serbench.report.exchange import EXCHANGE
from serbench.report.export import FIELDS
from serbench.report.render import FORMATS, render
from serbench.report.run_report import run_document
from serbench.report.terminal import print_document, terminal_text
from serbench.report.view import distinct_names, why
from serbench.results.analysis import analyse, grouped
from serbench.text import visible
from serbench.worker.records import Heap
from tests.results.builder import HOSTILE, configured_run, row, synthetic_run

GOLDEN = Path(__file__).parent / "golden"
ISSUE_COLUMNS = [
    *(
        "contender",
        "language",
        "library_version",
        "format",
        "test",
        "variant",
        "dataset",
        "profile",
        "status",
    ),
    *("reason", "rank", "net_ns", "net_low_ns", "net_high_ns", "raw_ns", "typical_ns", "harness_share"),
    *("bytes", "hash", "labels"),
]


def second_run():
    run = synthetic_run(seed=8)
    run.id, run.complete, run.stops = "second", False, []
    return run


@pytest.mark.parametrize(
    ("name", "run", "how"),
    [
        ("table-80.txt", synthetic_run, ("table", 80)),
        ("table-200.txt", synthetic_run, ("table", 200)),
        ("report.md", synthetic_run, ("markdown",)),
        ("rows.csv", synthetic_run, ("csv",)),
        ("configured-80.txt", configured_run, ("table", 80)),
        ("configured-200.txt", configured_run, ("table", 200)),
        ("configured.md", configured_run, ("markdown",)),
    ],
)
def test_golden(name, run, how):
    found = render([run()], *how)
    path = GOLDEN / name
    if os.environ.get("SERBENCH_UPDATE_GOLDEN"):
        path.write_text(found, encoding="utf-8")
    assert found == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("relative_to", ["", "MPack"])
def test_a_distribution_build_is_marked_in_every_table(relative_to):
    run = synthetic_run()
    for form in ("table", "markdown"):
        lines = render([run], form, 200, relative_to).splitlines()
        marked = [line for line in lines if "Jansson" in line or "YAJL (distribution)" in line]
        assert marked and all("(distribution)" in line for line in marked)
        assert any("YAJL" in line and "(distribution)" not in line for line in lines)
    brief = terminal_text(brief_document(run, 120))
    assert "YAJL (distribution)" in brief and "Jansson (distribution)" in brief
    for record in run.rows:
        record.labels = []
    assert "distribution" not in render([run], "table", 200, relative_to)


def names_and_reasons(run):
    for rows in grouped(analyse(run)).values():
        names = distinct_names(rows)
        for found in rows:
            yield visible(names[found.result.id]), "" if found.measured else visible(why(found.result))


# ---------------------------------------------------------------- tables


@pytest.mark.parametrize("width", [*range(20, 130, 3), 160, 200, 250])
def test_no_line_is_wider_than_the_terminal(width):
    for line in render([configured_run()], "table", width).splitlines():
        assert cell_len(line) <= width, line
    run = synthetic_run()
    run.rows[2].contender = "日本語のライブラリ" * 3
    run.rows[3].library_version = "v" * 90
    run.rows[4].format_name = "F" * 300
    run.rows[5].labels = ["label " * 40, "x" * 300]
    run.notes.append("n" * 300)
    for line in render([run], "table", width).splitlines():
        assert cell_len(line) <= width, line


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_every_row_is_in_the_table_with_its_reason(width):
    shown = render([synthetic_run()], "table", width)
    words = {word.strip(",:") for word in shown.split()}
    for name, reason in names_and_reasons(synthetic_run()):
        if HOSTILE[:4] not in name:
            assert set(name.split()) <= words
            assert {word.strip(",:") for word in reason.split()} <= words


def test_at_200_columns_hostile_names_stand_whole():
    shown = render([synthetic_run()], "table", 200)
    for name, reason in names_and_reasons(synthetic_run()):
        assert name in shown.replace("\n   ", "")
        assert set(reason.split()) <= set(shown.split())


def test_what_80_and_200_columns_show():
    narrow, wide = (render([synthetic_run()], "table", width) for width in (80, 200))
    for words in (narrow, wide):
        for part in (
            "net µs",
            "raw µs",
            "bytes",
            "3-4 ",
            "below resolution",
            "±?",
            "5 launches",
            "time was used up",
        ):
            assert part in words
        whole = " ".join(words.split())
        assert "few samples: 3 of 5 launches" in whole and "± is half the 95 %" in whole
    for part in ("typical µs", "harness %", "allocs", "peak", "lang", "0.0.1-beta"):
        assert part in wide and part not in narrow.partition("tree ·")[2]
    assert re.search(r"^ 2 changes doubles, by up to 2.1e-16", narrow, re.M)
    assert re.search(r"RapidJSON \(in-situ\) .* 2$", narrow, re.M)
    assert re.search(
        r"RapidJSON \(in-situ\) .* changes doubles, by up to 2.1e-16( \(relative\))?$", wide, re.M
    )


def test_decimal_points_stand_below_each_other():
    lines = render([synthetic_run()], "table", 80).partition("tree ·")[2].splitlines()
    figures = [line for line in lines if "±" in line and "%" in line and "half" not in line]
    points = [[found.start() for found in re.finditer(r"\d\.\d+ +±", line)] for line in figures]
    assert len(figures) >= 10
    net, raw = {places[-2] for places in points if places[1:]}, {places[-1] for places in points}
    assert len(net) == len(raw) == 1


def test_colour_adds_nothing_and_names_cannot():
    out = io.StringIO()
    console = Console(
        file=out, width=100, color_system="truecolor", force_terminal=True, legacy_windows=False
    )
    print_document(run_document([synthetic_run()]), console)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", out.getvalue())
    assert plain != out.getvalue()
    assert not [c for c in plain if unicodedata.category(c) in ("Cc", "Cf") and c != "\n"]
    expected = render([synthetic_run()], "table", 100)
    assert [line.rstrip() for line in plain.splitlines()] == expected.splitlines()


def test_markup_in_names_is_shown_not_obeyed():
    assert "[bold red]" in render([synthetic_run()], "table", 200)


def test_the_default_width_is_80_columns():
    assert render([synthetic_run()], "table") == render([synthetic_run()], "table", 80)


def test_an_interrupted_run_says_so():
    run = second_run()
    assert "INTERRUPTED" in render([run], "table", 80) and "INTERRUPTED" in render([run], "markdown")
    assert "it was interrupted" in render([run], "table", 200)


def test_a_run_without_rows_or_figures_is_still_a_report():
    run = synthetic_run()
    run.samples = []
    for name, _ in names_and_reasons(run):
        assert name in render([run], "table", 200)
    run.rows, run.failures = [], []
    for format in FORMATS:
        assert render([run], format)


def test_names_shared_by_two_languages_are_told_apart():
    names = [name for name, _ in names_and_reasons(synthetic_run())]
    assert "msgpack (C)" in names and "msgpack (C++)" in names and "YAJL" in names


def test_one_name_in_several_formats_is_told_apart():
    run = synthetic_run()
    for record in run.rows:
        if record.contender == "YAJL":
            record.contender = "MPack"
    for shown in (render([run], "table", 80), render([run], "table", 200)):
        words = " ".join(shown.split())
        assert "MPack [MessagePack]" in words and "MPack [JSON]" in words and "RapidJSON [" not in words


def test_compilers_and_allocators_are_told_only_where_there_is_a_choice():
    run = configured_run()
    names = [name for name, _ in names_and_reasons(run)]
    assert len(set(names)) == len(names) == 12 and "YAJL · clang · jemalloc" in names
    for record in run.rows:
        record.allocator = "system"
    assert "YAJL · clang" in [name for name, _ in names_and_reasons(run)]
    for record in run.rows:
        record.language, record.toolchain = ("zig", "zig") if record.toolchain == "clang" else ("c", "gcc")
    assert not [name for name, _ in names_and_reasons(run) if "·" in name]


def test_levels_of_the_processor_are_told_unless_all_rows_are_for_the_baseline():
    run = synthetic_run()
    assert not [name for name, _ in names_and_reasons(run) if "·" in name]  # as in older files
    usual = [name for name, _ in names_and_reasons(run)]
    for record in run.rows:
        record.cpu = "baseline" if record.language == "c" else ""
    assert [name for name, _ in names_and_reasons(run)] == usual
    for record in run.rows:
        record.cpu = "v3" if record.language == "c" else ""
    built = {row.record.language: row.result.name for row in analyse(run) if row.record.role == "contender"}
    assert built["c"].endswith(" · v3") and "·" not in built["cpp"]
    yajl = next(record for record in run.rows if record.contender == "YAJL")
    yajl.cpu = "baseline"
    assert "YAJL (distribution) · baseline" in [name for name, _ in names_and_reasons(run)]


def test_counts_say_what_they_are_and_what_is_missing():
    run = configured_run()
    run.rows[1].instructions, run.rows[1].instructions_reason = None, "Callgrind refused"
    for shown in (render([run], "table", 200), render([run], "markdown")):
        words = " ".join(shown.split())
        assert "instructions were not counted: Callgrind refused" in words
        assert "no code size: the allocator is preloaded" in words and "a count, which says nothing" in words
    assert "| Instructions (Callgrind) |" in render([run], "markdown")
    assert "a count, which says nothing" not in render([run], "table", 80)


def test_a_row_that_was_counted_but_not_timed_keeps_its_counts():
    run = configured_run()
    run.samples = [s for s in run.samples if s.row != 1]
    assert "(counted: 11,250 instructions, code size 4,088)" in " ".join(render([run], "table", 200).split())


def test_figures_per_message_say_so_and_may_be_fractions():
    run = configured_run()
    for words in (render([run], "table", 80), render([run], "markdown")):
        assert "per message, 40 messages" in words and "833.3" in words and "1,005.2" in words
    records = list(csv.DictReader(io.StringIO(render([run], "csv"))))
    assert {(r["bytes"], r["messages"]) for r in records} == {("833.325", "40")}
    run.datasets[0].messages = 1
    assert "per message" not in render([run], "table", 200) + render([run], "markdown")
    assert {r["bytes"] for r in csv.DictReader(io.StringIO(render([run], "csv")))} == {"33333"}


def test_encodings_are_shown_on_the_terminal_once_they_were_compressed():
    assert "encodings ·" not in render([synthetic_run()], "table", 200)
    lines = render([configured_run()], "table", 80).partition("encodings ·")[2].splitlines()
    assert lines[1].split() == ["format", "bytes", "of", "JSON", "gzip", "-6", "time", "zstd", "-3", "time"]
    assert lines[3].split() == ["messagepack", "833.3", "0.829", "312.5", "25.1", "µs", "-", "-"]
    assert "bson" not in " ".join(lines[:6])


def test_only_figures_of_the_heap_that_a_run_has_are_columns():
    run = synthetic_run()
    for record in run.rows:
        record.heap = Heap(bytes=record.heap.bytes) if record.heap else None
    table, document = render([run], "table", 200), render([run], "markdown")
    assert re.search(r"^rank .* allocated ", table, re.M) and "18,432" in table
    assert not re.search(r"allocs|peak", table)
    assert "| Allocated |" in document and "- **Allocated**: the bytes that one iteration" in document
    assert not re.search(r"Allocations|Peak", document)
    for record in run.rows:
        record.heap = None
    for shown in (render([run], "table", 200), render([run], "markdown")):
        assert not re.search("alloc", shown, re.IGNORECASE)
    # All of them where there are all of them.
    wide = render([synthetic_run()], "table", 250)
    assert re.search(r"^rank .* allocated +allocs +peak ", wide, re.M)


def test_what_loading_takes_is_shown_where_some_row_has_it():
    run = synthetic_run()
    for shown in (render([run], "table", 300), render([run], "markdown")):
        assert not re.search("installed files|load ms|load time", shown, re.IGNORECASE)
    measured = next(record for record in run.rows if record.contender == "MPack")
    measured.load_ns, measured.installed_bytes = 1_234_567, 7_654_321
    for shown in (render([run], "table", 300), render([run], "markdown")):
        assert re.search(r"\b1\.23\b", shown) and "7,654,321" in shown and "installed files" in shown
    assert "| Installed |" in render([run], "markdown") and "Load time ms" in render([run], "markdown")
    (exported,) = (r for r in csv.DictReader(io.StringIO(render([run], "csv"))) if r["load_ns"])
    assert (exported["load_ns"], exported["installed_bytes"]) == ("1234567", "7654321")
    (exported,) = (r for r in json.loads(render([run], "json"))["rows"] if r["load_ns"])
    assert (exported["load_ns"], exported["installed_bytes"]) == (1_234_567, 7_654_321)


# ---------------------------------------------------------------- markdown


def cells_of(document):
    """Every table row of the document as the texts of its cells, as a reader of Markdown sees them."""
    rows, cell = [], None
    for token in MarkdownIt("commonmark").enable("table").parse(document):
        if token.type == "tr_open":
            rows.append([])
        elif token.type in ("td_open", "th_open"):
            cell = True
        elif token.type == "inline" and cell:
            kinds = {child.type for child in token.children}
            assert kinds <= {"text", "text_special"}, token.content
            rows[-1].append("".join(child.content for child in token.children))
            cell = None
    return rows


def test_every_row_is_in_the_markdown_and_names_are_only_text():
    rows = cells_of(render([synthetic_run()], "markdown"))
    widths = {len(r) for r in rows if r[0] == "Rank"}
    names = [r[1] for r in rows if len(r) in widths and r[1] != "Contender"]
    names += [r[0] for r in rows if len(r) == 5 and r[0] != "Contender"]
    assert sorted(names) == sorted(name for name, _ in names_and_reasons(synthetic_run()))
    reasons = [r[4] for r in rows if len(r) == 5 and r[0] != "Contender"]
    assert sorted(reasons) == sorted(reason for _, reason in names_and_reasons(synthetic_run()) if reason)
    assert {len(r) for r in rows} == {2, 4, 5, *widths}


@pytest.mark.parametrize(
    "label", ["- item", "1. item", "# head", "+ item", "<script>", "a `code` |", "***", "= x"]
)
def test_a_footnote_is_only_text(label):
    run = synthetic_run()
    run.rows[3].labels = [label]
    tokens = MarkdownIt("commonmark").enable("table").parse(render([run], "markdown"))
    plain = [t for t in tokens if t.type == "inline" and "".join(c.content for c in t.children) == label]
    assert len(plain) == 1 and {c.type for c in plain[0].children} <= {"text", "text_special"}
    before = tokens[tokens.index(plain[0]) - 2]
    assert before.type == "list_item_open" and before.level == 1


def test_markdown_names_machine_settings_and_data():
    document = render([synthetic_run()], "markdown")
    for part in (
        "Example CPU 3000",
        "kvm",
        "gcc 12.2.0",
        "8.0 GiB",
        "321 nodes",
        "03ef5ccf",
        "an integer above",
    ):
        assert part in document
    for column in ("Rank", "Net", "Raw", "Typical", "Harness %", "Bytes", "Allocations", "Notes"):
        assert f"- **{column}**: " in document


# ---------------------------------------------------------------- csv and json


def test_csv_parses_back_to_the_analysis():
    reader = csv.DictReader(io.StringIO(render([synthetic_run()], "csv")))
    records = list(reader)
    assert set(ISSUE_COLUMNS) <= set(reader.fieldnames)
    summaries = analyse(synthetic_run())
    assert len(records) == len(summaries)
    for record, summary in zip(records, summaries, strict=True):
        for name in ("net_ns", "net_low_ns", "raw_ns", "typical_ns", "harness_share", "rank", "bytes"):
            value = getattr(summary.result, name)
            assert (
                record[name] == "" if value is None else float(record[name]) == pytest.approx(value, abs=1e-6)
            )
        assert record["status"] == summary.result.status and record["hash"] == summary.record.hash
        assert record["few_samples"] == str(summary.result.few_samples).lower()


def test_csv_holds_no_formula_and_no_control_character():
    run = synthetic_run()
    run.rows[2].contender, run.rows[2].library_version = "=HYPERLINK(1)", "@SUM"
    run.rows[3].variant, run.rows[3].origin = " +1", "\t=1"
    run.rows[4].format_name = "-"
    text = render([run], "csv")
    assert not [c for c in text if unicodedata.category(c) in ("Cc", "Cf") and c != "\n"]
    records = {int(r["id"]): r for r in csv.DictReader(io.StringIO(text))}
    assert records[2]["contender"] == "'=HYPERLINK(1)" and records[2]["library_version"] == "'@SUM"
    assert records[3]["variant"] == "' +1" and records[3]["origin"] == "\\t=1"
    assert records[11]["labels"] == "'-label|\\x07" and records[run.rows[4].id]["format_name"] == "'-"
    assert records[17]["reason"].startswith("'+\\x1b[2Jgone\\nby")
    # A negative figure is a number, not a formula.
    assert float(records[1]["net_ns"]) < 0


def test_json_records_are_the_analysis():
    found = json.loads(render([synthetic_run(), second_run()], "json"))
    assert found["rows"] == [
        {
            name: run.id if name == "run" else getattr(row.result, name, getattr(row.record, name, None))
            for name in FIELDS
        }
        for run in (synthetic_run(), second_run())
        for row in analyse(run)
    ]
    assert set(ISSUE_COLUMNS) <= set(found["rows"][0])
    assert [r["id"] for r in found["runs"]] == [synthetic_run().id, "second"]
    assert found["runs"][0]["machine"]["cpu"] == "Example CPU 3000" and found["runs"][0]["schema"] == 2
    assert "samples" not in found["runs"][0]


# ---------------------------------------------------------------- all formats


@pytest.mark.parametrize("format", [format for format in FORMATS if format not in EXCHANGE])
def test_several_runs_are_all_there_and_named(format):
    both = render([synthetic_run(), second_run()], format, 200)
    assert (
        both.count("NeverMeasured") == 2 * render([synthetic_run()], format, 200).count("NeverMeasured") > 0
    )
    assert synthetic_run().id in both and "second" in both


@pytest.mark.parametrize("format", FORMATS)
def test_rendering_leaves_the_run_as_it_was(format):
    run = synthetic_run()
    assert render([run], format) == render([run], format)
    assert run == synthetic_run()


def test_an_unknown_format_names_the_nearest():
    with pytest.raises(UserError, match="did you mean 'markdown'"):
        render([synthetic_run()], "markdwon")


def test_the_builder_rejects_unknown_fields():
    with pytest.raises(TypeError):
        row(1, "x", colour="red")


def test_what_a_schema_costs_is_shown_where_some_row_has_it():
    run = synthetic_run()
    assert "lines" not in render([run], "table", 300)
    measured = next(record for record in run.rows if record.contender == "MPack")
    measured.generated_lines, measured.build_seconds = 4_321, 12.345
    shown = render([run], "markdown")
    assert "| Generated lines |" in shown and "4,321" in shown and "12.3" in shown
