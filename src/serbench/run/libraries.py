"""The libraries of a run's contenders: each found once, from the first source that is there and builds."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from serbench.build.configuration import Configuration
from serbench.catalog.records import Catalog, Contender
from serbench.provision import Provided, Unavailable, prefetch, provide
from serbench.provision.git import unreachable


class Libraries:
    """What has been provided, or why it is not here, by contender."""

    def __init__(
        self, catalog: Catalog, cache: Path, prefixes: Mapping[str, Path], refused: Mapping[str, str]
    ) -> None:
        """`prefixes` has the folders that the user named; the `refused` contenders get these reasons."""
        self.catalog = catalog
        self.cache = cache
        self.prefixes = prefixes
        self._usual: dict[str, Provided | Unavailable] = {
            name: Unavailable(reason) for name, reason in refused.items()
        }
        self._later: dict[tuple[str, Configuration], Provided] = {}

    def provide(
        self, contenders: Sequence[Contender], done: Callable[[str], None] = lambda _name: None
    ) -> None:
        """Find or fetch the libraries of `contenders`; `done` is called with the id of each new one."""
        wanted = [c for c in contenders if c.id not in self._usual]
        prefetch(wanted, self.cache)
        for contender in wanted:
            try:
                self._usual[contender.id] = provide(contender, self.cache, self.prefixes, self.catalog)
            except Unavailable as error:
                self._usual[contender.id] = error
            done(contender.id)

    def get(self, contender_id: str, configuration: Configuration) -> Provided | Unavailable:
        """The library that a configuration uses: the usual one, or a later source that builds there."""
        if contender_id not in self._usual:
            self.provide([self.catalog.contenders[contender_id]])
        return self._later.get((contender_id, configuration)) or self._usual[contender_id]

    def skip_source(
        self, contender_id: str, configuration: Configuration, library: Provided, why: str
    ) -> bool:
        """For a configuration in which `library` does not build, take its next source; False without one."""
        contender = self.catalog.contenders[contender_id]
        if library.source not in contender.manifest.source:
            return False
        rest = contender.manifest.source[contender.manifest.source.index(library.source) + 1 :]
        if not rest:
            return False
        manifest = msgspec.structs.replace(contender.manifest, source=rest)
        try:
            fewer = msgspec.structs.replace(contender, manifest=manifest)
            found = provide(fewer, self.cache, self.prefixes, self.catalog)
        except Unavailable:
            return False
        # A manifest may state one package twice, as its versions are laid out: nothing is skipped.
        same = (found.source.kind, found.source.name) == (library.source.kind, library.source.name)
        reasons = [] if same else [f"{library.origin} does not build ({why})"]
        skipped = (*library.skipped_sources, *reasons, *found.skipped_sources)
        self._later[contender_id, configuration] = msgspec.structs.replace(found, skipped_sources=skipped)
        return True

    def unreachable(self) -> list[str]:
        """Why libraries do not come from hosts that the network lacks, a sentence for each host."""
        skipped = {
            reason
            for library in self._usual.values()
            for reason in (library.skipped_sources if isinstance(library, Provided) else [library.reason])
        }
        return [
            f"{reason} ({said})"
            for reason, said in unreachable(self.cache).items()
            if any(reason in each for each in skipped)
        ]
