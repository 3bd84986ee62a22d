"""Writes a schema as Java: reads the schema's JSON from standard input (src/serbench/schemas/model.py).

The classes are those that a program would have: public fields, boxed where there may be nothing, with the
annotations of the contender's library (style.py). Beside them stand the method that makes them of the value
tree and the one that hashes every field.
"""

import itertools
import sys
from collections.abc import Iterator

import msgspec
from harness.java.style import USUAL, Style, has_null, refuse

from serbench.build.records import BuildFailed
from serbench.schemas.model import Field, Kind, Message, Schema, Type

TYPES: dict[Kind, tuple[str, str]] = {
    **{"bool": ("boolean", "Boolean"), "int32": ("int", "Integer"), "uint32": ("long", "Long")},
    **{"int64": ("long", "Long"), "double": ("double", "Double"), "string": ("String", "String")},
    "uint64": ("java.math.BigInteger", "java.math.BigInteger"),
}
"""What holds each kind, and what holds it where there may be nothing."""
MAKERS: dict[Kind, str] = {
    **{"bool": "bool", "int32": "int32", "uint32": "int64", "int64": "int64", "double": "number"},
    **{"string": "text", "uint64": "uint64"},
}
HASHES: dict[Kind, str] = {
    **{"bool": "bool", "int32": "integer", "uint32": "integer", "int64": "integer", "double": "number"},
    **{"string": "string", "uint64": "integer"},
}
MOST_FIELDS = 50
"""What one method handles: HotSpot's compilers leave a method of more than 8,000 bytes alone."""
_TITLE = "// Code generated from the schema of the data.\n"
_HEAD = """\
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import serbench.Hash;
import serbench.Refusal;

public final class Schema {
  private Schema() {}
"""


def emit(schema: Schema, style: Style = USUAL, test: str = "") -> str:
    """The text of Schema.java. Raises BuildFailed, with the place, where the library cannot take the data."""
    refuse(schema, style, test)
    package = [f"package {style.package};", ""] if style.package else []
    return "\n".join([_TITLE, *package, _HEAD, *_Emitter(schema, style).lines(), "}", ""])


