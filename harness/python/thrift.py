"""Writes what fills and walks objects of Thrift's classes, wherever a library has these from.

The objects that fill them are plain: lists, dicts and dataclasses.
"""

import json
from collections.abc import Iterator

from formats.schemas import thrift
from harness.python import schema as plain
from harness.python.protobuf import ALWAYS, OPTIONAL, shapes

from serbench.schemas.model import Field, Message, Schema


def files(schema: Schema, classes: str) -> dict[str, str]:
    """The module that the worker loads, and the table that its walk is driven by.

    `classes` is the text that imports or makes the module `thrifted`, which has the classes.
    """
    walked = shapes(thrift.signed(schema), thrift.names, _presence)
    return {
        "serbench_document.py": emit(schema, classes),
        "serbench_document.json": json.dumps({**plain.table(schema, "plain"), "walked": walked}),
    }


def _presence(field: Field) -> int:
    return OPTIONAL if field.optional else ALWAYS


def emit(schema: Schema, classes: str) -> str:
    """The text of a module with plain classes, and the functions that make thrift's objects of theirs."""
    lowered = thrift.signed(schema)
    own = plain.emit(schema, "plain").replace("\nroot = ", "\nplain = ")
    lines = [own, classes, "absent = None"]
    for message in lowered.messages:
        given = "key, value" if message.role == "entry" else "value"
        lines += ["", f"def fill_{message.name}({given}):", f"    to = thrifted.{message.name}()"]
        lines += [*_filled(message, lowered), "    return to", ""]
    root = lowered.root.message
    lines += ["", f"root = thrifted.{root}", f"fill = fill_{root}"]
    return "\n".join(lines) + "\n"


def _filled(message: Message, schema: Schema) -> Iterator[str]:
    """What puts the plain values into the attributes; what is absent stays None."""
    for field, name in zip(message.fields, thrift.names(message), strict=True):
        value, inner = "value", field.type.of
        if not message.role:
            value = f"value.{plain.attribute(field, 'plain')}"
        elif message.role == "entry" and field is message.fields[0]:
            value = "key"
        made = value
        if field.type.message:
            made = f"fill_{field.type.message}({value})"
        elif inner is not None and inner.message and schema.by_name[inner.message].role == "entry":
            made = f"[fill_{inner.message}(key, each) for key, each in {value}.items()]"
        elif inner is not None and inner.message:
            made = f"[fill_{inner.message}(each) for each in {value}]"
        given = f"if {value} is not ...: " if field.optional else ""
        if field.type.nullable and made != value:
            given = f"if {value} is not None: "
        yield f"    {given}to.{name} = {made}"
