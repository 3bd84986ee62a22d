"""The same schema for formats that have messages, repeated fields and presence, and nothing else.

Protocol Buffers, FlatBuffers and Thrift know no list in a list, no map in a given order, no null in a list,
and cannot tell an absent list from an empty one. A message stands there, whose `role` says for what.
"""

import msgspec

from serbench.schemas.model import Field, Message, Role, Schema, Type
from serbench.schemas.names import collapsed, message_name


def lower(schema: Schema, lists: bool = False) -> Schema:
    """Return the schema with a message as its root and fields of two kinds.

    - a scalar or a message, which is optional, nullable or neither, and never both;
    - a list of scalars or of messages, which is always there.

    The messages that are added have a role: `entry` (fields `key` and `value`) stands in a list for a map,
    `list` (field `items`) for the list or map that it has, `null` (field `value`, nullable) for a value or
    null, and `root` (field `value`) for a root that is no message.

    With `lists`, for a format that has lists of anything, null and nothing in the place of each, and any
    root: only `entry` stands for a map, and `null` for what may be absent and null.
    """
    return _Lowering(schema, lists).lowered()


def stands_for(schema: Schema) -> dict[str, Type]:
    """By the name of each message with a role that `lower` adds: the type of what it stands for.

    For an `entry` that is the type of the value.
    """
    lowering = _Lowering(schema, lists=False)
    lowering.lowered()
    found = {name: kind for (_, kind), name in lowering.known.items()}
    return {message.name: found.get(message.name, schema.root) for message in lowering.made if message.role}


class _Lowering:
    def __init__(self, schema: Schema, lists: bool) -> None:
        self.lists = lists
        self.schema = schema if lists else schema.rooted()
        self.taken = {collapsed(message.name) for message in self.schema.messages}
        self.made: list[Message] = []
        self.known: dict[tuple[Role, Type], str] = {}

    def lowered(self) -> Schema:
        for message in self.schema.messages:
            fields = [self._field(field, message.name) for field in message.fields]
            self.made.append(msgspec.structs.replace(message, fields=fields))
        root = self._any_list(self.schema.root, "Document") if self.lists else self.schema.root
        return msgspec.structs.replace(self.schema, root=root, messages=self.made)

    def _field(self, field: Field, place: str) -> Field:
        hint = f"{place}_{field.name}"
        kind = field.type
        if field.optional and kind.nullable:
            kind = self._wrapped("null", kind, hint)
        elif self.lists:
            kind = self._any_list(kind, hint)
        elif kind.of is not None and (field.optional or kind.nullable):
            inner = self._wrapped("list", kind.given, hint)
            kind = msgspec.structs.replace(inner, nullable=kind.nullable)
        elif kind.of is not None:
            kind = self._list(kind, hint)
        return msgspec.structs.replace(field, type=kind)

    def _list(self, kind: Type, hint: str) -> Type:
        """A list or a map that is always there."""
        if kind.kind == "map":
            return Type(kind="list", of=self._wrapped("entry", kind.inner, hint))
        element = kind.inner
        if element.nullable:
            element = self._wrapped("null", element, hint)
        elif element.of is not None:
            element = self._wrapped("list", element, hint)
        return Type(kind="list", of=element)

    def _any_list(self, kind: Type, hint: str) -> Type:
        """A type with lists as they are."""
        if kind.of is None:
            return kind
        is_map = kind.kind == "map"
        inner = self._wrapped("entry", kind.inner, hint) if is_map else self._any_list(kind.inner, hint)
        return Type(kind="list", of=inner, nullable=kind.nullable)

    def _wrapped(self, role: Role, kind: Type, hint: str) -> Type:
        """The message with this role for values of a type, which all places of the type share."""
        name = self.known.get((role, kind))
        if name is None:
            name = message_name(f"{hint}_{role}", self.taken)
            if role == "list":
                fields = [Field(key="", name="items", type=self._list(kind, hint))]
            else:
                value = kind if role == "entry" else msgspec.structs.replace(kind, nullable=True)
                fields = [Field(key="", name="key", type=Type(kind="string"))] if role == "entry" else []
                fields.append(self._field(Field(key="", name="value", type=value), hint))
            self.known[role, kind] = name
            self.made.append(Message(name=name, fields=fields, role=role))
        return Type(kind="message", message=name)
