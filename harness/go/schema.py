"""Writes a schema as Go: reads the schema's JSON from standard input (src/serbench/schemas/model.py).

The structs are those that a program would have: with tags, and with pointers to what may be absent or null.
Beside them stand the function that makes them of the value tree and the one that hashes every field.
"""

import itertools
import re
import sys
import unicodedata
from collections.abc import Iterator

import msgspec

from serbench.build.records import BuildFailed
from serbench.schemas.model import Field, Kind, Message, Schema, Type

TYPES: dict[Kind, str] = {
    **{"bool": "bool", "int32": "int32", "uint32": "uint32", "int64": "int64", "uint64": "uint64"},
    **{"double": "float64", "string": "string"},
}
HASHES: dict[Kind, str] = {
    **{"bool": "Bool({})", "int32": "Int(int64({}))", "uint32": "Uint(uint64({}))", "int64": "Int({})"},
    **{"uint64": "Uint({})", "double": "Float({})", "string": "String({})"},
}
TAGS = ("json", "msgpack", "msg", "bson")
"""What libraries call the tag with a field's key; those for CBOR take that for JSON."""
CONSTRUCTS = ("map", "pointer", "null-item", "empty")
"""What a contender may refuse: a map, a field that may be absent or null and is no message, a null that is an
item or the root, and a message without fields."""
_REFUSED = re.compile(r"^//serbench:refuse (\S+) (\S+) (.+)$", re.MULTILINE)
_PUNCTUATION = "!#$%&()*+-./:;<=>?@[]^_{|}~ "
HEAD = """\
// Code generated from the schema of the data. DO NOT EDIT.

package main

import "serbench"
"""


def emit(schema: Schema) -> str:
    """The text of a Go file. Raises BuildFailed, with the place, where Go's structs cannot have the data."""
    return "\n".join([HEAD, *Emitter(schema).lines(), ""])


def refuse(schema: Schema, source: str, test: str) -> None:
    """Raise BuildFailed, with the place, where the data have what a contender's source says it cannot take.

    It says that in lines `//serbench:refuse TEST CONSTRUCT REASON`, where TEST may be `all`.
    """
    for wanted, construct, reason in _REFUSED.findall(source):
        if construct not in CONSTRUCTS:
            known = ", ".join(CONSTRUCTS)
            raise BuildFailed(f"//serbench:refuse has the construct '{construct}'; there are {known}")
        place = next(_having(schema, construct), None)
        if place is not None and wanted in ("all", test):
            raise BuildFailed(f"{place}: {reason}", unsupported=True)


def _having(schema: Schema, construct: str) -> Iterator[str]:
    """The places with the construct."""
    if construct == "empty":
        yield from (message.name for message in schema.messages if not message.fields)
    for place, kind, optional in schema.places():
        is_field = place != "the root" and not place.endswith("[]")
        has = {
            "map": kind.kind == "map",
            "pointer": is_field and kind.kind != "message" and (optional or kind.nullable),
            "null-item": not is_field and kind.nullable,
        }
        if has.get(construct):
            yield place


