"""Plans flatc's code for a schema; writes plain classes, what fills tables of them, what hashes tables."""

from collections.abc import Iterator

from formats.schemas import fbs
from harness.java.plain import PlainClasses, hashed, pascal
from harness.java.schema import quoted

from serbench.build.contract import OUT, Recipe, Request
from serbench.build.records import BuildFailed
from serbench.schemas.generator import files_recipe, program
from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Message, Schema, Type

PACKAGE = "fb"
ADDERS = {"bool": "Boolean", "int32": "Int", "uint32": "Int", "int64": "Long", "uint64": "Long"}
TAKEN = {"getClass", "hashCode", "toString", "notifyAll", "wait", "clone", "finalize", "getByteBuffer"}
"""Names of methods that each object or table has, which flatc gives to fields, too."""
_HEAD = """\
// Code generated from the schema of the data.

import com.google.flatbuffers.FlatBufferBuilder;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import serbench.Hash;

public final class Schema {
  private Schema() {}
"""


def recipe(schema: Schema, request: Request) -> Recipe:
    """With the flatc of the set-up. Its code names the library of its own version, to which ours is near."""
    assert request.library is not None
    lowered = lower(schema)
    _refuse(lowered)
    files = {"data.fbs": fbs.emit(schema, PACKAGE), "Schema.java": emit(lowered)}
    made = [f"{PACKAGE}/{message.name}.java" for message in lowered.messages]
    step = [program(request, "flatc/bin/flatc"), "--java", "-o", OUT, f"{OUT}/data.fbs"]
    version = "_".join(request.library.version.split("."))
    named = ["sed", "-i", f"s/Constants.FLATBUFFERS_[0-9_]*/Constants.FLATBUFFERS_{version}/"]
    return files_recipe(request, files, [step, [*named, *(f"{OUT}/{name}" for name in made)]], made)


def _refuse(lowered: Schema) -> None:
    for message in lowered.messages:
        lists = [_camel(field) for field in message.fields if field.type.of or field.type.kind == "string"]
        others = {f"{each}{end}" for each in lists for end in ("Length", "Vector", "AsByteBuffer")}
        others |= {f"has{pascal(field)}" for field in message.fields if _may_lack(field)}
        for field in message.fields:
            if _camel(field) in others | TAKEN:
                why = "flatc names its method as another that the class has"
                raise BuildFailed(f"{message.name}.{field.key}: {why}", unsupported=True)


def emit(lowered: Schema) -> str:
    """The text of Schema.java."""
    return "\n".join([_HEAD, *_Emitter(lowered).lines(), "}", ""])


