"""Writes a schema as Python's classes: reads the schema's JSON from standard input (docs/schemas.md).

python -m harness.python.schema struct|pydantic|dataclass|mashumaro

`avro` has no classes: its objects are dicts, by a schema for Avro. `plain` are the objects of a program whose
library has classes of its own, and `object` those of one whose library takes any.
"""

import json
import keyword
import re
import sys
from collections.abc import Sequence
from typing import Any, Literal, get_args

import msgspec
from formats.schemas import avsc

from serbench.build.records import BuildFailed
from serbench.schemas.model import EXACT, Field, Kind, Message, Schema, Type

Style = Literal["struct", "pydantic", "dataclass", "mashumaro", "avro", "plain", "object"]
STYLES: tuple[Style, ...] = get_args(Style)
SCALARS: dict[Kind, str] = {
    **dict.fromkeys(("int32", "uint32", "int64", "uint64"), "int"),
    **{"bool": "bool", "double": "float", "float": "float", "string": "str"},
}
IMPORTS: dict[Style, str] = {
    "struct": "import msgspec",
    "pydantic": "import pydantic",
    "dataclass": "import dataclasses",
    "mashumaro": "import dataclasses\nimport mashumaro.config",
    "avro": "import json",
    "plain": "import dataclasses",
    "object": "import dataclasses",
}
ABSENT: dict[Style, str] = {
    **dict.fromkeys(STYLES, "None"),
    **{"struct": "msgspec.UNSET", "plain": "...", "object": "..."},
}
"""What an optional field is where its key is absent."""
FIELDS_SET = "model_fields_set"
"""How a model of pydantic tells that from null."""
TAKEN = frozenset(
    "str dict list dataclasses mashumaro msgspec pydantic json copy construct validate".split()  # noqa: SIM905
)
"""Names that the text below uses inside of a class, or that pydantic's base class has."""


def attribute(field: Field, style: Style) -> str:
    """The name of a field in Python: a dataclass has no other names than the keys."""
    if style == "dataclass":
        return field.key
    taken = field.name in TAKEN or field.name.startswith("model_")
    return f"{field.name}_" if taken else field.name


def refuse(schema: Schema, style: Style) -> None:
    """Raise BuildFailed for the first place that classes of this style cannot express."""
    if style == "avro" and (said := avsc.refusal(schema)):
        raise BuildFailed(said, unsupported=True)
    for message in schema.messages:
        for field in message.fields:
            why = _why_not(field, style)
            if why:
                raise BuildFailed(f"{message.name}.{field.key}: {why}", unsupported=True)


def _why_not(field: Field, style: Style) -> str:
    if style == "struct" and re.search(r'[\\"\x00-\x1f]', field.key):
        return "msgspec refuses a quote, a backslash or a control character in a field's name"
    if style == "mashumaro" and field.optional and field.type.nullable:
        return "mashumaro leaves out null or writes it, and the field may be null and absent"
    if style == "mashumaro" and not field.key:
        return "mashumaro takes an empty alias for none, and writes the field's name in Python"
    if style != "dataclass":
        return ""
    if field.optional:
        return "a dataclass has no field that may be absent"
    if not field.key.isidentifier() or keyword.iskeyword(field.key):
        return "its key is no name for a field of a dataclass"
    return "the library leaves out a field whose name begins with _" if field.key.startswith("_") else ""


def emit(schema: Schema, style: Style) -> str:
    """The text of a module with a class for each message; `root` is the type of the whole."""
    if style == "avro":
        text = f'"""{avsc.emit(schema)}"""'  # there is no quote of Python's in it: all names are words
        return f"{IMPORTS[style]}\n\nroot = json.loads({text})\nabsent = {ABSENT[style]}\n"
    lines = [IMPORTS[style], ""]
    for message in schema.messages:
        lines += ["", *_class(message, style), ""]
    lines += ["", f"root = {_annotation(schema.root)}", f"absent = {ABSENT[style]}"]
    return "\n".join(lines) + "\n"


