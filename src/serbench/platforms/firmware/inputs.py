"""What a run of firmware is given: the catalog of its contenders, and documents."""

from collections.abc import Sequence
from pathlib import Path

from serbench.catalog.load import load_catalog
from serbench.errors import UserError
from serbench.platforms.firmware.documents import (
    Document,
    load_document,
    load_documents,
    stated_documents,
)
from serbench.project import ROOT
from serbench.run.context import BuildContext
from serbench.run.inputs import open_context


def firmware_context(prefix: Sequence[str] = ()) -> BuildContext:
    """What provides the libraries of firmware contenders and reads documents. Raises UserError."""
    return open_context(load_catalog(ROOT, place="microcontroller"), prefixes=prefix)


def documents_of(data: Sequence[Path], context: BuildContext) -> list[Document]:
    """The user's documents, or the project's own if there is none. Raises UserError."""
    for path in data:
        if not path.exists():
            raise UserError(f"there is no file '{path}'")
    if not data:
        return load_documents(ROOT, context)
    documents = [load_document(path, context) for path in data]
    names = [document.name for document in documents]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"two files are named {name}: on a platform each document's name is its own")
    return documents


def documents_named(names: Sequence[str], data: Sequence[Path], context: BuildContext) -> list[Document]:
    """The documents of a plan: the project's own, and the user's files. Raises UserError."""
    known = {document.name: document for document in load_documents(ROOT, context)}
    own = {stated.name for stated in stated_documents(ROOT)}
    given = {document.name: document for document in (documents_of(data, context) if data else [])}
    missing = [name for name in names if name not in own and name not in given]
    if missing:
        raise UserError(f"the run has rows on the file {missing[0]}: name it with --data FILE")
    foreign = [name for name in given if name not in names]
    if foreign:
        raise UserError(f"the run has no rows on {', '.join(foreign)}")
    return [(known | given)[name] for name in names]
