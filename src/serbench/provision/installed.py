"""Libraries that the user has installed, found by a file below a prefix."""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from serbench.catalog.records import Contender, Source
from serbench.errors import UserError, unknown
from serbench.provision.process import run
from serbench.provision.records import Provided, Unavailable


def _names(contender: Contender) -> set[str]:
    """Under which names a user may mean `contender`: its id, its folder's name, the library's own."""
    return {name.casefold() for name in (contender.id, contender.folder.name, contender.manifest.name)}


def given_prefix(contender: Contender, prefixes: Mapping[str, Path]) -> tuple[str, Path] | None:
    """The entry of `prefixes` that names `contender`, by its id, its folder's name or its shown name."""
    known = _names(contender)
    for name, prefix in prefixes.items():
        if name.casefold() in known:
            return name, prefix
    return None


def search_prefixes(environ: Mapping[str, str]) -> list[Path]:
    """Where an installed library may be when the user names no prefix."""
    prefixes = [Path(p) for p in environ.get("CMAKE_PREFIX_PATH", "").split(os.pathsep) if p]
    for folder in environ.get("CPATH", "").split(os.pathsep):
        if Path(folder).name == "include":
            prefixes.append(Path(folder).parent)
    return [*prefixes, Path("/usr/local"), Path("/usr")]


def pkg_config_path(prefix: Path) -> dict[str, str]:
    """The environment in which pkg-config looks below `prefix` first."""
    folders = [prefix / "share/pkgconfig", *sorted(prefix.glob("lib*/pkgconfig"))]
    folders += sorted(prefix.glob("lib/*/pkgconfig"))
    present = [str(folder) for folder in folders if folder.is_dir()]
    earlier = os.environ.get("PKG_CONFIG_PATH")
    return {"PKG_CONFIG_PATH": os.pathsep.join(present + ([earlier] if earlier else []))}


def module_version(module: str | None, prefix: Path | None = None) -> str | None:
    """The version that pkg-config states for `module`, None if it does not know it."""
    if module is None:
        return None
    extra = pkg_config_path(prefix) if prefix else None
    answer = run(["pkg-config", "--modversion", module], extra=extra)
    return answer.output.strip() or None if answer.ok else None


def parse_prefixes(texts: Sequence[str], contenders: Iterable[Contender]) -> dict[str, Path]:
    """The values `NAME=DIR` of the option --prefix as folders by name.

    Raises UserError for another form, a name that none of `contenders` has, or a folder that is not there.
    """
    known = {name: contender for contender in contenders for name in _names(contender)}
    prefixes: dict[str, Path] = {}
    for text in texts:
        name, equals, folder = text.partition("=")
        if not (name and equals and folder):
            raise UserError(f"--prefix takes NAME=DIR, not '{text}'")
        if name.casefold() not in known:
            raise unknown("contender", name, known)
        if all(source.kind != "installed" for source in known[name.casefold()].manifest.source):
            raise UserError(f"--prefix {text}: {name} is not a library that one installs by hand")
        path = Path(folder).expanduser()
        if not path.is_dir():
            raise UserError(f"--prefix {text}: there is no folder '{folder}'")
        if name in prefixes:
            raise UserError(f"--prefix names {name} twice")
        prefixes[name] = path
    return prefixes


def _places(source: Source) -> list[Path]:
    """The prefixes to look below, in order, when the user named none."""
    places = search_prefixes(os.environ)
    if source.pkg_config is not None:
        stated = run(["pkg-config", "--variable=prefix", source.pkg_config])
        if stated.ok and stated.output.strip():
            places.insert(0, Path(stated.output.strip()))
    return places


def provide_installed(
    contender: Contender, sources: Sequence[Source], prefixes: Mapping[str, Path]
) -> Provided:
    """The installed library of the first of `sources` that is there, below a named or a usual prefix.

    Raises Unavailable when none is. A prefix that the user named is the only one looked at.
    """
    given = given_prefix(contender, prefixes)
    for source in sources:
        for prefix in [given[1]] if given else _places(source):
            found = prefix / source.name
            if found.is_file():
                return _provided(source, prefix, found)
    wanted = " or ".join(source.name for source in sources)
    if given:
        raise Unavailable(f"--prefix {given[0]}={given[1]}: there is no {wanted} below this folder")
    hint = next((source.help for source in sources if source.help), "install the library")
    raise Unavailable(
        f"there is no installed {wanted}: {hint} (another place: --prefix {contender.folder.name}=DIR)"
    )


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
