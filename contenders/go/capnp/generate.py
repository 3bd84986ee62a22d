"""Plans capnpc-go's code for a schema; writes plain structs, what fills its structs, and what hashes them."""

from collections.abc import Iterator

import msgspec
from formats.schemas import capnp
from harness.go.plain import PlainStructs, indented, is_named
from harness.go.schema import HASHES, quoted

from serbench.build.contract import OUT, Recipe, Request
from serbench.provision.providers.gomod import go_command
from serbench.provision.toolchain import need
from serbench.schemas.generator import files_recipe, program
from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Message, Schema, Type

MODULE = "capnproto.org/go/capnp/v3"
HEADER = ('using Go = import "/go.capnp";', '$Go.package("main");', '$Go.import("contender");')
_METHODS = (
    *("DecodeFromPtr", "EncodeAsPtr", "Future", "IsValid", "Message", "Segment", "String", "Struct"),
    *("ToPtr", "Which"),
)
"""Every struct has them."""
_HEAD = f"""\
// Code generated from the schema of the data. DO NOT EDIT.

package main

import (
	"{MODULE}"

	"serbench"
)
"""


def recipe(schema: Schema, request: Request) -> Recipe:
    """With the distribution's compiler, and its plugin of the module, which is built first."""
    assert request.library is not None
    named = _named(lower(schema))
    files = {"data.capnp": capnp.emit(named, HEADER), "schema.go": emit(named)}
    go = go_command(need(request.root, request.cache, ["go"], "go"), request.cache, {})
    plugin = f"{OUT}/capnpc-go"
    imports = request.cache.absolute() / "go-modules" / f"{MODULE}@v{request.library.version}" / "std"
    steps = [
        [*go, "build", "-C", str(request.folder), "-o", plugin, f"{MODULE}/capnpc-go"],
        [program(request, "capnp"), "compile", f"-I{imports}", f"-o{plugin}:{OUT}"],
    ]
    steps[-1] += [f"--src-prefix={OUT}", f"{OUT}/data.capnp"]
    return files_recipe(request, files, steps, ["data.capnp.go"])


def emit(schema: Schema) -> str:
    """The text of a file of package main."""
    return "\n".join([_HEAD, *_Emitter(schema).lines(), ""])


def _named(schema: Schema) -> Schema:
    """A lowered schema with names of which capnpc-go makes no function and no method twice."""
    names = {message.name: _struct_name(message.name) for message in schema.messages}

    def typed(kind: Type) -> Type:
        of = kind.of and typed(kind.of)
        return msgspec.structs.replace(kind, message=names.get(kind.message, ""), of=of)

    messages = []
    for message in schema.messages:
        taken, fields = set(_METHODS), []
        for field in message.fields:
            name = field.name
            while not taken.isdisjoint(_methods(name)):
                name = f"{name}_value"
            taken |= _methods(name)
            fields.append(msgspec.structs.replace(field, name=name, type=typed(field.type)))
        messages.append(msgspec.structs.replace(message, name=names[message.name], fields=fields))
    return msgspec.structs.replace(schema, root=typed(schema.root), messages=messages)


def _struct_name(name: str) -> str:
    """Not as the functions that make and read a struct begin."""
    return f"The{name}" if name.startswith(("New", "Root", "ReadRoot", "The")) else name


def _methods(name: str) -> set[str]:
    """What a field may have."""
    go = _go(name)
    return {go, f"Has{go}", f"Set{go}", f"New{go}", f"{go}Bytes"}


def _go(name: str) -> str:
    return capnp.pascal(name)


