"""A Protocol Buffers schema for a document, as somebody who knows it would write one, and its encoding.

Every object is a message, a list a repeated field, and every scalar the narrowest type that holds it: nothing
generic, since generated structures of a fixed size are what a library for microcontrollers offers. A document
that no such schema fits is refused with the reason.
"""

import struct
from collections.abc import Sequence
from typing import Literal

import msgspec

from serbench.build.contract import Tree
from serbench.errors import Failure
from serbench.platforms.firmware.encodings import narrowed

Kind = Literal["bool", "uint32", "uint64", "sint32", "sint64", "float", "string", "message"]
Presence = Literal["always", "null", "absent"]
_WIRE = {"float": 5, "string": 2, "message": 2}
_DEFAULTS: dict[str, Tree] = {"bool": False, "float": 0.0, "string": ""}


class Inexpressible(Failure):
    """A document that no message fits: a clause that says why."""


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """A field of a message; its number is its place, from 1."""

    key: str
    kind: Kind
    repeated: bool
    presence: Presence
    """What it means if the field is not there: never so, a null, or that the key is not there."""
    message: "Message | None" = None
    longest: int = 0
    """Bytes of the longest string."""
    most: int = 0
    """Elements of the longest list."""


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """A message; that of a root which is no object has one field without a key."""

    fields: list[Field]
    wrapped: bool = False


def schema_of(tree: Tree) -> Message:
    """The schema of a document. Raises Inexpressible."""
    if isinstance(tree, dict):
        return _message([tree])
    return msgspec.structs.replace(_message([{"": tree}]), wrapped=True)


def _message(objects: Sequence[dict[str, Tree]]) -> Message:
    """The message for all `objects`, whose keys must have one order."""
    keys: list[str] = []
    for one in objects:
        at = 0
        for key in one:
            if key not in keys:
                keys.insert(at, key)
            at = keys.index(key) + 1
    for one in objects:
        if [key for key in keys if key in one] != list(one):
            raise Inexpressible("the objects of a list have their keys in different orders")
    return Message(fields=[_field(key, objects) for key in keys])


def _field(key: str, objects: Sequence[dict[str, Tree]]) -> Field:
    values = [one[key] for one in objects if key in one]
    there = [value for value in values if value is not None]
    absent, null = len(values) < len(objects), len(there) < len(values)
    if absent and null:
        raise Inexpressible(
            f"{key!r} is sometimes null and sometimes not there, which a message cannot express"
        )
    presence: Presence = "null" if null else "absent" if absent else "always"
    lists = [value for value in there if isinstance(value, list)]
    if lists and len(lists) < len(there):
        raise Inexpressible(f"{key!r} is sometimes a list and sometimes not")
    if lists and presence != "always" and not all(lists):
        raise Inexpressible(f"{key!r} is sometimes an empty list and sometimes none")
    elements = [element for one in lists for element in one] if lists else there
    if any(element is None or isinstance(element, list) for element in elements):
        raise Inexpressible("a list has lists or nulls in it")
    kind = _kind(elements)
    return Field(
        key=key,
        kind=kind,
        repeated=bool(lists),
        presence=presence,
        message=_message(elements) if kind == "message" else None,
        longest=max((len(element.encode()) for element in elements if isinstance(element, str)), default=0),
        most=max(map(len, lists), default=0),
    )


def _kind(values: Sequence[Tree]) -> Kind:
    """The type of `values`, of which none is null or a list."""
    if all(isinstance(value, bool) for value in values):
        return "bool"
    if all(isinstance(value, str) for value in values):
        return "string"
    if all(isinstance(value, dict) for value in values):
        return "message"
    if any(isinstance(value, bool) or not isinstance(value, int | float) for value in values):
        raise Inexpressible("values of several types have one place")
    whole = [value for value in values if isinstance(value, int)]
    if len(whole) < len(values):
        if any(narrowed(value) != value for value in whole):
            raise Inexpressible("a list of decimals has an integer that no float holds")
        return "float"
    least, largest = min(whole), max(whole)
    if least >= 0:
        return "uint32" if largest < 2**32 else "uint64"
    if largest >= 2**63:
        raise Inexpressible("integers of one place need more than 64 bits")
    return "sint32" if least >= -(2**31) and largest < 2**31 else "sint64"


