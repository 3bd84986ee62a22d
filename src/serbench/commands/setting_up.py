"""The commands `setup` (optional parts) and `new` (a contender of the user's own)."""

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from serbench.catalog.load import load_catalog
from serbench.catalog.records import Catalog
from serbench.commands import show
from serbench.commands.scaffold import new_contender
from serbench.errors import UserError, unknown
from serbench.platforms.load import installables, load_platforms
from serbench.platforms.records import Board, Emulated
from serbench.project import CACHE, ROOT
from serbench.provision.debian import missing_packages, remedy
from serbench.provision.downloads import forget_failures
from serbench.provision.installable import Installable, of_harness, of_part, part_of
from serbench.provision.parts import load_parts
from serbench.report.terminal import print_line

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)
ALL = "all"


def setup(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]...", help="What to install, or all; without a name, all are listed."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Install without a question.")] = False,
    no_install: Annotated[
        bool, typer.Option("--no-install", help="Say what would be installed, and stop.")
    ] = False,
) -> None:
    """Install optional parts: the compiler of a further language, or the tools of an emulated platform."""
    forget_failures(CACHE)
    catalog, platforms = load_catalog(ROOT), load_platforms(ROOT)
    known = _parts(catalog)
    if not names:
        show.parts(out, known)
        show.platforms(out, platforms.values())
        return
    known |= {name: installables(ROOT, CACHE, p) for name, p in platforms.items() if isinstance(p, Emulated)}
    for name in names:
        platform = platforms.get(name)
        if isinstance(platform, Board):
            raise UserError(f"{name} is board-only: {platform.reason}")
        if name not in known and name != ALL:
            raise unknown("part of the set-up", name, [*known, ALL])
    chosen = list(known) if ALL in names else list(dict.fromkeys(names))
    absent = {name: [thing for thing in known[name] if not thing.is_present()] for name in chosen}
    announced = dict.fromkeys(thing.announcement() for things in absent.values() for thing in things)
    for sentence in announced:
        print_line(err, sentence)
    if announced and no_install:
        return
    asks = announced and not yes and sys.stdin.isatty() and sys.stderr.isatty()
    if asks and not typer.confirm("Install?", default=True, err=True):
        raise UserError("nothing was installed")
    failures = []
    for name, things in absent.items():
        try:
            _install(things)
        except UserError as error:
            failures.append(f"{name} is not installed: {error}")
            continue
        out.print(f"{name} is installed{'' if things else ' already'}", soft_wrap=True)
        _say_packages(catalog, name)
    if failures:
        raise UserError("; ".join(failures))


def _parts(catalog: Catalog) -> dict[str, list[Installable]]:
    """The optional parts by name; with the toolchain of a harness comes what its contenders need."""
    known = {name: [of_part(ROOT, CACHE, name)] for name in load_parts(ROOT)}
    for harness, stated in catalog.harnesses.items():
        name = part_of(harness, stated)
        if name:
            known[name] = of_harness(catalog, CACHE, harness)
    return known


def _install(things: list[Installable]) -> None:
    """Install `things` that are not there. Raises UserError, but not for an optional one."""
    for thing in things:
        if thing.is_present():  # Another name has brought it.
            continue
        try:
            thing.install()
        except UserError as error:
            if not thing.optional:
                raise
            print_line(err, f"without {thing.name}: {error}")


def _say_packages(catalog: Catalog, name: str) -> None:
    """Say which contenders that use the toolchain `name` need Debian packages too."""
    for contender in catalog.contenders.values():
        if name in catalog.harness(contender.manifest.language).toolchain.parts:
            missing = missing_packages([p for source in contender.manifest.source for p in source.packages])
            if missing:
                print_line(out, f"{contender.manifest.name} {remedy(missing)}")


def new(
    language: Annotated[str, typer.Argument(help="The language, as its rows begin")],
    name: Annotated[str, typer.Argument(help="The folder's name")],
    folder: Annotated[Path, typer.Option("--in", help="Where to make it.")] = Path(),
) -> None:
    """Make a contender folder that builds and passes as it is."""
    made = new_contender(load_catalog(ROOT), language, name, folder)
    words = ["./serbench", "verify", "--contender", str(made), "--contenders", name]
    print_line(out, f"Made {made}. Try it: {shlex.join(words)}")
