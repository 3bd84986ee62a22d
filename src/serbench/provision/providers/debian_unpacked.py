"""Debian packages that are unpacked below the project's cache instead of installed.

For headers of a version that conflicts with the one which other libraries need, and for compilers. It takes
no root.
"""

import re
from pathlib import Path

import msgspec

from serbench.catalog.records import Contender
from serbench.catalog.source import Source
from serbench.files import scratch
from serbench.provision import debian
from serbench.provision.apt_source import complaint
from serbench.provision.downloads import (
    keep_failure,
    locked,
    log_installation,
    must_be_allowed,
    recall_failure,
)
from serbench.provision.parts import Part
from serbench.provision.process import run
from serbench.provision.providers.provider import Provider
from serbench.provision.records import Context, Provided, Unavailable
from serbench.provision.toolchain import suits

_NAME = re.compile(r"[a-z0-9][a-z0-9+.-]*")
_FETCH_SECONDS = 600.0
_RETRY_AFTER = 3600
_DOWNLOAD = ("-o", "APT::Sandbox::User=root", "-o", "Acquire::Retries=1", "download")
_START = """#!/bin/sh
here=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd) || exit
LD_LIBRARY_PATH="{libraries}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}" exec "$here/usr/bin/${{0##*/}}" "$@"
"""


class DebianUnpacked(Provider):
    """The files of a package: headers and sources of a library, or the programs of a part."""

    kind = "debian-unpacked"
    place = "the system's package archive"

    def provide(self, contender: Contender, source: Source, context: Context) -> Provided:
        """The folder that holds the package's files, `usr` and so on."""
        folder, version = fetch(source.name, context.cache)
        for name in [*source.files, *source.include]:
            if not (folder / name).exists():
                raise Unavailable(f"the package {source.name} {version} has no {name}")
        return Provided(
            source=source,
            root=folder,
            version=debian.upstream_version(version),
            origin=f"{debian.system_name()} package {source.name} {version}, unpacked",
            digest=f"{source.name} {version} {debian.system_key()}",
        )

    def fetch_part(self, root: Path, cache: Path, part: Part, made: Path) -> None:
        """Unpack the packages that a line of the part's lock names, and what they need that is not installed.

        The first line counts that this release of Debian can install, in a version that is new enough.
        Its programs are scripts in the subfolder `bin`, which start those of `usr/bin` with these libraries.
        """
        reasons: list[str] = []
        for line in (root / "setup" / part.lock).read_text("utf-8").splitlines():
            found = _needed(line.split(), part)
            if not isinstance(found, str):
                break
            reasons.append(found)
        else:
            raise Unavailable("; ".join(reasons))
        made.mkdir(parents=True)
        done = run(["apt-get", *_DOWNLOAD, "--", *found], cwd=made, timeout=_FETCH_SECONDS)
        log_installation(cache, part.lock, done, "check the network, or: sudo apt-get update; ")
        for package in sorted(made.glob("*.deb")):
            unpacked = run(["dpkg-deb", "--extract", package, made], timeout=_FETCH_SECONDS)
            if not unpacked.ok:
                raise Unavailable(f"{package.name} could not be unpacked: {unpacked.tail(1)}")
            package.unlink()
        (made / "bin").mkdir(exist_ok=True)
        libraries = sorted(path.relative_to(made) for path in made.glob("**/lib/*-linux-*") if path.is_dir())
        for program in part.programs:
            script = made / "bin" / program
            script.write_text(
                _START.format(libraries=":".join(f"$here/{each}" for each in libraries)), "utf-8"
            )
            script.chmod(0o755)


def _needed(names: list[str], part: Part) -> list[str] | str:
    """The packages `names` and those that they need and that are not installed; or why they do not do."""
    said = run(["apt-get", "install", "--simulate", "--no-install-recommends", "--", *names])
    if not said.ok:
        return f"apt cannot install {' and '.join(names)} ({complaint(said)})"
    offered = re.search(rf"^Inst {re.escape(names[0])} \(([^\s)]+)", said.output, re.MULTILINE)
    if offered and not suits(offered[1], part):
        return (
            f"apt has {names[0]} {offered[1]} here, and {part.tool} is needed: install it, or add "
            "Debian's security updates to apt's sources"
        )
    needed = [line.split()[1] for line in said.output.splitlines() if line.startswith("Inst ")]
    # What is installed is in the system's own folders, and those named have to be in this one.
    return list(dict.fromkeys([*names, *needed]))


class _Note(msgspec.Struct, frozen=True):
    version: str


def fetch(name: str, cache: Path) -> tuple[Path, str]:
    """The folder with the files of the package `name`, and its version; fetched unless it is there.

    Raises Unavailable or OSError.
    """
    if not _NAME.fullmatch(name):
        raise Unavailable(f"'{name}' is not the name of a Debian package")
    home = cache.absolute() / "sources" / f"{debian.system_key()}-unpacked"
    with locked(home):
        note = home / name / "unpacked.json"
        if not note.is_file():
            known = recall_failure(home, name, _RETRY_AFTER)
            if known is not None:
                raise Unavailable(known)
            must_be_allowed(f"the Debian package {name} is")
            try:
                _fetch(name, home)
            except Unavailable as error:
                keep_failure(home, name, error.reason)
                raise
        return home / name / "tree", msgspec.json.decode(note.read_bytes(), type=_Note).version


def _fetch(name: str, home: Path) -> None:
    """Let apt fetch the package and check it, and unpack it, completely or not at all."""
    with scratch(home) as folder:
        done = run(["apt-get", *_DOWNLOAD, "--", name], cwd=folder, timeout=_FETCH_SECONDS)
        found = list(folder.glob("*.deb"))
        if not done.ok or len(found) != 1:
            raise Unavailable(f"the Debian package {name} could not be fetched ({complaint(done, name)})")
        made = folder / "made"
        made.mkdir()
        unpacked = run(["dpkg-deb", "--extract", found[0], made / "tree"], timeout=_FETCH_SECONDS)
        version = run(["dpkg-deb", "--field", found[0], "Version"])
        if not (unpacked.ok and version.ok):
            raise Unavailable(f"the Debian package {name} could not be unpacked: {unpacked.tail(1)}")
        (made / "unpacked.json").write_bytes(msgspec.json.encode(_Note(version.output.strip())))
        made.rename(home / name)
