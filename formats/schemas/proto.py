"""Writes a schema as proto3: reads the schema's JSON from standard input (src/serbench/schemas/model.py)."""

import sys
from collections.abc import Callable

import msgspec

from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Kind, Schema

KINDS: dict[Kind, str] = {
    **{"bool": "bool", "int32": "sint32", "uint32": "uint32", "int64": "int64", "uint64": "uint64"},
    **{"double": "double", "float": "float", "string": "string"},
}
"""A place with negative numbers of 32 bits gets the type that is short for them. Most of int64 are large and
positive, where zigzag would cost a bit."""


def field_line(field: Field, number: int) -> str:
    """A field of a message."""
    kind = field.type.of or field.type
    name = kind.message or KINDS[kind.kind]
    if field.type.of is not None:
        return f"repeated {name} {field.name} = {number};"
    # Messages have presence without being asked.
    present = may_be_absent(field) and not kind.message
    return f"{'optional ' if present else ''}{name} {field.name} = {number};"


def may_be_absent(field: Field) -> bool:
    """Whether its absence says something: it is absent in the data, or null."""
    return field.optional or field.type.nullable


def emit(
    schema: Schema,
    package: str = "",
    options: tuple[str, ...] = (),
    syntax: str = "proto3",
    line: Callable[[Field, int], str] = field_line,
) -> str:
    """The text of a .proto file with the messages of the lowered schema; the root's comes last.

    `line` writes a field with its number, for compilers that want something else than the usual.
    """
    lines = [f'syntax = "{syntax}";', ""]
    lines += [f"package {package};", ""] if package else []
    lines += [*options, ""] if options else []
    for message in lower(schema).messages:
        lines.append(f"message {message.name} {{")
        lines += [f"  {line(field, number)}" for number, field in enumerate(message.fields, start=1)]
        lines += ["}", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(emit(msgspec.json.decode(sys.stdin.buffer.read(), type=Schema)))
