"""Plans c-capnproto's code for a schema, and writes what fills and what hashes its structs."""

import msgspec
from formats.schemas import capnp
from harness.c.plain import source, type_of_message
from harness.c.schema import literal

from serbench.build.contract import OUT, Content, Recipe, Request
from serbench.build.records import BuildFailed
from serbench.schemas.generator import files_recipe, indented
from serbench.schemas.lower import lower, stands_for
from serbench.schemas.model import Field, Message, Schema

PREFIXED = "ptr"
"""A name that a field may have, and that its structs have with an underscore in front."""


def recipe(schema: Schema, request: Request) -> Recipe:
    """With capnp of the distribution, and the library's plugin of its own version, built for this machine."""
    assert request.library is not None and request.library.root is not None
    if request.test == "write":
        _refuse(lower(schema))
    root = request.library.root
    sources = [root / f"compiler/{name}.c" for name in ("capnpc-c", "schema.capnp", "str")]
    sources += [root / f"lib/{name}.c" for name in ("capn", "capn-malloc", "capn-stream")]
    words = ["-w", f"-I{root / 'compiler'}", f"-I{root / 'lib'}"]
    compiling = ["gcc", *words, *map(str, sources), "-o", f"{OUT}/capnpc-c"]
    plugin = f"-o{OUT}/capnpc-c:{OUT}"
    making = ["capnp", "compile", plugin, f"--src-prefix={OUT}", f"{OUT}/data.capnp"]
    files = {"data.capnp": capnp.emit(schema), "structs.inc": emit(schema)}
    plan = files_recipe(request, files, [compiling, making], ["data.capnp.h", "data.capnp.c"])
    folders = [Content(of="folder", path=root / name) for name in ("compiler", "lib")]
    return msgspec.structs.replace(plan, inputs=[*plan.inputs, *folders])


def _refuse(lowered: Schema) -> None:
    """What the library cannot write: its write_ptr makes a null pointer to a struct of no size."""
    for message in lowered.messages:
        for field in message.fields:
            inner = lowered.by_name.get(field.type.message)
            if inner is not None and not inner.fields and (field.optional or field.type.nullable):
                why = "the library writes a struct without fields as if it were absent"
                raise BuildFailed(f"{message.name}.{field.key or field.name}: {why}", unsupported=True)


def emit(schema: Schema) -> str:
    """Functions `walk_` and `fill_` for each struct, and what calls those of the root."""
    lowered, standing = lower(schema), stands_for(schema)
    lines: list[str] = []
    for message in lowered.messages:
        lines += ["", *_walk(message), "", *_fill(message, type_of_message(message, standing))]
    root = lowered.root.message
    lines += ["", f"typedef struct {root} Root;", f"typedef {root}_ptr Root_ptr;"]
    lines.append(f"#define OF_ROOT(call) call##_{root}")
    return "\n".join([*lines[1:], ""])


def _member(field: Field) -> str:
    name = capnp.camel(field.name)
    return f"_{name}" if name == PREFIXED else name


def _given(message: Message, field: Field) -> str:
    """The value of the enum that says that the field of a union is there."""
    return f"{message.name}_{capnp.camel(field.name)}_given"


def _walk(message: Message) -> list[str]:
    """The keys and the values in their order, then their number; of one with a role only the values."""
    lines = [f"static inline void walk_{message.name}(sb_hash *h, const struct {message.name} *from) {{"]
    lines += ["    (void)from;"] if not message.fields else []
    always = sum(not field.optional for field in message.fields)
    lines += [f"    size_t count = {always};"] if not message.role else []
    for field in message.fields:
        member = f"from->{_member(field)}"
        there, steps = f"is_there({member}.p)", _hashed(field, member)
        if capnp.has_union(field):
            there, steps = f"{member}_which == {_given(message, field)}", _hashed(field, f"{member}.given")
        elif field.type.kind == "string":
            there = f"{member}.seg != NULL"
        key = f"sb_hash_str(h, {literal(field.key)}, {len(field.key.encode())});"
        keyed = [] if message.role else [key]
        if field.optional:
            lines += indented([f"if ({there}) {{", *indented([*keyed, *steps, "count++;"]), "}"])
        elif field.type.nullable:
            lines += indented([*keyed, f"if ({there}) {{", *indented(steps)])
            lines += ["    } else {", "        sb_hash_nil(h);", "    }"]
        else:
            lines += indented([*keyed, *steps])
    lines += ["    sb_hash_count(h, count);"] if not message.role else []
    return [*lines, "}"]


def _hashed(field: Field, value: str) -> list[str]:
    """What hashes a value that is there."""
    kind = field.type.of or field.type
    if not kind.message:
        return [f"walk_{kind.kind}{'_items' if field.type.of else ''}(h, {value});"]
    made = f"{field.name}_made"
    if field.type.of is None:
        return [
            f"struct {kind.message} {made};",
            f"read_{kind.message}(&{made}, {value});",
            f"walk_{kind.message}(h, &{made});",
        ]
    items, many = f"{field.name}_items", f"{field.name}_many"
    return [
        f"{kind.message}_list {items} = {value};",
        f"const int {many} = capn_len({items});",
        f"for (int i = 0; i < {many}; i++) {{",
        f"    struct {kind.message} {made};",
        f"    get_{kind.message}(&{made}, {items}, i);",
        f"    walk_{kind.message}(h, &{made});",
        "}",
        f"sb_hash_count(h, (size_t){many});",
    ]


def _fill(message: Message, plain: str) -> list[str]:
    """What makes a struct of a plain one, and whatever it points to; false if that fails."""
    name = message.name
    head = f"static inline bool fill_{name}(struct capn_segment *s, const data_{plain} *from,"
    lines = [f"{head} struct {name} *to) {{"]
    lines.append("    (void)s, (void)from;")
    lines.append("    memset(to, 0, sizeof *to);")
    for field in message.fields:
        value = source(message, field)
        may_lack = field.optional or field.type.nullable
        member = f"to->{_member(field)}"
        put = _put(field, member, f"{value}.value" if may_lack else value)
        if capnp.has_union(field):
            put = [f"{member}_which = {_given(message, field)};", f"{member}.given = {value}.value;"]
        lines += indented([f"if ({value}.there) {{", *indented(put), "}"] if may_lack else put)
    return [*lines, "    return true;", "}"]


def _put(field: Field, member: str, value: str) -> list[str]:
    """What sets a member to a value that is there."""
    kind = field.type.of or field.type
    made = f"{field.name}_made"
    if field.type.of is None and kind.message:
        return [
            f"{member} = new_{kind.message}(s);",
            f"struct {kind.message} {made};",
            f"if (!fill_{kind.message}({member}.p.seg, &{value}, &{made})) return false;",
            f"write_{kind.message}(&{made}, {member});",
        ]
    if field.type.of is None:
        return [f"{member} = {f'text_of(&{value})' if kind.kind == 'string' else value};"]
    if not kind.message:
        to = member if kind.kind == "string" else f"{member}.p"
        return [f"if (!put_{kind.kind}_items(s, {value}.items, {value}.count, &{to})) return false;"]
    return [
        f"{member} = new_{kind.message}_list(s, (int){value}.count);",
        f"for (int i = 0; i < (int){value}.count; i++) {{",
        f"    struct {kind.message} {made};",
        f"    if (!fill_{kind.message}({member}.p.seg, &{value}.items[i], &{made})) return false;",
        f"    set_{kind.message}(&{made}, {member}, i);",
        "}",
    ]
