"""Writes a schema as structs of C: reads its JSON from standard input (src/serbench/schemas/model.py).

It lists the types and their fields as macros: structs/serbench/typed.h defines them.
"""

import sys
from collections.abc import Iterator

import msgspec
from harness.c.schema import literal

from serbench.schemas.model import Field, Message, Schema, Type


def emit(schema: Schema) -> str:
    """The text of a header: `data_NAME` for each type of the schema, and `data_root`."""
    lines = ["#ifndef DATA_H", "#define DATA_H", "#include <serbench/typed.h>"]
    for message in schema.messages:
        lines += ["", *_fields(message)]
    types = [f"    {line}" for line in dict.fromkeys(_types(schema))]
    lines += ["", *_joined(["#define DATA_TYPES(LIST, MAP, NULLABLE, MESSAGE)", *types])]
    lines += ["", "DATA_TYPES(SB_LIST, SB_MAP, SB_NULLABLE, SB_MESSAGE)"]
    root = name_of(schema.root)
    return "\n".join([*lines, f"#define DATA_ROOT {root}", f"typedef data_{root} data_root;", "#endif", ""])


def name_of(kind: Type) -> str:
    """The name of a type: the struct is `data_NAME`. A map's entry has the name of the map and `_entry`."""
    if kind.nullable:
        return f"{name_of(kind.given)}_or_null"
    if kind.of is not None:
        return f"{name_of(kind.of)}_{kind.kind}"
    return kind.message or {"bool": "boolean"}.get(kind.kind, kind.kind)


def type_of_message(message: Message, standing: dict[str, Type]) -> str:
    """The name of the type that a message of the lowered schema (`lower`) is filled from.

    `standing` is what `stands_for` tells of the schema.
    """
    if not message.role:
        return message.name
    kind = standing[message.name]
    return f"{name_of(kind)}_map_entry" if message.role == "entry" else name_of(kind)


def source(message: Message, field: Field) -> str:
    """What has the plain value of a field, where `from` points to the struct."""
    return f"from->{field.name}" if message.role in ("", "entry") else "(*from)"


def _fields(message: Message) -> list[str]:
    lines = [f"#define DATA_FIELDS_{message.name}(ALWAYS, MAYBE)"]
    for field in message.fields:
        size = len(field.key.encode())
        presence = "MAYBE" if field.optional else "ALWAYS"
        lines.append(f"    {presence}({field.name}, {name_of(field.type)}, {literal(field.key)}, {size})")
    return _joined(lines)


def _types(schema: Schema) -> Iterator[str]:
    """Each type after those that it has in it."""
    for message in schema.messages:
        for field in message.fields:
            yield from _of(field.type)
        yield f"MESSAGE({message.name})"
    yield from _of(schema.root)


def _of(kind: Type) -> Iterator[str]:
    if kind.nullable:
        yield from _of(kind.given)
        yield f"NULLABLE({name_of(kind)}, {name_of(kind.given)})"
    elif kind.of is not None:
        yield from _of(kind.of)
        entry = f"{name_of(kind)}_entry, " if kind.kind == "map" else ""
        yield f"{kind.kind.upper()}({name_of(kind)}, {entry}{name_of(kind.of)})"


def _joined(lines: list[str]) -> list[str]:
    """The lines of one macro."""
    return [f"{line} \\" for line in lines[:-1]] + lines[-1:]


if __name__ == "__main__":
    sys.stdout.write(emit(msgspec.json.decode(sys.stdin.buffer.read(), type=Schema)))
