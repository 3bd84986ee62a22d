"""Sources in a Python wheel, which is an optional part of the set-up."""

from serbench.catalog.records import Contender
from serbench.catalog.source import Source
from serbench.provision.providers.provider import Provider
from serbench.provision.records import Context, Provided, Unavailable


class Wheel(Provider):
    """The part of the set-up (`./serbench setup NAME`) whose wheel has the library's sources in it."""

    kind = "wheel"

    def provide(self, contender: Contender, source: Source, context: Context) -> Provided:
        """The library's folder in the part."""
        folder = context.cache.absolute() / source.name
        notes = sorted(folder.glob("*.dist-info"))
        if len(notes) != 1:
            raise Unavailable(f"needs a part of the set-up: ./serbench setup {source.name}")
        package, _, version = notes[0].stem.partition("-")
        origin = f"Python package {package} {version}"
        return Provided(source=source, root=folder / source.subdir, version=version, origin=origin)
