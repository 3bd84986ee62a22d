"""Comparisons of two contenders whose true times are known, and what is printed of a comparison."""

import msgspec
import pytest

from serbench.kinds.compare.contenders import compare_contenders
from serbench.kinds.compare.report import comparison_document, summary
from serbench.measure.records import Failure, Stop
from serbench.report.compare import Comparison, compare_runs
from serbench.report.terminal import terminal_text
from serbench.results.schema import Run
from tests.report.test_compare import (
    CHANGES,
    REVISIONS,
    TRUE_NS,
    counted_firmware,
    counted_linux,
    run_of,
)


def two_versions(ratio: float) -> Run:
    """MPack @old and @new in one run, the new one's net time `ratio` times the old one's."""
    return run_of({"baseline": 3000, "MPack @old": 8000, "MPack @new": 3000 + 5000 * ratio}, 3)


def contenders(run: Run, threshold: float = 0.03) -> Comparison:
    return compare_contenders(run, "c/mpack-@new", "c/mpack-@old", threshold)


def printed(found: Comparison) -> str:
    return " ".join(terminal_text(comparison_document(found)).split())


@pytest.mark.parametrize(("ratio", "verdict"), [(1.5, "slower"), (0.7, "faster"), (1.0, "no difference")])
def test_the_verdict_on_two_versions_in_one_run(ratio: float, verdict: str) -> None:
    run = two_versions(ratio)
    for record in run.rows:
        record.contender_id = record.contender_id.replace("mpack @", "mpack-@")
    found = contenders(run)
    assert [r.verdict for r in found.rows] == [verdict]
    compared = found.rows[0]
    assert compared.low is not None and compared.high is not None and compared.basis == "net"
    assert compared.low < compared.high
    assert compared.low * 0.97 < ratio < compared.high * 1.03
    assert found.slower == (verdict == "slower")
    assert any("code layout" in note or "code and data" in note for note in found.notes)


def test_it_is_told_how_many_launches_there_were_and_why_no_more() -> None:
    run = two_versions(1.0)
    assert not any(note.startswith("Launches") for note in contenders(run).notes)
    ends = (("write", "speed", 57, "time used up"), ("tree", "speed", 12, "precise enough"))
    run.stops = [
        Stop(test=test, dataset="generated:2", profile=profile, launches=count, reason=reason)
        for test, profile, count, reason in (*ends, ("write", "size", 60, "time used up"))
    ]
    told = [note for note in contenders(run).notes if note.startswith("Launches")]
    assert told == [
        "Launches: 57 of write generated:2 · speed, 60 of write generated:2 · size; "
        "ended as the time was used up.",
        "Launches: 12 of tree generated:2 · speed; ended as the intervals were narrow enough.",
    ]
    run.stops.pop()
    assert "Launches: 57 of write generated:2; ended as the time was used up." in contenders(run).notes


def test_a_row_of_the_new_version_that_fails_is_no_verdict_but_an_alarm() -> None:
    run = two_versions(1.0)
    for record in run.rows:
        record.contender_id = record.contender_id.replace("mpack @", "mpack-@")
    run.failures = [Failure(row=2, launch=1, reason="it crashed")]
    found = contenders(run)
    assert found.broken and not found.slower
    assert found.rows[0].reason == "new: failed: it crashed" and found.rows[0].verdict == "undecided"
    run.failures = [Failure(row=1, launch=1, reason="it crashed")]
    assert not contenders(run).broken  # the old version's failure is no fault of the new one
    run.failures.append(Failure(row=2, launch=1, reason="it crashed, too"))
    assert not contenders(run).broken
    assert contenders(run).rows[0].reason == "old: failed: it crashed; new: failed: it crashed, too"
    run.failures, run.rows[2].status, run.rows[2].reason = [], "unavailable", "needs a package"
    assert contenders(run).broken  # nor may a version go unmeasured unnoticed


@pytest.mark.parametrize("what", CHANGES)
def test_what_differs_is_printed_first(what: str) -> None:
    old, new = run_of(TRUE_NS, 1), run_of(TRUE_NS, 2, program="another")
    old.machine = msgspec.structs.replace(old.machine, libc="glibc 2.36", turbo=False)
    new.machine = msgspec.convert(msgspec.to_builtins(old.machine), type(new.machine))
    old.revision = new.revision = REVISIONS[0]
    CHANGES[what][0](new)
    found = compare_runs(old, new, 0.03)
    lines = terminal_text(comparison_document(found)).splitlines()
    assert lines[2].startswith("! ") and max(map(len, lines)) <= 80


@pytest.mark.parametrize("now", [3000.0, 3040.0])
def test_counts_are_printed_without_words_on_times(now: float) -> None:
    said = printed(
        compare_runs(counted_linux(3000.0, "linux-armv6"), counted_linux(now, "linux-armv6"), 0.03)
    )
    assert ("the same to the last digit: 1" in said) == (now == 3000.0)
    assert ("instructions 3,000, now" in said) == (now != 3000.0)
    assert "proved to be so" not in said


def test_calls_of_a_microcontroller_are_printed_with_their_counts() -> None:
    found = compare_runs(counted_firmware(), counted_firmware(deserialize=5001), 0)
    assert "CMP deserialize WoT · cortex-m3: instructions 5,000, now 5,001" in printed(found)


def test_a_hostile_name_is_shown_harmlessly() -> None:
    run = two_versions(1.0)
    for record in run.rows:
        record.contender_id = record.contender_id.replace("mpack @", "mpack-@")
        record.origin = "checkout \x1b[31m[bold]x"
    found = contenders(run)
    shown = terminal_text(comparison_document(found))
    assert "\x1b" not in shown and "[bold]" in shown
    assert summary(found) == "1 no difference"


def test_contenders_without_a_common_row_say_so() -> None:
    run = two_versions(1.0)
    run.rows[1].test = "write"
    found = compare_contenders(run, run.rows[2].contender_id, run.rows[1].contender_id, 0.03)
    assert found.rows == [] and summary(found) == "no rows"
    assert found.notes[0].startswith("Only one of the two has")
