"""Short real runs, end to end: the report row by row, a row that fails on the way, and Ctrl-C."""

import json
import os
import re
import signal
import threading
from types import SimpleNamespace

import pytest

from serbench.measure.precision import settings_for
from serbench.results.journal import Journal
from serbench.results.load import load_run
from serbench.results.machine import this_machine
from serbench.results.schema import SCHEMA_VERSION
from serbench.run.session import RunSession
from tests.brief import BUDGET, brief
from tests.conftest import CONTENDERS
from tests.shorten import shorten

COMMAND = [
    *("run", "--contender", str(CONTENDERS / "misbehaving"), "--contenders", "mpack,msgpack-c,misbehaving"),
    *("--datasets", "generated:2", "--timeout", "3"),
]


@pytest.fixture(scope="module")
def finished(serbench, built, tmp_path_factory):
    """A whole run with a broken contender in it: its rows by id, and the run file."""
    if built["c/mpack:tree"].status != "ok" or built["c/msgpack-c:tree"].status != "ok":
        pytest.skip("MPack and msgpack-c are not both here")
    output = tmp_path_factory.mktemp("run") / "out" / "run.json"
    done = brief(*COMMAND, *BUDGET, "--output", output)
    assert done.returncode == 0, done.stdout + done.stderr
    shown = serbench("report", output, "--format", "json")
    assert shown.returncode == 0, shown.stderr
    records = json.loads(shown.stdout)["rows"]
    return {record["row"]: record for record in records}, load_run(output), output, done.stdout


def test_rows_that_passed_have_figures(finished):
    rows, run, _, _ = finished
    assert run.complete and run.schema == SCHEMA_VERSION
    records = {record.row: record for record in run.rows}
    for test in ("write", "tree"):
        for library in ("mpack", "msgpack-c"):
            row = rows[f"c/{library}:{test}"]
            assert row["status"] == "ok" and row["bytes"] == 2367
            assert row["hash"] == ("1a9c6681" if test == "write" else "0075ff81")
            assert row["raw_ns"] > 0 and row["rank"] >= 1
            assert row["net_ns"] > 0
            assert row["dataset"] == "generated:2" and row["profile"] == "speed"
            assert re.match(r"\d+\.\d+", row["library_version"])
            record = records[row["row"]]
            assert row["library_version"] == record.library_version
            assert set(record.labels) <= set(row["labels"])  # Launches that differ add their own.
    for test in ("write", "tree", "incremental"):
        for own in ("baseline", "memcpy"):
            assert rows[f"c/{own}:{test}"]["status"] == "ok"
            assert rows[f"c/{own}:{test}"]["rank"] is None


def test_rows_that_failed_say_why_and_have_none(finished):
    rows, _, _, _ = finished
    reasons = {
        "tree:wrong-hash": "wrong content_hash",
        "tree:crashes": "was ended by SIGSEGV",
        "tree:hangs": "did not answer within 3 s",
        "tree:answers": "answered garbage",
        "tree:varies": "a timed iteration gave the hash",
        "write:unreadable": "its output, read back by",
    }
    for name, reason in reasons.items():
        row = rows[f"c/misbehaving:{name}"]
        assert row["status"] == "failed", name
        assert reason in row["reason"]
        assert row["rank"] is None and row["net_ns"] is None and row["raw_ns"] is None
    assert rows["c/misbehaving:tree:prints"]["status"] == "ok"


def test_samples_are_those_of_the_method(finished):
    _, run, _, _ = finished
    roles = {row.id: row for row in run.rows}
    groups = {}
    for sample in run.samples:
        assert sample.iterations >= 1 and len(sample.wall) == len(sample.cpu) >= 1
        groups.setdefault((roles[sample.row].test, sample.launch), set()).add(len(sample.wall))
    assert all(len(chunks) == 1 for chunks in groups.values())
    assert {(stop.test, stop.dataset) for stop in run.stops} == {
        (test, "generated:2") for test in ("write", "tree", "incremental")
    }
    assert [failure.row for failure in run.failures] == [
        row.id for row in run.rows if row.row == "c/misbehaving:tree:varies"
    ]
    heaps = {row.row: row.heap for row in run.rows}
    assert heaps["c/baseline:tree"].allocations == 0 and heaps["c/mpack:tree"].allocations > 0


def test_what_is_left_beside_the_run_file(finished):
    _, _, output, printed = finished
    assert sorted(path.name for path in output.parent.iterdir()) == ["run.html", "run.json", "run.md"]
    assert "MPack" in output.with_suffix(".md").read_text()
    assert "MPack" in printed and str(output) in printed


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_while_the_journal_is_made_leaves_nothing(tmp_path, monkeypatch, number):
    class Interrupted(Journal):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            signaller.start()
            signaller.join()  # another thread, which takes the signal where the main thread blocks it

    signaller = threading.Thread(target=lambda: os.kill(os.getpid(), number))
    monkeypatch.setattr("serbench.run.session.Journal", Interrupted)
    handler = signal.signal(number, signal.default_int_handler)
    settings = settings_for("quick", [], None, [], 0, fragment=True, instructions=False)
    session = RunSession(settings, this_machine({}), tmp_path / "run.json", "samples", SimpleNamespace())
    try:
        with pytest.raises(KeyboardInterrupt), session.running(ignore_lock=True):
            pytest.fail("the run goes on")
        assert signal.getsignal(number) is signal.default_int_handler
    finally:
        signal.signal(number, handler)
    assert list(tmp_path.iterdir()) == []


def test_the_tests_that_are_asked_for(command, built, tmp_path, monkeypatch):
    """Their rows are proved and timed, and stand in every form of the report."""
    names = {"c/mpack:lookup", "c/msgpack-c:serialize", "c/msgpack-c:lookup"}
    if any(built[name].status != "ok" for name in names):
        pytest.skip("MPack and msgpack-c are not both here")
    shorten(monkeypatch.setattr)
    output = tmp_path / "run.json"
    chosen = ("--tests", "serialize,lookup", "--contenders", "mpack,msgpack-c", "--datasets", "generated:1")
    done = command("run", *chosen, *BUDGET, "--output", output)
    assert done.returncode == 0, done.stdout + done.stderr
    records = json.loads(command("report", output, "--format", "json").stdout)["rows"]
    rows = {row["row"]: row for row in records}
    assert rows.keys() == names | {"c/baseline:serialize", "c/baseline:lookup", "c/memcpy:serialize"}
    for row in rows.values():
        assert row["status"] == "ok" and row["raw_ns"] > 0, row["row"]
    said = command("report", output, "--format", "markdown").stdout
    for words in ("serialize · generated:1", "lookup · generated:1", "finding the values at a few paths"):
        assert words in said
