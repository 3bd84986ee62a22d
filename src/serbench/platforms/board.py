"""From what a real board said to a run file's records; nothing of it counts before the gate has judged it."""

import configparser
import shlex
from collections.abc import Sequence
from pathlib import Path

import msgspec

from serbench.platforms.firmware.build import FirmwareFailed
from serbench.platforms.firmware.collect import Collected
from serbench.platforms.firmware.documents import Document
from serbench.platforms.firmware.emulate import REASONS, Report
from serbench.platforms.firmware.judge import judge
from serbench.platforms.firmware.line import Row
from serbench.platforms.firmware.records import Library
from serbench.platforms.load import load_libraries, load_platforms
from serbench.platforms.records import Board
from serbench.results.schema import Count, Platform

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


def board_only(board: Board) -> Platform:
    """What a run file says of a chip for real boards only."""
    stated = board.manifest
    return Platform(
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


def counts_of(root: Path, found: Collected, documents: Sequence[Document]) -> list[Count]:
    """The rows that arrived, each with its times or with the reason why it has none."""
    libraries = {library.name: library for library in load_libraries(root)}
    by_name = {document.name: document for document in documents}
    return [
        _count(found.begin.board, row, libraries.get(row.library), by_name.get(row.document))
        for _, row in sorted(found.rows.items())
    ]


def _count(board: str, row: Row, library: Library | None, document: Document | None) -> Count:
    blank = Count(
        platform=board,
        contender=library.manifest.name if library else row.library,
        contender_id=f"firmware/{row.library}",
        format=row.format,
        document=row.document,
        real_life=document.real_life if document else False,
        status="failed",
        labels=list(library.manifest.labels) if library else [],
        library_version=row.version,
        api=library.manifest.api if library else "",
    )
    if library is None or row.format not in library.manifest.formats:
        return msgspec.structs.replace(blank, reason="there is no such firmware contender here")
    if document is None:
        reason = "there is no document of this name here: name the same --data as when the firmware was made"
        return msgspec.structs.replace(blank, reason=reason)
    if row.failed:
        return msgspec.structs.replace(blank, reason=REASONS.get(row.failed, row.failed))
    said = Report(
        version=row.version,
        exact=row.exact,
        content=row.content,
        numbers=row.numbers,
        output=bytes.fromhex(row.output),
        memory={},
        counts=(0, 0, 0, 0),
    )
    try:
        labels = judge(document, row.format, said)
    except FirmwareFailed as error:
        return msgspec.structs.replace(blank, reason=error.reason)
    return msgspec.structs.replace(
        blank,
        status="ok",
        labels=[*blank.labels, *labels],
        input_bytes=len(document.encoded(row.format)),
        bytes=len(said.output),
        deserialize_first=row.read.first,
        deserialize=round(row.read.total / row.repeats, 2),
        serialize_first=row.write.first,
        serialize=round(row.write.total / row.repeats, 2),
        deserialize_memory=row.read.memory,
        serialize_memory=row.write.memory,
        content_hash=row.content,
        exact_hash=row.exact,
    )
