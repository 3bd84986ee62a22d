"""Plans protoc's classes for a schema, and writes what fills and what hashes its messages."""

from formats.schemas import proto
from harness.c.messages import source, walk

from serbench.build.contract import OUT, Recipe, Request
from serbench.schemas.generator import files_recipe, indented
from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Message, Schema

PACKAGE = "pb"


def recipe(schema: Schema, request: Request) -> Recipe:
    """With the protoc of the distribution, as the library is."""
    files = {"messages.proto": proto.emit(schema, PACKAGE), "messages.hpp": emit(schema)}
    step = ["protoc", f"--cpp_out={OUT}", f"-I{OUT}", f"{OUT}/messages.proto"]
    return files_recipe(request, files, [step], ["messages.pb.h", "messages.pb.cc"])


def emit(schema: Schema) -> str:
    """Functions `walk` and `fill` for each message."""
    lowered = lower(schema)
    lines = ["#pragma once", "", f"using Root = {PACKAGE}::{lowered.root.message};"]
    for message in lowered.messages:
        lines += ["", *_walk(message), "", *_fill(message)]
    return "\n".join([*lines, ""])


def _walk(message: Message) -> list[str]:
    places = [(each, f"from.{each.name}()", f"from.has_{each.name}()") for each in message.fields]
    return walk(message, f"{PACKAGE}::{message.name}", places)


def _fill(message: Message) -> list[str]:
    lines = ["template <typename T>", f"void fill(const T &from, {PACKAGE}::{message.name} *to) {{"]
    lines += ["    (void)from, (void)to;"] if not message.fields else []
    for field in message.fields:
        plain = source(message, field)
        if field.optional or field.type.nullable:
            lines += indented([f"if ({plain})", f"    {_put(field, f'*{plain}')}"])
        else:
            lines += indented([_put(field, plain)])
    return [*lines, "}"]


def _put(field: Field, plain: str) -> str:
    """The statement that puts a value which is there, `plain` in the struct, into its field."""
    inner = field.type.of
    if inner is not None and inner.message:
        return f"for (const auto &each : {plain}) fill(each, to->add_{field.name}());"
    if inner is not None and inner.kind == "string":
        return f"for (const auto &each : {plain}) to->add_{field.name}(each);"
    if inner is not None:
        return f"to->mutable_{field.name}()->Add({plain}.begin(), {plain}.end());"
    if field.type.message:
        return f"fill({plain}, to->mutable_{field.name}());"
    return f"to->set_{field.name}({plain});"
