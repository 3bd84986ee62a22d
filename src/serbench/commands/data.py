"""`dataset show` and `dataset write`."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console

from serbench import show
from serbench.catalog.load import load_catalog
from serbench.datasets.messages import write_messages
from serbench.datasets.spec import Spec, messages_spec, parse_spec
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


def _named(specs: Sequence[str]) -> Spec:
    """The dataset that a SPEC names; several are files of messages. Raises UserError."""
    named = [parse_spec(text) for text in specs]
    if len(named) == 1:
        return named[0]
    files = [path for spec in named for path in ([spec.path] if spec.path else spec.messages)]
    if len(files) < len(named):
        raise UserError(f"several datasets are files of messages, written together: not '{' '.join(specs)}'")
    return messages_spec(files)


def dataset_write(
    specs: Annotated[
        list[str], typer.Argument(metavar="SPEC..", help="A dataset, or several files, which are messages.")
    ],
    format_: Annotated[
        str,
        typer.Option(
            "--format", help="A format or its file ending, such as msgpack, json-pretty or cbor; or tape."
        ),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="Where to write it.")],
) -> None:
    """Write a dataset in a format, in its canonical encoding.

    Of messages (JSON Lines, or several files) one stands behind the other, in JSON each on its line.
    """
    catalog = load_catalog(ROOT)
    by_name = {name: f for f, stated in catalog.formats.items() for name in (f, stated.ending)}
    if format_ != "tape" and format_ not in by_name:
        raise unknown("format", format_, [*by_name, "tape"])
    workshop = open_workshop(catalog)
    dataset = workshop.store.dataset(_named(specs))
    if format_ == "tape":
        copy_out(dataset.tape, output)
        return
    made = workshop.canonical(dataset, by_name[format_])
    if made.encoded is None:
        raise UserError(made.reason)
    if dataset.framed:
        write_messages(made.encoded.path, output, catalog.formats[by_name[format_]].text)
    else:
        copy_out(made.encoded.path, output)
