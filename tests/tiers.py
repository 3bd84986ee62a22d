"""Which tests and which rows run: everything with --all, else what is quick and what a change touches.

A test's fixtures decide its tier. One that builds nothing is pure, and always runs. One that asks for
`built`, `ready` or `row` gets the rows of the field: contenders that a run measures if nobody names any, and
those that the change touches. A test that builds by itself (with `context`) runs with --all, and where the
change touches its folder, what that is named after (a stage, a language or a kind of run), or a module that
it imports.
"""

import ast
import os
import subprocess
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path, PurePosixPath

from serbench.catalog.records import Catalog
from serbench.project import ROOT

ALL = os.environ.get("SERBENCH_CHECK_ALL") == "1"
"""Whether everything is tested: ./check --all."""
PURE = os.environ.get("SERBENCH_CHECK_PURE") == "1"
"""Whether only pure tests run that start no other program: under each further Python (tests/pythons.py)."""
LANGUAGES = {path.name for path in (ROOT / "harness").iterdir() if path.is_dir()}
"""Folders of tests of a language are named after its harness."""
PROGRAMS = {
    "context",
    "serbench",
    "command",
    "shell",
    "node",
    "toolchain_of_node",
    "chromium",
    "copy_of_serbench",
}
"""Fixtures that build, or start the command line, another Python, Node.js or a browser."""
ROWS = {"built", "ready", "row"}
"""Fixtures that know which rows the field has."""
OUTSIDE = "not in the field of this change: ./check --all"


def changed(root: Path = ROOT) -> list[str]:
    """The files that differ from what was published last (origin's main branch, else the last commit).

    Paths are relative to `root`. Empty where there is no git, or nothing differs.
    """

    def git(*words: str) -> list[str]:
        done = subprocess.run(["git", "-C", root, *words], capture_output=True, text=True, check=False)
        return done.stdout.splitlines() if done.returncode == 0 else []

    base = git("merge-base", "HEAD", "origin/HEAD") or ["HEAD"]
    return sorted({*git("diff", "--name-only", base[0]), *git("ls-files", "--others", "--exclude-standard")})


def touched_contenders(catalog: Catalog, files: Iterable[str]) -> set[str]:
    """The ids of the contenders that a change of `files` touches.

    These are those whose folder or sources it changes, all of a changed harness, and those whose canonical
    encoding or format it changes.
    """
    paths = [PurePosixPath(file) for file in files]
    folders = {path.parts[:3] for path in paths if path.parts[0] == "contenders" and len(path.parts) > 3}
    harnesses = {path.parts[1] for path in paths if path.parts[0] == "harness" and len(path.parts) > 2}
    formats = {path.stem for path in paths if path.parts[0] == "formats" and len(path.parts) == 2}
    found = set()
    for name, contender in catalog.contenders.items():
        files_of = {contender.folder / test for test in contender.manifest.tests.values()}
        own = {contender.folder, *(file.resolve().parent for file in files_of)}
        parts = {each.relative_to(catalog.root).parts for each in own if each.is_relative_to(catalog.root)}
        if (
            parts & folders
            or contender.manifest.format in formats
            or catalog.harness_of(contender.manifest.language) in harnesses
        ):
            found.add(name)
    return found


def field(catalog: Catalog, files: Iterable[str], everything: bool = ALL) -> set[str]:
    """The ids of the contenders whose rows are tested."""
    if everything:
        return set(catalog.contenders)
    usual = {
        name
        for name, contender in catalog.contenders.items()
        if contender.manifest.common or contender.manifest.role != "contender"
    }
    return usual | touched_contenders(catalog, files)


def folder_of(parts: Sequence[str]) -> str:
    """The folder that stands for a path below tests/ or src/serbench/: its first, or its kind of run."""
    return parts[1] if parts[0] == "kinds" and len(parts) > 2 else parts[0]


def touched(files: Iterable[str]) -> set[str]:
    """What a change of `files` touches: folders below tests/, and modules by their full names.

    A folder is that of a test, or named after a stage, a language or a kind of run.
    """
    found = set()
    for path in map(PurePosixPath, files):
        for root in (("tests",), ("src", "serbench"), ("harness",), ("contenders",)):
            if path.parts[: len(root)] == root and len(path.parts) > len(root) + 1:
                found.add(folder_of(path.parts[len(root) :]))
        if path.parts[0] == "src" and path.suffix == ".py":
            found.add(".".join(path.with_suffix("").parts[1:]).removesuffix(".__init__"))
        if path.parts[0] == "platforms":
            found.add("serbench.platforms")
    return found


def places(test: Path, root: Path = ROOT) -> set[str]:
    """What touches the tests of a file below `root`/tests: its folder, and what it imports of serbench.

    A kind's test_go.py is of Go, too. Tests of a language need its rows, which are in the field only where
    the language itself is touched; so no module touches them.
    """
    parts = test.relative_to(root / "tests").parts
    names = {folder_of(parts)}
    if parts[0] == "kinds":
        names |= LANGUAGES & {test.stem.removeprefix("test_")}
    if LANGUAGES & names:
        return names
    for node in ast.walk(ast.parse(test.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("serbench"):
            modules = [f"{node.module}.{name.name}" for name in node.names]
        elif isinstance(node, ast.Import):
            modules = [name.name for name in node.names if name.name.startswith("serbench")]
        else:
            continue
        for module in modules:
            parts = module.split(".")
            names |= {".".join(parts[:count]) for count in range(2, len(parts) + 1)}
    return names


def runs(
    fixtures: Collection[str],
    where: Collection[str],
    is_touched: bool,
    everything: bool = ALL,
    pure: bool = PURE,
) -> bool:
    """Whether a test at these `places` that asks for `fixtures` runs; `is_touched` by the change or not.

    For tests of another language it does not matter which Python runs.
    """
    if pure:
        return not PROGRAMS & {*fixtures} and not (LANGUAGES - {"python"}) & {*where}
    return everything or "context" not in fixtures or bool(ROWS & {*fixtures}) or is_touched


def may_build(
    fixtures: Collection[str],
    is_touched: bool,
    everything: bool = ALL,
    pure: bool = PURE,
) -> bool:
    """Whether a test that runs may build: not if its fixtures say that it is pure."""
    return not pure and (everything or bool({"context", *ROWS} & {*fixtures}) or is_touched)
