"""`run --everywhere`: a run of each machine, and whether orders hold, by a fleet that measures nothing."""

import contextlib
import random

import msgspec
import pytest

from serbench.commands import on
from serbench.fleet.client import Present
from serbench.fleet.units import Result
from serbench.measure.records import Sample
from serbench.project import ROOT
from serbench.results.load import load_run
from serbench.results.revision import own_revision
from serbench.results.schema import Run
from tests.fleet.conftest import machine
from tests.results.builder import MACHINE, row, settings, synthetic_run

COMMAND = [
    "run",
    "--on",
    "tls://127.0.0.1:1",
    "--contenders",
    "c/mpack,c/cmp,c/baseline",
    "--tests",
    "tree,write",
]
COMMAND += ["--datasets", "generated:1", "--output", "run.json"]
OTHER = msgspec.structs.replace(MACHINE, cpu="Other CPU 7")
THERE = [
    Present(worker=machine("near", revision=own_revision(ROOT))),
    Present(worker=machine("far", machine=OTHER, revision=own_revision(ROOT))),
]


def measured(unit, worker):
    """The run file of a unit; the libraries are in opposite order on the two machines."""
    draw, like = random.Random(worker.name), synthetic_run()
    rows, samples = [], []
    for number, name in enumerate(unit.rows):
        contender = name.partition(":")[0]
        made = row(number, contender, test=unit.test, role="baseline" if "baseline" in name else "contender")
        made.row, made.contender_id, made.dataset = name, contender, unit.dataset
        made.variant = name.split(":")[2] if name.count(":") > 1 else ""
        rows.append(made)
        first = ("cmp" in name) == (worker.name == "far")
        ms = 0.5 if "baseline" in name else 1.0 if first else 3.0
        samples += [
            Sample(
                row=number,
                launch=launch,
                round=0,
                position=0,
                started=0.0,
                iterations=1,
                wall=[int(ms * 1e6 * draw.gauss(1, 0.002))],
                cpu=[1],
            )
            for launch in range(6)
        ]
    known = msgspec.structs.replace(like.datasets[0], name=unit.dataset)
    return msgspec.json.encode(
        Run(
            serbench="0",
            id="unit",
            started=like.started,
            revision=own_revision(ROOT),
            machine=worker.machine,
            settings=settings(),
            complete=True,
            datasets=[known],
            rows=rows,
            samples=samples,
        )
    )


@pytest.fixture
def there(monkeypatch):
    """The fleet; its list says after how many units Ctrl-C comes, and what was asked for."""
    asked, stop = [], []

    @contextlib.contextmanager
    def fleet_at(*_given):
        yield "tls://127.0.0.1:1", None, THERE

    async def collect(_address, _safety, units, take, started, _say):
        for unit in units:
            if stop and stop[0] <= len(asked):
                raise KeyboardInterrupt
            asked.append(unit)
            workers = [one.worker for one in THERE if unit.machine in (None, one.worker.name)]
            worker = next(each for each in workers if each.kind == unit.kind)
            started(unit.key, worker.name)
            take(
                Result(
                    key=unit.key,
                    machine=worker.name,
                    worker=msgspec.json.encode(worker),
                    run=measured(unit, worker),
                )
            )

    monkeypatch.setattr(on, "fleet_at", fleet_at)
    monkeypatch.setattr(on, "collect", collect)
    return asked, stop


def test_each_machine_makes_a_run_and_the_orders_are_compared(there, command, tmp_path):
    done = command(*COMMAND, "--everywhere", "--budget", "60")
    assert done.returncode == 0, done.stdout + done.stderr
    for name, cpu in (("near", MACHINE.cpu), ("far", OTHER.cpu)):
        run = load_run(tmp_path / f"run-{name}.json")
        assert run.complete and run.machine.cpu == cpu and {unit.host for unit in run.units} == {name}
        assert {unit.test for unit in run.units} == {"tree", "write"}
        assert sum(unit.budget for unit in there[0] if unit.machine == name) == pytest.approx(60)
    assert "reversed" in done.stdout and "c/cmp" in done.stdout and not (tmp_path / "run.json").exists()
    again = command(*COMMAND, "--everywhere")
    assert again.returncode == 2 and "run-near.json exists" in again.stderr


def test_interrupted_runs_are_resumed_each_on_its_machine(there, command, tmp_path):
    asked, stop = there
    stop.append(1)
    done = command(*COMMAND, "--everywhere")
    assert done.returncode == 130, done.stdout + done.stderr
    runs = {name: tmp_path / f"run-{name}.json" for name in ("near", "far")}
    assert [path.exists() for path in runs.values()] == [True, False]
    assert not load_run(runs["near"]).complete
    stop.clear()
    done = command("resume", runs["near"], "--on", "tls://127.0.0.1:1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert load_run(runs["near"]).complete and len(load_run(runs["near"]).units) == 2
    assert [unit.machine for unit in asked] == ["near"] * 2 and len({unit.key for unit in asked}) == 2


def test_machines_of_another_kind_take_no_part_in_a_shared_run(there, command, tmp_path):
    done = command(*COMMAND)
    assert done.returncode == 0, done.stdout + done.stderr
    run = load_run(tmp_path / "run.json")
    assert {unit.host for unit in run.units} == {"near"}
    note = next(note for note in run.notes if "took no part" in note)
    assert "far" in note and "Example CPU 3000" in note and "Other CPU 7" in note
    alone = command("run", "--everywhere", "--output", "x.json")
    assert alone.returncode == 2 and "--everywhere goes with --on" in alone.stderr
