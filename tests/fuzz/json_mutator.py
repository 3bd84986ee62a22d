"""Changing one value of a JSON text, so that what comes out is JSON again and gets past the parser."""

import json
from random import Random
from typing import Any

AS_BYTES = 0.2
"""How often the text is left to a mutator of bytes."""
STOP = 0.2
"""How often a container is changed, and not what is in it."""
ODD = (
    *(0, 1, -1, 2**31, 2**53 + 1, 2**62, 2**63, 2**64 - 1, 2**64, -(2**63), -(2**63) - 1, 10**400),
    *(0.5, -0.0, 1e308, 5e-324, 1e-300, True, False, None, "", "\0", "\ud800", "x" * 3000, [], {}, [[]]),
)


def mutated(data: bytes, rng: Random) -> bytes | None:
    """Return `data` with one value of one of its lines changed; None where that is no JSON, or sometimes."""
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    try:
        tree = [json.loads(lines[at])]
    except (ValueError, RecursionError):
        return None
    if rng.random() < AS_BYTES:
        return None
    container, key = _place(tree, rng)
    other, its = _place(tree, rng)
    _change(container, key, other[its], rng)
    if not tree:
        return None
    lines[at] = json.dumps(tree[0], separators=(",", ":")).encode()
    if rng.random() < AS_BYTES:
        lines.insert(rng.randrange(len(lines)), rng.choice(lines))
    return b"\n".join(lines)


def _place(value: Any, rng: Random) -> tuple[Any, Any]:
    """A container inside `value`, which is not empty, and a key or index of it: found by descending."""
    while True:
        key = rng.choice(list(value)) if isinstance(value, dict) else rng.randrange(len(value))
        inner = value[key]
        if not isinstance(inner, dict | list) or not inner or rng.random() < STOP:
            return value, key
        value = inner


def _change(container: Any, key: Any, other: Any, rng: Random) -> None:
    kind = rng.randrange(5)
    if kind == 0:
        del container[key]
    elif kind == 1:
        container[key] = json.loads(json.dumps(other))
    elif kind == 2 and isinstance(container, list):
        container.insert(key, json.loads(json.dumps(container[key])))
    elif kind == 3 and isinstance(container[key], int | float):
        container[key] = rng.choice(
            (container[key] + 1, container[key] - 1, -container[key], container[key] * 1000)
        )
    else:
        container[key] = rng.choice(ODD)
