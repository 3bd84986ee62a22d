"""Writes what a row for Avro needs beside its schema: a module that makes its objects and hashes them.

`make` makes them of the value tree before the clock runs: a map is an array of entries, the names are Avro's,
and what may be both absent and null is in an object of its own. `walk` hashes every field with its key.
"""

import json

from formats.schemas import avsc

from serbench.schemas.model import INTEGERS, Field, Message, Schema, Type


def emit(schema: Schema) -> str:
    """The text of the module."""
    parts = [part for message in schema.messages for part in (_maker(message), _walker(message))]
    make = f"export const make = (root) => {_made(schema.root, 'root')};\n"
    walk = "export function walk(root, hash) {\n" + _walk(schema.root, "root", "  ", 0) + "}\n"
    return "\n".join([*parts, make, walk])


def _maker(message: Message) -> str:
    lines = [f"function make{message.name}(tree) {{", "  const made = {};"]
    for field, name in zip(message.fields, avsc.names(message), strict=True):
        key = json.dumps(field.key)
        value = _made(field.type, f"tree[{key}]")
        if field.optional:
            value = f"{{ value: {value} }}" if field.type.nullable else value
            lines.append(f"  if (Object.hasOwn(tree, {key})) made.{name} = {value};")
        else:
            lines.append(f"  made.{name} = {value};")
    return "\n".join([*lines, "  return made;", "}\n"])


def _made(kind: Type, value: str) -> str:
    """The expression that makes what is written of `value`, of the value tree."""
    if kind.nullable:
        return f"({value} === null ? null : {_made(kind.given, value)})"
    if kind.kind == "list":
        return f"{value}.map((each) => {_made(kind.inner, 'each')})"
    if kind.kind == "map":
        entry = f"({{ key, value: {_made(kind.inner, 'each')} }})"
        return f"Object.entries({value}).map(([key, each]) => {entry})"
    return f"make{kind.message}({value})" if kind.message else value


def _walker(message: Message) -> str:
    lines = f"function walk{message.name}(value, hash) {{\n  let count = {len(message.fields)};\n"
    for field, name in zip(message.fields, avsc.names(message), strict=True):
        lines += _field(field, f"value.{name}")
    return f"{lines}  hash.count(count);\n}}\n"


def _field(field: Field, value: str) -> str:
    key = f"hash.string({json.dumps(field.key)});\n"
    if not field.optional:
        return f"  {key}{_walk(field.type, value, '  ', 0)}"
    inner = _walk(field.type, f"{value}.value" if field.type.nullable else value, "    ", 0)
    return f"  if ({value} !== null) {{\n    {key}{inner}  }} else count--;\n"


def _walk(kind: Type, value: str, indent: str, depth: int) -> str:
    """The statements that hash `value`."""
    if kind.nullable:
        inner = _walk(kind.given, value, f"{indent}  ", depth)
        return f"{indent}if ({value} === null) hash.nil();\n{indent}else {{\n{inner}{indent}}}\n"
    if kind.of is not None:
        each = f"each{depth}"
        inside = f"{indent}  "
        key = f"{inside}hash.string({each}.key);\n" if kind.kind == "map" else ""
        inner = _walk(kind.inner, f"{each}.value" if key else each, inside, depth + 1)
        head = f"{indent}for (const {each} of {value}) {{\n"
        return f"{head}{key}{inner}{indent}}}\n{indent}hash.count({value}.length);\n"
    if kind.message:
        return f"{indent}walk{kind.message}({value}, hash);\n"
    number = "number" if kind.kind in INTEGERS or kind.kind == "double" else ""
    return f"{indent}hash.{number or {'bool': 'boolean'}.get(kind.kind, 'string')}({value});\n"
