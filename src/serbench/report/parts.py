"""What a kind of run adds to reports."""

from collections.abc import Callable

import msgspec

from serbench.report.document import Section
from serbench.results.schema import Run


class Chapter(msgspec.Struct, frozen=True, kw_only=True):
    """The section of the report on one list of Run."""

    results: str
    """The list's name; without entries there is no section."""
    section: Callable[[Run, bool], Section]
    """Takes whether the report is detailed, too."""
    summary: Callable[[Run], str] | None = None
    """One sentence in the place of the section, in a report that is not detailed and has something else."""