class Emitter:
    """Writes the Go of a schema."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        # A map of Go's has no order. The hash that does not depend on it holds for all objects, or none.
        self.maps = itertools.count(1)
        self.pointed = True  # whether `write` gets a pointer to the root
        self.unordered = any(kind.kind == "map" for _, kind, _ in schema.places())

    def lines(self) -> Iterator[str]:
        """The lines without the file's head."""
        for message in self.schema.messages:
            yield from self._struct(message)
            yield from self._plain(message)
            yield from self._walk(message)
        root = self.schema.root
        yield f"type Root = {type_of(root)}\n"
        yield "// plain makes the struct of a value tree."
        made = "&made" if self.pointed else "made"
        yield f"func plain(tree any) any {{\n\tmade := {maker(root)}(tree)\n\treturn {made}\n}}\n"
        yield "// walk hashes every field."
        yield "func walk(root *Root, hash *serbench.Hash) {"
        yield from self._hashed(root, "(*root)", 1)
        yield "}"

    def _struct(self, message: Message) -> Iterator[str]:
        yield f"type {message.name} struct {{"
        for field in message.fields:
            place = f"{message.name}.{field.key}"
            if field.optional and field.type.nullable:
                reason = "it may be absent and may be null, which a pointer cannot tell apart"
                raise BuildFailed(f"{place}: {reason}", unsupported=True)
            yield f"\t{pascal(field.name)} {type_of(held(field))} `{_tags(field, place)}`"
        yield "}\n"

    def _plain(self, message: Message) -> Iterator[str]:
        yield f"func plain{message.name}(tree any) (made {message.name}) {{"
        yield "\tfor _, member := range tree.(serbench.Map) {"
        yield "\t\tswitch member.Key {"
        for place, field in enumerate(message.fields):
            yield f"\t\tcase {quoted(field.key)}:"
            made = self._made(message, place)
            yield f"\t\t\tserbench.Put(&made.{pascal(field.name)}, {made}, member.Value)"
        yield "\t\t}\n\t}\n\treturn made\n}\n"

    def _made(self, message: Message, place: int) -> str:
        """The function that makes a field of a value."""
        return maker(held(message.fields[place]))

    def _walk(self, message: Message) -> Iterator[str]:
        yield f"func walk{message.name}(from *{message.name}, hash *serbench.Hash) {{"
        always = sum(not field.optional for field in message.fields)
        yield "\tentries := hash.Entries()" if self.unordered else f"\tcount := {always}"
        for field in message.fields:
            name = f"from.{pascal(field.name)}"
            depth = 2 if field.optional else 1
            indent = "\t" * depth
            if field.optional:
                yield f"\tif {name} != nil {{"
            if self.unordered:
                yield f"{indent}entries.Next()"
            elif field.optional:
                yield f"{indent}count++"
            yield f"{indent}hash.String({quoted(field.key)})"
            kind = field.type
            there = (name if kind.kind == "message" else f"(*{name})") if field.optional else name
            yield from self._hashed(kind, there, depth, pointed=field.optional)
            if field.optional:
                yield "\t}"
        yield "\tentries.End()" if self.unordered else "\thash.Count(count)"
        yield "}\n"

    def _hashed(self, kind: Type, there: str, depth: int, pointed: bool = False) -> Iterator[str]:
        """What hashes the value that is `there`; that is a message's pointer if it is `pointed`."""
        indent = "\t" * depth
        if kind.nullable:
            yield f"{indent}if {there} == nil {{\n{indent}\thash.Nil()\n{indent}}} else {{"
            inner = there if kind.kind == "message" else f"(*{there})"
            yield from self._hashed(kind.given, inner, depth + 1, pointed=True)
            yield f"{indent}}}"
        elif kind.kind == "message":
            yield f"{indent}walk{kind.message}({'' if pointed else '&'}{there}, hash)"
        elif kind.kind == "list":
            yield f"{indent}for i{depth} := range {there} {{"
            yield from self._hashed(kind.inner, f"{there}[i{depth}]", depth + 1)
            yield f"{indent}}}\n{indent}hash.Count(len({there}))"
        elif kind.kind == "map":
            name = f"entries{next(self.maps)}"
            yield f"{indent}{name} := hash.Entries()"
            yield f"{indent}for key, value{depth} := range {there} {{"
            yield f"{indent}\t{name}.Next()\n{indent}\thash.String(key)"
            yield from self._hashed(kind.inner, f"value{depth}", depth + 1)
            yield f"{indent}}}\n{indent}{name}.End()"
        else:
            yield f"{indent}hash.{HASHES[kind.kind].format(there)}"


def held(field: Field) -> Type:
    """The type of a field, which has a pointer for what may be absent as for what may be null."""
    return msgspec.structs.replace(field.type, nullable=field.optional or field.type.nullable)


def type_of(kind: Type) -> str:
    """Go's type."""
    if kind.nullable:
        return f"*{type_of(kind.given)}"
    if kind.kind == "list":
        return f"[]{type_of(kind.inner)}"
    if kind.kind == "map":
        return f"map[string]{type_of(kind.inner)}"
    return kind.message or TYPES[kind.kind]


def maker(kind: Type) -> str:
    """The function that makes the type of a value."""
    if kind.nullable:
        return f"serbench.Pointer({maker(kind.given)})"
    if kind.kind in ("list", "map"):
        return f"serbench.{'List' if kind.kind == 'list' else 'Members'}({maker(kind.inner)})"
    if kind.kind == "message":
        return f"plain{kind.message}"
    named = {"bool": "Bool", "string": "Text", "double": "Double"}.get(kind.kind)
    return f"serbench.{named or f'Integer[{TYPES[kind.kind]}]'}"


def pascal(name: str) -> str:
    """A name that is visible outside of its package, as libraries need it."""
    return "".join(word.capitalize() for word in name.split("_"))


def _tags(field: Field, place: str) -> str:
    if not field.key or not all(_may_be_tag(each) for each in field.key):
        raise BuildFailed(f"{place}: no tag of a struct's field can have this key", unsupported=True)
    options = ",omitempty" if field.optional else "," if field.key == "-" else ""
    return " ".join(f'{tag}:"{field.key}{options}"' for tag in TAGS)


def _may_be_tag(each: str) -> bool:
    category = unicodedata.category(each)
    return each in _PUNCTUATION or category.startswith("L") or category == "Nd"


def quoted(text: str) -> str:
    """A string of Go: what is no plain ASCII as its bytes."""
    plain = (byte for byte in text.encode())
    shown = "".join(chr(x) if 32 <= x < 127 and x not in b'"\\' else f"\\x{x:02x}" for x in plain)
    return f'"{shown}"'


if __name__ == "__main__":
    try:
        sys.stdout.write(emit(msgspec.json.decode(sys.stdin.buffer.read(), type=Schema)))
    except BuildFailed as error:
        sys.exit(error.reason)
