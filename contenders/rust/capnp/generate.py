"""Writes the schema for capnpc, which build.rs runs, and what fills and what hashes its structs."""

import re

from formats.schemas import capnp
from harness.rust.schema import literal, type_of_message

from serbench.build.contract import Recipe, Request
from serbench.schemas.generator import files_recipe, indented
from serbench.schemas.lower import lower, stands_for
from serbench.schemas.model import Field, Message, Schema


def recipe(schema: Schema, request: Request) -> Recipe:
    """Nothing but the texts."""
    return files_recipe(request, {"data.capnp": capnp.emit(schema), "tables.rs": emit(schema)}, [], [])


def emit(schema: Schema) -> str:
    """Functions `walk_NAME` and `pack_NAME` for each struct, and the root's."""
    lowered, stand = lower(schema), stands_for(schema)
    lines = []
    for message in lowered.messages:
        lines += [*_walk(message), "", *_pack(message, type_of_message(message, stand)), ""]
    root = lowered.root.message
    place = f"cp::{_snake(root)}"
    lines += [f"pub fn walk_root(from: {place}::Reader<'_>, hash: &mut Hash) -> capnp::Result<()> {{"]
    lines += [f"    walk_{root}(from, hash)", "}", ""]
    lines += [
        f"pub fn pack_root(to: {place}::Builder<'_>, root: &Root) {{",
        f"    pack_{root}(to, root)",
        "}",
    ]
    return "\n".join([*lines, ""])


def _snake(name: str) -> str:
    """As capnpc writes a name in PascalCase or camelCase."""
    return re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


def _accessor(field: Field) -> str:
    return _snake(capnp.camel(field.name))


def _walk(message: Message) -> list[str]:
    """The keys and values in their order, then their number; of one with a role only the values."""
    place = f"cp::{_snake(message.name)}"
    lines = [f"fn walk_{message.name}(from: {place}::Reader<'_>, hash: &mut Hash) -> capnp::Result<()> {{"]
    always = sum(not field.optional for field in message.fields)
    lines += [f"    let mut count = {always};"] if not message.role else []
    for field in message.fields:
        name = _accessor(field)
        key = [] if message.role else [f"hash.string({literal(field.key)});"]
        there, steps = f"from.has_{name}()", _hashed(field, f"from.get_{name}()?")
        if capnp.has_union(field):
            there = f"let {place}::{name}::Given(value) = from.get_{name}().which()?"
            steps = ["value.walk(hash);"]
        if field.optional:
            lines += [f"    if {there} {{", *indented(indented([*key, *steps, "count += 1;"])), "    }"]
        elif field.type.nullable:
            lines += [*indented(key), f"    if {there} {{", *indented(indented(steps))]
            lines += ["    } else {", "        hash.nil();", "    }"]
        else:
            lines += indented([*key, *steps])
    lines += ["    hash.count(count);"] if not message.role else []
    return [*lines, "    Ok(())", "}"]


def _hashed(field: Field, value: str) -> list[str]:
    """What hashes `value`, which is there; the accessors of scalars never fail."""
    if field.type.of is not None:
        kind = field.type.of
        lines = [f"let items = {value};", "for item in items.iter() {"]
        if kind.message:
            lines.append(f"    walk_{kind.message}(item, hash)?;")
        else:
            lines.append(f"    {'item?.to_str()?' if kind.kind == 'string' else 'item'}.walk(hash);")
        return [*lines, "}", "hash.count(items.len() as usize);"]
    if field.type.message:
        return [f"walk_{field.type.message}({value}, hash)?;"]
    if field.type.kind == "string":
        return [f"{value}.to_str()?.walk(hash);"]
    return [f"{value.removesuffix('?')}.walk(hash);"]


def _pack(message: Message, plain: str) -> list[str]:
    place = f"cp::{_snake(message.name)}"
    lines = [f"fn pack_{message.name}(mut to: {place}::Builder<'_>, from: &{plain}) {{"]
    for field in message.fields:
        value = f"&from.{field.name}" if not message.role else "from"
        if message.role == "entry":
            value = {"key": "&from.0", "value": "&from.1"}[field.name]
        if field.optional or field.type.nullable:
            lines += [f"    if let Some(value) = {value} {{", *indented(indented(_set(field))), "    }"]
        else:
            lines += [f"    let value = {value};", *indented(_set(field))]
    return [*lines, "}"]


def _set(field: Field) -> list[str]:
    """What sets the field to what `value` refers to."""
    name = _accessor(field)
    if field.type.of is not None:
        kind = field.type.of
        lines = [f"let mut items = to.reborrow().init_{name}(value.len() as u32);"]
        lines.append("for (place, item) in value.iter().enumerate() {")
        if kind.message:
            lines.append(f"    pack_{kind.message}(items.reborrow().get(place as u32), item);")
        else:
            item = "item.as_str()" if kind.kind == "string" else "*item"
            lines.append(f"    items.set(place as u32, {item});")
        return [*lines, "}"]
    if field.type.message:
        return [f"pack_{field.type.message}(to.reborrow().init_{name}(), value);"]
    if field.type.kind == "string":
        return [f"to.set_{name}(value.as_str());"]
    if capnp.has_union(field):
        return [f"to.reborrow().get_{name}().set_given(*value);"]
    return [f"to.set_{name}(*value);"]
