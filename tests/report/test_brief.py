"""A run in brief: what fits where, what is cut, and that each note and reason stands there once."""

import random
import re
from functools import cache

import msgspec
import pytest
from rich.cells import cell_len

from serbench.datasets.records import Encoding
from serbench.report.answer_table import answer_table, short, wrapped, wrapped_parts
from serbench.report.brief import MOST_LINES, brief_document, latest_table
from serbench.report.run_report import run_document
from serbench.report.terminal import terminal_text
from serbench.results import summary
from serbench.results.summary import summarise
from tests.golden.test_figures import NAMES
from tests.results.builder import HOSTILE, configured_run, row, samples, synthetic_run
from tests.results.test_answer import golden, run_of

ROWS = 16
WIDTHS = (20, 33, 50, 66, 80, 81, 100, 132, 200)


def shown(run, width=80):
    return terminal_text(brief_document(run, width), width)


@cache
def large_run(rows=ROWS):
    """Six tables of so many rows in four languages, with notes, and rows that could not be measured."""
    source = random.Random(5)
    run = synthetic_run()
    run.rows, run.samples, run.failures, run.stops = [], [], [], []
    for dataset in ("generated:2", "my.json"):
        for test in ("write", "tree", "incremental"):
            own = {"dataset": dataset}
            made = [row(len(run.rows), "baseline", test, role="baseline", **own)]
            for n in range(rows):
                language = ("c", "zig", "javascript", "go")[n % 4]
                more = {"language": language, "language_name": language.title(), "format_name": "MessagePack"}
                labels = [f"label {n % 7}: explained at length"]
                name = f"a-library-of-a-long-name-{n}"
                made.append(row(len(run.rows) + n + 1, name, test, labels=labels, **(own | more)))
            for n in range(5):
                reason = f"needs Node.js: ./serbench setup part{n % 2}"
                number = len(run.rows) + rows + n + 1
                made.append(row(number, f"absent {n}", test, status="unavailable", reason=reason, **own))
            run.rows += made
            for n, record in enumerate(each for each in made if each.status == "ok"):
                run.samples += samples(record, 1000 + 900 * n, source, range(3))
    run.summary = summarise(run)
    return run


@pytest.mark.parametrize("name", [*NAMES, "large", "synthetic", "configured"])
@pytest.mark.parametrize("width", WIDTHS)
def test_no_line_is_longer_than_the_terminal(name, width, tmp_path):
    own = {"large": large_run, "synthetic": synthetic_run, "configured": configured_run}
    run = own[name]() if name in own else golden(name, tmp_path)
    lines = shown(run, width).splitlines()
    assert max(map(cell_len, lines)) <= width


@pytest.mark.parametrize("width", [80, 100, 200])
@pytest.mark.parametrize("name", ["compare", "javascript", "linux", "messages", "native", "large"])
def test_a_run_is_brief(name, width, tmp_path):
    run = large_run() if name == "large" else golden(name, tmp_path)
    assert shown(run, width).count("\n") <= MOST_LINES


@pytest.mark.parametrize("width", [50, 66, 80, 81, 100])
@pytest.mark.parametrize("name", ["compare", "javascript", "linux", "messages", "native", "large"])
def test_the_answer_is_never_cut(name, width, tmp_path):
    run = large_run() if name == "large" else golden(name, tmp_path)
    assert "…" not in shown(run, width).partition("Answer for ")[2].partition("\n\n")[0]
    summary = summarise(run)
    table = wrapped(answer_table(summary), width)
    said = " ".join(" ".join(filter(None, row.cells)) for row in table.rows)
    assert said == " ".join(f"{finding.subject} {finding.text}" for finding in summary.answer.findings)


def test_a_line_of_the_answer_breaks_behind_a_part():
    said = (
        "write: C MPack, C++ msgpack-cxx 1.20×, Rust serde_json 2.1×; and words without a comma to break at"
    )
    assert wrapped_parts(said, 40) == [
        "write: C MPack, C++ msgpack-cxx 1.20×,",
        "Rust serde_json 2.1×;",
        "and words without a comma to break at",
    ]
    assert wrapped_parts("", 20) == [""]
    assert all(len(line) <= 9 for line in wrapped_parts(said, 9) if " " in line)


