"""A run on an emulated microcontroller: every firmware contender on every document."""

import tempfile
from collections.abc import Callable, Container, Sequence
from functools import cached_property
from pathlib import Path

import msgspec

from serbench.build.store import Fingerprints
from serbench.catalog.records import ROUNDTRIP, Catalog, Row, Source
from serbench.errors import UserError
from serbench.platforms.firmware.build import FirmwareBuilder, FirmwareFailed, Program, build_counter
from serbench.platforms.firmware.documents import Document
from serbench.platforms.firmware.emulate import emulate
from serbench.platforms.firmware.judge import judge, why_unsupported
from serbench.platforms.firmware.schema import schema_of
from serbench.platforms.firmware.source import document_source, output_size
from serbench.platforms.load import need_tools
from serbench.platforms.records import Microcontroller
from serbench.provision import Provided, Unavailable
from serbench.provision.process import run
from serbench.results.schema import Platform, RowRecord
from serbench.run.context import BuildContext
from serbench.run.resume import platform_differences, refuse, refuse_other_data
from serbench.run.session import RunSession
from serbench.verify.proof_cache import ProofCache

_NOTHING = Provided(source=Source())
STACK = 2048
"""Bytes that a firmware must have left for its stack."""


def row_record(catalog: Catalog, row: Row, platform: str, document: Document, number: int) -> RowRecord:
    """The record of `row` on a document, without what only building and running it tells."""
    manifest = row.contender.manifest
    harness = catalog.harness_of(manifest.language)
    return RowRecord(
        id=number,
        row=row.id,
        contender=manifest.name,
        contender_id=row.contender.id,
        language=manifest.language,
        language_name=catalog.harnesses[harness].languages[manifest.language],
        harness=harness,
        format=row.format,
        format_name=catalog.formats[row.format].name,
        test=row.test,
        variant=row.variant,
        dataset=document.name,
        real_life=document.real_life,
        profile="size",
        status="ok",
        labels=list(row.labels),
        api=manifest.api,
        platform=platform,
    )


