"""The answer of a run on emulated microcontrollers, in words: fewest instructions or cycles, least flash."""

from collections.abc import Callable, Iterable

from serbench import text
from serbench.catalog.tests import ROUNDTRIP
from serbench.results.schema import Answer, Finding, Platform, RowRecord, Run

WANTED: tuple[tuple[str, str, Callable[[Iterable[int | float]], int | float]], ...] = (
    ("deserialize", "to read", sum),
    ("serialize", "to write", sum),
    ("flash", "least flash", max),
)
"""The metrics, what is said of the least of each, and what a library has of it from all its documents."""


def answer_of_counts(run: Run, most: int) -> Answer:
    """Return the answer for the emulated platforms of `run`: a line for each, at most `most` lines.

    Libraries that took every document there are compared, by what all documents together need. The last line
    says why some platforms have no line of their own. A real board's times are not in it: they have no
    intervals.
    """
    findings, incomplete = [], []
    documents = 0
    for platform in [each for each in run.platforms if each.kind == "emulated"]:
        own = [row for row in run.rows if row.test == ROUNDTRIP and row.platform == platform.name]
        wanted = {row.dataset for row in own}
        whole = {
            name: found for name, found in _by_library(own).items() if {r.dataset for r in found} == wanted
        }
        finding = _finding(whole, platform)
        if finding.text:
            documents = max(documents, len(wanted))
            findings.append(finding)
        elif any(row.status == "ok" for row in own):
            incomplete.append(platform.name)
    shown = findings if len(findings) + bool(incomplete) <= most else findings[: most - 1]
    others = [each.subject for each in findings[len(shown) :]]
    left = [f"no library took all documents on {', '.join(incomplete)}"] if incomplete else []
    left += [f"see --details for {', '.join(others)}"] if others else []
    if left:
        shown = [*shown, Finding(subject="other platforms", text="; ".join(left))]
    about = f"{text.count(documents)} document{'s' if documents > 1 else ''}, by the libraries that took all"
    return Answer(about=about if documents else run.id, findings=shown) if shown else Answer()


def _by_library(rows: list[RowRecord]) -> dict[str, list[RowRecord]]:
    found: dict[str, list[RowRecord]] = {}
    for row in rows:
        if row.status == "ok":
            found.setdefault(f"{row.contender} ({row.format_name or row.format})", []).append(row)
    return found


def _finding(libraries: dict[str, list[RowRecord]], platform: Platform) -> Finding:
    """Return which of `libraries` need the least of each metric; without text if none has any."""
    parts, named = [], []
    for metric, words, of_all in WANTED:
        figures = {
            name: of_all(row.metrics[metric] for row in rows)
            for name, rows in libraries.items()
            if all(metric in row.metrics for row in rows)
        }
        if figures:
            least = min(figures.values())
            best = [name for name, figure in figures.items() if figure == least]
            unit = "bytes" if metric == "flash" else platform.unit
            parts.append(f"{words} {' and '.join(best)} {least:,.0f} {unit}")
            named += [row.id for name in best for row in libraries[name]]
    return Finding(subject=platform.name, text="; ".join(parts), rows=list(dict.fromkeys(named)))
