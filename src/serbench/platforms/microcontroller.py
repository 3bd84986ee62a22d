"""A run on an emulated target: every firmware contender on every document."""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from serbench.catalog.records import Contender, ContenderManifest, Source
from serbench.errors import UserError
from serbench.platforms.firmware.build import FirmwareBuilder, FirmwareFailed, Program, build_counter
from serbench.platforms.firmware.documents import Document
from serbench.platforms.firmware.emulate import emulate
from serbench.platforms.firmware.judge import judge, why_unsupported
from serbench.platforms.firmware.records import Library
from serbench.platforms.firmware.schema import schema_of
from serbench.platforms.firmware.source import document_source, output_size
from serbench.platforms.load import why_absent
from serbench.platforms.records import Microcontroller
from serbench.provision import Provided, Unavailable, provide
from serbench.provision.process import run
from serbench.results.schema import Count, Platform

_NOTHING = Provided(source=Source())
STACK = 2048
"""Bytes that a firmware must have left for its stack."""


def as_contender(library: Library) -> Contender:
    """A firmware contender as provisioning and --prefix know contenders."""
    manifest = library.manifest
    return Contender(
        id=f"firmware/{library.name}",
        folder=library.folder,
        manifest=ContenderManifest(
            name=manifest.name, language="firmware", format="", source=manifest.source, tests={}
        ),
    )


def refuse_too_large(target: Microcontroller, documents: Sequence[Document]) -> None:
    """Raise UserError for a document that the target's memory cannot hold."""
    stated = target.manifest
    for document in documents:
        # An AVR reads constants from its RAM; the others from their flash.
        needed = output_size(document) + (len(document.encoded("json")) if stated.counter == "avr" else 0)
        room = stated.ram - stated.arena - STACK
        if needed > room:
            raise UserError(
                f"{document.name} does not fit {target.name}: its buffers take {needed:,} bytes, and of "
                f"{stated.ram:,} bytes of RAM {room:,} are left beside {stated.arena:,} for the library's "
                f"document and {STACK:,} for the stack"
            )


class FirmwareSession:
    """Counts on one target. `folder` is for everything that is built."""

    def __init__(
        self, root: Path, cache: Path, target: Microcontroller, prefixes: Mapping[str, Path]
    ) -> None:
        """Raises UserError when the target is not set up."""
        absent = why_absent(target)
        if absent:
            raise UserError(
                f"the platform {target.name} is not set up: ./serbench setup {target.name} ({absent})"
            )
        self.root, self.cache, self.target, self.prefixes = root, cache, target, prefixes

    def platform(self) -> Platform:
        """What a run file says of the target."""
        stated = self.target.manifest
        emulator = stated.emulator[0]
        if stated.counter == "avr":
            said = run(["dpkg-query", "-W", "-f", "simavr ${Version}", "libsimavr-dev"]).output or "simavr"
        else:
            said = run([emulator, "--version"]).output.partition("\n")[0]
        return Platform(
            name=self.target.name,
            title=stated.title,
            stands_for=stated.stands_for,
            unit=stated.unit,
            compiler=run([f"{stated.tools}gcc", "--version"]).output.partition("\n")[0],
            flags=" ".join([*stated.flags, "-Os -ffunction-sections -fdata-sections -Wl,--gc-sections"]),
            emulator=said,
        )

    def count(
        self, libraries: Sequence[Library], documents: Sequence[Document], done: Callable[[Count], None]
    ) -> list[Count]:
        """The rows of `libraries` on `documents`; `done` is told each as it comes. Raises UserError."""
        refuse_too_large(self.target, documents)
        with tempfile.TemporaryDirectory(prefix="serbench-") as name:
            folder = Path(name)
            try:
                counter = build_counter(self.root, self.target, folder)
                builder = FirmwareBuilder(self.root, self.target, folder)
                bench = _Bench(self.target, builder, counter, documents)
                baseline = next(library for library in libraries if library.manifest.role == "baseline")
                bench.measure_empty(baseline)
            except FirmwareFailed as error:
                raise UserError(f"{self.target.name}: {error.reason}: {error.output}") from error
            counts: list[Count] = []
            for library in libraries:
                if library.manifest.role == "contender":
                    counts += self._library(bench, library, documents, done)
            return counts

    def _library(
        self, bench: "_Bench", library: Library, documents: Sequence[Document], done: Callable[[Count], None]
    ) -> list[Count]:
        counts: list[Count] = []
        for format_id in library.manifest.formats:
            blank = self._blank(library, format_id)
            objects: list[Path] = []
            flash: int | None = None
            try:
                provided = provide(as_contender(library), self.cache, self.prefixes)
                blank = msgspec.structs.replace(blank, origin=provided.origin)
                if library.manifest.needs_double <= self.target.manifest.double_bits:
                    objects = bench.builder.library(library, provided, format_id)
                    bench.provided[library.name] = provided
                    flash = bench.flash(library, format_id, objects)
            except Unavailable as error:
                blank = msgspec.structs.replace(blank, status="unavailable", reason=error.reason)
            except FirmwareFailed as error:
                blank = msgspec.structs.replace(
                    blank, status="failed", reason=error.reason, output=error.output
                )
            for number, document in enumerate(documents):
                row = msgspec.structs.replace(blank, document=document.name, real_life=document.real_life)
                if row.status == "ok":
                    row = bench.row(row, library, format_id, number, document, objects, flash)
                counts.append(row)
                done(row)
        return counts

    def _blank(self, library: Library, format_id: str) -> Count:
        stated = library.manifest
        return Count(
            platform=self.target.name,
            contender=stated.name,
            contender_id=f"firmware/{library.name}",
            format=format_id,
            document="",
            status="ok",
            labels=[*stated.labels, *self.target.manifest.labels],
            api=stated.api,
        )


