"""Which serbench this is: the commit of its clone, and a digest of its own sources."""

import functools
import hashlib
from pathlib import Path

from serbench.files import sha256
from serbench.provision.process import run
from serbench.results.schema import Revision

FOLDERS = ("src", "harness", "formats", "platforms")
"""What decides how something is measured; contenders have a digest each, on their rows."""
_MADE = {"__pycache__", "node_modules"}
_DIGITS = 16


def sources_digest(root: Path) -> str:
    """Return a digest of the names and contents of all files in FOLDERS below `root`."""
    whole = hashlib.sha256()
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root)
            made = any(part in _MADE or part.endswith(".egg-info") for part in name.parts)
            if path.is_file() and not made:
                whole.update(f"{name.as_posix()} {sha256(path)}\n".encode())
    return whole.hexdigest()[:_DIGITS]


def revision_of(root: Path) -> Revision:
    """Return the revision of the project at `root`; without a commit where that is no clone of its own."""
    sources = sources_digest(root)
    top = run(["git", "-C", root, "rev-parse", "--show-toplevel", "HEAD"])
    words = top.output.split("\n")
    if not top.ok or len(words) < 2 or Path(words[0]).resolve() != root.resolve():
        return Revision(sources=sources)
    changes = run(["git", "-C", root, "status", "--porcelain", "--untracked-files=no"])
    return Revision(sources=sources, commit=words[1].strip(), changed=bool(changes.output.strip()))


@functools.cache
def own_revision(root: Path) -> Revision:
    """Return the revision of this serbench, whose clone is `root`, as it was when it was first asked for."""
    return revision_of(root)


def name_of(revision: Revision | None) -> str:
    """Return the revision for people: `git 0123456789ab, changed`; empty where it is not known."""
    if revision is None:
        return ""
    if not revision.commit:
        return f"sources {revision.sources}"
    return f"git {revision.commit[:12]}" + (
        f", changed (sources {revision.sources})" if revision.changed else ""
    )
