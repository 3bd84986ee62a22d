"""Writes a schema for thrift: reads the schema's JSON from standard input (src/serbench/schemas/model.py)."""

import sys

import msgspec

from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Kind, Schema

# It has no unsigned integers.
KINDS: dict[Kind, str] = {
    **{"bool": "bool", "int32": "i32", "uint32": "i64", "int64": "i64"},
    **{"double": "double", "string": "string"},
}
# The words of languages that its compiler refuses as names, as far as serbench.schemas.names lets them stand.
_WORDS = """
abs alias args assert begin callable clone declare dynamic elsif elseif empty end enddeclare endfor endforeach
endif endswitch endwhile ensure exception exit eval foreach goto inline instanceof log next print redo rescue
retry synchronized undef unless unset until when
"""
_REFUSED = frozenset(_WORDS.split())


def emit(schema: Schema) -> str:
    """The text of a .thrift file with the structs of the lowered schema. Ends with the place of a uint64."""
    for place, kind, _ in schema.places():
        if kind.kind == "uint64":
            raise SystemExit(f"{place}: Thrift has no integer of 64 bits without a sign")
    lines: list[str] = []
    for message in lower(schema).messages:
        lines.append(f"struct {message.name} {{")
        lines += [f"  {number}: {_field(field)}" for number, field in enumerate(message.fields, start=1)]
        lines += ["}", ""]
    return "\n".join(lines)


def _field(field: Field) -> str:
    kind = field.type.of or field.type
    name = kind.message or KINDS[kind.kind]
    if field.type.of is not None:
        name = f"list<{name}>"
    word = "optional" if field.optional or field.type.nullable else "required"
    return f"{word} {name} {field.name}{'_field' if field.name in _REFUSED else ''}"


if __name__ == "__main__":
    sys.stdout.write(emit(msgspec.json.decode(sys.stdin.buffer.read(), type=Schema)))
