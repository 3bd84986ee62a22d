"""The content-addressed cache of builds: a folder for each recipe, named by the recipe's digest."""

import hashlib
import json
import os
import shutil
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from serbench.build.contract import OUT, Put, Recipe
from serbench.build.records import BuildFailed
from serbench.build.replace import copy_replaced
from serbench.errors import shortened
from serbench.files import read_regular, scratch
from serbench.provision.process import Finished, run

_MARKS = ("error:", "error[E", "Error:", "undefined reference", "cannot find -l", "CMake Error", "fatal")
_LINES = 40
"""How many lines of what a program said are kept."""
_STEP_SECONDS = 3600.0
"""For what hangs: a long compilation on a busy machine takes many minutes."""
MOST_SAID = 16_000
LARGEST_SOURCE = 256_000_000
"""Bytes of a file that somebody's contender or library consists of."""
SIZES = ".sizes.json"
"""The sizes of a build's products, in its folder. They show whether a build was cut short."""
SECONDS = ".seconds.txt"
"""In the folder of a build: how long it took."""
WARNINGS = ".warnings.txt"
"""In the folder of a build: what its compiler warned of, if it did."""


class Store:
    """Builds below `root`, each done once, in a temporary folder that is moved into place when done."""

    def __init__(self, root: Path, places: Sequence[tuple[Path, str]]) -> None:
        """Take `places`, folders and the words that replace them in a key, so that a clone can move."""
        self.root = root
        self._places = [(str(folder), word) for folder, word in places]
        self._guard = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}
        self._failures: dict[str, BuildFailed] = {}

    def digest(self, recipe: Recipe) -> str:
        """The name of what `recipe` makes."""
        text = json.dumps([recipe.steps, recipe.inputs, recipe.products, recipe.keep])
        for folder, word in self._places:
            text = text.replace(json.dumps(folder)[1:-1], word)
        return hashlib.sha256(text.encode()).hexdigest()[:40]

    def make(self, recipe: Recipe) -> tuple[Path, str]:
        """The folder of `recipe` and its digest, from the cache or made now. Raises BuildFailed.

        Its inputs are texts, and nothing in it refers to other recipes any more.
        """
        digest = self.digest(recipe)
        folder = self.root / digest
        with self._guard:
            lock = self._locks.setdefault(digest, threading.Lock())
        with lock:
            if _is_whole(recipe, folder):
                return folder, digest
            if digest in self._failures:  # What many rows need is tried, and fails, only once.
                raise self._failures[digest]
            try:
                self._build(recipe, folder)
            except BuildFailed as error:
                self._failures[digest] = error
                raise
            except OSError as error:
                raise BuildFailed(f"{error.filename or folder}: {error.strerror}") from error
        return folder, digest

    def _build(self, recipe: Recipe, folder: Path) -> None:
        self.root.mkdir(parents=True, exist_ok=True)
        with scratch(self.root) as temporary:
            out = self._made(recipe, temporary)
            if _is_whole(recipe, folder):  # Another process has made it, and may start workers from it.
                return
            if folder.exists():
                shutil.rmtree(folder, ignore_errors=True)
            try:
                out.replace(folder)
            except OSError:
                if not _is_whole(recipe, folder):
                    raise

    def _made(self, recipe: Recipe, temporary: Path) -> Path:
        """The folder below `temporary` in which everything was made. Raises BuildFailed."""
        out = temporary / "out"
        out.mkdir()
        for each in recipe.put:
            _put(each, out / each.to)
        warnings = ""
        began = time.monotonic()
        for step in recipe.steps:
            command = [word.replace(OUT, str(out)) for word in step]
            done = run(command, cwd=out, timeout=_STEP_SECONDS)
            if not done.ok:
                raise self._failure(command[0], done, str(out))
            warnings += done.errors if "warning:" in done.errors else ""
        took = time.monotonic() - began
        for product in recipe.products:
            if not (out / product).is_file():
                raise BuildFailed(f"the build made no {product}", done.tail() if recipe.steps else "")
        if recipe.keep is not None:
            out = _kept(out, temporary / "kept", recipe.keep)
        sizes = {product: (out / product).stat().st_size for product in recipe.products}
        (out / SIZES).write_text(json.dumps(sizes), "utf-8")
        (out / SECONDS).write_text(f"{took:.3f}", "utf-8")
        if warnings:
            (out / WARNINGS).write_text(shortened(warnings, MOST_SAID), "utf-8")
        return out

    def _failure(self, program: str, done: Finished, out: str) -> BuildFailed:
        text = done.said.replace(out + os.sep, "")
        for folder, _ in self._places:
            text = text.replace(folder + os.sep, "")
        lines = text.splitlines()
        first = next((n for n, line in enumerate(lines) if _is_error(line)), None)
        # The first error explains the others, and what stands before it tells where; else the last lines do.
        begin = len(lines) - _LINES if first is None else first - _LINES // 4
        shown = lines[max(0, begin) :][:_LINES]
        output = shortened("\n".join(shown), MOST_SAID)
        if done.status == 127:
            return BuildFailed(f"there is no program {program}: sudo apt-get install {program}", output)
        if done.status == 124:
            return BuildFailed(f"{program} was stopped after {_STEP_SECONDS:.0f} s", output)
        said = lines[-1 if first is None else first].strip() if lines else program
        return BuildFailed(f"it does not build: {shortened(said)}", output)


