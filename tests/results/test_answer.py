"""The answer of a run: who is best, said only where the intervals prove it."""

import random
import re

import msgspec
import pytest

from serbench import text
from serbench.datasets.records import Compressed, DatasetRecord, Encoding
from serbench.measure.records import VARIES
from serbench.report.answer_table import answer_table, gains_table
from serbench.results.answer import MOST_LINES, answer_of
from serbench.results.answer_counts import answer_of_counts
from serbench.results.candidates import GroupKey, candidates, winner
from serbench.results.load import load_run
from serbench.results.summary import summarise, summary_of
from tests.golden.test_figures import NAMES, unpack
from tests.results.builder import configured_run, row, samples, synthetic_run

BASE = 1_000


def run_of(*rows, datasets=("generated:4",), launches=5, spread=0.004):
    """A run of rows (name, test, true net ns, more fields of their records), each group with a baseline."""
    run = synthetic_run()
    source = random.Random(3)
    run.rows, run.samples, run.failures, run.stops = [], [], [], []
    run.datasets = [
        DatasetRecord(name=name, tape_sha256="", content_hash="", exact_hash="", nodes=1000 - n, depth=2)
        for n, name in enumerate(datasets)
    ]
    groups = dict.fromkeys((test, more.get("dataset", datasets[0])) for _, test, _, more in rows)
    timed = [("baseline", test, 0, {"role": "baseline", "dataset": data}) for test, data in groups]
    for name, test, ns, more in [*timed, *rows]:
        more = dict(more)
        taken = more.pop("launches", launches)
        record = row(len(run.rows), name, test, **({"dataset": datasets[0]} | more))
        run.rows.append(record)
        run.samples += samples(record, BASE + ns, source, range(taken), spread)
    return run


def said(run):
    """The lines of the answer by their subjects; lines of one subject are joined."""
    found = {}
    for line in summarise(run).answer.findings:
        found.setdefault(line.subject, []).append(line.text)
    return {subject: " | ".join(lines) for subject, lines in found.items()}


def golden(name, tmp_path):
    path = tmp_path / f"{name}.json"
    path.write_bytes(unpack("runs", name))
    return load_run(path)


def test_the_fastest_is_named_with_its_lead():
    times = {"Slow": 40_000, "Quick": 10_000, "Middle": 20_000}
    run = run_of(*((name, "write", ns, {}) for name, ns in times.items()))
    answer = summarise(run).answer
    assert answer.about == "generated:4 · 1,000 values"
    line = answer.findings[0]
    assert line.subject == "fastest to write" and line.row == 2
    assert line.text.startswith("Quick (JSON, C) 10.") and "µs, 2.00× ahead of Middle, ±" in line.text


def test_rows_that_cannot_be_told_apart_are_tied_and_nobody_is_ahead():
    run = run_of(("One", "tree", 10_000, {}), ("Two", "tree", 10_010, {}), ("Far", "tree", 90_000, {}))
    line = said(run)["fastest to read"]
    assert "tied with" in line and "ahead" not in line and "Far" not in line
    three = run_of(*((name, "tree", 10_000 + n, {}) for n, name in enumerate(("One", "Two", "Three"))))
    assert "and 1 more" in said(three)["fastest to read"]


@pytest.fixture
def below_resolution():
    """A run whose fastest row has net times above 0, which all the same may be 0."""
    run = run_of(*((name, "write", ns, {}) for name, ns in (("Tiny", 8), ("Big", 40_000))), launches=3)
    tiny = next(result for result in summarise(run).rows if result.name == "Tiny")
    assert tiny.at_floor and tiny.net_ns > 0
    return run


def test_a_time_below_resolution_has_no_ratio(below_resolution):
    run = below_resolution
    assert said(run)["fastest to write"] == "Tiny (JSON, C) below resolution, ahead of Big"
    (rows,) = candidates(run, summarise(run).rows).values()
    assert [row.times(other) for row in rows for other in rows if row is not other] == [None, None]
    run.rows[2].language = run.rows[2].language_name = "Zig"
    assert said(run)["by language"] == "write: C Tiny, Zig Big (behind)"


@pytest.mark.parametrize("name", NAMES)
def test_whoever_is_ahead_is_proved_faster_than_every_other_library(name, tmp_path):
    run = golden(name, tmp_path)
    groups = candidates(run, summary_of(run).rows)
    answer = answer_of(run, summary_of(run).rows)
    assert len(answer.findings) <= MOST_LINES
    for line in answer.findings:
        if line.row is None:
            continue
        rows = next(r for r in groups.values() if any(each.record.id == line.row for each in r))
        best = next(each for each in rows if each.record.id == line.row)
        others = [r for r in rows if r.record.contender_id != best.record.contender_id and r.counted is None]
        unproved = [r for r in others if not best.beats(r)]
        assert bool(unproved) == ("tied" in line.text)
        assert others or "only library" in line.text or best.counted is not None
        assert best.result.name in line.text


