"""Which rows a command is about: the options --tests, --languages and --contenders."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import PurePath

from serbench.catalog.records import Catalog, Contender, Row
from serbench.catalog.tests import ROUNDTRIP, TESTS, USUAL
from serbench.errors import UserError, unknown

DEFAULT_DATASETS = ("generated:2", "generated:4")
COMMON_TESTS = ("write", "tree")
COMMON_DATASETS = ("corpus:citm_catalog",)
"""What a run measures in which the user names nothing: one document, so that each language has room."""
INSTEAD = "generated:4:safe"
"""What it measures in place of a document that cannot be fetched."""
PUBLISHED = "published"
"""The variant of a baseline that is the 2016 suite's."""


def names_of(contender: Contender) -> set[str]:
    """The names by which a user may ask for a contender, in lower case: its id, folder and library."""
    return {name.casefold() for name in (contender.id, PurePath(contender.id).name, contender.manifest.name)}


def _matching(catalog: Catalog, pattern: str) -> set[str]:
    wanted = pattern.casefold()
    found = {
        contender.id
        for contender in catalog.contenders.values()
        if not contender.hidden and any(fnmatchcase(name, wanted) for name in names_of(contender))
    }
    if not found:
        if wanted in catalog.broken:
            raise UserError(catalog.broken[wanted])
        known = {name for c in catalog.contenders.values() if not c.hidden for name in names_of(c)}
        raise unknown("contender", pattern, known)
    return found


def _checked(kind: str, names: Sequence[str], known: Sequence[str]) -> set[str]:
    for name in names:
        if name not in known:
            raise unknown(kind, name, known)
    return set(names)


def split(values: Sequence[str]) -> list[str]:
    """An option's values: it may be repeated, and each may be a list with commas.

    Raises UserError where it is given and names nothing, as a script's empty variable would: that is not all.
    """
    parts = [part.strip() for value in values for part in value.split(",") if part.strip()]
    if values and not parts:
        raise UserError(f"a list of names is empty: {','.join(values)!r}; leave the option out to mean all")
    return parts


def select_rows(
    catalog: Catalog,
    tests: Sequence[str] = (),
    languages: Sequence[str] = (),
    contenders: Sequence[str] = (),
    published: bool = False,
    common: bool = False,
) -> list[Row]:
    """The rows of the chosen tests, languages and contenders (glob patterns); everything where none is named.

    For tests, everything is all usual ones. With `common`, a language has only its common contenders (all if
    it states none), without variants. Baselines and memcpy rows of the languages and tests that take part
    always come along, as do contenders that --use added. Raises UserError for an unknown name, with the
    nearest one, or if nothing is left.
    """
    known_languages = [language for harness in catalog.harnesses.values() for language in harness.languages]
    wanted_tests = _checked("test", tests, TESTS) or {*USUAL, ROUNDTRIP}
    wanted_languages = _checked("language", languages, known_languages) or set(known_languages)
    wanted = set(catalog.contenders)
    if contenders:
        wanted = set().union(*(_matching(catalog, pattern) for pattern in contenders))
        wanted |= {contender.id for contender in catalog.contenders.values() if contender.label}
    rows = [row for row in catalog.rows(generated=True) if row.test in wanted_tests]
    chosen = [
        row
        for row in rows
        if row.role == "contender" and row.language in wanted_languages and row.contender.id in wanted
    ]
    if common:
        stating = {row.language for row in chosen if row.contender.manifest.common}
        chosen = [
            row
            for row in chosen
            if not row.variant and (row.contender.manifest.common or row.language not in stating)
        ]
    if not chosen:
        raise UserError("no row is selected: these tests, languages and contenders have no row in common")
    parts = {(catalog.harness_of(row.language), row.test) for row in chosen}
    own = [
        row
        for row in rows
        if row.role != "contender"
        and (published or row.variant != PUBLISHED)
        and (catalog.harness_of(row.language), row.test) in parts
    ]
    return own + chosen


def usual_datasets(
    catalog: Catalog, rows: Sequence[Row], others: Sequence[str] = DEFAULT_DATASETS
) -> Sequence[str]:
    """The datasets for `rows` where the user names none: those of their harness, if they have one alone.

    If it states none, or there are several, the `others`.
    """
    harnesses = {catalog.harness_of(row.language) for row in rows}
    stated = [catalog.harnesses[name].datasets for name in harnesses]
    return stated[0] if len(stated) == 1 and stated[0] else others
