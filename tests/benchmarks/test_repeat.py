"""How two runs are compared."""

import msgspec
import pytest
from benchmarks.precision.twice import by_dataset
from benchmarks.repeat import rank_agreement, ratio_differences, reference_differences

from serbench.results.analysis import RowSummary, analyse
from serbench.results.schema import Run
from tests.results.builder import synthetic_run


def run_of_rows() -> Run:
    """A run whose rows have names of their own."""
    run = synthetic_run()
    for row in run.rows:
        row.row = f"{row.contender_id}:{row.test}:{row.variant}"
    return run


def test_a_run_agrees_with_itself():
    run = run_of_rows()
    agreement = rank_agreement(run, run)
    assert agreement.rows == agreement.agreeing > 1
    assert agreement.pairs > agreement.decided > 0 == agreement.contradicting
    assert set(ratio_differences(analyse(run), analyse(run))) == {0.0}


def with_result(row: RowSummary, **changes: float) -> RowSummary:
    return row._replace(result=msgspec.structs.replace(row.result, **changes))


def test_contradictions_are_counted_and_ties_are_not():
    first, second = run_of_rows(), run_of_rows()
    swapped = {2: 3, 3: 2}  # proved apart; 3 and 4 are tied
    for sample in second.samples:
        sample.row = swapped.get(sample.row, sample.row)
    same, found = rank_agreement(first, first), rank_agreement(first, second)
    # The other one of the tied rows was proved slower than one of the two only.
    assert found == same._replace(agreeing=same.agreeing - 2, decided=same.decided - 2, contradicting=1)


def test_a_difference_is_that_of_the_ratios_and_not_of_the_times():
    first = [row for row in analyse(synthetic_run()) if row.record.role == "contender" and row.result.net_ns]
    pair = [row for row in first if row.group == first[0].group and not row.result.at_floor][:2]
    both = [with_result(row, net_ns=ns) for row, ns in zip(pair, (100.0, 50.0), strict=True)]
    faster = [with_result(row, net_ns=ns) for row, ns in zip(pair, (50.0, 25.0), strict=True)]
    changed = [with_result(row, net_ns=ns) for row, ns in zip(pair, (110.0, 50.0), strict=True)]
    assert ratio_differences(both, faster) == [0.0]
    assert ratio_differences(changed, both)[0] == pytest.approx(0.1)


def test_ratios_to_one_contender_are_of_the_same_launches():
    run = synthetic_run()
    reference = next(
        row.record.contender_id
        for row in analyse(run)
        if row.record.role == "contender" and row.result.net_ns
    )
    ids = {row.id for row in run.rows if row.contender_id == reference}
    slow = [
        msgspec.structs.replace(sample, wall=[round(wall * 1.25) for wall in sample.wall])
        for sample in run.samples
    ]
    # A machine that is slower throughout changes no ratio, a slower reference all of them.
    calm = reference_differences(run, msgspec.structs.replace(run, samples=slow), reference)
    assert calm and max(max(each) for each in calm.values()) < 0.001
    other = [b if a.row in ids else a for a, b in zip(run.samples, slow, strict=True)]
    changed = reference_differences(run, msgspec.structs.replace(run, samples=other), reference)
    assert changed.keys() == calm.keys()
    assert min(min(each) for each in changed.values()) > 0.1  # less than a quarter: baselines are the same


def test_differences_are_told_for_each_dataset():
    first = [row for row in analyse(synthetic_run()) if row.record.role == "contender" and row.result.net_ns]
    pair = [row for row in first if row.group == first[0].group and not row.result.at_floor][:2]

    def figures(dataset: str, *nanoseconds: float):
        made = zip(pair, nanoseconds, strict=True)
        return [
            with_result(row, net_ns=ns)._replace(record=msgspec.structs.replace(row.record, dataset=dataset))
            for row, ns in made
        ]

    before = figures("a", 100.0, 50.0) + figures("b", 100.0, 50.0) + figures("c", 1.0, 2.0)
    after = figures("a", 110.0, 50.0) + figures("b", 200.0, 100.0)
    found = by_dataset(after, before)
    assert found == {"a": [pytest.approx(0.1)], "b": [0.0]}  # the last has no ratio in both
