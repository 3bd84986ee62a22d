"""The data of a run in which the user names none: what can be fetched."""

from collections.abc import Sequence

from serbench.catalog.selection import INSTEAD
from serbench.datasets.corpus import fetched
from serbench.errors import UserError
from serbench.project import CACHE


def available_datasets(names: Sequence[str]) -> tuple[list[str], list[str]]:
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
