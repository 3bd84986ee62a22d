"""Libraries that the user has installed, found by a file below a prefix."""

import os
from collections.abc import Mapping
from pathlib import Path

from serbench.catalog.records import Contender, Source
from serbench.provision.process import run
from serbench.provision.records import Provided, Unavailable


def given_prefix(contender: Contender, prefixes: Mapping[str, Path]) -> tuple[str, Path] | None:
    """The entry of `prefixes` that names `contender`, by its id, its folder's name or its shown name."""
    names = {contender.id, contender.folder.name, contender.manifest.name}
    known = {name.casefold() for name in names}
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


def provide_installed(contender: Contender, source: Source, prefixes: Mapping[str, Path]) -> Provided:
    """The installed library of `source`, below the prefix that `prefixes` names or a usual one.

    Raises Unavailable when the file is not there. A prefix that the user named is the only one looked at.
    """
    wanted = source.installed or ""
    given = given_prefix(contender, prefixes)
    for prefix in [given[1]] if given else search_prefixes(os.environ):
        found = prefix / wanted
        if found.is_file():
            return Provided(
                source=source,
                root=prefix.resolve() / source.subdir,
                version=module_version(source.pkg_config, prefix.resolve()) or "",
                origin=f"installed copy below {prefix}",
                found=found.resolve(),
            )
    if given:
        raise Unavailable(f"--prefix {given[0]}={given[1]}: there is no {wanted} below this folder")
    hint = source.help or "install the library"
    raise Unavailable(
        f"there is no installed {wanted}: {hint} (another place: --prefix {contender.folder.name}=DIR)"
    )