def test_a_table_that_is_cut_says_how_many_rows_are_left():
    words = shown(large_run())
    for title in ("write · my.json", "incremental · generated:2"):
        table = words.partition(title)[2].partition("\n\n")[0]
        rows = [line for line in table.splitlines() if "a-lib" in line]
        assert 3 <= len(rows) < ROWS
        assert re.search(rf"… {ROWS - len(rows)} more +≤ 1\d\.\d", table)
    assert "… " not in shown(run_of(("Quick", "write", 10_000, {}), ("Slow", "write", 20_000, {})))


@pytest.mark.parametrize("width", [80, 200])
def test_every_row_is_one_line_with_its_figures(width, tmp_path):
    run = golden("javascript", tmp_path)
    words = shown(run, width)
    results = {result.id: result for result in summarise(run).rows}
    for record in run.rows:
        if record.role != "contender" or results[record.id].net_ns is None:
            continue
        factor = results[record.id].launches and record.test
        table = words.partition(f"{factor} · records:0.1")[2].partition("\n\n")[0]
        assert sum(f" {record.contender} " in line for line in table.splitlines()) >= 1


def test_notes_are_letters_that_are_explained_once(tmp_path):
    run = golden("native", tmp_path)
    words = shown(run)
    flat = " ".join(words.split())
    for label in {short(label) for record in run.rows for label in record.labels}:
        assert flat.count(label) <= 1
    letter = flat.partition(" does not validate UTF-8")[0][-1]
    table = words.partition("write · generated:2")[2].partition("\n\n")[0]
    line = next(line for line in table.splitlines() if " MPack " in line)
    assert letter in line.split()[-1]


def test_labels_that_differ_in_their_explanations_alone_are_one_letter():
    run = synthetic_run()
    for record in run.rows:
        record.labels = ["another source: of Debian", "another source: of upstream"]
    words = shown(run)
    assert " aa" not in words and words.count("another source") == 1


def test_what_is_not_measured_has_a_line_for_each_reason_with_the_remedy():
    words = shown(large_run())
    missing = words.partition("Not measured")[2]
    for part, names in (("part0", "absent 0, 2 more"), ("part1", "absent 1, absent 3")):
        (line,) = [line for line in missing.splitlines() if f"setup {part}" in line]
        assert re.fullmatch(rf" – {names}: needs Node.js: ./serbench setup {part} *", line)
    assert words.count("./serbench setup part") == 2


def test_of_too_many_tables_some_are_left_out_and_counted():
    datasets = [f"generated:{n}" for n in range(8)]
    rows = [
        (name, test, ns, {"dataset": dataset})
        for dataset in datasets
        for test in ("write", "tree", "incremental")
        for name, ns in (("Quick", 10_000), ("Middle", 20_000), ("Slow", 40_000))
    ]
    words = shown(run_of(*rows, datasets=datasets, launches=2))
    tables = len(re.findall(r"^\w+ · generated:\d", words, re.MULTILINE))
    assert words.count("\n") <= MOST_LINES and 3 < tables < 24
    assert f"\n… {24 - tables} more tables: --details\n" in words
    # Those that the answer is about stay.
    assert [test for test in ("write", "tree", "incremental") if f"\n{test} · generated:0" in words] == [
        "write",
        "tree",
        "incremental",
    ]


@pytest.mark.parametrize("width", [80, 100])
def test_the_answer_names_the_best_of_four_languages(width):
    languages = {"C": "MPack", "C++": "RapidJSON", "Zig": "std.json", "JavaScript": "protobufjs"}
    rows = [
        (
            name,
            test,
            10_000 * (n + 1 + (dataset > "records:1" and 2 * n)),
            {
                "language": language,
                "language_name": language,
                "format": ("json", "cbor")[n % 2],
                "format_name": ("JSON", "CBOR")[n % 2],
                "labels": [f"label of {name}", "another label"],
                "dataset": dataset,
            },
        )
        for dataset in ("records:1", "generated:4", "numbers:1")
        for test in ("write", "tree")
        for n, (language, name) in enumerate(languages.items())
    ]
    run = run_of(*rows, datasets=("records:1", "generated:4", "numbers:1"), launches=4)
    for dataset in run.datasets:
        dataset.encodings = {"json": Encoding(bytes=9), "cbor": Encoding(bytes=8)}
    answer = shown(run, width).partition("Answer for")[2].partition("\n\n")[0]
    assert re.search(r"^how sure +4 launches, [^…]* all ±", answer, re.MULTILINE)
    for test in ("write", "read"):
        told = answer.partition(f"{test}: ")[2]
        line = " ".join(re.sub(r" +[a-e]*$", "", told, flags=re.MULTILINE).split())
        assert line.startswith("C MPack") and "Zig std.json 3.0×, JavaScript protobufjs 4.0×" in line