class MicrocontrollerRun:
    """Builds, runs and measures `rows` on `documents`, and on nothing but one microcontroller."""

    def __init__(
        self,
        context: BuildContext,
        platform: Microcontroller,
        rows: Sequence[Row],
        documents: Sequence[Document],
        first: int = 0,
    ) -> None:
        """Its rows are numbered from `first` on.

        Raises UserError when the platform is not set up, or a document does not fit its memory.
        """
        need_tools(platform)
        self.context, self.platform, self.documents, self.first = context, platform, documents, first
        self.rows = [row for row in rows if row.role == "contender"]
        self._fingerprints = Fingerprints()
        catalog = context.catalog
        self.baseline = Row(
            contender=catalog.contenders[catalog.harness(self.rows[0].language).baseline], test=ROUNDTRIP
        )
        for document in documents:
            self._refuse_too_large(document)

    def _refuse_too_large(self, document: Document) -> None:
        stated = self.platform.manifest
        # An AVR reads constants from its RAM; the others from their flash.
        needed = output_size(document) + (len(document.encoded("json")) if stated.counter == "avr" else 0)
        room = stated.ram - stated.arena - STACK
        if needed > room:
            raise UserError(
                f"{document.name} does not fit {self.platform.name}: its buffers take {needed:,} bytes, and "
                f"of {stated.ram:,} bytes of RAM {room:,} are left beside {stated.arena:,} for the library's "
                f"document and {STACK:,} for the stack"
            )

    @cached_property
    def compiler(self) -> str:
        """The first line that the compiler says of itself."""
        return run([f"{self.platform.manifest.tools}gcc", "--version"]).output.partition("\n")[0]

    def describe(self) -> Platform:
        """What a run file says of the platform."""
        stated = self.platform.manifest
        if stated.counter == "avr":
            said = run(["dpkg-query", "-W", "-f", "simavr ${Version}", "libsimavr-dev"]).output or "simavr"
        else:
            said = run([stated.emulator[0], "--version"]).output.partition("\n")[0]
        return Platform(
            name=self.platform.name,
            title=stated.title,
            stands_for=stated.stands_for,
            unit=stated.unit,
            compiler=self.compiler,
            flags=" ".join([*stated.flags, "-Os -ffunction-sections -fdata-sections -Wl,--gc-sections"]),
            emulator=said,
        )

    def program(self, row: Row, provided: Provided) -> str:
        """A digest of all that the firmware of `row` is built from except the document."""
        catalog, stated, find = self.context.catalog, self.platform.manifest, self._fingerprints
        folders = [catalog.root / "harness/firmware", catalog.root / "harness/c/include"]
        folders += [self.platform.folder, row.contender.folder]
        words = [self.compiler, *stated.flags, *stated.link, str(stated.arena), row.id, *row.defines]
        words += [provided.origin, provided.version, provided.digest, str(provided.source)]
        if provided.root is not None:
            folders += [provided.root / name for name in provided.source.include]
            files = [path for name in provided.source.files for path in sorted(provided.root.glob(name))]
            words += [find.file(path) for path in files]
        return ProofCache.key(*words, *(find.folder(folder) for folder in folders))

    def _changed(self, before: RowRecord) -> str:
        """What is other than it was when the row was measured; empty if nothing is."""
        index = (before.id - self.first) // len(self.documents)
        row = self.rows[index] if 0 <= index < len(self.rows) else None
        if row is None or before.row != row.id:
            return f"{before.row} is not the row with the number {before.id} now."
        try:
            now = self.program(row, self.context.library(row.contender.id))
        except Unavailable as error:
            return f"{before.row} cannot be measured now: {error.reason}." if before.program else ""
        same = not before.program or before.program == now
        return "" if same else f"{before.row} has another program than the one that was measured."

    @property
    def count(self) -> int:
        """How many rows there will be."""
        return len(self.rows) * len(self.documents)

    def run(self, session: RunSession) -> None:
        """Keep every row that the session's run does not have. Raises UserError."""
        refuse_other_data(session.run, self.documents)
        described = self.describe()
        refuse(platform_differences(session.run, described))
        before = [row for row in session.run.rows if row.platform == self.platform.name]
        refuse([told for told in dict.fromkeys(map(self._changed, before)) if told])
        session.keep(described)
        for document in self.documents:
            session.keep(document.record({}))
        step = session.progress.counter(f"Counting on {self.platform.name}", self.count)
        known = {row.id for row in before}
        for _ in known:
            step()

        def keep(row: RowRecord) -> None:
            session.keep(row)
            step()

        self.measure(known, keep)

    def measure(self, known: Container[int], keep: Callable[[RowRecord], None]) -> None:
        """Give `keep` every row whose number is not `known`. Raises UserError."""
        with tempfile.TemporaryDirectory(prefix="serbench-") as name:
            try:
                runner = TargetRunner(self, Path(name))
            except FirmwareFailed as error:
                raise UserError(f"{self.platform.name}: {error.reason}: {error.output}") from error
            for index, row in enumerate(self.rows):
                start = self.first + index * len(self.documents)
                wanted = [number for number in range(len(self.documents)) if start + number not in known]
                if wanted:
                    objects = runner.prepare(row)
                    for number in wanted:
                        keep(runner.measure(objects, number, start + number))


class Prepared(msgspec.Struct, kw_only=True):
    """A row's library, compiled for the target, or why it is not."""

    row: Row
    status: str = "ok"
    reason: str = ""
    output: str = ""
    origin: str = ""
    program: str = ""
    """A digest of what it is built from."""
    objects: list[Path] = []
    flash: int | None = None
    """What the library adds to the flash."""


