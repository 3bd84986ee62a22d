"""Plans thrift's classes for a schema, and writes what fills and what hashes its objects."""

from formats.schemas import thrift
from harness.c.schema import quoted

from serbench.build.contract import Recipe, Request
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
    """The keys and the values in their order, then their number; of one with a role only the values."""
    lines = [f"inline void walk(sb_hash *h, const {NAMESPACE}::{message.name} &from) {{"]
    always = sum(not field.optional for field in message.fields)
    lines += [f"    size_t count = {always};"] if not message.role else []
    lines += ["    (void)from;"] if not message.fields else []
    for field, name in zip(message.fields, thrift.names(message), strict=True):
        steps = [] if message.role else [f"walk(h, {quoted(field.key)});"]
        if field.type.nullable and not field.optional:
            steps += [f"if (from.__isset.{name})", f"    walk(h, from.{name});"]
            steps += ["else", "    sb_hash_nil(h);"]
        else:
            steps.append(f"walk(h, from.{name});")
        if field.optional:
            steps = [f"if (from.__isset.{name}) {{", *_in([*steps, "count++;"]), "}"]
        lines += _in(steps)
    lines += ["    sb_hash_count(h, count);"] if not message.role else []
    return [*lines, "}"]


def _fill(message: Message) -> list[str]:
    lines = ["template <typename T>", f"void fill(const T &from, {NAMESPACE}::{message.name} &to) {{"]
    lines += ["    (void)from, (void)to;"] if not message.fields else []
    for field, name in zip(message.fields, thrift.names(message), strict=True):
        plain = f"from.{field.name}" if not message.role else "from"
        if message.role == "entry":
            plain = {"key": "from.first", "value": "from.second"}[field.name]
        if thrift.may_lack(field):
            lines += [f"    if ({plain}) {{", *_in(_in(_put(field, name, f"*{plain}")))]
            lines += [f"        to.__isset.{name} = true;", "    }"]
        else:
            lines += _in(_put(field, name, plain))
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


def _in(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]
