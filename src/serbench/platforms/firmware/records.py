"""Firmware contenders as their manifests say."""

from pathlib import Path
from typing import Literal

import msgspec

from serbench.catalog.records import Manifest, Source


class FirmwareManifest(Manifest, frozen=True, kw_only=True):
    """contenders/firmware/<library>/firmware.toml: one library in one or more formats."""

    name: str
    homepage: str = ""
    license: str = ""
    api: str
    role: Literal["contender", "baseline"] = "contender"
    source: list[Source] = []
    """Where the library comes from: the first that is available."""
    sources: list[str]
    """The contender's own, in its folder."""
    formats: dict[str, list[str]]
    """By format, the macros that choose it."""
    defines: list[str] = []
    tree: bool = False
    """Whether it writes from the harness's value tree, because it has no document of its own."""
    integers: Literal["64-bit", "32-bit", "double"] = "64-bit"
    """The widest integers that it takes: those beyond make a row `unsupported`."""
    depth: int = 0
    """How deep containers may be nested: a row beyond that is `unsupported`; 0 if only memory says."""
    needs_double: Literal[32, 64] = 32
    """The narrowest doubles that it compiles with."""
    schema: bool = False
    """Whether its code is generated from a schema of each document."""
    labels: list[str] = []


class Library(msgspec.Struct, frozen=True, kw_only=True):
    """A firmware contender as it was found."""

    name: str
    """Its folder's name."""
    folder: Path
    manifest: FirmwareManifest
