"""A run of a real board: each row that arrives is proved by the same gate as an emulated one's, and kept."""

import configparser
import shlex
from collections.abc import Sequence
from pathlib import Path

import msgspec

from serbench.catalog.records import Catalog
from serbench.errors import UserError
from serbench.kinds.board.collector import OTHER, Collector
from serbench.kinds.board.line import Begin, RowLine
from serbench.measure.records import Plan
from serbench.platforms.firmware.documents import Document
from serbench.platforms.firmware.emulate import REASONS, FirmwareFailed, Report
from serbench.platforms.firmware.inputs import documents_named, firmware_context
from serbench.platforms.firmware.judge import judge
from serbench.platforms.load import load_platforms
from serbench.results.counts import Count, rows_of
from serbench.results.machine import this_machine
from serbench.results.schema import Platform, RowRecord, Run
from serbench.run.inputs import Inputs
from serbench.run.kind import Prepared
from serbench.run.proving import blank_record
from serbench.run.resume import refuse_other_data
from serbench.run.session import RunSession

PROJECT = "harness/firmware/platformio/platformio.ini"
"""The boards that have an environment, and the flags of all; a user's own environment is in his copy."""
UNKNOWN = "a real board"


class Environments(msgspec.Struct, frozen=True, kw_only=True):
    """What the project for real boards says of them."""

    flags: str
    """What all are compiled with, but for the macros that PlatformIO gives each board."""
    titles: dict[str, str]
    """By the name of the environment."""


def load_environments(root: Path) -> Environments:
    """The environments of PlatformIO in the project at `root`."""
    stated = configparser.ConfigParser(interpolation=None)
    stated.read_string((root / PROJECT).read_text("utf-8"))
    flags = [word for word in shlex.split(stated["env"]["build_flags"]) if "$" not in word]
    names = {name: name.removeprefix("env:") for name in stated.sections() if name.startswith("env:")}
    return Environments(
        flags=" ".join(flags),
        titles={short: stated[name]["custom_title"] for name, short in names.items()},
    )


def board_platform(root: Path, begin: Begin) -> Platform:
    """What a run file says of the board that answered."""
    known, environments = load_platforms(root).get(begin.board), load_environments(root)
    return Platform(
        name=begin.board,
        title=known.title if known else environments.titles.get(begin.board, UNKNOWN),
        stands_for=known.stands_for if known else [begin.board],
        unit="microseconds",
        compiler=begin.compiler,
        flags=environments.flags,
        emulator="",
        kind="board",
        core=begin.core,
    )


class SerialLine(msgspec.Struct, frozen=True):
    """Where a board is, and how it speaks."""

    port: str
    baud: int
    timeout: float
    """Seconds of silence after which it says no more."""


class BoardInputs(Inputs):
    """The user's documents, and the board that measures them."""

    def __init__(self, data: Sequence[Path], line: SerialLine) -> None:
        super().__init__(data=data)
        self.line = line


def prepare(plan: Plan, inputs: Inputs, _earlier: Run | None) -> Prepared:
    """What a plan means with the board of `inputs`. Raises UserError."""
    if not isinstance(inputs, BoardInputs):
        raise UserError("a real board measures by ./serbench collect")
    context = firmware_context()
    documents = documents_named(plan.datasets, inputs.data, context)
    return Prepared(this_machine({}), [BoardRun(context.catalog, documents, inputs.line)])


class BoardRun:
    """The step that collects the rows of a real board."""

    def __init__(self, catalog: Catalog, documents: Sequence[Document], line: SerialLine) -> None:
        self.catalog, self.documents, self.line = catalog, documents, line

    def run(self, session: RunSession) -> None:
        """Keep every row that arrives and that the session's run does not have. Raises UserError.

        The board begins anew; rows that the run has must be those that it says again.
        """
        import serial  # wanted here only

        refuse_other_data(session.run, self.documents)
        known = {row.id: row for row in session.run.rows}
        show, where = session.progress.measuring(), f"at {self.line.port}"
        show(0.0, where)

        def keep(begin: Begin, said: RowLine) -> None:
            if not session.run.platforms:
                session.keep(board_platform(self.catalog.root, begin))
                for document in self.documents:
                    session.keep(document.record({}))
            row = row_of_board(self.catalog, begin.board, said, self.documents)
            (board,) = session.run.platforms
            before = known.setdefault(row.id, row)
            was = board.name, board.core, board.compiler, before.row, before.dataset, before.library_version
            now = begin.board, begin.core, begin.compiler, row.row, row.dataset, row.library_version
            if was != now:
                raise UserError(OTHER)
            if before is row:
                session.keep(row)
                show(len(known) / begin.rows, where)

        silence = self.line.timeout
        try:
            port = serial.Serial(self.line.port, self.line.baud, timeout=0.1, write_timeout=silence)
        except (ValueError, OSError) as error:
            raise UserError(f"the serial port {self.line.port} cannot be used: {error}") from error
        try:
            with port:
                if not Collector(port, silence, keep, session.note, known).collect():
                    session.miss_some()
        finally:
            session.run.rows.sort(key=lambda row: row.id)  # one that was damaged at first came later


def row_of_board(catalog: Catalog, board: str, said: RowLine, documents: Sequence[Document]) -> RowRecord:
    """A row that arrived, with its times or with the reason why it has none."""
    rows = {(row.contender.folder.name, row.format): row for row in catalog.rows()}
    row = rows.get((said.library, said.format))
    document = next((known for known in documents if known.name == said.document), None)
    if row is None:
        count = Count(
            platform=board,
            contender=said.library,
            contender_id=f"firmware/{said.library}",
            format=said.format,
            document=said.document,
            status="failed",
            reason="there is no such firmware contender",
        )
        return rows_of([count], said.number)[0]
    blank = blank_record(catalog, said.number, row, said.document, "size")
    blank.status, blank.library_version, blank.platform = "failed", said.version, board
    blank.real_life = document is not None and document.real_life
    if document is None:
        blank.reason = "there is no document of this name: give the same --data as to ./serbench board"
        return blank
    if said.failed:
        blank.reason = REASONS.get(said.failed, said.failed)
        return blank
    report = Report(
        version=said.version,
        exact=said.exact,
        content=said.content,
        numbers=said.numbers,
        output=bytes.fromhex(said.output),
        metrics={},
    )
    try:
        labels = judge(document, said.format, report)
    except FirmwareFailed as error:
        blank.reason = error.reason
        return blank
    return msgspec.structs.replace(
        blank,
        status="ok",
        labels=[*blank.labels, *labels],
        bytes=len(report.output),
        metrics={
            "input_bytes": len(document.encoded(said.format)),
            "deserialize_first": said.read.first,
            "deserialize": round(said.read.total / said.repeats, 2),
            "serialize_first": said.write.first,
            "serialize": round(said.write.total / said.repeats, 2),
            "deserialize_memory": said.read.memory,
            "serialize_memory": said.write.memory,
        },
        content_hash=said.content,
        exact_hash=said.exact,
    )
