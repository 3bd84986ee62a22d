"""Runs that were killed or interrupted go on where they were; and what has changed is refused."""

import json
import re
import signal
from collections import Counter
from types import SimpleNamespace

import msgspec
import pytest

from serbench import __version__
from serbench.errors import UserError
from serbench.kinds import found
from serbench.measure.precision import settings_for
from serbench.measure.records import Plan, Sample
from serbench.project import CACHE
from serbench.provision import Unavailable, provide
from serbench.results.journal import Journal, complete, journal_path
from serbench.results.load import load_run
from serbench.results.machine import this_machine
from serbench.results.schema import Revision, RowRecord
from serbench.run import counting, probing
from serbench.run.kind import RunKind
from serbench.run.resume import find_interrupted
from serbench.run.session import RunSession
from tests.brief import BUDGET, brief, killed
from tests.results.builder import synthetic_run
from tests.shorten import LAUNCHES

PROBED = ("fidelity", "payloads", "strict")
COMMAND = ("run", "--contenders", "c/mpack", "--tests", "tree,write", "--timeout", "20", *BUDGET)


@pytest.fixture
def mpack(ready):
    """Skips the test where MPack is not here."""
    ready("c/mpack:tree")


def test_a_killed_run_is_resumed(mpack, command, tmp_path):
    data = tmp_path / "my data.json"
    data.write_text(json.dumps([{"a": n, "b": [1.5, None, "text"]} for n in range(40)]))
    output = tmp_path / "run.json"
    journal = journal_path(output)
    before = killed(output, [Sample] * 12, *COMMAND, "--data", data, "--output", output)
    assert len(before.samples) == 12 and not before.complete and len(before.periods) == 1

    # Killed once more, with half a line in the journal.
    with journal.open("ab") as file:
        file.write(b'{"kind":"sample","data":{"row"')
    second = killed(output, [Sample] * 8, "resume", output, "--data", data)
    assert second.samples[: len(before.samples)] == before.samples
    assert len(second.samples) == len(before.samples) + 8 and len(second.periods) == 2

    # The journal's own name will do; the data must be named, and be the same.
    assert "--data" in command("resume", journal).stderr
    done = command("resume", journal, "--data", data)
    assert done.returncode == 0, done.stderr
    assert not journal.exists()
    after = load_run(output)
    assert after.complete and after.id == before.id and after.settings == before.settings
    assert after.rows == before.rows and after.datasets == before.datasets
    assert after.samples[: len(second.samples)] == second.samples
    assert len(after.samples) > len(second.samples) and before.seconds < second.seconds < after.seconds
    assert [period.samples for period in after.periods] == [0, len(before.samples), len(second.samples)]
    assert after.periods[0].budget_seconds == float(BUDGET[1]) > after.periods[1].budget_seconds
    # What is said of disturbed samples is of those since it was resumed; the killed parts said nothing.
    last = len(after.samples) - len(second.samples)
    told = [re.search(r"of ([\d,]+) samples were disturbed", note) for note in after.notes]
    assert all(int(found[1].replace(",", "")) == last for found in told if found)
    starts = [sample.started for sample in after.samples]
    assert starts == sorted(starts)
    assert not [stop for stop in after.stops if stop.reason == "interrupted"]
    places = Counter((s.row, s.launch, s.round) for s in after.samples)
    assert set(places.values()) == {1}
    launches = {row.id: {s.launch for s in after.samples if s.row == row.id} for row in after.rows}
    assert all(len(launches[row.id]) >= LAUNCHES for row in after.rows if row.status == "ok")
    told = "Interrupted after"
    assert sum(told in note for note in after.notes) == 2 and told in done.stdout
    assert (
        told in output.with_suffix(".md").read_text() and "resumed" in output.with_suffix(".md").read_text()
    )


