"""Plans the structs that avrogencpp makes for a schema, and writes what fills and what hashes them."""

import msgspec
from formats.schemas import avsc
from harness.c.messages import source, walk

from serbench.build.contract import OUT, Content, Recipe, Request
from serbench.build.records import BuildFailed
from serbench.schemas.generator import files_recipe, indented
from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Message, Schema

# What avrogencpp is made of: as one file, it is compiled in seconds.
_SOURCES = """
Compiler CustomAttributes FileStream Generic GenericDatum LogicalType Node NodeImpl Schema Stream Types
ValidSchema json/JsonDom json/JsonIO avrogencpp
"""


def recipe(schema: Schema, request: Request) -> Recipe:
    """With avrogencpp of the library's own version, built for this machine."""
    if said := avsc.refusal(schema):
        raise BuildFailed(said, unsupported=True)
    assert request.library is not None and request.library.root is not None
    root = request.library.root
    files = {
        "data.avsc": avsc.emit(_with_own_names(schema)),
        "records.hpp": emit(schema),
        "avrogencpp.cpp": "".join(f'#include "impl/{name}.cc"\n' for name in _SOURCES.split()),
    }
    words = ["-std=gnu++17", "-w", "-ffunction-sections", "-Wl,--gc-sections", "-DFMT_HEADER_ONLY"]
    words += [f'-DAVRO_VERSION="{request.library.version}"']
    words += [f"-I{folder}" for folder in (root, root / "include", root / "include/avro")]
    compiling = ["g++", *words, f"{OUT}/avrogencpp.cpp", "-o", f"{OUT}/avrogencpp"]
    # Without type definitions for unions, which fields may have the names of.
    making = [f"{OUT}/avrogencpp", "-U", "-n", "avroed", "-i", "data.avsc", "-o", "data.avro.hh"]
    plan = files_recipe(request, files, [compiling, making], ["data.avro.hh"])
    sources = [Content(of="folder", path=root / name) for name in ("impl", "include")]
    return msgspec.structs.replace(plan, inputs=[*plan.inputs, *sources])


def _with_own_names(schema: Schema) -> Schema:
    """The schema with a message as its root, which adds no byte, and with the fields' names as their keys."""
    replace = msgspec.structs.replace
    rooted = schema.rooted()
    messages = [
        replace(message, fields=[replace(field, key=field.name) for field in message.fields])
        for message in rooted.messages
    ]
    return replace(rooted, messages=messages)


def emit(schema: Schema) -> str:
    """Functions `walk` and `fill` for each struct."""
    lowered = lower(schema.rooted(), lists=True)
    lines = ["#pragma once", "", f"using Root = {lowered.root.message};"]
    for message in lowered.messages:
        lines += ["", f"UNION({message.name})", *_walk(message), "", *_fill(message)]
    return "\n".join([*lines, ""])


def _walk(message: Message) -> list[str]:
    return walk(message, message.name, [(field, *_place(field)) for field in message.fields])


def _place(field: Field) -> tuple[str, str]:
    """What has the value of a field, and what tells whether it is there."""
    place = f"from.{field.name}"
    is_union = field.optional or field.type.nullable
    return (f"value_of({place})", f"!{place}.is_null()") if is_union else (place, "")


def _fill(message: Message) -> list[str]:
    lines = ["template <typename T>", f"void fill(const T &from, {message.name} &to) {{"]
    lines += ["    (void)from, (void)to;"] if not message.fields else []
    lines += indented([f"fill({source(message, field)}, to.{field.name});" for field in message.fields])
    return [*lines, "}"]
