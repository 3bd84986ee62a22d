"""Libraries that the user has installed, found by a file below a prefix."""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from serbench.catalog.records import Contender
from serbench.catalog.selection import names_of
from serbench.catalog.source import Source
from serbench.errors import UserError, unknown
from serbench.provision.pkg_config import module_prefix, module_version
from serbench.provision.providers.provider import Provider
from serbench.provision.records import Context, Provided, Unavailable


def _named_prefix(contender: Contender, prefixes: Mapping[str, Path]) -> tuple[str, Path] | None:
    """The entry of `prefixes` that names `contender`."""
    known = names_of(contender)
    return next((entry for entry in prefixes.items() if entry[0].casefold() in known), None)


def parse_prefixes(texts: Sequence[str], contenders: Iterable[Contender]) -> dict[str, Path]:
    """The values `NAME=DIR` of the option --prefix as folders by name.

    Raises UserError for another form, a name that none of `contenders` has, or a missing folder.
    """
    # Several contenders may share a name: one that can be installed overwrites the others.
    known = {name: one for one in sorted(contenders, key=_can_be_installed) for name in names_of(one)}
    prefixes: dict[str, Path] = {}
    for text in texts:
        name, equals, folder = text.partition("=")
        if not (name and equals and folder):
            raise UserError(f"--prefix takes NAME=DIR, not '{text}'")
        if name.casefold() not in known:
            raise unknown("contender", name, known)
        if not _can_be_installed(known[name.casefold()]):
            raise UserError(f"--prefix {text}: {name} is not a library that one installs by hand")
        path = Path(folder).expanduser()
        if not path.is_dir():
            raise UserError(f"--prefix {text}: there is no folder '{folder}'")
        if name in prefixes:
            raise UserError(f"--prefix names {name} twice")
        prefixes[name] = path
    return prefixes


def _can_be_installed(contender: Contender) -> bool:
    return any(source.kind == "installed" for source in contender.manifest.source)


def _usual_prefixes(source: Source) -> list[Path]:
    """Where the library may be when the user names no prefix, the likeliest first."""
    stated = module_prefix(source.pkg_config)
    prefixes = [stated] if stated else []
    prefixes += [Path(p) for p in os.environ.get("CMAKE_PREFIX_PATH", "").split(os.pathsep) if p]
    headers = [Path(folder) for folder in os.environ.get("CPATH", "").split(os.pathsep)]
    prefixes += [folder.parent for folder in headers if folder.name == "include"]
    return [*prefixes, Path("/usr/local"), Path("/usr")]


class Installed(Provider):
    """A copy that the user has installed, known by the file that `Source.name` states."""

    kind = "installed"

    def is_chosen(self, contender: Contender, context: Context) -> bool:
        """Whether --prefix names the contender."""
        return _named_prefix(contender, context.prefixes) is not None

    def provide(self, contender: Contender, source: Source, context: Context) -> Provided:
        """The first installed copy among the contender's sources of this kind, whichever `source` is.

        A prefix that the user named is the only one that is searched.
        """
        given = _named_prefix(contender, context.prefixes)
        sources = [source for source in contender.manifest.source if source.kind == self.kind]
        for candidate in sources:
            for prefix in [given[1]] if given else _usual_prefixes(candidate):
                found = prefix / candidate.name
                if found.is_file():
                    return _provided(candidate, prefix, found)
        wanted = " or ".join(source.name for source in sources)
        if given:
            raise Unavailable(f"--prefix {given[0]}={given[1]}: there is no {wanted} below this folder")
        hint = next((source.help for source in sources if source.help), "install the library")
        named = f"--prefix {contender.folder.name}=DIR"
        raise Unavailable(f"there is no installed {wanted}: {hint} (or name its folder: {named})")


def _provided(source: Source, prefix: Path, found: Path) -> Provided:
    root = prefix.resolve()
    version = module_version(source.pkg_config, root)
    if version is None:  # A copy may have been installed without its pkg-config file.
        source = msgspec.structs.replace(source, pkg_config=None)
    return Provided(
        source=source,
        root=root / source.subdir,
        version=version or "",
        origin=f"installed copy below {prefix}",
        found=found.resolve(),
    )
