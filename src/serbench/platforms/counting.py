"""Where in a program the region is that is counted."""

from collections.abc import Sequence
from pathlib import Path

from serbench.measure.instructions import NotCountable
from serbench.provision.process import run


def addresses(program: Path, nm: str, functions: Sequence[str]) -> list[str]:
    """The addresses of `functions`, hexadecimal. Raises NotCountable if one is not there."""
    symbols = [line.split() for line in run([nm, program]).output.splitlines()]
    found = {words[2]: words[0] for words in symbols if len(words) == 3}
    if any(name not in found for name in functions):
        raise NotCountable(f"{nm} finds no region to count in {program.name}")
    return [found[name] for name in functions]
