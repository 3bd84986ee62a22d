"""Plans thrift's classes for a schema; writes plain ones, what fills its objects, and what hashes these."""

from collections.abc import Iterator

from formats.schemas import thrift
from harness.java.plain import PlainClasses, hashed, indented

from serbench.build.contract import Recipe, Request
from serbench.schemas.model import Field, Message, Schema, Type

PACKAGE = "thrifted"
_HEAD = """\
// Code generated from the schema of the data.

import java.util.List;
import java.util.Map;
import serbench.Hash;

public final class Schema {
  private Schema() {}
"""


def recipe(schema: Schema, request: Request) -> Recipe:
    """Without the annotation of generated code, whose class Java no longer has."""
    generator = "java:generated_annotations=suppress"
    made = [f"{PACKAGE}/{message.name}.java" for message in thrift.signed(schema).messages]
    files = {"Schema.java": emit(schema)}
    return thrift.recipe(schema, request, generator, files, made, namespace=f"java {PACKAGE}")


def emit(schema: Schema) -> str:
    """The text of the class beside thrift's."""
    return "\n".join([_HEAD, *_Emitter(thrift.signed(schema)).lines(), "}", ""])


class _Emitter(PlainClasses):
    def lines(self) -> Iterator[str]:
        yield from self.code(self._fill, self._walk)
        root = self.schema.root
        name = f"{PACKAGE}.{root.message}"
        yield f"  static {name} root() {{\n    return new {name}();\n  }}\n"
        yield '  @SuppressWarnings("unchecked")'
        yield f"  static {name} fill(Object root) {{"
        yield f"    return fill{root.message}(({self.type_of(root, True)}) root);\n  }}\n"
        yield "  /** Hashes every field. */"
        yield "  static void walk(Object root, Hash hash) {"
        yield f"    walk{root.message}(({name}) root, hash);\n  }}"

    def names(self, message: Message) -> list[str]:
        """As thrift's methods name them."""
        return [name[0].upper() + name[1:] for name in thrift.names(message)]

    def _fill(self, message: Message) -> Iterator[str]:
        name, made = message.name, f"{PACKAGE}.{message.name}"
        entry = message.role == "entry"
        kind = self.source(message)
        given = f"String key, {kind} from" if entry else f"{kind} from"
        yield f"  private static {made} fill{name}({given}) {{\n    {made} to = new {made}();"
        yield from ["    to.setKey(key);"] if entry else []
        yield from (f"    fill{name}{number}(to, from);" for number in range(len(self.parts(message))))
        yield "    return to;\n  }\n"
        yield from self.fill(message, made, self._put)

    def _put(self, kind: Type, setter: str, value: str) -> list[str]:
        """What gives a plain value that is there to a setter."""
        if kind.message:
            return [f"    to.set{setter}(fill{kind.message}({value}));"]
        if kind.of is None or not kind.of.message:
            return [f"    to.set{setter}({value});"]
        made = f"{PACKAGE}.{kind.of.message}"
        entry = self.entry(kind)
        each = f"Map.Entry<String, {self.type_of(entry, True)}>" if entry else self.type_of(kind.of, True)
        items = f"{value}.entrySet()" if entry else value
        given = "each.getKey(), each.getValue()" if entry else "each"
        return [
            f"    List<{made}> items{setter} = new java.util.ArrayList<>({value}.size());",
            f"    for ({each} each : {items}) {{",
            f"      items{setter}.add(fill{kind.of.message}({given}));",
            "    }",
            f"    to.set{setter}(items{setter});",
        ]

    def _walk(self, message: Message) -> Iterator[str]:
        return self.walk(message, f"{PACKAGE}.{message.name}", "isSet{}()", _value)


def _value(field: Field, getter: str) -> list[str]:
    there = f"from.{'is' if field.type.kind == 'bool' else 'get'}{getter}()"
    if field.type.of is not None:
        each = f"each{getter}"
        kind = field.type.of
        of = f"{PACKAGE}.{kind.message}" if kind.message else "var"
        lines = [f"    for ({of} {each} : {there}) {{", f"      {hashed(kind, each)}", "    }"]
        return [*lines, f"    hash.count({there}.size());"]
    lines = [f"    {hashed(field.type, there)}"]
    if field.type.nullable and not field.optional:
        absent = [f"    if (!from.isSet{getter}()) {{", "      hash.nil();", "    } else {"]
        return [*absent, *indented(lines), "    }"]
    return lines
