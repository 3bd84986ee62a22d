"""What simpleion.loads makes of the bytes: values of its own classes."""

from collections.abc import Mapping
from typing import Any

from amazon.ion.core import IonType
from amazon.ion.simpleion import loads as read

__all__ = ["read", "walk"]


def walk(value: Any, hash: Any) -> None:
    """A null and a bool are no None and no bool there."""
    kind = value.ion_type
    if isinstance(value, Mapping):
        count = 0
        for key, item in value.items():
            hash.value(key)
            walk(item, hash)
            count += 1
        hash.count(count)
    elif kind is IonType.LIST:
        for item in value:
            walk(item, hash)
        hash.count(len(value))
    elif kind is IonType.NULL:
        hash.value(None)
    elif kind is IonType.BOOL:
        hash.value(bool(value))
    else:
        hash.value(value)
