"""Writes a schema as libraries for JSON Schema in JavaScript take it: reads its JSON from standard input.

As formats/schemas/json_schema.py, but null is `nullable`, also of a message. A choice of null or the
message would need a validator while data are written, and that one refuses each BigInt.
"""

import itertools
import json
import sys
from typing import Any

import msgspec

from serbench.schemas.model import INTEGERS, Kind, Message, Schema, Type

_KINDS: dict[Kind, str] = {"bool": "boolean", "double": "number", "string": "string"}


def emit(schema: Schema) -> str:
    """The text of a JSON Schema, with the keys in the schema's order."""
    nullable = {kind.message for _, kind, _ in schema.places() if kind.nullable}
    messages = {message.name: _message(message, message.name in nullable) for message in schema.messages}
    return json.dumps({**_type(schema.root), "definitions": messages}, indent=2, ensure_ascii=False) + "\n"


def _message(message: Message, nullable: bool) -> dict[str, Any]:
    # fast-json-stringify writes what is required first: the keys keep their order if nothing after the first
    # optional field is.
    first = itertools.takewhile(lambda field: not field.optional, message.fields)
    return {
        "type": "object",
        **({"nullable": True} if nullable else {}),
        "properties": {field.key: _type(field.type) for field in message.fields},
        "required": [field.key for field in first],
    }


def _type(kind: Type) -> dict[str, Any]:
    if kind.message:
        return {"$ref": f"#/definitions/{kind.message}"}  # what stands beside it does not count
    return {**_given(kind), "nullable": True} if kind.nullable else _given(kind)


def _given(kind: Type) -> dict[str, Any]:
    if kind.kind == "list":
        return {"type": "array", "items": _type(kind.inner)}
    if kind.kind == "map":
        return {"type": "object", "additionalProperties": _type(kind.inner)}
    return {"type": "integer" if kind.kind in INTEGERS else _KINDS[kind.kind]}


if __name__ == "__main__":
    sys.stdout.write(emit(msgspec.json.decode(sys.stdin.buffer.read(), type=Schema)))