def test_an_interrupted_run_keeps_what_it_has_and_is_resumed_by_the_command_that_it_names(
    mpack, serbench, tmp_path
):
    output = tmp_path / "run.json"
    arguments = [*COMMAND, "--datasets", "generated:1", "--output", output]
    done = brief(*arguments, moments=[Sample] * 6, number=signal.SIGINT)
    assert done.returncode == 130 and "Traceback" not in done.stderr, done.stderr
    (line,) = [line.strip() for line in done.stdout.splitlines() if "./serbench resume" in line]
    before = load_run(output)
    assert not before.complete and not journal_path(output).exists() and len(before.samples) > 5
    assert "interrupted" in {stop.reason for stop in before.stops} and output.with_suffix(".md").is_file()
    assert line == f"./serbench resume {output} --timeout 20"
    done = serbench(*line.split()[1:])
    assert done.returncode == 0, done.stderr
    after = load_run(output)
    assert after.complete and after.samples[: len(before.samples)] == before.samples
    assert {stop.reason for stop in after.stops} <= {"precise enough", "most launches", "time used up"}
    done = serbench("resume", output)
    assert done.returncode == 2 and "is complete" in done.stderr


def test_an_interruption_before_the_first_sample_leaves_nothing(mpack, tmp_path):
    output = tmp_path / "run.json"
    done = brief(*COMMAND, "--output", output, moments=[RowRecord], number=signal.SIGINT)
    assert done.returncode == 130 and "Traceback" not in done.stderr, done.stderr
    assert list(tmp_path.iterdir()) == []


def asked(run, plan):
    return msgspec.structs.replace(run, settings=msgspec.structs.replace(run.settings, plan=plan))


def changed(run, **changes):
    row = msgspec.structs.replace(next(row for row in run.rows if row.row == "c/mpack:tree"), **changes)
    return msgspec.structs.replace(run, rows=[row if old.id == row.id else old for old in run.rows])


@pytest.fixture(scope="module")
def interrupted(recorded):
    """The recorded run as if it had been interrupted: without its end, and the samples of later launches."""
    run = load_run(recorded / "run.json")
    lists = {"samples": [sample for sample in run.samples if sample.launch == 0], "stops": [], "notes": []}
    return msgspec.structs.replace(run, complete=False, summary=None, finished="", **lists)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda run: changed(run, program="0" * 16), "another program"),
        (lambda run: changed(run, library_version="0.0.1"), "another library version"),
        (lambda run: changed(run, bytes=7), "another size"),
        (lambda run: changed(run, cpu="v3"), "another level of the processor: baseline, which was v3"),
        (lambda run: changed(run, row="c/nobody:tree", contender_id="c/nobody"), "another row"),
        (lambda run: msgspec.structs.replace(run, serbench="0.0.1"), "begun by serbench 0.0.1"),
        (
            lambda run: msgspec.structs.replace(run, revision=Revision(sources="0" * 16)),
            "begun by another revision of serbench (sources 0000000000000000",
        ),
        (lambda run: asked(run, None), "does not say what was to be measured"),
        (
            lambda run: asked(run, msgspec.structs.replace(run.settings.plan, rows=["c/nobody:tree"])),
            "rows of c/nobody that are not here",
        ),
        (
            lambda run: asked(run, msgspec.structs.replace(run.settings.plan, rows=["c/mpack:tree"])),
            "other rows than there are now",
        ),
        (
            lambda run: msgspec.structs.replace(
                run, machine=msgspec.structs.replace(run.machine, cpu="Other 1")
            ),
            "another machine",
        ),
        (
            lambda run: msgspec.structs.replace(
                run, datasets=[msgspec.structs.replace(run.datasets[0], tape_sha256="00" * 32)]
            ),
            "not the data",
        ),
    ],
)
def test_what_has_changed_is_refused(interrupted, change, says, command, tmp_path):
    output = tmp_path / "run.json"
    Journal.of(change(interrupted), journal_path(output)).close()
    before = journal_path(output).read_bytes()
    outcome = command("resume", output)
    assert outcome.returncode == 2 and says in outcome.stderr, outcome.stderr
    assert "Traceback" not in outcome.stderr
    assert journal_path(output).read_bytes() == before and not output.exists()


