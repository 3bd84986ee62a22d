"""Plans flatcc's code for a schema, and writes what fills and what hashes its tables."""

import msgspec
from formats.schemas import fbs
from harness.c.plain import source, type_of_message
from harness.c.schema import literal

from serbench.build.contract import OUT, Content, Recipe, Request
from serbench.schemas.generator import files_recipe, indented
from serbench.schemas.lower import lower, stands_for
from serbench.schemas.model import Field, Message, Schema

NAMESPACE = "fb"
ENDING = "_"
"""Added to each field's name: else what starts a field `vec` has the name of what starts a vector."""
HEADERS = [
    *("data_reader.h", "data_builder.h", "data_verifier.h"),
    *("flatbuffers_common_reader.h", "flatbuffers_common_builder.h"),
]


def recipe(schema: Schema, request: Request) -> Recipe:
    """With flatcc of the library's own version, built for this machine."""
    assert request.library is not None and request.library.root is not None
    root = request.library.root
    hashes = [root / f"external/hash/{name}.c" for name in ("ptr_set", "str_set")]
    sources = [*sorted(root.glob("src/compiler/**/*.c")), root / "src/cli/flatcc_cli.c", *hashes]
    words = ["-w", *(f"-I{root / name}" for name in ("include", "external", "config"))]
    runtime = [root / f"src/runtime/{name}.c" for name in ("builder", "emitter", "refmap")]
    compiling = ["gcc", *words, *map(str, [*sources, *runtime]), "-o", f"{OUT}/flatcc"]
    making = [f"{OUT}/flatcc", "-a", f"-o{OUT}", f"{OUT}/data.fbs"]
    files = {"data.fbs": fbs.emit(schema, NAMESPACE, ENDING), "tables.inc": emit(schema)}
    plan = files_recipe(request, files, [compiling, making], HEADERS)
    folders = [Content(of="folder", path=root / name) for name in ("src", "include", "external", "config")]
    return msgspec.structs.replace(plan, inputs=[*plan.inputs, *folders])


def emit(schema: Schema) -> str:
    """Functions `walk_` and `pack_` for each table, and what calls those of the root."""
    lowered, standing = lower(schema), stands_for(schema)
    lines: list[str] = []
    for message in lowered.messages:
        lines += ["", *_walk(message), "", *_pack(message, type_of_message(message, standing))]
    root = lowered.root.message
    lines += ["", f"#define OF_ROOT(call) call##_{root}", f"#define ROOT(call) {NAMESPACE}_{root}_##call"]
    return "\n".join([*lines[1:], ""])


def _walk(message: Message) -> list[str]:
    """The keys and the values in their order, then their number; of one with a role only the values."""
    head = f"static inline void walk_{message.name}(sb_hash *h, {NAMESPACE}_{message.name}_table_t from) {{"
    always = sum(not field.optional for field in message.fields)
    lines = [head, *(["    (void)from;"] if not message.fields else [])]
    lines += [f"    size_t count = {always};"] if not message.role else []
    for field in message.fields:
        own = f"{NAMESPACE}_{message.name}_{field.name}{ENDING}"
        key = f"sb_hash_str(h, {literal(field.key)}, {len(field.key.encode())});"
        steps = [] if message.role else [key]
        if not (field.optional or field.type.nullable):
            lines += indented([*steps, *_hashed(field, f"{own}(from)")])
            continue
        local = f"{field.name}{ENDING}"
        if field.type.message or field.type.kind == "string":
            lines.append(f"    const {_held(field)} {local} = {own}(from);")
            there, value = f"{local} != NULL", local
        else:
            lines.append(f"    const {_held(field)}_option_t {local} = {own}_option(from);")
            there, value = f"!{local}.is_null", f"{local}.value"
        given = _hashed(field, value)
        if field.optional:
            steps = [f"if ({there}) {{", *indented([*steps, *given, "count++;"]), "}"]
        else:
            steps += [f"if ({there})", *indented(given), "else", "    sb_hash_nil(h);"]
        lines += indented(steps)
    lines += ["    sb_hash_count(h, count);"] if not message.role else []
    return [*lines, "}"]


def _held(field: Field) -> str:
    """The type of a value, or the beginning of its name."""
    if field.type.message:
        return f"{NAMESPACE}_{field.type.message}_table_t"
    return f"flatbuffers_{field.type.kind}{'_t' if field.type.kind == 'string' else ''}"


def _hashed(field: Field, value: str) -> list[str]:
    """What hashes a value that is there."""
    kind = field.type
    if kind.of is None:
        return [f"walk_{kind.message or kind.kind}(h, {value});"]
    if not kind.of.message:
        return [f"walk_{kind.of.kind}_items(h, {value});"]
    table = f"{NAMESPACE}_{kind.of.message}"
    items, many = f"{field.name}_items", f"{field.name}_many"
    return [
        f"const {table}_vec_t {items} = {value};",
        f"const size_t {many} = {table}_vec_len({items});",
        f"for (size_t i = 0; i < {many}; i++) walk_{kind.of.message}(h, {table}_vec_at({items}, i));",
        f"sb_hash_count(h, {many});",
    ]


def _pack(message: Message, plain: str) -> list[str]:
    """What makes a table of a struct; it returns 0 when memory runs out."""
    own = f"{NAMESPACE}_{message.name}"
    lines = [
        f"static inline {own}_ref_t pack_{message.name}(flatcc_builder_t *B, const data_{plain} *from) {{"
    ]
    lines += ["    (void)from;"] if not message.fields else []
    lines.append(f"    if ({own}_start(B)) return 0;")
    for field in message.fields:
        value = source(message, field)
        may_lack = field.optional or field.type.nullable
        there = f"{value}.there && " if may_lack else ""
        *before, put = _put(field, f"{own}_{field.name}{ENDING}", f"{value}.value" if may_lack else value)
        lines += indented([*before, f"if ({there}{put}) return 0;"])
    return [*lines, f"    return {own}_end(B);", "}"]


def _put(field: Field, own: str, value: str) -> list[str]:
    """What puts a value into a table: its last line is a call that returns 0 unless that fails."""
    kind = field.type
    if kind.message:
        return [f"{own}_add(B, pack_{kind.message}(B, &{value}))"]
    if kind.kind == "string":
        return [f"{own}_create(B, {value}.data, {value}.size)"]
    if kind.of is None:
        return [f"{own}_add(B, {value})"]
    item = f"{value}.items[i]"
    if kind.of.message:
        push = f"{own}_push(B, pack_{kind.of.message}(B, &{item}))"
    elif kind.of.kind == "string":
        push = f"{own}_push_create(B, {item}.data, {item}.size)"
    else:
        items = f"(const flatbuffers_bool_t *){value}.items" if kind.of.kind == "bool" else f"{value}.items"
        return [f"{own}_create(B, {items}, {value}.count)"]
    return [
        f"if ({own}_start(B)) return 0;",
        f"for (size_t i = 0; i < {value}.count; i++)",
        f"    if ({push} == NULL) return 0;",
        f"{own}_end(B)",
    ]
