"""Writes Java beside the messages that protoc makes of a schema: what fills them and hashes each field."""

from collections.abc import Iterator

from formats.schemas import proto
from harness.java.plain import PlainClasses, hashed_bits, indented, narrowed, pascal, renamed

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
    schema = renamed(schema, _taken)
    options = ('option java_package = "proto";', f'option java_outer_classname = "{CLASSES}";')
    text = "\n".join([_HEAD, *_Emitter(lower(schema)).lines(), "}", ""])
    return {f"contender/{PROTO}": proto.emit(schema, options=options), "contender/Schema.java": text}


def _taken(message: Message) -> set[str]:
    """A text `x` has getXBytes, too."""
    return {f"{field.name}_bytes" for field in message.fields}


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
        yield from self.fill(message, f"{made}.Builder", self._put)

    def _put(self, kind: Type, camel: str, value: str) -> list[str]:
        """What puts a plain value that is there into the field of a builder."""
        inner = kind.of
        if inner is None:
            return [f"    to.set{camel}({_given(kind, value)});"]
        if not inner.message and inner.kind != "uint32":
            return [f"    to.addAll{camel}({value});"]
        entry = self.entry(kind)
        each = f"Map.Entry<String, {self.type_of(entry)}>" if entry else self.type_of(inner)
        made = f"fill{inner.message}(each.getKey(), each.getValue())" if entry else _given(inner, "each")
        return [
            f"    for ({each} each : {value}{'.entrySet()' if entry else ''}) {{",
            f"      to.add{camel}({made});",
            "    }",
        ]

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
    return narrowed(kind, value)


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
