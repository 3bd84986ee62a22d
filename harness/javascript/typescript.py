"""Writes a schema in TypeScript: reads its JSON from standard input (src/serbench/schemas/model.py)."""

import json
import sys

import msgspec

from serbench.schemas.model import Kind, Schema, Type

# JSON.parse makes numbers of all integers; libraries that keep those of 64 bits make bigints.
_KINDS: dict[Kind, str] = {
    **{"bool": "boolean", "int32": "number", "uint32": "number", "double": "number", "string": "string"},
    **{"int64": "number | bigint", "uint64": "number | bigint"},
}


def emit(schema: Schema) -> str:
    """Interfaces for the messages, with the keys of the data; and the root's type, if it is no message."""
    lines: list[str] = []
    for message in schema.messages:
        lines.append(f"export interface {message.name} {{")
        for field in message.fields:
            # JSON's escapes are those of TypeScript.
            lines.append(f"  {json.dumps(field.key)}{'?' if field.optional else ''}: {_type(field.type)};")
        lines += ["}", ""]
    root = schema.rooted()
    if root is not schema:
        lines += [f"export type {root.root.message} = {_type(schema.root)};", ""]
    return "\n".join(lines)


def _type(kind: Type) -> str:
    if kind.kind == "list":
        inner = _type(kind.inner)
        text = f"({inner})[]" if kind.inner.nullable or "bigint" in inner else f"{inner}[]"
    elif kind.kind == "map":
        text = f"Record<string, {_type(kind.inner)}>"
    else:
        text = kind.message or _KINDS[kind.kind]
    return f"{text} | null" if kind.nullable else text


if __name__ == "__main__":
    sys.stdout.write(emit(msgspec.json.decode(sys.stdin.buffer.read(), type=Schema)))
