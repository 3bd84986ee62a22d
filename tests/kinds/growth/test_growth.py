"""`growth`: what it chooses by time and memory, what it refuses, and a small one from end to end."""

import itertools
from random import Random

import msgspec
import pytest

from serbench.catalog.load import load_catalog
from serbench.datasets.growing import steps
from serbench.errors import UserError
from serbench.kinds.growth.curves import growth
from serbench.kinds.growth.plan import (
    SIZES,
    SizeCost,
    choose,
    growth_kinds,
    growth_rows,
    growth_settings,
    growth_sizes,
    row_seconds,
    share,
    spec_of,
    warmup_calls,
)
from serbench.kinds.growth.step import begun_sizes
from serbench.measure.records import Failure, Plan
from serbench.measure.schedule import blocks
from serbench.project import ROOT
from serbench.results.load import load_run
from tests.brief import BUDGET
from tests.languages import needs
from tests.measure.fakes import measured
from tests.results.builder import synthetic_run
from tests.shorten import shorten

KEPT = frozenset(["javascript/json"])


@pytest.fixture(scope="module")
def rows():
    return {row.id: row for row in load_catalog(ROOT).rows() if row.id.startswith("javascript/")}


@pytest.fixture(scope="module")
def few(rows):
    names = ["baseline:write", "json:write", "avsc:write", "bson:write"]
    return [(rows[f"javascript/{name}"], "records") for name in names]


def keyed(rows, values):
    return {(row.id, kind): value for (row, kind), value in zip(rows, values, strict=True)}


def test_each_size_is_just_below_a_step_of_the_comparison():
    until_20_mb = [size for _, size in itertools.takewhile(lambda step: step[1] < 20, steps())]
    for megabytes in SIZES[:4]:
        step = next(size for size in until_20_mb if size >= megabytes)
        assert megabytes <= step < 1.03 * megabytes


def test_enough_of_everything_takes_all(few):
    chosen = choose(few, keyed(few, [1, 30, 20, 900]), keyed(few, [1, 2, 3, 4]), KEPT, 1000, 10)
    assert chosen.rows == few
    assert (chosen.seconds, chosen.too_slow, chosen.too_large) == (951, [], [])


def test_the_dearest_is_left_out_first_and_json_never(few):
    chosen = choose(few, keyed(few, [1, 500, 20, 90]), {}, KEPT, 530, 10)
    assert chosen.too_slow == [("javascript/bson:write", "records")]
    assert [row.id for row, _ in chosen.rows] == [row.id for row, _ in few[:3]]
    chosen = choose(few, keyed(few, [1, 500, 20, 90]), {}, KEPT, 100, 10)
    assert [row.id for row, _ in chosen.rows] == [row.id for row, _ in few[:2]]


def test_what_a_small_payload_costs_is_no_reason_to_leave_a_row_out(few):
    assert choose(few, keyed(few, [2, 2, 2, 2]), {}, KEPT, 1, 10).rows == few


def test_what_does_not_fit_into_memory_beside_json_is_left_out(few):
    chosen = choose(few, keyed(few, [1] * 4), keyed(few, [3, 6, 4, 5]), KEPT, 100, 10)
    assert chosen.too_large == [("javascript/bson:write", "records")]


def test_a_row_costs_more_with_its_time_its_size_and_as_a_writer(rows):
    known = SizeCost(megabytes=1.0, seconds=0.01, memory=100)
    write, tree = rows["javascript/avsc:write"], rows["javascript/avsc:tree"]
    assert known.at(50.0) == SizeCost(megabytes=50.0, seconds=0.5, memory=5000)
    costs = [row_seconds(write, known, megabytes, 0.4) for megabytes in (1.0, 10.0, 100.0, 300.0)]
    assert costs == sorted(costs)
    assert row_seconds(tree, known, 100.0, 0.4) < costs[2]
    slow = msgspec.structs.replace(known, seconds=0.1)
    assert row_seconds(write, slow, 100.0, 0.4) > 5 * costs[2]
    # Three launches of a warm-up, a start and a sample each, at the least.
    assert 3 * 0.4 < row_seconds(write, None, 0.1, 0.4) < 10


def test_the_sizes_share_all_that_is_left():
    left, spent = 500.0, []
    for place in range(len(SIZES)):
        spent.append(share(left, SIZES[place:]))
        left -= spent[-1]
    assert left == pytest.approx(0)
    assert spent == sorted(spent)
    assert spent[-1] < 5 * spent[0]


def test_the_warm_up_passes_over_as_many_values_at_every_size():
    calls = [warmup_calls(30, megabytes) for megabytes in SIZES]
    assert calls[0] == 30
    assert calls == sorted(calls, reverse=True)
    assert all(megabytes * n >= 3 for megabytes, n in zip(SIZES, calls, strict=True) if n)
    assert calls[-1] == 0


def test_json_is_in_every_block():
    replace = msgspec.structs.replace
    rows = [replace(measured(number), id=number, memory=10) for number in range(6)]
    rows[0] = replace(rows[0], role="baseline")
    rows[1] = replace(rows[1], anchor=True)
    made = blocks(rows, 41, Random(1))
    assert [[row.id for row in block[:2]] for block in made] == [[0, 1], [0, 1]]
    assert sorted(row.id for block in made for row in block[2:]) == [2, 3, 4, 5]
    assert [len(block) for block in made] == [4, 4]
    assert [[row.id for row in block] for block in blocks(rows[:2], 5, Random(1))] == [[0, 1]]


