"""Writes an SBE schema and plans its tool; writes plain classes, and what fills, reads and hashes them."""

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from harness.java.plain import PlainClasses, hashed, indented, pascal

from serbench.build.contract import OUT, Recipe, Request
from serbench.build.records import BuildFailed
from serbench.provision.providers.maven import jars
from serbench.provision.toolchain import need
from serbench.schemas.generator import files_recipe
from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Kind, Message, Schema, Type

XML, PACKAGE, ROOT = "schema.xml", "sbe", "Root"
TOOL = "uk.co.real_logic.sbe.SbeTool"
OPENED = "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED"
"""What Agrona's manual asks for."""
FIXED, GROUPS, DATA = PARTS = ("Fixed", "Groups", "Data")
"""A message, or an entry of a group, has its fields in this order."""
WIDTHS: dict[Kind, int] = {"bool": 1, "int32": 4, "uint32": 4, "int64": 8, "uint64": 8, "double": 8}
_SPARE: dict[Kind, tuple[Kind, str, str]] = {
    "bool": ("bool", "flag({})", "toBool({})"),
    "int32": ("int64", "Field.ofInteger({})", "Field.toInt32({})"),
    "uint32": ("int64", "Field.ofInteger({})", "Field.toUint32({})"),
    "double": ("double", "Field.ofDouble({})", "Field.toDouble({})"),
}
"""What holds each kind and a null value that is none of its own, and what makes one of the other.

Field is the contender's own class; no message of a schema has that name.
"""
_MOST_BYTES = 65534
"""The length of a block has 16 bits."""
_SHOWN = {"group": 126, "data": 34, "field": 24}
"""The most bytes of appendTo, a method of the tool's code, for an element of each name."""
_LONGEST_METHOD = 65535 - 100
"""In Java, without what each appendTo has."""
_LONGEST_NAME = 255
"""The longest name of a file, in letters."""
_HEAD = """\
// Code generated from the schema of the data.

import java.util.List;
import java.util.Map;
import serbench.Hash;

public final class Schema {
  private Schema() {}
"""
_BOOLS = """\
  static sbe.BooleanType flag(Boolean value) {
    if (value == null) {
      return sbe.BooleanType.NULL_VAL;
    }
    return value ? sbe.BooleanType.T : sbe.BooleanType.F;
  }

  static Boolean toBool(sbe.BooleanType value) {
    return value == sbe.BooleanType.NULL_VAL ? null : (Boolean) (value == sbe.BooleanType.T);
  }
"""
"""For a schema of which a field has the enum: otherwise the tool does not write it."""
_XML = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<sbe:messageSchema xmlns:sbe="http://fixprotocol.io/2016/sbe" package="{PACKAGE}" id="1" version="0"
    byteOrder="littleEndian">
  <types>
    <composite name="messageHeader">
      <type name="blockLength" primitiveType="uint16"/>
      <type name="templateId" primitiveType="uint16"/>
      <type name="schemaId" primitiveType="uint16"/>
      <type name="version" primitiveType="uint16"/>
    </composite>
    <composite name="groupSizeEncoding">
      <type name="blockLength" primitiveType="uint16"/>
      <type name="numInGroup" primitiveType="uint32" maxValue="2147483646"/>
    </composite>
    <composite name="varStringEncoding">
      <type name="length" primitiveType="uint32" maxValue="1073741824"/>
      <type name="varData" primitiveType="uint8" length="0" characterEncoding="UTF-8"/>
    </composite>
    <enum name="BooleanType" encodingType="uint8">
      <validValue name="F">0</validValue>
      <validValue name="T">1</validValue>
    </enum>
  </types>"""


def recipe(schema: Schema, request: Request) -> Recipe:
    """With the tool among the contender's jars."""
    emitter = _Emitter(lower(schema.rooted(), lists=True))
    code = "\n".join([_HEAD, *emitter.lines(), "}", ""])
    (java,) = need(request.root, request.cache, ["java"], "java").programs["java"]
    path = ":".join(str(jar) for jar in jars(request.folder, request.cache))
    step = [java, OPENED, f"-Dsbe.output.dir={OUT}", "-Dsbe.validation.stop.on.error=true"]
    step += ["-cp", path, TOOL, f"{OUT}/{XML}"]
    made = [f"{PACKAGE}/{ROOT}{end}.java" for end in ("Encoder", "Decoder")]
    return files_recipe(request, {XML: emitter.xml, "Schema.java": code}, [step], made)


