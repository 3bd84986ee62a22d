"""Runs of every kind that are killed (SIGKILL) at a record of their journal, and resumed from it."""

import json
from collections import Counter
from collections.abc import Callable

import pytest

from serbench.datasets.records import DatasetRecord
from serbench.measure.instructions import has_callgrind
from serbench.measure.records import Sample
from serbench.results.journal import journal_path
from serbench.results.load import load_run
from serbench.results.probes import Fidelity, Payload, Strict
from serbench.results.schema import RowRecord, Run
from tests.brief import BUDGET, killed
from tests.languages import needs
from tests.shorten import shorten

needs_javascript = needs("javascript")


@pytest.fixture
def resumed(command, tmp_path, monkeypatch) -> Callable[..., tuple[Run, Run]]:
    """What a run had when it was killed, and what it has when it was resumed."""

    shorten(monkeypatch.setattr)

    def call(moments: list[type], *arguments: object, again: tuple[object, ...] = ()) -> tuple[Run, Run]:
        output = tmp_path / "run.json"
        before = killed(output, moments, *arguments, "--output", output)
        done = command("resume", output, *again)
        assert done.returncode == 0, done.stderr
        assert not journal_path(output).exists()
        after = load_run(output)
        assert not before.complete and after.complete and after.id == before.id
        assert 0 < before.seconds < after.seconds
        assert sum("Interrupted after" in note for note in after.notes) == 1
        return before, after

    return call


def kept(before: Run, after: Run, name: str) -> None:
    """The records of a list are there as they were, and others after them."""
    old, new = getattr(before, name), getattr(after, name)
    assert old and new[: len(old)] == old and len(new) > len(old)


@pytest.mark.skipif(not has_callgrind(), reason="valgrind counts instructions")
def test_instructions(ready, resumed, tmp_path):
    """Rows come three times: proved, with their instructions, and with all that is counted."""
    ready("c/mpack:tree")
    data = tmp_path / "data.json"
    data.write_text(json.dumps([1, "two", [None, 3.5]]))
    options = ("--contenders", "c/mpack", "--tests", "tree", "--count", "instructions", *BUDGET)
    places = ("--data", data)
    before, after = resumed([RowRecord] * 5, "run", *options, *places, again=places)
    counted = [row for row in before.rows if row.instructions is not None]
    assert 0 < len(counted) < sum(row.status == "ok" for row in before.rows) and not before.periods
    rows = {row.id: row for row in after.rows}
    assert all(rows[row.id].instructions == row.instructions for row in counted)
    assert all(row.instructions is not None for row in after.rows if row.status == "ok")
    assert all(len(row.labels) == len(set(row.labels)) for row in after.rows)


@needs_javascript
@pytest.mark.parametrize("samples", [3, 0])
def test_growth(resumed, samples):
    """In the middle of the second size, and before its first sample."""
    options = ("--contenders", "javascript/bson", "--sizes", "0.01,0.02", *BUDGET)
    moments = [DatasetRecord, DatasetRecord, RowRecord, *[Sample] * samples]
    before, after = resumed(moments, "growth", *options)
    kept(before, after, "samples")
    assert [dataset.name for dataset in after.datasets] == ["records:0.01", "records:0.02"]
    assert len(before.datasets) == 2
    if samples:
        assert after.rows == before.rows
    assert [row.id for row in after.rows] == list(range(len(after.rows)))
    assert after.fidelity == before.fidelity
    assert set(Counter((s.row, s.launch, s.round) for s in after.samples).values()) == {1}
    stops = Counter((stop.test, stop.dataset) for stop in after.stops)
    assert len(stops) == 4 and set(stops.values()) == {1}
    plan = after.settings.plan
    assert plan is not None and plan.sizes == [0.01, 0.02]


@needs_javascript
def test_fidelity(resumed):
    names = ["javascript/bson", "javascript/json"]
    before, after = resumed([Fidelity], "fidelity", "--contenders", ",".join(names))
    kept(before, after, "fidelity")
    found = [(record.contender_id, record.variant) for record in after.fidelity]
    assert len(found) == len(set(found)) and {name for name, _ in found} == {
        "javascript/json",
        "javascript/bson",
    }


def test_strict(ready, resumed):
    ready("c/mpack:tree")
    before, after = resumed([Strict], "strict", "--contenders", "c/mpack", "--damaged", "100")
    kept(before, after, "strict")
    found = [record.row for record in after.strict]
    assert len(found) == len(set(found)) == 5
    assert {record.damage.tried for record in after.strict if record.damage} == {100}


@needs_javascript
def test_limits(resumed):
    before, after = resumed([Payload], "limits", "--contenders", "javascript/json", "--heap", "16")
    kept(before, after, "payloads")
    assert after.fidelity == before.fidelity
    assert sorted(record.direction for record in after.payloads) == ["decode", "encode"]
