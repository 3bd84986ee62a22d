"""Writes a schema as JSON Schema: reads its JSON from standard input (src/serbench/schemas/model.py)."""

import json
import sys
from typing import Any

import msgspec

from serbench.schemas.model import INTEGERS, Kind, Message, Schema, Type

_KINDS: dict[Kind, str] = {"bool": "boolean", "double": "number", "string": "string"}


def emit(schema: Schema) -> str:
    """The text of a JSON Schema (draft 2020-12), which refuses keys that the schema does not have."""
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **_type(schema.root),
        "$defs": {message.name: _message(message) for message in schema.messages},
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def _message(message: Message) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {field.key: _type(field.type) for field in message.fields},
        "required": [field.key for field in message.fields if not field.optional],
        "additionalProperties": False,
    }


def _type(kind: Type) -> dict[str, Any]:
    if kind.nullable:
        return {"anyOf": [{"type": "null"}, _type(kind.given)]}
    if kind.message:
        return {"$ref": f"#/$defs/{kind.message}"}
    if kind.kind == "list":
        return {"type": "array", "items": _type(kind.inner)}
    if kind.kind == "map":
        return {"type": "object", "additionalProperties": _type(kind.inner)}
    if kind.kind in INTEGERS:
        least, most = INTEGERS[kind.kind]
        return {"type": "integer", "minimum": least, "maximum": most}
    return {"type": _KINDS[kind.kind]}


if __name__ == "__main__":
    sys.stdout.write(emit(msgspec.json.decode(sys.stdin.buffer.read(), type=Schema)))
