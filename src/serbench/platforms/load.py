"""The platforms: found by being there, set up through their Debian packages."""

import shutil
from pathlib import Path
from typing import TypeVar, cast

from serbench.catalog.load import read_manifest
from serbench.catalog.records import Source
from serbench.errors import UserError, unknown
from serbench.platforms.firmware.records import FirmwareManifest, Library
from serbench.platforms.records import (
    Board,
    BoardManifest,
    Emulated,
    Found,
    LinuxManifest,
    LinuxPlatform,
    Microcontroller,
    MicrocontrollerManifest,
    PlatformManifest,
)
from serbench.provision.debian import install_packages, missing_packages, remedy
from serbench.provision.installable import Installable, of_part

F = TypeVar("F", bound=Found)
_ANY = cast(type[PlatformManifest], LinuxManifest | MicrocontrollerManifest | BoardManifest)


def load_platforms(root: Path) -> dict[str, Found]:
    """All platforms of the project at `root`, by name. Raises UserError for a manifest that is wrong."""
    return {path.parent.name: _load(path) for path in sorted((root / "platforms").glob("*/platform.toml"))}


def _load(path: Path) -> Found:
    manifest = read_manifest(path, _ANY)
    name, folder = path.parent.name, path.parent
    if isinstance(manifest, LinuxManifest):
        return LinuxPlatform(name=name, folder=folder, manifest=manifest)
    if isinstance(manifest, MicrocontrollerManifest):
        return Microcontroller(name=name, folder=folder, manifest=manifest)
    assert isinstance(manifest, BoardManifest)
    return Board(name=name, folder=folder, manifest=manifest)


def platforms_of(root: Path, kind: type[F]) -> dict[str, F]:
    """The platforms of one kind, by name. Raises UserError for a manifest that is wrong."""
    return {name: found for name, found in load_platforms(root).items() if isinstance(found, kind)}


def find_target(root: Path, name: str) -> Microcontroller:
    """The microcontroller `name`. Raises UserError if there is none."""
    found = load_platforms(root).get(name)
    if not isinstance(found, Microcontroller):
        raise unknown("platform", name, [*platforms_of(root, Microcontroller), *platforms_of(root, Board)])
    return found


def load_libraries(root: Path) -> list[Library]:
    """All firmware contenders, the baseline first. Raises UserError for a manifest that is wrong."""
    found = sorted((root / "contenders" / "firmware").glob("*/firmware.toml"))
    libraries = [
        Library(name=path.parent.name, folder=path.parent, manifest=read_manifest(path, FirmwareManifest))
        for path in found
    ]
    return sorted(libraries, key=lambda library: (library.manifest.role != "baseline", library.name))


def why_absent(target: Emulated) -> str:
    """Why the target's tools cannot be used, or nothing when they are there."""
    missing = missing_packages(target.manifest.packages)
    if missing:
        return remedy(missing)
    programs = [f"{target.manifest.tools}gcc"]
    programs += [word for word in target.manifest.emulator[:1] if "{" not in word]
    absent = [program for program in programs if shutil.which(program) is None]
    return f"there is no program {' and no '.join(absent)}" if absent else ""


def _library_sources(root: Path, platform: Emulated) -> list[Source]:
    """The sources of the libraries that only this kind of platform has: those of firmware."""
    libraries = load_libraries(root) if isinstance(platform, Microcontroller) else []
    return [source for library in libraries for source in library.manifest.source]


def missing_for(root: Path, platform: Emulated) -> list[str]:
    """Debian packages that the platform lacks, with those that building its libraries needs."""
    needed = {name for source in _library_sources(root, platform) for name in source.packages}
    return missing_packages([*platform.manifest.packages, *sorted(needed)])


def installables(root: Path, cache: Path, platform: Emulated) -> list[Installable]:
    """A platform's tools, as Debian packages, and the parts of the set-up with its libraries' sources."""
    stated = platform.manifest

    def announcement() -> str:
        return (
            f"{stated.title}; Debian packages {' '.join(missing_for(root, platform))}: up to "
            f"{stated.download_mb} MB to download, {stated.disk_mb} MB on the disk with what they need"
        )

    def install() -> None:
        install_packages(missing_for(root, platform), platform.name, cache)
        if absent := why_absent(platform):
            raise UserError(
                f"the packages of {platform.name} were installed, but it cannot be used: {absent}"
            )

    tools = Installable(
        name=platform.name,
        title=stated.title,
        announcement=announcement,
        is_present=lambda: not (why_absent(platform) or missing_for(root, platform)),
        install=install,
    )
    parts = {source.name for source in _library_sources(root, platform) if source.kind == "wheel"}
    return [tools, *(of_part(root, cache, name, optional=True) for name in sorted(parts))]
