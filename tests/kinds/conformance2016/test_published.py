"""The 2016 suite's layout of a run: its statistic, its baselines, its tables and its results.csv."""

import csv
import io
import math
import os
import random
import re
import statistics
from pathlib import Path

import msgspec
import pytest
from markdown_it import MarkdownIt

from serbench.errors import UserError
from serbench.kinds.conformance2016.facts import PROGRAMS, published_rows, size_of
from serbench.kinds.conformance2016.layout import published
from serbench.kinds.conformance2016.results_csv import published_csv
from serbench.kinds.conformance2016.times import published_times
from serbench.results.analysis import analyse
from tests.linux.runs import counted_run
from tests.results.builder import HOSTILE, published_run, row, samples, synthetic_run

BASELINE = {"role": "baseline", "library_version": ""}
FIXED = BASELINE | {"variant": "published"}


def run_of(*timed):
    """A run of these (row, true ns) with chunks that scatter."""
    run, source = synthetic_run(), random.Random(3)
    run.rows = [record for record, _ in timed]
    run.samples = [s for record, ns in timed for s in samples(record, ns, source, range(5))]
    run.failures, run.stops = [], []
    return run


def tables(document):
    """All tables of a Markdown document as lists of rows of cell texts, by the headings above them."""
    found, heading, path = {}, None, {}
    tokens = MarkdownIt("commonmark").enable("table").parse(document)
    for number, token in enumerate(tokens):
        if token.type == "heading_open":
            level, heading = int(token.tag[1]), tokens[number + 1].content
            path = {n: name for n, name in path.items() if n < level} | {level: heading}
        elif token.type == "tr_open":
            found.setdefault(tuple(path[n] for n in sorted(path) if n > 1), []).append([])
        elif token.type == "inline" and tokens[number - 1].type in ("th_open", "td_open"):
            found[tuple(path[n] for n in sorted(path) if n > 1)][-1].append(token.content)
    return found


def by_hand(run, number):
    """The suite's statistic of a row, written down a second time: mean and deviation of five of seven."""
    chunks = [w / s.iterations for s in run.samples if s.row == number for w in s.wall]
    size = len(chunks) // 7
    chunks = chunks[len(chunks) - 7 * size :]
    means = sorted(statistics.fmean(chunks[n * size : (n + 1) * size]) for n in range(7))[1:-1]
    return statistics.fmean(means), statistics.stdev(means)


# ---------------------------------------------------------------- the statistic


def test_net_and_overhead_are_those_of_the_fixed_block_with_both_deviations():
    run = run_of(
        (row(0, "baseline", "write", **BASELINE), 900),
        (row(1, "baseline", "write", **FIXED), 2260),
        (row(2, "MPack", "write"), 4390),
    )
    times = published_times(analyse(run))
    assert list(times) == [2]
    (base, base_off), (raw, raw_off) = by_hand(run, 1), by_hand(run, 2)
    assert times[2].fixed and times[2].raw == pytest.approx((raw, raw_off))
    assert times[2].net == pytest.approx((raw - base, math.hypot(raw_off, base_off)))
    relative = math.hypot(raw_off / raw, base_off / base)
    assert times[2].overhead == pytest.approx((raw / base, raw / base * relative))


def test_both_kinds_of_readers_have_the_baseline_of_the_tree_test():
    run = run_of(
        (row(0, "baseline", "tree", **BASELINE), 900),
        (row(1, "baseline", "tree", **FIXED), 3610),
        (row(2, "baseline", "incremental", **BASELINE), 900),
        (row(3, "A", "tree"), 10_000),
        (row(4, "A", "incremental"), 8000),
    )
    times = published_times(analyse(run))
    assert [round(times[n].net.mean, -2) for n in (3, 4)] == [6400, 4400]
    assert all(times[n].baseline == pytest.approx(by_hand(run, 1)) for n in (3, 4))


def test_without_the_fixed_block_the_ordinary_baseline_counts_and_it_is_said():
    run = run_of(
        (row(0, "baseline", "write", **BASELINE), 900),
        (row(1, "A", "write"), 4400),
        (row(2, "B", "tree"), 5000),
    )
    times = published_times(analyse(run))
    assert not times[1].fixed and round(times[1].net.mean, -2) == 3500
    assert times[2].baseline is times[2].overhead is None and times[2].net == times[2].raw
    document = published([run], "markdown", extended=True)
    assert "the run has no baseline of the suite's fixed block" in document
    assert "Nothing is subtracted from B: there is no baseline." in document
    assert tables(document)["Speed - Example CPU 3000", "Small Data", "Tree Test"][1][4] == "-"


