"""Writes Java beside the messages that protoc makes of a schema: what fills them and hashes each field."""

from collections.abc import Iterator

import msgspec
from formats.schemas import proto
from harness.java.plain import PlainClasses, hashed_bits, indented, pascal

from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Message, Schema, Type

PROTO = "schema.proto"
# No message of a schema has a _ in its name.
CLASSES = "Messages_"
MADE = f"contender/proto/{CLASSES}.java"
RESERVED = (
    *("InitializationErrorString", "SerializedSize", "AllFields", "UnknownFields", "CachedSize"),
    *("DescriptorForType", "ParserForType", "DefaultInstanceForType", "Class"),
)
"""Names whose getters a message has already: protoc puts a _ behind them."""
_HEAD = f"""\
// Code generated from the schema of the data.

import java.util.List;
import java.util.Map;
import proto.{CLASSES};
import serbench.Hash;

public final class Schema {{
  private Schema() {{}}
"""


def files(schema: Schema) -> dict[str, str]:
    """The texts by their places: of the .proto, and of the class beside what protoc makes of it."""
    schema = _renamed(schema)
    options = ('option java_package = "proto";', f'option java_outer_classname = "{CLASSES}";')
    text = "\n".join([_HEAD, *_Emitter(lower(schema)).lines(), "}", ""])
    return {f"contender/{PROTO}": proto.emit(schema, options=options), "contender/Schema.java": text}


def _renamed(schema: Schema) -> Schema:
    """With a number behind a field `x_bytes` beside one `x`: of text `x`, protoc makes getXBytes, too."""
    messages = []
    for message in schema.messages:
        taken = {f"{field.name}_bytes" for field in message.fields}
        fields = [
            msgspec.structs.replace(field, name=f"{field.name}_{number}") if field.name in taken else field
            for number, field in enumerate(message.fields, start=1)
        ]
        messages.append(msgspec.structs.replace(message, fields=fields))
    return msgspec.structs.replace(schema, messages=messages)


class _Emitter(PlainClasses):
    def names(self, message: Message) -> list[str]:
        """As protoc's methods have them."""
        return _names(message)

    def lines(self) -> Iterator[str]:
        yield from self.code(self._fill, self._walk)
        root = self.schema.root
        name = f"{CLASSES}.{root.message}"
        yield "  /** Fills the message from the objects. */"
        yield '  @SuppressWarnings("unchecked")'
        yield f"  static {name} message(Object root) {{"
        yield f"    return fill{root.message}(({self.type_of(root, True)}) root);\n  }}\n"
        yield f"  static {name} parse(byte[] data) throws java.io.IOException {{"
        yield f"    return {name}.parseFrom(data);\n  }}\n"
        yield "  /** Hashes every field. */"
        yield f"  static void walk({name} root, Hash hash) {{\n    walk{root.message}(root, hash);\n  }}"

    def _fill(self, message: Message) -> Iterator[str]:
        name, made = message.name, f"{CLASSES}.{message.name}"
        entry = message.role == "entry"
        kind = self.source(message)
        given = f"String key, {kind} from" if entry else f"{kind} from"
        yield f"  private static {made} fill{name}({given}) {{"
        yield f"    {made}.Builder to = {made}.newBuilder();"
        yield from ["    to.setKey(key);"] if entry else []
        for number in range(len(self.parts(message))):
            yield f"    fill{name}{number}(to, from);"
        yield "    return to.build();\n  }\n"
        for number, fields in enumerate(self.parts(message)):
            yield f"  private static void fill{name}{number}({made}.Builder to, {kind} from) {{"
            for field, camel in fields[entry and number == 0 :]:
                value = "from" if message.role else f"from.{field.name}"
                if self.is_both(field):
                    yield f"    if ({value} != null) {{"
                    yield from self._put(field.type, camel, f"{value}.orElse(null)", "      ")
                    yield "    }"
                elif field.optional or field.type.nullable:
                    yield f"    if ({value} != null) {{"
                    yield from self._put(field.type, camel, value, "      ")
                    yield "    }"
                else:
                    yield from self._put(field.type, camel, value, "    ")
            yield "  }\n"

    def _put(self, kind: Type, camel: str, value: str, indent: str) -> Iterator[str]:
        """What puts a plain value that is there into the field of a builder."""
        if entry := self.entry(kind):
            assert kind.of is not None
            held = self.type_of(entry, True)
            yield f"{indent}for (Map.Entry<String, {held}> each : {value}.entrySet()) {{"
            made = f"fill{kind.of.message}(each.getKey(), each.getValue())"
            yield f"{indent}  to.add{camel}({made});\n{indent}}}"
        elif kind.of is not None and (kind.of.message or kind.of.kind == "uint32"):
            yield f"{indent}for ({self.type_of(kind.of, True)} each : {value}) {{"
            yield f"{indent}  to.add{camel}({_given(kind.of, 'each')});\n{indent}}}"
        elif kind.of is not None:
            yield f"{indent}to.addAll{camel}({value});"
        else:
            yield f"{indent}to.set{camel}({_given(kind, value)});"

    def _walk(self, message: Message) -> Iterator[str]:
        return self.walk(message, f"{CLASSES}.{message.name}", "has{}()", _value)


def _value(field: Field, camel: str) -> list[str]:
    kind, there = field.type, f"from.get{camel}"
    if kind.of is not None:
        lines = [f"    for (int i = 0; i < {there}Count(); i++) {{"]
        lines += [f"      {hashed_bits(kind.of, f'{there}(i)')}", "    }"]
        return [*lines, f"    hash.count({there}Count());"]
    lines = [f"    {hashed_bits(kind, f'{there}()')}"]
    if kind.nullable:
        absent = [f"    if (!from.has{camel}()) {{", "      hash.nil();", "    } else {"]
        return [*absent, *indented(lines), "    }"]
    return lines


def _given(kind: Type, value: str) -> str:
    """What a setter gets of a plain value."""
    if kind.message:
        return f"fill{kind.message}({value})"
    return f"(int) (long) {value}" if kind.kind == "uint32" else value


def _names(message: Message) -> list[str]:
    """How protoc's methods name the fields: with the number where a list's methods would be another's."""
    names = [pascal(field) for field in message.fields]
    of_lists = {
        name + suffix: place
        for place, (field, name) in enumerate(zip(message.fields, names, strict=True))
        if field.type.of is not None
        for suffix in ("Count", "List")
    }
    clashing = {
        each for place, name in enumerate(names) if name in of_lists for each in (place, of_lists[name])
    }
    return [
        f"{name}{place + 1}" if place in clashing else f"{name}_" if name in RESERVED else name
        for place, name in enumerate(names)
    ]
