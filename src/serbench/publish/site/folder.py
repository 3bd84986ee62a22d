"""The folder of a site: what an earlier site left there is replaced, and nothing else."""

from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from serbench.errors import UserError
from serbench.files import read_regular, replace_file

LIST = "serbench-site.txt"
"""The file that names all files of a site. What it does not name is not removed."""
MOST_BYTES = 10_000_000


def write_site(pages: Iterable[tuple[str, bytes]], folder: Path) -> int:
    """Write the `pages`, paths and what they hold, into `folder`, and return how many there are.

    The folder is new, or empty, or has an earlier site, of which files that are not made again are removed.
    Raises UserError for another folder.
    """
    earlier = _earlier(folder)
    made = []
    for path, content in pages:
        replace_file(folder / path, content, lasting=False)
        made.append(path)
    replace_file(folder / LIST, "".join(f"{path}\n" for path in sorted(made)).encode())
    for path in earlier - set(made):
        (folder / path).unlink(missing_ok=True)
    return len(made)


def _earlier(folder: Path) -> set[str]:
    """Return the paths of an earlier site's files."""
    try:
        if not folder.exists() or not any(folder.iterdir()):
            return set()
        lines = read_regular(folder / LIST, MOST_BYTES).decode(errors="replace").splitlines()
    except NotADirectoryError as error:
        raise UserError(f"cannot write {folder}: it is not a folder") from error
    except OSError as error:
        raise UserError(f"{folder} has other files than those of a site: choose a new folder") from error
    return {line for line in lines if _inside(PurePosixPath(line)) and not (folder / line).is_symlink()}


def _inside(path: PurePosixPath) -> bool:
    return bool(path.parts) and not path.is_absolute() and ".." not in path.parts
