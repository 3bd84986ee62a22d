"""The order of keys: one for all objects of a place, and documents whose objects have it."""

import heapq
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from serbench.schemas.model import Schema, Type


def order_of(lists: Sequence[Sequence[str]]) -> list[str]:
    """All keys of `lists` in one order: that of each list as far as they agree, else of first appearance."""
    distinct = list(dict.fromkeys(map(tuple, lists)))
    first: dict[str, int] = {}
    for keys in distinct:
        for key in keys:
            first.setdefault(key, len(first))
    after: dict[str, set[str]] = {key: set() for key in first}
    before = dict.fromkeys(first, 0)
    for keys in distinct:
        for one, next_ in pairwise(keys):
            if next_ not in after[one]:
                after[one].add(next_)
                before[next_] += 1
    ready = [(first[key], key) for key, count in before.items() if not count]
    heapq.heapify(ready)
    waiting = dict.fromkeys(first)  # in the order of their first appearance
    order: list[str] = []
    while waiting:
        key = heapq.heappop(ready)[1] if ready else next(iter(waiting))
        if key not in waiting:
            continue
        del waiting[key]
        order.append(key)
        for each in after[key]:
            before[each] -= 1
            if not before[each]:
                heapq.heappush(ready, (first[each], each))
    return order


def ordered(schema: Schema, document: Any) -> tuple[Any, bool]:
    """The document with the keys of each message in the order of its fields, and whether that changed it."""
    places = {message.name: ({f.key: f.type for f in message.fields}) for message in schema.messages}
    changed = False

    def one(kind: Type, value: Any) -> Any:
        nonlocal changed
        if value is None or kind.kind not in ("message", "list", "map"):
            return value
        if kind.kind == "list":
            return [one(kind.inner, each) for each in value]
        if kind.kind == "map":
            return {key: one(kind.inner, each) for key, each in value.items()}
        fields = places[kind.message]
        made = {key: one(each, value[key]) for key, each in fields.items() if key in value}
        changed = changed or list(made) != list(value)
        return made

    return one(schema.root, document), changed
