"""Writes a schema for Avro: reads the schema's JSON from standard input (src/serbench/schemas/model.py)."""

import json
import re
import sys
from typing import Any

import msgspec

from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Kind, Message, Schema, Type

# It has no unsigned integers. Its maps have no order: arrays of entries stand for them.
KINDS: dict[Kind, str] = {
    **{"bool": "boolean", "int32": "int", "uint32": "long", "int64": "long"},
    **{"double": "double", "string": "string"},
}
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def refusal(schema: Schema) -> str:
    """The first place that Avro cannot have, and why; empty if it can have all."""
    beyond = (place for place, kind, _ in schema.places() if kind.kind == "uint64")
    return next((f"{place}: Avro has no integer of 64 bits without a sign" for place in beyond), "")


def names(message: Message) -> list[str]:
    """How Avro names the fields: as their keys, those that are names."""
    taken = {field.key for field in message.fields if _NAME.fullmatch(field.key)}
    return [field.key if field.key in taken else _other(field.name, taken) for field in message.fields]


def _other(name: str, taken: set[str]) -> str:
    return _other(f"{name}_", taken) if name in taken else name


def emit(schema: Schema) -> str:
    """The text of an .avsc file: a record is described where it comes first, and named from then on.

    A field that may be absent is null then. Null in a field that may also be absent stands in a record.
    """
    lowered = lower(schema, lists=True)
    return json.dumps(_Emitter(lowered).type(lowered.root), indent=2) + "\n"


class _Emitter:
    def __init__(self, schema: Schema) -> None:
        self.left = schema.by_name

    def type(self, kind: Type, absent: bool = False) -> Any:
        given: Any = KINDS.get(kind.kind, kind.message)
        if kind.kind == "list":
            given = {"type": "array", "items": self.type(kind.inner)}
        elif kind.message in self.left:
            message = self.left.pop(kind.message)
            fields = [self._field(*each) for each in zip(message.fields, names(message), strict=True)]
            given = {"type": "record", "name": message.name, "fields": fields}
        return ["null", given] if kind.nullable or absent else given

    def _field(self, field: Field, name: str) -> dict[str, Any]:
        made = {"name": name, "type": self.type(field.type, field.optional)}
        return {**made, "default": None} if field.optional else made


if __name__ == "__main__":
    given = msgspec.json.decode(sys.stdin.buffer.read(), type=Schema)
    if said := refusal(given):
        raise SystemExit(said)
    sys.stdout.write(emit(given))
