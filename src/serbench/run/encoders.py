"""Chooses who makes a format's canonical encoding: its first encoder that is here and does not fail."""

from collections.abc import Callable

import msgspec

from serbench.build import Builder, BuildFailed
from serbench.catalog.records import Catalog, Profile, Row, is_source
from serbench.datasets.limits import beyond, without_schema
from serbench.datasets.store import Dataset, Store
from serbench.provision import Provided, Unavailable
from serbench.verify.encodings import Canonical
from serbench.worker.process import WorkerFailure


class Encoders:
    """The encoders of all formats, built in `profile`.

    `library` returns a contender's library, or raises Unavailable.
    """

    def __init__(
        self, catalog: Catalog, builder: Builder, library: Callable[[str], Provided], profile: Profile
    ) -> None:
        self.catalog = catalog
        self.builder = builder
        self.library = library
        self.profile = profile

    def rows(self, format_id: str) -> list[Row]:
        """The write rows that make a format's encodings where none fails, in order of preference.

        They end with the first that takes any data.
        """
        rows: list[Row] = []
        for name in self.catalog.formats[format_id].encoders:
            if is_source(name):
                break
            row = self.catalog.encoder(name)
            if row is None or not self._is_here(row):
                continue
            rows.append(row)
            if row.contender.generated or not row.contender.manifest.schemas:
                break
        return rows

    def _is_here(self, row: Row) -> bool:
        try:
            self.library(row.contender.id)
        except Unavailable:
            return False
        return True

    def encode(self, store: Store, dataset: Dataset, format_id: str) -> Canonical:
        """The canonical encoding of a dataset in a format, or why there is none."""
        stated = self.catalog.formats[format_id]
        excess = beyond(stated.limits, dataset.facts)
        if excess is not None:
            return Canonical(reason=f"{stated.name} cannot express it: the data {excess}", unsupported=True)
        tried: list[Canonical] = []
        for name in stated.encoders:
            made = self._by(name, store, dataset, format_id)
            if made.encoded is not None:
                return made
            tried.append(made)
        # One that takes other data only says nothing of those that are not here.
        able = [made for made in tried if not made.unsupported] or tried[-1:]
        reasons = "; ".join(dict.fromkeys(made.reason for made in able))
        return Canonical(reason=f"no {stated.name} input: {reasons}", unsupported=able[0].unsupported)

    def _by(self, name: str, store: Store, dataset: Dataset, format_id: str) -> Canonical:
        """The encoding by the encoder `name`, or why there is none."""
        row = self.catalog.encoder(name)
        if row is None and not is_source(name):
            return Canonical(reason=f"there is no {name}")
        language = row.language if row else self.catalog.language_of(name)
        if row is not None:
            row, lacking = _on(row, dataset)
            if lacking is not None:
                return Canonical(reason=lacking, unsupported=True)
            excess = beyond(row.limits, dataset.facts)
            if excess is not None:
                return Canonical(reason=f"{name} cannot take it: the data {excess}")
        if dataset.framed and not self.catalog.harness(language).messages:
            return Canonical(
                reason="the harness of its encoder takes one document at a time", unsupported=True
            )
        try:
            if row is None:
                built = self.builder.build_encoder(name, self.profile, dataset.float32)
            else:
                built = self.builder.build(row, self.library(row.contender.id), self.profile)
            limited = self.profile != "check"
            encoded = store.encode(dataset, format_id, built.command, built.digest, limited=limited)
        except (BuildFailed, Unavailable, WorkerFailure) as error:
            return Canonical(reason=f"{name}: {error.reason}")
        return Canonical(
            encoded=encoded,
            encoder=row.contender.manifest.name if row else "serbench",
            library=row.contender.library if row else "",
        )


def _on(row: Row, dataset: Dataset) -> tuple[Row, str | None]:
    """The row with the schema of a dataset, as it encodes that; and why it cannot for lack of one."""
    if not row.contender.generated:
        wide = "it writes every double in 64 bits" if dataset.float32 else None
        return row, wide or without_schema(row.contender.manifest.schemas, dataset.schema)
    lacking = "" if dataset.inferred else dataset.no_schema or "it has no schema"
    return msgspec.structs.replace(row, schema=dataset.inferred), lacking or None
