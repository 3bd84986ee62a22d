"""Writes a schema as proto3: reads the schema's JSON from standard input (src/serbench/schemas/model.py)."""

import sys

import msgspec

from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Kind, Schema

KINDS: dict[Kind, str] = {
    **{"bool": "bool", "int32": "sint32", "uint32": "uint32", "int64": "int64", "uint64": "uint64"},
    **{"double": "double", "string": "string"},
}
"""A place with negative numbers of 32 bits gets the type that is short for them. Most of int64 are large and
positive, where zigzag would cost a bit."""


def emit(schema: Schema, package: str = "", options: tuple[str, ...] = ()) -> str:
    """The text of a .proto file with the messages of the lowered schema; the root's comes last."""
    lines = ['syntax = "proto3";', ""]
    lines += [f"package {package};", ""] if package else []
    lines += [*options, ""] if options else []
    for message in lower(schema).messages:
        lines.append(f"message {message.name} {{")
        lines += [f"  {_field(field)} = {number};" for number, field in enumerate(message.fields, start=1)]
        lines += ["}", ""]
    return "\n".join(lines)


def _field(field: Field) -> str:
    kind = field.type.of or field.type
    name = kind.message or KINDS[kind.kind]
    if field.type.of is not None:
        return f"repeated {name} {field.name}"
    # Messages have presence without being asked.
    present = (field.optional or field.type.nullable) and not kind.message
    return f"{'optional ' if present else ''}{name} {field.name}"


if __name__ == "__main__":
    sys.stdout.write(emit(msgspec.json.decode(sys.stdin.buffer.read(), type=Schema)))