@pytest.mark.parametrize("rows", [0, 1])
def test_a_run_that_was_killed_before_its_first_sample_begins_to_measure(
    interrupted, rows, command, tmp_path
):
    """The rows that are there need not be all, and what was counted of one is kept."""
    output = tmp_path / "run.json"
    known = [msgspec.structs.replace(row, instructions=4711.0) for row in interrupted.rows[:rows]]
    lists = {name: [] for name in ("datasets", "samples", "failures", "stops", "periods", "notes")}
    settings = msgspec.structs.replace(interrupted.settings, launches=1, max_launches=1)
    begun = msgspec.structs.replace(interrupted, rows=known, settings=settings, complete=False, **lists)
    Journal.of(begun, journal_path(output)).close()
    outcome = command("resume", output)
    assert outcome.returncode == 0, outcome.stderr
    run = load_run(output)
    assert run.complete and run.samples
    assert [data.tape_sha256 for data in run.datasets] == [d.tape_sha256 for d in interrupted.datasets]
    assert [row.row for row in run.rows] == [row.row for row in interrupted.rows]
    assert run.rows[:rows] == known and len(run.periods) == 1


@pytest.mark.parametrize("there", ["nothing", "another run", "text"])
def test_a_complete_journal_without_its_run_file_becomes_the_run_file(interrupted, there, command, tmp_path):
    """As after a full disk, or a kill, between the journal's end and the run file."""
    output = tmp_path / "run.json"
    if there == "another run":
        complete(msgspec.structs.replace(interrupted, started="2020-01-01T00:00:00Z"), output)
    elif there == "text":
        output.write_text("text")
    with Journal.of(interrupted, journal_path(output)) as journal:
        journal.end("2026-01-02T04:00:00Z", 9.0, True)
    samples = list(load_run(journal_path(output)).samples)
    outcome = command("resume", output)
    assert outcome.returncode == 0, outcome.stderr
    run = load_run(output)
    assert run.complete and run.started == interrupted.started and run.samples == samples
    assert not journal_path(output).exists() and output.with_suffix(".md").is_file()

    # Where the run file is there, the journal is what may go.
    with Journal.of(run, journal_path(output)) as journal:
        journal.end(run.finished, run.seconds, True)
    outcome = command("resume", output)
    assert outcome.returncode == 2 and "can be removed" in outcome.stderr


def test_an_interruption_of_a_resumed_run_keeps_its_journal(interrupted, command, tmp_path, monkeypatch):
    output = tmp_path / "run.json"
    lists = {name: [] for name in ("samples", "failures", "stops", "periods", "notes")}
    Journal.of(msgspec.structs.replace(interrupted, complete=False, **lists), journal_path(output)).close()

    def stop(_counter, _folder, _counted):
        raise KeyboardInterrupt

    monkeypatch.setattr(counting.Counter, "heaps", stop)
    outcome = command("resume", output)
    assert outcome.returncode == 130
    assert f"nothing more was measured; ./serbench resume {output}" in outcome.stderr
    assert len(load_run(journal_path(output)).rows) == len(interrupted.rows)


def test_an_interruption_while_instructions_are_counted_keeps_them(tmp_path):
    settings = settings_for("quick", [], None, [], 0, fragment=True, instructions=True)
    session = RunSession(settings, this_machine({}), tmp_path / "run.json", "samples", SimpleNamespace())
    row = msgspec.structs.replace(synthetic_run().rows[0], instructions=4711.0)
    with session.running(ignore_lock=True):
        session.keep(row)
        raise KeyboardInterrupt
    run = load_run(tmp_path / "run.json")
    assert not run.complete and run.rows == [row]


def test_bad_resumptions(command, tmp_path):
    (tmp_path / "text.json").write_text("hello")
    for arguments, says in (
        (["resume", "nowhere.json"], "there is no run file"),
        (["resume", "text.json"], "not JSON"),
        (["resume", "text.json", "--full"], "No such option"),
        (["run", "--resume", "text.json"], "./serbench resume RUN"),
        (["run", "--like=text.json"], "./serbench repeat RUN"),
        (["run", "--tests", "tree", "--platform", "avr"], "./serbench count --platform NAME"),
    ):
        outcome = command(*arguments)
        assert outcome.returncode == 2 and says in outcome.stderr, outcome.stderr


