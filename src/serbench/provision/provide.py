"""The first source of a contender that is available."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from serbench.catalog.records import Catalog, Contender
from serbench.catalog.source import Source
from serbench.provision.debian import missing_packages, remedy
from serbench.provision.providers import PROVIDERS
from serbench.provision.records import Context, Provided, Unavailable


def provide(
    contender: Contender,
    cache: Path,
    prefixes: Mapping[str, Path] | None = None,
    catalog: Catalog | None = None,
) -> Provided:
    """The library of `contender`: the first of its sources that is available; an empty one if it needs none.

    `cache` is the project's cache folder. `prefixes` are the folders of installed libraries that the user
    named, by contender; these come first. `catalog` is needed where a harness shares packages or a
    toolchain. The result says why each source before it was not taken. Raises Unavailable with the
    reasons of all sources.
    """
    context = Context(cache=cache, prefixes=prefixes or {}, catalog=catalog)
    stated = contender.manifest.source
    # The layout of a checkout is for --use only, which leaves no other source.
    sources = [source for source in stated if source.kind != "checkout"] or stated
    chosen = {kind for kind, provider in PROVIDERS.items() if provider.is_chosen(contender, context)}
    reasons: list[str] = []
    for source in sorted(sources, key=lambda source: source.kind not in chosen):
        try:
            found = _provide_one(contender, source, context)
            return msgspec.structs.replace(found, skipped_sources=tuple(reasons))
        except Unavailable as error:
            reason = error.reason
        except OSError as error:
            reason = f"{error.filename or cache}: {error.strerror or error}"
        if reason not in reasons:
            reasons.append(reason)
    if reasons:
        raise Unavailable("; ".join(reasons))
    return Provided(source=Source())


def _provide_one(contender: Contender, source: Source, context: Context) -> Provided:
    if source.kind not in PROVIDERS:
        known = ", ".join(PROVIDERS)
        raise Unavailable(f"its manifest has a [[source]] with '{source.kind}'; known are {known}")
    missing = missing_packages(source.packages)
    if missing:
        raise Unavailable(remedy(missing))
    found = PROVIDERS[source.kind].provide(contender, source, context)
    if source.part and not (context.cache / source.part).is_dir():
        raise Unavailable(f"needs a part of the set-up: ./serbench setup {source.part}")
    return found


def prefetch(contenders: Iterable[Contender], cache: Path) -> None:
    """Fetch what `contenders` name first, all of one provider together. Never raises.

    What could not be fetched is found out again, with its reason, by `provide`.
    """
    waiting = [contender.manifest.source for contender in contenders]
    while waiting := [sources for sources in waiting if sources]:
        first = [sources[0] for sources in waiting]
        lost: list[Source] = []
        for kind, provider in PROVIDERS.items():
            lost += provider.prefetch([s for s in first if s.kind == kind], Context(cache=cache))
        waiting = [sources[1:] for sources in waiting if sources[0] in lost]
