"""The project's platforms, for tests."""

from pathlib import Path
from typing import TypeVar

from serbench.platforms.load import load_platforms
from serbench.platforms.records import Microcontroller, PlatformManifest

F = TypeVar("F", bound=PlatformManifest)


def platforms_of(root: Path, kind: type[F]) -> dict[str, F]:
    """The platforms of one kind, by name."""
    return {name: found for name, found in load_platforms(root).items() if isinstance(found, kind)}


def find_target(root: Path, name: str) -> Microcontroller:
    """The microcontroller `name`."""
    return platforms_of(root, Microcontroller)[name]
