"""The PlatformIO project of the benchmark, as `serbench board` writes it."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from serbench.build import Builder, BuildFailed
from serbench.build.contract import Data
from serbench.catalog.records import Row
from serbench.errors import UserError
from serbench.platforms.firmware.documents import Document
from serbench.platforms.firmware.judge import unsupported_data
from serbench.provision.records import Provided


def write_project(
    builder: Builder, folder: Path, chosen: Sequence[tuple[Row, Provided]], documents: Sequence[Document]
) -> list[str]:
    """Write the project into `folder`, which is empty or not there yet. Returns what is left out, and why.

    The `chosen` rows come with their libraries. Raises UserError where a library's sources cannot be used,
    or nothing is left.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError(f"{folder} exists and is not an empty folder")
    rows: list[tuple[Row, Provided, Data]] = []
    left_out: list[str] = []
    for row, provided in chosen:
        manifest = row.contender.manifest
        if row.contender.generated:
            left_out.append(f"{manifest.name}: its code is generated for each document by itself")
            continue
        for document in documents:
            reason = unsupported_data(row.contender, document, double_bits=64)
            if reason:
                left_out.append(f"{manifest.name}, {document.name}: {reason}")
            else:
                rows.append((row, provided, document.data(row)))
    if not rows:
        raise UserError("no row is left for the board: " + "; ".join(left_out))
    try:
        made = builder.build_project(rows)
    except BuildFailed as error:
        raise UserError(f"the project cannot be made: {error.reason}") from error
    shutil.copytree(made, folder, dirs_exist_ok=True)
    return left_out
