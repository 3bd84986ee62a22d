"""Plans the schema for Avro with plain classes, what fills its records of them, and what hashes records."""

import itertools
from collections.abc import Iterator

from formats.schemas import avsc
from harness.java.plain import PlainClasses, hashed, indented
from harness.java.schema import HASHES, TYPES, quoted

from serbench.build.contract import Recipe, Request
from serbench.build.records import BuildFailed
from serbench.schemas.generator import files_recipe
from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Message, Schema, Type

RECORD = "org.apache.avro.generic.GenericRecord"
MOST_CHARACTERS = 20_000
"""In a string of the code; Java takes at most 65,535."""
_HEAD = """\
// Code generated from the schema of the data.

import java.util.List;
import java.util.Map;
import serbench.Hash;

public final class Schema {
  private static final org.apache.avro.Schema.Parser PARSER = new org.apache.avro.Schema.Parser();
"""
_LISTS = """\
  static <T> List<Object> list(List<T> from, java.util.function.Function<T, Object> maker) {
    List<Object> made = new java.util.ArrayList<>(from.size());
    for (T each : from) {
      made.add(maker.apply(each));
    }
    return made;
  }

  static <T> List<Object> entries(
      Map<String, T> from, java.util.function.BiFunction<String, T, Object> maker) {
    List<Object> made = new java.util.ArrayList<>(from.size());
    for (Map.Entry<String, T> each : from.entrySet()) {
      made.add(maker.apply(each.getKey(), each.getValue()));
    }
    return made;
  }
"""


def recipe(schema: Schema, request: Request) -> Recipe:
    """No compiler is needed: the library parses the schema when the program starts."""
    if said := avsc.refusal(schema):
        raise BuildFailed(said, unsupported=True)
    return files_recipe(request, {"Schema.java": emit(schema)}, [], [])


def emit(schema: Schema) -> str:
    """The text of Schema.java."""
    text = avsc.emit(schema)
    starts = range(0, len(text), MOST_CHARACTERS)
    parts = ",\n          ".join(quoted(text[start : start + MOST_CHARACTERS]) for start in starts)
    parsed = f"  static final org.apache.avro.Schema AVRO =\n      PARSER.parse(\n          {parts});\n"
    return "\n".join([_HEAD, parsed, *_Emitter(lower(schema, lists=True)).lines(), "}", ""])


class _Emitter(PlainClasses):
    def __init__(self, schema: Schema) -> None:
        super().__init__(schema)
        self.numbers = itertools.count(1)

    def lines(self) -> Iterator[str]:
        for message in self.schema.messages:
            yield f"  private static final org.apache.avro.Schema {_constant(message)} ="
            yield f"      PARSER.getTypes().get({quoted(message.name)});"
        yield f"\n  private Schema() {{}}\n\n{_LISTS}"
        yield from self.code(self._fill, self._walk)
        root = self.schema.root
        yield "  /** Makes records of the objects. */"
        yield '  @SuppressWarnings("unchecked")'
        kind = self.type_of(root)
        yield f"  static Object fill(Object root) {{\n    {kind} from = ({kind}) root;"
        yield f"    return {self._filled(root, 'from')};\n  }}\n"
        yield "  /** Hashes every field. */"
        yield "  static void walk(Object root, Hash hash) {"
        yield from [*self._hashed(root, "root"), "  }"]

    def names(self, message: Message) -> list[str]:
        """As the schema for Avro has them."""
        return avsc.names(message)

    def _fill(self, message: Message) -> Iterator[str]:
        name = message.name
        kind = self.source(message)
        entry = message.role == "entry"
        given = f"String key, {kind} from" if entry else f"{kind} from"
        yield f"  private static {RECORD} fill{name}({given}) {{"
        yield f"    {RECORD} to = new org.apache.avro.generic.GenericData.Record({_constant(message)});"
        yield from ['    to.put("key", key);'] if entry else []
        parts = self.parts(message)
        yield from (f"    fill{name}_{number}(to, from);" for number in range(len(parts)))
        yield "    return to;\n  }\n"
        for number, fields in enumerate(parts):
            yield f"  private static void fill{name}_{number}({RECORD} to, {kind} from) {{"
            for field, own in fields[entry and number == 0 :]:
                value = "from" if message.role else f"from.{field.name}"
                if self.is_both(field):
                    filled = f"fill{field.type.message}({value}.orElse(null))"
                    yield f"    to.put({quoted(own)}, {value} == null ? null : {filled});"
                else:
                    yield f"    to.put({quoted(own)}, {self._filled(field.type, value, field.optional)});"
            yield "  }\n"

    def _filled(self, kind: Type, value: str, optional: bool = False) -> str:
        """What stands in a record for a plain value."""
        inner = f"each{next(self.numbers)}"
        if self.entry(kind):
            assert kind.of is not None
            made = f"entries({value}, (key, {inner}) -> fill{kind.of.message}(key, {inner}))"
        elif kind.of is not None and (kind.of.of is not None or kind.of.message):
            made = f"list({value}, {inner} -> {self._filled(kind.of, inner)})"
        elif kind.message:
            made = f"fill{kind.message}({value})"
        else:
            return value
        return f"{value} == null ? null : {made}" if kind.nullable or optional else made

    def _walk(self, message: Message) -> Iterator[str]:
        return self.walk(message, RECORD, 'get("{0}") instanceof Object {0}_', self._value)

    def _value(self, field: Field, own: str) -> list[str]:
        """What is optional has its value in a variable, and is not null."""
        if field.optional:
            return self._hashed(field.type.given, f"{own}_")
        return self._hashed(field.type, f"from.get({quoted(own)})")

    def _hashed(self, kind: Type, value: str) -> list[str]:
        number = next(self.numbers)
        if kind.nullable:
            there = f"value{number}"
            lines = indented(self._hashed(kind.given, there))
            head = f"    if ({value} instanceof Object {there}) {{"
            return [head, *lines, "    } else {", "      hash.nil();", "    }"]
        if kind.of is not None:
            items, each = f"items{number}", f"each{number}"
            return [
                f"    List<?> {items} = (List<?>) {value};",
                f"    for (Object {each} : {items}) {{",
                *indented(self._hashed(kind.of, each)),
                "    }",
                f"    hash.count({items}.size());",
            ]
        if kind.message:
            return [f"    {hashed(kind, f'({RECORD}) {value}')}"]
        if kind.kind == "string":
            return [f"    hash.string({value}.toString());"]
        return [f"    hash.{HASHES[kind.kind]}(({TYPES[kind.kind][0]}) {value});"]


def _constant(message: Message) -> str:
    """No message has a _ in its name."""
    return f"OF_{message.name}"
