"""What else can be run: each kind of run is a folder here, found by being there.

The KIND of a folder's __init__.py lists its parts: commands, how it is carried out, what reports say of it.
Each stage asks for the parts that it has a record for; so no other code names a kind, and a folder can be
deleted. Its scripts of the report page are in its folder page/, which page/build.py finds by page/part.mjs.
Modules of a kind import the stages, and no other kind.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")


class Command(NamedTuple):
    """A command of the command line, named as its function is."""

    function: Callable[..., Any]


def found(part: type[T]) -> Iterator[T]:
    """Yield the parts of this type of all kinds, by the names of their folders."""
    for module in pkgutil.iter_modules(__path__):
        for each in importlib.import_module(f"{__name__}.{module.name}").KIND:
            if isinstance(each, part):
                yield each
