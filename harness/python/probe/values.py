"""The values that the fidelity probe sends through a library, and what came back of them."""

import base64
import math
import uuid
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal, InvalidOperation
from typing import Any

LONGEST = 60


@dataclass
class Point:
    """What a program may hand over as it is."""

    x: int
    y: float


PROBES: dict[str, Any] = {
    "2**53+1": 2**53 + 1,
    "-2**63": -(2**63),
    "2**64-1": 2**64 - 1,
    "2**64": 2**64,
    "10**100": 10**100,
    "1.0": 1.0,
    "0.1": 0.1,
    "-0.0": -0.0,
    "1e300": 1e300,
    "nan": math.nan,
    "inf": math.inf,
    "-inf": -math.inf,
    "Decimal": Decimal("1.10"),
    "lone surrogate": "a\ud800b",
    "bytes": b"\x00\x01\xff",
    "bytearray": bytearray(b"\x00\x01\xff"),
    "tuple": (1, 2),
    "set": {1, 2},
    "datetime": datetime(2020, 2, 3, 4, 5, 6, 789012),
    "datetime UTC": datetime(2020, 2, 3, 4, 5, 6, 789012, UTC),
    "datetime +02:00": datetime(2020, 2, 3, 4, 5, 6, 789012, timezone(timedelta(hours=2))),
    "date": date(2020, 2, 3),
    "UUID": uuid.UUID(int=2**127 + 1),
    "dataclass": Point(1, 0.5),
    "key 1": {1: "a"},
    "key 1.5": {1.5: "a"},
    "key None": {None: "a"},
    "key True": {True: "a"},
    "key (1, 2)": {(1, 2): "a"},
    "keys 1 and '1'": {1: "a", "1": "b"},
}

_OF_TEXT: dict[type, Callable[[str], Any]] = {
    int: int,
    float: float,
    Decimal: Decimal,
    bytes: lambda text: base64.b64decode(text, validate=True),
    bytearray: lambda text: base64.b64decode(text, validate=True),
    datetime: datetime.fromisoformat,
    date: date.fromisoformat,
    uuid.UUID: uuid.UUID,
    type(None): {"null": None, "None": None}.__getitem__,
    bool: {"true": True, "True": True}.__getitem__,
}
"""How the text of a value is read, by its type."""


def describe(value: Any) -> str:
    """A value in a few words. What a class of a library says of itself may fail."""
    try:
        text = str(value) if isinstance(value, date) else repr(value)
    except Exception:
        text = f"a {type(value).__name__}"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _same_number(expected: float | Decimal, found: Any) -> bool:
    if isinstance(found, bool) or not isinstance(found, int | float | Decimal):
        return False
    if math.isnan(expected):
        return math.isnan(found)
    return found == expected and math.copysign(1, found) == math.copysign(1, expected)


def _same_keys(expected: Mapping[Any, Any], found: Any) -> bool:
    """Whether each key has one alike, with the same text under it."""
    return (
        isinstance(found, Mapping)
        and len(found) == len(expected)
        and all(
            any(alike(key, k) and alike(text, v) for k, v in found.items()) for key, text in expected.items()
        )
    )


def alike(expected: Any, found: Any) -> bool:
    """Whether `found` is the same value, perhaps as another type: its text, or the list of its elements."""
    if isinstance(found, str) and type(expected) in _OF_TEXT:
        try:
            found = _OF_TEXT[type(expected)](found)
        except (ValueError, KeyError, InvalidOperation):
            return False
    if isinstance(expected, datetime) and hasattr(found, "to_datetime"):  # a library's own time stamp
        found = found.to_datetime()
    if isinstance(expected, Point):
        return alike(asdict(expected), asdict(found) if isinstance(found, Point) else found)
    if isinstance(expected, Mapping):
        return _same_keys(expected, found)
    if isinstance(expected, tuple):
        return isinstance(found, list | tuple) and list(found) == list(expected)
    if isinstance(expected, set):
        return isinstance(found, list | tuple | set | frozenset) and sorted(found) == sorted(expected)
    if isinstance(expected, int | float | Decimal) and not isinstance(expected, bool):
        return _same_number(expected, found)
    return bool(found == expected)


def judge(probe: str, decoded: Any) -> dict[str, str]:
    """What became of a value of PROBES, which `decoded` has under the key `value`: a mark and what is found.

    It is the `same` if its type and all that Python shows of it are, another `form` if only the value is.
    """
    expected = PROBES[probe]
    if not isinstance(decoded, Mapping) or "value" not in decoded:
        return {"mark": "changed", "found": describe(decoded)}
    found = decoded["value"]
    if type(found) is type(expected) and repr(found) == repr(expected):
        return {"mark": "same"}
    try:
        same = alike(expected, found)
    except TypeError:  # what cannot be compared or sorted
        same = False
    if not same:
        return {"mark": "changed", "found": describe(found)}
    other = type(found).__name__
    return {"mark": "form", "found": describe(found) if type(found) is type(expected) else other}


def carried_by(expected: Any, found: Any, where: str = "") -> list[dict[str, str]]:
    """What decoded records have beside their data, or lack: other classes, attributes, elements."""
    made = []

    def say(kind: str, what: str) -> None:
        made.append({"kind": kind, "where": where, "what": what})

    if type(found) is not type(expected):
        say("class", type(found).__name__)
    if attributes := ", ".join(getattr(found, "__dict__", {})):
        say("own", attributes)
    if isinstance(expected, dict):
        for key, value in expected.items():
            if key in found:
                made += carried_by(value, found[key], f"{where}.{key}" if where else key)
            else:
                say("missing", f"{key} is not there")
        if extra := ", ".join(str(key) for key in found if key not in expected):
            say("own", extra)
    elif isinstance(expected, list):
        if len(found) != len(expected):
            say("changed", f"{len(found)} elements")
        for value, each in zip(expected, found, strict=False):
            made += carried_by(value, each, f"{where}[]")
    elif found != expected:
        say("changed", f"{describe(expected)} is {describe(found)}")
    return [each for place, each in enumerate(made) if each not in made[:place]]
