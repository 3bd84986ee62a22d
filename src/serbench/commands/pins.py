"""`serbench pins`: which versions of libraries are pinned, and which of them upstream has replaced."""

from typing import Annotated, get_args

import typer
from rich.console import Console

from serbench.catalog.harness import Place
from serbench.catalog.load import load_catalog
from serbench.project import CACHE, ROOT
from serbench.provision.downloads import forget_failures
from serbench.provision.git import unreachable
from serbench.provision.pins import newest, pins_of, pins_of_parts
from serbench.provision.records import Context, Moved, Pin, Unavailable
from serbench.report.document import Column, Document, Item, List, Section, Table, TableRow
from serbench.report.terminal import print_document, print_line

BEHIND = 1
UNKNOWN = 2
out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


def pins(
    behind: Annotated[
        bool,
        typer.Option("--behind", help="Ask upstream, and show only what it has released a newer version of."),
    ] = False,
) -> None:
    """List the pinned versions of libraries and tools, with the day of each commit.

    With --behind the exit status is 1 if upstream has newer versions, and 2 if not all of it could be asked.
    A version that is held, for a reason that its manifest states, does not count.
    """
    context = Context(cache=CACHE, catalog=load_catalog(ROOT))
    users: dict[Pin, list[str]] = {}
    for place in get_args(Place):
        catalog = load_catalog(ROOT, place=place)
        contenders = (c for c in catalog.contenders.values() if c.manifest.role == "contender")
        for pin, names in pins_of(contenders, Context(cache=CACHE, catalog=catalog)).items():
            users.setdefault(pin, []).extend(names)
    users |= pins_of_parts(ROOT)
    if not behind:
        _print(users, {})
        return
    forget_failures(CACHE)
    found = newest(list(users), context)
    said = {reason: f" ({why})" for reason, why in unreachable(CACHE).items()}
    for reason in dict.fromkeys(each.reason for each in found.values() if isinstance(each, Unavailable)):
        print_line(err, f"serbench: {reason}{said.get(reason, '')}")
    newer = {
        pin: known
        for pin, known in found.items()
        if not isinstance(known, Unavailable) and known != pin.version
    }
    if newer:
        _print({pin: users[pin] for pin in newer}, newer)
    known = len(found) - sum(isinstance(each, Unavailable) for each in found.values())
    held = [pin for pin, now in newer.items() if pin.held and not isinstance(now, Moved)]
    counted = len(newer) - len(held)
    others = f" {len(held)} more are held." if held else ""
    print_line(out, f"{counted} of {known} pinned versions are behind upstream.{others}")
    if known < len(found):
        raise typer.Exit(UNKNOWN)
    if counted:
        raise typer.Exit(BEHIND)


def _print(users: dict[Pin, list[str]], newer: dict[Pin, str]) -> None:
    columns = [Column("for", least=16, most=26), Column("version"), Column("date")]
    columns += [Column("upstream has")] if newer else []
    table = Table([*columns, Column("from", least=28)])
    for pin, names in users.items():
        upstream = [newer[pin]] if newer else []
        place = "/".join(pin.name.split("/")[-2:]) if pin.commit else pin.name  # without the host
        table.rows.append(
            TableRow(
                [
                    ", ".join(dict.fromkeys(names)),
                    pin.version,
                    pin.date or None,
                    *upstream,
                    f"{pin.kind} {place}",
                ],
            )
        )
    held = {f"{users[pin][0]} {pin.version}": pin.held for pin in users if pin.held}
    reasons = List([Item(*each) for each in held.items()], title="Held, although upstream has newer ones")
    print_document(Document([Section(blocks=[table, reasons] if held else [table])]), out)
