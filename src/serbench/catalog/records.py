"""What exists: contenders and formats, and the rows that can be measured."""

import re
from pathlib import Path
from typing import Literal

import msgspec

from serbench.catalog.contender import ContenderManifest, Limits, Role
from serbench.catalog.harness import Capabilities, HarnessManifest
from serbench.catalog.manifest import Manifest
from serbench.catalog.tests import KINDS, ROUNDTRIP, TESTS, Test, TestKind

Profile = Literal["speed", "size", "check"]
PROFILES: tuple[Profile, ...] = ("speed", "size")
"""Those that are measured. `check` is for proofs alone: what the compiler can put into a program to check it
while it runs, in the place of speed."""
ANY_SCHEMA = "any"
NEEDS_SCHEMA = "needs a schema"
"""The label of a row of a contender that needs one."""


class FormatManifest(Manifest, frozen=True, kw_only=True):
    """formats/<format>.toml."""

    name: str
    ending: str
    specification: str = ""
    encoding: str = ""
    """In words, what of the format's choices the canonical encoding has."""
    encoders: list[str]
    """The encoders that write it, in order of preference; their bytes are equal. Each is a contender's
    write test (`c/mpack`, in a variant `cpp/capnp:packed`), or a source in formats/ with that test's contract
    (`cbor.c`)."""
    limits: Limits = Limits()
    text: bool = False
    emitters: dict[str, list[str]] = {}
    """By the name that `serbench schema --format` knows: the command that reads a schema as JSON and writes
    it in a schema language. The word `python` is serbench's own."""


def is_source(encoder: str) -> bool:
    """Whether an entry of a format's `encoders` is a source in formats/."""
    return "/" not in encoder


class Contender(msgspec.Struct, frozen=True, kw_only=True):
    """A contender as it was found: its manifest and where it stands."""

    id: str
    """`<language>/<folder>`, for example `c/mpack`."""
    folder: Path
    manifest: ContenderManifest
    checkout: Path | None = None
    """The folder of the library that `--use` named."""
    label: str = ""
    """What stands behind the @ of its id, for one that `--use` added."""
    hidden: bool = False
    """There to make canonical encodings only, and no row of its own."""

    @property
    def library(self) -> str:
        """The library's name as shown, whichever version it is."""
        return self.manifest.name.removesuffix(f" @{self.label}")

    @property
    def generated(self) -> bool:
        """Whether its code is generated for each dataset, from the schema that serbench infers."""
        return ANY_SCHEMA in self.manifest.schemas


class SchemaFile(msgspec.Struct, frozen=True, kw_only=True):
    """A schema in the cache, as build programs read it; its name tells what is in it."""

    path: Path


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that can be measured: a test of a contender, plain or in a variant."""

    contender: Contender
    test: Test
    variant: str = ""
    schema: SchemaFile | None = None
    """What its code is generated from, once it is known which data it is for."""

    @property
    def id(self) -> str:
        """`c/mpack:tree` or `cpp/rapidjson:tree:in-situ`."""
        return ":".join(filter(None, (self.contender.id, self.test, self.variant)))

    @property
    def kind(self) -> TestKind:
        """What the test is. Raises KeyError for that of a microcontroller, which no worker does."""
        return KINDS[self.test]

    @property
    def language(self) -> str:
        """The contender's language."""
        return self.contender.manifest.language

    @property
    def format(self) -> str:
        """The id of the format, the contender's or the variant's."""
        manifest = self.contender.manifest
        return (manifest.variants[self.variant].format if self.variant else "") or manifest.format

    @property
    def role(self) -> Role:
        """The contender's role."""
        return self.contender.manifest.role

    @property
    def grown(self) -> "Row | None":
        """The variant of a plain row that instantiates more of the library and is only sized."""
        variants = self.contender.manifest.variants.items()
        names = [name for name, variant in variants if variant.adds and self.test in variant.tests]
        if self.variant or not names:
            return None
        return Row(contender=self.contender, test=self.test, variant=names[0])

    @property
    def source(self) -> Path:
        """The contender's own source file of this test."""
        manifest = self.contender.manifest
        chosen = manifest.variants[self.variant].sources.get(self.test) if self.variant else None
        return self.contender.folder / (chosen or manifest.tests[self.test])

    @property
    def defines(self) -> list[str]:
        """The macros of the manifest and of the variant."""
        manifest = self.contender.manifest
        return manifest.defines + (manifest.variants[self.variant].defines if self.variant else [])

    @property
    def labels(self) -> list[str]:
        """The labels stated by the manifest, for the test and by the variant."""
        manifest = self.contender.manifest
        needs = [NEEDS_SCHEMA] if manifest.schemas else []
        stated = needs + manifest.labels + manifest.test_labels.get(self.test, [])
        if not self.variant:
            return stated
        variant = manifest.variants[self.variant]
        return [label for label in stated if label not in variant.without_labels] + variant.labels

    def for_version(self, version: str) -> "Row":
        """The row with what its manifest says of `version` of the library; an unknown one is an old one."""
        manifest = self.contender.manifest
        for change in manifest.since:
            if _numbers(version) < _numbers(change.version):
                continue
            kept = {
                test: [label for label in labels if label not in change.without_labels]
                for test, labels in manifest.test_labels.items()
            }
            manifest = msgspec.structs.replace(
                manifest,
                labels=[label for label in manifest.labels if label not in change.without_labels],
                test_labels=kept,
                known=msgspec.structs.replace(
                    manifest.known, outputs=manifest.known.outputs | change.outputs
                ),
            )
        if manifest is self.contender.manifest:
            return self
        return msgspec.structs.replace(
            self, contender=msgspec.structs.replace(self.contender, manifest=manifest)
        )

    @property
    def limits(self) -> Limits:
        """The limits of the variant where it states any, else the test's, else the manifest's."""
        manifest = self.contender.manifest
        stated = manifest.variants[self.variant].limits if self.variant else None
        return stated or manifest.test_limits.get(self.test) or manifest.limits


