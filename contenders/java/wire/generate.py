"""Plans Wire's classes for a schema; writes plain ones, what fills its messages, and what hashes these."""

from collections.abc import Iterator

from formats.schemas import proto
from harness.java.plain import PlainClasses, hashed_bits, indented, narrowed

from serbench.build.contract import OUT, Recipe, Request
from serbench.build.records import BuildFailed
from serbench.provision.providers.maven import jars
from serbench.provision.toolchain import need
from serbench.schemas.generator import files_recipe
from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Message, Schema, Type

PROTO, PACKAGE = "schema.proto", "proto"
COMPILER = "wire-compiler"
_HEAD = """\
// Code generated from the schema of the data.

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import serbench.Hash;

public final class Schema {
  private Schema() {}
"""


def recipe(schema: Schema, request: Request) -> Recipe:
    """With the compiler among the contender's jars, which has all that it needs in it."""
    lowered = lower(schema)
    _refuse(lowered)
    text = proto.emit(schema, options=(f'option java_package = "{PACKAGE}";',))
    files = {PROTO: text, "Schema.java": "\n".join([_HEAD, *_Emitter(lowered).lines(), "}", ""])}
    (java,) = need(request.root, request.cache, ["java"], "java").programs["java"]
    (compiler,) = (jar for jar in jars(request.folder, request.cache) if jar.name.startswith(COMPILER))
    step = [java, "-jar", str(compiler), f"--proto_path={OUT}", f"--java_out={OUT}", PROTO]
    made = [f"{PACKAGE}/{message.name}.java" for message in lowered.messages]
    return files_recipe(request, files, [step], made)


def _refuse(lowered: Schema) -> None:
    for message in lowered.messages:
        for field in message.fields:
            bare = not (field.optional or field.type.nullable)
            if field.name == "wait" and field.type.kind in ("int64", "uint64") and bare:
                why = "its builder's method would be the final one that each object has"
                raise BuildFailed(f"{message.name}.{field.key}: {why}", unsupported=True)


class _Emitter(PlainClasses):
    def names(self, message: Message) -> list[str]:
        """As the .proto has them."""
        return [field.name for field in message.fields]

    def lines(self) -> Iterator[str]:
        yield from self.code(self._fill, self._walk)
        root = self.schema.root
        name = f"{PACKAGE}.{root.message}"
        yield "  /** Fills the message from the objects. */"
        yield '  @SuppressWarnings("unchecked")'
        yield f"  static {name} message(Object root) {{"
        yield f"    return fill{root.message}(({self.type_of(root)}) root);\n  }}\n"
        yield f"  static {name} parse(byte[] data) throws java.io.IOException {{"
        yield f"    return {name}.ADAPTER.decode(data);\n  }}\n"
        yield "  /** Hashes every field. */"
        yield f"  static void walk({name} root, Hash hash) {{\n    walk{root.message}(root, hash);\n  }}"

    def _fill(self, message: Message) -> Iterator[str]:
        name, made = message.name, f"{PACKAGE}.{message.name}"
        entry = message.role == "entry"
        kind = self.source(message)
        yield f"  private static {made} fill{name}({'String key, ' if entry else ''}{kind} from) {{"
        yield f"    {made}.Builder to = new {made}.Builder();"
        yield from ["    to.key(key);"] if entry else []
        yield from (f"    fill{name}{number}(to, from);" for number in range(len(self.parts(message))))
        yield "    return to.build();\n  }\n"
        yield from self.fill(message, f"{made}.Builder", self._put)

    def _put(self, kind: Type, own: str, value: str) -> list[str]:
        """What gives a plain value that is there to a builder."""
        inner = kind.of
        if inner is None:
            return [f"    to.{own}({_given(kind, value)});"]
        if not inner.message and inner.kind != "uint32":
            return [f"    to.{own}({value});"]
        entry = self.entry(kind)
        each = f"Map.Entry<String, {self.type_of(entry)}>" if entry else self.type_of(inner)
        made = f"fill{inner.message}(each.getKey(), each.getValue())" if entry else _given(inner, "each")
        return [
            f"    List<{f'{PACKAGE}.{inner.message}' if inner.message else 'Integer'}> {own}Items =",
            f"        new ArrayList<>({value}.size());",
            f"    for ({each} each : {value}{'.entrySet()' if entry else ''}) {{",
            f"      {own}Items.add({made});",
            "    }",
            f"    to.{own}({own}Items);",
        ]

    def _walk(self, message: Message) -> Iterator[str]:
        return self.walk(message, f"{PACKAGE}.{message.name}", "{} != null", _value)


def _value(field: Field, own: str) -> list[str]:
    there, kind = f"from.{own}", field.type
    if kind.of is not None:
        each = f"    for (var each : {there}) {{"
        return [each, f"      {hashed_bits(kind.of, 'each')}", "    }", f"    hash.count({there}.size());"]
    lines = [f"    {hashed_bits(kind, there)}"]
    if kind.nullable and not field.optional:
        absent = [f"    if ({there} == null) {{", "      hash.nil();", "    } else {"]
        return [*absent, *indented(lines), "    }"]
    return lines


def _given(kind: Type, value: str) -> str:
    """What a builder gets of a plain value."""
    if kind.message:
        return f"fill{kind.message}({value})"
    return narrowed(kind, value)
