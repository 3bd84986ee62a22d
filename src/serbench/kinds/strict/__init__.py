"""Strictness: what readers take and refuse of valid, invalid and damaged documents of their format."""

from functools import partial

from serbench.kinds import Command
from serbench.kinds.strict.command import strict
from serbench.kinds.strict.report import strict_section, strict_summary
from serbench.kinds.strict.step import keep_strict, prepare
from serbench.report.parts import ResultSection
from serbench.run.kind import Companion, RunKind

KIND = (
    Command(strict),
    RunKind(name="strict", prepare=prepare, results="strict"),
    Companion(beside=("times",), keep=partial(keep_strict, anew=False)),
    ResultSection(name="strict", results="strict", section=strict_section, summary=strict_summary),
)
