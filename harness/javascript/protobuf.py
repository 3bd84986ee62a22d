"""Writes JavaScript around messages that a library makes of a .proto: what fills them and hashes each field.

Integers of 64 bits are what the contender's `integer` makes of them.
"""

import json
import re
from collections.abc import Callable, Iterator

import msgspec
from formats.schemas import proto
from formats.schemas.capnp import camel, pascal

from serbench.build.records import BuildFailed
from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Message, Schema, Type

PROTO, MODULE = "contender/schemas/document.proto", "contender/document.mjs"
WIDE = ("int64", "uint64")
_HEAD = """\
// Code generated from the schema of the data.
import { integer, hashInteger } from "./integers.mjs";
"""


def _kept(field: Field) -> str:
    return field.name


def _camel_of_protobufjs(field: Field) -> str:
    return re.sub("_([a-z])", lambda found: found[1].upper(), field.name)


def _camel_of_protobuf_es(field: Field) -> str:
    made = camel(field.name)
    return f"{made}$" if made in ("constructor", "toString", "toJSON", "valueOf") else made


def _camel_of_protoc(field: Field) -> str:
    made = pascal(field.name)
    if field.type.of is not None:
        return f"{made}List"
    return f"{made}$" if made in ("Extension", "JsPbMessageId") else made


def _in_a_oneof(field: Field, number: int) -> str:
    line = proto.field_line(field, number)
    return (
        f"oneof _{field.name} {{ {line.removeprefix('optional ')} }}"
        if line.startswith("optional ")
        else line
    )


def _as_string(field: Field, number: int) -> str:
    line = proto.field_line(field, number)
    wide = (field.type.of or field.type).kind in WIDE
    return line.replace(";", " [jstype = JS_STRING];") if wide else line


class Style(msgspec.Struct, frozen=True, kw_only=True):
    """How a library's messages are used: templates of what is done with a field."""

    named: Callable[[Field], str] = _kept
    """What the field is called."""
    new: str = "{{}}"
    """An empty message."""
    set: str = "to.{name} = {value}"
    get: str = "from.{name}"
    has: str = 'Object.hasOwn(from, "{name}") && from.{name} !== undefined'
    """Whether it is there. What is absent is undefined, or the prototype has the default of its type."""
    has_scalar: str = ""
    """The same of one that is no message, if that is another question."""
    head: str = ""
    line: Callable[[Field, int], str] = proto.field_line
    """The field in the .proto."""


STYLES = {
    "SCHEMA=protobuf": Style(),
    # Names as protobufjs and, of it, protons make them.
    "SCHEMA=protobuf-camel": Style(named=_camel_of_protobufjs),
    "SCHEMA=protobuf-es": Style(named=_camel_of_protobuf_es),
    # pbf knows what may be absent only alone in a oneof, for which `optional` stands: a property of the oneof
    # names the field that is there.
    "SCHEMA=protobuf-oneof": Style(
        has="from.{name} !== undefined", has_scalar="from._{name} !== undefined", line=_in_a_oneof
    ),
    # The classes that protoc makes. As numbers, integers of 64 bits would be right up to 2^53 only.
    "SCHEMA=protobuf-accessors": Style(
        named=_camel_of_protoc,
        new="new messages.{message}()",
        set="to.set{name}({value})",
        get="from.get{name}()",
        has="from.has{name}()",
        head='import messages from "./messages.cjs";\n',
        line=_as_string,
    ),
}
"""By the macro that a contender's manifest states."""


def files(schema: Schema, style: Style) -> dict[str, str]:
    """The texts by their places below a recipe's folder.

    Raises BuildFailed for fields that the library gives one name.
    """
    lowered = lower(schema)
    for message in lowered.messages:
        names: dict[str, Field] = {}
        for field in message.fields:
            other = names.setdefault(style.named(field), field)
            if other is not field:
                said = f"{message.name}: its fields {other.key} and {field.key} have one name in the library"
                raise BuildFailed(said, unsupported=True)
    root = lowered.root.message
    lines = [_HEAD + style.head, f"export const name = {json.dumps(root)};"]
    for message in lowered.messages:
        lines += ["", *_fill(message, lowered, style), "", *_walk(message, style)]
    lines += ["", f"export {{ fill{root} as fill, walk{root} as walk }};", ""]
    return {PROTO: proto.emit(schema, line=style.line), MODULE: "\n".join(lines)}


def _fill(message: Message, schema: Schema, style: Style) -> Iterator[str]:
    entry = message.role == "entry"
    yield f"function fill{message.name}({'key, ' if entry else ''}value) {{"
    yield f"  const to = {style.new.format(message=message.name)};"
    for at, field in enumerate(message.fields):
        given = f"value[{json.dumps(field.key)}]" if message.role == "" else "value"
        if entry and at == 0:
            given = "key"
        tests = [f"{given} !== undefined"] if field.optional else []
        tests += [f"{given} !== null"] if field.type.nullable else []
        when = f"if ({' && '.join(tests)}) " if tests else ""
        made = _made(field.type, given, schema)
        yield f"  {when}{style.set.format(name=style.named(field), value=made)};"
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


def _walk(message: Message, style: Style) -> Iterator[str]:
    yield f"function walk{message.name}(from, hash) {{"
    own = message.role == ""
    if own:
        yield f"  let count = {sum(not field.optional for field in message.fields)};"
    for field in message.fields:
        yield from _field(field, own, style)
    yield from ["  hash.count(count);"] if own else []
    yield "}"


def _field(field: Field, own: bool, style: Style) -> Iterator[str]:
    name, indent = style.named(field), "  "
    value = style.get.format(name=name)
    given = (style.has if field.type.message else style.has_scalar or style.has).format(name=name)
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