class _Emitter(PlainStructs):
    def lines(self) -> Iterator[str]:
        for message in self.schema.messages:
            yield from self.struct(message)
            yield from self._pack(message)
            yield from self._walk(message)
        root = self.schema.root
        name = root.message
        yield f"func plain(tree any) any {{\n\tmade := {self.maker(root)}(tree)\n\treturn &made\n}}\n"
        yield f"func packRoot(segment *capnp.Segment, from any) error {{\n\tto, err := NewRoot{name}(segment)"
        yield from indented(_CHECKED)
        yield f"\treturn pack{name}(to, from.(*{self.type_of(root)}))\n}}\n"
        yield "func walkRoot(message *capnp.Message, hash *serbench.Hash) error {"
        yield f"\troot, err := ReadRoot{name}(message)"
        yield from indented(_CHECKED)
        yield f"\treturn walk{name}(root, hash)\n}}"

    def names(self, message: Message) -> list[str]:
        """As capnpc-go names them."""
        return [_go(field.name) for field in message.fields]

    def _pack(self, message: Message) -> Iterator[str]:
        kind = self.type_of(Type(kind="message", message=message.name))
        yield f"func pack{message.name}(to {message.name}, from *{kind}) error {{"
        pointers = 0
        for field, name in zip(message.fields, self.names(message), strict=True):
            given = f"from.{name}" if is_named(message) else "(*from)"
            if not _may_lack(field):
                yield from indented(_set(field, name, given, f"&{given}"))
            elif field.type.kind == "string":
                # The setter makes null of an empty text.
                line = _try(f"capnp.Struct(to).SetNewText({pointers}, *{given})")
                yield from indented([f"if {given} != nil {{", *indented(line), "}"])
            else:
                yield from indented(
                    [f"if {given} != nil {{", *indented(_set(field, name, f"*{given}", given)), "}"]
                )
            pointers += field.type.kind in ("list", "message", "string")
        yield "\treturn nil\n}\n"

    def _walk(self, message: Message) -> Iterator[str]:
        """The keys and values in their order, then their number; of one with a role only the values."""
        yield f"func walk{message.name}(from {message.name}, hash *serbench.Hash) error {{"
        own = not message.role
        if own:
            yield f"\tcount := {sum(not field.optional for field in message.fields)}"
        for field, name in zip(message.fields, self.names(message), strict=True):
            key = [f"hash.String({quoted(field.key)})"] if own else []
            value, there = f"from.{name}()", f"from.Has{name}()"
            if capnp.has_union(field):
                given = f"{message.name}_{capnp.camel(field.name)}_Which_given"
                value, there = f"{value}.Given()", f"{value}.Which() == {given}"
            lines = _hashed(field.type, value, name)
            if field.optional:
                yield from indented([f"if {there} {{", *indented([*key, *lines, "count++"]), "}"])
            elif field.type.nullable:
                yield from indented(
                    [*key, f"if {there} {{", *indented(lines), "} else {", "\thash.Nil()", "}"]
                )
            else:
                yield from indented([*key, *lines])
        yield "\thash.Count(count)\n\treturn nil\n}\n" if own else "\treturn nil\n}\n"


_CHECKED = ["if err != nil {", "\treturn err", "}"]


def _try(call: str) -> list[str]:
    return [f"if err := {call}; err != nil {{", "\treturn err", "}"]


def _set(field: Field, name: str, given: str, pointer: str) -> list[str]:
    """What sets a field to what is `given`, to which there is a `pointer`."""
    kind = field.type.of
    if kind is not None:
        item = f"items{name}"
        lines = [f"{item}, err := to.New{name}(int32(len({given})))", *_CHECKED]
        if kind.message:
            each = _try(f"pack{kind.message}({item}.At(i), &{given}[i])")
            return [*lines, f"for i := range {given} {{", *indented(each), "}"]
        put = f"{item}.Set(i, each)"
        return [
            *lines,
            f"for i, each := range {given} {{",
            *indented(_try(put) if kind.kind == "string" else [put]),
            "}",
        ]
    if field.type.message:
        made = [f"made{name}, err := to.New{name}()", *_CHECKED]
        return [*made, *_try(f"pack{field.type.message}(made{name}, {pointer})")]
    if field.type.kind == "string":
        return _try(f"to.Set{name}({given})")
    return [f"to.{name}().SetGiven({given})" if capnp.has_union(field) else f"to.Set{name}({given})"]


def _hashed(kind: Type, value: str, name: str) -> list[str]:
    """What hashes a field, which is there."""
    if kind.of is not None:
        item = f"items{name}"
        lines = [f"{item}, err := {value}", *_CHECKED, f"for i := range {item}.Len() {{"]
        if kind.of.message:
            lines += indented(_try(f"walk{kind.of.message}({item}.At(i), hash)"))
        elif kind.of.kind == "string":
            lines += indented([f"text, err := {item}.BytesAt(i)", *_CHECKED, "hash.Bytes(text)"])
        else:
            lines += indented([f"hash.{HASHES[kind.of.kind].format(f'{item}.At(i)')}"])
        return [*lines, "}", f"hash.Count({item}.Len())"]
    if kind.message:
        return [f"value{name}, err := {value}", *_CHECKED, *_try(f"walk{kind.message}(value{name}, hash)")]
    if kind.kind == "string":
        text = f"text{name}"
        return [f"{text}, err := from.{name}Bytes()", *_CHECKED, f"hash.Bytes({text})"]
    return [f"hash.{HASHES[kind.kind].format(value)}"]


def _may_lack(field: Field) -> bool:
    return field.optional or field.type.nullable
