"""Unpacking an archive of sources, with nothing written outside of the folder that it goes to."""

import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

from serbench.provision.records import Unavailable


def unpack(archive: Path, target: Path) -> None:
    """Unpack `archive`, whose only top folder, if it has just one, becomes `target`.

    Raises Unavailable, OSError, EOFError or TarError.
    """
    inside = Path(tempfile.mkdtemp(dir=target.parent))
    with tarfile.open(archive) as tar:
        # Debian 12's Python lacks this filter, so that the members are checked here too.
        tar.extraction_filter = getattr(tarfile, "data_filter", None)
        tar.extractall(inside, members=_harmless(tar))  # noqa: S202  (it refuses what is harmful)
    children = list(inside.iterdir())
    (children[0] if len(children) == 1 and children[0].is_dir() else inside).rename(target)


def _harmless(tar: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """The files and folders of an archive; raises Unavailable if one would be written outside.

    Links, which no library needs to be built, are left out, so that nothing can be written through one.
    """
    for member in tar:
        path = Path(member.name)
        if path.is_absolute() or ".." in path.parts:
            raise Unavailable(f"its archive holds the name '{member.name}', which leads outside")
        if member.isfile() or member.isdir():
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            yield member
