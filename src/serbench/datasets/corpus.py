"""The documents `corpus:NAME`: listed in datasets/corpus/*.toml, and fetched when one is first needed.

One fetch brings the archive of a package, of which all listed documents are kept.
"""

import tarfile
from pathlib import Path
from typing import Annotated

import msgspec

from serbench import files
from serbench.catalog.load import read_manifest
from serbench.catalog.manifest import Manifest
from serbench.errors import UserError, unknown
from serbench.files import scratch
from serbench.project import ROOT
from serbench.provision.downloads import locked
from serbench.provision.providers.npm import fetch_archive
from serbench.provision.records import Unavailable

Sha256 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
FileName = Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9][A-Za-z0-9._-]*$")]


class Document(Manifest, frozen=True, kw_only=True):
    """One document of a package."""

    name: FileName
    title: str
    """What it is, in one line."""
    file: str
    """Its name in the archive."""
    bytes: int
    sha256: Sha256


class Corpus(Manifest, frozen=True, kw_only=True):
    """datasets/corpus/<name>.toml: a package, and which documents are in its archive."""

    npm: str
    """The package's name in the registry, ..."""
    version: str
    bytes: int
    """... and the archive's size ..."""
    sha256: Sha256
    """... and checksum."""
    document: list[Document]

    @property
    def origin(self) -> str:
        """The package and its version."""
        return f"npm package {self.npm} {self.version}"


def load_corpora(root: Path) -> list[Corpus]:
    """What datasets/corpus/ below `root` lists. Raises UserError for a bad manifest or a name used twice."""
    folder = root / "datasets" / "corpus"
    corpora = [read_manifest(path, Corpus) for path in sorted(folder.glob("*.toml"))]
    names = [document.name for corpus in corpora for document in corpus.document]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"{folder}: two documents are named {name}")
    return corpora


def known_documents() -> dict[str, tuple[Corpus, Document]]:
    """The documents of this project by name, each with its corpus. Raises UserError."""
    return {each.name: (corpus, each) for corpus in load_corpora(ROOT) for each in corpus.document}


def find_document(name: str) -> tuple[Corpus, Document]:
    """The document `name` and its corpus. Raises UserError, with the nearest name, if there is none."""
    known = known_documents()
    if name not in known:
        raise unknown("document in the corpus", name, known)
    return known[name]


def _place(document: Document, cache: Path) -> Path:
    return cache / "corpus" / f"{document.name}.json"


def _difference(path: Path, size: int, sha256: str) -> str:
    """How the file at `path` differs from the expected one; empty if it does not."""
    found = path.stat().st_size if path.is_file() else 0
    if found != size:
        return f"has {found:,} bytes instead of {size:,}"
    return "" if files.sha256(path) == sha256 else "has another SHA-256"


def is_here(document: Document, cache: Path) -> bool:
    """Whether `document` is in the project's `cache`, whole and right."""
    return not _difference(_place(document, cache), document.bytes, document.sha256)


def fetched(name: str, cache: Path) -> Path:
    """The path of the document `name`, fetched unless it is in the project's `cache`. Raises UserError."""
    corpus, document = find_document(name)
    place = _place(document, cache)
    try:
        if not is_here(document, cache):
            with locked(place.parent):
                if not is_here(document, cache):  # Another process may have fetched it meanwhile.
                    _fetch(corpus, cache)
    except Unavailable as error:
        raise UserError(f"dataset 'corpus:{name}': {error.reason}") from error
    except OSError as error:
        raise UserError(f"{error.filename or place}: {error.strerror or error}") from error
    return place


def _fetch(corpus: Corpus, cache: Path) -> None:
    """Put all documents of `corpus` into the cache. Raises Unavailable or OSError."""
    with scratch(cache / "corpus") as folder:
        archive = fetch_archive(corpus.npm, corpus.version, ROOT, cache, folder)
        different = _difference(archive, corpus.bytes, corpus.sha256)
        if different:
            raise Unavailable(f"the archive of the {corpus.origin} {different}, so it was not used")
        try:
            with tarfile.open(archive) as tar:
                for document in corpus.document:
                    made = folder / document.name
                    source = tar.extractfile(document.file)
                    made.write_bytes(source.read() if source else b"")
                    different = _difference(made, document.bytes, document.sha256)
                    if different:
                        raise Unavailable(f"{document.file} in the {corpus.origin} {different}")
                    made.replace(_place(document, cache))
        except (KeyError, EOFError, tarfile.TarError) as error:
            raise Unavailable(f"the archive of the {corpus.origin} cannot be read: {error}") from error
