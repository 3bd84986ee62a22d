"""Writes C++ beside the classes that a format's compiler makes of a schema."""

from collections.abc import Iterable

from harness.c.schema import quoted

from serbench.schemas.generator import indented
from serbench.schemas.model import Field, Message


def walk(message: Message, made: str, fields: Iterable[tuple[Field, str, str]]) -> list[str]:
    """The function that hashes keys and values in their order, then their number.

    If a message has a role, it hashes only the values. `made` is the class, `fields` are the message's,
    each with what has its value and what tells whether it is there.
    """
    lines = [f"inline void walk(sb_hash *h, const {made} &from) {{"]
    always = sum(not field.optional for field in message.fields)
    lines += [f"    size_t count = {always};"] if not message.role else []
    lines += ["    (void)from;"] if not message.fields else []
    for field, value, there in fields:
        steps = [] if message.role else [f"walk(h, {quoted(field.key)});"]
        if field.type.nullable and not field.optional:
            steps += [f"if ({there})", f"    walk(h, {value});", "else", "    sb_hash_nil(h);"]
        else:
            steps.append(f"walk(h, {value});")
        if field.optional:
            steps = [f"if ({there}) {{", *indented([*steps, "count++;"]), "}"]
        lines += indented(steps)
    lines += ["    sb_hash_count(h, count);"] if not message.role else []
    return [*lines, "}"]


def source(message: Message, field: Field) -> str:
    """What has the plain value of a field, where the struct is `from`."""
    if message.role == "entry":
        return {"key": "from.first", "value": "from.second"}[field.name]
    return "from" if message.role else f"from.{field.name}"
