"""A library's folder that the user names (`--use`), copied to the cache under the digest of its files.

So an edited checkout is another build, an edit in the middle of a run changes nothing, and two folders of
the same content make the same program, whatever their names.
"""

import hashlib
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from serbench.catalog.records import Contender
from serbench.catalog.source import Source
from serbench.errors import readable
from serbench.files import scratch, sha256
from serbench.provision.process import run
from serbench.provision.providers.provider import Provider
from serbench.provision.records import Context, Provided, Unavailable

_NOT_SOURCES = (".git", ".hg", ".svn")
_SHORT = 8


class Checkout(Provider):
    """The folder that --use names for a contender."""

    kind = "checkout"

    def provide(self, contender: Contender, source: Source, context: Context) -> Provided:
        """A copy of the folder, with the commit and the version that git knows of it."""
        folder = contender.checkout
        if folder is None:
            raise Unavailable(f"needs a checkout of the library: --use {contender.folder.name}=DIR")
        try:
            digest = _digest(folder)
            root = _copy(folder, context.cache.absolute() / "checkouts" / digest)
        except OSError as error:
            raise Unavailable(f"the checkout cannot be read: {error.strerror or error}") from error
        files = f"files {digest[:_SHORT]}"
        commit, changed, version = _git(folder)
        state = f"git {commit}" + (f" with changes, {files}" if changed else "") if commit else files
        return Provided(
            source=source,
            root=root / source.subdir,
            version=version,
            origin=f"checkout {readable(folder.name)}, {state}",
            digest=digest,
        )


def _files(folder: Path) -> Iterator[Path]:
    """The files below `folder` in the order of their names, without what version control keeps."""
    for path in sorted(folder.iterdir()):
        if path.name in _NOT_SOURCES:
            continue
        if path.is_dir() and not path.is_symlink():
            yield from _files(path)
        elif path.is_file():
            yield path


def _digest(folder: Path) -> str:
    """The SHA-256 of the names and bytes of all files, shortened to 40 digits."""
    whole = hashlib.sha256()
    for path in _files(folder):
        name = path.relative_to(folder).as_posix()
        whole.update(f"{name}\0{sha256(path)}\n".encode(errors="surrogateescape"))
    return whole.hexdigest()[:40]


def _copy(folder: Path, target: Path) -> Path:
    """Copy the files below `folder` to `target`, all of them or nothing; what is there already stays."""
    if target.is_dir():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with scratch(target.parent) as temporary:
        copy = temporary / "copy"
        copy.mkdir()
        for path in _files(folder):
            place = copy / path.relative_to(folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, place)
        if _digest(copy) != target.name:
            raise OSError("it changed while it was copied; start again")
        try:
            copy.rename(target)
        except OSError:  # Another process was faster.
            if not target.is_dir():
                raise
    return target


def _git(folder: Path) -> tuple[str, bool, str]:
    """Commit, whether files differ from it, and the version by the nearest tag; empty without git."""

    def ask(*words: str) -> str:
        answer = run(["git", "--no-optional-locks", "-C", folder, *words])
        return answer.output.strip() if answer.ok else ""

    if not ask("ls-files", "--", "."):  # No repository, or an unrelated one that the folder stands in.
        return "", False, ""
    commit = ask("rev-parse", "--short", "HEAD")
    changed = bool(ask("status", "--porcelain", "--", "."))
    described = ask("describe", "--tags", "--always")
    return commit, changed, "" if described.startswith(commit) else re.sub(r"^v(?=\d)", "", described)
