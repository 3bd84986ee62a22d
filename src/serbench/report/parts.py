"""What a kind of run adds to reports."""

from collections.abc import Callable, Iterator, Sequence

import msgspec

from serbench.report.document import Section
from serbench.report.drawing import Spec
from serbench.results.analysis import RowSummary
from serbench.results.schema import Run


class ResultSection(msgspec.Struct, frozen=True, kw_only=True):
    """The section of the report on one list of Run."""

    name: str
    """What was found out, in a word."""
    results: str
    """The list's name; without entries there is no section."""
    section: Callable[[Run, bool], Section]
    """Takes whether the report is detailed, too."""
    summary: Callable[[Run], str] | None = None
    """One sentence in the place of the section, in a report that is not detailed and has something else."""


class TimeTables(msgspec.Struct, frozen=True, kw_only=True):
    """Other tables of times: instead of the usual ones in runs of growth, beside them in detailed reports."""

    sections: Callable[[Run, Sequence[RowSummary], bool], list[Section]]
    """Takes whether the report is detailed, too."""
    plots: Callable[[Run], Iterator[tuple[str, Spec]]]
    """File names without ending, and specifications."""


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """Another layout of reports."""

    name: str
    """For --layout."""
    about: str
    """What it is, for the help."""
    render: Callable[[list[Run], str, bool], str]
    """Takes the format, and whether it is extended. Raises UserError for a format that it does not have."""