def encode(schema: Message, tree: Tree) -> bytes:
    """`tree` by its schema, each number as short as it goes and no default written, as in proto3."""
    return _encode(schema, {"": tree} if schema.wrapped else tree)


def _varint(number: int) -> bytes:
    made = bytearray()
    while number > 127:
        made.append(number & 127 | 128)
        number >>= 7
    made.append(number)
    return bytes(made)


def _scalar(field: Field, value: Tree) -> bytes:
    if field.kind == "float":
        return struct.pack("<f", narrowed(value))
    if field.kind == "string":
        text: bytes = value.encode()
        return _varint(len(text)) + text
    if field.kind == "message":
        assert field.message is not None
        inner = _encode(field.message, value)
        return _varint(len(inner)) + inner
    if field.kind.startswith("sint"):
        return _varint(value << 1 if value >= 0 else (-value << 1) - 1)
    return _varint(int(value))


def _encode(message: Message, value: dict[str, Tree]) -> bytes:
    made = b""
    for number, field in enumerate(message.fields, start=1):
        found = value.get(field.key)
        if found is None:
            continue
        wire = _WIRE.get(field.kind, 0)
        tag = _varint(number << 3 | wire)
        if field.repeated and wire != 2:
            packed = b"".join(_scalar(field, element) for element in found)
            made += _varint(number << 3 | 2) + _varint(len(packed)) + packed if found else b""
        elif field.repeated:
            made += b"".join(tag + _scalar(field, element) for element in found)
        elif field.presence != "always" or not _is_default(field, found):
            made += tag + _scalar(field, found)
    return made


def _is_default(field: Field, value: Tree) -> bool:
    if field.kind == "message":
        return False
    if field.kind == "float":
        return not any(struct.pack("<f", narrowed(value)))  # -0 is none
    return bool(value == _DEFAULTS.get(field.kind, 0))


def decode(schema: Message, data: bytes) -> Tree:
    """What `data` holds by the schema. Raises ValueError."""
    found = _decode(schema, data)
    return found[""] if schema.wrapped else found


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, size: int) -> bytes:
        self.at += size
        if self.at > len(self.data):
            raise ValueError("it ends too early")
        return self.data[self.at - size : self.at]

    def varint(self) -> int:
        number = 0
        for shift in range(0, 70, 7):
            byte = self.take(1)[0]
            number |= (byte & 127) << shift
            if byte < 128:
                return number
        raise ValueError("a number is too long")

    @property
    def more(self) -> bool:
        return self.at < len(self.data)


def _decode(message: Message, data: bytes) -> dict[str, Tree]:
    reader = _Reader(data)
    found: dict[int, list[Tree]] = {}
    while reader.more:
        number, wire = divmod(reader.varint(), 8)
        if not 1 <= number <= len(message.fields):
            raise ValueError(f"there is no field {number}")
        field = message.fields[number - 1]
        own = _WIRE.get(field.kind, 0)
        values = found.setdefault(number, [])
        if wire == own:
            values.append(_read(field, reader))
        elif wire == 2 and field.repeated:
            packed = _Reader(reader.take(reader.varint()))
            while packed.more:
                values.append(_read(field, packed))
        else:
            raise ValueError(f"field {number} has wire type {wire}")
    made: dict[str, Tree] = {}
    for number, field in enumerate(message.fields, start=1):
        if number in found:
            made[field.key] = found[number] if field.repeated else found[number][-1]
        elif field.presence == "null":
            made[field.key] = None
        elif field.presence == "always":
            if field.kind == "message" and not field.repeated:
                raise ValueError(f"the message of field {number} is missing")
            made[field.key] = [] if field.repeated else _DEFAULTS.get(field.kind, 0)
    return made


def _read(field: Field, reader: _Reader) -> Tree:
    if field.kind == "float":
        return float(struct.unpack("<f", reader.take(4))[0])
    number = reader.varint()
    if field.kind == "string":
        return reader.take(number).decode()
    if field.kind == "message":
        assert field.message is not None
        return _decode(field.message, reader.take(number))
    if field.kind == "bool":
        return bool(number)
    return number >> 1 ^ -(number & 1) if field.kind.startswith("sint") else number
