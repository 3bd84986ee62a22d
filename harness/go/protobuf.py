"""Writes Go beside the messages that protoc-gen-go makes of a schema, which it reads from standard input.

The structs are those that a program would have. Beside them stand the functions that make them of the value
tree, that fill the messages from them, and that hash every field of a message.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from formats.schemas import proto
from harness.go.plain import PlainStructs, is_named
from harness.go.schema import HASHES, quoted

from serbench.schemas.lower import lower
from serbench.schemas.model import Message, Schema, Type

PROTO = "schema.proto"
_PLUGIN = re.compile(r"^//serbench:protoc (\S+)(?: (\S+))?$", re.MULTILINE)
_METHODS = (
    *("Reset", "String", "ProtoMessage", "Marshal", "Unmarshal"),
    *("ExtensionRangeArray", "ExtensionMap", "Descriptor"),
)
_HEAD = """\
// Code generated from the schema of the data. DO NOT EDIT.

package main

import "serbench"
"""


def plugins(source: str) -> list[tuple[str, str]]:
    """The plugins of protoc that a contender's lines `//serbench:protoc PACKAGE [OPTIONS]` name."""
    return _PLUGIN.findall(source)


def made_by(package: str) -> str:
    """The file that a plugin makes."""
    kind = package.rpartition("-go")[2].lstrip("-")
    return f"schema_{kind}.pb.go" if kind else "schema.pb.go"


def steps(
    compiler: Path, go: Sequence[str], modules: str, folder: str, named: Sequence[tuple[str, str]]
) -> list[list[str]]:
    """Commands that make the plugins, packages of the module in `modules`, and the Go files in `folder`."""
    made, words = [], [str(compiler), f"-I{folder}", PROTO]
    for package, options in named:
        name = package.rpartition("/")[2]
        made.append([*go, "build", "-C", modules, "-o", f"{folder}/{name}", package])
        kind = name.removeprefix("protoc-gen-")
        words += [f"--plugin={name}={folder}/{name}", f"--{kind}_out={folder}"]
        words += [f"--{kind}_opt={options}"] if options else []
    return [*made, words]


def files(schema: Schema) -> dict[str, str]:
    """The texts of the files that a contender's folder gets, of which protoc makes more."""
    text = proto.emit(schema, options=('option go_package = "./;main";',))
    return {PROTO: text, "schema.go": "\n".join([_HEAD, *_Emitter(lower(schema)).lines(), ""])}


class _Emitter(PlainStructs):
    def lines(self) -> Iterator[str]:
        for message in self.schema.messages:
            yield from self.struct(message)
            yield from self._fill(message)
            yield from self._walk(message)
        root = self.messages[self.schema.root.message]
        yield f"// Root is the message of a document.\ntype Root = {root.name}\n"
        yield "// plain makes the struct of a value tree."
        yield f"func plain(tree any) any {{\n\tmade := {self.maker(self.schema.root)}(tree)"
        yield "\treturn &made\n}\n"
        yield "// message fills the message from a struct."
        yield "func message(from any) *Root {"
        yield f"\treturn fill{root.name}(from.(*{self.type_of(self.schema.root)}))\n}}\n"
        yield "// walk hashes every field.\nfunc walk(root *Root, hash *serbench.Hash) {"
        yield f"\twalk{root.name}(root, hash)\n}}"

    def names(self, message: Message) -> list[str]:
        """As protoc-gen-go names them."""
        return _names(message)

    def _fill(self, message: Message) -> Iterator[str]:
        kind = self.type_of(Type(kind="message", message=message.name))
        yield f"func fill{message.name}(from *{kind}) *{message.name} {{\n\tto := &{message.name}{{}}"
        for field, name in zip(message.fields, _names(message), strict=True):
            given = f"from.{name}" if is_named(message) else "(*from)"
            scalar = field.type.kind not in ("message", "list")
            if field.optional and not scalar:
                yield f"\tif {given} != nil {{"
                yield from self._put(field.type, f"to.{name}", f"(*{given})", 2)
                yield "\t}"
            else:
                yield from self._put(field.type, f"to.{name}", given, 1)
        yield "\treturn to\n}\n"

    def _put(self, kind: Type, to: str, given: str, depth: int) -> Iterator[str]:
        """What puts a plain value into the field of a message."""
        indent = "\t" * depth
        inner = kind.of
        if kind.nullable and kind.message:
            yield f"{indent}if {given} != nil {{"
            yield from self._put(kind.given, to, f"(*{given})", depth + 1)
            yield f"{indent}}}"
        elif kind.message:
            yield f"{indent}{to} = fill{kind.message}(&{given})"
        elif inner is not None and inner.message:
            yield f"{indent}{to} = make([]*{inner.message}, len({given}))"
            yield f"{indent}for i := range {given} {{"
            yield f"{indent}\t{to}[i] = fill{inner.message}(&{given}[i])\n{indent}}}"
        else:
            yield f"{indent}{to} = {given}"

    def _walk(self, message: Message) -> Iterator[str]:
        yield f"func walk{message.name}(from *{message.name}, hash *serbench.Hash) {{"
        own = message.role == ""
        if own:
            yield f"\tcount := {sum(not field.optional for field in message.fields)}"
        for field, name in zip(message.fields, _names(message), strict=True):
            depth = 1
            if field.optional:
                yield f"\tif from.{name} != nil {{\n\t\tcount++"
                depth = 2
            indent = "\t" * depth
            if own:
                yield f"{indent}hash.String({quoted(field.key)})"
            if field.type.nullable:
                yield f"{indent}if from.{name} == nil {{\n{indent}\thash.Nil()\n{indent}}} else {{"
                yield from self._hashed(field.type, f"from.Get{name}()", depth + 1)
                yield f"{indent}}}"
            else:
                yield from self._hashed(field.type, f"from.Get{name}()", depth)
            if field.optional:
                yield "\t}"
        yield "\thash.Count(count)\n}\n" if own else "}\n"

    def _hashed(self, kind: Type, there: str, depth: int) -> Iterator[str]:
        indent = "\t" * depth
        if kind.of is not None:
            yield f"{indent}for _, each := range {there} {{"
            yield from self._hashed(kind.of, "each", depth + 1)
            yield f"{indent}}}\n{indent}hash.Count(len({there}))"
        elif kind.message:
            yield f"{indent}walk{kind.message}({there}, hash)"
        else:
            yield f"{indent}hash.{HASHES[kind.kind].format(there)}"


def _names(message: Message) -> list[str]:
    """How protoc-gen-go names the fields: in camel case, with a _ behind what is a method."""
    used = dict.fromkeys(_METHODS, True)
    names = []
    for field in message.fields:
        name = _camel(field.name)
        while name in used or used.get(f"Get{name}"):
            name += "_"
        used |= {name: True, f"Get{name}": True}
        names.append(name)
    return names


def _camel(name: str) -> str:
    joined = re.sub(r"_([a-z])", lambda found: found[1].upper(), name)
    return re.sub(r"(^|[0-9])([a-z])", lambda found: found[1] + found[2].upper(), joined)


if __name__ == "__main__":
    sys.stdout.write(files(msgspec.json.decode(sys.stdin.buffer.read(), type=Schema))["schema.go"])
