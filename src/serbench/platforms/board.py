"""What a real board said as rows of a run file, each proved by the same gate as an emulated one's."""

import configparser
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from serbench.catalog.records import Catalog
from serbench.catalog.records import Row as CatalogRow
from serbench.platforms.firmware.build import FirmwareFailed
from serbench.platforms.firmware.collect import Collected
from serbench.platforms.firmware.documents import Document
from serbench.platforms.firmware.emulate import REASONS, Report
from serbench.platforms.firmware.judge import judge
from serbench.platforms.firmware.line import Row
from serbench.platforms.load import load_platforms
from serbench.platforms.microcontroller import row_record
from serbench.platforms.records import Board
from serbench.results.counts import Count, rows_of
from serbench.results.schema import Platform, RowRecord
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


class BoardOnly:
    """The step that puts chips for real boards only into a run, with the reason why they have no rows."""

    def __init__(self, boards: Sequence[Board]) -> None:
        self.boards = boards

    def run(self, session: RunSession) -> None:
        """Keep what is said of each."""
        for board in self.boards:
            stated = board.manifest
            session.keep(
                Platform(
                    name=board.name,
                    title=stated.title,
                    stands_for=stated.stands_for,
                    unit="microseconds",
                    compiler="",
                    flags="",
                    emulator="",
                    kind="board-only",
                    reason=stated.reason,
                )
            )


def board_platform(root: Path, found: Collected) -> Platform:
    """What a run file says of the board that answered."""
    begin = found.begin
    known, environments = load_platforms(root).get(begin.board), load_environments(root)
    return Platform(
        name=begin.board,
        title=known.manifest.title if known else environments.titles.get(begin.board, UNKNOWN),
        stands_for=known.manifest.stands_for if known else [begin.board],
        unit="microseconds",
        compiler=begin.compiler,
        flags=environments.flags,
        emulator="",
        kind="board",
        core=begin.core,
    )


def rows_of_board(catalog: Catalog, found: Collected, documents: Sequence[Document]) -> list[RowRecord]:
    """The rows that arrived, each with its times or with the reason why it has none."""
    known = {(row.contender.folder.name, row.format): row for row in catalog.rows()}
    by_name = {document.name: document for document in documents}
    return [
        _judged(catalog, found.begin.board, said, known.get((said.library, said.format)), by_name)
        for _, said in sorted(found.rows.items())
    ]


def _judged(
    catalog: Catalog, board: str, said: Row, row: CatalogRow | None, documents: Mapping[str, Document]
) -> RowRecord:
    document = documents.get(said.document)
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
    shown = document or Document(name=said.document, tree=None)
    blank = row_record(catalog, row, board, shown, said.number)
    blank.status, blank.library_version = "failed", said.version
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
