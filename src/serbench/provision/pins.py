"""Pinned versions: what manifests and lock files state, and what upstream has released since."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from serbench.catalog.records import Contender
from serbench.errors import UserError
from serbench.provision.parts import load_parts, locked_packages, newest_release
from serbench.provision.providers import PROVIDERS
from serbench.provision.records import Context, Pin, Unavailable

PYPI = "pypi"
"""The kind of the packages in the locks of the set-up's parts."""


def pins_of(contenders: Iterable[Contender], context: Context) -> dict[Pin, list[str]]:
    """What the sources of `contenders` pin, each with the names of those that use it."""
    users: dict[Pin, list[str]] = {}
    for contender in contenders:
        for source in contender.manifest.source:
            provider = PROVIDERS.get(source.kind)
            try:
                pin = provider.pin(contender, source, context) if provider else None
            except Unavailable:  # `list` says it.
                continue
            if pin is not None:
                users.setdefault(pin, []).append(contender.manifest.name)
    return users


def pins_of_parts(root: Path) -> dict[Pin, list[str]]:
    """What the locks of the set-up's parts pin, each with the part's name."""
    return {
        Pin(kind=PYPI, name=package, version=version, held=part.held): [name]
        for name, part in load_parts(root).items()
        for package, version in locked_packages(root, part).items()
    }


def newest(pins: Sequence[Pin], context: Context) -> dict[Pin, str | Unavailable]:
    """For each of `pins` the version that upstream has now, or why nobody knows."""
    found: dict[Pin, str | Unavailable] = {}
    for kind in dict.fromkeys(pin.kind for pin in pins):
        alike = [pin for pin in pins if pin.kind == kind]
        answers = (
            [_newest_release(p) for p in alike] if kind == PYPI else PROVIDERS[kind].newest(alike, context)
        )
        found |= zip(alike, answers, strict=True)
    return found


def _newest_release(pin: Pin) -> str | Unavailable:
    try:
        return newest_release(pin.name)
    except UserError as error:
        return Unavailable(str(error))
