"""Random documents from a grammar of schemas: those of one call have one schema, with all that it may say."""

import random
from collections.abc import Callable, Sequence
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
WORDS = [key for key in KEYS if key.isascii() and key.isidentifier()]
"""Those that every language can have."""
TEXTS = ["", "x", "a\0b", "café", "日本", "\U0001f600", '"\\/', "null", "x" * 300]
INTEGERS = [(0, 3), (0, 2**32 - 1), (-(2**31), 2**31 - 1), (-(2**63), 2**63 - 1), (0, 2**64 - 1)]
Make = Callable[[], Any]


def documents(seed: int, keys: Sequence[str] = KEYS) -> list[Any]:
    """One to four documents of the schema with this number, whose fields have some of these keys."""
    generator = random.Random(seed)
    grammar = _Grammar(generator, keys)
    make = grammar.object(0) if generator.random() < 0.8 else grammar.place(0)
    return [make() for _ in range(generator.randint(1, 4))]


class _Grammar:
    def __init__(self, generator: random.Random, keys: Sequence[str]) -> None:
        self.generator = generator
        self.keys = keys

    def place(self, depth: int) -> Make:
        make = self._kind(depth)
        if self.generator.random() < 0.2:
            return lambda: None if self.generator.random() < 0.3 else make()
        return make

    def _kind(self, depth: int) -> Make:
        compound = [self._scalar, self._scalar, self._scalar, self._list, self.object, self.object, self._map]
        return self.generator.choice([self._scalar] * 4 if depth > 3 else compound)(depth)

    def _scalar(self, depth: int) -> Make:
        random = self.generator
        low, high = random.choice(INTEGERS)
        return random.choice(
            [
                lambda: random.randint(low, high),
                lambda: random.choice([-0.0, 1e300, 3, 0.1, 5e-324, random.random()]),
                lambda: random.choice(TEXTS),
                lambda: random.random() < 0.5,
                lambda: None,
            ]
        )

    def _list(self, depth: int) -> Make:
        make = self.place(depth + 1)
        return lambda: [make() for _ in range(self.generator.choice([0, 1, 3]))]

    def object(self, depth: int) -> Make:
        random = self.generator
        keys = random.sample(self.keys, random.randint(0, 7))
        fields = [(key, self.place(depth + 1), random.random() < 0.25) for key in keys]
        return lambda: {key: make() for key, make, may in fields if not may or random.random() < 0.6}

    def _map(self, depth: int) -> Make:
        make = self.place(depth + 2)
        return lambda: {
            f"id {self.generator.randrange(10**9)}": make() for _ in range(self.generator.choice([0, 40]))
        }
