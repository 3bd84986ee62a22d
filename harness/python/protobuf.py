"""Writes what Google's messages are filled with and walked by: reads the schema's JSON from standard input.

The classes of the messages are protoc's. The objects that fill them are plain: lists, dicts and dataclasses.
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
from formats.schemas import proto
from harness.python import schema as plain

from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Message, Schema, Type

MODULE = "serbench_document_pb2"
"""What protoc calls its module of serbench_document.proto."""
ALWAYS, OPTIONAL, SKIPPED, NULL = range(4)
"""What it means that HasField is false, or of OPTIONAL the value None: harness/python/src/walker.c."""


def emit(schema: Schema) -> str:
    """The text of a module with plain classes, and the functions that fill messages from their objects."""
    lowered = lower(schema)
    lines = [plain.emit(schema, "plain").replace("\nroot = ", "\nplain = "), f"import {MODULE} as proto", ""]
    for message in lowered.messages:
        given = "key, value" if message.role == "entry" else "value"
        lines += ["", f"def fill_{message.name}(into, {given}):", *_body(message, lowered), ""]
    root = lowered.root.message
    lines += ["", f"root = proto.{root}", f"fill = fill_{root}"]
    return "\n".join(lines) + "\n"


def _body(message: Message, schema: Schema) -> Iterator[str]:
    found = False
    if message.role == "entry":
        yield "    into.key = key"
    for field in message.fields[message.role == "entry" :]:
        value = f"value.{plain.attribute(field, 'plain')}" if message.role == "" else "value"
        indent = "    "
        if field.optional:
            yield f"{indent}if {value} is not ...:"
            indent += "    "
        if field.type.nullable:
            yield f"{indent}if {value} is not None:"
            indent += "    "
        yield from (indent + line for line in _filled(field, value, schema))
        found = True
    if not found:
        yield "    pass"


def _filled(field: Field, value: str, schema: Schema) -> Iterator[str]:
    """What puts a value, which is there, into the field."""
    inner, name = field.type.of, f"into.{field.name}"
    if inner is None and not field.type.message:
        yield f"{name} = {value}"
    elif inner is None:
        yield f"{name}.SetInParent()"
        yield f"fill_{field.type.message}({name}, {value})"
    elif not inner.message:
        yield f"{name}.extend({value})"
    elif schema.by_name[inner.message].role == "entry":
        yield f"for key, each in {value}.items():"
        yield f"    fill_{inner.message}({name}.add(), key, each)"
    else:
        yield f"for each in {value}:"
        yield f"    fill_{inner.message}({name}.add(), each)"


def shapes(
    lowered: Schema, names: Callable[[Message], Sequence[str]], presence: Callable[[Field], int]
) -> list[Any]:
    """What the walker of messages is made of; the last is the root's.

    `names` are those of the attributes, and `presence` says which of the walker's a field has.
    """
    messages = lowered.by_name
    found: dict[Any, int] = {}

    def place(kind: Type) -> int:
        shape: Sequence[Any] = ("scalar",)
        message = messages.get(kind.message)
        if kind.of is not None:
            inner = messages.get(kind.of.message)
            if inner is not None and inner.role == "entry":
                shape = ("keyed", of(inner)[1])
            else:
                shape = ("list", place(kind.of))
        elif message is not None and message.role:
            shape = ("within", of(message)[0])
        elif message is not None:
            shape = ("message", tuple(of(message)))
        return found.setdefault(shape, len(found))

    def of(message: Message) -> list[tuple[str, str, int, int]]:
        fields = zip(message.fields, names(message), strict=True)
        return [
            (field.key, name, place(msgspec.structs.replace(field.type, nullable=False)), presence(field))
            for field, name in fields
        ]

    root = place(lowered.root)
    if root != len(found) - 1:
        raise AssertionError("the root is a part of itself")
    return list(found)


def _names(message: Message) -> list[str]:
    return [field.name for field in message.fields]


def _presence(field: Field) -> int:
    return SKIPPED if field.optional else NULL if field.type.nullable else ALWAYS


def files(schema: Schema) -> dict[str, str]:
    """The files that a worker's folder has, of which protoc makes one more."""
    table = {**plain.table(schema, "plain"), "walked": shapes(lower(schema), _names, _presence)}
    return {
        "serbench_document.py": emit(schema),
        "serbench_document.json": json.dumps(table),
        "serbench_document.proto": proto.emit(schema),
    }


if __name__ == "__main__":
    sys.stdout.write(emit(msgspec.json.decode(sys.stdin.buffer.read(), type=Schema)))
