"""The first source of a contender that can be had."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from serbench.catalog.records import Contender, Source
from serbench.provision import npm, source_package
from serbench.provision.checkout import provide_checkout
from serbench.provision.debian import (
    has_dpkg,
    installed_version,
    missing_packages,
    remedy,
    system_name,
)
from serbench.provision.installed import given_prefix, module_version, provide_installed
from serbench.provision.records import Provided, Unavailable


def _upstream(version: str) -> str:
    """The library's own version in a Debian version: `1.1.0+dfsg2` of `2:1.1.0+dfsg2-7.1`."""
    without_epoch = version.rpartition(":")[2]
    return without_epoch.rpartition("-")[0] or without_epoch


def _provide_package(source: Source) -> Provided:
    """The installed Debian package of `source`, or on other systems what pkg-config knows of it."""
    package = source.name
    if has_dpkg():
        version = installed_version(package)
        if version is None:
            raise Unavailable(remedy([package]))
        origin = f"{system_name()} package {package} {version}"
        shown = _upstream(version)
    else:
        known = module_version(source.pkg_config)
        if known is None:
            seen = (
                f"pkg-config does not know {source.pkg_config}" if source.pkg_config else "it was not found"
            )
            raise Unavailable(f"needs the library that Debian packages as {package}, and {seen}; install it")
        origin, shown = f"the system's own {source.pkg_config} {known}", known
    return Provided(
        source=source,
        version=shown,
        origin=origin,
        distribution_build=not source.header_only,
    )


def _provide_source(source: Source, cache: Path) -> Provided:
    """The unpacked Debian source package of `source`."""
    name = source.name
    unpacked = source_package.fetch(name, cache)
    root = unpacked.folder / source.subdir
    wanted = [root / file for file in source.files] or [root]
    for path in wanted:
        if not path.exists():
            raise Unavailable(f"the source package {name} {unpacked.version} has no {path.name}")
    note = "" if unpacked.patched else ", the upstream archive without the distribution's patches"
    return Provided(
        source=source,
        root=root,
        # The version of a package in whose folder the library stands as a guest is not the library's.
        version="" if source.subdir else _upstream(unpacked.version),
        origin=f"{system_name()} source {name} {unpacked.version}{note}",
    )


def _provide_wheel(source: Source, cache: Path) -> Provided:
    """The library's sources in a part of the set-up."""
    name = source.name
    notes = sorted((cache / name).glob("*.dist-info"))
    if len(notes) != 1:
        raise Unavailable(f"needs a part of the set-up: ./serbench setup {name}")
    package, _, version = notes[0].stem.partition("-")
    return Provided(
        source=source,
        root=cache.absolute() / name / source.subdir,
        version=version,
        origin=f"Python package {package} {version}",
    )


def _provide_node(contender: Contender, source: Source, cache: Path) -> Provided:
    """A package from npm, by the contender's own lock file or the harness's, or what Node.js has built in."""
    node = npm.need_node(cache)
    if source.kind == "node":
        versions = npm.built_in(node)
        version = versions.get(source.name)
        if version is None:
            raise Unavailable(f"Node.js {node.version} has no {source.name} built in")
        shown = "" if source.name == "node" else f", which has {source.name} {version}"
        return Provided(source=source, version=version, origin=f"Node.js {node.version}{shown}")
    if source.part and not (cache / source.part).is_dir():
        raise Unavailable(f"needs a part of the set-up: ./serbench setup {source.part}")
    folder = npm.lock_folder(contender.folder)
    version = npm.locked_version(folder, source.name)
    root = npm.install(folder, cache)
    return Provided(source=source, root=root, version=version, origin=f"npm package {source.name} {version}")


def provide(contender: Contender, cache: Path, prefixes: Mapping[str, Path] | None = None) -> Provided:
    """The library of `contender`: the first of its sources that can be had; an empty one if it needs none.

    `cache` is the project's cache folder, below which source packages are kept. `prefixes` are the
    folders that the user named for installed libraries, by contender; a source of the kind `installed`
    goes first then. What comes back says why the sources before it were not taken. Raises Unavailable with
    the reasons of all sources when none can be had.
    """
    prefixes = prefixes or {}
    if contender.checkout is not None:
        return provide_checkout(contender, cache)
    sources = [source for source in contender.manifest.source if source.kind != "checkout"]
    if contender.manifest.source and not sources:
        raise Unavailable(f"needs a checkout of the library: --use {contender.folder.name}=DIR")
    if given_prefix(contender, prefixes):
        sources = sorted(sources, key=lambda source: source.kind != "installed")
    installed = [source for source in sources if source.kind == "installed"]
    reasons: list[str] = []
    for source in sources:
        if source in installed[1:]:  # The first of them has stood for all.
            continue
        try:
            missing = missing_packages(source.packages)
            if missing:
                raise Unavailable(remedy(missing))
            found = _provide_one(contender, source, installed, cache, prefixes)
            return msgspec.structs.replace(found, skipped_sources=tuple(reasons))
        except Unavailable as error:
            if error.reason not in reasons:
                reasons.append(error.reason)
        except OSError as error:
            reasons.append(f"{error.filename or cache}: {error.strerror}")
    if reasons:
        raise Unavailable("; ".join(reasons))
    return Provided(source=Source())


def _provide_one(
    contender: Contender,
    source: Source,
    installed: Sequence[Source],
    cache: Path,
    prefixes: Mapping[str, Path],
) -> Provided:
    if source.kind == "debian-source":
        return _provide_source(source, cache)
    if source.kind == "debian-package":
        return _provide_package(source)
    if source.kind == "wheel":
        return _provide_wheel(source, cache)
    if source.kind in ("npm", "node"):
        return _provide_node(contender, source, cache)
    return provide_installed(contender, installed, prefixes)


def prefetch(contenders: Iterable[Contender], cache: Path) -> None:
    """Fetches the source packages that `contenders` begin with, all in one go. Never raises.

    What could not be fetched is found out again, with its reason, by `provide`.
    """
    first = [contender.manifest.source[0] for contender in contenders if contender.manifest.source]
    source_package.prefetch([source.name for source in first if source.kind == "debian-source"], cache)