class _Block:
    """The root message, or an entry of a group: what the XML has in it."""

    def __init__(self, classes: Sequence[str]) -> None:
        self.classes = classes
        self.xml: dict[str, list[str]] = {part: [] for part in PARTS}
        self.width, self.count, self.shown = 0, 0, 0

    def add(self, part: str, element: str, name: str, rest: str, within: Sequence[str] = ()) -> None:
        """`within` is what the element has in it."""
        self.count += 1
        self.shown += _SHOWN[element]
        start = f'<{element} name="{name}" id="{self.count}" {rest}'
        lines = [f"{start}>", *indented(list(within)), f"</{element}>"] if within else [f"{start}/>"]
        self.xml[part] += lines

    @property
    def lines(self) -> list[str]:
        return [line for part in PARTS for line in self.xml[part]]

    def codec(self, end: str) -> str:
        """Its class in Java, for the `end` Encoder or Decoder."""
        return ".".join([PACKAGE, *(f"{name}{end}" for name in self.classes)])

    def check(self, path: str) -> None:
        """Raise BuildFailed for what the tool or Java cannot have."""
        why = ""
        if self.width > _MOST_BYTES:
            why = f"its fields of fixed size have {self.width} bytes, and blockLength has 16 bits"
        elif self.shown > _LONGEST_METHOD:
            why = f"the tool's method appendTo for {self.count} fields may be too long for Java"
        elif len("$".join(f"{name}Encoder" for name in self.classes)) + len(".class") > _LONGEST_NAME:
            why = "the tool's class would be in a file with too long a name"
        if why:
            raise BuildFailed(f"{path}: {why}", unsupported=True)


class _Code:
    """What fills and what reads some fields of a block, by their part, which is the order for both."""

    def __init__(self, block: _Block) -> None:
        self.block = block
        self.fill: dict[str, list[str]] = {part: [] for part in PARTS}
        self.read: dict[str, list[str]] = {part: [] for part in PARTS}

    def add(self, part: str, fill: list[str], read: list[str]) -> None:
        self.fill[part] += fill
        self.read[part] += read

    def scalar(self, name: str, kind: Kind, put: str, rest: str = "") -> str:
        """Add a field of fixed size, which is filled with `put`; return what gives it."""
        self.block.width += WIDTHS[kind]
        held = "BooleanType" if kind == "bool" else kind
        self.block.add(FIXED, "field", name, f'type="{held}"{rest}')
        self.add(FIXED, [f"    to.{name}({put});"], [])
        return f"from.{name}()"


class _Place(NamedTuple):
    """A plain value: the Java that gives it, the Java that it is read to, and where the data have it."""

    field: Field
    there: str
    made: str
    path: str


