"""What a schema buys: in each language the best row without one, and the best with one."""

from collections.abc import Sequence

from serbench import text
from serbench.catalog.records import NEEDS_SCHEMA
from serbench.datasets.records import DatasetRecord
from serbench.results.candidates import BELOW_RESOLUTION, Candidate, winner
from serbench.results.schema import Finding, Run

SUBJECT = "a schema buys"
Size = tuple[int, str]


def needs_schema(row: Candidate) -> bool:
    """Whether the row is of a library that needs a schema."""
    return NEEDS_SCHEMA in row.record.labels


def of_test(test: str, rows: Sequence[Candidate]) -> Finding | None:
    """Return by language what is best with and without a schema; None without a language that has both."""
    languages: dict[str, list[Candidate]] = {}
    for row in rows:
        languages.setdefault(row.record.language_name or row.record.language, []).append(row)
    parts: list[tuple[float, str, int]] = []
    for name, own in languages.items():
        with_one = winner([row for row in own if needs_schema(row)])
        without = winner([row for row in own if not needs_schema(row)])
        if with_one is None or without is None:
            continue
        best, other = with_one.best, without.best
        ratio = other.times(best)
        factor = f" ({text.significant(ratio.value, 3)}×)" if ratio and best.beats(other) else ""
        tied = "" if factor or other.beats(best) else " (tied)"
        said = f"{name} {best.record.contender} {_figure(best)}, without {other.record.contender} "
        parts.append((best.value, f"{said}{_figure(other)}{factor or tied}", best.record.id))
    if not parts:
        return None
    parts.sort()
    # The labels of all these rows would hide what is said of them: the tables have them.
    return Finding(
        subject=SUBJECT, text=f"{test}: {'; '.join(said for _, said, _ in parts)}", row=parts[0][2]
    )


def _figure(row: Candidate) -> str:
    size = f" {text.count(row.record.bytes)} B" if row.record.bytes is not None else ""
    if row.counted is not None:
        return f"{row.value:,.0f} instructions{size}"
    if row.result.at_floor:
        return f"{BELOW_RESOLUTION}{size}"
    unit, scale = text.unit_for([row.value])
    return f"{text.significant(row.value / scale, 3)} {unit}{size}"


def schema_formats(run: Run, dataset: DatasetRecord) -> set[str]:
    """The formats all of whose rows on the dataset need a schema."""
    rows = [row for row in run.rows if row.dataset == dataset.name and row.role == "contender"]
    return {row.format for row in rows} - {row.format for row in rows if NEEDS_SCHEMA not in row.labels}
