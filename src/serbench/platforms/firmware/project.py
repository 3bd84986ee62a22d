"""The PlatformIO project of the benchmark: the firmware's sources, libraries and documents in one folder.

All rows are in one firmware here, so every contender is compiled under names of its own, and each document
is a file of its own.
"""

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from serbench.build.records import BuildFailed
from serbench.build.replace import copy_replaced
from serbench.catalog.records import Contender, Row
from serbench.errors import UserError
from serbench.platforms.firmware.documents import Document
from serbench.platforms.firmware.judge import unsupported_data
from serbench.platforms.firmware.source import board_document_source, output_size
from serbench.provision.records import Provided

FUNCTIONS = ("read", "walk", "write", "release", "pool", "version")
"""What a contender defines, without the fw_ in front."""
HEADERS = {".h", ".hpp", ".hh", ".inl"}
_FROM_HARNESS = {
    "include/serbench/hash.h": "harness/c/include/serbench/hash.h",
    "include/serbench/value.h": "harness/c/include/serbench/value.h",
    "include/firmware.h": "harness/firmware/include/firmware.h",
    "src/heap.h": "harness/firmware/src/heap.h",
    "src/heap.c": "harness/firmware/src/heap.c",
}


def write_project(
    root: Path, folder: Path, chosen: Sequence[tuple[Row, Provided]], documents: Sequence[Document]
) -> list[str]:
    """Write the project into `folder`, which is empty or not there yet. Returns what is left out, and why.

    The `chosen` rows come with their libraries. Raises UserError where a library's sources cannot be used,
    or nothing is left.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError(f"{folder} exists and is not an empty folder")
    rows: list[tuple[str, str, int]] = []
    left_out: list[str] = []
    for row, _ in chosen:
        manifest = row.contender.manifest
        if manifest.firmware.schema:
            left_out.append(f"{manifest.name}: its code is generated for each document by itself")
            continue
        for number, document in enumerate(documents):
            reason = unsupported_data(row.contender, document, double_bits=64)
            if reason:
                left_out.append(f"{manifest.name}, {document.name}: {reason}")
            else:
                rows.append((row.contender.folder.name, row.format, number))
    if not rows:
        raise UserError("no row is left for the board: " + "; ".join(left_out))
    shutil.copytree(root / "harness/firmware/platformio", folder, dirs_exist_ok=True)
    for name, source in _FROM_HARNESS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / source, folder / name)
    chosen = [one for one in chosen if not one[0].contender.manifest.firmware.schema]
    for contender, provided in {row.contender.id: (row.contender, made) for row, made in chosen}.values():
        _write_library(folder, contender, provided)
    for row, _ in chosen:
        _write_row(folder, row)
    trees = any(row.contender.manifest.firmware.tree for row, _ in chosen)
    used = sorted({(format_id, number) for _, format_id, number in rows}, key=lambda pair: (pair[1], pair[0]))
    for number in sorted({number for _, number in used}):
        formats = [format_id for format_id, other in used if other == number]
        text = board_document_source(documents[number], number, formats, trees)
        (folder / f"src/document_{number}.c").write_text(text, "utf-8")
    (folder / "src/rows.c").write_text(_rows_source(rows, used, max(map(output_size, documents))), "utf-8")
    return left_out


def _identifier(name: str) -> str:
    return re.sub(r"\W", "_", name)


def _write_library(folder: Path, contender: Contender, provided: Provided) -> None:
    """The contender's own sources into contenders/, those of its library into lib/."""
    name = contender.folder.name
    own = folder / "contenders" / name
    own.mkdir(parents=True)
    for path in contender.folder.iterdir():
        if path.suffix in (".c", ".cpp", ".h"):
            shutil.copyfile(path, own / path.name)
    if provided.root is not None:
        _copy_library(folder / "lib" / name, contender, provided)


def _write_row(folder: Path, row: Row) -> None:
    """A source that includes the contender's own under names of the row's own."""
    name = row.contender.folder.name
    prefix = _identifier(f"{name}_{row.format}")
    lines = ["/* Made by `serbench board`. */"]
    defines = [macro.partition("=") for macro in row.defines]
    lines += [f"#define {macro} {value or '1'}" for macro, _, value in defines]
    lines += [f"#define fw_{function} {prefix}_{function}" for function in FUNCTIONS]
    # The harness's tree is another one for each row here; the header must not see the macro.
    lines += ["#include <bench.h>", "#include <firmware.h>", "#define fw_tree (*bench_tree)"]
    lines += [f'#include "../contenders/{name}/{row.source.name}"', ""]
    made = folder / "src" / f"{prefix}_{_identifier(row.source.stem)}{row.source.suffix}"
    made.write_text("\n".join(lines), "utf-8")


def _copy_library(folder: Path, contender: Contender, provided: Provided) -> None:
    """The library's sources and headers, and nothing else of it, with what PlatformIO must know of them."""
    assert provided.root is not None
    root = provided.root
    source = provided.source
    files = {path for name in source.files for path in root.glob(name)}
    for name in source.include:
        files |= {path for path in (root / name).rglob("*") if path.suffix in HEADERS and path.is_file()}
    for path in sorted(files):
        made = folder / "src" / path.relative_to(root)
        made.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, made)
    if source.replace:
        whole = folder.with_name(f"{folder.name}-replaced")
        try:
            copy_replaced(root, source.replace, whole)
            for changed in source.replace:
                shutil.copyfile(whole / changed.file, folder / "src" / changed.file)
        except BuildFailed as error:
            raise UserError(f"{contender.manifest.name}: {error}") from error
        finally:
            shutil.rmtree(whole, ignore_errors=True)
    compiled = [str(Path(name)) for name in source.files]
    described = {
        "name": contender.folder.name,
        "build": {
            "flags": [f"-D{macro}" for macro in contender.manifest.defines]
            + [f"-Isrc/{name}" for name in source.include],
            "srcFilter": ["-<*>", *(f"+<{name}>" for name in compiled)],
            "includeDir": f"src/{source.include[0]}" if source.include else "src",
        },
    }
    (folder / "library.json").write_text(json.dumps(described, indent=2) + "\n", "utf-8")


def _rows_source(rows: Sequence[tuple[str, str, int]], used: Sequence[tuple[str, int]], output: int) -> str:
    """The table of all rows."""
    libraries = list(dict.fromkeys((name, format_id) for name, format_id, _ in rows))
    lines = ["/* Made by `serbench board`. */", '#include "bench.h"', ""]
    for name, format_id in libraries:
        prefix = _identifier(f"{name}_{format_id}")
        lines += [
            f"bool {prefix}_read(const char *data, size_t size);",
            f"bool {prefix}_walk(void);",
            f"size_t {prefix}_write(char *out, size_t capacity);",
            f"void {prefix}_release(void);",
            f"size_t {prefix}_pool(void);",
            f"const char *{prefix}_version(void);",
            f"static const bench_library {prefix} = {{",
            f'    "{name}", "{format_id}", ' + ", ".join(f"{prefix}_{word}" for word in FUNCTIONS) + "};",
        ]
    lines += [f"extern const bench_document document_{number}_{name};" for name, number in used]
    lines += [f"char bench_output[{output}];", f"const uint16_t bench_output_size = {output};"]
    lines.append("const bench_row bench_rows[] = {")
    lines += [
        f"    {{&{_identifier(f'{name}_{format_id}')}, &document_{number}_{format_id}}},"
        for name, format_id, number in rows
    ]
    lines += ["};", f"const uint16_t bench_row_count = {len(rows)};", ""]
    return "\n".join(lines)
