"""Writes a schema as Go for Avro: structs with its tags, whose fields are those of the schema for Avro.

The list of a map's entries stands for it, and a pointer to a struct for what may be both absent and null.
"""

import re
from collections.abc import Iterator

from formats.schemas import avsc
from harness.go.schema import HEAD, Emitter, held, maker, pascal, type_of

from serbench.build.records import BuildFailed
from serbench.schemas.lower import lower
from serbench.schemas.model import Message, Schema

_ASKED = re.compile(r"^//serbench:avro$", re.MULTILINE)


def is_asked(source: str) -> bool:
    """Whether a contender's source has the line `//serbench:avro`."""
    return _ASKED.search(source) is not None


def emit(schema: Schema) -> str:
    """The text of a Go file, with the schema for Avro as `avsc`. Raises BuildFailed."""
    if said := avsc.refusal(schema):
        raise BuildFailed(said, unsupported=True)
    # Its names are words, and nothing else in it is Go's quote.
    return "\n".join([HEAD, f"const avsc = `{avsc.emit(schema)}`\n", *_Emitter(schema).lines(), ""])


class _Emitter(Emitter):
    def __init__(self, schema: Schema) -> None:
        super().__init__(lower(schema, lists=True))
        # The library takes no pointer to a list.
        self.pointed = bool(self.schema.root.message) and not self.schema.root.nullable
        self.roles = {message.name: message.role for message in self.schema.messages}

    def _struct(self, message: Message) -> Iterator[str]:
        yield f"type {message.name} struct {{"
        for field, name in zip(message.fields, avsc.names(message), strict=True):
            yield f'\t{pascal(field.name)} {type_of(held(field))} `avro:"{name}"`'
        yield "}\n"

    def _plain(self, message: Message) -> Iterator[str]:
        if not message.role:
            yield from super()._plain(message)
            return
        yield f"func plain{message.name}(tree any) (made {message.name}) {{"
        value = "tree"
        if message.role == "entry":
            yield "\tmember := tree.(serbench.Member)\n\tmade.Key = member.Key"
            value = "member.Value"
        yield f"\tmade.Value = {maker(message.fields[-1].type)}({value})\n\treturn made\n}}\n"

    def _made(self, message: Message, place: int) -> str:
        field = message.fields[place]
        if self.roles.get(field.type.message) != "null":
            return super()._made(message, place)
        return f"serbench.Given({maker(field.type)})"

    def _walk(self, message: Message) -> Iterator[str]:
        if not message.role:
            yield from super()._walk(message)
            return
        yield f"func walk{message.name}(from *{message.name}, hash *serbench.Hash) {{"
        if message.role == "entry":
            yield "\thash.String(from.Key)"
        yield from self._hashed(message.fields[-1].type, "from.Value", 1)
        yield "}\n"
