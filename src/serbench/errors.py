"""The one exception that ends a command with a message instead of a traceback."""

import difflib
import os
from collections.abc import Iterable


class UserError(Exception):
    """Something that the user can mend: shown as one sentence, exit status 2."""


def unknown(kind: str, name: str, known: Iterable[str]) -> UserError:
    """An error for a `name` that is none of the `known` ones of its `kind`, with the nearest one."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.4)
    hint = f"did you mean '{near[0]}'?" if near else f"known: {', '.join(names) or 'none'}"
    return UserError(f"there is no {kind} '{name}'; {hint}")


def readable(name: str | os.PathLike[str]) -> str:
    """A name from the command line or the file system as text that can be stored; bad bytes are replaced."""
    return os.fsencode(name).decode("utf-8", "replace")
