"""Writes a schema as Rust: plain structs as a program has them, what fills them, and what hashes each field.

The attributes are those of the contender's library. Its Cargo.toml has them in `package.metadata.schema`:

- `derive`, `struct`: what each struct derives, and an attribute above it;
- `field`: the attribute of a field whose key is not its name, where `{key}` stands for the key;
- `optional`, `both`: that of one that may be absent, and of one that may be absent or null;
- `map`: the type of a map, where `{}` stands for its values;
- `double`: the type of a double: f64, or `Number`, which is read where an integer stands, too;
- `sized-items`: true for a library that refuses a list of structs without fields;
- `avro`: true for structs of the schema for Avro, whose text is the constant `AVSC`;
- `generate`: a program of the contender, built with the feature of its name, which makes the structs of a
  .proto: it gets the compiler protoc, the file and the folder for what it makes. All else does not count;
- `messages`: what such structs are like: the name of a style in protobuf.py;
- `in-place`: the type that its derives make of a struct, `{}`, to read the bytes in place: it is hashed, too;
- `borrowed`, `borrowed-struct`, `borrowed-map`: the same for the module `borrowed`, in whose structs strings
  stay in the input.
"""

import sys
import tomllib
from pathlib import Path
from typing import Literal

import msgspec
from formats.schemas import avsc

from serbench.build.records import BuildFailed
from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Kind, Message, Schema, Type

BEFORE = Path(__file__).parent / "schema"
"""Rust that stands before the structs."""
TYPES: dict[Kind, str] = {
    **{"bool": "bool", "int32": "i32", "uint32": "u32", "int64": "i64", "uint64": "u64"},
}


class Style(msgspec.Struct, frozen=True, kw_only=True, rename="kebab", forbid_unknown_fields=True):
    """What a library wants of the structs."""

    derive: list[str] = []
    struct: str = ""
    field: str = ""
    optional: str = ""
    both: str = ""
    map: str = "Vec<(String, {})>"
    double: str = "f64"
    sized_items: bool = False
    avro: bool = False
    generate: str = ""
    messages: Literal["prost", "buffa", "quick-protobuf"] = "prost"
    in_place: str = ""
    borrowed: list[str] = []
    borrowed_struct: str = ""
    borrowed_map: str = "Vec<(&'a str, {})>"


AT_ONCE = 20
"""The most fields that one function makes."""
_ABSENT = '#[serde(default, skip_serializing_if = "Option::is_none")]'
USUAL = Style(
    derive=["serde::Serialize", "serde::Deserialize"],
    field="#[serde(rename = {key})]",
    optional=_ABSENT,
    both='#[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]',
    map="indexmap::IndexMap<String, {}>",
)
"""That of serde, which most programs have."""
_PRESENT = """/// A field that may be absent and may be null: what is there is no longer absent.
fn present<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: serde::Deserialize<'de>,
{
    T::deserialize(from).map(Some)
}

"""


def style_of(manifest: str) -> Style:
    """The style that a Cargo.toml states. Raises ValueError."""
    package = tomllib.loads(manifest).get("package", {})
    return msgspec.convert(package.get("metadata", {}).get("schema", {}), Style)


def _list_of_nothing(schema: Schema) -> str:
    """The path of the items of a list that take no bytes, if there is one."""
    nothing = set[str]()
    for message in schema.messages:  # each after those that it has in it
        given = [field.type for field in message.fields if not field.optional and not field.type.nullable]
        if len(given) == len(message.fields) and all(kind.message in nothing for kind in given):
            nothing.add(message.name)
    items = ((path, kind.of) for path, kind, _ in schema.places() if kind.kind == "list")
    return next((f"{path}[]" for path, of in items if of and of.message in nothing and not of.nullable), "")


def emit(schema: Schema, style: Style) -> str:
    """The text of a module with the structs; `Root` is the root's type. Raises BuildFailed."""
    if style.sized_items and (place := _list_of_nothing(schema)):
        raise BuildFailed(f"{place}: the library refuses a list of structs without fields", unsupported=True)
    needed = {"pairs": not style.avro, "messages": style.avro, "avro": style.avro}
    needed |= {"indexmap": "indexmap" in style.map, "number": style.double == "Number"}
    names = ["plain", *(name for name, is_needed in needed.items() if is_needed)]
    parts = [(BEFORE / f"{name}.rs").read_text("utf-8") for name in names]
    if style.avro:
        if said := avsc.refusal(schema):
            raise BuildFailed(said, unsupported=True)
        # Its names are words, and nothing else in it is a quote of Rust's.
        parts.append(f'pub const AVSC: &str = r#"{avsc.emit(schema)}"#;\n')
    structs = _Avro(schema, style) if style.avro else _Structs(schema, style)
    parts.append(structs.text(style.derive, style.struct, filled=True))
    if style.borrowed:
        text = _Structs(schema, style, "<'a>").text(style.borrowed, style.borrowed_struct, filled=False)
        parts.append(f"pub mod borrowed {{\n\nuse super::*;\n\n{text}}}\n")
    return "\n".join(parts)


