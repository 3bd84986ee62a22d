"""The bases of our exceptions: what the user can mend, and what did not work out."""

import difflib
import os
from collections.abc import Iterable

LONGEST = 100
"""Characters of a name that a message shows."""


class UserError(Exception):
    """Something that the user can mend: shown as one sentence, exit status 2."""


class Failure(Exception):
    """Something that did not work out: one line that says why, and the last that a program said of it."""

    def __init__(self, reason: str, output: str = "") -> None:
        self.reason = " ".join(reason.split())
        self.output = output
        super().__init__(self.reason)


def unknown(kind: str, name: str, known: Iterable[str]) -> UserError:
    """An error for a `name` that is none of the `known` ones of its `kind`, with the nearest one."""
    names = sorted(known)
    near = difflib.get_close_matches(name[:LONGEST], names, n=1, cutoff=0.4)
    hint = f"did you mean '{near[0]}'?" if near else f"known: {', '.join(names) or 'none'}"
    return UserError(f"there is no {kind} '{shortened(name, LONGEST)}'; {hint}")


def shortened(text: str, most: int = 2000) -> str:
    """The first `most` characters of what a worker, a compiler or a file says, and how many are left out."""
    cut = len(text) - most
    return text if cut <= 0 else f"{text[:most]} ... and {cut} characters more"


def readable(name: str | os.PathLike[str]) -> str:
    """A name from the command line or the file system as text that can be stored; bad bytes are replaced."""
    return os.fsencode(name).decode("utf-8", "replace")
