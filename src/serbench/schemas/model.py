"""The neutral schema: messages with fields, as a schema's author would write them for some data.

A build program reads it as JSON (`load`); its records are the fields of that JSON one to one.
docs/schemas.md describes it for users.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from serbench.schemas.names import collapsed, message_name

Kind = Literal[
    "bool", "int32", "uint32", "int64", "uint64", "double", "float", "string", "message", "list", "map"
]
Role = Literal["", "root", "entry", "list", "null"]
SCALARS: tuple[Kind, ...] = ("bool", "int32", "uint32", "int64", "uint64", "double", "string")
INTEGERS: dict[Kind, tuple[int, int]] = {
    "uint32": (0, 2**32 - 1),
    "int32": (-(2**31), 2**31 - 1),
    "int64": (-(2**63), 2**63 - 1),
    "uint64": (0, 2**64 - 1),
}
"""The integers that each kind holds; a place gets the first that holds all of its own."""
EXACT: dict[Kind, int] = {"double": 2**53, "float": 2**24}
"""Integers up to here are of this kind without a loss. Only the data of `:float32` have floats."""


class Type(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What stands in one place."""

    kind: Kind
    message: str = ""
    """The name of the message, of one."""
    of: "Type | None" = None
    """What a list or a map has in it; the keys of a map are strings, in an order that counts."""
    nullable: bool = False
    """Whether null may stand there."""

    @property
    def inner(self) -> "Type":
        """What a list or a map has in it."""
        assert self.of is not None
        return self.of

    @property
    def given(self) -> "Type":
        """The type of what is not null."""
        return msgspec.structs.replace(self, nullable=False)


class Field(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A field of a message; its number is its place, from 1."""

    key: str
    """As in the data: any string."""
    name: str
    """As code names it: lower case with underscores, no language's keyword, and unique in its message
    even without underscores and case."""
    type: Type
    optional: bool = False
    """Whether the key may be absent."""


class Message(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A message: its keys come in the order of its fields."""

    name: str
    """In PascalCase, unique in the schema whatever the case, and no common type of a language."""
    fields: list[Field]
    role: Role = ""
    """What it stands for, if the data have no such object: serbench.schemas.lower."""


class Schema(msgspec.Struct, frozen=True, kw_only=True):
    """The schema of a dataset."""

    root: Type
    messages: list[Message]
    """Each before those that use it: the root's comes last."""
    always_null: list[str] = []
    """Places of which the data tell no type, because they are always null or empty: a string is assumed."""

    @property
    def by_name(self) -> dict[str, Message]:
        """The messages by their names."""
        return {message.name: message for message in self.messages}

    def rooted(self) -> "Schema":
        """The schema for formats whose root is a message: another root becomes the field `value` of one."""
        if self.root.kind == "message" and not self.root.nullable:
            return self
        taken = {collapsed(message.name) for message in self.messages}
        name = message_name("Document", taken)
        wrapper = Message(name=name, fields=[Field(key="", name="value", type=self.root)], role="root")
        return msgspec.structs.replace(
            self, root=Type(kind="message", message=name), messages=[*self.messages, wrapper]
        )

    @property
    def fields(self) -> int:
        """The number of fields of all messages."""
        return sum(len(message.fields) for message in self.messages)

    def places(self) -> Iterator[tuple[str, Type, bool]]:
        """Each place with its path (`Status.user`, `Status.ids[]`), its type, whether it may be absent."""
        yield from _within("the root", self.root, optional=False)
        for message in self.messages:
            for field in message.fields:
                yield from _within(f"{message.name}.{field.key}", field.type, field.optional)


def _within(path: str, kind: Type, optional: bool) -> Iterator[tuple[str, Type, bool]]:
    yield path, kind, optional
    if kind.of is not None:
        yield from _within(f"{path}[]", kind.of, optional=False)


def dump(schema: Schema) -> bytes:
    """The schema as build programs read it."""
    return msgspec.json.encode(schema)


def load(path: Path) -> Schema:
    """The schema in the file at `path`, which serbench wrote."""
    return msgspec.json.decode(path.read_bytes(), type=Schema)
