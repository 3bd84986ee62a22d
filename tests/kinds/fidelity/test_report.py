"""The sentence on fidelity that stands above a run's tables."""

import pytest

from serbench.kinds.fidelity.report import TITLE, summary
from serbench.report.render import render
from serbench.results.probes import Fate, Fidelity, Payload
from tests.report.grown import growth_run
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
        ([probed("a", CHANGES), probed("b")], "1 of 2 libraries change some values silently"),
        # One that was not probed is neither among those that change nothing nor among all.
        ([probed("a", CHANGES), without_node("b")], "1 of 1 libraries change some values"),
        ([without_node("a"), without_node("b")], "no library could be probed"),
    ],
)
def test_only_libraries_that_were_probed_are_counted(records, said: str):
    run = synthetic_run()
    run.fidelity = records
    assert said in summary(run)
    assert ("0 of" in summary(run)) is False


def searched():
    run = synthetic_run()
    run.rows, run.samples, run.stops = [], [], []
    run.payloads = [
        Payload(contender="a", contender_id="javascript/a", format="json", direction="encode", megabytes=1.0)
    ]
    return run


@pytest.mark.parametrize("make", [growth_run, searched, synthetic_run])
def test_every_report_has_the_table_and_the_terminal_its_sentence(make):
    run = make()
    for shown in (render([run], "markdown"), render([run], "table", 200)):
        assert "Fidelity" not in shown
    run.fidelity = [probed("a", CHANGES)]
    document = render([run], "markdown")
    assert f"### {TITLE}" in document and "2^64 → 1.8e19" in document.replace("\\", "")
    table = render([run], "table", 200)
    assert "Fidelity: 1 of 1 libraries change some values" in table and TITLE not in table
    run.rows, run.samples, run.payloads = [], [], []
    run.settings = synthetic_run().settings
    assert TITLE in render([run], "table", 200)


def test_each_language_has_a_table_of_its_own():
    run = searched()
    run.payloads = []
    run.fidelity = [probed("a", CHANGES), probed("b", Fate(probe="nan", mark="changed", found="None"))]
    assert "#### " not in render([run], "markdown")
    run.fidelity[1].contender_id = "python/b"
    document = render([run], "markdown")
    assert document.index("#### javascript") < document.index("2^64") < document.index("#### python")
    assert document.index("#### python") < document.index("nan → None")
