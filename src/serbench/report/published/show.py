"""Conformance and comparison for a terminal."""

import io
from collections.abc import Iterable, Sequence

from rich.console import Console, RenderableType
from rich.text import Text

from serbench.report import text
from serbench.report.parts import grid, indented, plain
from serbench.report.published.comparison import Comparison
from serbench.report.published.conformance import Finding, unexplained

OUTCOMES = ("equal", "explained", "unavailable", "unexplained")
STYLES = {"explained": "yellow", "unavailable": "dim", "unexplained": "bold red"}
DEFAULT_WIDTH = 80


def print_conformance(
    findings: Sequence[Finding], comparisons: Sequence[Comparison], console: Console
) -> None:
    """Print all `findings`, the reasons of those that are not equal, the sum, and the `comparisons`."""
    for part in (*_findings(findings), *_comparisons(comparisons)):
        console.print(part, highlight=False, markup=False, emoji=False)


def conformance_text(
    findings: Sequence[Finding], comparisons: Sequence[Comparison] = (), width: int | None = None
) -> str:
    """Return the same as plain text, no line longer than `width` (80 if None)."""
    out = io.StringIO()
    console = Console(file=out, width=width or DEFAULT_WIDTH, color_system=None, force_terminal=False)
    print_conformance(findings, comparisons, console)
    return "".join(line.rstrip() + "\n" for line in out.getvalue().splitlines())


def _findings(findings: Sequence[Finding]) -> Iterable[RenderableType]:
    reasons = list(dict.fromkeys(finding.reason for finding in findings if finding.reason))
    for source in dict.fromkeys(finding.source for finding in findings):
        yield plain(f"Published by the {source}, and here", "bold")
        table = grid()
        for header in ("data", "what", "name", "published", "here", "", "why"):
            table.add_column(header, overflow="fold", justify="right" if header == "why" else "left")
        for finding in findings:
            if finding.source == source:
                named = f"{finding.name} {finding.version}".strip()
                table.add_row(
                    *[Text(text.visible(cell)) for cell in (finding.dataset, finding.what, named)],
                    Text(finding.published),
                    Text(text.visible(finding.ours) or text.NONE),
                    Text(finding.outcome, style=STYLES.get(finding.outcome, "")),
                    Text(str(reasons.index(finding.reason) + 1) if finding.reason else ""),
                )
        yield table
        yield Text()
    for number, reason in enumerate(reasons, start=1):
        yield indented(str(number), reason)
    if not findings:
        return
    counts = [(name, sum(finding.outcome == name for finding in findings)) for name in OUTCOMES]
    said = ", ".join(f"{number} {name}" for name, number in counts if number)
    yield plain(
        f"{len(findings)} published figures: {said}.", "bold red" if unexplained(findings) else "bold"
    )


def _comparisons(comparisons: Sequence[Comparison]) -> Iterable[RenderableType]:
    if not comparisons:
        return
    yield Text()
    yield plain(
        "Net times as multiples of the fastest's, as published and in this run (for information)", "bold"
    )
    for comparison in comparisons:
        yield Text()
        coefficient = (
            "" if comparison.correlation is None else f" · rank correlation {comparison.correlation:.2f}"
        )
        yield plain(f"{comparison.test} · {comparison.dataset}{coefficient}", "bold")
        table = grid()
        table.add_column("library", overflow="fold")
        table.add_column("2016", justify="right")
        table.add_column("here", justify="right")
        published = text.aligned([text.significant(pair.published, 3) for pair in comparison.pairs])
        ours = text.aligned([text.significant(pair.ours, 3) for pair in comparison.pairs])
        for pair, then, now in zip(comparison.pairs, published, ours, strict=True):
            table.add_row(Text(text.visible(pair.name)), Text(then), Text(now))
        yield table
    yield plain(
        "Rows that both have. The machines, the compilers and most versions are others; a dash is a time "
        "that is not above the baseline's.",
        "dim",
    )
