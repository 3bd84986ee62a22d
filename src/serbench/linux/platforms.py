"""The emulated Linux platforms: found by being there, each with a cross-compiler and QEMU's user mode."""

import shlex
from pathlib import Path

import msgspec

from serbench.build.compilers import Compilers, find_compilers
from serbench.catalog.load import read_manifest
from serbench.catalog.records import Catalog, Contender, Source
from serbench.firmware.records import Platform
from serbench.linux.records import LinuxManifest, LinuxPlatform
from serbench.provision.process import run

_TOOLS = {"CC": "gcc", "CXX": "g++", "AR": "gcc-ar", "RANLIB": "gcc-ranlib"}


def load_platforms(root: Path) -> dict[str, LinuxPlatform]:
    """All platforms of the project at `root`, by name. Raises UserError for a manifest that is wrong."""
    return {
        path.parent.name: LinuxPlatform(
            name=path.parent.name, folder=path.parent, manifest=read_manifest(path, LinuxManifest)
        )
        for path in sorted((root / "platforms").glob("*/platform.toml"))
    }


def cross_compilers(platform: LinuxPlatform, cache: Path) -> Compilers:
    """The platform's compilers as one word each, as builds want them: small scripts below `cache`."""
    stated = platform.manifest
    folder = cache.absolute() / "cross" / platform.name
    folder.mkdir(parents=True, exist_ok=True)
    commands: dict[str, str] = {}
    for variable, tool in _TOOLS.items():
        flags = stated.flags if variable in ("CC", "CXX") else []
        script = folder / tool
        text = f'#!/bin/sh\nexec {shlex.join([stated.tools + tool, *flags])} "$@"\n'
        if not script.exists() or script.read_text("utf-8") != text:
            script.write_text(text, "utf-8")
            script.chmod(0o755)
        commands[variable] = str(script)
    found = find_compilers(commands)
    return msgspec.structs.replace(
        found,
        cross=True,
        identity="\n".join([found.identity, *stated.flags]),
        cmake=(
            "-DCMAKE_SYSTEM_NAME=Linux",
            f"-DCMAKE_SYSTEM_PROCESSOR={stated.processor}",
            f"-DCMAKE_FIND_ROOT_PATH=/usr/{stated.tools.rstrip('-')}",
            "-DCMAKE_FIND_ROOT_PATH_MODE_PROGRAM=NEVER",
            *(f"-DCMAKE_FIND_ROOT_PATH_MODE_{kind}=ONLY" for kind in ("LIBRARY", "INCLUDE", "PACKAGE")),
        ),
    )


def describe_platform(platform: LinuxPlatform) -> Platform:
    """What a run file says of the platform."""
    stated = platform.manifest
    return Platform(
        name=platform.name,
        title=stated.title,
        stands_for=stated.stands_for,
        unit="instructions",
        compiler=run([f"{stated.tools}gcc", "--version"]).output.partition("\n")[0],
        flags=shlex.join([*stated.flags, "-static"]),
        emulator=run([stated.emulator[0], "--version"]).output.partition("\n")[0],
    )


def can_cross_build(source: Source) -> bool:
    """Whether the library is compiled by us, and so can be for another processor."""
    return bool(source.files or source.cmake or source.header_only)


def cross_catalog(catalog: Catalog) -> tuple[Catalog, dict[str, str]]:
    """The catalog with the sources that can be cross-built; by id, why a contender has none of them."""
    contenders: dict[str, Contender] = {}
    reasons: dict[str, str] = {}
    for name, contender in catalog.contenders.items():
        stated = contender.manifest.source
        kept = [source for source in stated if can_cross_build(source)]
        if stated and not kept:
            names = [source.name for source in stated if source.kind == "debian-package"]
            names += ["an installed copy"] if any(source.kind == "installed" for source in stated) else []
            what = ", ".join(names)
            reasons[name] = f"has no source that can be cross-compiled: {what} is built for this machine only"
        manifest = msgspec.structs.replace(contender.manifest, source=kept or stated)
        contenders[name] = msgspec.structs.replace(contender, manifest=manifest)
    return msgspec.structs.replace(catalog, contenders=contenders), reasons
