"""Toolchains: the programs of an optional part of the set-up, or the system's own where they suit."""

import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from serbench.provision.parts import Part, find_file, find_part
from serbench.provision.process import once, run
from serbench.provision.records import Unavailable


class Toolchain(msgspec.Struct, frozen=True, kw_only=True):
    """Programs that are installed, and suit."""

    programs: Mapping[str, tuple[str, ...]]
    """By name, the command that starts each."""
    version: str


@once
def _version(command: tuple[str, ...]) -> str:
    """The first version that `command` prints, without letters before it; empty if it fails."""
    done = run(command, timeout=20)
    words = done.output.split() if done.ok else []
    return next((found[1] for word in words if (found := re.match(r"[a-z]*(\d.*)", word))), "")


def suits(version: str, part: Part) -> bool:
    """Whether a `version` such as 1.90.0 is one that `part` is content with."""
    if part.series:
        return f"{version}.".startswith(f"{part.series}.")
    numbers, least = ([int(n) for n in re.findall(r"\d+", text)] for text in (version, part.least))
    return bool(numbers) and numbers >= least


def find(root: Path, cache: Path, name: str) -> Toolchain | None:
    """The toolchain of the part `name`: from PATH, or installed below `cache`; None without a suitable one.

    A part that states a series of versions, and not the least one, comes before what is in PATH.
    """
    part = find_part(root, name)
    folder = cache.absolute() / part.folder
    own = {
        program: tuple(str(find_file(folder, word)) for word in words)
        for program, words in part.programs.items()
    }
    system = {program: (shutil.which(program) or "",) for program in part.programs}
    for programs in (own, system) if part.series else (system, own):
        if programs and all(Path(word).is_file() for words in programs.values() for word in words):
            version = _version((*programs[part.version[0]], *part.version[1:]))
            if version and suits(version, part):
                return Toolchain(programs=programs, version=version)
    return None


def remedy(root: Path, name: str) -> str:
    """How to get the toolchain of the part `name`."""
    part = find_part(root, name)
    return f"needs {part.tool}: {'' if part.series else 'install it, or '}./serbench setup {name}"


def need(root: Path, cache: Path, names: Sequence[str], program: str) -> Toolchain:
    """The toolchain of that part among `names` which has `program`. Raises Unavailable with the remedy."""
    for name in names:
        if program in find_part(root, name).programs:
            found = find(root, cache, name)
            if found is None:
                raise Unavailable(remedy(root, name))
            return found
    raise Unavailable(f"its harness states no toolchain with the program {program}")