def test_a_row_of_one_launch_is_no_tie_and_one_launch_proves_nothing():
    run = run_of(("Quick", "write", 10_000, {}), ("Once", "write", 90_000, {"launches": 1}))
    assert "the only library with more than one launch" in said(run)["fastest to write"]
    zig = {"language": "zig", "language_name": "Zig", "launches": 1}
    run = run_of(
        ("Quick", "write", 10_000, {}), ("Slow", "write", 20_000, {}), ("Once", "write", 90_000, zig)
    )
    assert "ahead of Slow" in said(run)["fastest to write"]
    assert said(run)["by language"] == "write: C Quick, Zig Once (one launch)"
    run = run_of(("Quick", "write", 10_000, {}), ("Slow", "write", 90_000, {}), launches=1)
    assert "one launch proves nothing" in said(run)["fastest to write"]


def test_one_row_and_no_row():
    assert "the only library" in said(run_of(("Quick", "write", 10_000, {})))["fastest to write"]
    run = run_of(("Quick", "write", 10_000, {}))
    run.samples = []
    assert summarise(run).answer.findings == []
    run.rows = []
    assert summarise(run).answer.findings == []


def test_variants_of_one_library_are_no_rivals():
    run = run_of(
        ("Quick", "write", 10_000, {}),
        ("Quick", "write", 10_001, {"variant": "reuse"}),
        ("Slow", "write", 30_000, {}),
    )
    assert "ahead of Slow" in said(run)["fastest to write"]


def test_languages_and_json_have_their_lines_where_there_is_a_choice():
    binary = {"format": "cbor", "format_name": "CBOR"}
    zig = {"language": "zig", "language_name": "Zig", "contender_id": "zig/other"}
    rows = [
        ("Quick", "write", 10_000, binary),
        ("Text", "write", 20_000, {}),
        ("Other", "write", 40_000, zig | binary),
    ]
    found = said(run_of(*rows))
    assert found["by language"] == "write: C Quick, Zig Other 4.0×"
    assert found["fastest JSON"].startswith("write Text 20.")
    found = said(run_of(*rows[:2]))
    assert "by language" not in found and "fastest JSON" in found
    assert "fastest JSON" not in said(run_of(rows[1]))


def test_the_own_file_comes_first_and_what_it_changes_is_said():
    own = {"dataset": "my.json"}
    rows = [
        ("Quick", "write", 10_000, {}),
        ("Other", "write", 20_000, {}),
        ("Quick", "write", 30_000, own),
        ("Other", "write", 15_000, own),
        ("Quick", "tree", 10_000, {}),
        ("Quick", "tree", 10_000, own),
    ]
    run = run_of(*rows, datasets=("generated:4", "my.json"))
    assert summarise(run).answer.about.startswith("my.json")
    assert "Other" in said(run)["fastest to write"]
    assert said(run)["your file against"] == "generated:4: write Quick"
    run = run_of(
        *rows[:2], ("Quick", "write", 3000, {"dataset": "records:1"}), datasets=("generated:4", "records:1")
    )
    assert said(run)["elsewhere"] == "the same on records:1"


def test_sizes_are_those_of_the_encodings_and_equal_ones_are_named_together():
    run = run_of(("Quick", "write", 10_000, {}))
    zipped = {"gzip -6": Compressed(bytes=40, nanoseconds=1.0)}
    run.datasets[0].encodings = {
        "json": Encoding(bytes=200, compressed={"gzip -6": Compressed(bytes=30, nanoseconds=1.0)}),
        "cbor": Encoding(bytes=100, compressed=zipped),
        "messagepack": Encoding(bytes=100),
        "bson": Encoding(reason="too large a number"),
    }
    assert said(run)["smallest"] == "cbor and messagepack 50 % of JSON, after gzip -6 JSON 15 %"