class _Structs:
    """The structs of a schema, with owned strings or with borrowed ones, whose lifetime is `life`."""

    def __init__(self, schema: Schema, style: Style, life: str = "") -> None:
        self.schema = schema
        self.style = style
        self.life = life
        self.borrows: set[str] = set()
        for message in schema.messages if life else []:
            if any(self._borrows(field.type) for field in message.fields):
                self.borrows.add(message.name)

    def text(self, derive: list[str], above: str, filled: bool) -> str:
        """The structs, what hashes them, and what fills them."""
        parts = []
        for message in self.schema.messages:
            parts.append(self._struct(message, derive, above))
            parts.append(self._walk(message))
            parts += [self._fill(message)] if filled else []
            parts += [self._walk(message, self.style.in_place)] if filled and self.style.in_place else []
        life = self.life if self._borrows(self.schema.root) else ""
        parts.append(f"pub type Root{life} = {self.type_of(self.schema.root)};\n")
        return "\n".join(parts)

    def _borrows(self, kind: Type) -> bool:
        """Whether there is a string in it."""
        if kind.of is not None:
            return kind.kind == "map" or self._borrows(kind.of)
        return kind.kind == "string" or kind.message in self.borrows

    def type_of(self, kind: Type) -> str:
        """The type of a place."""
        if kind.kind == "list":
            name = f"Vec<{self.type_of(kind.inner)}>"
        elif kind.kind == "map":
            form = self.style.borrowed_map if self.life else self.style.map
            name = form.replace("{}", self.type_of(kind.inner))
        elif kind.kind == "message":
            name = kind.message + self._life(kind.message)
        elif kind.kind == "string":
            name = "&'a str" if self.life else "String"
        else:
            name = self.style.double if kind.kind == "double" else TYPES[kind.kind]
        return f"Option<{name}>" if kind.nullable else name

    def _life(self, message: str) -> str:
        return self.life if message in self.borrows else ""

    def _struct(self, message: Message, derive: list[str], above: str) -> str:
        lines = [f"#[derive({', '.join(derive)})]"] if derive else []
        lines += [above] if above else []
        lines.append(f"pub struct {message.name}{self._life(message.name)} {{")
        for field in message.fields:
            for attribute in self._attributes(field):
                lines.append(f"    {attribute.replace('{key}', literal(field.key))}")
            lines.append(f"    pub {field.name}: {self._field_type(field)},")
        return "\n".join([*lines, "}", ""])

    def _field_type(self, field: Field) -> str:
        kind = self.type_of(field.type)
        return f"Option<{kind}>" if field.optional else kind

    def _attributes(self, field: Field) -> list[str]:
        found = [self.style.field if field.key != field.name else ""]
        if self.life and self._borrows(field.type) and "serde::Deserialize" in self.style.borrowed:
            found.append("#[serde(borrow)]")
        if field.optional:
            found.append(self.style.both if field.type.nullable else self.style.optional)
        return [each for each in found if each]

    def _walk(self, message: Message, form: str = "{}") -> str:
        """The keys and the values in their order, then their number; `form` is the type for a struct."""
        always = sum(not field.optional for field in message.fields)
        optional = always < len(message.fields)
        life = "<'_>" if self._life(message.name) else ""
        lines = [f"impl Walk for {form.replace('{}', message.name)}{life} {{"]
        lines += ["    #[inline]", "    fn walk(&self, hash: &mut Hash) {"]
        lines += [f"        let mut count = {always};"] if optional else []
        for field in message.fields:
            key = literal(field.key)
            if field.optional:
                asked = f"&self.{field.name}" if form == "{}" else f"self.{field.name}.as_ref()"
                lines.append(f"        if let Some(value) = {asked} {{")
                lines += [f"            hash.string({key});", "            value.walk(hash);"]
                lines += ["            count += 1;", "        }"]
            else:
                lines += [f"        hash.string({key});", f"        self.{field.name}.walk(hash);"]
        return "\n".join(
            [*lines, f"        hash.count({'count' if optional else always});", "    }", "}", ""]
        )

    def _fill(self, message: Message) -> str:
        made = [(field.name, taken(field)) for field in message.fields]
        body = ["let mut members = Members::of(value)?;"]
        if len(made) > AT_ONCE:
            for number, part in enumerate(parts(message.fields)):
                types = ", ".join(self._field_type(field) for field in part)
                body += [f"let part{number} = apart::<({types},)>(|| {{", "    Ok(("]
                body += [*(f"        {taken(field)}," for field in part), "    ))", "})?;"]
            places = [f"part{place // AT_ONCE}.{place % AT_ONCE}" for place in range(len(made))]
            made = [(field.name, place) for field, place in zip(message.fields, places, strict=True)]
        body += ["let filled = Self {", *(f"    {name}: {value}," for name, value in made)]
        body += ["};", "members.end()?;", "Ok(filled)"]
        lines = [f"impl Fill for {message.name} {{", "    fn fill(value: &Value<'_>) -> Result<Self> {"]
        return "\n".join([*lines, *(f"        {line}" for line in body), "    }", "}", ""])


