"""Plans thrift's classes for a schema, and writes what fills and what hashes its objects."""

from formats.schemas import thrift
from harness.c.messages import source, walk

from serbench.build.contract import Recipe, Request
from serbench.schemas.generator import indented
from serbench.schemas.model import Field, Message, Schema

NAMESPACE = "thrifted"


def recipe(schema: Schema, request: Request) -> Recipe:
    """With the compiler of the distribution, whose version is that of its library."""
    made = ["data_types.h", "data_types.cpp"]
    return thrift.recipe(
        schema, request, "cpp:no_skeleton", {"objects.hpp": emit(schema)}, made, namespace=f"cpp {NAMESPACE}"
    )


def emit(schema: Schema) -> str:
    """Functions `walk` and `fill` for each class."""
    signed = thrift.signed(schema)
    lines = ["#pragma once", "", f"using Root = {NAMESPACE}::{signed.root.message};"]
    for message in signed.messages:
        lines += ["", *_walk(message), "", *_fill(message)]
    return "\n".join([*lines, ""])


def _walk(message: Message) -> list[str]:
    fields = zip(message.fields, thrift.names(message), strict=True)
    places = [(field, f"from.{name}", f"from.__isset.{name}") for field, name in fields]
    return walk(message, f"{NAMESPACE}::{message.name}", places)


def _fill(message: Message) -> list[str]:
    lines = ["template <typename T>", f"void fill(const T &from, {NAMESPACE}::{message.name} &to) {{"]
    lines += ["    (void)from, (void)to;"] if not message.fields else []
    for field, name in zip(message.fields, thrift.names(message), strict=True):
        plain = source(message, field)
        if thrift.may_lack(field):
            lines += [f"    if ({plain}) {{", *indented(indented(_put(field, name, f"*{plain}")))]
            lines += [f"        to.__isset.{name} = true;", "    }"]
        else:
            lines += indented(_put(field, name, plain))
    return [*lines, "}"]


def _put(field: Field, name: str, plain: str) -> list[str]:
    """What puts a value that is there, `plain` in the struct, into its field."""
    inner = field.type.of
    if inner is not None and inner.message:
        lines = [f"to.{name}.resize({plain}.size());"]
        return [*lines, f"for (size_t i = 0; i < {plain}.size(); i++) fill({plain}[i], to.{name}[i]);"]
    if inner is not None:
        return [f"to.{name}.assign({plain}.begin(), {plain}.end());"]
    if field.type.message:
        return [f"fill({plain}, to.{name});"]
    return [f"to.{name} = {plain};"]
