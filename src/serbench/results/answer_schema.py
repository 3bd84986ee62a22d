"""What a schema buys: in each language the best row without one, and the best with one."""

from collections.abc import Mapping, Sequence

from serbench.catalog.records import NEEDS_SCHEMA
from serbench.datasets.records import DatasetRecord
from serbench.results.candidates import Candidate, winner
from serbench.results.schema import Gain, Run


def needs_schema(row: Candidate) -> bool:
    """Whether the row is of a library that needs a schema."""
    return NEEDS_SCHEMA in row.record.labels


def gains(groups: Mapping[str, Sequence[Candidate]]) -> list[Gain]:
    """Return what a schema buys at each test of `groups`, by languages with comparable rows of both kinds."""
    return [gain for test, rows in groups.items() for gain in _of_test(test, rows)]


def _of_test(test: str, rows: Sequence[Candidate]) -> list[Gain]:
    languages: dict[str, list[Candidate]] = {}
    for row in rows:
        languages.setdefault(row.record.language_name or row.record.language, []).append(row)
    found = []
    for language, own in languages.items():
        with_one = winner([row for row in own if needs_schema(row)])
        without = winner([row for row in own if not needs_schema(row)])
        if with_one is None or without is None:
            continue
        best, other = with_one.best, without.best
        if not (best.ranked and other.ranked):
            continue
        ratio = other.times(best)
        found.append(
            Gain(
                language=language,
                test=test,
                row=best.record.id,
                without=other.record.id,
                ratio=ratio.value if ratio else None,
                proved="faster" if best.beats(other) else "slower" if other.beats(best) else "",
            )
        )
    return sorted(found, key=lambda gain: -(gain.ratio or 0.0))


def schema_formats(run: Run, dataset: DatasetRecord) -> set[str]:
    """The formats all of whose rows on the dataset need a schema."""
    rows = [row for row in run.rows if row.dataset == dataset.name and row.role == "contender"]
    return {row.format for row in rows} - {row.format for row in rows if NEEDS_SCHEMA not in row.labels}
