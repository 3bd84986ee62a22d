"""Plans thrift's structs for a schema, and writes what fills and what hashes them."""

from formats.schemas import thrift
from harness.rust.schema import literal, type_of_message

from serbench.build.contract import OUT, Recipe, Request
from serbench.schemas.generator import indented
from serbench.schemas.lower import lower, stands_for
from serbench.schemas.model import Field, Message, Schema, Type

MADE = "data.rs"


def recipe(schema: Schema, request: Request) -> Recipe:
    """Without the attributes of a whole file, which no `include!` may have, and imports that no struct needs.

    A message may have one of their names.
    """
    without = r"/^#!\[/d;/^use std::/d;/^use thrift::{/d;/^use thrift::server/d"
    further = [["sed", "-i", without, f"{OUT}/{MADE}"]]
    return thrift.recipe(schema, request, "rs", {"tables.rs": emit(schema)}, [MADE], further=further)


def emit(schema: Schema) -> str:
    """Functions `walk_NAME` and `fill_NAME` for each struct, and the root's."""
    lowered, stand = lower(schema), stands_for(schema)
    lines: list[str] = []
    for message in lowered.messages:
        lines += [*_walk(message), "", *_fill(message, type_of_message(message, stand)), ""]
    root = lowered.root.message
    lines += [f"pub use self::walk_{root} as walk_root;", f"pub use self::fill_{root} as fill_root;"]
    return "\n".join([*lines, f"pub type Made = th::{root};", ""])


def _walk(message: Message) -> list[str]:
    """The keys and values in their order, then their number; of one with a role only the values."""
    lines = [f"pub fn walk_{message.name}(from: &th::{message.name}, hash: &mut Hash) {{"]
    always = sum(not field.optional for field in message.fields)
    lines += [f"    let mut count = {always};"] if not message.role else []
    for field, name in zip(message.fields, thrift.names(message), strict=True):
        key = [] if message.role else [f"hash.string({literal(field.key)});"]
        steps = _hashed(field.type, "value")
        if field.optional:
            lines += [
                f"    if let Some(value) = &from.{name} {{",
                *indented(indented([*key, *steps, "count += 1;"])),
            ]
            lines.append("    }")
        elif field.type.nullable:
            lines += [*indented(key), f"    if let Some(value) = &from.{name} {{", *indented(indented(steps))]
            lines += ["    } else {", "        hash.nil();", "    }"]
        else:
            lines += indented([*key, f"let value = &from.{name};", *steps])
    lines += ["    hash.count(count);"] if not message.role else []
    return [*lines, "}"]


def _hashed(kind: Type, value: str) -> list[str]:
    """What hashes what `value` refers to."""
    if kind.of is not None:
        inner = indented(_hashed(kind.of, "item"))
        return [f"for item in {value} {{", *inner, "}", f"hash.count({value}.len());"]
    if kind.message:
        return [f"walk_{kind.message}({value}, hash);"]
    return [f"{value}{'.0' if kind.kind == 'double' else ''}.walk(hash);"]


def _fill(message: Message, plain: str) -> list[str]:
    lines = [f"pub fn fill_{message.name}(from: &{plain}) -> th::{message.name} {{"]
    lines.append(f"    th::{message.name} {{")
    for field, name in zip(message.fields, thrift.names(message), strict=True):
        value = f"from.{field.name}" if not message.role else "from"
        if message.role == "entry":
            value = {"key": "from.0", "value": "from.1"}[field.name]
        lines.append(
            f"        {name}: {_made(field, value, bool(message.role) and message.role != 'entry')},"
        )
    return [*lines, "    }", "}"]


def _made(field: Field, value: str, refers: bool) -> str:
    """The value of a field; `value` is a place, or refers to one."""
    if thrift.may_lack(field):
        return f"{value}.as_ref().map(|value| {_converted(field.type, 'value')})"
    return _converted(field.type, value, refers)


def _converted(kind: Type, value: str, refers: bool = True) -> str:
    """What thrift's struct has of a value."""
    if kind.message:
        return f"fill_{kind.message}({'' if refers else '&'}{value})"
    if kind.of is not None and (kind.of.message or _differs(kind.of)):
        return f"{value}.iter().map(|each| {_converted(kind.of, 'each')}).collect()"
    if kind.of is not None or kind.kind == "string":
        return f"{value}.clone()"
    place = f"*{value}" if refers else value
    return f"({place}).into()" if _differs(kind) else place


def _differs(kind: Type) -> bool:
    """Whether thrift has another type for a scalar."""
    return kind.kind in ("uint32", "double")
