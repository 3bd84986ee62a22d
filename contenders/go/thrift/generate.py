"""Plans thrift's code for a schema; writes plain structs, what fills its structs, and what hashes these."""

import re
from collections.abc import Iterator

from formats.schemas import thrift
from harness.go.plain import PlainStructs, indented, is_named
from harness.go.schema import HASHES, quoted

from serbench.build.contract import Recipe, Request
from serbench.schemas.model import Message, Schema, Type

PACKAGE = "data"
_HEAD = f"""\
// Code generated from the schema of the data. DO NOT EDIT.

package main

import (
	"contender/{PACKAGE}"
	"serbench"
)
"""


def recipe(schema: Schema, request: Request) -> Recipe:
    """Without the correction of words such as `Url`, so that names follow from the schema's."""
    generator = f"go:package={PACKAGE},ignore_initialisms,skip_remote"
    files = [f"{PACKAGE}/{name}.go" for name in ("data", "data-consts", "GoUnusedProtection__")]
    return thrift.recipe(schema, request, generator, {"schema.go": emit(schema)}, files)


def emit(schema: Schema) -> str:
    """The text of a file of package main."""
    return "\n".join([_HEAD, *_Emitter(thrift.signed(schema)).lines(), ""])


class _Emitter(PlainStructs):
    def lines(self) -> Iterator[str]:
        for message in self.schema.messages:
            yield from self.struct(message)
            yield from self._fill(message)
            yield from self._walk(message)
        root = self.schema.root
        name = _go(root.message)
        yield f"func plain(tree any) any {{\n\tmade := {self.maker(root)}(tree)\n\treturn &made\n}}\n"
        yield f"func newRoot() *{PACKAGE}.{name} {{\n\treturn {PACKAGE}.New{name}()\n}}\n"
        yield f"func fillRoot(from any) *{PACKAGE}.{name} {{"
        yield f"\treturn fill{root.message}(from.(*{self.type_of(root)}))\n}}\n"
        yield f"func walkRoot(root *{PACKAGE}.{name}, hash *serbench.Hash) {{"
        yield f"\twalk{root.message}(root, hash)\n}}"

    def names(self, message: Message) -> list[str]:
        """As thrift names them."""
        return list(map(_go, thrift.names(message)))

    def _fill(self, message: Message) -> Iterator[str]:
        kind = self.type_of(Type(kind="message", message=message.name))
        made = f"{PACKAGE}.{_go(message.name)}"
        yield f"func fill{message.name}(from *{kind}) *{made} {{\n\tto := {PACKAGE}.New{_go(message.name)}()"
        for field, name in zip(message.fields, self.names(message), strict=True):
            given, inner = f"from.{name}" if is_named(message) else "(*from)", field.type.of
            if field.type.message and thrift.may_lack(field):
                yield f"\tif {given} != nil {{\n\t\tto.{name} = fill{field.type.message}({given})\n\t}}"
            elif field.type.message:
                yield f"\tto.{name} = fill{field.type.message}(&{given})"
            elif inner is not None and inner.message:
                yield f"\tto.{name} = make([]*{PACKAGE}.{_go(inner.message)}, len({given}))"
                yield f"\tfor i := range {given} {{"
                yield f"\t\tto.{name}[i] = fill{inner.message}(&{given}[i])\n\t}}"
            else:
                yield f"\tto.{name} = {given}"
        yield "\treturn to\n}\n"

    def _walk(self, message: Message) -> Iterator[str]:
        """The keys and values in their order, then their number; of one with a role only the values."""
        yield f"func walk{message.name}(from *{PACKAGE}.{_go(message.name)}, hash *serbench.Hash) {{"
        own = not message.role
        if own:
            yield f"\tcount := {sum(not field.optional for field in message.fields)}"
        for field, name in zip(message.fields, self.names(message), strict=True):
            there, key = f"from.{name}", [f"hash.String({quoted(field.key)})"] if own else []
            if not thrift.may_lack(field):
                yield from indented([*key, *_hashed(field.type, there)])
                continue
            lines = _hashed(field.type, there if field.type.message else f"*{there}")
            if field.optional:
                yield from indented([f"if {there} != nil {{", *indented(["count++", *key, *lines]), "}"])
            else:
                yield from indented(
                    [*key, f"if {there} == nil {{", "\thash.Nil()", "} else {", *indented(lines), "}"]
                )
        yield "\thash.Count(count)\n}\n" if own else "}\n"


def _hashed(kind: Type, there: str) -> list[str]:
    if kind.of is not None:
        lines = [f"for _, each := range {there} {{", *indented(_hashed(kind.of, "each")), "}"]
        return [*lines, f"hash.Count(len({there}))"]
    if kind.message:
        return [f"walk{kind.message}({there}, hash)"]
    return [f"hash.{HASHES[kind.kind].format(there)}"]


def _go(name: str) -> str:
    """As thrift writes names: with a _ behind those that begin or end as names of its own."""
    camel = re.sub(r"_([a-z])", lambda found: found[1].upper(), name)
    camel = camel[0].upper() + camel[1:]
    begins = camel.startswith("New") and len(camel) > 3
    return f"{camel}_" if begins or camel.endswith(("Args", "Result")) else camel
