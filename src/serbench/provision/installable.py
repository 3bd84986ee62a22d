"""What `serbench setup` can install: one record, whether it is a part, a lock's packages or a platform."""

from collections.abc import Callable
from pathlib import Path

import msgspec

from serbench.catalog.harness import HarnessManifest
from serbench.catalog.records import Catalog
from serbench.errors import UserError
from serbench.provision import parts, toolchain
from serbench.provision.providers import PROVIDERS
from serbench.provision.records import Context, Unavailable


class Installable(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that can be installed when the user asks for `name`."""

    name: str
    title: str
    announcement: Callable[[], str]
    """One sentence: what will be downloaded, how large it is and where it goes."""
    is_present: Callable[[], bool]
    install: Callable[[], None]
    """Raises UserError."""
    download_mb: int = 0
    """Its size; 0 where only the package manager knows it."""
    optional: bool = False
    """Whether the other things of the same name are of use without it."""


def of_part(root: Path, cache: Path, name: str, *, optional: bool = False) -> Installable:
    """The part `name`; in place of a toolchain the system's own will do if it is new enough."""
    part = parts.find_part(root, name)
    registry = PROVIDERS[part.registry]

    def install() -> None:
        try:
            parts.install(root, cache, part, registry.fetch_part)
        except Unavailable as error:
            raise UserError(error.reason) from error

    def is_present() -> bool:
        own = parts.is_present(root, cache, part)
        return own or (bool(part.least) and toolchain.find(root, cache, name) is not None)

    return Installable(
        name=name,
        title=part.title,
        announcement=lambda: part.announcement(registry.place),
        is_present=is_present,
        install=install,
        download_mb=part.download_mb,
        optional=optional,
    )


def part_of(harness: str, stated: HarnessManifest) -> str:
    """What `serbench setup` calls what a harness needs: its first part, or the harness; empty for nothing."""
    return next(iter(stated.toolchain.parts), harness if stated.toolchain.lock else "")


def of_harness(catalog: Catalog, cache: Path, harness: str) -> list[Installable]:
    """The toolchain of `harness`, the packages of its lock, and the parts that its contenders need."""
    stated = catalog.harnesses[harness]
    path, tools = catalog.root / "harness" / harness / "harness.toml", stated.toolchain
    found = [of_part(catalog.root, cache, name) for name in tools.parts]
    if tools.lock:
        registry = {provider.lock: provider for provider in PROVIDERS.values()}.get(tools.lock)
        if registry is None:
            raise UserError(f"{path}: toolchain states an unknown lock '{tools.lock}'")
        language, context = next(iter(stated.languages)), Context(cache=cache, catalog=catalog)

        def install() -> None:
            try:
                registry.install_locked(language, context)
            except Unavailable as error:
                raise UserError(error.reason) from error

        title = f"packages of the contenders in {' and '.join(stated.languages.values())}"
        size = (
            f"about {tools.download_mb} MB to download from {registry.place}, {tools.disk_mb} MB on the disk"
        )
        found.append(
            Installable(
                name=part_of(harness, stated),
                title=title,
                announcement=lambda: f"{title}: {size}, into .cache",
                is_present=lambda: registry.has_locked(language, context),
                install=install,
                download_mb=tools.download_mb,
            )
        )
    contenders = [c for c in catalog.contenders.values() if c.manifest.language in stated.languages]
    needed = {source.part for contender in contenders for source in contender.manifest.source}
    return found + [of_part(catalog.root, cache, name, optional=True) for name in sorted(needed - {""})]
