"""Whether a document follows a schema that a user wrote or corrected."""

from typing import Any

from serbench.errors import UserError, shortened
from serbench.schemas.model import EXACT, INTEGERS, Schema, Type
from serbench.schemas.text import shown


def refuse_other(schema: Schema, documents: list[Any]) -> None:
    """Raise UserError with the first place where a document does not follow the schema."""
    messages = {message.name: {f.key: f for f in message.fields} for message in schema.messages}

    def one(kind: Type, value: Any, path: str) -> None:
        if value is None:
            fits = kind.nullable
        elif kind.kind == "list":
            fits = isinstance(value, list)
        elif kind.kind in ("map", "message"):
            fits = isinstance(value, dict)
        elif kind.kind in EXACT:
            fits = type(value) is float or (type(value) is int and abs(value) <= EXACT[kind.kind])
        elif kind.kind in INTEGERS:
            low, high = INTEGERS[kind.kind]
            fits = type(value) is int and low <= value <= high
        else:
            fits = type(value) is (str if kind.kind == "string" else bool)
        if not fits:
            raise UserError(f"{shortened(path)}: it is not of the schema's type {shown(kind)}")
        if value is None:
            return
        if kind.kind == "list":
            for each in value:
                one(kind.inner, each, f"{path}[]")
        elif kind.kind == "map":
            for each in value.values():
                one(kind.inner, each, f"{path}{{}}")
        elif kind.kind == "message":
            fields = messages[kind.message]
            for key, each in value.items():
                if key not in fields:
                    raise UserError(f"{shortened(path)}.{shortened(key)}: the schema has no such field")
                one(fields[key].type, each, f"{path}.{key}")
            missing = next((k for k, f in fields.items() if not f.optional and k not in value), None)
            if missing is not None:
                raise UserError(
                    f"{shortened(path)}: '{shortened(missing)}' is missing, which is not optional"
                )

    for document in documents:
        one(schema.root, document, "$")