@pytest.mark.parametrize("what", ["harness", "toolchain", "allocator", "cpu", "profile", "dataset"])
def test_a_baseline_of_another_family_is_not_subtracted(what):
    other = {"profile": "size", "dataset": "generated:4"}.get(what, "other")
    run = run_of((row(0, "baseline", "write", **FIXED), 900), (row(1, "A", "write", **{what: other}), 4400))
    assert published_times(analyse(run))[1].baseline is None


# ---------------------------------------------------------------- the tables


def test_columns_and_marks_are_the_suites():
    long, short = (tables(published([published_run()], "markdown", extended=e)) for e in (True, False))
    speed, size = "Speed - Example CPU 3000", "Size - Example CPU 3000"
    assert long[speed, "Small Data", "Write Test"][0] == [
        *("Library", "Format", "Time<br>(µs) ▲", "Code Size<br>(bytes)", "Time<br>Overhead", "Hash"),
    ]
    assert short[size, "Small Data", "Tree Test"][0] == [
        *("Library", "Benchmark", "Format", "Time<br>(µs)", "Code Size<br>(bytes) ▲"),
    ]
    assert all(row[2] == "19,336" for row in short[speed, "Small Data", "Hash Comparisons"][1:])
    sections = ["Hash Comparisons", "Write Test", "Tree Test", "Incremental Parse Test"]
    assert [key for key in short if key[0] == speed] == [(speed, "Small Data", part) for part in sections]
    assert len(short["Compilers",]) == 3


def test_rows_are_sorted_by_the_marked_column_and_variants_are_extended():
    long, short = (tables(published([published_run()], "markdown", extended=e)) for e in (True, False))
    for profile, column in (("Speed", 2), ("Size", 3)):
        rows = long[f"{profile} - Example CPU 3000", "Small Data", "Tree Test"][1:]
        figures = [float(r[column].split(" ±")[0].replace(",", "")) for r in rows]
        assert figures == sorted(figures) and len(figures) == 4
    assert not any("utf8" in r[0] for rows in short.values() for r in rows)
    assert [r[0] for r in long["Speed - Example CPU 3000", "Small Data", "Tree Test"] if "utf8" in r[0]] == [
        "MPack (1.2.3) \\[utf8\\] (C)"
    ]


def test_rows_without_figures_and_other_data_are_named():
    document = published([published_run()], "markdown")
    assert "Without figures: CWPack: unavailable: no installed copy found." in document
    assert "since the suite had no such data: tweets.json." in document


def test_a_row_without_code_size_says_why():
    run = run_of((row(0, "A", "write"), 1000), (row(1, "B", "write", code_size=17), 2000))
    run.rows[0].code_size_reason = "not measurable: it has no static form"
    for extended in (True, False):
        document = published([run], "markdown", extended=extended)
        assert "No Code Size: A: not measurable: it has no static form." in document
        assert "No Code Size: B" not in document


def test_names_are_only_text():
    run = synthetic_run()
    for extended in (True, False):
        document = published([run], "markdown", extended=extended)
        for token in MarkdownIt("commonmark").enable("table").parse(document):
            for child in token.children or []:
                assert child.type in ("text", "text_special", "html_inline", "em_open", "em_close")
                assert child.type != "html_inline" or child.content == "<br>"
        assert HOSTILE[:4] in document and "\x1b" not in document


def test_configurations_are_told_apart():
    run = run_of(
        *((row(n, "A", "write", toolchain=name), 1000 * (n + 1)) for n, name in enumerate(("gcc", "clang")))
    )
    names = [
        r[0]
        for r in tables(published([run], "markdown"))["Speed - Example CPU 3000", "Small Data", "Write Test"]
    ]
    assert names == ["Library", "A (1.2.3) · gcc", "A (1.2.3) · clang"]


def test_the_table_of_compilers_tells_levels_apart():
    levels = {"baseline": "-O3 -flto", "v3": "-O3 -flto -march=x86-64-v3"}
    rows = (
        row(n, "A", "tree", cpu=level, flags=flags, compiler="gcc 12.2.0")
        for n, (level, flags) in enumerate(levels.items())
    )
    run = run_of(*((each, 1000 * (each.id + 1)) for each in rows))
    found = next(made for key, made in tables(published([run], "markdown")).items() if "Compilers" in key)
    assert [line[1] for line in found[1:]] == [*levels.values()]


def test_five_sizes_have_names():
    run = run_of(*((row(n, "A", "write", dataset=f"generated:{n}"), 1000 * n) for n in range(1, 6)))
    found = tables(published([run], "markdown"))
    assert [key[1] for key in found] == [
        f"{n} Data" for n in ("Smallest", "Small", "Medium", "Large", "Largest")
    ]
    assert [size_of(n) for n in ("generated:5", "generated:6", "generated:2:seed=1", "x.json")] == [5] + [
        None
    ] * 3


