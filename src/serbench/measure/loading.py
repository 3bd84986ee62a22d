"""How long a program takes to load a library, and how many bytes of the library are installed."""

from collections.abc import Sequence

import msgspec

from serbench.measure.codesize import NotMeasurable
from serbench.provision.process import run

STARTS = 5
"""So often a library is loaded: the first times bring its files into memory, and the least time counts."""


class Loading(msgspec.Struct, frozen=True):
    """What the `load_command` of a row tells."""

    load_ns: int
    """Nanoseconds of loading the library, without the start of its program."""
    installed_bytes: int | None
    """The files of the library and of all that it needs; None for a part of the language."""


def load(command: Sequence[str]) -> Loading:
    """Start `command` STARTS times, and return the answer with the least time. Raises NotMeasurable."""
    found = []
    for _ in range(STARTS):
        done = run(command)
        if not done.ok:
            raise NotMeasurable(done.tail(1) or f"it ended with status {done.status}")
        try:
            found.append(msgspec.json.decode(done.output, type=Loading))
        except msgspec.DecodeError as error:
            raise NotMeasurable(f"its answer cannot be read: {error}") from error
    return min(found, key=lambda each: each.load_ns)
