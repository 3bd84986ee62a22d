"""Writes JavaScript around messages that a library makes of a .proto: what fills them and hashes each field.

What is filled is a plain object. Its integers of 64 bits are what the contender's `integer` makes of them.
"""

import json
from collections.abc import Iterator

import msgspec
from formats.schemas import proto

from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Message, Schema, Type

PROTO = "contender/schemas/document.proto"
KEPT, CAMEL = "contender/document.mjs", "contender/documentInCamelCase.mjs"
"""Two modules: libraries name a field as the .proto does, or in camel case."""
WIDE = ("int64", "uint64")
RESERVED = ("constructor", "toString", "toJSON", "valueOf")
_HEAD = """\
// Code generated from the schema of the data.
import { integer, hashInteger } from "./integers.mjs";
"""


def files(schema: Schema) -> dict[str, str]:
    """The texts by their places below a recipe's folder."""
    lowered = lower(schema)
    modules = {KEPT: lowered, CAMEL: _in_camel_case(lowered)}
    return {PROTO: proto.emit(schema), **{place: _module(each) for place, each in modules.items()}}


def _module(schema: Schema) -> str:
    root = schema.root.message
    lines = [_HEAD, f"export const name = {json.dumps(root)};"]
    for message in schema.messages:
        lines += ["", *_fill(message, schema), "", *_walk(message)]
    return "\n".join([*lines, "", f"export {{ fill{root} as fill, walk{root} as walk }};", ""])


def _in_camel_case(schema: Schema) -> Schema:
    """The schema with fields as protobuf-es names them."""
    messages = [
        msgspec.structs.replace(
            message,
            fields=[msgspec.structs.replace(field, name=_camel(field.name)) for field in message.fields],
        )
        for message in schema.messages
    ]
    return msgspec.structs.replace(schema, messages=messages)


def _camel(name: str) -> str:
    first, *others = name.split("_")
    made = first + "".join(word[:1].upper() + word[1:] for word in others)
    return f"{made}$" if made in RESERVED else made


def _fill(message: Message, schema: Schema) -> Iterator[str]:
    entry = message.role == "entry"
    yield f"function fill{message.name}({'key, ' if entry else ''}value) {{"
    yield f"  const to = {{{' key ' if entry else ''}}};"
    for field in message.fields[1 if entry else 0 :]:
        given = f"value[{json.dumps(field.key)}]" if message.role == "" else "value"
        to, indent = f"to.{field.name}", "  "
        tests = [f"{given} !== undefined"] if field.optional else []
        tests += [f"{given} !== null"] if field.type.nullable else []
        if tests:
            yield f"  if ({' && '.join(tests)}) {{"
            indent = "    "
        yield f"{indent}{to} = {_made(field.type, given, schema)};"
        yield from ["  }"] if tests else []
    yield "  return to;"
    yield "}"


def _made(kind: Type, value: str, schema: Schema) -> str:
    if kind.of is not None and kind.of.message:
        name = kind.of.message
        if schema.by_name[name].role == "entry":
            return f"Object.entries({value}).map(([key, each]) => fill{name}(key, each))"
        return f"{value}.map((each) => fill{name}(each))"
    if kind.of is not None:
        return f"{value}.map(integer)" if kind.of.kind in WIDE else value
    if kind.message:
        return f"fill{kind.message}({value})"
    return f"integer({value})" if kind.kind in WIDE else value


def _walk(message: Message) -> Iterator[str]:
    yield f"function walk{message.name}(from, hash) {{"
    own = message.role == ""
    if own:
        yield f"  let count = {sum(not field.optional for field in message.fields)};"
    for field in message.fields:
        yield from _field(field, own)
    yield from ["  hash.count(count);"] if own else []
    yield "}"


def _field(field: Field, own: bool) -> Iterator[str]:
    value, indent = f"from.{field.name}", "  "
    # What is absent is undefined, or the prototype has the default of its type.
    given = f'Object.hasOwn(from, "{field.name}") && {value} !== undefined'
    if field.optional:
        yield f"  if ({given}) {{"
        yield "    count++;"
        indent = "    "
    if own:
        yield f"{indent}hash.string({json.dumps(field.key)});"
    if field.type.nullable:
        yield f"{indent}if ({given}) {_hashed(field.type, value)}"
        yield f"{indent}else hash.nil();"
    elif field.type.of is not None:
        yield f"{indent}for (const each of {value}) {_hashed(field.type.of, 'each')}"
        yield f"{indent}hash.count({value}.length);"
    else:
        yield f"{indent}{_hashed(field.type, value)}"
    yield from ["  }"] if field.optional else []


def _hashed(kind: Type, there: str) -> str:
    if kind.message:
        return f"walk{kind.message}({there}, hash);"
    if kind.kind in WIDE:
        return f"hashInteger({there}, hash);"
    method = {"bool": "boolean", "string": "string"}.get(kind.kind, "number")
    return f"hash.{method}({there});"
