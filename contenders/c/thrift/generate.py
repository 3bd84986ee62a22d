"""Plans thrift's objects for a schema, and writes what fills and what hashes them."""

import re

import msgspec
from formats.schemas import thrift
from harness.c.plain import source, type_of_message
from harness.c.schema import literal

from serbench.build.contract import Recipe, Request
from serbench.schemas.generator import indented
from serbench.schemas.lower import lower, stands_for
from serbench.schemas.model import Field, Message, Schema, Type


def recipe(schema: Schema, request: Request) -> Recipe:
    """With the compiler of the distribution, whose version is that of its library."""
    files = {"objects.inc": emit(schema)}
    made = ["data_types.h", "data_types.c"]
    return thrift.recipe(schema, request, "c_glib", files, made, renamed=numbered)


def numbered(lowered: Schema) -> Schema:
    """The schema with a number before each message's name.

    Without it the compiler gives one name to field `b_c` of message `A` and to field `c` of message `AB`.
    """
    own = {message.name: f"T{n}{message.name}" for n, message in enumerate(lowered.messages, start=1)}

    def renamed(kind: Type) -> Type:
        inner = None if kind.of is None else renamed(kind.of)
        return msgspec.structs.replace(kind, message=own.get(kind.message, ""), of=inner)

    messages = [
        msgspec.structs.replace(
            message,
            name=own[message.name],
            fields=[msgspec.structs.replace(field, type=renamed(field.type)) for field in message.fields],
        )
        for message in lowered.messages
    ]
    return msgspec.structs.replace(lowered, root=renamed(lowered.root), messages=messages)


def emit(schema: Schema) -> str:
    """Functions `walk_` and `fill_` for each class, the list of all, and `Root`."""
    lowered, standing = lower(schema), stands_for(schema)
    lines: list[str] = []
    for plain, message in zip(lowered.messages, numbered(lowered).messages, strict=True):
        lines += ["", *_walk(message), "", *_fill(message, type_of_message(plain, standing))]
    classes = " ".join(f"CALL({_underscored(message.name)})" for message in numbered(lowered).messages)
    root = numbered(lowered).root.message
    lines += ["", f"#define CLASSES(CALL) {classes}", f"typedef {root} Root;"]
    lines += [f"#define NEW_ROOT {_new(root)}", f"#define OF_ROOT(call) call##_{root}"]
    return "\n".join([*lines[1:], ""])


def _underscored(message: str) -> str:
    """The name in the functions of the compiler."""
    return re.sub(r"(?<!^)([A-Z])", r"_\1", message).lower()


def _new(message: str) -> str:
    return f"g_object_new({_underscored(message)}_get_type(), NULL)"


def _walk(message: Message) -> list[str]:
    """The keys and the values in their order, then their number; of one with a role only the values."""
    lines = [f"static inline void walk_{message.name}(sb_hash *h, const {message.name} *from) {{"]
    always = sum(not field.optional for field in message.fields)
    lines += ["    (void)from;"] if not message.fields else []
    lines += [f"    size_t count = {always};"] if not message.role else []
    for field, name in zip(message.fields, thrift.names(message), strict=True):
        kind = field.type.of or field.type
        walk = f"walk_{kind.message or kind.kind}"
        steps = []
        if not message.role:
            steps.append(f"sb_hash_str(h, {literal(field.key)}, {len(field.key.encode())});")
        if field.type.of is not None:
            item = f"g_array_index(from->{name}, {_held(kind)}, i)"
            if kind.message or kind.kind == "string":
                item = f"g_ptr_array_index(from->{name}, i)"
            steps.append(f"for (guint i = 0; i < from->{name}->len; i++) {walk}(h, {item});")
            steps.append(f"sb_hash_count(h, from->{name}->len);")
        elif field.type.nullable:
            steps += [f"if (from->__isset_{name})", f"    {walk}(h, from->{name});"]
            steps += ["else", "    sb_hash_nil(h);"]
        else:
            steps.append(f"{walk}(h, from->{name});")
        if field.optional:
            steps = [f"if (from->__isset_{name}) {{", *indented([*steps, "count++;"]), "}"]
        lines += indented(steps)
    lines += ["    sb_hash_count(h, count);"] if not message.role else []
    return [*lines, "}"]


def _held(kind: Type) -> str:
    """The type of an item in a list of scalars."""
    return {"bool": "gboolean", "int32": "gint32", "double": "gdouble"}.get(kind.kind, "gint64")


def _fill(message: Message, plain: str) -> list[str]:
    lines = [f"static inline void fill_{message.name}(const data_{plain} *from, {message.name} *to) {{"]
    lines += ["    (void)from, (void)to;"] if not message.fields else []
    for field, name in zip(message.fields, thrift.names(message), strict=True):
        place = source(message, field)
        if thrift.may_lack(field):
            lines += [f"    if ({place}.there) {{", *indented(indented(_put(field, name, f"{place}.value")))]
            lines += [f"        to->__isset_{name} = TRUE;", "    }"]
        else:
            lines += indented(_put(field, name, place))
    return [*lines, "}"]


def _put(field: Field, name: str, place: str) -> list[str]:
    """The statements that put a value that is there, `place` in the struct, into its field."""
    inner = field.type.of
    if inner is None and field.type.message:
        # A new object has those of its fields already.
        return [f"fill_{field.type.message}(&{place}, to->{name});"]
    if inner is None:
        return [f"to->{name} = {f'g_strdup({place}.data)' if field.type.kind == 'string' else place};"]
    if not inner.message and inner.kind in ("int32", "int64", "double"):
        return [f"g_array_append_vals(to->{name}, {place}.items, (guint){place}.count);"]
    item = f"{place}.items[i]"
    if inner.message:
        steps = [
            f"{inner.message} *item = {_new(inner.message)};",
            f"fill_{inner.message}(&{item}, item);",
            f"g_ptr_array_add(to->{name}, item);",
        ]
    elif inner.kind == "string":
        steps = [f"g_ptr_array_add(to->{name}, g_strdup({item}.data));"]
    else:
        steps = [f"const {_held(inner)} item = {item};", f"g_array_append_val(to->{name}, item);"]
    return [f"for (size_t i = 0; i < {place}.count; i++) {{", *indented(steps), "}"]
