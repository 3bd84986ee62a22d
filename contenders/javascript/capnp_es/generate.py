"""Writes the schema for capnp, which generate.mjs runs, and what fills and what hashes its structs."""

import json
from collections.abc import Iterator

from formats.schemas import capnp

from serbench.build.contract import Recipe, Request
from serbench.build.records import BuildFailed
from serbench.schemas.generator import files_recipe
from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Message, Schema, Type

WIDE = ("int64", "uint64")
TAKEN = ("byteOffset", "constructor", "segment", "toString", "which")
"""What all structs of the library have already."""


def recipe(schema: Schema, request: Request) -> Recipe:
    """Nothing but the texts. Raises BuildFailed for a field that the library cannot name."""
    for message in schema.messages:
        for field in message.fields:
            if capnp.camel(field.name) in TAKEN:
                said = f"{message.name}.{field.key}: all structs of the library have a member of this name"
                raise BuildFailed(said, unsupported=True)
    return files_recipe(request, {"data.capnp": capnp.emit(schema), "tables.mjs": emit(schema)}, [], [])


def emit(schema: Schema) -> str:
    """The text of a module with `Root`, `fill` and `walk`."""
    lowered = lower(schema)
    root = lowered.root.message
    lines = ['import { utils } from "capnp-es";', 'import * as cp from "./data.ts";']
    for message in lowered.messages:
        lines += ["", *_fill(message, lowered), "", *_walk(message)]
    lines += [
        "",
        f"export {{ fill{root} as fill, walk{root} as walk }};",
        f"export const {{ {root}: Root }} = cp;",
    ]
    return "\n".join([*lines, ""])


def _init(field: Field) -> str:
    return f"to._init{capnp.pascal(field.name)}"


def _fill(message: Message, schema: Schema) -> Iterator[str]:
    entry = message.role == "entry"
    yield f"function fill{message.name}(to, {'key, ' if entry else ''}value) {{"
    for place, field in enumerate(message.fields):
        given = f"value[{json.dumps(field.key)}]" if message.role == "" else "value"
        if entry and place == 0:
            given = "key"
        tests = [f"{given} !== undefined"] if field.optional else []
        tests += [f"{given} !== null"] if field.type.nullable else []
        when = f"if ({' && '.join(tests)}) " if tests else ""
        yield f"  {when}{_set(field, given, schema)}"
    yield "}"


def _set(field: Field, given: str, schema: Schema) -> str:
    name, kind = f"to.{capnp.camel(field.name)}", field.type
    if kind.message:
        return f"fill{kind.message}({_init(field)}(), {given});"
    if kind.of is None:
        return f"{name}{'.given' if capnp.has_union(field) else ''} = {_scalar(kind, given)};"
    values, each, item = given, "each", f"items.set(place, {_scalar(kind.of, 'each')})"
    if kind.of.message:
        item = f"fill{kind.of.message}(items.at(place), each)"
        if schema.by_name[kind.of.message].role == "entry":
            values, each, item = f"Object.entries({given})", "[key, each]", item.replace("each", "key, each")
    return (
        f"{{\n    const values = {values};\n    const items = {_init(field)}(values.length);\n"
        f"    values.forEach(({each}, place) => {item});\n  }}"
    )


def _scalar(kind: Type, value: str) -> str:
    return f"BigInt({value})" if kind.kind in WIDE else value


def _walk(message: Message) -> Iterator[str]:
    """The keys and values in their order, then their number; of one with a role only the values."""
    own = message.role == ""
    yield f"function walk{message.name}(from, hash) {{"
    if own:
        yield f"  let count = {sum(not field.optional for field in message.fields)};"
    pointer = 0
    for field in message.fields:
        key, name = f"hash.string({json.dumps(field.key)});" if own else "", capnp.camel(field.name)
        value, there = f"from.{name}", f"from._has{capnp.pascal(field.name)}()"
        if capnp.has_union(field):
            value, there = f"{value}.given", f"{value}._isGiven"
        elif field.type.kind == "string":  # A text has no such method.
            there = f"!utils.isNull(utils.getPointer({pointer}, from))"
        pointer += field.type.kind in ("list", "message", "string")
        hashed = _hashed(field.type, value)
        if field.optional:
            yield f"  if ({there}) {{\n    {key}\n    {hashed}\n    count++;\n  }}"
        elif field.type.nullable:
            yield f"  {key}\n  if ({there}) {hashed}\n  else hash.nil();"
        else:
            yield f"  {key}\n  {hashed}"
    if own:
        yield "  hash.count(count);"
    yield "}"


def _hashed(kind: Type, value: str) -> str:
    if kind.of is not None:
        return (
            f"{{\n    const items = {value};\n    const {{ length }} = items;\n"
            f"    for (let place = 0; place < length; place++) {_hashed(kind.of, 'items.at(place)')}\n"
            "    hash.count(length);\n  }"
        )
    if kind.message:
        return f"walk{kind.message}({value}, hash);"
    wide = "bigint" if kind.kind in WIDE else "number"
    return f"hash.{({'bool': 'boolean', 'string': 'string'}).get(kind.kind, wide)}({value});"
