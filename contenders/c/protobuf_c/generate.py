"""Plans protoc-c's structs for a schema, and writes what fills, frees and hashes them."""

import itertools

from formats.schemas.proto import KINDS
from harness.c.plain import source, type_of_message
from harness.c.schema import literal

from serbench.build.contract import OUT, Recipe, Request
from serbench.schemas.generator import files_recipe, indented
from serbench.schemas.lower import lower, stands_for
from serbench.schemas.model import Field, Message, Schema


def recipe(schema: Schema, request: Request) -> Recipe:
    """With the compiler of the distribution, as the library is."""
    files = {"messages.proto": proto2(schema), "messages.inc": emit(schema)}
    step = ["protoc-c", f"--c_out={OUT}", f"-I{OUT}", f"{OUT}/messages.proto"]
    return files_recipe(request, files, [step], ["messages.pb-c.h", "messages.pb-c.c"])


def proto2(schema: Schema) -> str:
    """The lowered schema, whose messages have the same encodings as those of proto3."""
    lines = ['syntax = "proto2";', "package pb;"]
    for message in lower(schema).messages:
        lines += ["", f"message {message.name} {{"]
        for number, field in enumerate(message.fields, start=1):
            kind = field.type.of or field.type
            name = kind.message or (KINDS | {"string": "bytes"})[kind.kind]
            label = "repeated" if field.type.of is not None else "optional"
            is_packed = field.type.of is not None and kind.kind not in ("message", "string")
            packed = " [packed = true]" if is_packed else ""
            lines.append(f"  {label} {name} {_own(field)} = {number}{packed};")
        lines.append("}")
    return "\n".join([*lines, ""])


def emit(schema: Schema) -> str:
    """Functions `walk_`, `clear_` and `fill_` for each message, and `Root`."""
    lowered, standing = lower(schema), stands_for(schema)
    lines: list[str] = []
    for message in lowered.messages:
        lines += [
            "",
            *_walk(message),
            "",
            *_clear(message),
            "",
            *_fill(message, type_of_message(message, standing)),
        ]
    root = lowered.root.message
    lines += ["", f"typedef {_c(root)} Root;", f"#define ROOT(call) {_lower(root)}__##call"]
    lines += [f"#define OF_ROOT(call) call##_{root}"]
    return "\n".join([*lines[1:], ""])


def _own(field: Field) -> str:
    """The field's name: none that the compiler adds to others, and not that of each message's base."""
    return f"{field.name}_" if field.name == "base" or field.name.startswith(("has_", "n_")) else field.name


def _c(message: str) -> str:
    return f"Pb__{message}"


def _lower(message: str) -> str:
    """The name in the functions of the compiler: an underscore before each run of capitals."""
    runs = ["".join(run) for _, run in itertools.groupby(message, str.isupper)]
    return "pb__" + "".join(
        f"_{run.lower()}" if i and run.isupper() else run.lower() for i, run in enumerate(runs)
    )


def _walk(message: Message) -> list[str]:
    """The keys and the values in their order, then their number; of one with a role only the values."""
    lines = [f"static inline void walk_{message.name}(sb_hash *h, const {_c(message.name)} *from) {{"]
    always = sum(not field.optional for field in message.fields)
    lines += ["    if (from == NULL) return;"]
    lines += [f"    size_t count = {always};"] if not message.role else []
    for field in message.fields:
        own = _own(field)
        kind = field.type.of or field.type
        there = f"from->{own} != NULL" if kind.message else f"from->has_{own}"
        walk = f"walk_{kind.message or kind.kind}(h, {{}});"
        key = f"sb_hash_str(h, {literal(field.key)}, {len(field.key.encode())});"
        steps = [] if message.role else [key]
        if field.type.of is not None:
            steps.append(f"for (size_t i = 0; i < from->n_{own}; i++) {walk.format(f'from->{own}[i]')}")
            steps.append(f"sb_hash_count(h, from->n_{own});")
        elif field.type.nullable:
            value = walk.format(f"from->{own}")
            steps += [f"if ({there})", f"    {value}", "else", "    sb_hash_nil(h);"]
        else:
            steps.append(walk.format(f"from->{own}"))
        if field.optional:
            steps = [f"if ({there}) {{", *indented([*steps, "count++;"]), "}"]
        lines += indented(steps)
    lines += ["    sb_hash_count(h, count);"] if not message.role else []
    return [*lines, "}"]


def _clear(message: Message) -> list[str]:
    """Frees a message that fill made, and what it has that is not borrowed."""
    lines = [f"static inline void clear_{message.name}({_c(message.name)} *made) {{"]
    lines += ["    if (made == NULL) return;"]
    for field in message.fields:
        own, inner = _own(field), field.type.of
        if inner is not None and inner.message:
            each = f"clear_{inner.message}(made->{own}[i]);"
            lines.append(f"    for (size_t i = 0; i < made->n_{own}; i++) {each}")
        if inner is not None and (inner.message or inner.kind in ("string", "bool")):
            lines.append(f"    free(made->{own});")
        if field.type.message:
            lines.append(f"    clear_{field.type.message}(made->{own});")
    return [*lines, "    free(made);", "}"]


def _fill(message: Message, plain: str) -> list[str]:
    name = message.name
    lines = [f"static inline {_c(name)} *fill_{name}(const data_{plain} *from) {{"]
    lines += [f"    {_c(name)} *to = need(sizeof *to);", f"    {_lower(name)}__init(to);", "    (void)from;"]
    for field in message.fields:
        place = source(message, field)
        if field.optional or field.type.nullable:
            lines += indented([f"if ({place}.there) {{", *indented(_put(field, f"{place}.value", "1")), "}"])
        else:
            # As in proto3, what is 0 or empty is left out.
            given = {"string": f"{place}.size > 0", "double": f"is_given({place})"}
            lines += indented(_put(field, place, given.get(field.type.kind, f"{place} != 0")))
    return [*lines, "    return to;", "}"]


def _put(field: Field, place: str, given: str) -> list[str]:
    """The statements that put a value, `place` in the struct, into its field, which is there if `given`."""
    own, inner = _own(field), field.type.of
    if inner is not None and not (inner.message or inner.kind in ("string", "bool")):
        return [f"to->n_{own} = {place}.count;", f"to->{own} = {place}.items;"]
    if inner is not None:
        each = f"{place}.items[i]"
        value = f"fill_{inner.message}(&{each})" if inner.message else each
        value = f"borrowed(&{each})" if inner.kind == "string" else value
        return [
            f"to->n_{own} = {place}.count;",
            f"to->{own} = need({place}.count * sizeof *to->{own});",
            f"for (size_t i = 0; i < {place}.count; i++) to->{own}[i] = {value};",
        ]
    if field.type.message:
        return [f"to->{own} = fill_{field.type.message}(&{place});"]
    value = f"borrowed(&{place})" if field.type.kind == "string" else place
    return [f"to->has_{own} = {given};", f"to->{own} = {value};"]
