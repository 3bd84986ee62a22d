"""Orders of rows on several machines: which hold on all, on some, are reversed, or are undecided."""

import csv
import io
import random

import msgspec
import pytest

from serbench.errors import UserError
from serbench.measure.records import Sample
from serbench.report.orders import orders_csv, orders_document, orders_of
from serbench.report.terminal import terminal_text
from serbench.results.schema import Host, Run
from tests.results.builder import MACHINE, row, settings, synthetic_run

NAMES = ("A", "B", "C", "D")


def run_of(host, times, noise=0.002, launches=8, version="1.0"):
    """A run of one machine on which the rows take `times`, in ms."""
    draw = random.Random(host)
    rows = [row(number, name, library_version=version) for number, name in enumerate(NAMES) if name in times]
    samples = [
        Sample(
            row=each.id,
            launch=launch,
            round=0,
            position=0,
            started=0.0,
            iterations=1,
            wall=[int(times[each.contender] * 1e6 * draw.gauss(1, noise))],
            cpu=[1],
        )
        for launch in range(launches)
        for each in rows
    ]
    like = synthetic_run()
    return Run(
        serbench="0",
        id=f"run-{host}",
        started=like.started,
        complete=True,
        machine=MACHINE,
        hosts=[Host(name=host, machine=MACHINE)],
        settings=settings(),
        datasets=[msgspec.structs.replace(like.datasets[0], name="generated:2")],
        rows=rows,
        samples=samples,
    )


RUNS = [
    run_of("one", {"A": 1.0, "B": 2.0, "C": 3.0, "D": 3.0}),
    run_of("two", {"A": 1.0, "B": 2.0, "C": 1.5, "D": 1.5}),
    run_of("three", {"A": 1.0, "B": 2.0, "C": 3.0}, noise=0.4, launches=3),
]


def test_each_pair_has_its_verdict_and_machines():
    found = orders_of(RUNS[:2])
    (group,) = found.groups
    by = {(order.first, order.second): order for order in group.orders}
    assert {pair: order.verdict for pair, order in by.items()} == {
        ("A", "B"): "on all",
        ("A", "C"): "on all",
        ("A", "D"): "on all",
        ("B", "C"): "reversed",
        ("B", "D"): "reversed",
        ("C", "D"): "undecided",
    }
    assert (by["B", "C"].holds, by["B", "C"].reversed) == (["one"], ["two"])
    assert by["C", "D"].undecided == ["one", "two"]


def test_a_machine_that_proves_nothing_makes_it_some(tmp_path):
    found = orders_of([RUNS[0], RUNS[2]])
    orders = {(order.first, order.second): order for order in found.groups[0].orders}
    assert set(orders) == {("A", "B"), ("A", "C"), ("B", "C")}, "D was measured on one machine alone"
    some = [order for order in orders.values() if order.verdict == "on some"]
    assert some and all(order.holds == ["one"] and order.undecided == ["three"] for order in some)
    table = list(csv.DictReader(io.StringIO(orders_csv(found))))
    assert len(table) == 3 and {line["verdict"] for line in table} == {
        each.verdict for each in orders.values()
    }


def test_the_order_of_the_runs_changes_no_verdict():
    def verdicts(runs):
        (group,) = orders_of(runs).groups
        return {
            (frozenset((order.first, order.second)), order.verdict, frozenset(order.undecided))
            for order in group.orders
        }

    assert verdicts(RUNS) == verdicts(RUNS[::-1])


def test_what_else_differs_is_said_and_other_data_is_left_out():
    newer = run_of("two", {"A": 1.0, "B": 2.0}, version="1.1")
    text = terminal_text(orders_document(orders_of([RUNS[0], newer]), detailed=True), 120)
    assert "A is 1.1 on two, and 1.0 on one." in text and "on all: 1" in text
    newer.datasets[0].tape_sha256 = "other"
    found = orders_of([RUNS[0], newer])
    assert found.groups == [] and "generated:2 is left out" in found.notes[0]


def test_one_machine_has_nothing_to_compare_with(command, tmp_path):
    with pytest.raises(UserError, match="two runs or more"):
        orders_of(RUNS[:1])
    with pytest.raises(UserError, match="each of another machine"):
        orders_of([RUNS[0], RUNS[0]])
    paths = []
    for run in RUNS[:2]:
        paths.append(tmp_path / f"{run.id}.json")
        paths[-1].write_bytes(msgspec.json.encode(run))
    done = command("report", *paths, "--orders")
    assert done.returncode == 0, done.stderr
    assert "2 machines" in done.stdout and "reversed: 2" in done.stdout and "on all: 3" in done.stdout
    refused = command("report", *paths, "--orders", "--format", "benchmark")
    assert refused.returncode == 2
