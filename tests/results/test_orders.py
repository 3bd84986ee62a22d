"""Net turns no pair of rows round that raw times hold far apart, unless the harness explains it."""

import copy
import json
import lzma
from itertools import permutations
from pathlib import Path

import msgspec
import pytest

from serbench.measure.ranks import proved_faster
from serbench.measure.statistics import RowFigures
from serbench.results.analysis import RowSummary, analyse, grouped
from serbench.results.load import load_run
from serbench.results.schema import Run
from tests.results.builder import synthetic_run
from tests.results.test_summary import with_overheads

RECORDED = Path(__file__).parent / "recorded.json.xz"
FAR = 0.15
"""How much longer a raw time is than another one that it is far apart from."""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory) -> Run:
    """A run of rows in eight languages on generated:4."""
    path = tmp_path_factory.mktemp("run") / "run.json"
    path.write_bytes(lzma.decompress(RECORDED.read_bytes()))
    return load_run(path)


def raw_only(row: RowSummary) -> RowFigures:
    return RowFigures(row.result.figures.raw, {})


def turned(run: Run) -> list[tuple[RowSummary, RowSummary]]:
    """The pairs of which the first is proved far faster by raw times, and slower by net ones."""
    return [
        (a, b)
        for rows in grouped(analyse(run)).values()
        for a, b in permutations([row for row in rows if row.record.role == "contender"], 2)
        if proved_faster(raw_only(a), raw_only(b), FAR)
        and proved_faster(b.result.figures, a.result.figures, 0.0)
    ]


def explained(fast: RowSummary, slow: RowSummary) -> bool:
    """Whether the harness does so much more for the slow one, in each launch of both."""
    own = [dict(row.result.harness_ns) for row in (fast, slow)]
    raw = [row.result.figures.raw for row in (fast, slow)]
    both = own[0].keys() & own[1].keys()
    return bool(both) and all(own[1][n] - own[0][n] > raw[1][n] - raw[0][n] for n in both)


def test_synthetic_rows_keep_their_order():
    assert turned(with_overheads(synthetic_run(), 0.3)) == []


def test_a_pair_is_turned_round_only_where_the_harness_does_as_much_more():
    run = with_overheads(synthetic_run(), 0.1)
    # msgpack in C takes longer than MPack, but nearly all of it is the harness's.
    for overhead in run.overheads:
        if overhead.row == 3:
            overhead.wall = [wall * 9 for wall in overhead.wall]
    pairs = turned(run)
    assert {slow.record.id for _, slow in pairs} == {3}
    assert all(explained(*pair) for pair in pairs)


def test_a_recorded_run_keeps_the_order_of_its_raw_times(recorded: Run):
    languages = {row.language for row in recorded.rows if row.role == "contender"}
    assert languages == {"c", "cpp", "zig", "rust", "go", "java", "javascript", "python"}
    assert turned(recorded) == []


def test_no_row_of_it_takes_less_than_its_harness(recorded: Run):
    for row in analyse(recorded):
        if row.record.role == "contender" and row.result.harness_share is not None:
            assert row.result.harness_share < 1, row.record.row


def test_net_of_a_recorded_row_is_that_which_it_has_alone(recorded: Run):
    """Whatever other rows take part: what is subtracted is its own, launch by launch."""
    whole = {row.record.id: row.result for row in analyse(recorded)}
    for record in recorded.rows:
        alone = msgspec.structs.replace(
            copy.copy(recorded),
            rows=[record],
            samples=[sample for sample in recorded.samples if sample.row == record.id],
            summary=None,
        )
        (found,) = analyse(alone)
        assert found.result.harness_ns == whole[record.id].harness_ns


def test_it_is_a_run_file_of_today(recorded: Run):
    assert recorded.complete and recorded.overheads
    assert json.loads(lzma.decompress(RECORDED.read_bytes()))["overheads"]
