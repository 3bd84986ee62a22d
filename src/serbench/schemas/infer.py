"""A schema for documents, as somebody who knows them would write one.

An object is a message, unless its keys are ids: then it is a map. The integers of a place get the narrowest
of four types that holds them, and are doubles where another number of the place is one.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from serbench.errors import UserError, shortened
from serbench.schemas.model import EXACT, INTEGERS, Field, Kind, Message, Schema, Type
from serbench.schemas.names import field_name, message_name
from serbench.schemas.order import order_of

MOST_KEYS = 32
"""An object with more different keys than this may be a map."""
_NAMES: dict[type, str] = {
    **{type(None): "null", bool: "a boolean", int: "an integer", float: "a number"},
    **{str: "a string", list: "an array", dict: "an object"},
}
Value = Any
"""A decoded document: None, bool, int, float, str, a list or a dict by str of such."""


class Inexpressible(UserError):
    """Documents that no schema fits; the text names the place and why."""


def infer(documents: Sequence[Value], decimals: Kind = "double") -> Schema:
    """The schema of `documents`, which all have the same, with decimals of a kind. Raises Inexpressible."""
    return _Inference(decimals).schema(documents)


def _counts(values: Iterable[Value]) -> set[type]:
    return {type(value) for value in values}


class _Inference:
    def __init__(self, decimals: Kind) -> None:
        self.decimals = decimals
        self.messages: list[Message] = []
        self.taken: set[str] = set()
        self.untold: list[str] = []

    def schema(self, documents: Sequence[Value]) -> Schema:
        root = self.type_of(documents, "$", "document")
        return Schema(root=root, messages=self.messages, always_null=self.untold)

    def type_of(self, values: Sequence[Value], path: str, key: str) -> Type:
        """The type of all `values`, which stand at `path`, under `key`."""
        kinds = _counts(values)
        nullable = type(None) in kinds
        kinds.discard(type(None))
        if not kinds:
            self.untold.append(path)
            return Type(kind="string", nullable=nullable)
        if nullable:
            values = [value for value in values if value is not None]
        if kinds == {list}:
            inner = self.type_of([each for value in values for each in value], f"{path}[]", key)
            return Type(kind="list", of=inner, nullable=nullable)
        if kinds == {dict}:
            return self.object_of(values, path, key, nullable)
        if kinds == {str}:
            return Type(kind="string", nullable=nullable)
        if kinds == {bool}:
            return Type(kind="bool", nullable=nullable)
        if kinds == {int}:
            least, most = min(values), max(values)
            for kind, (low, high) in INTEGERS.items():
                if low <= least and most <= high:
                    return Type(kind=kind, nullable=nullable)
            raise Inexpressible(f"{shortened(path)}: its integers ({least} to {most}) need more than 64 bits")
        if kinds <= {int, float}:
            kind, most = self.decimals, EXACT[self.decimals]
            lost = next((v for v in values if type(v) is int and abs(v) > most), None)
            if lost is not None:
                raise Inexpressible(
                    f"{shortened(path)}: no {kind} holds {lost}, which stands beside decimals"
                )
            return Type(kind=kind, nullable=nullable)
        first, second = sorted(_NAMES[kind] for kind in kinds)[:2]
        raise Inexpressible(f"{shortened(path)}: {first} and {second} in the same place")

    def object_of(self, values: Sequence[dict[str, Value]], path: str, key: str, nullable: bool) -> Type:
        if _is_map(values) and (inner := self._values_of(values, path, key)):
            return Type(kind="map", of=inner, nullable=nullable)
        taken: set[str] = set()
        fields: list[Field] = []
        name = message_name(key, self.taken)
        for each in order_of([list(value) for value in values]):
            found = [value[each] for value in values if each in value]
            fields.append(
                Field(
                    key=each,
                    name=field_name(each, taken),
                    type=self.type_of(found, f"{path}.{each}", each),
                    optional=len(found) < len(values),
                )
            )
        self.messages.append(Message(name=name, fields=fields))
        return Type(kind="message", message=name, nullable=nullable)

    def _values_of(self, maps: Sequence[dict[str, Value]], path: str, key: str) -> Type | None:
        """The type of the values of `maps`; None if no single type fits, so that each key needs its own."""
        messages, taken, untold = len(self.messages), set(self.taken), len(self.untold)
        try:
            return self.type_of([each for value in maps for each in value.values()], f"{path}{{}}", key)
        except Inexpressible:
            del self.messages[messages:], self.untold[untold:]
            self.taken = taken
            return None


def _is_map(values: Sequence[dict[str, Value]]) -> bool:
    """Whether the keys are ids: many, and each is rare, or all values are alike."""
    keys: dict[str, int] = {}
    for value in values:
        for key in value:
            keys[key] = keys.get(key, 0) + 1
    if len(keys) <= MOST_KEYS:
        return False
    kinds = _counts(each for value in values for each in value.values()) - {type(None)}
    alike = len(kinds) == 1 or kinds == {int, float}
    return alike and (len(values) == 1 or 2 * max(keys.values()) <= len(values) or _same_keys(values))


def _same_keys(values: Sequence[dict[str, Value]]) -> bool:
    """Whether objects with the same keys inside stand at all of them, so that the keys tell them apart."""
    inside = {tuple(each) if isinstance(each, dict) else () for value in values for each in value.values()}
    return len(inside) == 1 and inside != {()}
