import contextlib
import resource
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import get_args, get_origin

import msgspec
import pytest

from serbench.errors import UserError
from serbench.measure.records import Period
from serbench.results.journal import RECORD_KINDS, Journal, complete, journal_path
from serbench.results.load import load_run
from serbench.results.probes import Fidelity
from serbench.results.schema import SCHEMA_VERSION, Run
from serbench.results.summary import summarise
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


def written(path: Path, run: Run) -> Journal:
    """A journal at `path` into which all records of `run` were put one by one."""
    journal = Journal(path, bare(run))
    for kind in RECORD_KINDS.values():
        for record in getattr(run, kind.field):
            journal.keep(record)
    return journal


def bare(run: Run) -> Run:
    """The run without its records."""
    return msgspec.structs.replace(run, **{kind.field: [] for kind in RECORD_KINDS.values()})


def test_a_completed_run_loads_as_it_was(tmp_path):
    run = synthetic_run()
    path = tmp_path / "new" / "folder" / "run.json"
    with written(journal_path(path), run) as journal:
        assert journal.run == run
        complete(run, path, journal)
    assert load_run(path) == run
    assert [p.name for p in path.parent.iterdir()] == ["run.json"]


def test_the_schema_version_is_in_every_file(tmp_path):
    complete(synthetic_run(), tmp_path / "run.json")
    assert msgspec.json.decode((tmp_path / "run.json").read_bytes())["schema"] == SCHEMA_VERSION


def test_a_journal_holds_the_same_run(tmp_path):
    run = synthetic_run()
    path = tmp_path / "a.journal"
    with written(path, run) as journal:
        assert load_run(path).samples == run.samples  # while it is still open
        journal.end(run.finished, run.seconds, run.complete)
    run.summary = summarise(run)
    assert load_run(path) == run


def test_an_end_overrides_what_the_header_said(tmp_path):
    run = synthetic_run()
    run.complete, run.finished = False, ""
    with Journal(tmp_path / "a", run) as journal:
        assert not load_run(tmp_path / "a").complete
        journal.end("2026-01-02T04:00:00Z", 3.5, True)
    loaded = load_run(tmp_path / "a")
    assert (loaded.finished, loaded.seconds, loaded.complete) == ("2026-01-02T04:00:00Z", 3.5, True)


def test_a_later_record_of_the_same_thing_replaces_the_earlier_in_its_place(tmp_path):
    run = synthetic_run()
    with Journal(tmp_path / "a", bare(run)) as journal:
        journal.keep(msgspec.structs.replace(run.rows[0], bytes=1))
        journal.keep(msgspec.structs.replace(run.stops[0], reason="interrupted"))
        journal.keep(msgspec.structs.replace(run.datasets[0], nodes=1))
        for record in (*run.rows, *run.stops, *run.datasets):
            journal.keep(record)
    loaded = load_run(tmp_path / "a")
    for kept in (journal.run, loaded):
        assert (kept.rows, kept.stops, kept.datasets) == (run.rows, run.stops, run.datasets)


def test_every_list_of_a_run_has_its_kind_of_record():
    lists = {field.name for field in msgspec.structs.fields(Run) if get_origin(field.type) is list}
    assert {kind.field for kind in RECORD_KINDS.values()} == lists
    for kind in RECORD_KINDS.values():
        (held,) = get_args(next(f.type for f in msgspec.structs.fields(Run) if f.name == kind.field))
        assert held is kind.type and (held is str or set(kind.key) <= set(held.__struct_fields__))


def test_records_of_several_threads_are_whole_lines(tmp_path):
    run = synthetic_run()
    with Journal(tmp_path / "a", bare(run)) as journal, ThreadPoolExecutor(8) as pool:
        list(pool.map(journal.keep, [f"note {number} " + "x" * 5000 for number in range(200)]))
    assert sorted(load_run(tmp_path / "a").notes) == sorted(journal.run.notes)
    assert len(journal.run.notes) == 200


def test_a_journal_cut_anywhere_gives_every_whole_line(tmp_path):
    run = synthetic_run()
    path = tmp_path / "a"
    with Journal(path, bare(run)) as journal:
        header = path.stat().st_size
        for row in run.rows:
            journal.keep(row)
    data = path.read_bytes()
    cut = tmp_path / "cut"
    for length in range(header, len(data), 97):
        cut.write_bytes(data[:length])
        assert load_run(cut).rows == run.rows[: data[:length].count(b"\n") - 1]


def test_a_journal_without_a_whole_header_is_an_error(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b'{"kind":"header","data":{"sch')
    with pytest.raises(UserError, match="without a complete line"):
        load_run(path)


def test_a_journal_without_an_end_tells_how_long_the_run_took(tmp_path):
    path = tmp_path / "a"
    shown = [1.0, 4.25]
    with Journal(
        path, bare(msgspec.structs.replace(synthetic_run(), seconds=0.0)), lambda: shown.pop(0)
    ) as new:
        new.keep("one")
        new.keep("two")
    killed = load_run(path)
    assert killed.seconds == 4.25
    with Journal.of(killed, path, lambda: killed.seconds + 2) as resumed:
        assert load_run(path).seconds == 4.25
        resumed.keep("three")
    assert load_run(path).seconds == 6.25
    path.write_bytes(path.read_bytes() + b'{"kind":"note","at":-1,"data":"four"}\n')
    with pytest.raises(UserError, match="damaged journal"):
        load_run(path)


