"""The schema as a user reads and corrects it: a small TOML file, described in docs/schemas.md."""

import re
import tomllib
from typing import Any

from serbench.errors import UserError, shortened
from serbench.schemas.model import SCALARS, Field, Message, Schema, Type
from serbench.schemas.names import collapsed, field_name

_TOKEN = re.compile(r"\s*(optional\b|[A-Za-z_][A-Za-z0-9_]*|[<>|])")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def write(schema: Schema) -> str:
    """The schema as TOML."""
    lines = [f"root = {_quoted(shown(schema.root))}"]
    if schema.always_null:
        lines.insert(0, "# Always null or empty, so that the data tell no type:")
        lines[1:1] = [f"#   {_quoted(path)}" for path in schema.always_null]
    for message in reversed(schema.messages):
        lines += ["", f"[{message.name}]"]
        for field in message.fields:
            kind = shown(field.type)
            lines.append(f"{_quoted(field.key)} = {_quoted(f'optional {kind}' if field.optional else kind)}")
    return "\n".join(lines) + "\n"


def shown(kind: Type) -> str:
    """The type in words: `list<double> | null`."""
    text = kind.message or kind.kind
    if kind.of is not None:
        text = f"{kind.kind}<{shown(kind.of)}>"
    return f"{text} | null" if kind.nullable else text


def read(text: str, source: str) -> Schema:
    """The schema in `text`, which came from the file `source`. Raises UserError with the place."""
    try:
        tables: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{source}: {error}") from error
    root = tables.pop("root", None)
    names = {name for name, table in tables.items() if isinstance(table, dict)}
    if not isinstance(root, str) or names != set(tables):
        raise UserError(f"{source}: a schema has a text 'root' and a table for each message")
    messages = {name: _message(name, table, names, source) for name, table in tables.items()}
    root_type = _parsed(root, names, f"{source}: root")[0]
    return Schema(root=root_type, messages=_sorted(root_type, messages, source))


def _message(name: str, table: dict[str, Any], names: set[str], source: str) -> Message:
    if not re.fullmatch(r"[A-Z][A-Za-z0-9]{0,99}", name):
        raise UserError(f"{source}: the message '{shortened(name)}' needs a name of letters and digits")
    taken: set[str] = set()
    fields: list[Field] = []
    for key, text in table.items():
        place = f"{source}: {name}.{shortened(key)}"
        if not isinstance(text, str):
            raise UserError(f"{place}: its type is a text such as 'optional list<string> | null'")
        kind, optional = _parsed(text, names, place)
        fields.append(Field(key=key, name=field_name(key, taken), type=kind, optional=optional))
    return Message(name=name, fields=fields)


def _parsed(text: str, names: set[str], place: str) -> tuple[Type, bool]:
    tokens, at = [], 0
    while text[at:].strip():
        found = _TOKEN.match(text, at)
        if found is None:
            raise UserError(f"{place}: '{shortened(text)}' is no type")
        tokens.append(found[1])
        at = found.end()
    optional = tokens[:1] == ["optional"]
    tokens = tokens[optional:][::-1]

    def need(token: str) -> None:
        if not tokens or tokens.pop() != token:
            raise UserError(f"{place}: '{shortened(text)}' is no type: '{token}' is missing")

    def one() -> Type:
        name = tokens.pop() if tokens else ""
        if name in ("list", "map"):
            need("<")
            kind = Type(kind="list" if name == "list" else "map", of=one())
            need(">")
        elif name in SCALARS:
            kind = Type(kind=next(each for each in SCALARS if each == name))
        elif name in names:
            kind = Type(kind="message", message=name)
        else:
            raise UserError(f"{place}: there is no type or message '{shortened(name)}'")
        if tokens[-1:] == ["|"]:
            tokens.pop()
            need("null")
            return Type(kind=kind.kind, message=kind.message, of=kind.of, nullable=True)
        return kind

    kind = one()
    if tokens:
        raise UserError(f"{place}: '{shortened(text)}' is no type: it ends with '{tokens[0]}'")
    return kind, optional


def _sorted(root: Type, messages: dict[str, Message], source: str) -> list[Message]:
    """The messages that are used, each before those that use it. Raises UserError if one contains itself."""
    made: dict[str, Message] = {}
    seen: set[str] = set()
    stack: list[tuple[str, bool]] = [(name, False) for name in _used(root)]
    while stack:
        name, done = stack.pop()
        if done:
            made[name] = messages[name]
        elif name not in seen:
            seen.add(name)
            stack.append((name, True))
            inner = [each for field in messages[name].fields for each in _used(field.type)]
            stack += [(each, False) for each in reversed(inner) if each not in made]
    known = {collapsed(name) for name in made}
    if len(known) < len(made):
        raise UserError(f"{source}: two messages differ in case alone")
    place = {name: number for number, name in enumerate(made)}
    for name, message in made.items():
        for each in (used for field in message.fields for used in _used(field.type)):
            if place[each] >= place[name]:
                raise UserError(f"{source}: the message {name} contains itself")
    return list(made.values())


def _used(kind: Type) -> list[str]:
    return [kind.message] if kind.message else _used(kind.of) if kind.of else []


def _quoted(text: str) -> str:
    def one(character: str) -> str:
        code = ord(character)
        plain = code >= 0x20 and code != 0x7F
        return _ESCAPES.get(character) or (character if plain else f"\\u{code:04x}")

    return f'"{"".join(map(one, text))}"'
