"""Part d: how far the ratios of two runs of the same rows differ, and whether their ranks agree."""

import subprocess
from collections.abc import Sequence

import numpy as np
from benchmarks.precision.records import Finding, Outcome, percent
from benchmarks.repeat import rank_agreement, ratio_differences, run_twice

from serbench.catalog.load import load_catalog
from serbench.catalog.selection import select_rows
from serbench.errors import UserError
from serbench.measure.precision import settings_for, usual_budget
from serbench.project import ROOT
from serbench.results.analysis import RowSummary, analyse

TITLE = "two runs of the same rows"
OPTIONS = ["--tests", "tree", "--languages", "c,cpp"]
SET_UP_SECONDS = 20.0
"""About what one run takes in addition to measuring: the gate's memory, the heap, code sizes."""
GOAL = 0.03
"""The median difference of two quick runs must be below it."""


def options_for(within: float, rows: int) -> list[str]:
    """The options of a run of so many rows: its usual budget where that fits twice, else a smaller one."""
    budget = max(10.0, within / 2 - SET_UP_SECONDS)
    whole = usual_budget(settings_for("quick", [], None, [], 0, True, False), rows)
    return ["--quick", *OPTIONS, *([] if budget >= whole else ["--budget", f"{budget:.0f}"])]


def by_dataset(first: Sequence[RowSummary], second: Sequence[RowSummary]) -> dict[str, list[float]]:
    """Return the differences of ratios on each dataset that both runs have ratios on."""
    found = {}
    for name in dict.fromkeys(row.record.dataset for row in first):
        sides = ([row for row in rows if row.record.dataset == name] for rows in (first, second))
        found[name] = ratio_differences(*sides)
    return {name: differences for name, differences in found.items() if differences}


def run(within: float) -> Outcome:
    """Run the tree test of all C and C++ contenders twice, each in half of the time at the most."""
    rows = select_rows(load_catalog(ROOT), ["tree"], ["c", "cpp"], ())
    options = options_for(within, len(rows))
    try:
        found, seconds = run_twice(options)
    except subprocess.CalledProcessError as error:
        raise UserError(f"serbench {' '.join(options)} ended with status {error.returncode}") from error
    runs = [analyse(run) for run in found]
    differences = ratio_differences(*runs)
    ranks = rank_agreement(*found)
    outcome = Outcome(
        part="d",
        title=TITLE,
        settings={"command": ["run", *options], "seconds": seconds},
        figures={"differences": differences, "ranks": ranks._asdict()},
    )
    if not differences:
        outcome.not_run = "the two runs have no two rows in common that have net times"
        return outcome
    levels = [float(np.quantile(differences, level)) for level in (0.5, 0.9, 1.0)]
    outcome.findings = [
        Finding(
            what=f"difference of {len(differences)} ratios of net times: median",
            found=percent(levels[0]),
            goal=f"at most {percent(GOAL, 0)}",
            met=levels[0] <= GOAL,
        ),
        Finding(
            what="the same: 90th percentile, largest", found=f"{percent(levels[1])}, {percent(levels[2])}"
        ),
        *(
            Finding(
                what=f"the same on {name} alone: median of {len(some)}", found=percent(float(np.median(some)))
            )
            for name, some in by_dataset(*runs).items()
        ),
        Finding(what="rows whose ranks have a place in common", found=f"{ranks.agreeing} of {ranks.rows}"),
        Finding(
            what="pairs of which both prove the same one faster; on which they contradict each other",
            found=f"{ranks.decided} of {ranks.pairs}; {ranks.contradicting}",
        ),
    ]
    return outcome
