"""Writes a schema for flatc: reads the schema's JSON from standard input (src/serbench/schemas/model.py)."""

import sys

import msgspec

from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Kind, Schema

KINDS: dict[Kind, str] = {
    **{"bool": "bool", "int32": "int32", "uint32": "uint32", "int64": "int64", "uint64": "uint64"},
    **{"double": "double", "string": "string"},
}


def emit(schema: Schema, namespace: str = "", ending: str = "") -> str:
    """The text of a .fbs file with the tables of the lowered schema; the root's comes last.

    The name of each field gets the `ending`.
    """
    lowered = lower(schema)
    lines = [f"namespace {namespace};", ""] if namespace else []
    for message in lowered.messages:
        lines.append(f"table {message.name} {{")
        lines += [f"  {field.name}{ending}:{_kind(field)};" for field in message.fields]
        lines += ["}", ""]
    return "\n".join([*lines, f"root_type {lowered.root.message};", ""])


def _kind(field: Field) -> str:
    """The type with what says that it may be absent, or must not be, which scalars say otherwise."""
    if field.type.of is not None:
        return f"[{field.type.of.message or KINDS[field.type.of.kind]}] (required)"
    present = not (field.optional or field.type.nullable)
    if field.type.message or field.type.kind == "string":
        return (field.type.message or "string") + (" (required)" if present else "")
    return KINDS[field.type.kind] + ("" if present else " = null")


if __name__ == "__main__":
    sys.stdout.write(emit(msgspec.json.decode(sys.stdin.buffer.read(), type=Schema)))
