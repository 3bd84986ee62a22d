"""What exists: contenders and formats, the fields of their manifests one to one."""

import re
from pathlib import Path
from typing import Literal

import msgspec

from serbench.catalog.expected import Expected, Since
from serbench.catalog.harness import Capabilities, HarnessManifest
from serbench.catalog.manifest import Manifest
from serbench.catalog.source import Source
from serbench.catalog.tests import KINDS, ROUNDTRIP, TESTS, Test, TestKind

Profile = Literal["speed", "size", "check"]
PROFILES: tuple[Profile, ...] = ("speed", "size")
"""Those that are measured. `check` is for proofs alone: what the compiler can put into a program to check it
while it runs, in the place of speed."""
Role = Literal["contender", "baseline", "floor"]
ANY_SCHEMA = "any"
NEEDS_SCHEMA = "needs a schema"
"""The label of a row of a contender that needs one."""
MOST_PADDING = 65_536
"""As the harnesses have it."""


class Limits(Manifest, frozen=True, kw_only=True):
    """What a format or a library cannot take; data beyond a limit makes a row `unsupported`.

    Each limit is probed by a test: it must really be one.
    """

    depth: int | None = None
    """The deepest nesting of containers; a flat array has depth 1."""
    megabytes: int | None = None
    """The largest encoding, in units of 2^20 bytes; of messages each may be as large."""
    integers: Literal["u64", "i64", "63-bit", "53-bit"] = "u64"
    """The widest integers: all of 64 bits, signed 64 bits, signed ones but for -2^63, or +-(2^53 - 1).

    Who makes wider ones the nearest doubles has no limit: the proof finds out how many it changes."""
    nul: Literal["any", "values", "none"] = "any"
    """Where a NUL character may stand: anywhere, in strings but not in keys, or nowhere."""
    root: Literal["any", "container", "map"] = "any"


class Firmware(Manifest, frozen=True, kw_only=True):
    """What must be known of a contender to put it on a microcontroller."""

    tree: bool = False
    """Whether it writes from the harness's value tree, because it has no document of its own."""
    integers: Literal["64-bit", "32-bit", "double"] = "64-bit"
    """The widest integers that it takes: those beyond make a row `unsupported`."""
    needs_double: Literal[32, 64] = 32
    """The narrowest doubles that it compiles with."""
    schema: bool = False
    """Whether its code is generated from a schema of each document."""


class Variant(Manifest, frozen=True, kw_only=True):
    """A configuration of a contender, measured as rows of its own."""

    tests: list[Test]
    format: str = ""
    """The format, where it is not the contender's own."""
    sources: dict[Test, str] = {}
    """Sources in place of the plain test's, where macros do not suffice."""
    defines: list[str] = []
    labels: list[str] = []
    without_labels: list[str] = []
    """Labels of the contender that do not hold for this variant."""
    limits: Limits | None = None
    adds: str = ""
    """What more of the library this variant uses, in words. It is then no row: only its code is sized, and a
    label of the plain row says by how much it grows."""


class ContenderManifest(Manifest, frozen=True, kw_only=True):
    """contender.toml: one library in one language for one format."""

    like: str = ""
    """The folder of a contender of the same family, such as `../jackson`, whose manifest says what this one
    does not, and whose files count where this folder has none of the same name."""
    name: str
    language: str
    format: str
    homepage: str = ""
    license: str = ""
    api: str = ""
    """Which of the library's APIs was chosen, and why it is the natural one."""
    left_out: str = ""
    """Which of them were not, and why."""
    role: Role = "contender"
    common: bool = False
    """Whether a run measures it in which the user names no contenders."""
    source: list[Source] = []
    tests: dict[Test, str]
    """Each test and its source file in the contender's folder."""
    variants: dict[str, Variant] = {}
    defines: list[str] = []
    schemas: list[str] = []
    """For a contender that needs a schema: those of the datasets that it can take, for example `records`; or
    `any`, if its code is generated from the schema that serbench infers."""
    standard: str = ""
    """The language standard where it is not the harness's own, for example `gnu++17`."""
    labels: list[str] = []
    """Honesty labels that no probe can find."""
    test_labels: dict[Test, list[str]] = {}
    """Further labels for one test's rows."""
    limits: Limits = Limits()
    test_limits: dict[Test, Limits] = {}
    """In place of `limits` where a test has others."""
    since: list[Since] = []
    """What newer versions of the library do better."""
    padding: int = 1
    """Zero bytes that a reader needs after its input, 1 to MOST_PADDING."""
    firmware: Firmware = Firmware()
    """What a contender for microcontrollers states."""
    known: Expected = Expected()


class Unusable(Manifest, frozen=True, kw_only=True):
    """A library that was tried and is no contender."""

    name: str
    homepage: str
    reason: str


class UnusableLibraries(Manifest, frozen=True, kw_only=True):
    """contenders/<language>/unusable.toml."""

    library: list[Unusable]


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
