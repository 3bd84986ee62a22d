"""Plans capnp's code for a schema, and writes what fills and what hashes its structs."""

from formats.schemas import capnp
from harness.c.schema import quoted

from serbench.build.contract import OUT, Recipe, Request
from serbench.schemas.generator import files_recipe, indented, program
from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Message, Schema

NAMESPACE = "cp"
HEADER = ('using Cxx = import "/capnp/c++.capnp";', f'$Cxx.namespace("{NAMESPACE}");')
ANNOTATION = '$Cxx.name("{}_") '
"""What a nullable number `x` makes in a struct `X` is a class `X` in it, which C++ allows in no class `X`."""


def recipe(schema: Schema, request: Request) -> Recipe:
    """With the compiler of the distribution, whose version is that of its library."""
    files = {"data.capnp": capnp.emit(schema, HEADER, ANNOTATION), "tables.hpp": emit(schema)}
    step = [program(request, "capnp"), "compile", f"-oc++:{OUT}", f"--src-prefix={OUT}", f"{OUT}/data.capnp"]
    return files_recipe(request, files, [step], ["data.capnp.h", "data.capnp.c++"])


def emit(schema: Schema) -> str:
    """Functions `walk` and `pack_NAME` for each struct, and the root's."""
    lowered = lower(schema)
    root = lowered.root.message
    lines = ["#pragma once", f"using Root = {NAMESPACE}::{root}_;"]
    for message in lowered.messages:
        lines += ["", *_walk(message), "", *_pack(message)]
    lines += ["", "inline void pack_root(Root::Builder to, const data::Root &root) {"]
    return "\n".join([*lines, f"    pack_{root}(to, root);", "}", ""])


def _call(verb: str, field: Field) -> str:
    name = capnp.camel(field.name)
    return f"{verb}{name[0].upper()}{name[1:]}"


def _walk(message: Message) -> list[str]:
    """The keys and values in their order, then their number; of one with a role only the values."""
    lines = [f"inline void walk(sb_hash *h, {NAMESPACE}::{message.name}_::Reader from) {{"]
    always = sum(not field.optional for field in message.fields)
    lines += [f"    size_t count = {always};"] if not message.role else []
    lines += ["    (void)from;"] if not message.fields else []
    for field in message.fields:
        key = [] if message.role else [f"walk(h, {quoted(field.key)});"]
        value = f"from.{_call('get', field)}()"
        there = f"from.{_call('has', field)}()"
        if capnp.has_union(field):
            there, value = f"{value}.isGiven()", f"{value}.getGiven()"
        walk = f"walk{'_items' if field.type.of else ''}(h, {value});"
        if field.optional:
            lines += [f"    if ({there}) {{", *indented(indented([*key, walk, "count++;"])), "    }"]
        elif field.type.nullable:
            lines += [*indented(key), f"    if ({there})", f"        {walk}"]
            lines += ["    else", "        sb_hash_nil(h);"]
        else:
            lines += indented([*key, walk])
    lines += ["    sb_hash_count(h, count);"] if not message.role else []
    return [*lines, "}"]


def _pack(message: Message) -> list[str]:
    lines = ["template <typename T>"]
    lines.append(f"void pack_{message.name}({NAMESPACE}::{message.name}_::Builder to, const T &from) {{")
    lines += ["    (void)to, (void)from;"] if not message.fields else []
    for field in message.fields:
        plain = f"from.{field.name}" if not message.role else "from"
        if message.role == "entry":
            plain = {"key": "from.first", "value": "from.second"}[field.name]
        if field.optional or field.type.nullable:
            lines.append(f"    if ({plain}) {_set(field, f'*{plain}')};")
        else:
            lines.append(f"    {_set(field, plain)};")
    return [*lines, "}"]


def _set(field: Field, plain: str) -> str:
    """The expression that sets the field to `plain`, which is there."""
    kind = field.type.of or field.type
    if field.type.of is not None:
        to = f"to.{_call('init', field)}(static_cast<uint32_t>({plain}.size()))"
        if kind.message:
            pack = f"[](auto item, const auto &value) {{ pack_{kind.message}(item, value); }}"
            return f"pack_items({to}, {plain}, {pack})"
        return f"set_{'texts' if kind.kind == 'string' else 'items'}({to}, {plain})"
    if kind.message:
        return f"pack_{kind.message}(to.{_call('init', field)}(), {plain})"
    if capnp.has_union(field):
        return f"to.{_call('get', field)}().setGiven({plain})"
    return f"to.{_call('set', field)}({f'text_of({plain})' if kind.kind == 'string' else plain})"
