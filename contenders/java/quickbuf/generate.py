"""Plans the messages of QuickBuffers; writes plain classes, and what fills and hashes messages."""

from collections.abc import Iterator

from formats.schemas import proto
from harness.java.plain import PlainClasses, hashed_bits, indented, narrowed, renamed

from serbench.build.contract import OUT, Recipe, Request
from serbench.build.records import BuildFailed
from serbench.provision.providers.maven import program as locked_program
from serbench.schemas.generator import files_recipe, program
from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Message, Schema, Type

PROTO, PACKAGE = "schema.proto", "proto"
# No message of a schema has a _ in its name.
CLASSES = "Messages_"
_RESERVED = ("quick", "missing_fields", "unknown_bytes", "serialized_size", "cached_size", "factory")
_OF_LIBRARY = (
    *("FieldName", "FieldNames", "ProtoMessage", "ProtoSink", "ProtoUtil", "RepeatedBoolean"),
    *("RepeatedDouble", "RepeatedInt", "RepeatedLong", "RepeatedMessage", "RepeatedString", "Utf8String"),
)
"""Classes that its generated code names without their package, whatever the messages are called."""
_OPTIONS = {"LAZY": "allocation=lazy", "NUMBERED": "input_order=number"}
"""The plugin's options by the variant's define."""
_MOST_FIELDS = 700
"""A method of its code has up to 85 bytes for each field; no method in Java has over 65,535."""
_HEAD = f"""\
// Code generated from the schema of the data.

import java.util.List;
import java.util.Map;
import {PACKAGE}.{CLASSES};
import serbench.Hash;
import us.hebi.quickbuf.ProtoMessage;

public final class Schema {{
  private Schema() {{}}
"""


def recipe(schema: Schema, request: Request) -> Recipe:
    """With protoc, and the library's plugin, which is among the files of the contender's lock."""
    schema = renamed(schema, _taken)
    lowered = lower(schema)
    names = {message.name for message in lowered.messages}
    if taken := names.intersection(_OF_LIBRARY):
        raise BuildFailed(f"{min(taken)}: its generated code has a class of that name", unsupported=True)
    for message in lowered.messages:
        if len(message.fields) > _MOST_FIELDS:
            why = f"for {len(message.fields)} fields a method of its code may be too long for Java"
            raise BuildFailed(f"{message.name}: {why}", unsupported=True)
    options = (f'option java_package = "{PACKAGE}";', f'option java_outer_classname = "{CLASSES}";')
    files = {
        PROTO: proto.emit(schema, options=options),
        "Schema.java": "\n".join([_HEAD, *_Emitter(lowered).lines(), "}", ""]),
    }
    chosen = ",".join(option for define, option in _OPTIONS.items() if define in request.defines)
    plugin = locked_program(request.folder, request.cache)
    step = [program(request, "bin/protoc"), f"--plugin=protoc-gen-quickbuf={plugin}"]
    step += [f"--quickbuf_out={chosen}:{OUT}", f"-I{OUT}", PROTO]
    return files_recipe(request, files, [step], [f"{PACKAGE}/{CLASSES}.java"])


def _taken(message: Message) -> set[str]:
    """A field `name` has getMutableName, and a string has getNameBytes and getMutableNameBytes too."""
    forms = ("mutable_{}", "{}_bytes", "mutable_{}_bytes")
    return {*_RESERVED, *(form.format(field.name) for field in message.fields for form in forms)}


class _Emitter(PlainClasses):
    def lines(self) -> Iterator[str]:
        """The body of the class Schema."""
        yield from self.code(self._fill, self._walk)
        root = self.schema.root
        name = f"{CLASSES}.{root.message}"
        yield f"  static ProtoMessage<?> message() {{\n    return {name}.newInstance();\n  }}\n"
        yield "  /** Fills an empty message from the objects. */"
        yield '  @SuppressWarnings("unchecked")'
        yield "  static void fill(ProtoMessage<?> to, Object root) {"
        yield f"    fill{root.message}(({name}) to, ({self.type_of(root)}) root);\n  }}\n"
        yield "  static ProtoMessage<?> parse(byte[] data) throws java.io.IOException {"
        yield f"    return {name}.parseFrom(data);\n  }}\n"
        yield "  /** Hashes every field. */"
        yield "  static void walk(ProtoMessage<?> root, Hash hash) {"
        yield f"    walk{root.message}(({name}) root, hash);\n  }}"

    def _fill(self, message: Message) -> Iterator[str]:
        name, made = message.name, f"{CLASSES}.{message.name}"
        entry = message.role == "entry"
        kind = self.source(message)
        yield f"  private static void fill{name}({made} to, {'String key, ' if entry else ''}{kind} from) {{"
        yield from ["    to.setKey(key);"] if entry else []
        yield from (f"    fill{name}{number}(to, from);" for number in range(len(self.parts(message))))
        yield "  }\n"
        yield from self.fill(message, made, self._put)

    def _put(self, kind: Type, camel: str, value: str) -> list[str]:
        """What puts a plain value that is there into a message."""
        inner = kind.of
        if inner is None and kind.message:
            return [f"    fill{kind.message}(to.getMutable{camel}(), {value});"]
        if inner is None:
            return [f"    to.set{camel}({narrowed(kind, value)});"]
        items = f"to.getMutable{camel}()"
        entry = self.entry(kind)
        each = f"Map.Entry<String, {self.type_of(entry)}>" if entry else self.type_of(inner)
        if entry:
            put = f"fill{inner.message}({items}.next(), each.getKey(), each.getValue());"
        elif inner.message:
            put = f"fill{inner.message}({items}.next(), each);"
        else:
            put = f"{items}.add({narrowed(inner, 'each')});"
        return [
            f"    {items}.reserve({value}.size());",
            f"    for ({each} each : {value}{'.entrySet()' if entry else ''}) {{",
            f"      {put}",
            "    }",
        ]

    def _walk(self, message: Message) -> Iterator[str]:
        return self.walk(message, f"{CLASSES}.{message.name}", "has{}()", _value)


def _value(field: Field, camel: str) -> list[str]:
    kind, there = field.type, f"from.get{camel}()"
    if kind.of is not None:
        lines = [f"    for (int i = 0; i < {there}.length(); i++) {{"]
        lines += [f"      {hashed_bits(kind.of, f'{there}.get(i)')}", "    }"]
        return [*lines, f"    hash.count({there}.length());"]
    lines = [f"    {hashed_bits(kind, there)}"]
    if kind.nullable and not field.optional:
        absent = [f"    if (!from.has{camel}()) {{", "      hash.nil();", "    } else {"]
        return [*absent, *indented(lines), "    }"]
    return lines
