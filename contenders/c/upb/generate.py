"""Writes a schema's descriptor for upb, and what makes and hashes its messages."""

from formats.schemas.proto import KINDS
from harness.c.plain import source, type_of_message
from harness.c.schema import literal

from serbench.build.contract import Recipe, Request
from serbench.schemas.generator import files_recipe, indented
from serbench.schemas.lower import lower, stands_for
from serbench.schemas.model import Field, Message, Schema

PACKAGE = "data"
TYPES = {"double": 1, "int64": 3, "uint64": 4, "bool": 8, "string": 9, "message": 11, "uint32": 13}
"""The numbers of descriptor.proto; a sint32 is 17."""
FIXED_SIZE = ("bool", "int32", "int64", "uint32", "uint64", "double")


def recipe(schema: Schema, request: Request) -> Recipe:
    """Nothing but the texts: the library reads the descriptor when the program starts."""
    lowered = lower(schema)
    texts = {"descriptor.inc": tables(lowered), "messages.inc": emit(schema)}
    return files_recipe(request, texts, [], [])


def tables(lowered: Schema) -> str:
    """The descriptor, and how many messages and fields it has."""
    data = descriptor(lowered)
    rows = [", ".join(map(str, data[start : start + 24])) for start in range(0, len(data), 24)]
    names = [f'    "{PACKAGE}.{message.name}",' for message in lowered.messages]
    lines = [f"enum {{ MESSAGES = {len(names)}, FIELDS = {lowered.fields} }};"]
    lines += ["static const char *const names[] = {", *names, "};"]
    return "\n".join(
        [*lines, "static const unsigned char descriptor[] = {", *(f"    {row}," for row in rows), "};", ""]
    )


def descriptor(lowered: Schema) -> bytes:
    """A FileDescriptorProto of proto3, with what protoc says of `formats.schemas.proto`'s text."""
    messages = b"".join(_bytes(4, _message(message)) for message in lowered.messages)
    return _text(1, "data.proto") + _text(2, PACKAGE) + messages + _text(12, "proto3")


def _message(message: Message) -> bytes:
    fields, oneofs = b"", b""
    places = 0
    for number, field in enumerate(message.fields, start=1):
        kind = field.type.of or field.type
        label = 3 if field.type.of is not None else 1
        made = _text(1, field.name) + _number(3, number) + _number(4, label)
        made += _number(5, 17 if KINDS.get(kind.kind) == "sint32" else TYPES[kind.kind])
        made += _text(6, f".{PACKAGE}.{kind.message}") if kind.message else b""
        if (field.optional or field.type.nullable) and not kind.message:
            # In proto3 it is alone in a oneof.
            made += _number(9, places) + _number(17, 1)
            oneofs += _bytes(8, _text(1, f"_{field.name}"))
            places += 1
        fields += _bytes(2, made)
    return _text(1, message.name) + fields + oneofs


def _varint(value: int) -> bytes:
    made = b""
    while value > 127:
        made += bytes([value & 127 | 128])
        value >>= 7
    return made + bytes([value])


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _text(field: int, value: str) -> bytes:
    return _bytes(field, value.encode())


def emit(schema: Schema) -> str:
    """Functions `walk_` and `fill_` for each message, and the root's number and name."""
    lowered, standing = lower(schema), stands_for(schema)
    lines: list[str] = []
    first = 0
    for number, message in enumerate(lowered.messages):
        places = [f"fields[{first + place}]" for place in range(len(message.fields))]
        lines += ["", *_walk(message, places)]
        lines += ["", *_fill(message, number, places, type_of_message(message, standing))]
        first += len(places)
    root = lowered.root.message
    lines += ["", f"enum {{ ROOT = {list(lowered.by_name).index(root)} }};"]
    lines += [f"#define OF_ROOT(call) call##_{root}"]
    return "\n".join([*lines[1:], ""])


def _walk(message: Message, places: list[str]) -> list[str]:
    """The keys and the values in their order, then their number; of one with a role only the values."""
    lines = [f"static inline void walk_{message.name}(sb_hash *h, const upb_Message *from) {{"]
    always = sum(not field.optional for field in message.fields)
    lines += ["    (void)from;"] if not message.fields else []
    lines += [f"    size_t count = {always};"] if not message.role else []
    for field, place in zip(message.fields, places, strict=True):
        key = f"sb_hash_str(h, {literal(field.key)}, {len(field.key.encode())});"
        steps = [] if message.role else [key]
        there = f"upb_Message_HasBaseField(from, {place})"
        if field.type.nullable:
            steps += [
                f"if ({there}) {{",
                *indented(_hashed(field, place)),
                "} else {",
                "    sb_hash_nil(h);",
                "}",
            ]
        else:
            steps += _hashed(field, place)
        if field.optional:
            steps = [f"if ({there}) {{", *indented([*steps, "count++;"]), "}"]
        lines += indented(steps)
    lines += ["    sb_hash_count(h, count);"] if not message.role else []
    return [*lines, "}"]


def _hashed(field: Field, place: str) -> list[str]:
    kind = field.type
    if kind.message:
        return [f"walk_{kind.message}(h, upb_Message_GetMessage(from, {place}));"]
    if kind.of is None:
        return [f"walk_{kind.kind}(h, from, {place});"]
    if not kind.of.message:
        return [f"walk_{kind.of.kind}_items(h, from, {place});"]
    items, many = f"{field.name}_items", f"{field.name}_many"
    return [
        f"const upb_Array *{items} = upb_Message_GetArray(from, {place});",
        f"const size_t {many} = {items} == NULL ? 0 : upb_Array_Size({items});",
        f"for (size_t i = 0; i < {many}; i++) walk_{kind.of.message}(h, upb_Array_Get({items}, i).msg_val);",
        f"sb_hash_count(h, {many});",
    ]


def _fill(message: Message, number: int, places: list[str], plain: str) -> list[str]:
    head = f"static inline upb_Message *fill_{message.name}(const data_{plain} *from, upb_Arena *arena) {{"
    lines = [head, f"    upb_Message *to = new_message({number}, arena);", "    (void)from;"]
    for field, place in zip(message.fields, places, strict=True):
        value = source(message, field)
        if field.optional or field.type.nullable:
            lines += indented(
                [f"if ({value}.there) {{", *indented(_put(field, place, f"{value}.value")), "}"]
            )
        else:
            lines += indented(_put(field, place, value))
    return [*lines, "    return to;", "}"]


def _put(field: Field, place: str, value: str) -> list[str]:
    """The statements that put a value of the struct into its field."""
    kind = field.type
    if kind.message:
        return [f"upb_Message_SetBaseFieldMessage(to, {place}, fill_{kind.message}(&{value}, arena));"]
    if kind.kind == "string":
        return [f"upb_Message_SetBaseFieldString(to, {place}, borrowed(&{value}));"]
    if kind.of is None:
        return [f"put_{kind.kind}(to, {place}, {value});"]
    if kind.of.kind in FIXED_SIZE:
        items = f"{value}.items"
        return [f"put_items(to, {place}, {items}, {value}.count, sizeof *{items}, arena);"]
    each = f"&{value}.items[i]"
    made = f".msg_val = fill_{kind.of.message}({each}, arena)" if kind.of.message else ""
    made = made or f".str_val = borrowed({each})"
    return [
        f"if ({value}.count > 0) {{",
        f"    upb_Array *items = list(to, {place}, {value}.count, arena);",
        f"    for (size_t i = 0; i < {value}.count; i++)",
        f"        upb_Array_Set(items, i, (upb_MessageValue){{{made}}});",
        "}",
    ]
