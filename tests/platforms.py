"""The project's platforms, and documents for them, for tests."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar, cast

from serbench.datasets.store import Encoded
from serbench.platforms.firmware.documents import Document, Encodings
from serbench.platforms.load import load_platforms
from serbench.platforms.records import Microcontroller, PlatformManifest
from serbench.verify.encodings import Canonical

F = TypeVar("F", bound=PlatformManifest)


def platforms_of(root: Path, kind: type[F]) -> dict[str, F]:
    """The platforms of one kind, by name."""
    return {name: found for name, found in load_platforms(root).items() if isinstance(found, kind)}


def find_target(root: Path, name: str) -> Microcontroller:
    """The microcontroller `name`."""
    return platforms_of(root, Microcontroller)[name]


class Given(Encodings):
    """Encodings that are there already, or the reason why one is not."""

    def __init__(self, made: dict[str, bytes | str]) -> None:
        self.made = made

    def of(self, format_id: str) -> Canonical:
        made = self.made[format_id]
        if isinstance(made, str):
            return Canonical(reason=made, unsupported=True)
        path = cast(Path, SimpleNamespace(read_bytes=lambda: made))
        return Canonical(encoded=Encoded(path=path, bytes=len(made), hash="", sha256=""))


def document_of(tree: Any, name: str = "d", **encodings: bytes | str) -> Document:
    """A document whose encodings are given."""
    return Document(name=name, tree=tree, encodings=Given(encodings))