_OPTIONS: dict[Style, str] = {
    **{"plain": "(slots=True, kw_only=True)", "object": "(kw_only=True)", "mashumaro": "(kw_only=True)"},
}
_CONFIG = [
    "",
    "    class Config(mashumaro.config.BaseConfig):",
    "        serialize_by_alias = True",
    "        omit_default = True",
]


def _class(message: Message, style: Style) -> list[str]:
    renamed = {attribute(f, style): f.key for f in message.fields if attribute(f, style) != f.key}
    if style == "struct":
        rename = f", rename={renamed!r}" if renamed else ""
        head = [f"class {message.name}(msgspec.Struct, kw_only=True{rename}):"]
    elif style == "pydantic":
        head = [f"class {message.name}(pydantic.BaseModel):"]
    else:
        head = [f"@dataclasses.dataclass{_OPTIONS.get(style, '')}", f"class {message.name}:"]
    fields = [f"    {_field(each, style)}" for each in message.fields]
    return [*head, *(fields or ["    pass"]), *(_CONFIG if style == "mashumaro" else [])]


def _field(field: Field, style: Style) -> str:
    name, kind = attribute(field, style), _annotation(field.type)
    if style == "struct":
        return f"{name}: {kind} | msgspec.UnsetType = msgspec.UNSET" if field.optional else f"{name}: {kind}"
    if style in ("plain", "object"):
        return f"{name}: {kind} = ..." if field.optional else f"{name}: {kind}"
    if field.optional and not field.type.nullable:
        kind += " | None"
    alias = f"alias={field.key!r}" if name != field.key else ""
    maker = "pydantic.Field"
    if style == "mashumaro":
        alias = f"metadata=mashumaro.field_options({alias})" if alias else ""
        maker = "dataclasses.field"
    default = "default=None" if field.optional else ""
    options = ", ".join(filter(None, (default, alias)))
    return f"{name}: {kind} = {maker}({options})" if options else f"{name}: {kind}"


def _annotation(kind: Type) -> str:
    if kind.kind == "list":
        name = f"list[{_annotation(kind.inner)}]"
    elif kind.kind == "map":
        name = f"dict[str, {_annotation(kind.inner)}]"
    else:
        name = kind.message or SCALARS[kind.kind]
    return f"{name} | None" if kind.nullable else name


def table(schema: Schema, style: Style) -> dict[str, Any]:
    """What the worker's walk and the making of objects are driven by (harness/python/src/objects.py)."""
    shapes: list[Any] = []
    known: dict[Any, int] = {}
    messages = schema.by_name
    avro = style == "avro"

    def place(kind: Type) -> int:
        shape: Sequence[Any]
        if kind.of is not None:
            shape = ("entries" if avro and kind.kind == "map" else kind.kind, place(kind.inner))
        elif kind.message:
            own = messages[kind.message]
            names = avsc.names(own) if avro else [attribute(each, style) for each in own.fields]
            fields = [(f.key, name, field(f), f.optional) for f, name in zip(own.fields, names, strict=True)]
            shape = ("message", tuple(fields), own.name)
        else:
            shape = ("double" if kind.kind in EXACT else "scalar",)
        return known_as(shape)

    def field(of: Field) -> int:
        inner = place(of.type)
        return known_as(("boxed", inner)) if avro and of.optional and of.type.nullable else inner

    def known_as(shape: Any) -> int:
        if shape not in known:
            known[shape] = len(shapes)
            shapes.append(shape)
        return known[shape]

    root = place(schema.root)
    if root != len(shapes) - 1:
        raise AssertionError("the root is a part of itself")
    return {
        "shapes": shapes,
        "fields_set": FIELDS_SET if style == "pydantic" else "",
        "by_key": style == "pydantic",
        "items": avro,
    }


def files(schema: Schema, style: Style) -> dict[str, str]:
    """The files that a worker's folder of generated code has. Raises BuildFailed."""
    refuse(schema, style)
    return {
        "serbench_document.py": emit(schema, style),
        "serbench_document.json": json.dumps(table(schema, style)),
    }


if __name__ == "__main__":
    chosen = next(each for each in STYLES if each == sys.argv[1])
    given = msgspec.json.decode(sys.stdin.buffer.read(), type=Schema)
    refuse(given, chosen)
    sys.stdout.write(emit(given, chosen))
