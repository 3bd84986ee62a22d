"""Runs in all formats of serbench's own."""

from collections.abc import Sequence

from serbench.errors import UserError, unknown
from serbench.report.document import Document
from serbench.report.exchange import EXCHANGE
from serbench.report.export import to_csv, to_json
from serbench.report.markdown import markdown_of
from serbench.report.pairs import pairs_csv
from serbench.report.relative import relative
from serbench.report.relative_report import relative_csv, relative_document, relative_json
from serbench.report.run_report import run_document
from serbench.report.terminal import terminal_text
from serbench.results.counts import has_counts
from serbench.results.schema import Run

FORMATS = ("table", "markdown", "csv", "json", *EXCHANGE)


def document_of(runs: list[Run], format: str, relative_to: str = "", among: Sequence[str] = ()) -> Document:
    """Return the document for the `format` table or markdown: of `runs`, or of their ratios.

    The ratios are to the contender `relative_to`; the geometric means are of the contenders `among`, patterns
    of names, or of all. Raises UserError.
    """
    if relative_to:
        return relative_document([relative(run, relative_to, among) for run in runs])
    if format == "markdown":
        _check_counts(runs, format)
    return run_document(runs, detailed=format == "markdown")


def render(
    runs: list[Run],
    format: str,
    width: int | None = None,
    relative_to: str = "",
    among: Sequence[str] = (),
) -> str:
    """Return `runs` in `format`, one of FORMATS, which ends with a line's end.

    `width` (80 if None) matters to tables only; for the others see document_of. Raises UserError for an
    unknown format, and for one that has no place for counts or for ratios.
    """
    if format not in FORMATS:
        raise unknown("report format", format, FORMATS)
    if format == "table":
        return terminal_text(document_of(runs, format, relative_to, among), width)
    if format == "markdown":
        return markdown_of(document_of(runs, format, relative_to, among))
    if relative_to:
        if format not in ("csv", "json"):
            raise UserError(
                f"the format {format} has no place for ratios: table, markdown, csv and json have"
            )
        found = [relative(run, relative_to, among) for run in runs]
        return relative_csv(found) if format == "csv" else relative_json(found)
    if format == "json":
        return to_json(runs)
    _check_counts(runs, format)
    if format == "csv":
        return pairs_csv(runs) if runs and has_counts(runs[0]) else to_csv(runs)
    return EXCHANGE[format](runs)


def _check_counts(runs: list[Run], format: str) -> None:
    """Raise UserError if among `runs` are counts that cannot be rendered together in `format`."""
    if not any(run.platforms for run in runs):
        return
    if not all(run.platforms for run in runs):
        raise UserError("runs of counts and runs of times do not go into one report: report them one by one")
    if format == "csv" and len({has_counts(run) for run in runs}) > 1:
        raise UserError("rows of microcontrollers and of an emulated Linux have different columns")
    if format not in ("markdown", "csv"):
        raise UserError(
            f"the format {format} is for times, and these are counts: table, markdown, csv and json have them"
        )