class _Avro(_Structs):
    """The structs of the schema for Avro.

    An array of a map's entries stands for it, and a struct for what may be both absent and null.
    """

    def __init__(self, schema: Schema, style: Style) -> None:
        super().__init__(lower(schema, lists=True), style)

    def type_of(self, kind: Type) -> str:
        name = super().type_of(kind)
        inner = self.schema.by_name.get(kind.of.message) if kind.of is not None else None
        return name.replace("Vec<", "Map<", 1) if inner is not None and inner.role == "entry" else name

    def _struct(self, message: Message, derive: list[str], above: str) -> str:
        named = zip(message.fields, avsc.names(message), strict=True)
        fields = [msgspec.structs.replace(field, key=name) for field, name in named]
        return super()._struct(msgspec.structs.replace(message, fields=fields), derive, above)

    def _walk(self, message: Message, form: str = "{}") -> str:
        if not message.role:
            return super()._walk(message, form)
        lines = [f"impl Walk for {message.name} {{", "    #[inline]", "    fn walk(&self, hash: &mut Hash) {"]
        lines += [f"        self.{field.name}.walk(hash);" for field in message.fields]
        return "\n".join([*lines, "    }", "}", ""])

    def _fill(self, message: Message) -> str:
        if not message.role:
            return super()._fill(message)
        head, made = "impl Fill for {}", "value: Fill::fill(value)?"
        call = "fn fill(value: &Value<'_>)"
        if message.role == "entry":
            head, made = "impl Entry for {}", f"key: key.into(), {made}"
            call = "fn entry(key: &str, value: &Value<'_>)"
        lines = [f"{head.format(message.name)} {{", f"    {call} -> Result<Self> {{"]
        return "\n".join([*lines, f"        Ok(Self {{ {made} }})", "    }", "}", ""])


def taken(field: Field) -> str:
    """What takes a field from `members`."""
    return f"members.{'optional' if field.optional else 'required'}({literal(field.key)})?"


def parts(fields: list[Field]) -> list[list[Field]]:
    """The fields of a struct by the functions that make them, which `apart` of plain.rs keeps apart.

    A function that may fail after each of hundreds of values has to drop all before it, and takes the
    compiler minutes.
    """
    return [fields[start : start + AT_ONCE] for start in range(0, len(fields), AT_ONCE)]


def type_of_message(message: Message, stands_for: dict[str, Type]) -> str:
    """The owned type of what a message of the lowered schema is made of (serbench.schemas.lower)."""
    if not message.role:
        return message.name
    kind = stands_for[message.name]
    if message.role == "null":
        kind = msgspec.structs.replace(kind, nullable=True)
    name = _Structs(Schema(root=kind, messages=[]), Style()).type_of(kind)
    return f"(String, {name})" if message.role == "entry" else name


def literal(key: str) -> str:
    """A key as a string of Rust: data may have any character in it."""
    plain = all(" " <= each <= "~" and each not in '"\\' for each in key)
    return f'"{key}"' if plain else '"' + "".join(f"\\u{{{ord(each):x}}}" for each in key) + '"'


if __name__ == "__main__":
    given = msgspec.json.decode(sys.stdin.buffer.read(), type=Schema)
    shown = _Structs(given, USUAL).text(USUAL.derive, "", filled=False)
    sys.stdout.write((_PRESENT if '"present"' in shown else "") + shown)
