"""What a language's own tool fetches for a contender's lock files, once."""

import hashlib
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from serbench.catalog.records import Contender
from serbench.files import scratch
from serbench.provision.downloads import locked, must_be_allowed
from serbench.provision.process import run
from serbench.provision.records import Context, Unavailable
from serbench.provision.toolchain import Toolchain, need

_FETCH_SECONDS = 900.0


def fetch_once(
    contender: Contender,
    context: Context,
    *,
    what: str,
    home: Path,
    locks: Sequence[str],
    program: str,
    command: Callable[[Toolchain], list[str]],
) -> None:
    """Run `command` beside a copy of the contender, unless that was done for the same lock files.

    `what` is fetched, such as "crates", into the folder `home`, with the toolchain of the contender's
    language, which must have `program`. Raises Unavailable.
    """
    digest = hashlib.sha256(b"".join((contender.folder / name).read_bytes() for name in locks)).hexdigest()
    note = home / "fetched" / digest
    if note.is_file():
        return
    name = contender.folder.name
    must_be_allowed(f"the {what} of {name} are")
    if context.catalog is None:
        raise Unavailable("its harness is not known here")
    language, root = contender.manifest.language, context.catalog.root
    tools = need(root, context.cache, context.catalog.harness(language).toolchain.parts, program)
    with locked(home), scratch(home) as folder:
        # As they lie in the project, since the lock files name the harness by a path.
        place = folder / "contenders" / language / name
        shutil.copytree(contender.folder, place, ignore=shutil.ignore_patterns("target"))
        (folder / "harness").symlink_to(root.absolute() / "harness")
        done = run(command(tools), cwd=place, timeout=_FETCH_SECONDS)
    if not done.ok:
        said = "; ".join(line.strip() for line in done.errors.splitlines() if line.strip())
        raise Unavailable(f"the {what} of {name} could not be fetched: {said[:300]}")
    note.parent.mkdir(exist_ok=True)
    note.touch()
