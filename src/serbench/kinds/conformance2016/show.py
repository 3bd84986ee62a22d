"""What conformance finds out, as a document."""

from collections.abc import Sequence

from serbench import text
from serbench.kinds.conformance2016.comparison import Comparison
from serbench.kinds.conformance2016.hashes import Finding, unexplained
from serbench.report.document import Column, Document, Item, List, Paragraph, Section, Table, TableRow

OUTCOMES = ("equal", "explained", "unavailable", "unexplained")
FINDINGS = (
    *(Column("data", priority=30), Column("what"), Column("name", priority=10, least=12)),
    *(Column("published"), Column("here")),
    Column("outcome", styles={"explained": "yellow", "unavailable": "dim", "unexplained": "bold red"}),
    Column("why", align="right"),
)


def _three_digits(value: float | None) -> str:
    return text.significant(value, 3)


RATIOS = (
    Column("library", priority=10, least=12),
    Column("2016", align="point", show=_three_digits),
    Column("here", align="point", show=_three_digits),
)


def conformance_document(findings: Sequence[Finding], comparisons: Sequence[Comparison] = ()) -> Document:
    """Return all `findings`, the reasons of those that are not equal, the sum, and the `comparisons`."""
    return Document([*_findings(findings), *_comparisons(comparisons)])


def _findings(findings: Sequence[Finding]) -> list[Section]:
    reasons = list(dict.fromkeys(finding.reason for finding in findings if finding.reason))
    sections = []
    for source in dict.fromkeys(finding.source for finding in findings):
        rows = [
            TableRow(
                [
                    *(finding.dataset, finding.what, f"{finding.name} {finding.version}".strip()),
                    *(finding.published, finding.ours or text.NONE, finding.outcome),
                    str(reasons.index(finding.reason) + 1) if finding.reason else "",
                ]
            )
            for finding in findings
            if finding.source == source
        ]
        sections.append(Section(f"Published by the {source}, and here", [Table(FINDINGS, rows)]))
    if not findings:
        return []
    counts = [(name, sum(finding.outcome == name for finding in findings)) for name in OUTCOMES]
    said = ", ".join(f"{number} {name}" for name, number in counts if number)
    total = f"{len(findings)} published figures: {said}."
    reasons_list = List([Item("", reason, str(number)) for number, reason in enumerate(reasons, start=1)])
    return [
        *sections,
        Section(blocks=[reasons_list, Paragraph(total, "bold red" if unexplained(findings) else "bold")]),
    ]


def _comparisons(comparisons: Sequence[Comparison]) -> list[Section]:
    if not comparisons:
        return []
    title = "Net times as multiples of the fastest's, as published and in this run (for information)"
    sections = [Section(title)]
    for found in comparisons:
        sections.append(
            Section(
                f"{found.test} · {found.dataset}"
                + ("" if found.correlation is None else f" · rank correlation {found.correlation:.2f}"),
                [Table(RATIOS, [TableRow([pair.name, pair.published, pair.ours]) for pair in found.pairs])],
            )
        )
    said = (
        "Rows that both have. The machines, the compilers and most versions are others; a dash is a time "
        "that is not above the baseline's."
    )
    sections[-1].blocks.append(Paragraph(said, "dim"))
    return sections
