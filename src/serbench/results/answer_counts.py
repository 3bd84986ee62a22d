"""The answer of a run on emulated microcontrollers, in words: fewest instructions or cycles, least flash."""

from collections.abc import Iterator

from serbench import text
from serbench.catalog.records import ROUNDTRIP
from serbench.results.schema import Answer, Finding, Platform, RowRecord, Run

WANTED = (("deserialize", "to read"), ("serialize", "to write"))


def answer_of_counts(run: Run, most: int) -> Answer:
    """Return the answer for the first `most` emulated platforms of `run`: a line for each.

    Libraries that took every document there are compared, by what all documents together need. A real board's
    times are not in it: they have no intervals.
    """
    findings = []
    documents = 0
    for platform in [each for each in run.platforms if each.kind == "emulated"]:
        own = [row for row in run.rows if row.test == ROUNDTRIP and row.platform == platform.name]
        wanted = {row.dataset for row in own}
        whole = {
            name: found for name, found in _by_library(own).items() if {r.dataset for r in found} == wanted
        }
        said = list(_said(whole, platform))
        if said:
            documents = max(documents, len(wanted))
            findings.append(Finding(subject=platform.name, text="; ".join(said)))
    if not findings:
        return Answer()
    about = f"{text.count(documents)} document{'s' if documents > 1 else ''}, by the libraries that took all"
    return Answer(about=about, findings=findings[:most])


def _by_library(rows: list[RowRecord]) -> dict[str, list[RowRecord]]:
    found: dict[str, list[RowRecord]] = {}
    for row in rows:
        if row.status == "ok":
            found.setdefault(f"{row.contender} ({row.format_name or row.format})", []).append(row)
    return found


def _said(libraries: dict[str, list[RowRecord]], platform: Platform) -> Iterator[str]:
    for metric, words in WANTED:
        totals = {
            name: sum(row.metrics[metric] for row in rows)
            for name, rows in libraries.items()
            if all(metric in row.metrics for row in rows)
        }
        if totals:
            yield f"{words} {_least(totals)} {platform.unit}"
    flash = {
        name: max(row.metrics["flash"] for row in rows)
        for name, rows in libraries.items()
        if all("flash" in row.metrics for row in rows)
    }
    if flash:
        yield f"least flash {_least(flash)} bytes"


def _least(figures: dict[str, int | float]) -> str:
    least = min(figures.values())
    return f"{' and '.join(name for name, figure in figures.items() if figure == least)} {least:,.0f}"
