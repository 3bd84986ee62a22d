"""Writes what zpp::bits must know of the structs: how many members each has, or which."""

from serbench.build.contract import Recipe, Request
from serbench.schemas.generator import files_recipe
from serbench.schemas.model import Message, Schema

MOST = 50
"""Members of a struct that it finds by itself."""


def recipe(schema: Schema, request: Request) -> Recipe:
    """A header, which needs no compiler of the library's."""
    lines = ["#pragma once", "#include <zpp_bits.h>", '#include "data.hpp"', "", "namespace data {"]
    for message in schema.messages:
        lines += ["", *_members(message)]
    text = "\n".join([*lines, "", "}  // namespace data", ""])
    return files_recipe(request, {"members.hpp": text}, [], [])


def _members(message: Message) -> list[str]:
    count = len(message.fields)
    if count <= MOST:
        return [f"auto serialize(const {message.name} &) -> zpp::bits::members<{count}>;"]
    fields = ", ".join(f"self.{field.name}" for field in message.fields)
    body = f"{{ return archive({fields}); }}"
    kinds = (message.name, f"const {message.name}")
    return [f"constexpr auto serialize(auto &archive, {kind} &self) {body}" for kind in kinds]
