"""Writes Rust around the structs that prost makes of a schema: what fills them and what hashes each field."""

from collections.abc import Iterator

from formats.schemas import proto
from harness.rust.schema import BEFORE, literal

from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Message, Schema

PACKAGE = "document"
PROTO = f"{PACKAGE}.proto"
MADE = f"{PACKAGE}.rs"
"""What prost makes of it."""
_REQUIRED = """\
/// A message that is always there: without it, it is the one whose fields have their defaults.
fn walk_required<T: Walk + Default>(message: &Option<T>, hash: &mut Hash) {
    if let Some(message) = message { message.walk(hash) } else { T::default().walk(hash) }
}

"""


def files(schema: Schema) -> dict[str, str]:
    """The schema as a .proto, and the text of a module that has prost's file beside it in it."""
    lowered = lower(schema)
    parts = [(BEFORE / name).read_text("utf-8") for name in ("plain.rs", "messages.rs")]
    parts += [f'include!("{MADE}");\n', _REQUIRED]
    for message in lowered.messages:
        parts += [_walk(message), _fill(message, lowered)]
    parts.append(f"pub type Root = {_camel(lowered.root.message)};\n")
    return {PROTO: proto.emit(schema, package=PACKAGE), "schema.rs": "\n".join(parts)}


def _walk(message: Message) -> str:
    own = message.role == ""
    lines = [
        f"impl Walk for {_camel(message.name)} {{",
        "    #[inline]",
        "    fn walk(&self, hash: &mut Hash) {",
    ]
    if own:
        mutable = "mut " if any(field.optional for field in message.fields) else ""
        lines.append(f"        let {mutable}count = {sum(not field.optional for field in message.fields)};")
    for field in message.fields:
        key = [f"hash.string({literal(field.key)});"] if own else []
        value = f"self.{field.name}"
        if field.optional:
            lines.append(f"        if let Some(value) = &{value} {{")
            lines += [f"            {line}" for line in (*key, "value.walk(hash);", "count += 1;")]
            lines.append("        }")
        elif field.type.message and not field.type.nullable:
            lines += [f"        {line}" for line in (*key, f"walk_required(&{value}, hash);")]
        else:
            lines += [f"        {line}" for line in (*key, f"{value}.walk(hash);")]
    return "\n".join([*lines, *(["        hash.count(count);"] if own else []), "    }", "}", ""])


def _fill(message: Message, schema: Schema) -> str:
    name = _camel(message.name)
    if message.role == "entry":
        value = _made(message.fields[1], "Fill::fill(value)?", schema)
        body = f"Ok(Self {{ key: key.into(), value: {value} }})"
        lines = [f"impl Entry for {name} {{", "    fn entry(key: &str, value: &Value<'_>) -> Result<Self> {"]
        return "\n".join([*lines, f"        {body}", "    }", "}", ""])
    lines = [f"impl Fill for {name} {{", "    fn fill(value: &Value<'_>) -> Result<Self> {"]
    return "\n".join([*lines, *(f"        {line}" for line in _filled(message, schema)), "    }", "}", ""])


def _filled(message: Message, schema: Schema) -> Iterator[str]:
    if message.role:
        (field,) = message.fields
        yield f"Ok(Self {{ {field.name}: {_made(field, 'Fill::fill(value)?', schema)} }})"
        return
    yield "let mut members = Members::of(value)?;"
    yield "let filled = Self {"
    for field in message.fields:
        call = "optional" if field.optional else "required"
        yield f"    {field.name}: {_made(field, f'members.{call}({literal(field.key)})?', schema)},"
    yield "};"
    yield "members.end()?;"
    yield "Ok(filled)"


def _made(field: Field, made: str, schema: Schema) -> str:
    """The value of a field: a map is a list of entries."""
    inner = field.type.of.message if field.type.of is not None else ""
    if inner and schema.by_name[inner].role == "entry":
        return f"{{ let Entries(made) = {made}; made }}"
    return made


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