def test_how_sure_names_launches_intervals_and_disturbances():
    run = run_of(("Quick", "write", 10_000, {}), ("Short", "write", 20_000, {"launches": 3}))
    line = said(run)["how sure"]
    assert line.startswith("3 to 5 launches, too few for 1 of 2 rows; 2 rows: half within ±")
    assert "disturbed" not in line
    run.samples = [msgspec.structs.replace(sample, disturbed="other work") for sample in run.samples]
    run.complete = False
    run.settings.launches = 6
    assert "3 to 5 launches, too few; 2 rows: half" in said(run)["how sure"]
    line = said(run)["how sure"]
    assert line.startswith("INTERRUPTED") and re.search(r"; (\d+) of \1 samples disturbed$", line)
    run.samples[:-1] = [msgspec.structs.replace(sample, disturbed="") for sample in run.samples[:-1]]
    own = sum(run.rows[sample.row].role == "contender" for sample in run.samples)
    assert said(run)["how sure"].endswith(f"; 1 of {own} samples disturbed")


def test_counts_are_exact_and_no_times(tmp_path):
    run = golden("linux", tmp_path)
    found = said(run)
    assert "instructions" in found["fewest to write"] and "ahead of" in found["fewest to write"]
    assert found["how sure"] == "counts, and no times; exact"
    groups = candidates(run, summary_of(run).rows)
    best = winner(groups[GroupKey("generated:1", "speed", "linux-armhf"), "write"]).best
    base = next(r for r in run.rows if r.role == "baseline" and (r.test, r.profile) == ("write", "speed"))
    assert best.counted == best.record.instructions - base.instructions


def test_a_count_without_a_baseline_is_not_compared_as_a_net_one(tmp_path):
    run = golden("linux", tmp_path)
    results = summarise(run).rows
    own = next(r for r in run.rows if r.role == "contender" and r.instructions is not None)
    next(result for result in results if result.id == own.id).baseline = None
    left = {row.record.id for rows in candidates(run, results).values() for row in rows}
    assert own.id not in left and len(left) > 10


def test_a_run_file_of_before_gets_its_answer_when_it_is_read(tmp_path):
    run = synthetic_run()
    run.summary = summarise(run)
    wanted = run.summary.answer
    run.summary.answer = None
    (tmp_path / "old.json").write_bytes(msgspec.json.encode(run))
    assert wanted.findings and load_run(tmp_path / "old.json").summary.answer == wanted


def test_the_interval_of_the_answer_is_that_of_the_times_shown():
    rows = [
        ("Quick", "write", 400, {}),
        ("Slow", "write", 40_000, {}),
        ("Tiny", "write", 1, {"format": "cbor"}),
    ]
    run = run_of(*rows, ("Once", "write", 90_000, {"launches": 1}))
    (quick,) = [result for result in summarise(run).rows if result.name == "Quick"]
    half = text.relative((quick.net_high_ns - quick.net_low_ns) / 2, quick.net_ns)
    assert text.relative((quick.raw_high_ns - quick.raw_low_ns) / 2, quick.raw_ns) != half
    found = said(run)
    # Tiny is below resolution, and one launch has no interval.
    assert f"2 of 4 rows: half within ±{half}, all ±{half}" in found["how sure"]
    assert re.fullmatch(r"write Quick \d+ ns ±" + half, found["fastest JSON"])
    run.rows[0].role, run.rows[0].status = "floor", "failed"
    assert re.search(r"\(raw\), ahead of .*, ±\d", said(run)["fastest to write"])


def test_the_same_elsewhere_means_the_same_libraries():
    other = {"dataset": "records:1"}
    two = [("One", "write", 10_000, {}), ("Two", "write", 10_010, {})]
    datasets = ("generated:4", "records:1")
    run = run_of(*two, ("One", "write", 10_000, other), ("Two", "write", 90_000, other), datasets=datasets)
    assert "tied with" in said(run)["fastest to write"]
    assert said(run)["elsewhere"] == "records:1: write One"
    variant = ("Two", "write", 5_000, other | {"variant": "reuse"})
    run = run_of(
        ("Two", "write", 5_000, {}), two[0], ("One", "write", 9_000, other), variant, datasets=datasets
    )
    assert said(run)["elsewhere"] == "the same on records:1"


def test_a_line_has_the_labels_of_all_that_it_names_as_best():
    zig = {"language": "zig", "language_name": "Zig", "format": "cbor"}
    run = run_of(("One", "write", 10_000, {}), ("Two", "write", 10_010, zig), ("Far", "write", 90_000, {}))
    one, two, _ = (row.id for row in run.rows if row.role == "contender")
    lines = {line.subject: line for line in summarise(run).answer.findings}
    assert sorted(lines["fastest to write"].rows) == [one, two]
    assert sorted(lines["by language"].rows) == [one, two] and lines["fastest JSON"].rows == [one]
    run.rows[two].labels = ["does not check: explained"]
    table = answer_table(summarise(run))
    assert {row.cells[0] for row in table.rows if row.notes == ["does not check"]} == {
        "fastest to write",
        "by language",
    }