class TargetRunner:
    """What all rows of a target share: compiled documents, the counter, the flash without a library."""

    def __init__(self, work: MicrocontrollerRun, folder: Path) -> None:
        """Build what all programs share, in `folder`. Raises FirmwareFailed."""
        self.work, self.context, self.platform, self.documents = (
            work,
            work.context,
            work.platform,
            work.documents,
        )
        root = self.context.catalog.root
        self.counter = build_counter(root, self.platform, folder)
        self.builder = FirmwareBuilder(root, self.platform, folder)
        self._objects: dict[tuple[str, int], Path] = {}
        self._messages: dict[tuple[str, int], list[Path]] = {}
        self._empty = {tree: self._flash_without_library(work.baseline, tree) for tree in (False, True)}

    def _flash_without_library(self, baseline: Row, tree: bool) -> int:
        defines = ["FW_TREE"] if tree else []
        objects = self.builder.library(baseline, _NOTHING, f"empty-{tree}", defines)
        return self._link("json", 0, objects, f"empty-{tree}").flash

    def _document(self, format_id: str, number: int) -> Path:
        key = format_id, number
        if key not in self._objects:
            text = document_source(self.documents[number], format_id)
            self._objects[key] = self.builder.document(text, f"document-{format_id}-{number}")
        return self._objects[key]

    def _generated(self, row: Row, number: int) -> list[Path]:
        """What is generated from the document's schema, for a library that needs it."""
        key = row.contender.id, number
        if row.contender.manifest.firmware.schema and key not in self._messages:
            name = f"{row.contender.folder.name}-{number}"
            made = schema_of(self.documents[number].tree)
            self._messages[key] = self.builder.message(row, self.context.library(key[0]), made, name)
        return self._messages.get(key, [])

    def _link(self, format_id: str, number: int, objects: Sequence[Path], name: str) -> Program:
        return self.builder.link([*objects, self._document(format_id, number)], name)

    def _program(self, made: Prepared, number: int) -> Program:
        whole = [*made.objects, *self._generated(made.row, number)]
        name = f"{made.row.contender.folder.name}-{made.row.format}-{number}"
        return self._link(made.row.format, number, whole, name)

    def prepare(self, row: Row) -> Prepared:
        """Compile the library of `row` and take its flash."""
        made = Prepared(row=row)
        manifest = row.contender.manifest
        try:
            provided = self.context.library(row.contender.id)
            made.origin, made.program = provided.origin, self.work.program(row, provided)
            if manifest.firmware.needs_double <= self.platform.manifest.double_bits:
                group = f"{row.contender.folder.name}-{row.format}"
                made.objects = self.builder.library(row, provided, group, row.defines)
                made.flash = self._flash(made)
        except Unavailable as error:
            made.status, made.reason = "unavailable", error.reason
        except FirmwareFailed as error:
            made.status, made.reason, made.output = "failed", error.reason, error.output
        return made

    def _flash(self, made: Prepared) -> int | None:
        """What the library adds to the flash, on the first document that it takes; None if it takes none."""
        firmware, format_id = made.row.contender.manifest.firmware, made.row.format
        for number, document in enumerate(self.documents):
            if firmware.schema and why_unsupported(made.row.contender, self.platform, document):
                continue
            lengths = [len(document.encoded(format_id)), len(self.documents[0].encoded("json"))]
            return self._program(made, number).flash - self._empty[firmware.tree] - (lengths[0] - lengths[1])
        return None

    def measure(self, made: Prepared, number: int, row_id: int) -> RowRecord:
        """The row on a document with its metrics, or with the reason why it has none."""
        document = self.documents[number]
        blank = row_record(self.context.catalog, made.row, self.platform.name, document, row_id)
        blank.labels += self.platform.manifest.labels
        blank.origin, blank.program = made.origin, made.program
        if made.status != "ok":
            return msgspec.structs.replace(blank, status=made.status, reason=made.reason, output=made.output)
        unsupported = why_unsupported(made.row.contender, self.platform, document)
        if unsupported:
            return msgspec.structs.replace(blank, status="unsupported", reason=unsupported)
        try:
            program = self._program(made, number)
            report = emulate(self.platform, program, self.counter)
            program.path.unlink()
            labels = judge(document, made.row.format, report)
        except FirmwareFailed as error:
            return msgspec.structs.replace(blank, status="failed", reason=error.reason, output=error.output)
        metrics = {"input_bytes": len(document.encoded(made.row.format))} | report.metrics
        return msgspec.structs.replace(
            blank,
            labels=[*blank.labels, *labels],
            library_version=report.version,
            bytes=len(report.output),
            metrics=metrics if made.flash is None else metrics | {"flash": made.flash},
            content_hash=report.content,
            exact_hash=report.exact,
        )