class _Emitter:
    def __init__(self, schema: Schema, style: Style) -> None:
        self.schema = schema
        self.style = style
        self.numbers = itertools.count(1)

    def lines(self) -> Iterator[str]:
        for message in self.schema.messages:
            yield from self._class(message)
            yield from self._plain(message)
            yield from self._walk(message)
        root = self.schema.root
        boxed = self._type(root, boxed=True)
        yield "  /** Has the type of the root, for libraries that ask for one. */"
        yield f"  public static final class Root {{\n    public {boxed} value;\n  }}\n"
        yield "  public static Type type() {\n    return Root.class.getFields()[0].getGenericType();\n  }\n"
        names = ", ".join(f"{message.name}.class" for message in self.schema.messages)
        yield "  /** The classes, for libraries that must be told of each. */"
        yield f"  public static final List<Class<?>> CLASSES = List.of({names});\n"
        yield "  /** Whether a member of an object may be null, which is written then. */"
        nullable = any(has_null(self.schema))
        yield f"  public static final boolean NULLABLE = {'true' if nullable else 'false'};\n"
        yield "  /** Makes the objects of a value tree. */"
        yield f"  public static Object plain(Object tree) {{\n    return {_made(root, 'tree')};\n  }}\n"
        yield "  /** Hashes every field. */"
        yield '  @SuppressWarnings("unchecked")'
        yield "  public static void walk(Object root, Hash hash) throws Refusal {"
        yield f"    {boxed} from = ({boxed}) root;"
        yield from self._hashed(root, "from", 2)
        yield "  }"

    def _type(self, kind: Type, boxed: bool) -> str:
        if kind.kind == "list":
            return f"List<{self._type(kind.inner, boxed=True)}>"
        if kind.kind == "map":
            return self.style.map.replace("{}", self._type(kind.inner, boxed=True))
        return kind.message or TYPES[kind.kind][boxed or kind.nullable]

    def _class(self, message: Message) -> Iterator[str]:
        style = self.style
        if style.above:
            order = ", ".join(quoted(field.key) for field in message.fields)
            yield f"  {style.above.replace('{keys}', order)}"
        implements = f" implements {style.implements}" if style.implements else ""
        yield f"  public static final class {message.name}{implements} {{"
        for field in message.fields:
            if annotations := style.of(field):
                yield f"    {annotations.replace('{key}', quoted(field.key))}"
            yield f"    public {self._held(field)} {self._name(field)};"
        yield "  }\n"

    def _name(self, field: Field) -> str:
        return field.key if self.style.names else _camel(field.name)

    def _held(self, field: Field) -> str:
        held = self._type(field.type, boxed=field.optional)
        return self.style.both.replace("{}", held) if field.optional and field.type.nullable else held

    def _plain(self, message: Message) -> Iterator[str]:
        yield f"  private static {message.name} plain{message.name}(Object tree) {{"
        yield "    if (tree == null) {\n      return null;\n    }"
        yield f"    {message.name} made = new {message.name}();"
        yield "    for (Map.Entry<?, ?> entry : ((Map<?, ?>) tree).entrySet()) {"
        yield f"      set{message.name}_0(made, (String) entry.getKey(), entry.getValue());"
        yield "    }\n    return made;\n  }\n"
        parts = _parts(message)
        for number, fields in enumerate(parts):
            yield f"  private static void set{message.name}_{number}("
            yield f"      {message.name} made, String key, Object value) {{"
            yield "    switch (key) {"
            for field in fields:
                made = _made(field.type, "value")
                if field.optional and field.type.nullable:
                    made = f"{self.style.both.partition('<')[0]}.ofNullable({made})"
                yield f"      case {quoted(field.key)} -> made.{self._name(field)} = {made};"
            last = number == len(parts) - 1
            otherwise = f"set{message.name}_{number + 1}(made, key, value)"
            yield f"      default -> {'throw new IllegalArgumentException(key)' if last else otherwise};"
            yield "    }\n  }\n"

    def _walk(self, message: Message) -> Iterator[str]:
        parts = _parts(message)
        yield f"  private static void walk{message.name}({message.name} from, Hash hash)"
        yield "      throws Refusal {"
        if len(parts) == 1:
            yield from self._counted(parts[0])
            yield "    hash.count(count);\n  }\n"
            return
        yield "    int count = 0;"
        for number in range(len(parts)):
            yield f"    count += walk{message.name}_{number}(from, hash);"
        yield "    hash.count(count);\n  }\n"
        for number, fields in enumerate(parts):
            yield f"  private static int walk{message.name}_{number}({message.name} from, Hash hash)"
            yield "      throws Refusal {"
            yield from self._counted(fields)
            yield "    return count;\n  }\n"

    def _counted(self, fields: list[Field]) -> Iterator[str]:
        yield f"    int count = {sum(not field.optional for field in fields)};"
        for field in fields:
            yield from self._field(field, f"from.{self._name(field)}")

    def _field(self, field: Field, name: str) -> Iterator[str]:
        key = f"hash.string({quoted(field.key)});"
        if field.optional:
            yield f"    if ({name} != null) {{\n      count++;\n      {key}"
            if field.type.nullable:
                given = f"value{next(self.numbers)}"
                yield f"      {self._type(field.type, boxed=True)} {given} = {name}.orElse(null);"
                name = given
            yield from self._hashed(field.type, name, 3)
            yield "    }"
        else:
            yield f"    {key}"
            yield from self._hashed(field.type, name, 2)

    def _hashed(self, kind: Type, there: str, depth: int) -> Iterator[str]:
        indent = "  " * depth
        if kind.nullable:
            yield f"{indent}if ({there} == null) {{\n{indent}  hash.nil();\n{indent}}} else {{"
            yield from self._hashed(kind.given, there, depth + 1)
            yield f"{indent}}}"
        elif kind.kind == "message":
            yield f"{indent}walk{kind.message}({there}, hash);"
        elif kind.kind == "list":
            each = f"item{next(self.numbers)}"
            yield f"{indent}for ({self._type(kind.inner, boxed=True)} {each} : {there}) {{"
            yield from self._hashed(kind.inner, each, depth + 1)
            yield f"{indent}}}\n{indent}hash.count({there}.size());"
        elif kind.kind == "map":
            each = f"entry{next(self.numbers)}"
            held = self._type(kind.inner, boxed=True)
            yield f"{indent}for (Map.Entry<String, {held}> {each} : {there}.entrySet()) {{"
            yield f"{indent}  {held} {each}Value = {each}.getValue();"
            yield f"{indent}  hash.string({each}.getKey());"
            yield from self._hashed(kind.inner, f"{each}Value", depth + 1)
            yield f"{indent}}}\n{indent}hash.count({there}.size());"
        else:
            # Else an Integer would choose no overload by itself.
            value = f"(long) {there}" if kind.kind == "int32" else there
            yield f"{indent}hash.{HASHES[kind.kind]}({value});"


def _parts(message: Message) -> list[list[Field]]:
    """The fields by the methods that handle them; there is one for a message without fields, too."""
    starts = range(0, max(len(message.fields), 1), MOST_FIELDS)
    return [message.fields[start : start + MOST_FIELDS] for start in starts]


def _made(kind: Type, value: str) -> str:
    """What makes the type of a value; of null it makes null."""
    if kind.kind == "message":
        return f"plain{kind.message}({value})"
    if kind.kind in ("list", "map"):
        inner = f"{value}Of"
        return f"serbench.Plain.{kind.kind}({value}, {inner} -> {_made(kind.inner, inner)})"
    return f"serbench.Plain.{MAKERS[kind.kind]}({value})"


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def quoted(text: str) -> str:
    """A string of Java: what is no plain ASCII as units of UTF-16, in octal where these would end a line."""
    units = memoryview(text.encode("utf-16-le", "surrogatepass")).cast("H")
    return f'"{"".join(_unit(unit) for unit in units)}"'


def _unit(unit: int) -> str:
    if unit < 32 or unit in (ord('"'), ord("\\")):
        return f"\\{unit:03o}"
    return chr(unit) if unit < 127 else f"\\u{unit:04x}"


if __name__ == "__main__":
    try:
        sys.stdout.write(emit(msgspec.json.decode(sys.stdin.buffer.read(), type=Schema)))
    except BuildFailed as error:
        sys.exit(error.reason)
