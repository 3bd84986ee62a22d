"""`schema`: what a schema for some data is, as a user may correct it, or in another language."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

import serbench
from serbench.catalog.load import load_catalog
from serbench.catalog.records import Catalog
from serbench.commands.data import named
from serbench.commands.options import Force, what, where_to
from serbench.errors import UserError, unknown
from serbench.files import read_regular, refuse_existing, writing
from serbench.project import ROOT
from serbench.provision.process import environment
from serbench.run.inputs import open_context
from serbench.run.typed import documents_of
from serbench.schemas import check, model, text
from serbench.schemas.infer import infer

MOST = 16_000_000
"""Bytes of a user's schema."""
SECONDS = 120
OWN = "serbench"

SchemaOption = Annotated[
    Path | None, what("--schema", metavar="FILE", help="A schema that `serbench schema` printed, corrected.")
]


KeepGenerated = Annotated[
    Path | None,
    where_to("--keep-generated", metavar="DIR", help="Copy the code that is generated from schemas here."),
]


def read_schema(path: Path | None) -> model.Schema | None:
    """The user's schema in the file at `path`. Raises UserError."""
    if path is None:
        return None
    try:
        written = read_regular(path, MOST).decode()
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: it is not UTF-8") from error
    return text.read(written, str(path))


def schema(
    specs: Annotated[
        list[str], typer.Argument(metavar="FILE..", help="JSON, JSON Lines, several files, or a dataset.")
    ],
    given: SchemaOption = None,
    format_: Annotated[str, typer.Option("--format", help="serbench, or another, such as proto.")] = OWN,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Where to write it.")] = None,
    force: Force = False,
) -> None:
    """Print the schema that data follow, for libraries that need one.

    Correct it, and pass it to `run`, `verify` or this command with --schema.
    """
    catalog = load_catalog(ROOT)
    commands = emitters(catalog)
    if format_ != OWN and format_ not in commands:
        raise unknown("format", format_, [OWN, *commands])
    if output is not None:
        refuse_existing(output, force, [*specs, *([given] if given else [])])
    found = read_schema(given)
    context = open_context(catalog)
    documents = documents_of(context, context.store.dataset(named(specs)))
    if found is not None:
        check.refuse_other(found, documents)
    found = found or infer(documents)
    written = text.write(found) if format_ == OWN else emitted(commands[format_], found, catalog.root)
    if output is None:
        sys.stdout.write(written)
    else:
        with writing(output) as file:
            file.write(written.encode())


def emitters(catalog: Catalog) -> dict[str, list[str]]:
    """The commands that write a schema in another language, by the names that --format takes."""
    stated = [each.emitters for each in catalog.formats.values()]
    stated += [each.emitters for each in catalog.harnesses.values()]
    return {name: command for each in stated for name, command in each.items()}


def emitted(command: list[str], found: model.Schema, root: Path) -> str:
    """What an emitter writes. Raises UserError with the reason that it gives for a refusal."""
    words = [sys.executable if word == "python" else word for word in command[:1]] + command[1:]
    path = os.pathsep.join([str(root), str(Path(serbench.__file__).parents[1])])
    done = subprocess.run(
        words,
        input=model.dump(found),
        capture_output=True,
        cwd=root,
        env=environment({"PYTHONPATH": path}),
        timeout=SECONDS,
        check=False,
    )
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise UserError(said[-1] if said else f"{' '.join(command)} failed")
    return done.stdout.decode()
