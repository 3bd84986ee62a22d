"""Writes Rust around the structs that a library makes of a .proto: what fills them and hashes each field."""

from collections.abc import Callable, Iterator

import msgspec
from formats.schemas import proto
from harness.rust.schema import BEFORE, literal, parts, taken

from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Message, Schema

PACKAGE = "document"
PROTO = f"{PACKAGE}.proto"
MADE = f"{PACKAGE}.rs"
"""What the contender's program makes of it."""
_REQUIRED = """\
/// A message that is always there: without it, it is the one whose fields have their defaults.
fn walk_required<T: Walk + Default>(message: &Option<T>, hash: &mut Hash) {
    if let Some(message) = message { message.walk(hash) } else { T::default().walk(hash) }
}

"""


def _kept(name: str) -> str:
    return name


def _camel(name: str) -> str:
    """How prost names a message: by heck's words of it, each of which has one capital."""
    words, begin, mode = [], 0, ""
    for place, each in enumerate(name):
        following = name[place + 1 : place + 2]
        now = "lower" if each.islower() else "upper" if each.isupper() else mode
        if now == "lower" and following.isupper():
            words.append(name[begin : place + 1])
            begin, mode = place + 1, ""
        elif mode == "upper" and each.isupper() and following.islower():
            words.append(name[begin:place])
            begin, mode = place, ""
        else:
            mode = now
    return "".join(word[:1].upper() + word[1:].lower() for word in [*words, name[begin:]])


def _of_pb_rs(name: str) -> str:
    return f"{name}_pb" if name in ("BytesReader", "Err", "Write", "offsetof", "pure", "str") else name


def _proto3(schema: Schema) -> str:
    return proto.emit(schema, package=PACKAGE)


def _proto2(schema: Schema) -> str:
    """The same in proto2, with the same bytes: there what has no default may be absent."""
    return proto.emit(schema, syntax="proto2", line=_line_of_proto2)


def _line_of_proto2(field: Field, number: int) -> str:
    kind = field.type.of or field.type
    name = kind.message or proto.KINDS[kind.kind]
    if field.type.of is not None:
        packed = "" if kind.message or kind.kind == "string" else " [packed = true]"
        return f"repeated {name} {field.name} = {number}{packed};"
    default = {"bool": "false", "string": '""'}.get(kind.kind, "0")
    may_lack = kind.message or proto.may_be_absent(field)
    return f"optional {name} {field.name} = {number}{'' if may_lack else f' [default = {default}]'};"


class Style(msgspec.Struct, frozen=True, kw_only=True):
    """What a library's structs are like: templates of what is done with a field, `{}`."""

    proto: Callable[[Schema], str] = _proto3
    type: Callable[[str], str] = _kept
    """What a message is called."""
    field: Callable[[str], str] = _kept
    head: str = f'include!("{MADE}");\n'
    rest: str = ""
    """What a struct has beside its fields."""
    message: str = "&self.{}"
    """A message that may be absent, as an Option."""
    required: str = "walk_required(&self.{}, hash);"
    """Hashes a message that is always there."""
    absent: str = ""
    """Makes of an Option what stands for a message that may be absent."""
    forms: tuple[str, ...] = ("{}",)
    """The types that hold a message, `{}`."""


STYLES = {
    "prost": Style(type=_camel, head=f'include!("{MADE}");\n\n{_REQUIRED}'),
    # A message that may be absent is of a type of its own, and derefs to the default one.
    "buffa": Style(
        rest="..Self::default()",
        message="self.{}.as_option()",
        required="(*self.{}).walk(hash);",
        absent=".into()",
        forms=("{}", "__buffa::view::{}View<'_>"),
    ),
    # In proto3 it takes no notice of `optional`.
    "quick-protobuf": Style(
        proto=_proto2,
        type=_of_pb_rs,
        field=_of_pb_rs,
        head=f'mod {PACKAGE} {{\n    include!("{MADE}");\n}}\n\nuse {PACKAGE}::*;\n\n{_REQUIRED}',
    ),
}
"""The styles by what a contender's Cargo.toml says in `messages`."""


def files(schema: Schema, style: Style) -> dict[str, str]:
    """The schema as a .proto, and the text of a module that has the library's file beside it in it."""
    lowered = lower(schema)
    parts = [(BEFORE / name).read_text("utf-8") for name in ("plain.rs", "messages.rs")]
    parts.append(style.head)
    for message in lowered.messages:
        parts += [_walk(message, form, style) for form in style.forms]
        parts.append(_fill(message, lowered, style))
    parts.append(f"pub type Root = {style.type(lowered.root.message)};\n")
    return {PROTO: style.proto(schema), "schema.rs": "\n".join(parts)}


def _walk(message: Message, form: str, style: Style) -> str:
    own = message.role == ""
    lines = [
        f"impl Walk for {form.format(style.type(message.name))} {{",
        "    #[inline]",
        "    fn walk(&self, hash: &mut Hash) {",
    ]
    if own:
        mutable = "mut " if any(field.optional for field in message.fields) else ""
        lines.append(f"        let {mutable}count = {sum(not field.optional for field in message.fields)};")
    for field in message.fields:
        key = [f"hash.string({literal(field.key)});"] if own else []
        name = style.field(field.name)
        if field.optional:
            given = (style.message if field.type.message else "&self.{}").format(name)
            lines.append(f"        if let Some(value) = {given} {{")
            lines += [f"            {line}" for line in (*key, "value.walk(hash);", "count += 1;")]
            lines.append("        }")
        elif field.type.message and not field.type.nullable:
            lines += [f"        {line}" for line in (*key, style.required.format(name))]
        else:
            lines += [f"        {line}" for line in (*key, f"self.{name}.walk(hash);")]
    return "\n".join([*lines, *(["        hash.count(count);"] if own else []), "    }", "}", ""])


def _fill(message: Message, schema: Schema, style: Style) -> str:
    name = style.type(message.name)
    further = f", {style.rest}" if style.rest else ""
    if message.role == "entry":
        value = _made(message.fields[1], "Fill::fill(value)?", schema)
        body = f"Ok(Self {{ key: key.into(), value: {value}{further} }})"
        lines = [f"impl Entry for {name} {{", "    fn entry(key: &str, value: &Value<'_>) -> Result<Self> {"]
        return "\n".join([*lines, f"        {body}", "    }", "}", ""])
    lines = [f"impl Fill for {name} {{", "    fn fill(value: &Value<'_>) -> Result<Self> {"]
    return "\n".join(
        [*lines, *(f"        {line}" for line in _filled(message, schema, style)), "    }", "}", ""]
    )


def _filled(message: Message, schema: Schema, style: Style) -> Iterator[str]:
    if message.role:
        (field,) = message.fields
        made = _made(field, "Fill::fill(value)?", schema)
        yield f"Ok(Self {{ {style.field(field.name)}: {made}{f', {style.rest}' if style.rest else ''} }})"
        return
    yield "let mut members = Members::of(value)?;"
    yield "let mut filled = Self::default();"
    for part in parts(message.fields):
        yield "apart(|| {"
        for field in part:
            absent = style.absent if field.optional and field.type.message else ""
            yield f"    filled.{style.field(field.name)} = {_made(field, taken(field), schema)}{absent};"
        yield from ["    Ok(())", "})?;"]
    yield "members.end()?;"
    yield "Ok(filled)"


def _made(field: Field, made: str, schema: Schema) -> str:
    """The value of a field: a map is a list of entries."""
    inner = field.type.of.message if field.type.of is not None else ""
    if inner and schema.by_name[inner].role == "entry":
        return f"{{ let Entries(made) = {made}; made }}"
    return made
