"""What a measuring command does first: find a place for the run file, and observe the machine."""

import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from rich.console import Console
from rich.text import Text

from serbench.errors import UserError
from serbench.files import refuse_existing
from serbench.measure.noise import activity, disturbances, governor_warning, turbo_warning
from serbench.project import RESULTS

LOOK = 0.5
"""Seconds for which the machine is observed before a run."""
OWN_ENDINGS = (".md", ".html")
"""Endings of the reports beside a run file."""


def new_run_file(output: Path | None, force: bool, read: Sequence[Path | str] = ()) -> Path:
    """Return the run file's path. Raises UserError now, not after hours, if it cannot be written.

    It cannot either where it, or a report beside it, would replace a file, unless `force`, or a file that the
    run `read`s.
    """
    target = output or RESULTS / f"{datetime.now():%Y-%m-%d-%H%M%S}.json"
    if not target.name:
        raise UserError(f"cannot write {target}: it is a folder")
    if target.suffix in OWN_ENDINGS:
        raise UserError(f"{target} is the name of a report: choose a run file whose name ends in .json")
    for path in (target, *(target.with_suffix(ending) for ending in OWN_ENDINGS)):
        refuse_existing(path, force, read)
        if path.exists() and not path.is_file():
            raise UserError(f"cannot write {path}: it is not a regular file")
    return target


def print_disturbances(console: Console) -> list[str]:
    """Print what else the machine does, before anything is built or measured; returns it as notes."""
    before = activity()
    time.sleep(LOOK)
    notes = [f"Before measuring: {sentence}" for sentence in disturbances(before, activity())]
    notes += [sentence for sentence in (governor_warning(), turbo_warning()) if sentence]
    for sentence in notes:
        console.print(Text(sentence), soft_wrap=True)
    return notes