def _numbers(version: str) -> list[int]:
    """The numbers of a version for comparison; those of a distribution's own count last."""
    return [int(number) for number in re.findall(r"[0-9]+", version)]


class Catalog(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the manifests say."""

    root: Path
    contenders: dict[str, Contender]
    formats: dict[str, FormatManifest]
    harnesses: dict[str, HarnessManifest]
    broken: dict[str, str] = {}
    """Contenders whose manifests are bad, by their folders' names, and what is wrong."""

    def harness_of(self, language: str) -> str:
        """The name of the harness that serves `language`."""
        return next(name for name, h in self.harnesses.items() if language in h.languages)

    def harness(self, language: str) -> HarnessManifest:
        """The manifest of the harness that serves `language`."""
        return self.harnesses[self.harness_of(language)]

    def encoder(self, name: str) -> Row | None:
        """The write row that an entry of a format's `encoders` names; None for a source or an unknown one."""
        contender_id, _, variant = name.partition(":")
        contender = self.contenders.get(contender_id)
        return Row(contender=contender, test="write", variant=variant) if contender else None

    def language_of(self, source: str) -> str:
        """The language of a source, by its ending; empty if no harness has it."""
        ending = source.rpartition(".")[2]
        languages = ((language, h) for h in self.harnesses.values() for language in h.languages)
        return next((language for language, h in languages if (h.suffix or language) == ending), "")

    def capabilities(self, row: Row) -> Capabilities:
        """What serbench can do with the workers of the row's harness."""
        return self.harness(row.language).capabilities

    def harness_folder(self, language: str) -> Path:
        """The folder of the harness that serves `language`."""
        return self.root / "harness" / self.harness_of(language)

    @property
    def compilers(self) -> list[str]:
        """What --compiler may name."""
        return list(dict.fromkeys(n for h in self.harnesses.values() for n in h.capabilities.compilers))

    @property
    def references(self) -> list[str]:
        """The contenders that the others of their language are compared with."""
        return sorted({harness.reference for harness in self.harnesses.values()} - {""})

    def rows(self, generated: bool = False) -> list[Row]:
        """All rows, in the order of contender ids, tests and variants.

        Those whose code is generated for each dataset only if `generated`: nothing can be built of them
        before it is known which.
        """
        rows: list[Row] = []
        for contender in self.contenders.values():
            if contender.hidden or (contender.generated and not generated):
                continue
            for test in (*TESTS, ROUNDTRIP):
                if test in contender.manifest.tests:
                    rows.append(Row(contender=contender, test=test))
                rows += [
                    Row(contender=contender, test=test, variant=name)
                    for name, variant in contender.manifest.variants.items()
                    if test in variant.tests and not variant.adds
                ]
        return rows
