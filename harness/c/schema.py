"""Writes a schema as structs of C++: reads its JSON from standard input (src/serbench/schemas/model.py).

Every struct tells its fields with their keys, in their order: structs/serbench/typed.hpp makes and hashes it.
"""

import sys

import msgspec

from serbench.schemas.model import Kind, Message, Schema, Type

_KINDS: dict[Kind, str] = {
    **{"bool": "bool", "int32": "int32_t", "uint32": "uint32_t", "int64": "int64_t", "uint64": "uint64_t"},
    # A float is what the message of it has: the struct needs no type of its own.
    **{"double": "double", "float": "double", "string": "std::string"},
}


def emit(schema: Schema) -> str:
    """The text of a header: a struct for each message, and `Root`, in the namespace `data`."""
    lines = ["#pragma once", "#include <serbench/typed.hpp>", "", "namespace data {", ""]
    for message in schema.messages:
        lines += _struct(message)
    return "\n".join([*lines, f"using Root = {kind_of(schema.root)};", "", "}  // namespace data", ""])


def _struct(message: Message) -> list[str]:
    lines = [f"struct {message.name} : sb::Message {{"]
    calls: list[str] = []
    for field in message.fields:
        kind = kind_of(field.type)
        lines.append(f"    {f'std::optional<{kind}>' if field.optional else kind} {field.name}{{}};")
        tag = "sb::Optional" if field.optional else "sb::Required"
        calls.append(f"        visit({quoted(field.key)}, self.{field.name}, {tag}{{}});")
    lines += [
        "    template <typename Self, typename Visitor>",
        "    static void fields([[maybe_unused]] Self &self, [[maybe_unused]] Visitor &&visit) {",
        *calls,
        *("    }", "};", ""),
    ]
    return lines


def kind_of(kind: Type) -> str:
    """The type of a place in C++."""
    if kind.kind == "list":
        text = f"std::vector<{kind_of(kind.inner)}>"
    elif kind.kind == "map":
        text = f"sb::Map<{kind_of(kind.inner)}>"
    else:
        text = kind.message or _KINDS[kind.kind]
    return f"std::optional<{text}>" if kind.nullable else text


def quoted(key: str) -> str:
    """A key as a text of C++, which may hold any byte."""
    return f"std::string_view({literal(key)}, {len(key.encode())})"


def literal(key: str) -> str:
    """The same of C, without its length."""
    # Three octal digits end by themselves, as \x would not.
    plain = (chr(b) if 0x20 <= b < 0x7F and chr(b) not in '"\\?' else f"\\{b:03o}" for b in key.encode())
    return f'"{"".join(plain)}"'


if __name__ == "__main__":
    sys.stdout.write(emit(msgspec.json.decode(sys.stdin.buffer.read(), type=Schema)))
