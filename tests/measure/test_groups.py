"""Which rows are measured together, and which of them come with every block."""

from random import Random
from types import SimpleNamespace

import pytest

from serbench.measure.schedule import blocks
from serbench.run.tasks import groups_of
from serbench.verify.records import Verdict
from tests.results.builder import row

MEGABYTE = 1 << 20
JAVASCRIPT = {"language": "javascript", "harness": "javascript", "statistic": "mean"}


@pytest.fixture
def item(catalog, tmp_path):
    """What the gate proved: JSON, its variant, three others and the baseline in JavaScript, and one in C."""
    tape = tmp_path / "some.tape"
    tape.touch()
    records = [
        row(0, "baseline", role="baseline", contender_id="javascript/baseline", **JAVASCRIPT),
        row(1, "JSON", contender_id="javascript/json", **JAVASCRIPT),
        row(2, "JSON", contender_id="javascript/json", variant="other", **JAVASCRIPT),
        *(
            row(n, name, contender_id=f"javascript/{name}", **JAVASCRIPT)
            for n, name in ((3, "bson"), (4, "v8"))
        ),
        row(5, "cbor-x", contender_id="javascript/cbor-x", **JAVASCRIPT),
        row(6, "MPack"),
        row(7, "failed", contender_id="javascript/cborg", status="failed", reason="wrong", **JAVASCRIPT),
    ]
    built = SimpleNamespace(command=["node"], heap_command=[])
    contender = SimpleNamespace(manifest=SimpleNamespace(padding=1))
    built_row = SimpleNamespace(contender=contender, kind=SimpleNamespace(writes=False))
    ready = SimpleNamespace(built=built, row=built_row, preload=())
    verdict = Verdict(status="ok", exact_hash="0", max_rss=100 * MEGABYTE)
    dataset = SimpleNamespace(tape=tape, paths=None, framed=False)
    dataset.of = lambda _row: dataset
    return SimpleNamespace(dataset=dataset, rows=[(record, ready, verdict) for record in records])


def test_what_the_rows_of_a_harness_are_compared_with_is_in_every_block(catalog, item):
    assert catalog.harnesses["javascript"].reference in catalog.contenders
    (group,) = groups_of(catalog, [item])
    assert [each.id for each in group.rows] == [0, 1, 2, 3, 4, 5, 6]
    made = blocks(group.rows, 600 * MEGABYTE, Random(1))
    assert len(made) > 1
    for block in made:
        assert {each.id for each in block if each.role == "baseline" or each.anchor} == {0, 1}
    assert sorted(each.id for block in made for each in block if each.id > 1) == [2, 3, 4, 5, 6]


def test_a_harness_need_not_have_one(catalog, item):
    item.rows = [each for each in item.rows if each[0].harness == "c"]
    (group,) = groups_of(catalog, [item])
    assert catalog.harnesses["c"].reference == ""
    assert not any(each.anchor for each in group.rows)
