"""Random documents from a grammar of schemas: those of one call have one schema, with all that it may say."""

import random
from collections.abc import Callable
from typing import Any

KEYS = [
    *("class", "Type", "self", "end", "begin", "args", "map", "list", "hash", "optional", "null", "root"),
    *(
        "a",
        "A",
        "a_b",
        "aB",
        "a-b",
        "A B",
        "a__b",
        "id",
        "ID",
        "iD2",
        "2id",
        "",
        "é",
        "日本",
        '"',
        "\\",
        "x\0y",
    ),
    *("screen_name", "screenName", "HTTPServer", "value", "key", "items", "message", "Document", "Record"),
    *("\n", "$ref", "// */", "'", "`${x}`", "#", "}", "option", "required", "default", "union", "f1", "_"),
]
TEXTS = ["", "x", "a\0b", "café", "日本", "\U0001f600", '"\\/', "null", "x" * 300]
INTEGERS = [(0, 3), (0, 2**32 - 1), (-(2**31), 2**31 - 1), (-(2**63), 2**63 - 1), (0, 2**64 - 1)]
Make = Callable[[], Any]


def documents(seed: int) -> list[Any]:
    """One to four documents of the schema with this number."""
    generator = random.Random(seed)
    make = _object(generator, 0) if generator.random() < 0.8 else _place(generator, 0)
    return [make() for _ in range(generator.randint(1, 4))]


def _place(generator: random.Random, depth: int) -> Make:
    make = _kind(generator, depth)
    if generator.random() < 0.2:
        return lambda: None if generator.random() < 0.3 else make()
    return make


def _kind(generator: random.Random, depth: int) -> Make:
    kinds = [_scalar] * 4 if depth > 3 else [_scalar, _scalar, _scalar, _list, _object, _object, _map]
    return generator.choice(kinds)(generator, depth)


def _scalar(generator: random.Random, depth: int) -> Make:
    low, high = generator.choice(INTEGERS)
    return generator.choice(
        [
            lambda: generator.randint(low, high),
            lambda: generator.choice([-0.0, 1e300, 3, 0.1, 5e-324, generator.random()]),
            lambda: generator.choice(TEXTS),
            lambda: generator.random() < 0.5,
            lambda: None,
        ]
    )


def _list(generator: random.Random, depth: int) -> Make:
    make = _place(generator, depth + 1)
    return lambda: [make() for _ in range(generator.choice([0, 1, 3]))]


def _object(generator: random.Random, depth: int) -> Make:
    keys = generator.sample(KEYS, generator.randint(0, 7))
    fields = [(key, _place(generator, depth + 1), generator.random() < 0.25) for key in keys]
    return lambda: {key: make() for key, make, may in fields if not may or generator.random() < 0.6}


def _map(generator: random.Random, depth: int) -> Make:
    make = _place(generator, depth + 2)
    return lambda: {f"id {generator.randrange(10**9)}": make() for _ in range(generator.choice([0, 40]))}
