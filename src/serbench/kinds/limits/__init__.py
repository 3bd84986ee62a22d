"""Payload limits: how large a document each library encodes, and decodes, in languages that have probes."""

from serbench.kinds import Command
from serbench.kinds.limits.command import limits
from serbench.kinds.limits.report import payload_section
from serbench.kinds.limits.step import prepare
from serbench.report.parts import ResultSection
from serbench.run.kind import RunKind

KIND = (
    Command(limits),
    RunKind(name="limits", prepare=prepare, results="payloads"),
    ResultSection(name="limits", results="payloads", section=payload_section),
)
