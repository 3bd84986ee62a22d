"""`setup` and `new`: optional parts, and a contender of one's own."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from serbench.catalog.load import load_catalog
from serbench.catalog.records import Source
from serbench.commands import show
from serbench.commands.scaffold import new_contender
from serbench.errors import UserError
from serbench.platforms.load import (
    announcement,
    install,
    library_parts,
    load_platforms,
    missing_for,
    why_absent,
)
from serbench.platforms.records import Board, Emulated
from serbench.project import CACHE, ROOT
from serbench.provision import Unavailable, npm
from serbench.provision import parts as setup_parts
from serbench.provision.debian import missing_packages, remedy

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


def setup(
    name: Annotated[str, typer.Argument(help="The part; without one, all are listed.")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Install without a question.")] = False,
    no_install: Annotated[
        bool, typer.Option("--no-install", help="Say what would be installed, and stop.")
    ] = False,
) -> None:
    """Install an optional part: the compiler of a further language, or the tools of an emulated platform."""
    if not name:
        show.parts(out, setup_parts.states(ROOT, CACHE))
        show.platforms(out, load_platforms(ROOT).values())
        return
    platform = load_platforms(ROOT).get(name)
    if isinstance(platform, Board):
        raise UserError(f"{name} is board-only: {platform.manifest.reason}")
    if isinstance(platform, Emulated):
        _set_up_platform(platform, yes, no_install)
        return
    setup_parts.find_part(ROOT, name)
    names = [name, *_parts_of_packages()] if name == npm.PART else [name]
    absent = {each: setup_parts.find_part(ROOT, each) for each in names if not _is_there(each)}
    packages = name == npm.PART and not npm.is_installed(npm.HARNESS, CACHE)
    if not absent and not packages:
        out.print(f"{name} is installed already", soft_wrap=True)
        if name == npm.PART:
            _say_packages()
        return
    for part in absent.values():
        err.print(escape(setup_parts.announcement(part)), soft_wrap=True)
    if packages:
        err.print(npm.ANNOUNCEMENT, soft_wrap=True)
    if no_install:
        return
    _ask(yes)
    if name in absent:
        setup_parts.install(ROOT, CACHE, absent.pop(name))
    if packages:
        try:
            npm.install(npm.HARNESS, CACHE)
        except Unavailable as error:
            raise UserError(error.reason) from error
    _install_for_contenders(absent)
    out.print(f"{name} is installed", soft_wrap=True)
    if name == npm.PART:
        _say_packages()


def _install_for_contenders(parts: dict[str, setup_parts.Part]) -> None:
    """Install parts that one contender each has need of: the others do without."""
    for name, part in parts.items():
        try:
            setup_parts.install(ROOT, CACHE, part)
        except UserError as error:
            err.print(escape(f"without {name}: {error}"), soft_wrap=True)


def _is_there(name: str) -> bool:
    """Whether a part is installed; in place of its Node.js the system's own is as good."""
    if name == npm.PART and npm.find_node(CACHE) is not None:
        return True
    return setup_parts.is_present(ROOT, CACHE, setup_parts.find_part(ROOT, name))


def _npm_sources() -> list[tuple[str, Source]]:
    """The packages from npm that the contenders are made of, each with its contender's name."""
    return [
        (contender.manifest.name, source)
        for contender in load_catalog(ROOT).contenders.values()
        for source in contender.manifest.source
        if source.kind == "npm"
    ]


def _parts_of_packages() -> list[str]:
    """The parts that contenders in JavaScript need besides, for their generated code."""
    return sorted({source.part for _, source in _npm_sources() if source.part})


def _say_packages() -> None:
    """Say which contenders in JavaScript need a Debian package besides, for their generated code."""
    for name, source in _npm_sources():
        missing = missing_packages(source.packages)
        if missing:
            out.print(escape(f"{name} {remedy(missing)}"), soft_wrap=True)


def _ask(yes: bool) -> None:
    """Ask at a terminal, unless the answer is `yes`. Raises UserError for a no."""
    asks = not yes and sys.stdin.isatty() and sys.stderr.isatty()
    if asks and not typer.confirm("Install?", default=True, err=True):
        raise UserError("nothing was installed")


def _set_up_platform(target: Emulated, yes: bool, no_install: bool) -> None:
    """Install the Debian packages of an emulated platform and the parts of its libraries, with their size."""
    packages = bool(why_absent(target) or missing_for(ROOT, target))
    needed = {name: setup_parts.find_part(ROOT, name) for name in library_parts(ROOT, target)}
    parts = {name: part for name, part in needed.items() if not setup_parts.is_present(ROOT, CACHE, part)}
    if not packages and not parts:
        out.print(f"{target.name} is installed already", soft_wrap=True)
        return
    if packages:
        err.print(escape(announcement(ROOT, target)), soft_wrap=True)
    for part in parts.values():
        err.print(escape(setup_parts.announcement(part)), soft_wrap=True)
    if no_install:
        return
    _ask(yes)
    if packages:
        install(ROOT, target, CACHE)
        absent = why_absent(target)
        if absent:
            raise UserError(f"the packages of {target.name} were installed, but it cannot be used: {absent}")
    _install_for_contenders(parts)
    out.print(f"{target.name} is installed", soft_wrap=True)


def new(
    language: Annotated[str, typer.Argument(help="c, cpp, zig or javascript")],
    name: Annotated[str, typer.Argument(help="The folder's name")],
    folder: Annotated[Path, typer.Option("--in", help="Where to make it.")] = Path(),
) -> None:
    """Make a contender folder that builds and passes as it is."""
    made = new_contender(load_catalog(ROOT), language, name, folder)
    shown = escape(str(made))
    out.print(
        f"Made {shown}. Try it: ./serbench verify --contender {shown} --contenders {escape(name)}",
        soft_wrap=True,
    )
