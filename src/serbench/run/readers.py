"""Readers that read back what writers made, though nobody chose them: who may, and in which order."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext

from serbench.catalog.records import Row
from serbench.catalog.tests import KINDS
from serbench.provision.downloads import nothing_fetched
from serbench.run.context import BuildContext
from serbench.verify.records import Subject
from serbench.verify.referees import ENOUGH

AHEAD = 4
"""How many libraries that read a format are built at once. Further ones follow if these do not suffice."""
FAR = 2
"""How near a reader is whose language is none of the rows', and whose toolchain may not be here."""
Build = Callable[[Sequence[Row]], Sequence[Subject]]


def referee_rows(context: BuildContext, rows: Sequence[Row]) -> list[Row]:
    """Readers that may have to read back what the writers among `rows` make, though nobody chose them.

    Those in the languages of `rows` come first, then those whose toolchain is given; of these, first the
    libraries that make canonical encodings.
    """
    formats = {row.format for row in rows if row.test in KINDS and row.kind.writes}
    chosen = {row.id for row in rows}
    encoders = {name.partition(":")[0] for each in context.catalog.formats.values() for name in each.encoders}
    possible = [
        row
        for row in context.catalog.rows()
        if row.test in KINDS
        and row.kind.yields == "values"
        and row.role == "contender"
        and row.format in formats
        and row.id not in chosen
    ] + [
        reader
        for row in encoder_rows(context, rows)
        if row.contender.generated
        for reader in _readers(row)[:1]
        if reader.id not in chosen
    ]
    near = _nearness(context, rows)
    return sorted(possible, key=lambda row: (near(row), row.contender.id not in encoders))


def _nearness(context: BuildContext, rows: Sequence[Row]) -> Callable[[Row], int]:
    """What tells of a reader: 0 in a language of `rows`, 1 if its toolchain is given, FAR for any other."""
    languages = {row.language for row in rows if row.role == "contender"}

    def near(row: Row) -> int:
        if row.language in languages:
            return 0
        return 1 if context.catalog.harness(row.language).toolchain.given else FAR

    return near


def _readers(encoder: Row) -> list[Row]:
    """The rows of the same library and variant that read all values, the tree before what reads in place."""
    manifest = encoder.contender.manifest
    tests = manifest.variants[encoder.variant].tests if encoder.variant else manifest.tests
    able = sorted((test for test in tests if test in KINDS), key=list(KINDS).index)
    return [
        Row(contender=encoder.contender, test=test, variant=encoder.variant)
        for test in able
        if KINDS[test].yields == "values"
    ]


def first_readers(context: BuildContext, referees: Sequence[Row], rows: Sequence[Row]) -> list[Row]:
    """Return the `referees` to build at once: of each format AHEAD libraries, and all with generated code.

    The libraries of the readers among `rows` count too, and come first. Those of another language are taken
    only if its toolchain is given, and until there are ENOUGH.
    """
    near, most = _nearness(context, rows), {0: AHEAD, 1: ENOUGH, FAR: 0}
    libraries: dict[str, set[str]] = {}
    for row in rows:
        if row.test in KINDS and row.kind.yields == "values":
            libraries.setdefault(row.format, set()).add(row.contender.library)
    found = []
    for row in referees:
        known = libraries.setdefault(row.format, set())
        another_of_it = row.contender.library in known and near(row) == 0
        if another_of_it or len(known) < most[near(row)] or row.contender.generated:
            known.add(row.contender.library)
            found.append(row)
    return found


class FurtherReaders:
    """Readers of one dataset that are built when others do not do, AHEAD libraries of a format at a time."""

    def __init__(
        self, context: BuildContext, readers: Sequence[Row], rows: Sequence[Row], build: Build
    ) -> None:
        """`readers` are in the order in which they are built, by `build`, to prove `rows`."""
        self._near = near = _nearness(context, rows)
        self._libraries: dict[str, set[str]] = {}
        """For each format, those that are not FAR, with those of `rows`."""
        for row in [*rows, *referee_rows(context, rows)]:
            if row.test in KINDS and row.kind.yields == "values" and near(row) < FAR:
                self._libraries.setdefault(row.format, set()).add(row.contender.library)
        self._build = build
        self._waiting = list(readers)

    def __call__(self, format_id: str) -> Sequence[Subject]:
        """The next of the format that can be built; none if there is no other.

        What is FAR takes part only where its library is here: nothing is fetched for it, unless a library has
        no other to prove it.
        """
        found: Sequence[Subject] = ()
        alone = len(self._libraries.get(format_id, ())) < ENOUGH
        while not found and (batch := self._next(format_id)):
            with nothing_fetched() if self._near(batch[0]) == FAR and not alone else nullcontext():
                found = self._build(batch)
        return found

    def _next(self, format_id: str) -> list[Row]:
        batch: list[Row] = []
        libraries: set[str] = set()
        for row in [row for row in self._waiting if row.format == format_id]:
            libraries.add(row.contender.library)
            if len(libraries) > AHEAD or (batch and self._near(batch[0]) != self._near(row)):
                break
            batch.append(row)
        self._waiting = [row for row in self._waiting if row not in batch]
        return batch


def encoder_rows(context: BuildContext, rows: Sequence[Row]) -> list[Row]:
    """The rows that make the canonical encodings which `rows` read."""
    formats = sorted({r.format for r in rows if r.role == "contender"})
    return [row for name in formats for row in context.encoder_rows(name)]


def needed_rows(context: BuildContext, rows: Sequence[Row]) -> list[Row]:
    """`rows`, and those that they need to be built, too."""
    referees = first_readers(context, referee_rows(context, rows), rows)
    by_id = {r.id: r for r in [*rows, *referees, *encoder_rows(context, rows)]}
    return list(by_id.values())
