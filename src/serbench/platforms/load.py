"""The platforms: found by being there, set up through their Debian packages."""

import shutil
from pathlib import Path
from typing import cast

import msgspec

from serbench.catalog.load import load_catalog, read_manifest
from serbench.catalog.source import Source
from serbench.errors import UserError
from serbench.platforms.records import Board, Emulated, LinuxPlatform, Microcontroller, PlatformManifest
from serbench.provision.debian import install_packages, installed_version, missing_packages, remedy
from serbench.provision.installable import Installable, of_part
from serbench.provision.process import first_line, run
from serbench.results.schema import Platform, Unit

_ANY = cast(type[PlatformManifest], LinuxPlatform | Microcontroller | Board)


def load_platforms(root: Path) -> dict[str, PlatformManifest]:
    """All platforms of the project at `root`, by name. Raises UserError for a manifest that is wrong."""
    paths = {path.parent.name: path for path in sorted((root / "platforms").glob("*/platform.toml"))}
    return {
        name: msgspec.structs.replace(read_manifest(path, _ANY), name=name, folder=path.parent)
        for name, path in paths.items()
    }


def why_absent(target: Emulated) -> str:
    """Why the target's tools cannot be used, and what helps; nothing when they can."""
    setup = f"./serbench setup {target.name}"
    missing = missing_packages(target.packages)
    if missing:
        return f"{setup} ({remedy(missing)})"
    emulators = [word for word in target.emulator[:1] if "{" not in word]
    absent = [program for program in [f"{target.tools}gcc", *emulators] if shutil.which(program) is None]
    if absent:
        return f"{setup} (there is no program {' and no '.join(absent)})"
    blind = [program for program in emulators if "-plugin" not in run([program, "-help"]).output]
    return f"{blind[0]} here takes no plugin, which counts: Debian 13's is linked statically" if blind else ""


def need_tools(platform: Emulated) -> None:
    """Raise UserError where the platform's tools cannot be used."""
    absent = why_absent(platform)
    if absent:
        raise UserError(f"the platform {platform.name} cannot be used: {absent}")


def describe_platform(platform: Emulated, unit: Unit, flags: str) -> Platform:
    """What a run file says of the platform, on which everything is compiled with `flags`."""
    emulator = platform.emulator[0]
    if "{" in emulator:
        version = f"simavr {installed_version('libsimavr-dev') or ''}".rstrip()
    else:
        version = first_line([emulator, "--version"])
    return Platform(
        name=platform.name,
        title=platform.title,
        stands_for=platform.stands_for,
        unit=unit,
        compiler=first_line([f"{platform.tools}gcc", "--version"]),
        flags=flags,
        emulator=version,
    )


def _sources(root: Path, platform: Emulated) -> list[Source]:
    """Where the libraries come from that are installed with the platform: only firmware's are."""
    if not isinstance(platform, Microcontroller):
        return []
    contenders = load_catalog(root, place="microcontroller").contenders.values()
    return [source for each in contenders if not each.hidden for source in each.manifest.source]


def missing_for(root: Path, platform: Emulated) -> list[str]:
    """Debian packages that the platform lacks; a microcontroller's firmware needs those of the libraries."""
    libraries = {name for source in _sources(root, platform) for name in source.packages}
    return missing_packages([*platform.packages, *sorted(libraries)])


def installables(root: Path, cache: Path, platform: Emulated) -> list[Installable]:
    """A platform's tools, as Debian packages, and the parts of the set-up with its libraries' sources."""

    def announcement() -> str:
        return (
            f"{platform.title}; Debian packages {' '.join(missing_for(root, platform))}: up to "
            f"{platform.download_mb} MB to download, {platform.disk_mb} MB on the disk with what they need"
        )

    def install() -> None:
        install_packages(missing_for(root, platform), platform.name, cache)
        if absent := why_absent(platform):
            raise UserError(
                f"the packages of {platform.name} were installed, but it cannot be used: {absent}"
            )

    tools = Installable(
        name=platform.name,
        title=platform.title,
        announcement=announcement,
        is_present=lambda: not (why_absent(platform) or missing_for(root, platform)),
        install=install,
    )
    parts = {source.name for source in _sources(root, platform) if source.kind == "wheel"}
    return [tools, *(of_part(root, cache, name, optional=True) for name in sorted(parts))]
