"""A run on an emulated microcontroller: every firmware contender on every document."""

import shutil
from collections.abc import Callable, Container, Sequence
from pathlib import Path

import msgspec

from serbench.build import Builder, BuildFailed, Built
from serbench.catalog.records import Row
from serbench.catalog.tests import ROUNDTRIP
from serbench.errors import UserError
from serbench.files import scratch
from serbench.measure.codesize import NotMeasurable, text_and_data
from serbench.platforms.firmware.documents import Document
from serbench.platforms.firmware.emulate import FirmwareFailed, emulate
from serbench.platforms.firmware.judge import judge, why_unsupported
from serbench.platforms.load import describe_platform, need_tools
from serbench.platforms.records import Board, Microcontroller
from serbench.provision import Unavailable
from serbench.results.schema import Platform, RowRecord
from serbench.run.context import BuildContext
from serbench.run.proving import blank_record, library_labels
from serbench.run.resume import platform_differences, refuse, refuse_other_data
from serbench.run.session import RunSession

STACK = 2048
"""Bytes that a firmware must have left for its stack."""


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
        self.builder = Builder(context.catalog, context.cache, cross=platform.cross)
        self._flashes: dict[str, int | None] = {}
        for document in documents:
            self._refuse_too_large(document)

    def _refuse_too_large(self, document: Document) -> None:
        stated = self.platform
        # An AVR reads constants from its RAM; the others from their flash.
        needed = document.room + (len(document.encoded("json")) if stated.counter == "avr" else 0)
        room = stated.ram - stated.arena - STACK
        if needed > room:
            raise UserError(
                f"{document.name} does not fit {stated.name}: its buffers take {needed:,} bytes, and "
                f"of {stated.ram:,} bytes of RAM {room:,} are left beside {stated.arena:,} for the library's "
                f"document and {STACK:,} for the stack"
            )

    @property
    def count(self) -> int:
        """How many rows there will be."""
        return len(self.rows) * len(self.documents)

    def run(self, session: RunSession) -> None:
        """Keep every row that the session's run does not have. Raises UserError."""
        refuse_other_data(session.run, self.documents)
        described = describe_platform(self.platform, self.platform.unit, self._without_library(False).flags)
        refuse(platform_differences(session.run, described))
        before = {row.id: row for row in session.run.rows if row.platform == self.platform.name}
        refuse([told for told in map(self._changed, before.values()) if told])
        session.keep(described)
        for document in self.documents:
            session.keep(document.record({}))
        step = session.progress.counter(f"Counting on {self.platform.name}", self.count)
        for _ in before:
            step()

        def keep(row: RowRecord) -> None:
            session.keep(row)
            step()

        self.measure(before, keep)

    def measure(self, known: Container[int], keep: Callable[[RowRecord], None]) -> None:
        """Give `keep` every row whose number is not `known`. Raises UserError."""
        with scratch() as folder:
            # A comma in the clone's path would end the plugin's name.
            counter = Path(shutil.copy(self.context.tool(f"{self.platform.counter}-counter"), folder))
            for number in range(self.first, self.first + self.count):
                if number not in known:
                    keep(self._row(number, counter))

    def _of(self, number: int) -> tuple[Row, Document]:
        """The row and the document of a number."""
        row, document = divmod(number - self.first, len(self.documents))
        return self.rows[row], self.documents[document]

    def _changed(self, before: RowRecord) -> str:
        """What is other than it was when the row was measured; empty if nothing is."""
        if not 0 <= before.id - self.first < self.count or self._of(before.id)[0].id != before.row:
            return f"{before.row} is not the row with the number {before.id} now."
        if not before.program:
            return ""
        try:
            now = self._build(*self._of(before.id)).digest
        except (Unavailable, BuildFailed) as error:
            return f"{before.row} cannot be measured now: {error.reason}."
        same = now == before.program
        return "" if same else f"{before.row} has another program than the one that was measured."

    def _build(self, row: Row, document: Document) -> Built:
        """The firmware of `row` with `document`. Raises Unavailable and BuildFailed."""
        library = self.context.library(row.contender.id)
        return self.builder.build(document.row(row), library, "size", data=document.data(row))

    def _without_library(self, tree: bool) -> Built:
        """The firmware of the baseline, which keeps the document's `tree` or not. Raises UserError."""
        catalog = self.context.catalog
        baseline = catalog.contenders[catalog.harness(self.rows[0].language).baseline]
        row = Row(contender=baseline, test=ROUNDTRIP, variant="tree" if tree else "")
        try:
            return self._build(row, self.documents[0])
        except BuildFailed as error:
            raise UserError(f"{self.platform.name}: {error.reason}: {error.output}") from error

    def _flash(self, row: Row) -> int | None:
        """What the library adds to the flash, on the first document that it is built with; None without one.

        Raises Unavailable and NotMeasurable.
        """
        if row.id not in self._flashes:
            firmware, size = row.contender.manifest.firmware, f"{self.platform.tools}size"
            flash = None
            for document in self.documents if firmware.needs_double <= self.platform.double_bits else ():
                if row.contender.generated and why_unsupported(row.contender, self.platform, document):
                    continue
                try:
                    built = self._build(row, document)
                except BuildFailed:  # such as one that is too large; its own row says so
                    continue
                empty = text_and_data(self._without_library(firmware.tree).size_of, size)
                data = len(document.encoded(row.format)) - len(self.documents[0].encoded("json"))
                flash = text_and_data(built.size_of, size) - empty - data
                break
            self._flashes[row.id] = flash
        return self._flashes[row.id]

    def _row(self, number: int, counter: Path) -> RowRecord:
        """The row of a number with its metrics, or with the reason why it has none."""
        row, document = self._of(number)
        found = blank_record(self.context.catalog, number, row, document.name, "size")
        found.platform, found.real_life = self.platform.name, document.real_life
        found.labels += self.platform.labels
        replace = msgspec.structs.replace
        try:
            library = self.context.library(row.contender.id)
            found.origin = library.origin
            found.labels += library_labels(library)
            flash = self._flash(row)
            unsupported = why_unsupported(row.contender, self.platform, document)
            if unsupported:
                return replace(found, status="unsupported", reason=unsupported)
            built = self._build(row, document)
            found.program = built.digest
            report = emulate(self.platform, built.size_of, counter)
            labels = judge(document, row.format, report)
        except Unavailable as error:
            return replace(found, status="unavailable", reason=error.reason)
        except (BuildFailed, FirmwareFailed) as error:
            return replace(found, status="failed", reason=error.reason, output=error.output)
        except NotMeasurable as error:
            return replace(found, status="failed", reason=str(error))
        metrics = {"input_bytes": len(document.encoded(row.format))} | report.metrics
        return replace(
            found,
            labels=[*found.labels, *labels],
            library_version=report.version,
            bytes=len(report.output),
            metrics=metrics if flash is None else metrics | {"flash": flash},
            content_hash=report.content,
            exact_hash=report.exact,
        )


class BoardOnly:
    """The step that puts chips for real boards only into a run, with the reason why they have no rows."""

    def __init__(self, boards: Sequence[Board]) -> None:
        self.boards = boards

    def run(self, session: RunSession) -> None:
        """Keep what is said of each."""
        for board in self.boards:
            session.keep(
                Platform(
                    name=board.name,
                    title=board.title,
                    stands_for=board.stands_for,
                    unit="microseconds",
                    compiler="",
                    flags="",
                    emulator="",
                    kind="board-only",
                    reason=board.reason,
                )
            )
