"""The data of a run in which the user names none: what can be fetched, and fits into the usual budget."""

from collections.abc import Sequence

from serbench.catalog.records import Catalog, Row
from serbench.catalog.selection import INSTEAD
from serbench.datasets.corpus import fetched
from serbench.errors import UserError
from serbench.measure.precision import planned_seconds, usual_budget
from serbench.measure.records import Settings
from serbench.project import CACHE, ROOT
from serbench.provision.toolchain import find


def fetched_or_others(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """The datasets `names`, each fetched, or another in its place; and a sentence for each of these."""
    datasets, sentences = [], []
    for name in names:
        kind, _, document = name.partition(":")
        try:
            if kind == "corpus":
                fetched(document, CACHE)
            datasets.append(name)
        except UserError as error:
            datasets.append(INSTEAD)
            sentences.append(f"{INSTEAD} is measured instead of {name}: {error}")
    return datasets, sentences


def fitting(
    names: Sequence[str], catalog: Catalog, rows: Sequence[Row], settings: Settings
) -> tuple[list[str], list[str]]:
    """As many of the datasets `names` as fit with all launches of `rows`, the first at least; and a sentence.

    Rows whose toolchain is not here take no time. A budget that the user names is the user's concern.
    """
    harnesses = [catalog.harness(row.language) for row in rows]
    absent = {part for h in harnesses for part in h.toolchain.parts if find(ROOT, CACHE, part) is None}
    here = [harness for harness in harnesses if not absent & {*harness.toolchain.parts}]
    seconds, kept = planned_seconds(settings, here), list(names)
    while len(kept) > 1 and len(kept) * seconds > usual_budget(settings, len(kept) * len(here)):
        kept.pop()
    if settings.budget_seconds or len(kept) == len(names):
        return list(names), []
    left = [name for name in names if name not in kept]
    return kept, [
        f"{', '.join(left)} left out, so that every row gets its launches: --datasets {','.join(names)} "
        "measures all, and --languages fewer rows."
    ]