def test_a_damaged_line_is_named_and_nothing_changes(interrupted, command, tmp_path):
    output = tmp_path / "run.json"
    with Journal.of(interrupted, journal_path(output)) as journal:
        journal.keep("a note")
    damaged = journal_path(output).read_bytes().replace(b'"a note"', b'{"a": note}')
    journal_path(output).write_bytes(damaged)
    outcome = command("resume", output)
    last = len(damaged.splitlines())
    assert outcome.returncode == 2 and f"line {last}: damaged journal" in outcome.stderr
    assert journal_path(output).read_bytes() == damaged and not output.exists()


def test_the_journal_of_a_board_is_finished_by_collect(interrupted, command, tmp_path):
    output = tmp_path / "run.json"
    plan = msgspec.structs.replace(interrupted.settings.plan, kind="board")
    Journal.of(asked(interrupted, plan), journal_path(output)).close()
    before = journal_path(output).read_bytes()
    outcome = command("resume", output)
    assert outcome.returncode == 2 and "is finished with ./serbench collect --resume" in outcome.stderr
    outcome = command("collect", "--resume", output, "--port", "/dev/null")
    assert outcome.returncode == 2 and "Traceback" not in outcome.stderr
    assert journal_path(output).read_bytes() == before


def test_a_library_that_is_lost_is_said_before_anything_is_measured(
    interrupted, command, tmp_path, monkeypatch
):
    output = tmp_path / "run.json"
    Journal.of(interrupted, journal_path(output)).close()
    before = journal_path(output).read_bytes()

    def lost(contender, *rest):
        if contender.id == "c/mpack":
            raise Unavailable("the source of MPack is gone")
        return provide(contender, *rest)

    monkeypatch.setattr("serbench.run.libraries.provide", lost)
    outcome = command("resume", output)
    assert outcome.returncode == 2, outcome.stderr
    assert "cannot be measured now: the source of MPack is gone" in outcome.stderr
    assert journal_path(output).read_bytes() == before


@pytest.mark.parametrize("kind", [kind.name for kind in found(RunKind) if kind.results in PROBED])
def test_another_version_of_the_engine_is_refused(kind, catalog, command, tmp_path, monkeypatch):
    """Such a run has no programs by which a change would be noticed."""
    monkeypatch.setattr(probing, "find", lambda *_: SimpleNamespace(version="2"))
    rows = ["javascript/json:write"]
    assert probing.engines(catalog, CACHE, [r for r in catalog.rows() if r.id in rows]) == {"javascript": "2"}
    settings = settings_for("quick", [], None, [], 0, fragment=True, instructions=False)
    settings = msgspec.structs.replace(settings, plan=Plan(kind=kind, rows=rows, heap_mb=16))
    machine = this_machine({"javascript": "1"})
    run = msgspec.structs.replace(
        synthetic_run(),
        rows=[],
        samples=[],
        failures=[],
        stops=[],
        periods=[],
        summary=None,
        serbench=__version__,
        revision=None,
        settings=settings,
        machine=machine,
        complete=False,
    )
    output = tmp_path / "run.json"
    Journal.of(run, journal_path(output)).close()
    before = journal_path(output).read_bytes()
    outcome = command("resume", output)
    assert outcome.returncode == 2, outcome.stderr
    assert "toolchain of javascript has another version: 2, which was 1" in outcome.stderr
    assert journal_path(output).read_bytes() == before


def test_a_run_that_another_process_resumes_is_refused(interrupted, command, tmp_path):
    output = tmp_path / "run.json"
    with Journal.of(interrupted, journal_path(output)):
        outcome = command("resume", output, "--ignore-lock")
        assert outcome.returncode == 2 and "in use by another serbench" in outcome.stderr
    found = find_interrupted(output)
    with found.held():
        pass
    with Journal.of(interrupted, journal_path(output)) as journal:
        journal.keep("a note")
    with pytest.raises(UserError, match="has changed since it was read"), found.held():
        pytest.fail("it goes on")
