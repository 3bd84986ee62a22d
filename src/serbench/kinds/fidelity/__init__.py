"""Fidelity: what libraries change, refuse and add to the data, in languages that have probes."""

from functools import partial

from serbench.kinds import Command
from serbench.kinds.fidelity.command import fidelity
from serbench.kinds.fidelity.report import fidelity_section, summary
from serbench.kinds.fidelity.step import keep_fidelity, prepare
from serbench.report.parts import ResultSection
from serbench.run.kind import Companion, RunKind
from serbench.run.probing import probed_rows

KIND = (
    Command(fidelity),
    RunKind(name="fidelity", prepare=prepare, results="fidelity"),
    Companion(
        beside=("times", "growth", "limits"),
        rows=partial(probed_rows, peers=False),
        keep=partial(keep_fidelity, peers=False),
    ),
    ResultSection(name="fidelity", results="fidelity", section=fidelity_section, summary=summary),
)
