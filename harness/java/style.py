"""What a library wants of the classes that are made from a schema: a contender's schema.toml.

In an annotation `{key}` stands for a field's key, `{keys}` for those of all fields of the class.

- `class`, `implements`: annotations above each class, and the interface that each implements;
- `field`: annotations of a field; `optional`, `nullable`: those of one that may be absent or null, if others;
- `map`: the type of a map, where `{}` stands for its values;
- `both`: the type of a field that may be absent and may be null, where `{}` stands for its values;
- `names`: whether fields have the "keys" as their names, as a library has it that knows no other;
- `processors`: classes of its jars that process annotations when the classes are compiled;
- `package`: where the classes are, for a library that takes none of the package without a name;
- `[[refuse]]`: a `construct` that the library cannot take, the `reason`, and the `test` if it is only one.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from serbench.build.records import BuildFailed
from serbench.schemas.model import Field, Schema, Type

FILE = "schema.toml"
JACKSON = "com.fasterxml.jackson.annotation"
Construct = Literal[
    "absent",
    "both",
    "mixed",
    "no-name",
    "empty-key",
    "no-fields",
    "list-in-list",
    "deep-list",
    "null-in-map",
    "uint64",
]
"""A field that may be absent; one that may be absent and null; one that may be absent in data where others
may be null; one whose key is no name in Java; one whose key is empty; an object that is always empty; a list
or map in a list; lists or maps in each other, more than three deep; a map that may have nulls; an integer of
64 bits without a sign."""
KEYWORDS = frozenset(
    """_ abstract assert boolean break byte case catch char class const continue default do double else enum
    extends false final finally float for goto if implements import instanceof int interface long native new
    null package private protected public return short static strictfp super switch synchronized this throw
    throws transient true try void volatile while""".split()  # noqa: SIM905
)
MOST_LEVELS = 3
NO_NAME = "its key is no name for a field in Java, and the library knows no other"
NO_BOTH = "it may be absent and may be null, which a field of a class cannot tell apart"


class Refused(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a library cannot take."""

    construct: Construct
    reason: str
    test: str = ""


class Style(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What stands in a contender's schema.toml."""

    above: str = msgspec.field(default="", name="class")
    implements: str = ""
    field: str = ""
    optional: str = ""
    nullable: str = ""
    map: str = "Map<String, {}>"
    both: str = ""
    names: Literal["", "keys"] = ""
    processors: list[str] = []
    package: Annotated[str, msgspec.Meta(pattern="^[a-z]*$")] = ""
    refuse: list[Refused] = []

    def of(self, field: Field) -> str:
        """The annotations of a field."""
        if field.optional:
            return self.optional or self.field
        return (self.nullable if field.type.nullable else "") or self.field


_IF_THERE = f"@{JACKSON}.JsonInclude({JACKSON}.JsonInclude.Include.NON_NULL)"
USUAL = Style(
    above=f"@{JACKSON}.JsonPropertyOrder({{{{keys}}}})",
    field=f"@{JACKSON}.JsonProperty({{key}})",
    optional=f"@{JACKSON}.JsonProperty({{key}}) {_IF_THERE}",
    both="java.util.Optional<{}>",
    refuse=[Refused(construct="empty-key", reason="to the annotation the empty key is none")],
)
"""That of Jackson, which a contender without schema.toml has."""


def style_of(folder: Path) -> Style:
    """The style that the contender in `folder` states. Raises BuildFailed."""
    file = folder / FILE
    try:
        return msgspec.convert(tomllib.loads(file.read_text("utf-8")), Style) if file.exists() else USUAL
    except (OSError, ValueError) as error:  # msgspec's and tomllib's errors are ValueErrors.
        raise BuildFailed(f"what {folder.name} wants of a schema cannot be read: {error}") from error


def refuse(schema: Schema, style: Style, test: str) -> None:
    """Raise BuildFailed, with the place, where the data have what a test of the library cannot take."""
    refused = [] if style.both else [Refused(construct="both", reason=NO_BOTH)]
    refused += [Refused(construct="no-name", reason=NO_NAME)] if style.names else []
    for each in [*style.refuse, *refused]:
        place = next(_having(schema, each.construct), None)
        if place is not None and each.test in ("", test):
            raise BuildFailed(f"{place}: {each.reason}", unsupported=True)


def has_null(schema: Schema) -> Iterator[str]:
    """The places of an object's members that may be null."""
    for place, kind, _ in schema.places():
        if kind.nullable and place != "the root" and not place.endswith("[]"):
            yield place
    yield from _having(schema, "null-in-map")


def _having(schema: Schema, construct: Construct) -> Iterator[str]:
    """The places with the construct."""
    if construct == "uint64":
        yield from (place for place, kind, _ in schema.places() if kind.kind == "uint64")
    elif construct == "null-in-map":
        maps = ((place, kind) for place, kind, _ in schema.places() if kind.kind == "map")
        yield from (place for place, kind in maps if kind.inner.nullable)
    elif construct == "list-in-list":
        lists = ((place, kind) for place, kind, _ in schema.places() if kind.kind == "list")
        yield from (place for place, kind in lists if kind.inner.of is not None)
    elif construct == "deep-list":
        yield from (place for place, kind, _ in schema.places() if _levels(kind) > MOST_LEVELS)
    elif construct == "no-fields":
        yield from (message.name for message in schema.messages if not message.fields)
    else:
        mixed = construct == "mixed" and any(has_null(schema))
        for message in schema.messages:
            for field in message.fields:
                has = {
                    "absent": field.optional,
                    "both": field.optional and field.type.nullable,
                    "mixed": field.optional and mixed,
                    "no-name": not _is_name(field.key),
                    "empty-key": not field.key,
                }
                if has[construct]:
                    yield f"{message.name}.{field.key}"


def _levels(kind: Type) -> int:
    """How deep lists and maps are in each other."""
    return 0 if kind.of is None else 1 + _levels(kind.of)


def _is_name(key: str) -> bool:
    return re.fullmatch(r"[A-Za-z_$][A-Za-z0-9_$]*", key) is not None and key not in KEYWORDS
