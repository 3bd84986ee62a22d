"""Writes a schema for Cap'n Proto and plain classes, what fills messages of them, and what walks these."""

import json
from collections.abc import Iterator

from formats.schemas import capnp
from harness.python import schema as plain

from serbench.build.contract import Recipe, Request
from serbench.schemas.generator import files_recipe, indented
from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Message, Schema, Type

TAKEN = ("schema", "which")
"""Names of fields that a message has as methods: _get reads such a field."""


def recipe(schema: Schema, request: Request) -> Recipe:
    """No compiler is needed: the library reads the schema when the program starts."""
    files = {
        "data.capnp": capnp.emit(schema),
        "serbench_document.py": emit(schema),
        "serbench_document.json": json.dumps(plain.table(schema, "plain")),
    }
    return files_recipe(request, files, [], [])


def emit(schema: Schema) -> str:
    """The text of a module with plain classes, the schema's file, and the functions of its root."""
    lowered = lower(schema)
    lines = [plain.emit(schema, "plain").replace("\nroot = ", "\nplain = ")]
    for message in lowered.messages:
        lines += ["", *_pack(message, lowered), "", "", *_walk(message), ""]
    root = lowered.root.message
    lines += ["", "import capnp", "", "capnp.remove_import_hook()"]
    lines += [f'struct = capnp.load(__file__.replace("serbench_document.py", "data.capnp")).{root}']
    return "\n".join([*lines, f"pack = pack_{root}", f"walk_root = walk_{root}", ""])


def _pack(message: Message, schema: Schema) -> Iterator[str]:
    entry = message.role == "entry"
    yield f"def pack_{message.name}(to, {'key, ' if entry else ''}value):"
    yield from [] if message.fields else ["    pass"]
    for field in message.fields:
        value = "key" if entry and field.name == "key" else "value"
        value = value if message.role else f"value.{plain.attribute(field, 'plain')}"
        lacks = "..." if field.optional else "None" if field.type.nullable else ""
        lines = list(_put(field, value, schema))
        yield from indented([f"if {value} is not {lacks}:", *indented(lines)] if lacks else lines)


def _put(field: Field, value: str, schema: Schema) -> Iterator[str]:
    """What puts a value that is there into the field."""
    name, kind = capnp.camel(field.name), field.type.of
    if field.type.message:
        yield f'pack_{field.type.message}(to.init("{name}"), {value})'
    elif kind is not None and kind.message:
        yield f'items = to.init("{name}", len({value}))'
        if schema.by_name[kind.message].role == "entry":
            yield f"for item, (key, each) in zip(items, {value}.items()):"
            yield f"    pack_{kind.message}(item, key, each)"
        else:
            yield f"for item, each in zip(items, {value}):"
            yield f"    pack_{kind.message}(item, each)"
    elif capnp.has_union(field):
        yield f'to.init("{name}").given = {value}'
    else:
        yield f"to.{name} = {value}"


def _walk(message: Message) -> Iterator[str]:
    """The keys and values in their order, then their number; of one with a role only the values."""
    own = not message.role
    yield f"def walk_{message.name}(message, hash):"
    yield from [f"    count = {sum(not field.optional for field in message.fields)}"] if own else []
    for field in message.fields:
        key = [f"hash.value({field.key!r})"] if own else []
        name = capnp.camel(field.name)
        value = f'message._get("{name}")' if name in TAKEN else f"message.{name}"
        there, before = f'message._has("{name}")', list[str]()
        if capnp.has_union(field):
            there, before = 'union.which() == "given"', [f"union = {value}"]
            value = "union.given"
        lines = _hashed(field.type, value)
        if field.optional:
            yield from indented([*before, f"if {there}:", *indented([*key, *lines, "count += 1"])])
        elif field.type.nullable:
            otherwise = ["else:", "    hash.value(None)"]
            yield from indented([*key, *before, f"if {there}:", *indented(lines), *otherwise])
        else:
            yield from indented([*key, *lines])
    yield from ["    hash.count(count)"] if own else []


def _hashed(kind: Type, value: str) -> list[str]:
    if kind.message:
        return [f"walk_{kind.message}({value}, hash)"]
    if kind.of is None:
        return [f"hash.value({value})"]
    each = indented(_hashed(kind.of, "each"))
    return [f"items = {value}", "for each in items:", *each, "hash.count(len(items))"]
