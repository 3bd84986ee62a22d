"""A document as C source: constant data of the firmware (src/document.h)."""

import json
from collections.abc import Sequence

from harness.c.schema import literal

from serbench.build.contract import Data, Tree


def _bytes(data: bytes) -> str:
    """The elements of an array of characters, with a zero byte behind them."""
    numbers = [str(byte if byte < 128 else byte - 256) for byte in data] + ["0"]
    rows = [", ".join(numbers[at : at + 24]) for at in range(0, len(numbers), 24)]
    return ",\n".join(rows)


def board_document_source(number: int, encodings: Sequence[Data], with_tree: bool) -> str:
    """A document in its `encodings` as a C file for real boards (harness/firmware/platformio)."""
    lines = ["/* Made by `serbench board`. */", '#include "bench.h"', ""]
    tree = _Writer()
    root = tree.value(encodings[0].tree) if with_tree else ""
    if with_tree:
        lines += [*tree.lines, f"static const sb_value tree = {root};"]
    name = literal(json.dumps(encodings[0].name))
    for data in encodings:
        lines += [
            f"static const char {data.format}[] = {{{_bytes(data.input)}}};",
            f"extern const bench_document document_{number}_{data.format};",
            f"const bench_document document_{number}_{data.format} = {{",
            f"    {name}, {data.format}, {len(data.input)}, {'&tree' if with_tree else 'NULL'}}};",
        ]
    return "\n".join([*lines, ""])


def document_source(data: Data) -> str:
    """The document in its format as a C file: input, output buffer and value tree."""
    tree = _Writer()
    root = tree.value(data.tree)
    return "\n".join(
        [
            '#include "document.h"',
            "const char fw_input[] = {" + _bytes(data.input) + "};",
            f"const uint16_t fw_input_size = {len(data.input)};",
            f"char fw_output[{data.room}];",
            f"const uint16_t fw_output_size = {data.room};",
            *tree.lines,
            f"const sb_value fw_tree = {root};",
            "",
        ]
    )


def _value(kind: str, member: str = ".u64 = 0", length: int = 0) -> str:
    return f"{{.type = {kind}, .length = {length}, .as = {{{member}}}}}"


class _Writer:
    """Writes containers innermost first, each as an array with a name of its own."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def value(self, tree: Tree) -> str:
        """The initializer of one value."""
        if tree is None:
            return _value("SB_NIL")
        if isinstance(tree, bool):
            return _value("SB_BOOL", f".boolean = {str(tree).lower()}")
        if isinstance(tree, int) and tree < 0:
            return _value("SB_I64", f".i64 = (int64_t)UINT64_C({tree + 2**64})")
        if isinstance(tree, int):
            return _value("SB_U64", f".u64 = UINT64_C({tree})")
        if isinstance(tree, float):
            return _value("SB_F64", f".f64 = {tree.hex()}")
        if isinstance(tree, str):
            return _value("SB_STR", f".str = {literal(tree)}", len(tree.encode()))
        if isinstance(tree, list):
            name = self._array("sb_value", [self.value(element) for element in tree])
            return _value("SB_ARRAY", f".items = {name}", len(tree))
        return _value("SB_MAP", f".members = {self._members(tree)}", len(tree))

    def _members(self, entries: dict[str, Tree]) -> str:
        members = [
            f"{{.key = {literal(key)}, .key_length = {len(key.encode())}, .value = {self.value(value)}}}"
            for key, value in entries.items()
        ]
        return self._array("sb_member", members)

    def _array(self, kind: str, items: list[str]) -> str:
        if not items:
            return "NULL"
        name = f"part_{len(self.lines)}"
        self.lines.append(f"static const {kind} {name}[] = {{" + ",\n    ".join(items) + "};")
        return name
