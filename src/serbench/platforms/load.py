"""The platforms: found by being there, set up through their Debian packages."""

import shutil
from pathlib import Path
from typing import cast

from serbench.catalog.load import load_catalog, read_manifest
from serbench.catalog.records import Source
from serbench.errors import UserError
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


def why_absent(target: Emulated) -> str:
    """Why the target's tools cannot be used, or nothing when they are there."""
    missing = missing_packages(target.manifest.packages)
    if missing:
        return remedy(missing)
    programs = [f"{target.manifest.tools}gcc"]
    programs += [word for word in target.manifest.emulator[:1] if "{" not in word]
    absent = [program for program in programs if shutil.which(program) is None]
    return f"there is no program {' and no '.join(absent)}" if absent else ""


def need_tools(platform: Emulated) -> None:
    """Raise UserError unless the platform is set up."""
    absent = why_absent(platform)
    if absent:
        raise UserError(
            f"the platform {platform.name} is not set up: ./serbench setup {platform.name} ({absent})"
        )


def _sources(root: Path, platform: Emulated) -> list[Source]:
    """Where the libraries come from that are installed with the platform: only firmware's are."""
    if not isinstance(platform, Microcontroller):
        return []
    contenders = load_catalog(root, place="microcontroller").contenders.values()
    return [source for contender in contenders for source in contender.manifest.source]


def missing_for(root: Path, platform: Emulated) -> list[str]:
    """Debian packages that the platform lacks; a microcontroller's firmware needs those of the libraries."""
    libraries = {name for source in _sources(root, platform) for name in source.packages}
    return missing_packages([*platform.manifest.packages, *sorted(libraries)])


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
    parts = {source.name for source in _sources(root, platform) if source.kind == "wheel"}
    return [tools, *(of_part(root, cache, name, optional=True) for name in sorted(parts))]
