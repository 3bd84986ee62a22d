"""Writes what glaze must know of the structs: their keys."""

from harness.c.schema import quoted

from serbench.build.contract import Recipe, Request
from serbench.build.records import BuildFailed
from serbench.schemas.generator import files_recipe
from serbench.schemas.model import Message, Schema


def recipe(schema: Schema, request: Request) -> Recipe:
    """A header, which needs no compiler of the library's."""
    for message in schema.messages:
        for field in message.fields:
            if field.optional and field.type.nullable and request.test == "tree":
                reason = "it may be absent and may be null, which glaze does not tell apart when it reads"
                raise BuildFailed(f"{message.name}.{field.name}: {reason}", unsupported=True)
    return files_recipe(request, {"meta.hpp": emit(schema)}, [], [])


def emit(schema: Schema) -> str:
    """The text of the header."""
    fields = [field for message in schema.messages for field in message.fields]
    nulls = any(field.type.nullable and not field.optional for field in fields)
    lines = ["#pragma once", "#include <glaze/json.hpp>", '#include "data.hpp"', ""]
    lines += ["struct Options : glz::opts {", "    bool escape_control_characters = true;", "};"]
    lines += [f"constexpr Options OPTIONS{{{{.skip_null_members = {str(not nulls).lower()}}}}};", ""]
    for message in schema.messages:
        lines += _meta(message, skips=nulls)
    return "\n".join(lines)


def _meta(message: Message, *, skips: bool) -> list[str]:
    """The keys of a struct, and, if null is written, which of its fields are left out without a value."""
    places = [f"{quoted(field.key)}, &T::{field.name}" for field in message.fields]
    lines = [
        "template <>",
        f"struct glz::meta<data::{message.name}> {{",
        f"    using T = data::{message.name};",
    ]
    lines += [
        "    static constexpr auto value = glz::object(",
        ",\n".join(f"        {p}" for p in places),
        "    );",
    ]
    optional = [quoted(field.key) for field in message.fields if field.optional]
    if skips and optional:
        lines += [
            "    template <typename Field>",
            "    static constexpr bool skip_if(Field &&field, std::string_view key, const meta_context &) {",
            "        if constexpr (requires { field.has_value(); })",
            f"            return !field.has_value() && ({' || '.join(f'key == {key}' for key in optional)});",
            "        return false;",
            "    }",
        ]
    return [*lines, "};", ""]
