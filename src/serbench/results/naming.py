"""Names that differ for the rows of one group."""

from collections.abc import Sequence

from serbench.results.schema import RowRecord

DISTRIBUTION_BUILD = "distribution build"
"""The label of a row whose library the distribution has built with its own options; its name says so."""


def names_of(rows: Sequence[RowRecord]) -> dict[int, str]:
    """Return the name of each of `rows` of one group, by its id; what all have in common is left out."""
    languages: dict[tuple[str, str, str], set[str]] = {}
    for row in rows:
        languages.setdefault((row.contender, row.variant, row.format), set()).add(row.language)
    configurations = configurations_of(rows)
    names = {}
    for row in rows:
        shared = len(languages[row.contender, row.variant, row.format]) > 1
        built = "distribution" if DISTRIBUTION_BUILD in row.labels else ""
        remarks = ", ".join(filter(None, (row.variant, row.language_name if shared else "", built)))
        name = f"{row.contender} ({remarks})" if remarks else row.contender
        names[row.id] = " · ".join(part for part in (name, configurations[row.id]) if part)
    return names


def configurations_of(rows: Sequence[RowRecord]) -> dict[int, str]:
    """Return compiler, allocator and level of `rows` of one group, by their ids, as far as it has several.

    Levels are told too where all rows are built for another one than the baseline.
    """
    usual = {"toolchain": "", "allocator": "", "cpu": "baseline"}
    told = [what for what, value in usual.items() if _has_choice(rows, what, value)]
    return {row.id: " · ".join(filter(None, (getattr(row, what) for what in told))) for row in rows}


def _has_choice(rows: Sequence[RowRecord], what: str, usual: str) -> bool:
    """Tell whether rows of one language differ in `what`, or from what is `usual`.

    That each language has its own says nothing.
    """
    found: dict[str, set[str]] = {}
    for row in rows:
        found.setdefault(row.language, {usual}).add(getattr(row, what))
    return any(len(values - {""}) > 1 for values in found.values())
