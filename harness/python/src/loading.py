"""A contender's module, and the functions in it that an iteration calls."""

import importlib.util
from collections.abc import Sequence
from types import ModuleType
from typing import Any

RECURSION = 20_000
"""Python 3.11 counts calls in C as well, and refuses a document of 1,000 levels that later ones take."""
_READERS = ("tree", "incremental", "lookup")


class Work:
    """One document; a contender's `reader` or `writer` gets it before the clock runs."""

    def __init__(self, root: Any, source: bytes, words: bytes, root_is_array: bool) -> None:
        self.root = root
        """The value tree; of a look-up the values to be found. Only a writer may use it."""
        self.input = source
        """The encoded input."""
        self.words = words
        """Those that exact_hash mixes, for the baseline of a reader; empty for all others."""
        self.root_is_array = root_is_array
        """For formats that have no array at the root."""


def reads(test: str) -> bool:
    """Whether the rows of a test are readers."""
    return test in _READERS


def load(path: str) -> ModuleType:
    """The module in the file at `path`. Raises whatever it raises, and ImportError."""
    spec = importlib.util.spec_from_file_location("contender", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no module")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def function_of(contender: ModuleType, name: str, work: Any) -> Any:
    """The contender's function `read` or `write`, or what its `reader` or `writer` makes for one document."""
    maker = getattr(contender, f"{name.removesuffix('e')}er", None)
    found: Any = maker(work) if maker else getattr(contender, name, None)
    if not callable(found):
        raise TypeError(f"the contender has no function '{name}'")
    return found


def task_of(
    core: Any,
    contender: ModuleType,
    test: str,
    works: Sequence[Any],
    paths: Sequence[list[Any] | None],
    classes: Any = None,
) -> Any:
    """The core's task for some documents; what is serialized is read now, outside of the clock.

    A row with generated classes writes and walks objects of these.
    """
    rows = []
    for work, wanted in zip(works, paths, strict=True):
        if reads(test):
            rows.append((function_of(contender, "read", work), work.input, wanted))
        else:
            if test == "serialize":
                document = function_of(contender, "read", work)(work.input)
            else:
                document = classes.make(work.root) if classes else work.root
            rows.append((function_of(contender, "write", work), document, None))
    walk = classes.walker if classes else None
    own = (getattr(contender, "walk", walk), getattr(contender, "find", None))
    return core.Task(reads(test), rows, *own)
