"""The sentence on fidelity that stands above a run's tables."""

import pytest

from serbench.probe.records import Fate, Fidelity
from serbench.report.fidelity import summary
from tests.results.builder import synthetic_run

CHANGES = Fate(probe="2^64", mark="changed", found="1.8e19", at="read")


def probed(name: str, *values: Fate, status="ok", reason=""):
    return Fidelity(
        contender=name,
        contender_id=f"javascript/{name}",
        format="json",
        status=status,
        reason=reason,
        values=list(values),
    )


def without_node(name: str):
    return probed(name, status="unavailable", reason="needs Node.js 20 or newer with npm")


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ([probed("a", CHANGES), probed("b")], "1 of 2 libraries in JavaScript change some values silently"),
        # One that was not probed is neither among those that change nothing nor among all.
        ([probed("a", CHANGES), without_node("b")], "1 of 1 libraries in JavaScript change some values"),
        ([without_node("a"), without_node("b")], "no library in JavaScript could be probed"),
    ],
)
def test_only_libraries_that_were_probed_are_counted(records, said: str):
    run = synthetic_run()
    run.fidelity = records
    assert said in summary(run)
    assert ("0 of" in summary(run)) is False
