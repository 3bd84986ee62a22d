"""Plans flatc's code for a schema, and writes what fills and what hashes its tables."""

from formats.schemas import fbs
from harness.c.schema import quoted

from serbench.build.contract import OUT, Recipe, Request
from serbench.schemas.generator import files_recipe, indented, program
from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Message, Schema

NAMESPACE = "fb"


def recipe(schema: Schema, request: Request) -> Recipe:
    """With the flatc that comes with the library's headers, or the distribution's."""
    files = {"data.fbs": fbs.emit(schema, NAMESPACE), "tables.hpp": emit(schema)}
    step = [program(request, "flatc/bin/flatc"), "--cpp", "-o", OUT, f"{OUT}/data.fbs"]
    return files_recipe(request, files, [step], ["data_generated.h"])


def emit(schema: Schema) -> str:
    """Functions `walk` and `pack_NAME` for each table, and the root's."""
    lowered = lower(schema)
    lines = ["#pragma once", f"using Root = {NAMESPACE}::{lowered.root.message};"]
    for message in lowered.messages:
        lines += ["", *_walk(message), "", *_pack(message)]
    pack = f"return pack_{lowered.root.message}(builder, root);"
    lines += ["", f"inline auto pack_root(Builder &builder, const data::Root &root) {{ {pack} }}", ""]
    return "\n".join(lines)


def _is_scalar(field: Field) -> bool:
    return field.type.kind not in ("list", "message", "string")


def _walk(message: Message) -> list[str]:
    """The keys and values in their order, then their number; of one with a role only the values."""
    lines = [f"inline void walk(sb_hash *h, const {NAMESPACE}::{message.name} &from) {{"]
    always = sum(not field.optional for field in message.fields)
    lines += [f"    size_t count = {always};"] if not message.role else []
    lines += ["    (void)from;"] if not message.fields else []
    for field in message.fields:
        key = [] if message.role else [f"walk(h, {quoted(field.key)});"]
        if field.optional:
            steps = [*key, "walk(h, *value);", "count++;"]
            lines += [
                f"    if (const auto value = from.{field.name}()) {{",
                *indented(indented(steps)),
                "    }",
            ]
        elif field.type.nullable:
            lines += indented(key)
            lines += [f"    if (const auto value = from.{field.name}())", "        walk(h, *value);"]
            lines += ["    else", "        sb_hash_nil(h);"]
        else:
            star = "" if _is_scalar(field) else "*"
            lines += indented([*key, f"walk(h, {star}from.{field.name}());"])
    lines += ["    sb_hash_count(h, count);"] if not message.role else []
    return [*lines, "}"]


def _pack(message: Message) -> list[str]:
    """What is in a table is made before it."""
    lines = ["template <typename T>", f"auto pack_{message.name}(Builder &builder, const T &from) {{"]
    names = ["builder"]
    for number, field in enumerate(message.fields):
        plain = f"from.{field.name}" if not message.role else "from"
        if message.role == "entry":
            plain = {"key": "from.first", "value": "from.second"}[field.name]
        if _is_scalar(field):
            names.append(plain)
        else:
            names.append(f"field{number}")
            lines.append(f"    const auto field{number} = {_made(field, plain)};")
    lines += ["    (void)from;"] if not message.fields else []
    return [*lines, f"    return {NAMESPACE}::Create{message.name}({', '.join(names)});", "}"]


def _made(field: Field, plain: str) -> str:
    """The expression that packs the field's value, which is `plain` in the struct."""
    if field.type.of is not None:
        kind = field.type.of
        if kind.kind == "string":
            return f"builder.CreateVectorOfStrings({plain})"
        if not kind.message:
            return f"builder.CreateVector({plain})"
        return f"pack_items(builder, {plain}, {_packer(kind.message)})"
    if field.optional or field.type.nullable:
        return f"pack_given(builder, {plain}, {_packer(field.type.message)})"
    if field.type.kind == "string":
        return f"pack_string(builder, {plain})"
    return f"pack_{field.type.message}(builder, {plain})"


def _packer(message: str) -> str:
    """A packer as an argument; that of strings without a message."""
    name = f"pack_{message or 'string'}"
    return f"[](Builder &b, const auto &value) {{ return {name}(b, value); }}"
