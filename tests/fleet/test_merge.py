"""Results of machines in the run of the client: whole units, whose samples each belong to one machine."""

import msgspec
import pytest

from serbench.errors import UserError
from serbench.fleet.merge import Merger, drop_halves, marks
from serbench.fleet.units import Result, kind_differences, shared_budget, units_of
from serbench.measure.records import Plan
from serbench.results.load import load_run, read_run
from serbench.results.schema import Host, Run
from serbench.run.resume import Interrupted
from serbench.run.session import RunSession
from tests.fleet.conftest import REVISION, RUN, machine, unit
from tests.results.builder import MACHINE, row, settings, synthetic_run

ROWS = [row(0, "MPack", library_version="1.1"), row(1, "YAJL", library_version="2.1")]


def measured(dataset, version="1.1", **changes):
    """The run file that a machine makes of a unit on `dataset`."""
    like = synthetic_run()
    known = msgspec.structs.replace(like.datasets[0], name=dataset)
    rows = [msgspec.structs.replace(each, dataset=dataset) for each in ROWS]
    rows[0].library_version = version
    samples = [
        msgspec.structs.replace(like.samples[0], row=number, launch=launch, round=0)
        for number in (0, 1)
        for launch in range(3)
    ]
    values = {
        "serbench": "0",
        "id": "unit",
        "started": like.started,
        "machine": MACHINE,
        "settings": settings(),
        "revision": REVISION,
        "complete": True,
        "seconds": 5.0,
        "datasets": [known],
        "rows": rows,
        "samples": samples,
        "notes": ["It was warm."],
    }
    return msgspec.json.encode(Run(**(values | changes)))


def result(number, name="one", **changes):
    made = measured(f"generated:{number + 1}", **changes)
    return Result(key=f"{RUN}/{number}", machine=name, worker=msgspec.json.encode(machine(name)), run=made)


UNITS = [
    unit(number, dataset=f"generated:{number + 1}", rows=["c/mpack:tree", "c/yajl:tree"])
    for number in range(3)
]


@pytest.fixture
def session(tmp_path):
    made = RunSession(settings(), MACHINE, tmp_path / "run.json", "samples", None)
    made.run.revision = REVISION
    return made


def test_every_sample_belongs_to_one_machine(session):
    merger = Merger(session, UNITS)
    with session.running(True, locking=False):
        assert merger.take(result(1, "other")) and merger.take(result(0))
    run = load_run(session.output)
    assert run.complete and sorted(each.id for each in run.rows) == [0, 1, 2, 3]
    assert [(each.number, each.host, each.rows) for each in run.units] == [
        (1, "other", [0, 1]),
        (0, "one", [2, 3]),
    ]
    assert {each.name for each in run.hosts} == {"one", "other"}
    names = {each.id: each.dataset for each in run.rows}
    assert [names[sample.row] for sample in run.samples] == ["generated:2"] * 6 + ["generated:1"] * 6
    assert run.notes == ["other: It was warm.", "one: It was warm."]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"version": "1.2"}, "c/mpack is 1.2 on other, and 1.1 on the machine that measured before"),
        ({"revision": None}, "another revision of serbench made it"),
        ({"complete": False}, "it was interrupted"),
        ({"samples": [{"row": 7}]}, "damaged run file"),
    ],
)
def test_a_result_of_other_versions_does_not_count_and_both_are_named(session, changes, reason):
    merger = Merger(session, UNITS)
    with session.running(True, locking=False):
        assert merger.take(result(0)) and not merger.take(result(1, "other", **changes))
        assert merger.refused == [UNITS[1]]
    run = load_run(session.output)
    assert [each.number for each in run.units] == [0] and reason in run.notes[-1]
    assert len(run.samples) == 6


def test_a_unit_of_rows_that_were_not_asked_for_does_not_count(session):
    merger = Merger(session, [unit(0, dataset="generated:1", rows=["c/mpack:tree"])])
    with session.running(True, locking=False):
        assert not merger.take(result(0))
        assert "it has rows that were not asked for" in session.run.notes[-1]
        assert not merger.take(Result(key=f"{RUN}/0", machine="one", error="no disk"))
    assert not load_run(session.output).complete


def test_of_a_journal_that_is_cut_anywhere_whole_units_stay_alone(session, tmp_path):
    merger, whole = Merger(session, UNITS), b""
    with session.running(True, locking=False):
        for number in range(3):
            merger.take(result(number))
        whole = (tmp_path / "run.json.journal").read_bytes()
    lines = whole.splitlines(keepends=True)
    seen = set()
    for count in range(1, len(lines) + 1):
        run = read_run(b"".join(lines[:count]), "journal")
        drop_halves(run)
        seen.add(len(run.units))
        assert len(run.rows) == 2 * len(run.units) and len(run.samples) == 6 * len(run.units)
    assert seen == {0, 1, 2, 3}


def test_a_run_file_whose_units_are_of_no_machine_is_refused(session):
    with session.running(True, locking=False):
        Merger(session, UNITS).take(result(0))
        session.run.units[0].host = "nobody"
    with pytest.raises(UserError, match="unit 0 of a machine or of rows that are not there"):
        load_run(session.output)


def test_units_are_the_groups_of_a_run_with_all_their_configurations(catalog):
    rows = ["c/mpack:tree", "c/mpack:write", "c/baseline:tree", "c/baseline:write"]
    rows += ["c/baseline:incremental"]  # a group needs a contender
    configurations = [["speed", "gcc", "system"], ["speed", "clang", "system"], ["size", "gcc", "system"]]
    plan = Plan(
        kind="times", rows=rows, datasets=["generated:1", "generated:2"], configurations=configurations
    )
    units = units_of(settings(plan=plan), RUN, "r", catalog)
    assert len({each.group for each in units}) == len(units) == 8
    assert {len(each.configurations) for each in units if each.profile == "speed"} == {2}
    assert [each.key for each in units] == [f"{RUN}/{number}" for number in range(8)]
    shares = shared_budget(units, 60, 1)
    assert sum(each.budget for each in shares) == pytest.approx(60)
    assert max(each.budget for each in shared_budget(units, 60, 100)) == 60


def test_slow_and_noisy_machines_are_marked_and_kinds_told_apart():
    hosts = [
        Host(name=name, machine=MACHINE, pace_ns=pace) for name, pace in (("a", 100), ("b", 101), ("c", 130))
    ]
    hosts[0].noise.append("It swaps.")
    assert marks(hosts) == [
        "a is noisy: It swaps.",
        "c is slow: it takes 1.29 times as long for the same work as most machines of its kind here.",
    ]
    other = msgspec.structs.replace(MACHINE, cpu="Other CPU", compilers={"gcc": "13.1.0"})
    assert kind_differences(MACHINE, other) == [
        "cpu: Example CPU 3000, and Other CPU",
        "gcc: 12.2.0, and 13.1.0",
    ]


def test_a_run_that_lacked_nothing_but_its_end_is_complete_when_it_is_resumed(session, tmp_path):
    with session.running(True, locking=False):
        Merger(session, UNITS).take(result(0))
        journal = (tmp_path / "run.json.journal").read_bytes()
    session.output.unlink()
    (tmp_path / "run.json.journal").write_bytes(journal)
    run = read_run(journal, "journal")
    files = (None, *[(s.st_ino, s.st_size, s.st_mtime_ns) for s in [(tmp_path / "run.json.journal").stat()]])
    again = RunSession(
        run.settings,
        MACHINE,
        session.output,
        "samples",
        None,
        Interrupted(run=run, target=session.output, files=files),
    )
    with again.running(True, locking=False):
        pass
    assert load_run(session.output).complete
