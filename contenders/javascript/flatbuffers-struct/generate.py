"""Plans flatc's code for a schema, and writes what makes, fills and hashes: a module of JavaScript."""

import json
from collections.abc import Iterator

from formats.schemas import fbs

from serbench.build.contract import OUT, Recipe, Request
from serbench.schemas.generator import files_recipe, program
from serbench.schemas.lower import lower, stands_for
from serbench.schemas.model import Field, Message, Schema, Type

WIDE = ("int64", "uint64")
"""The kinds that are BigInts in tables."""


def recipe(schema: Schema, request: Request) -> Recipe:
    """With the flatc of the set-up, or the distribution's."""
    files = {"data.fbs": fbs.emit(schema, "fb"), "tables.mjs": emit(schema)}
    step = [program(request, "flatc/bin/flatc"), "--ts", "-o", OUT, f"{OUT}/data.fbs"]
    return files_recipe(request, files, [step], ["fb.ts"])


def emit(schema: Schema) -> str:
    """The text of the module. A map is an array of entries, since an object may have other orders."""
    lowered, stand = lower(schema), stands_for(schema)
    root = lowered.root.message
    lines = ['import * as fb from "./fb.ts";', ""]
    for message in schema.messages:
        lines += [*_make(message), ""]
    for message in lowered.messages:
        lines += [*_pack(message, stand), "", *_walk(message), ""]
    lines += [f"export const make = (tree) => {_made(schema.root, 'tree')};"]
    lines += [f"export const pack = pack{root};", f"export const walk = walk{root};"]
    return "\n".join([*lines, f"export const Root = (buffer) => fb.{root}.getRootAs{root}(buffer);", ""])


def _make(message: Message) -> Iterator[str]:
    """Before the clock runs."""
    yield f"function make{message.name}(tree) {{\n  const made = {{}};"
    for field in message.fields:
        key = json.dumps(field.key)
        there = f"if (Object.hasOwn(tree, {key})) " if field.optional else ""
        yield f"  {there}made.{field.name} = {_made(field.type, f'tree[{key}]')};"
    yield "  return made;\n}"


def _made(kind: Type, value: str) -> str:
    if kind.nullable:
        return f"({value} === null ? null : {_made(kind.given, value)})"
    if kind.kind == "list":
        return f"{value}.map((each) => {_made(kind.inner, 'each')})"
    if kind.kind == "map":
        entry = f"({{ key, value: {_made(kind.inner, 'each')} }})"
        return f"Object.entries({value}).map(([key, each]) => {entry})"
    if kind.kind in WIDE:
        return f"BigInt({value})"
    return f"make{kind.message}({value})" if kind.message else value


def _pack(message: Message, stand: dict[str, Type]) -> Iterator[str]:
    """What is in a table is made before it."""
    table = f"fb.{message.name}"
    yield f"function pack{message.name}(builder, from) {{"
    values = [(each, _value(message, each)) for each in message.fields]
    for place, (field, value) in enumerate(values):
        if not _is_scalar(field):
            lacks = "undefined" if field.optional else "null" if field.type.nullable else ""
            there = f"{value} === {lacks} ? 0 : " if lacks else ""
            yield f"  const offset{place} = {there}{_packed(table, field, value)};"
    yield f"  {table}.start{message.name}(builder);"
    for place, (field, value) in enumerate(values):
        add = f"{table}.add{_pascal(field)}(builder, "
        if not _is_scalar(field):
            yield f"  {add}offset{place});"
        elif field.optional or field.type.nullable:
            yield f"  if ({value} !== {'undefined' if field.optional else 'null'}) {add}{value});"
        else:
            yield f"  {add}{value});"
    yield f"  return {table}.end{message.name}(builder);\n}}"


def _value(message: Message, field: Field) -> str:
    return f"from.{field.name}" if message.role in ("", "entry") else "from"


def _packed(table: str, field: Field, value: str) -> str:
    kind = field.type.of
    if kind is not None:
        items = value
        if kind.message or kind.kind == "string":
            items = f"{value}.map((each) => {_one(kind, 'each')})"
        return f"{table}.create{_pascal(field)}Vector(builder, {items})"
    return _one(field.type, value)


def _one(kind: Type, value: str) -> str:
    return f"pack{kind.message}(builder, {value})" if kind.message else f"builder.createString({value})"


def _walk(message: Message) -> Iterator[str]:
    """The keys and values in their order, then their number; of one with a role only the values."""
    own = not message.role
    yield f"function walk{message.name}(from, hash) {{"
    yield f"  let count = {sum(not field.optional for field in message.fields)};" if own else ""
    for place, field in enumerate(message.fields):
        key = f"  hash.string({json.dumps(field.key)});" if own else ""
        name, value = _camel(field), f"value{place}"
        if field.type.of is not None:
            yield key
            yield from _items(field.type.of, name)
            continue
        yield f"  const {value} = from.{name}();"
        hashed = _hashed(field.type, value)
        if field.optional:
            yield f"  if ({value} !== null) {{\n  {key}\n    {hashed}\n    count++;\n  }}"
        elif field.type.nullable:
            yield f"{key}\n  if ({value} === null) hash.nil();\n  else {hashed}"
        else:
            yield f"{key}\n  {hashed}"
    yield "  hash.count(count);\n}" if own else "}"


def _items(kind: Type, name: str) -> Iterator[str]:
    yield f"  const {name}Length = from.{name}Length();"
    yield f"  const {name}Item = new fb.{kind.message}();" if kind.message else ""
    yield f"  for (let i = 0; i < {name}Length; i++)"
    yield f"    {_hashed(kind, f'from.{name}(i, {name}Item)' if kind.message else f'from.{name}(i)')}"
    yield f"  hash.count({name}Length);"


def _hashed(kind: Type, value: str) -> str:
    if kind.message:
        return f"walk{kind.message}({value}, hash);"
    method = {"bool": "boolean", "string": "string"}.get(
        kind.kind, "bigint" if kind.kind in WIDE else "number"
    )
    return f"hash.{method}({value});"


def _is_scalar(field: Field) -> bool:
    return field.type.kind not in ("list", "message", "string")


def _pascal(field: Field) -> str:
    return "".join(word[:1].upper() + word[1:] for word in field.name.split("_"))


def _camel(field: Field) -> str:
    name = _pascal(field)
    return name[0].lower() + name[1:]
