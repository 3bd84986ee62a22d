"""Plans flatc's code for a schema; writes plain classes, what fills tables of them, what walks tables."""

import json
from collections.abc import Iterator

from formats.schemas import fbs
from harness.python import schema as plain

from serbench.build.contract import OUT, Recipe, Request
from serbench.build.records import BuildFailed
from serbench.schemas.generator import files_recipe, indented, program
from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Kind, Message, Schema, Type

PACKAGE = "fb"
PREPENDED: dict[Kind, str] = {
    **{"bool": "Bool", "int32": "Int32", "uint32": "Uint32", "int64": "Int64", "uint64": "Uint64"},
    "double": "Float64",
}
TAKEN = {"Init", "GetRootAs"}
"""Methods of each table."""


def recipe(schema: Schema, request: Request) -> Recipe:
    """With the flatc of the set-up, whose version is the package's."""
    lowered = lower(schema)
    _refuse(lowered)
    files = {
        "data.fbs": fbs.emit(schema, PACKAGE),
        "serbench_document.py": emit(schema),
        "serbench_document.json": json.dumps(plain.table(schema, "plain")),
    }
    step = [program(request, "flatc/bin/flatc"), "--python", "-o", OUT, f"{OUT}/data.fbs"]
    return files_recipe(request, files, [step], [f"{PACKAGE}/{each.name}.py" for each in lowered.messages])


def _refuse(lowered: Schema) -> None:
    for message in lowered.messages:
        names = [_pascal(field) for field in message.fields]
        lists = [name for name, field in zip(names, message.fields, strict=True) if field.type.of]
        methods = {f"{name}{end}" for name in lists for end in ("Length", "IsNone", "AsNumpy")} | TAKEN
        functions = {"Start", "End", *(f"Add{name}" for name in names)}
        why = "flatc gives its name to something else of the table"
        for field, name in zip(message.fields, names, strict=True):
            if name in methods:
                raise BuildFailed(f"{message.name}.{field.key}: {why}", unsupported=True)
        if message.name in functions:
            raise BuildFailed(f"{message.name}: {why}", unsupported=True)


def emit(schema: Schema) -> str:
    """The text of a module with plain classes, and the functions `pack` and `walk` of the root."""
    lowered = lower(schema)
    lines = [plain.emit(schema, "plain").replace("\nroot = ", "\nplain = "), ""]
    lines += [f"import {PACKAGE}.{each.name} as {_module(each.name)}" for each in lowered.messages]
    for message in lowered.messages:
        lines += ["", "", *_pack(message, lowered), "", "", *_walk(message)]
    root = lowered.root.message
    lines += ["", "", f"root = {_module(root)}.{root}.GetRootAs"]
    return "\n".join([*lines, f"pack = pack_{root}", f"walk = walk_{root}", ""])


def _pack(message: Message, schema: Schema) -> Iterator[str]:
    """What is in a table is made before it."""
    module = _module(message.name)
    yield f"def pack_{message.name}(builder, {'key, ' if message.role == 'entry' else ''}value):"
    added = []
    for place, field in enumerate(message.fields):
        value = "key" if message.role == "entry" and field.name == "key" else "value"
        value = value if message.role else f"value.{plain.attribute(field, 'plain')}"
        lacks = "..." if field.optional else "None" if field.type.nullable else ""
        add = f"{module}.Add{_pascal(field)}(builder, "
        if field.type.of is not None:
            yield from _vector(field, f"{module}.Start{_pascal(field)}Vector", value, place, schema)
            added.append(f"    {add}offset{place})")
        elif field.type.message or field.type.kind == "string":
            otherwise = f" if {value} is not {lacks} else 0" if lacks else ""
            yield f"    offset{place} = {_packed(field.type, value)}{otherwise}"
            added.append(f"    {add}offset{place})")
        elif lacks:
            added += [f"    if {value} is not {lacks}:", f"        {add}{value})"]
        else:
            added.append(f"    {add}{value})")
    yield f"    {module}.Start(builder)"
    yield from added
    yield f"    return {module}.End(builder)"


def _vector(field: Field, start: str, value: str, place: int, schema: Schema) -> Iterator[str]:
    kind, items = field.type.inner, value
    prepend = PREPENDED.get(kind.kind, "UOffsetTRelative")
    if kind.kind not in PREPENDED:
        items = f"items{place}"
        if kind.message and schema.by_name[kind.message].role == "entry":
            each = f"pack_{kind.message}(builder, key, each) for key, each in {value}.items()"
        else:
            each = f"{_packed(kind, 'each')} for each in {value}"
        yield f"    {items} = [{each}]"
    yield f"    {start}(builder, len({items}))"
    yield f"    for each in reversed({items}):"
    yield f"        builder.Prepend{prepend}(each)"
    yield f"    offset{place} = builder.EndVector()"


def _packed(kind: Type, value: str) -> str:
    return f"pack_{kind.message}(builder, {value})" if kind.message else f"builder.CreateString({value})"


def _walk(message: Message) -> Iterator[str]:
    """The keys and values in their order, then their number; of one with a role only the values."""
    own = not message.role
    yield f"def walk_{message.name}(table, hash):"
    if own:
        yield f"    count = {sum(not field.optional for field in message.fields)}"
    for field in message.fields:
        key = [f"hash.value({field.key!r})"] if own else []
        name = f"table.{_pascal(field)}"
        if field.type.of is not None:
            yield from indented([*key, f"size = {name}Length()", "for i in range(size):"])
            yield from indented([f"    {_hashed(field.type.of, f'{name}(i)')}", "hash.count(size)"])
            continue
        yield f"    value = {name}()"
        hashed = _hashed(field.type, "value")
        if field.optional:
            yield from indented(["if value is not None:", *indented([*key, hashed, "count += 1"])])
        elif field.type.nullable and not _is_scalar(field.type):
            yield from indented([*key, "if value is None:", "    hash.value(None)", "else:", f"    {hashed}"])
        else:
            yield from indented([*key, hashed])
    if own:
        yield "    hash.count(count)"


def _hashed(kind: Type, value: str) -> str:
    if kind.message:
        return f"walk_{kind.message}({value}, hash)"
    return f"hash.value({value})" if _is_scalar(kind) else f"hash.value({value}.decode())"


def _is_scalar(kind: Type) -> bool:
    return kind.kind in PREPENDED


def _module(message: str) -> str:
    return f"{PACKAGE}_{message}"


def _pascal(field: Field) -> str:
    return "".join(word.capitalize() for word in field.name.split("_"))
