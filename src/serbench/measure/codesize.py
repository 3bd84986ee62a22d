"""Code size: text and data of a statically linked worker less its baseline's, exact to the byte."""

import subprocess
from pathlib import Path

from serbench.errors import Failure


class NotMeasurable(Failure):
    """Why a size cannot be known."""


def text_and_data(program: Path, tool: str = "size") -> int:
    """The bytes of text and of initialised data of an executable, as binutils' `size` counts them.

    `tool` is the `size` of the executable's own machine. Raises NotMeasurable if it is not there or cannot
    read the file.
    """
    try:
        done = subprocess.run(
            [tool, "--format=berkeley", str(program)],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        text, data = done.stdout.splitlines()[1].split()[:2]
        return int(text) + int(data)
    except (OSError, subprocess.SubprocessError, IndexError, ValueError) as error:
        raise NotMeasurable(f"{tool} cannot read it: {error}") from error
