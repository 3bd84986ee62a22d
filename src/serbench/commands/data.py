"""`dataset show` and `dataset write`."""

import sys
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console

from serbench import show
from serbench.catalog.load import load_catalog
from serbench.datasets.spec import parse_spec
from serbench.datasets.store import copy_out
from serbench.errors import UserError, unknown
from serbench.opening import open_workshop
from serbench.project import ROOT
from serbench.proving import encodings_of

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


def dataset_show(
    spec: Annotated[str, typer.Argument(metavar="SPEC")],
    as_json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """Show a dataset's hashes, and bytes and hash of its canonical encodings."""
    catalog = load_catalog(ROOT)
    workshop = open_workshop(catalog)
    dataset = workshop.store.dataset(parse_spec(spec))
    canonical = encodings_of(workshop, dataset, sorted(catalog.formats))
    if as_json:
        sys.stdout.write(msgspec.json.encode(show.dataset_record(dataset, canonical)).decode() + "\n")
    else:
        show.dataset(out, catalog, dataset, canonical)


def dataset_write(
    spec: Annotated[str, typer.Argument(metavar="SPEC")],
    format_: Annotated[
        str,
        typer.Option(
            "--format", help="A format or its file ending, such as msgpack, json-pretty or cbor; or tape."
        ),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="Where to write it.")],
) -> None:
    """Write a dataset in a format, in its canonical encoding."""
    catalog = load_catalog(ROOT)
    by_name = {name: f for f, stated in catalog.formats.items() for name in (f, stated.ending)}
    if format_ != "tape" and format_ not in by_name:
        raise unknown("format", format_, [*by_name, "tape"])
    workshop = open_workshop(catalog)
    dataset = workshop.store.dataset(parse_spec(spec))
    if format_ == "tape":
        copy_out(dataset.tape, output)
        return
    made = workshop.canonical(dataset, by_name[format_])
    if made.encoded is None:
        raise UserError(made.reason)
    copy_out(made.encoded.path, output)
