"""The platforms: found by being there, set up through their Debian packages."""

import shutil
from pathlib import Path
from typing import TypeVar, cast

from serbench.catalog.load import read_manifest
from serbench.errors import unknown
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
from serbench.provision.debian import missing_packages, remedy

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


def library_packages(root: Path) -> list[str]:
    """Debian packages that building the firmware contenders needs, beside the targets' own."""
    found = {
        name for one in load_libraries(root) for source in one.manifest.source for name in source.packages
    }
    return sorted(found)


def library_parts(root: Path, platform: Emulated) -> list[str]:
    """The parts of the set-up that have sources of libraries for the platform: only firmware's have."""
    if not isinstance(platform, Microcontroller):
        return []
    sources = [source for library in load_libraries(root) for source in library.manifest.source]
    return sorted({source.name for source in sources if source.kind == "wheel"})


def missing_for(root: Path, platform: Emulated) -> list[str]:
    """Debian packages that the platform lacks; a microcontroller's firmware needs those of the libraries."""
    libraries = library_packages(root) if isinstance(platform, Microcontroller) else []
    return missing_packages([*platform.manifest.packages, *libraries])


def announcement(root: Path, target: Emulated) -> str:
    """One sentence that says what will be installed and how large it is."""
    stated = target.manifest
    missing = missing_for(root, target)
    return (
        f"{stated.title}; Debian packages {' '.join(missing)}: up to {stated.download_mb} MB to download, "
        f"{stated.disk_mb} MB on the disk with what they need"
    )