class _Bench:
    """What all rows of a target share: compiled documents, the counter, the flash without a library."""

    def __init__(
        self, target: Microcontroller, builder: FirmwareBuilder, counter: Path, documents: Sequence[Document]
    ) -> None:
        self.target, self.builder, self.counter, self.documents = target, builder, counter, documents
        self.provided: dict[str, Provided] = {}
        """By library, for code that is generated for each document."""
        self._objects: dict[tuple[str, int], Path] = {}
        self._messages: dict[tuple[str, int], list[Path]] = {}
        self._empty: dict[bool, int] = {}

    def document(self, format_id: str, number: int) -> Path:
        """The compiled document."""
        key = format_id, number
        if key not in self._objects:
            text = document_source(self.documents[number], format_id)
            self._objects[key] = self.builder.document(text, f"document-{format_id}-{number}")
        return self._objects[key]

    def measure_empty(self, baseline: Library) -> None:
        """Take the flash of the program without a library, with and without the value tree."""
        for tree in (False, True):
            manifest = msgspec.structs.replace(baseline.manifest, defines=["FW_TREE"] if tree else [])
            library = msgspec.structs.replace(baseline, name=f"empty-{tree}", manifest=manifest)
            objects = self.builder.library(library, _NOTHING, "json")
            self._empty[tree] = self.link("json", 0, objects, library.name).flash

    def messages(self, library: Library, number: int) -> list[Path]:
        """What is generated from the document's schema, for a library that has need of it."""
        key = library.name, number
        if library.manifest.schema and key not in self._messages:
            made = schema_of(self.documents[number].tree)
            name = f"{library.name}-{number}"
            self._messages[key] = self.builder.message(library, self.provided[library.name], made, name)
        return self._messages.get(key, [])

    def flash(self, library: Library, format_id: str, objects: Sequence[Path]) -> int | None:
        """What the library adds to the flash, on the first document that it takes; None if it takes none."""
        for number, document in enumerate(self.documents):
            if library.manifest.schema and why_unsupported(library, self.target, document):
                continue
            whole = [*objects, *self.messages(library, number)]
            program = self.link(format_id, number, whole, f"{library.name}-{format_id}-{number}")
            lengths = [len(document.encoded(format_id)), len(self.documents[0].encoded("json"))]
            return program.flash - self._empty[library.manifest.tree] - (lengths[0] - lengths[1])
        return None

    def link(self, format_id: str, number: int, objects: Sequence[Path], name: str) -> Program:
        """The firmware of a contender's objects on a document."""
        return self.builder.link([*objects, self.document(format_id, number)], name)

    def row(
        self,
        row: Count,
        library: Library,
        format_id: str,
        number: int,
        document: Document,
        objects: Sequence[Path],
        flash: int | None,
    ) -> Count:
        """The row with its counts, or with the reason why it has none."""
        unsupported = why_unsupported(library, self.target, document)
        if unsupported:
            return msgspec.structs.replace(row, status="unsupported", reason=unsupported)
        try:
            whole = [*objects, *self.messages(library, number)]
            program = self.link(format_id, number, whole, f"{library.name}-{format_id}-{number}")
            report = emulate(self.target, program, self.counter)
            program.path.unlink()
            labels = judge(document, format_id, report)
        except FirmwareFailed as error:
            return msgspec.structs.replace(row, status="failed", reason=error.reason, output=error.output)
        return msgspec.structs.replace(
            row,
            labels=[*row.labels, *labels],
            library_version=report.version,
            input_bytes=len(document.encoded(format_id)),
            bytes=len(report.output),
            deserialize_first=report.counts[0],
            deserialize=report.counts[1],
            serialize_first=report.counts[2],
            serialize=report.counts[3],
            deserialize_stack=report.memory["read-stack"],
            serialize_stack=report.memory["write-stack"],
            deserialize_memory=report.memory["read-heap"],
            serialize_memory=report.memory["write-heap"],
            flash=flash,
            content_hash=report.content,
            exact_hash=report.exact,
        )