class _Emitter(PlainClasses):
    def lines(self) -> Iterator[str]:
        yield from self.code(self._pack, self._walk)
        root = self.schema.root
        kind = self.type_of(root)
        yield "  /** Makes the table of the objects. */"
        yield '  @SuppressWarnings("unchecked")'
        yield "  static int pack(FlatBufferBuilder builder, Object root) {"
        yield f"    return pack{root.message}(builder, ({kind}) root);\n  }}\n"
        yield "  /** Hashes every field. */"
        yield "  static void walk(ByteBuffer data, Hash hash) {"
        yield f"    walk{root.message}({_table(root)}.getRootAs{root.message}(data), hash);\n  }}"

    def _pack(self, message: Message) -> Iterator[str]:
        """What is in a table is made before it."""
        name, table = message.name, f"{PACKAGE}.{message.name}"
        entry = message.role == "entry"
        kind = self.source(message)
        given = f"FlatBufferBuilder builder, {'String key, ' if entry else ''}{kind} from"
        names = "builder, key, from" if entry else "builder, from"
        parts = self.parts(message)
        wide = len(parts) > 1
        yield f"  private static int pack{name}({given}) {{"
        if wide:
            yield f"    int[] offsets = new int[{len(message.fields)}];"
            yield from (f"    make{name}{number}({names}, offsets);" for number in range(len(parts)))
            yield f"    {table}.start{name}(builder);"
            yield from (f"    add{name}{number}({names}, offsets);" for number in range(len(parts)))
            yield f"    return {table}.end{name}(builder);\n  }}\n"
        place = 0
        for number, fields in enumerate(parts):
            made, added = list[str](), list[str]()
            for field, pascal_ in fields:
                value = "key" if entry and field.name == "key" else "from"
                value = value if message.role else f"from.{field.name}"
                add = f"{table}.add{pascal_}(builder, "
                if _is_scalar(field):
                    added += _scalar(field, value, add)
                else:
                    offset = f"offsets[{place}]" if wide else f"offset{place}"
                    to = offset if wide else f"int {offset}"
                    made += self._made_offset(table, field, value, to, place)
                    added.append(f"    {add}{offset});")
                place += 1
            for verb, body in (("make", made), ("add", added)) if wide else ():
                yield f"  private static void {verb}{name}{number}({given}, int[] offsets) {{"
                yield from [*body, "  }\n"]
            if not wide:
                yield from [*made, f"    {table}.start{name}(builder);", *added]
                yield f"    return {table}.end{name}(builder);\n  }}\n"

    def _made_offset(self, table: str, field: Field, value: str, to: str, place: int) -> Iterator[str]:
        kind = field.type.of
        if kind is None:
            lacks = f"{value} == null ? 0 : " if _may_lack(field) else ""
            inner = f"{value}.orElse(null)" if self.is_both(field) else value
            yield f"    {to} = {lacks}{_packed(field.type, inner)};"
            return
        create = f"{table}.create{pascal(field)}Vector(builder"
        if not kind.message and kind.kind != "string":
            each = f"(int) (long) {value}.get(i)" if kind.kind == "uint32" else f"{value}.get(i)"
            yield f"    {table}.start{pascal(field)}Vector(builder, {value}.size());"
            yield f"    for (int i = {value}.size() - 1; i >= 0; i--) {{"
            yield f"      builder.add{ADDERS.get(kind.kind, 'Double')}({each});\n    }}"
            yield f"    {to} = builder.endVector();"
            return
        entry = self.entry(field.type)
        items, at = f"items{place}", f"at{place}"
        yield f"    int[] {items} = new int[{value}.size()];\n    int {at} = 0;"
        if entry:
            yield f"    for (Map.Entry<String, {self.type_of(entry)}> each : {value}.entrySet()) {{"
            made = f"pack{kind.message}(builder, each.getKey(), each.getValue())"
        else:
            yield f"    for ({self.type_of(kind)} each : {value}) {{"
            made = _packed(kind, "each")
        yield f"      {items}[{at}++] = {made};\n    }}\n    {to} = {create}, {items});"

    def _walk(self, message: Message) -> Iterator[str]:
        """The keys and values in their order, then their number; of one with a role only the values."""
        name, parts = message.name, self.parts(message)
        calls = [f"walk{name}{number}(from, hash)" for number in range(len(parts))]
        yield f"  private static void walk{name}({PACKAGE}.{name} from, Hash hash) {{"
        yield f"    {calls[0]};" if message.role else f"    hash.count({' + '.join(calls)});"
        yield "  }\n"
        for number, fields in enumerate(parts):
            yield f"  private static int walk{name}{number}({PACKAGE}.{name} from, Hash hash) {{"
            yield f"    int count = {sum(not field.optional for field, _ in fields)};"
            for field, pascal_ in fields:
                key = [] if message.role else [f"hash.string({quoted(field.key)});"]
                yield from _field(field, pascal_, key)
            yield "    return count;\n  }\n"


def _field(field: Field, pascal_: str, key: list[str]) -> Iterator[str]:
    name, kind = f"from.{_camel(field)}", field.type.of
    if kind is not None:
        size = f"{_camel(field)}Size"
        yield from [
            *_in(key),
            f"    int {size} = {name}Length();",
            f"    for (int i = 0; i < {size}; i++) {{",
        ]
        yield f"      {hashed(kind, f'{name}(i)')}\n    }}\n    hash.count({size});"
        return
    value = f"{name}()"
    if not _may_lack(field):
        yield from _in([*key, hashed(field.type, value)])
        return
    there = f"from.has{pascal_}()"
    if not _is_scalar(field):
        given, value = value, f"{_camel(field)}Value"
        there = f"{value} != null"
        yield f"    var {value} = {given};"
    shown = hashed(field.type, value)
    if field.optional:
        yield from [f"    if ({there}) {{", *_in(_in([*key, shown, "count++;"])), "    }"]
    else:
        yield from [*_in(key), f"    if ({there}) {{", f"      {shown}", "    } else {"]
        yield from ["      hash.nil();", "    }"]


def _in(lines: list[str]) -> list[str]:
    return [f"  {line}" if line.startswith(" ") else f"    {line}" for line in lines]


def _scalar(field: Field, value: str, add: str) -> list[str]:
    """What is 0 counts as the default and is left out, even where null is."""
    added = f"{add}{f'(long) {value}' if field.type.kind == 'uint32' else value});"
    if not _may_lack(field):
        return [f"    {added}"]
    forced = [f"builder.forceDefaults({each});" for each in ("true", "false")]
    return [f"    if ({value} != null) {{", *(f"      {x}" for x in (forced[0], added, forced[1])), "    }"]


def _packed(kind: Type, value: str) -> str:
    return f"pack{kind.message}(builder, {value})" if kind.message else f"builder.createString({value})"


def _table(kind: Type) -> str:
    return f"{PACKAGE}.{kind.message}"


def _is_scalar(field: Field) -> bool:
    return field.type.kind not in ("list", "message", "string")


def _may_lack(field: Field) -> bool:
    return field.optional or field.type.nullable


def _camel(field: Field) -> str:
    """As flatc names a method; notify has a _ behind it."""
    name = pascal(field)
    return "notify_" if name == "Notify" else name[0].lower() + name[1:]
