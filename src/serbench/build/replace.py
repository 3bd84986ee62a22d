"""A copy of a library's sources in which some texts are replaced, as its manifest says."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from serbench.build.records import BuildFailed
from serbench.catalog.source import Replacement


def copy_replaced(root: Path, replacements: Sequence[Replacement], target: Path) -> None:
    """Copy the folder `root` into the folder `target` and apply `replacements` there, one after another.

    Raises BuildFailed if a text does not occur in its file exactly as often as stated: then the library is
    not the one that the manifest was written for.
    """
    shutil.copytree(root, target, symlinks=True, dirs_exist_ok=True)
    for wanted in replacements:
        path = target / wanted.file
        if not path.is_file() or not path.resolve().is_relative_to(target.resolve()):
            raise BuildFailed(f"replace: the library has no file {wanted.file}")
        text = path.read_bytes()
        found = text.count(wanted.from_.encode())
        if found != wanted.times:
            raise BuildFailed(
                f"replace: {wanted.file} has {wanted.from_!r} {found} times, not {wanted.times}: "
                "the library differs from the one that the manifest was written for"
            )
        path.write_bytes(text.replace(wanted.from_.encode(), wanted.to.encode()))