class _Emitter(PlainClasses):
    def __init__(self, schema: Schema) -> None:
        super().__init__(schema)
        self.numbers, self.fields = itertools.count(1), itertools.count(1)
        self.methods: list[str] = []
        self.root = _Block([ROOT])
        self.fill_root, self.read_root = self._methods(self.root, schema.root, "$")
        message = [f'<sbe:message name="{ROOT}" id="1">', *indented(self.root.lines), "</sbe:message>"]
        self.xml = "\n".join([_XML, *indented(message), "</sbe:messageSchema>", ""])

    def lines(self) -> Iterator[str]:
        """The body of the class Schema."""
        yield from [_BOOLS] if 'type="BooleanType"' in self.xml else []
        yield from self.code(self._walk)
        yield from self.methods
        root = self.schema.root
        kind = self.type_of(root)
        yield "  /** Fills the message from the objects. */"
        yield '  @SuppressWarnings("unchecked")'
        yield f"  static void fill({self.root.codec('Encoder')} to, Object root) {{"
        yield f"    {self.fill_root}(to, ({kind}) root);\n  }}\n"
        yield "  /** Makes the objects of a message. */"
        yield f"  static Object read({self.root.codec('Decoder')} from) {{"
        yield f"    return {self.read_root}(from);\n  }}\n"
        yield "  /** Hashes every field. */"
        yield '  @SuppressWarnings("unchecked")'
        yield "  static void walk(Object root, Hash hash) {"
        yield from self._hashed(root, f"(({kind}) root)")
        yield "  }"

    # What fills and reads.

    def _methods(self, block: _Block, kind: Type, path: str) -> tuple[str, str]:
        """The methods that fill the message or entry from a plain value, and make the value of it."""
        number = next(self.numbers)
        code, message = _Code(block), self.messages.get(kind.message)
        if message is not None and message.role == "entry":
            key, value = message.fields
            name = self.type_of(value.type)
            source, result, further = f"Map.Entry<String, {name}>", "void", f", Map<String, {name}> to"
            self._field(code, _Place(key, "from.getKey()", "key", path))
            self._field(code, _Place(value, "from.getValue()", "value", path))
            start, end = ["    String key = null;", f"    {name} value = null;"], "    to.put(key, value);"
        else:
            held = message.fields[0].type if message and message.role else kind
            source, result, further = self.type_of(held), self.type_of(held), ""
            self._field(code, _Place(Field(key="", name="value", type=held), "from", "made", path))
            start, end = [f"    {result} made = null;"], "    return made;"
        filling, reading = ([line for part in PARTS for line in by[part]] for by in (code.fill, code.read))
        self._method(f"void fill{number}({block.codec('Encoder')} to, {source} from)", filling)
        head = f"{result} read{number}({block.codec('Decoder')} from{further})"
        self._method(head, [*start, *reading, end])
        block.check(path)
        return f"fill{number}", f"read{number}"

    def _method(self, head: str, body: list[str]) -> None:
        self.methods += [f"  private static {head} {{", *body, "  }\n"]

    def _object(self, code: _Code, message: Message, at: _Place) -> None:
        """An object that is always there: its fields are in the block itself, and have methods."""
        code.add(FIXED, [], [f"    {at.made} = new {message.name}();"])
        to, from_ = code.block.codec("Encoder"), code.block.codec("Decoder")
        number = next(self.numbers)
        for place, fields in enumerate(self.parts(message)):
            own = _Code(code.block)
            for field, name in fields:
                self._field(own, _Place(field, f"from.{name}", f"made.{name}", f"{at.path}.{field.key}"))
            for part in PARTS:
                end = f"{number}{part}{place}"
                if own.fill[part]:
                    self._method(f"void fill{end}({to} to, {message.name} from)", own.fill[part])
                    code.add(part, [f"    fill{end}(to, {at.there});"], [])
                if own.read[part]:
                    self._method(f"void read{end}({from_} from, {message.name} made)", own.read[part])
                    code.add(part, [], [f"    read{end}(from, {at.made});"])

    def _field(self, code: _Code, at: _Place) -> None:
        """Add what fills a field and what reads it."""
        kind, there, made = at.field.type, at.there, at.made
        lacks = at.field.optional or kind.nullable
        if kind.message and not lacks:
            self._object(code, self.messages[kind.message], at)
            return
        # The tool takes no group in another one of the same name.
        own = f"{pascal(at.field)}_{next(self.fields)}"
        name = own[0].lower() + own[1:]
        if kind.message:
            self._group(code, at, name, own)
        elif kind.kind in WIDTHS and (kind.kind in _SPARE or not lacks):
            spares = lacks or kind.kind == "bool"
            held, put, get = _SPARE[kind.kind] if spares else (kind.kind, "{}", "{}")
            rest = ' presence="optional"' if lacks and held != "bool" else ""
            value = code.scalar(name, held, put.format(there), rest)
            code.add(FIXED, [], [f"    {made} = {get.format(value)};"])
        else:
            has = code.scalar(f"{name}There", "bool", f"flag({there} != null)") if lacks else ""
            part = GROUPS if kind.of is not None else DATA if kind.kind == "string" else FIXED
            if part == GROUPS:
                self._group(code, at, name, own)
            elif part == DATA:
                code.block.add(DATA, "data", name, 'type="varStringEncoding"')
                given = f'{there} == null ? "" : {there}' if has else there
                code.add(DATA, [f"    to.{name}({given});"], [f"    {made} = from.{name}();"])
            else:
                value = code.scalar(name, kind.kind, f"{there} == null ? 0 : {there}")
                code.add(FIXED, [], [f"    {made} = {value};"])
            if has:
                absent = [f"    if ({has} != sbe.BooleanType.T) {{", f"      {made} = null;", "    }"]
                code.add(part, [], absent)

    def _group(self, code: _Code, at: _Place, name: str, own: str) -> None:
        """A list or a map; or a group of no or one entries, for an object that may not be there.

        The tool's class for an entry has the name `own`.
        """
        kind, there, made = at.field.type, at.there, at.made
        entry, inner = self.entry(kind), _Block([*code.block.classes, own])
        path = at.path + ("" if kind.of is None else "{}" if entry else "[]")
        fill, read = self._methods(inner, kind.of or kind.given, path)
        code.block.add(GROUPS, "group", name, 'dimensionType="groupSizeEncoding"', inner.lines)
        if kind.of is None:
            both = self.is_both(at.field)
            filling = [f"    {fill}(to.{name}Count(1).next(), {there}{'.orElse(null)' if both else ''});"]
            value = f"java.util.Optional.ofNullable({read}(each))" if both else f"{read}(each)"
            reading = [f"    for (var each : from.{name}()) {{", f"      {made} = {value};", "    }"]
        else:
            filling = [
                f"    var items = to.{name}Count({there}.size());",
                f"    for (var each : {there}{'.entrySet()' if entry else ''}) {{",
                f"      {fill}(items.next(), each);",
                "    }",
            ]
            new = "new java.util.LinkedHashMap<>()" if entry else "new java.util.ArrayList<>(items.count())"
            reading = [
                "    {",
                f"      var items = from.{name}();",
                f"      {self.type_of(kind)} values = {new};",
                "      for (var each : items) {",
                f"        {f'{read}(each, values)' if entry else f'values.add({read}(each))'};",
                "      }",
                f"      {made} = values;",
                "    }",
            ]
        empty = [f"    if ({there} == null) {{", f"      to.{name}Count(0);", "    } else {"]
        start = empty if at.field.optional or kind.nullable else ["    {"]
        code.add(GROUPS, [*start, *indented(filling), "    }"], reading)

    # What hashes.

    def names(self, message: Message) -> list[str]:
        """As the plain classes have them."""
        return [field.name for field in message.fields]

    def _walk(self, message: Message) -> Iterator[str]:
        return iter(()) if message.role else self.walk(message, message.name, "{} != null", self._value)

    def _value(self, field: Field, own: str) -> list[str]:
        there = f"from.{own}.orElse(null)" if self.is_both(field) else f"from.{own}"
        return self._hashed(field.type.given if field.optional else field.type, there)

    def _hashed(self, kind: Type, there: str, depth: int = 0) -> list[str]:
        if kind.nullable:
            lines = indented(self._hashed(kind.given, there, depth))
            return [f"    if ({there} == null) {{", "      hash.nil();", "    } else {", *lines, "    }"]
        message = self.messages.get(kind.message)
        if message is not None and message.role:
            return self._hashed(message.fields[0].type, there, depth)
        if kind.of is None:
            return [f"    {hashed(kind, there)}"]
        each, entry = f"each{depth}", self.entry(kind)
        lines = [f"      hash.string({each}.getKey());"] if entry else []
        inner = self._hashed(entry or kind.of, f"{each}.getValue()" if entry else each, depth + 1)
        start = f"    for (var {each} : {there}{'.entrySet()' if entry else ''}) {{"
        return [start, *lines, *indented(inner), "    }", f"    hash.count({there}.size());"]