# ---------------------------------------------------------------- results.csv


def test_results_csv_has_seven_runs_of_every_row_in_the_suites_columns():
    run = published_run()
    for record in run.rows:
        record.format_name = "-" if record.role == "baseline" else record.format_name
    rows = list(csv.reader(io.StringIO(published([run], "csv"))))
    assert {r[4] for r in rows if r[0] == "hash-data"} == {"-"}
    assert all(len(r) == 10 and re.fullmatch(r"[0-9a-f]{8}", r[9]) for r in rows)
    speed = [r for r in rows if r[8] == "0"]
    node = [r for r in speed if r[0] == "mpack-node"]
    assert len(node) == 7 and node[0][:6] == ["mpack-node", "C", "1.2.3", "c/mpack", "MessagePack", "2"]
    (record,) = [
        r for r in run.rows if r.row == "c/mpack:tree" and r.profile == "speed" and r.dataset != "tweets.json"
    ]
    middle = sorted(float(r[6]) for r in node)[1:-1]
    mean, deviation = by_hand(run, record.id)
    assert statistics.fmean(middle) == pytest.approx(mean / 1e3, abs=1e-6)
    assert statistics.stdev(middle) == pytest.approx(deviation / 1e3, abs=1e-6)
    assert {r[7] for r in node} == {"5624"}
    for profile in ("0", "1"):  # each with its baselines, fixed or not, by the suite's names
        counts = [
            sum(r[0] == name and r[8] == profile for r in rows) for name in ("hash-data", "hash-object")
        ]
        assert counts == [7, 7]


def test_results_csv_takes_the_first_configuration_of_a_row():
    run = run_of(
        *((row(n, "A", "write", toolchain=name), 3000 - n * 1000) for n, name in enumerate(("gcc", "clang")))
    )
    rows = list(csv.reader(io.StringIO(published([run], "csv"))))
    assert len(rows) == 7 and all(2.9 < float(r[6]) < 3.1 for r in rows)


def test_the_suites_program_names_are_those_of_our_rows():
    known = {published.row for published in published_rows()}
    assert set(PROGRAMS) <= known and len(set(PROGRAMS.values())) == len(PROGRAMS)


# ---------------------------------------------------------------- formats


@pytest.mark.parametrize(
    ("name", "format", "extended"),
    [
        ("published.md", "markdown", False),
        ("published-extended.md", "markdown", True),
        ("published.csv", "csv", False),
    ],
)
def test_golden(name, format, extended):
    found = published([published_run()], format, extended)
    path = Path(__file__).parent / "golden" / name
    if os.environ.get("SERBENCH_UPDATE_GOLDEN"):
        path.write_text(found, encoding="utf-8")
    assert found == path.read_text(encoding="utf-8")


def test_what_the_layout_has_not_is_an_error():
    run = synthetic_run()
    with pytest.raises(UserError, match="no json"):
        published([run], "json")
    assert published([run], "table") == published([run], "markdown")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--layout", "publisched"], "no layout 'publisched'; did you mean 'published'"),
        (["--layout", "published", "--format", "json"], "no json"),
        (["--extended"], "--layout published"),
        (["--layout", "published", "--relative-to", "mpack"], "the usual layout only"),
    ],
)
def test_options_that_do_not_go_together_are_refused(words, message, command, tmp_path):
    (tmp_path / "run.json").write_bytes(msgspec.json.encode(synthetic_run()))
    done = command("report", tmp_path / "run.json", *words)
    assert done.returncode == 2 and message in " ".join(done.stderr.split())


def test_no_cell_of_the_published_layout_is_a_formula():
    run = synthetic_run()
    for record in run.rows:
        record.library_version, record.format_name, record.hash = "=1+1", '\t=HYPERLINK("x")', "+2"
        record.dataset = "generated:2"
    for record in run.datasets:
        record.name = "generated:2"
    cells = [cell for line in csv.reader(published_csv([run]).splitlines()) for cell in line]
    assert any("1+1" in cell for cell in cells) and any("+2" in cell for cell in cells)
    assert not [cell for cell in cells if cell.lstrip().startswith(("=", "+", "@"))]


def test_the_published_layout_has_instructions_in_the_place_of_times():
    found = published([counted_run()], "markdown")
    assert "| Small (1.2.3) | c/small:tree | JSON | 4,000 | 2,000 |" in found
    assert found.index("Small (1.2.3)") < found.index("Large (1.2.3)")
    assert "Size - linux-armv6, ARMv6 Linux" in found
    assert "| c/baseline:tree | 1,000 | 400,123 | subtracted from Tree tests |" in found
    assert "Code Size is that of the harness, which is subtracted below." in found
    assert "Instructions |" in found and "µs" not in found and "Times are net" not in found
