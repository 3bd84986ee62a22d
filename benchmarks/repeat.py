"""How well a quick run repeats: two runs of the same rows, and by how much their ratios differ.

    PYTHONPATH=src .venv/bin/python benchmarks/repeat.py [options of `serbench run`]

For every group (test and dataset) each pair of contenders has a ratio of net times in each run; printed
are the median and the 90th percentile of the relative difference of the two, how the ranks agree, and how
long a run took. With rows in JavaScript the same of their ratios to JSON, as `report --relative-to` shows
them: of times in the same launches.
Goals on a quiet machine: a run under 4 minutes once built, median difference of 3 % at most; of rows in
JavaScript under 5 minutes and 10 %.
"""

import itertools
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from serbench.measure.ranks import proved_slower
from serbench.project import ROOT
from serbench.report.relative import reference_of, relative
from serbench.results.analysis import RowSummary, analyse, figures_of, grouped
from serbench.results.load import load_run
from serbench.results.schema import Run


class Agreement(NamedTuple):
    """How the ranks of two runs agree."""

    rows: int
    agreeing: int
    """Rows whose ranks in the one run and in the other have a place in common."""
    pairs: int
    """Pairs of rows of a group."""
    decided: int
    """Pairs of which both runs prove the same one faster."""
    contradicting: int
    """Pairs of which one run proves the one faster, and the other run the other."""


Name = tuple[str, str, str]


def _name(row: RowSummary) -> Name:
    return (row.record.test, row.record.dataset, row.record.row)


def ratio_differences(first: list[RowSummary], second: list[RowSummary]) -> list[float]:
    """|ratio in one run / ratio in the other - 1| of every pair of contenders of a group."""
    figures = []
    for rows in (first, second):
        figures.append(
            {
                _name(r): r.result.net_ns
                for r in rows
                if r.record.role == "contender" and r.result.net_ns is not None and not r.result.at_floor
            }
        )
    both = sorted(figures[0].keys() & figures[1].keys())
    return [
        abs((figures[0][a] / figures[0][b]) / (figures[1][a] / figures[1][b]) - 1)
        for a, b in itertools.combinations(both, 2)
        if a[:2] == b[:2]
    ]


def _proofs(run: Run, rows: Sequence[RowSummary]) -> set[tuple[Name, Name]]:
    """Return the pairs of rows of which the first is proved faster."""
    figures, names = figures_of(rows), {row.result.id: _name(row) for row in rows}
    found = set()
    for group in grouped(row for row in rows if row.result.rank is not None).values():
        ids = [row.result.id for row in group]
        slower = proved_slower({key: figures[key] for key in ids}, run.settings.threshold)
        found |= {(names[key], names[other]) for key in ids for other in slower[key]}
    return found


def rank_agreement(first: Run, second: Run) -> Agreement:
    """How the ranks of the rows that have one in both runs agree."""
    rows = [analyse(run) for run in (first, second)]
    ranks = [
        {
            _name(row): range(rank, last + 1)
            for row in of_run
            if (rank := row.result.rank) and (last := row.result.rank_last)
        }
        for of_run in rows
    ]
    both = sorted(ranks[0].keys() & ranks[1].keys())
    pairs = [(a, b) for a, b in itertools.combinations(both, 2) if a[:2] == b[:2]]
    proofs = [_proofs(run, of_run) for run, of_run in zip((first, second), rows, strict=True)]
    return Agreement(
        rows=len(both),
        agreeing=sum(bool({*ranks[0][row]} & {*ranks[1][row]}) for row in both),
        pairs=len(pairs),
        decided=sum(len({(a, b), (b, a)} & proofs[0] & proofs[1]) for a, b in pairs),
        contradicting=sum(
            ((a, b) in proofs[0] and (b, a) in proofs[1]) or ((b, a) in proofs[0] and (a, b) in proofs[1])
            for a, b in pairs
        ),
    )


def reference_differences(first: Run, second: Run, reference: str) -> dict[str, list[float]]:
    """By test, |ratio in one run / ratio in the other - 1| of each row that both compare with `reference`."""
    found: dict[str, list[float]] = {}
    sides = [
        {
            (group.group, row.row.record.row): row.ratio.value
            for group in relative(run, reference).groups
            for row in group.rows
            if row.ratio is not None and row.row.record.role == "contender" and not row.is_reference
        }
        for run in (first, second)
    ]
    for key in sides[0].keys() & sides[1].keys():
        found.setdefault(key[0][0], []).append(abs(sides[0][key] / sides[1][key] - 1))
    return dict(sorted(found.items()))


def run_twice(options: Sequence[str]) -> tuple[list[Run], list[float]]:
    """Run the same rows twice: what each found, and how many seconds it took."""
    runs, seconds = [], []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(2):
            file = Path(folder) / f"{number}.json"
            start = time.monotonic()
            command = [sys.executable, "-m", "serbench", "run", *options, "--output", str(file)]
            subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
            seconds.append(time.monotonic() - start)
            runs.append(load_run(file))
    return runs, seconds


def main() -> None:
    """Run twice and compare."""
    if {"-h", "--help"}.intersection(sys.argv[1:]):
        print(__doc__)
        return
    found, seconds = run_twice(sys.argv[1:])
    runs = [analyse(run) for run in found]
    differences = ratio_differences(*runs)
    ranks = rank_agreement(*found)
    raw = [
        (a.result.raw_high_ns - a.result.raw_low_ns) / 2 / a.result.raw_ns
        for a in runs[0]
        if a.result.raw_ns is not None
        and a.result.raw_high_ns is not None
        and a.result.raw_low_ns is not None
    ]
    print(f"runs took {seconds[0]:.0f} and {seconds[1]:.0f} s")
    print(
        f"{len(differences)} ratios: median difference {np.median(differences):.1%}, "
        f"90th percentile {np.quantile(differences, 0.9):.1%}"
    )
    print(
        f"the ranks of {ranks.agreeing} of {ranks.rows} rows agree; of {ranks.pairs} pairs both runs prove "
        f"the same of {ranks.decided}, and contradict each other on {ranks.contradicting}"
    )
    reference = reference_of(found[0])
    if all(
        any(row.record.row == f"{reference}:{row.record.test}" for row in run if row.measured) for run in runs
    ):
        for test, each in reference_differences(found[0], found[1], reference).items():
            print(
                f"{test}: {len(each)} ratios to JSON: median difference {np.median(each):.1%}, "
                f"90th percentile {np.quantile(each, 0.9):.1%}"
            )
    print(f"half width of the raw intervals: median {np.median(raw):.1%}")


if __name__ == "__main__":
    main()
