"""Pinned versions: what manifests and lock files state, and what upstream has released since."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from serbench.catalog.records import Contender
from serbench.provision.parts import load_parts
from serbench.provision.providers import PROVIDERS
from serbench.provision.records import Context, Pin, Unavailable


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
    found: dict[Pin, list[str]] = {}
    for name, part in load_parts(root).items():
        pins = PROVIDERS[part.registry].pins_of_lock(root / "setup" / part.lock)
        found |= {msgspec.structs.replace(pin, held=part.held): [name] for pin in pins}
    return found


def newest(pins: Sequence[Pin], context: Context) -> dict[Pin, str | Unavailable]:
    """For each of `pins` the version that upstream has now, or why nobody knows."""
    found: dict[Pin, str | Unavailable] = {}
    for kind in dict.fromkeys(pin.kind for pin in pins):
        alike = [pin for pin in pins if pin.kind == kind]
        found |= zip(alike, PROVIDERS[kind].newest(alike, context), strict=True)
    return found