def test_a_broken_line_in_the_middle_names_its_line(tmp_path):
    path = tmp_path / "a"
    with Journal(path, bare(synthetic_run())) as journal:
        journal.keep("one")
    path.write_bytes(path.read_bytes().replace(b'"one"', b'"on') + b'{"kind":"note","data":"two"}\n')
    with pytest.raises(UserError, match="line 2: damaged journal"):
        load_run(path)


def test_a_kind_that_is_no_text_is_damage(tmp_path):
    path = tmp_path / "a"
    Journal(path, bare(synthetic_run())).close()
    path.write_bytes(path.read_bytes() + b'{"kind":{},"data":"two"}\n')
    with pytest.raises(UserError, match="line 2: damaged journal"):
        load_run(path)


def test_resuming_cuts_the_half_line_and_goes_on(tmp_path):
    path = tmp_path / "a"
    with Journal(path, bare(synthetic_run())) as journal:
        journal.keep("first")
    with path.open("ab") as file:
        file.write(b'{"kind":"note","da')
    with Journal.of(load_run(path), path) as journal:
        journal.keep("second")
    assert load_run(path).notes == ["first", "second"]


def test_a_journal_made_of_a_run_holds_all_of_it(tmp_path):
    run = synthetic_run()
    run.complete, run.finished = False, ""
    run.fidelity = [Fidelity(contender="avsc", contender_id="javascript/avsc", format="avro")]
    run.periods = [Period(began=0.5, started="2026-01-01T00:00:00Z", budget_seconds=60.0)]
    Journal.of(run, tmp_path / "a").close()
    assert load_run(tmp_path / "a") == run


def test_an_unfinished_journal_is_not_overwritten(tmp_path):
    Journal(tmp_path / "a", synthetic_run()).close()
    with pytest.raises(UserError, match="unfinished run"):
        Journal(tmp_path / "a", synthetic_run())
    assert (tmp_path / "a").stat().st_size


def test_a_journal_that_cannot_be_begun_leaves_nothing(tmp_path):
    with files_end_at(40), pytest.raises(UserError, match="cannot write"):
        Journal(tmp_path / "a", synthetic_run())
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_a_user_error_and_leaves_whole_lines(tmp_path):
    run = synthetic_run()
    path = tmp_path / "a"
    with Journal(path, bare(run)) as journal:
        with files_end_at(path.stat().st_size + 40), pytest.raises(UserError, match="cannot write"):
            journal.keep("x" * 100)
        journal.keep("there is room again")
    assert load_run(path).notes == ["there is room again"]


def test_a_full_disk_keeps_the_earlier_run_file_and_the_journal(tmp_path):
    run = synthetic_run()
    path = tmp_path / "run.json"
    path.write_text("earlier")
    with (
        Journal(journal_path(path), run) as journal,
        files_end_at(4096),
        pytest.raises(UserError, match=r"cannot write .*run\.json"),
    ):
        complete(run, path, journal)
    assert path.read_text() == "earlier"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["run.json", "run.json.journal"]


def test_a_folder_that_cannot_be_written_is_a_user_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot write"):
        Journal(tmp_path / "file" / "a.journal", synthetic_run())
    with pytest.raises(UserError, match="cannot write"):
        Journal(tmp_path / "file" / "deeper" / "a.journal", synthetic_run())
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


def with_plan(*configurations: list[str]) -> bytes:
    values = msgspec.to_builtins(synthetic_run())
    values["settings"]["plan"] = {"kind": "times", "configurations": configurations}
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
        (with_plan(["speed"]), "impossible configurations"),
        (with_plan(["fast", "", "system"]), "impossible configurations"),
        (with_plan(["speed", "", "system", "v9"]), "impossible configurations"),
        (with_plan(["speed", "", "system", "v3", ""]), "impossible configurations"),
        (with_plan(), "no or impossible configurations"),
        (with_sample(row=4711), "sample of row 4711, which is not there"),
        (with_sample(iterations=0), "no iterations"),
        (with_sample(wall=[]), "no iterations"),
        (with_sample(wall=[5, -1]), "impossible times"),
        (with_sample(round=-1), "damaged run file"),
        (with_sample(wall=[10**30]), "damaged run file"),
        (damaged(rows=msgspec.to_builtins(synthetic_run())["rows"] * 2), "same id"),
        (
            damaged(summary=msgspec.to_builtins(summarise(synthetic_run())), samples=[]),
            "times and no samples",
        ),
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
    run = synthetic_run()
    run.summary = summarise(run)
    assert load_run(tmp_path / "run.json") == run
    path = Path(tmp_path / "a")
    Journal(path, bare(synthetic_run())).close()
    path.write_bytes(path.read_bytes() + b'{"kind":"weather","data":[1]}\n')
    assert load_run(path).rows == []