def test_counts_that_vary_are_not_called_exact(tmp_path):
    run = golden("linux", tmp_path)
    answer = summarise(run).answer
    own = next(row for row in run.rows if row.id == answer.findings[0].row)
    own.labels = [*own.labels, VARIES]
    assert re.search(rf"; exact but for 1 of \d+ rows: {VARIES}$", said(run)["how sure"])


def test_everything_at_once_is_at_most_nine_lines():
    own = [
        (
            name,
            test,
            ns * (n + 1),
            {"dataset": data, "language": lang, "language_name": lang, "format": form, "format_name": form},
        )
        for n, data in enumerate(("generated:4", "my.json", "records:1"))
        for test in ("write", "tree", "incremental")
        for name, ns, lang, form in (("A", 1e4, "c", "json"), ("B", 2e4, "zig", "cbor"))
    ]
    run = run_of(*own, datasets=("generated:4", "my.json", "records:1"))
    for dataset in run.datasets:
        dataset.encodings = {"json": Encoding(bytes=9), "cbor": Encoding(bytes=8)}
    assert len(summarise(run).answer.findings) == MOST_LINES
    assert 0 < len(summarise(configured_run()).answer.findings) <= MOST_LINES


def test_microcontrollers_have_a_line_each_with_what_all_documents_need(tmp_path):
    run = golden("firmware", tmp_path)
    answer = summary_of(run).answer
    assert [line.subject for line in answer.findings] == [each.name for each in run.platforms]
    own = [r for r in run.rows if r.platform == "cortex-m0" and r.contender == "MPack"]
    total = sum(r.metrics["deserialize"] for r in own)
    assert f"to read MPack (MessagePack) {total:,} instructions" in answer.findings[0].text
    # MPack takes no document on the small processor, and cJSON lacks one.
    assert {r.status for r in run.rows if r.platform == "avr" and r.contender == "MPack"} == {"unsupported"}
    assert "MPack" not in answer.findings[1].text and "cJSON" not in answer.findings[1].text
    assert {r.contender for r in run.rows if r.id in answer.findings[0].rows} == {"MPack", "CMP"}
    short = answer_of_counts(run, 1).findings
    assert [(line.subject, line.text) for line in short] == [
        ("other platforms", "see --details for cortex-m0, avr")
    ]
    for record in run.rows:
        if record.platform == "avr" and record.dataset == run.rows[0].dataset:
            record.status = "failed"
    assert said(run)["other platforms"] == "no library took all documents on avr"
    for platform in run.platforms:
        platform.kind = "board"
    assert summarise(run).answer.findings == []


def schema_run(net, **settings):
    """A row with a schema of this net time in ns, beside one without of 40,000; others that have no match."""
    schema = {"labels": ["needs a schema"]}
    rust = {"language": "rust", "language_name": "Rust", "harness": "rust"}
    run = run_of(
        ("Plain", "write", 40_000, {"bytes": 900}),
        ("Struct", "write", net, {"bytes": 300, "format": "compact", "format_name": "Compact", **schema}),
        ("Crate", "write", 20_000, rust),
        ("Lone", "tree", 10_000, schema),
        **settings,
    )
    run.datasets[0].encodings = {"json": Encoding(bytes=900), "compact": Encoding(bytes=300)}
    return run


@pytest.mark.parametrize(
    ("net", "proved", "times"),
    [(10_000, "faster", r"4\.0\d?"), (40_010, "", "tied"), (80_000, "slower", r"0\.50\d?")],
)
def test_what_a_schema_buys_is_told_for_each_language_that_has_both(net, proved, times):
    run = schema_run(net)
    summary = summarise(run)
    (gain,) = summary.answer.gains
    names = {row.id: row.contender for row in run.rows}
    assert (gain.language, gain.test, names[gain.row], names[gain.without]) == (
        "C",
        "write",
        "Struct",
        "Plain",
    )
    assert gain.proved == proved and gain.ratio == pytest.approx(40_000 / net, rel=0.02)
    (line,) = gains_table(summary, candidates(run, summary.rows)).rows
    test, language, with_one, _, size, without, _, larger, multiple = line.cells
    assert (test, language, with_one, size, without, larger) == ("write", "C", "Struct", 300, "Plain", 900)
    assert re.fullmatch(times, multiple)
    found = said(run)
    assert found["smallest"] == "JSON 100 % of JSON, with a schema Compact 33 %"
    assert "Rust Crate" in found["by language"]


def test_one_launch_tells_nothing_of_what_a_schema_buys():
    assert summarise(schema_run(10_000, launches=1)).answer.gains == []
