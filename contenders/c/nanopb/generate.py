"""Plans nanopb's structs for a schema, and writes what fills, frees and hashes them."""

from collections.abc import Callable

import msgspec
from formats.schemas import proto
from harness.c.plain import source, type_of_message
from harness.c.schema import literal

from serbench.build.contract import OUT, Recipe, Request
from serbench.schemas.generator import files_recipe, indented
from serbench.schemas.lower import lower, stands_for
from serbench.schemas.model import Field, Message, Schema

PACKAGE = "nano"


def recipe(schema: Schema, request: Request) -> Recipe:
    """With the distribution's generator."""
    files = {"messages.proto": proto_of(schema), "messages.inc": emit(schema)}
    # What has no fixed size gets a pointer.
    step = ["nanopb_generator.py", "-q", "-s", "fallback_type:FT_POINTER", "-D", OUT, "-I", OUT]
    return files_recipe(
        request, files, [[*step, f"{OUT}/messages.proto"]], ["messages.pb.h", "messages.pb.c"]
    )


def proto_of(schema: Schema) -> str:
    """The .proto, whose fields have names that the generator leaves alone."""
    renamed = [
        msgspec.structs.replace(
            message, fields=[msgspec.structs.replace(field, name=own_name(field)) for field in message.fields]
        )
        for message in schema.messages
    ]
    return proto.emit(msgspec.structs.replace(schema, messages=renamed), PACKAGE)


def emit(schema: Schema) -> str:
    """Functions `walk_`, `clear_` and `fill_` for each message, and `Root`."""
    lowered, standing = lower(schema), stands_for(schema)
    lines: list[str] = []
    for message in lowered.messages:
        plain = type_of_message(message, standing)
        lines += ["", *walk(message, _there), "", *_clear(message), "", *_fill(message, plain)]
    root = lowered.root.message
    lines += ["", f"typedef {c_name(root)} Root;", f"#define ROOT_FIELDS {c_name(root)}_fields"]
    lines += [f"#define OF_ROOT(call) call##_{root}"]
    return "\n".join([*lines[1:], ""])


def own_name(field: Field) -> str:
    """The field's name: none that the generator adds to others."""
    name = field.name
    return f"{name}_" if name.startswith(("has_", "dummy_")) or name.endswith("_count") else name


def c_name(message: str) -> str:
    """The type of a message in C."""
    return f"{PACKAGE}_{message}"


def _there(field: Field) -> str:
    """Whether a field is there whose text is a pointer."""
    text = field.type.kind == "string"
    return f"from->{own_name(field)} != NULL" if text else f"from->has_{own_name(field)}"


def walk(message: Message, there: Callable[[Field], str], state: str = "") -> list[str]:
    """The keys and the values in their order, then their number; of one with a role only the values.

    It calls `walk_KIND` for each scalar, and asks `there` of what may be absent or null. `state` is the hash,
    where all functions have one; else it is their first argument.
    """
    given, passed, h = ("", "", state) if state else ("sb_hash *h, ", "h, ", "h")
    lines = [f"static inline void walk_{message.name}({given}const {c_name(message.name)} *from) {{"]
    always = sum(not field.optional for field in message.fields)
    lines += ["    (void)from;"] if not message.fields else []
    lines += [f"    size_t count = {always};"] if not message.role else []
    for field in message.fields:
        own = own_name(field)
        kind = field.type.of or field.type
        value = f"walk_{kind.message or kind.kind}({passed}{'&' if kind.message else ''}from->{own}{{}});"
        key = f"sb_hash_str({h}, {literal(field.key)}, {len(field.key.encode())});"
        steps = [] if message.role else [key]
        if field.type.of is not None:
            steps.append(f"for (size_t i = 0; i < from->{own}_count; i++) {value.format('[i]')}")
            steps.append(f"sb_hash_count({h}, from->{own}_count);")
        elif field.type.nullable:
            steps += [f"if ({there(field)})", f"    {value.format('')}", "else", f"    sb_hash_nil({h});"]
        else:
            steps.append(value.format(""))
        if field.optional:
            steps = [f"if ({there(field)}) {{", *indented([*steps, "count++;"]), "}"]
        lines += indented(steps)
    lines += [f"    sb_hash_count({h}, count);"] if not message.role else []
    return [*lines, "}"]


def _clear(message: Message) -> list[str]:
    """Frees what fill allocated."""
    lines = [f"static inline void clear_{message.name}({c_name(message.name)} *made) {{", "    (void)made;"]
    for field in message.fields:
        own, inner = own_name(field), field.type.of
        if inner is not None and inner.message:
            each = f"clear_{inner.message}(&made->{own}[i]);"
            lines.append(f"    for (size_t i = 0; i < made->{own}_count; i++) {each}")
        if inner is not None and (inner.message or inner.kind == "string"):
            lines.append(f"    free(made->{own});")
        if field.type.message:
            lines.append(f"    clear_{field.type.message}(&made->{own});")
    return [*lines, "}"]


def _fill(message: Message, plain: str) -> list[str]:
    """Fills a message that is zero."""
    head = f"static inline void fill_{message.name}(const data_{plain} *from, {c_name(message.name)} *to) {{"
    lines = [head, "    (void)from, (void)to;"]
    for field in message.fields:
        place = source(message, field)
        if field.optional or field.type.nullable:
            has = [f"to->has_{own_name(field)} = true;"] if field.type.kind not in ("string", "list") else []
            steps = [*has, *_put(field, f"{place}.value")]
            lines += indented([f"if ({place}.there) {{", *indented(steps), "}"])
        elif field.type.kind == "string":  # As in proto3, what is empty is left out.
            lines += indented([f"if ({place}.size > 0) to->{own_name(field)} = {place}.data;"])
        else:
            has = [f"to->has_{own_name(field)} = true;"] if field.type.message else []
            lines += indented([*has, *_put(field, place)])
    return [*lines, "}"]


def _put(field: Field, place: str) -> list[str]:
    """The statements that put a value, `place` in the struct, into its field."""
    own, inner = own_name(field), field.type.of
    if inner is not None and not (inner.message or inner.kind == "string"):
        return [f"to->{own}_count = (pb_size_t){place}.count;", f"to->{own} = {place}.items;"]
    if inner is not None:
        each = f"{place}.items[i]"
        put = f"fill_{inner.message}(&{each}, &to->{own}[i]);" if inner.message else ""
        return [
            f"to->{own}_count = (pb_size_t){place}.count;",
            f"to->{own} = need({place}.count, sizeof *to->{own});",
            f"for (size_t i = 0; i < {place}.count; i++) {put or f'to->{own}[i] = {each}.data;'}",
        ]
    if field.type.message:
        return [f"fill_{field.type.message}(&{place}, &to->{own});"]
    return [f"to->{own} = {place}{'.data' if field.type.kind == 'string' else ''};"]
