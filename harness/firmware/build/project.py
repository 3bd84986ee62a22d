"""The PlatformIO project of the benchmark: the firmware's sources, libraries and documents in one folder.

All rows are in one firmware here, so every contender is compiled under names of its own, and each document
is a file of its own.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path

from harness.c.build.library import replaced
from harness.firmware.build.source import board_document_source

from serbench.build.contract import OUT, Answer, Content, Data, Input, Plan, Put, Recipe, Request

_FUNCTIONS = ("read", "walk", "write", "release", "pool", "version")
"""What a contender defines, without the fw_ in front."""
_SOURCES = {".c", ".cpp", ".h"}
_HEADERS = {".h", ".hpp", ".hh", ".inl"}
_FROM_HARNESS = {
    "include/serbench/hash.h": "harness/c/include/serbench/hash.h",
    "include/serbench/value.h": "harness/c/include/serbench/value.h",
    "include/firmware.h": "harness/firmware/include/firmware.h",
    "src/heap.h": "harness/firmware/src/heap.h",
    "src/heap.c": "harness/firmware/src/heap.c",
}
_FIRST = "/* Made by `serbench board`. */"


class Project:
    """The plan for the project with `rows`, each of which is a contender with a document."""

    def __init__(self, request: Request) -> None:
        self.request, self.rows = request, request.rows
        self.plan = Plan()
        self.steps = [["cp", "-R", f"{request.harness}/platformio/.", OUT]]
        self.inputs: list[Input] = [Content(of="folder", path=request.harness / "platformio")]
        self.put: list[Put] = []
        self.documents = list(dict.fromkeys(_data(row).name for row in self.rows))

    def answer(self) -> Answer:
        """The recipe of the project's folder, and of the libraries that it takes from."""
        for name, source in _FROM_HARNESS.items():
            self._copy(self.request.root / source, name)
        for folder in dict.fromkeys(row.folder for row in self.rows):
            rows = [row for row in self.rows if row.folder == folder]
            for path in sorted(path for path in folder.iterdir() if path.suffix in _SOURCES):
                self._copy(path, f"contenders/{folder.name}/{path.name}")
            self._library(f"lib/{folder.name}", rows)
        for row in {_prefix(row): row for row in self.rows}.values():
            self._row(row)
        needs_tree = any(_data(row).needs_tree for row in self.rows)
        for number, name in enumerate(self.documents):
            known = {data.format: data for data in map(_data, self.rows) if data.name == name}
            encodings = [known[format_id] for format_id in sorted(known)]
            self._write(f"src/document_{number}.c", board_document_source(number, encodings, needs_tree))
        self._write("src/rows.c", self._table())
        recipe = Recipe(steps=self.steps, inputs=self.inputs, products=["platformio.ini"], put=self.put)
        self.plan.add(recipe)
        return Answer(recipes=self.plan.recipes)

    def _copy(self, source: Path, name: str, inputs: Sequence[Input] | None = None) -> None:
        """Copy a file, which `inputs` stand for if its own bytes do not."""
        self.steps.append(["install", "-D", "-m", "644", str(source), f"{OUT}/{name}"])
        self.inputs += [Content(of="file", path=source)] if inputs is None else inputs

    def _write(self, name: str, text: str) -> None:
        self.put.append(Put(to=name, text=text))
        self.inputs.append(text)

    def _library(self, folder: str, rows: Sequence[Request]) -> None:
        """The sources and headers of a library, nothing else of it, and what PlatformIO must know of them."""
        provided = rows[0].library
        if provided is None or provided.root is None:
            return
        source, root = provided.source, provided.root
        files = {path for name in source.files for path in root.glob(name)}
        for name in source.include:
            files |= {p for p in (root / name).rglob("*") if p.suffix in _HEADERS and p.is_file()}
        changed: set[Path] = set()
        if source.replace:
            contents = Content(of="tree", path=root)
            copy, digest = self.plan.add(replaced(source, root, [provided.origin, contents]))
            changed = {root / wanted.file for wanted in source.replace}
        for path in sorted(files | changed):
            name = f"{folder}/src/{path.relative_to(root)}"
            if path in changed:
                self._copy(copy / path.relative_to(root), name, [digest])
            else:
                self._copy(path, name)
        macros = [macro for macro in rows[0].defines if all(macro in row.defines for row in rows)]
        described = {
            "name": rows[0].folder.name,
            "build": {
                "flags": [f"-D{macro}" for macro in macros] + [f"-Isrc/{name}" for name in source.include],
                "srcFilter": ["-<*>", *(f"+<{Path(name)}>" for name in source.files)],
                "includeDir": f"src/{source.include[0]}" if source.include else "src",
            },
        }
        self._write(f"{folder}/library.json", json.dumps(described, indent=2) + "\n")

    def _row(self, row: Request) -> None:
        """A source that includes the contender's own under names of the row's own."""
        prefix = _prefix(row)
        defines = [macro.partition("=") for macro in row.defines]
        lines = [_FIRST, *(f"#define {macro} {value or '1'}" for macro, _, value in defines)]
        lines += [f"#define fw_{function} {prefix}_{function}" for function in _FUNCTIONS]
        # The harness's tree is another one for each row here; the header must not see the macro.
        lines += ["#include <bench.h>", "#include <firmware.h>", "#define fw_tree (*bench_tree)"]
        lines += [f'#include "../contenders/{row.folder.name}/{row.source.name}"', ""]
        self._write(f"src/{prefix}_{_identifier(row.source.stem)}{row.source.suffix}", "\n".join(lines))

    def _table(self) -> str:
        """The source with the table of all rows."""
        lines = [_FIRST, '#include "bench.h"', ""]
        for prefix, row in {_prefix(row): row for row in self.rows}.items():
            lines += [
                f"bool {prefix}_read(const char *data, size_t size);",
                f"bool {prefix}_walk(void);",
                f"size_t {prefix}_write(char *out, size_t capacity);",
                f"void {prefix}_release(void);",
                f"size_t {prefix}_pool(void);",
                f"const char *{prefix}_version(void);",
                f"static const bench_library {prefix} = {{",
                f'    "{row.folder.name}", "{_data(row).format}", '
                + ", ".join(f"{prefix}_{word}" for word in _FUNCTIONS)
                + "};",
            ]
        room = max(_data(row).room for row in self.rows)
        names = sorted(set(map(self._document, self.rows)))
        lines += [f"extern const bench_document {name};" for name in names]
        lines += [f"char bench_output[{room}];", f"const uint16_t bench_output_size = {room};"]
        lines.append("const bench_row bench_rows[] = {")
        lines += [f"    {{&{_prefix(row)}, &{self._document(row)}}}," for row in self.rows]
        lines += ["};", f"const uint16_t bench_row_count = {len(self.rows)};", ""]
        return "\n".join(lines)

    def _document(self, row: Request) -> str:
        """The name of the document of `row` in its format."""
        data = _data(row)
        return f"document_{self.documents.index(data.name)}_{data.format}"


def _data(row: Request) -> Data:
    assert row.data is not None
    return row.data


def _prefix(row: Request) -> str:
    return _identifier(f"{row.folder.name}_{_data(row).format}")


def _identifier(name: str) -> str:
    return re.sub(r"\W", "_", name)
