"""Writes a schema for capnp: reads the schema's JSON from standard input (src/serbench/schemas/model.py)."""

import hashlib
import sys

import msgspec

from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Kind, Schema, dump

KINDS: dict[Kind, str] = {
    **{"bool": "Bool", "int32": "Int32", "uint32": "UInt32", "int64": "Int64", "uint64": "UInt64"},
    **{"double": "Float64", "string": "Text"},
}


def emit(schema: Schema, header: tuple[str, ...] = (), annotation: str = "") -> str:
    """The text of a .capnp file with the structs of the lowered schema; the root's comes last.

    Behind the name of each struct stands the `annotation`, in which `{}` is that name.
    """
    # A file has a number of its own, whose highest bit is set; this one's follows from the schema.
    number = int.from_bytes(hashlib.sha256(dump(schema)).digest()[:8], "big") | 1 << 63
    lines = [f"@{number:#x};", *header, ""]
    for message in lower(schema).messages:
        lines.append(f"struct {message.name} {annotation.replace('{}', message.name)}{{")
        place = 0
        for field in message.fields:
            lines += [f"  {line}" for line in _field(field, place)]
            place += 2 if has_union(field) else 1
        lines += ["}", ""]
    return "\n".join(lines)


def has_union(field: Field) -> bool:
    """Whether a field may be absent or null and is no pointer, which may be null itself."""
    scalar = field.type.kind not in ("list", "message", "string")
    return scalar and (field.optional or field.type.nullable)


def camel(name: str) -> str:
    """A field's name as this language has it: `screen_name` is `screenName`."""
    first, *others = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in others)


def pascal(name: str) -> str:
    """The same with a capital at its beginning, as it stands in the names of accessors: `ScreenName`."""
    made = camel(name)
    return made[0].upper() + made[1:]


def _field(field: Field, place: int) -> list[str]:
    kind = field.type.of or field.type
    name = kind.message or KINDS[kind.kind]
    if field.type.of is not None:
        name = f"List({name})"
    if not has_union(field):
        return [f"{camel(field.name)} @{place} :{name};"]
    return [
        f"{camel(field.name)} :union {{",
        f"  absent @{place} :Void;",
        f"  given @{place + 1} :{name};",
        "}",
    ]


if __name__ == "__main__":
    sys.stdout.write(emit(msgspec.json.decode(sys.stdin.buffer.read(), type=Schema)))
