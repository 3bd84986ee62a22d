"""The optional parts of the set-up: large, and installed only when somebody asks for them.

A part is a file setup/<name>.toml with the lock of its packages beside it, Python wheels unless it names
another registry; it is installed whole or not at all into a folder of its own below the cache.
"""

import re
import shutil
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

from serbench.catalog.load import read_manifest
from serbench.catalog.manifest import Manifest
from serbench.errors import UserError, unknown
from serbench.files import scratch, sha256
from serbench.provision.process import run
from serbench.provision.records import Unavailable

STAMP = "serbench-lock"
"""A file in the folder of a part, which says what lock it was installed from."""


class Part(Manifest, frozen=True, kw_only=True):
    """setup/<name>.toml."""

    title: str
    """What it is and what it is for."""
    registry: str = "pypi"
    """The kind of provider that installs its lock."""
    lock: str
    """The packages and their hashes, a file in setup/."""
    folder: str
    """Where it goes, below the cache."""
    file: str
    """A file that is there once it is installed, or the pattern of one whose name depends on the machine."""
    imported: bool = False
    """Whether this Python imports it: what was installed for another one, it cannot."""
    held: str = ""
    """Why its version stays although there are newer ones."""
    download_mb: int
    disk_mb: int
    tool: str = ""
    """For a toolchain: what messages call it, ..."""
    programs: dict[str, list[str]] = {}
    """... its programs in PATH, with the command of each here: files in its folder, or patterns, ..."""
    version: list[str] = []
    """... one of these programs with the options that make it print its version, ..."""
    least: str = ""
    """... and the least version that will do, `20`, ..."""
    series: str = ""
    """... or the only one, `0.17`."""

    def announcement(self, place: str) -> str:
        """One sentence that says what will be downloaded from `place`, how large it is and where it goes."""
        return (
            f"{self.title}: about {self.download_mb} MB to download from {place}, "
            f"{self.disk_mb} MB on the disk, into .cache/{self.folder}"
        )


def load_parts(root: Path) -> dict[str, Part]:
    """All parts of the project at `root`, by name. Raises UserError for a file that cannot be read."""
    return {path.stem: read_manifest(path, Part) for path in sorted((root / "setup").glob("*.toml"))}


def find_part(root: Path, name: str) -> Part:
    """The part `name`. Raises UserError if there is none."""
    parts = load_parts(root)
    if name not in parts:
        raise unknown("part of the set-up", name, parts)
    return parts[name]


def locked_versions(lock: str) -> dict[str, str]:
    """The packages that a text in the form of requirements.lock pins, with their versions."""
    return dict(re.findall(r"^([A-Za-z0-9][A-Za-z0-9._-]*)==([^\s;\\]+)", lock, re.MULTILINE))


def newest_release(package: str) -> str | Unavailable:
    """The newest release of a Python package, or why nobody knows."""
    words = [
        "index",
        "versions",
        "--disable-pip-version-check",
        "--no-input",
        "--retries",
        "1",
        "--timeout",
        "10",
    ]
    done = run([sys.executable, "-m", "pip", *words, "--", package], timeout=60)
    found = re.match(r"\S+ \(([^)]+)\)", done.output)
    if found is None:
        return Unavailable(f"the Python package index does not say what is new of {package}: {done.tail(1)}")
    return found.group(1)


Fetch = Callable[[Path, Path, Part, Path], None]
"""Fetches what the lock of a part of the project at a root names, with a cache, into a folder that is to be
made. Raises UserError, or Unavailable."""


def find_file(folder: Path, pattern: str) -> Path:
    """The file of `folder` that `pattern` names, or would name."""
    return next(iter(sorted(folder.glob(pattern))), folder / pattern)


def is_present(root: Path, cache: Path, part: Part) -> bool:
    """Whether `part` is installed, and from the lock as it is now."""
    folder = cache / part.folder
    try:
        stamp = (folder / STAMP).read_bytes()
    except OSError:
        return False
    return stamp == _stamp(root, part).encode() and find_file(folder, part.file).is_file()


def _stamp(root: Path, part: Part) -> str:
    """What tells from which lock a part is installed, and for which Python if that matters."""
    interpreter = f" {sysconfig.get_config_var('EXT_SUFFIX')}" if part.imported else ""
    return sha256(root / "setup" / part.lock) + interpreter


def install(root: Path, cache: Path, part: Part, fetch: Fetch) -> None:
    """Install `part`, replacing what is there of it. Raises what `fetch` does, with nothing changed then."""
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with scratch(cache) as folder:
            made = folder / "made"
            fetch(root, cache, part, made)
            program = find_file(made, part.file)
            if not program.is_file():
                raise UserError(f"what was installed has no {part.file}")
            program.chmod(0o755)
            (made / STAMP).write_text(_stamp(root, part), "utf-8")
            shutil.rmtree(cache / part.folder, ignore_errors=True)
            made.replace(cache / part.folder)
    except OSError as error:
        raise UserError(f"{error.filename or cache}: {error.strerror}") from error