def test_rows_are_the_comparisons_or_those_asked_for_and_json():
    catalog = load_catalog(ROOT)
    usual = {row.contender.id for row in growth_rows(catalog, [])}
    assert {f"javascript/{name}" for name in ("json", "avsc", "pbf", "protons-1", "baseline")} <= usual
    assert "javascript/protons-protobufjs" in usual and "javascript/msgpackr" not in usual
    shaped = {row.contender.id for row in growth_rows(catalog, [], ["records", "records-distinct:optional"])}
    assert shaped - usual == {
        *(f"javascript/avsc-{name}" for name in ("optional", "inferred", "unmapped")),
        *(f"javascript/js-binary-{name}" for name in ("optional", "json", "unmapped")),
    }
    assert {row.contender.id for row in growth_rows(catalog, [], ["records"])} == usual < shaped
    asked = growth_rows(catalog, ["msgpackr"], ["records:unmapped"])
    assert {row.contender.id for row in asked} == {
        f"javascript/{n}" for n in ("json", "msgpackr", "baseline")
    }
    assert {row.test for row in asked} == {"write", "tree"}
    assert not any(row.variant for row in growth_rows(catalog, ["bson"]))


def test_what_is_asked_for():
    assert growth_sizes([]) == list(SIZES)
    assert growth_sizes(["10", "0.5", "10"]) == [0.5, 10.0]
    assert growth_kinds([]) == ["records"]
    assert spec_of("records-distinct:unmapped", 0.53).name == "records-distinct:0.53:unmapped"
    settings = growth_settings(50.0, 3, Plan(kind="growth"))
    assert settings.growth and (settings.budget_seconds, settings.seed, settings.launches) == (50.0, 3, 3)
    for wrong in (["generated"], ["records:huge"], ["records:unmapped:optional"]):
        with pytest.raises(UserError):
            growth_kinds(wrong)
    for wrong in (["0"], ["401"], ["many"], ["-1"]):
        with pytest.raises(UserError):
            growth_sizes(wrong)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--datasets", "generated"), "growing data"),
        (("--sizes", "huge"), "megabytes"),
        (("--contenders", "nothing-like-it"), "contender"),
        (("--datasets", "records", "--contenders", "avsc-unmapped"), "none of these contenders accepts"),
    ],
)
def test_bad_input(arguments, says, command, tmp_path):
    done = command("growth", *arguments, "--output", tmp_path / "run.json")
    assert done.returncode == 2
    assert says in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "run.json").exists()


@needs("javascript")
@pytest.mark.first
def test_a_small_one(command, tmp_path, monkeypatch):
    shorten(monkeypatch.setattr)
    target = tmp_path / "run.json"
    done = command(
        *("growth", "--contenders", "avsc-unmapped", "--sizes", "0.02,0.01"),
        *("--datasets", "records,records:unmapped", *BUDGET, "--output", target),
    )
    assert done.returncode == 0, done.stderr
    run = load_run(target)
    assert run.complete and run.settings.growth and run.settings.references == ["javascript/json"]
    names = ["records:0.01", "records:0.01:unmapped", "records:0.02", "records:0.02:unmapped"]
    assert [dataset.name for dataset in run.datasets] == names
    assert {row.status for row in run.rows} == {"ok"}
    assert {record.contender_id for record in run.fidelity} == {"javascript/json", "javascript/avsc-unmapped"}
    assert all(record.values for record in run.fidelity)
    assert {stop.dataset for stop in run.stops} == set(names)
    assert len({row.id for row in run.rows}) == len(run.rows)
    row_of = {row.id: row for row in run.rows}
    starts: dict[str, list[float]] = {}
    for sample in run.samples:
        starts.setdefault(row_of[sample.row].dataset.split(":")[1], []).append(sample.started)
    assert max(starts["0.01"]) < min(starts["0.02"])
    encode, decode = growth(run)
    for table in (encode, decode):
        assert table.sizes == [0.01, 0.02]
        assert {curve.name for curve in table.curves} == {"JSON", "avsc unmapped", "JSON unmapped"}
        assert all(len(curve.points) == 2 for curve in table.curves)
    assert "encode · records" in done.stdout
    assert target.with_suffix(".md").exists() and target.with_suffix(".html").exists()


def test_a_size_without_samples_is_dropped_with_its_failures_and_stops():
    """A resumed run gives the ids of its rows again."""
    run = synthetic_run()
    names = [spec_of("records", megabytes).name for megabytes in (0.01, 0.02)]
    run.rows = [msgspec.structs.replace(run.rows[n], id=n, dataset=name) for n, name in enumerate(names)]
    run.datasets = [msgspec.structs.replace(run.datasets[0], name=name) for name in names]
    run.samples = [msgspec.structs.replace(run.samples[0], row=0)]
    run.failures = [Failure(row=n, launch=0, reason="it ended") for n in (0, 1)]
    run.stops = [msgspec.structs.replace(run.stops[0], dataset=name) for name in names]
    assert begun_sizes(run, [0.01, 0.02], ["records"]) == [0.01]
    assert [one.id for one in run.rows] == [one.row for one in run.failures] == [0]
    assert [one.name for one in run.datasets] == [one.dataset for one in run.stops] == names[:1]
