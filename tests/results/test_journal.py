import contextlib
import resource
from pathlib import Path

import msgspec
import pytest

from serbench.errors import UserError
from serbench.measure.records import Period
from serbench.probe.records import Fidelity
from serbench.results.journal import Journal, complete, journal_path
from serbench.results.load import load_run
from serbench.results.schema import SCHEMA_VERSION, Run
from tests.results.builder import synthetic_run


@contextlib.contextmanager
def files_end_at(size):
    """Writing beyond `size` fails, as on a full disk: first a short write, then an error."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def write_all(journal: Journal, run: Run) -> None:
    journal.header(run)
    for dataset in run.datasets:
        journal.dataset(dataset)
    for row in run.rows:
        journal.row(row)
    for sample in run.samples:
        journal.sample(sample)
    for failure in run.failures:
        journal.failure(failure)
    for stop in run.stops:
        journal.stop(stop)
    for note in run.notes:
        journal.note(note)


def test_a_completed_run_loads_as_it_was(tmp_path):
    run = synthetic_run()
    path = tmp_path / "new" / "folder" / "run.json"
    with Journal(journal_path(path)) as journal:
        write_all(journal, run)
        complete(run, path, journal)
    assert load_run(path) == run
    assert [p.name for p in path.parent.iterdir()] == ["run.json"]


def test_the_schema_version_is_in_every_file(tmp_path):
    complete(synthetic_run(), tmp_path / "run.json")
    assert msgspec.json.decode((tmp_path / "run.json").read_bytes())["schema"] == SCHEMA_VERSION


def test_a_journal_holds_the_same_run(tmp_path):
    run = synthetic_run()
    path = tmp_path / "a.journal"
    with Journal(path) as journal:
        write_all(journal, run)
        assert load_run(path).samples == run.samples  # while it is still open
        journal.end(run.finished, run.seconds, run.complete)
    assert load_run(path) == run


def test_an_end_overrides_what_the_header_said(tmp_path):
    run = synthetic_run()
    run.complete, run.finished = False, ""
    with Journal(tmp_path / "a") as journal:
        journal.header(run)
        assert not load_run(tmp_path / "a").complete
        journal.end("2026-01-02T04:00:00Z", 3.5, True)
    loaded = load_run(tmp_path / "a")
    assert (loaded.finished, loaded.seconds, loaded.complete) == ("2026-01-02T04:00:00Z", 3.5, True)


def test_a_later_record_of_the_same_thing_replaces_the_earlier(tmp_path):
    run = synthetic_run()
    with Journal(tmp_path / "a") as journal:
        journal.header(run)
        journal.row(msgspec.structs.replace(run.rows[0], bytes=1))
        journal.row(run.rows[0])
        journal.stop(msgspec.structs.replace(run.stops[0], reason="interrupted"))
        journal.stop(run.stops[0])
        journal.dataset(msgspec.structs.replace(run.datasets[0], nodes=1))
        journal.dataset(run.datasets[0])
    loaded = load_run(tmp_path / "a")
    assert (loaded.rows, loaded.stops, loaded.datasets) == ([run.rows[0]], [run.stops[0]], run.datasets)


def test_a_journal_cut_anywhere_gives_every_whole_line(tmp_path):
    run = synthetic_run()
    path = tmp_path / "a"
    with Journal(path) as journal:
        journal.header(run)
        header = path.stat().st_size
        for row in run.rows:
            journal.row(row)
    data = path.read_bytes()
    cut = tmp_path / "cut"
    for length in range(header, len(data), 97):
        cut.write_bytes(data[:length])
        assert load_run(cut).rows == run.rows[: data[:length].count(b"\n") - 1]


def test_a_journal_without_a_whole_header_is_an_error(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b'{"kind":"header","data":{"sch')
    with pytest.raises(UserError, match="without a whole line"):
        load_run(path)


def test_a_broken_line_in_the_middle_names_its_line(tmp_path):
    path = tmp_path / "a"
    with Journal(path) as journal:
        journal.header(synthetic_run())
        journal.note("one")
    path.write_bytes(path.read_bytes().replace(b'"one"', b'"on') + b'{"kind":"note","data":"two"}\n')
    with pytest.raises(UserError, match="line 2: damaged journal"):
        load_run(path)


def test_resuming_cuts_the_half_line_and_goes_on(tmp_path):
    run = synthetic_run()
    path = tmp_path / "a"
    with Journal(path) as journal:
        journal.header(run)
        journal.note("first")
    with path.open("ab") as file:
        file.write(b'{"kind":"note","da')
    with Journal.resume(path) as journal:
        journal.note("second")
    assert load_run(path).notes == ["first", "second"]
    with pytest.raises(UserError, match="cannot write"):
        Journal.resume(tmp_path / "nothing")


def test_a_journal_made_of_a_run_file_has_all_of_it(tmp_path):
    """What is not in it is lost when a resumed run is killed."""
    run = synthetic_run()
    run.fidelity = [Fidelity(contender="A", contender_id="javascript/a", format="json")]
    run.periods = [Period(began=0.0, started=run.started, budget_seconds=9.0)]
    run.complete, run.finished = False, ""
    path = tmp_path / "run.json.journal"
    Journal.of(run, path).close()
    assert load_run(path) == run


def test_an_unfinished_journal_is_not_overwritten(tmp_path):
    Journal(tmp_path / "a").close()
    with pytest.raises(UserError, match="not finished"):
        Journal(tmp_path / "a")


def test_a_full_disk_is_a_user_error_and_leaves_whole_lines(tmp_path):
    run = synthetic_run()
    path = tmp_path / "a"
    with Journal(path) as journal:
        journal.header(run)
        with files_end_at(path.stat().st_size + 40), pytest.raises(UserError, match="cannot write"):
            journal.note("x" * 100)
        journal.note("there is room again")
    assert load_run(path).notes == ["there is room again"]


def test_a_full_disk_keeps_the_earlier_run_file_and_the_journal(tmp_path):
    run = synthetic_run()
    path = tmp_path / "run.json"
    path.write_text("earlier")
    with Journal(journal_path(path)) as journal:
        journal.header(run)
        with files_end_at(4096), pytest.raises(UserError, match=r"cannot write .*run\.json"):
            complete(run, path, journal)
    assert path.read_text() == "earlier"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["run.json", "run.json.journal"]


def test_a_folder_that_cannot_be_written_is_a_user_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot write"):
        Journal(tmp_path / "file" / "a.journal")
    with pytest.raises(UserError, match="cannot write"):
        Journal(tmp_path / "file" / "deeper" / "a.journal")
    with pytest.raises(UserError, match="cannot write"):
        complete(synthetic_run(), tmp_path / "file" / "run.json")
    with pytest.raises(UserError, match="it is a folder"):
        journal_path(tmp_path)


def damaged(**changes) -> bytes:
    return msgspec.json.encode(msgspec.to_builtins(synthetic_run()) | changes)


def without(field: str) -> bytes:
    values = msgspec.to_builtins(synthetic_run())
    del values[field]
    return msgspec.json.encode(values)


def with_sample(**changes) -> bytes:
    values = msgspec.to_builtins(synthetic_run())
    values["samples"][3] |= changes
    return msgspec.json.encode(values)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not JSON"),
        (b"\x7fELF\x00\xff", "is not JSON"),
        (b'{"schema": 1,', "is not JSON"),
        (b'"\xff"', "is not JSON|not a run file"),
        (b"[" * 100_000, "not a run file of serbench"),
        (b'{"notes": ' + b"[" * 100_000, "is not JSON"),
        (b"[1, 2, 3]", "not a run file of serbench"),
        (b"17", "not a run file of serbench"),
        (b'{"name": "something else"}', "not a run file of serbench"),
        (b'{"schema": "http://json-schema.org", "serbench": "0.1"}', "not a run file of serbench"),
        (b'{"schema": true, "serbench": "0.1"}', "not a run file of serbench"),
        (damaged(schema=SCHEMA_VERSION + 1, rows="of another form"), "newer serbench.*update"),
        (damaged(schema=0), "which never was"),
        (without("machine"), "damaged run file.*machine"),
        (damaged(rows=[{"id": "one"}]), "damaged run file"),
        (with_sample(row=4711), "sample of row 4711, which is not there"),
        (with_sample(iterations=0), "no iterations"),
        (with_sample(wall=[]), "no iterations"),
        (with_sample(wall=[5, -1]), "impossible times"),
        (with_sample(wall=[10**30]), "damaged run file"),
        (damaged(rows=msgspec.to_builtins(synthetic_run())["rows"] * 2), "same id"),
    ],
)
def test_what_is_no_run_file_is_refused_with_its_reason(tmp_path, content, message):
    path = tmp_path / "run.json"
    path.write_bytes(content)
    with pytest.raises(UserError, match=message) as caught:
        load_run(path)
    assert str(path) in str(caught.value)


def test_a_file_that_is_not_there_or_is_a_folder(tmp_path):
    with pytest.raises(UserError, match="there is no run file"):
        load_run(tmp_path / "none.json")
    with pytest.raises(UserError, match="cannot read"):
        load_run(tmp_path)


def test_unknown_fields_and_kinds_of_a_newer_minor_version_are_ignored(tmp_path):
    (tmp_path / "run.json").write_bytes(damaged(colour="green"))
    assert load_run(tmp_path / "run.json") == synthetic_run()
    path = Path(tmp_path / "a")
    with Journal(path) as journal:
        journal.header(synthetic_run())
    path.write_bytes(path.read_bytes() + b'{"kind":"weather","data":[1]}\n')
    assert load_run(path).rows == []