def test_a_platform_says_why_a_row_was_not_counted(tmp_path):
    run = golden("linux", tmp_path)
    run.complete = False
    first, second = [row for row in run.rows if row.role == "contender" and row.instructions is not None][:2]
    first.instructions, first.instructions_reason = None, "the emulator crashed"
    assert "the emulator crashed" in shown(run).partition("Not measured")[2]
    base = next(result.baseline for result in summarise(run).rows if result.id == second.id)
    next(row for row in run.rows if row.id == base).instructions = None
    missing = " ".join(shown(run).partition("Not measured")[2].split())
    assert "there is no count of a baseline to subtract" in missing and "no reason" not in missing


def test_labels_have_the_words_of_the_report():
    rows = [("Quick", 400, {}), ("Tiny", 1, {}), ("Late", 40_000, {"launches": 3})]
    run = run_of(*((name, "write", ns, more) for name, ns, more in rows))
    table = brief_document(run).sections[0].blocks[-1]
    assert {row.cells[1]: row.notes for row in table.rows} == {
        "Quick": [],
        "Tiny": ["below resolution"],
        "Late": ["few samples: 3 of 5 launches"],
    }
    report = terminal_text(run_document([run]), 300)
    assert "below resolution" in report and "few samples: 3 of 5 launches" in report


def test_a_reason_does_not_name_its_library():
    run = synthetic_run()
    for n, name in enumerate(("One", "Two")):
        reason = f"{name} cannot take it: the data has integers beyond 2^53"
        run.rows.append(row(900 + n, name, status="unsupported", reason=reason))
    lines = [line for line in shown(run, 200).splitlines() if "integers beyond" in line]
    assert len(lines) == 1 and lines[0].startswith(" – One, Two: ")


@pytest.mark.parametrize("width", [40, 80, 200])
def test_names_and_reasons_cannot_control_the_terminal(width):
    run = synthetic_run()
    run.id, run.machine = HOSTILE, msgspec.structs.replace(run.machine, cpu=HOSTILE)
    run.notes = [HOSTILE]
    run.datasets[0].name = HOSTILE
    for record in run.rows:
        record.contender, record.labels, record.language_name = HOSTILE, [HOSTILE], HOSTILE
        record.dataset = record.format_name = HOSTILE
        if record.status != "ok":
            record.reason = HOSTILE
    words = shown(run, width)
    assert "\x1b" not in words and "\u202e" not in words
    assert r"Evil[bold red]|" in words and r"\x1b[31m" in "".join(words.split())


def test_a_run_without_figures_says_so_and_why():
    run = synthetic_run()
    run.samples = []
    words = shown(run)
    assert "No row has figures." in words and "Answer" not in words and "zigpak" in words


def test_the_latest_table_is_of_the_group_measured_last(monkeypatch):
    # It is made while a run measures, where an answer is time lost.
    monkeypatch.setattr(summary, "answer_of", lambda *_: pytest.fail("there is an answer"))
    run = run_of(("Quick", "write", 10_000, {}), ("Quick", "tree", 20_000, {}), ("Slow", "tree", 30_000, {}))
    tree = [sample for sample in run.samples if run.rows[sample.row].test == "tree"]
    run.samples = [s for s in run.samples if run.rows[s.row].test == "write"] + tree
    table = latest_table(run, 1)
    assert table.title.startswith("tree · generated:4") and table.rows[0].cells[1] == "Quick"
    assert table.rows[1].cells[1] == "… 1 more"
    run.samples = []
    assert latest_table(run, 1) is None
