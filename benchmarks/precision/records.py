"""What an experiment finds, and how it is printed."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec


class Finding(msgspec.Struct, kw_only=True):
    """One figure, and whether it is what it should be."""

    what: str
    found: str
    """The figure in words, with its interval and what it rests on."""
    goal: str = ""
    met: bool | None = None
    """None where there is no goal, or where the experiment cannot decide."""


class Outcome(msgspec.Struct, kw_only=True):
    """What one part of the proof found."""

    part: str
    title: str
    settings: dict[str, Any] = {}
    """What was measured how long; everything that repeating it needs."""
    findings: list[Finding] = []
    figures: dict[str, Any] = {}
    """The numbers behind the findings, down to each launch's."""
    seconds: float = 0.0
    not_run: str = ""
    """Why it was not run."""


class Report(msgspec.Struct, kw_only=True):
    """All that one call of the program found, as its JSON file has it."""

    serbench: str
    started: str
    machine: dict[str, Any]
    notes: list[str] = []
    """What disturbed the machine meanwhile."""
    parts: list[Outcome] = []


def verdict(met: bool | None) -> str:
    """Return how a finding's `met` is shown."""
    return {True: "pass", False: "miss", None: "-"}[met]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def table(outcomes: Iterable[Outcome]) -> str:
    """Return all findings as one Markdown table."""
    lines = ["| part | what | found | goal | |", "|---|---|---|---|---|"]
    for outcome in outcomes:
        findings: Sequence[Finding] = outcome.findings
        if outcome.not_run:
            findings = [Finding(what=outcome.title, found=f"not run: {outcome.not_run}")]
        for finding in findings:
            cells = [outcome.part, finding.what, finding.found, finding.goal or "-", verdict(finding.met)]
            lines.append("| " + " | ".join(map(_cell, cells)) + " |")
    return "\n".join(lines)


def percent(part: float, digits: int = 2) -> str:
    """Return a part, such as 0.0123, as `1.23 %`."""
    return f"{part:.{digits}%}".replace("%", " %")