def seconds_of(folder: Path) -> float | None:
    """How long the steps of a build took; None where that was not kept."""
    try:
        return float((folder / SECONDS).read_text("utf-8"))
    except (OSError, ValueError):
        return None


def _is_error(line: str) -> bool:
    """Whether a compiler or linker says what is wrong; what CMake looks for begins with two hyphens."""
    return any(mark in line for mark in _MARKS) and not line.startswith("-- ")


def _is_whole(recipe: Recipe, folder: Path) -> bool:
    """Whether `folder` holds all products, of the sizes that they had when they were made."""
    try:
        sizes = msgspec.json.decode((folder / SIZES).read_bytes(), type=dict[str, int])
    except FileNotFoundError:
        sizes = {}  # made by an older version
    except (OSError, msgspec.MsgspecError):
        return False
    for product in recipe.products:
        found = folder / product
        if not found.is_file() or found.stat().st_size != sizes.get(product, found.stat().st_size):
            return False
    return True


def _put(what: Put, target: Path) -> None:
    """Put a text, a copy of a folder, or a link where a recipe wants it. Raises BuildFailed."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if what.text is not None:
        target.write_text(what.text, "utf-8")
    if what.link is not None:
        target.symlink_to(what.link)
    if what.copy is not None and what.replace:
        copy_replaced(what.copy, what.replace, target)
    elif what.copy is not None:
        ignored = shutil.ignore_patterns(*what.without.split())
        shutil.copytree(what.copy, target, ignore=ignored, dirs_exist_ok=True)


def _kept(out: Path, target: Path, keep: Sequence[str]) -> Path:
    """Moves what is worth keeping of `out` to `target` and returns it."""
    for name in keep:
        _move(out / name, target / name)
    return target


def _move(source: Path, target: Path) -> None:
    """Moves a file or a folder; into a folder of which parts were moved before, the rest."""
    if source.is_dir() and target.is_dir():
        for child in source.iterdir():
            _move(child, target / child.name)
    elif source.exists() and not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        source.rename(target)


class Fingerprints:
    """Digests of files and folders, each found out once per process. All raise BuildFailed as `file` does."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, Path], str] = {}

    def file(self, path: Path) -> str:
        """The SHA-256 of a file's bytes; a word if there is no such file, which the compiler will say.

        Raises BuildFailed for what is no regular file or too large, which a compiler might read for ever.
        """
        return self._once("file", path, _hash_file)

    def folder(self, path: Path, without: str = "") -> str:
        """Return the digest of the names and bytes of files below `path`, less manifests and `without`."""
        return self._once(f"folder {without}", path, lambda path: _hash_folder(path, without))

    def tree(self, path: Path) -> str:
        """Return the digest of the names, sizes and times of all files below `path`: for large libraries."""
        return self._once("tree", path, _stat_tree)

    def _once(self, kind: str, path: Path, find: Callable[[Path], str]) -> str:
        key = (kind, path)
        if key not in self._known:
            self._known[key] = find(path)
        return self._known[key]


def _hash_file(path: Path) -> str:
    try:
        return hashlib.sha256(read_regular(path, LARGEST_SOURCE)).hexdigest()
    except FileNotFoundError:
        return "absent"
    except OSError as error:
        raise BuildFailed(f"{path} cannot be used: {error.strerror or error}") from error


def _hash_folder(path: Path, without: str) -> str:
    files = sorted(
        p for p in path.rglob("*") if not p.is_dir() and p.suffix != ".toml" and p != path / without
    )
    return hashlib.sha256(
        "\n".join(f"{p.relative_to(path)}\0{_hash_file(p)}" for p in files).encode(errors="surrogateescape")
    ).hexdigest()


def _stat_tree(path: Path) -> str:
    found: list[str] = []
    folders = [str(path)]
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    else:
                        about = entry.stat(follow_symlinks=False)
                        found.append(f"{entry.path}\0{about.st_size}\0{about.st_mtime_ns}")
        except OSError:
            continue
    text = "\n".join(sorted(found)).replace(str(path), "")
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()
