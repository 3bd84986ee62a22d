"""What ./check runs once everything is set up: `python -m tests.check [PYTEST ARGUMENT...]`.

First the linters and the builds beside each other, then the tests. With --all (SERBENCH_CHECK_ALL=1) all of
them, and the pure ones under each further Python too; else the linters of what changed and the tests of
tests/tiers.py.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from serbench.catalog.load import load_catalog
from serbench.project import CACHE, ROOT
from tests.languages import harnesses_here
from tests.tiers import ALL, changed, field

Files = list[PurePosixPath]
NATIVE = (".c", ".h", ".cpp", ".hpp")
SOURCES = ("harness", "contenders", "formats", "platforms", "tests", "benchmarks")


class Step(NamedTuple):
    """What comes before the tests: its name, and its command for changed files, None if it need not run."""

    name: str
    command: Callable[[Files], list[str] | None]


def _module(*words: str) -> list[str]:
    return [sys.executable, "-m", *words]


def _always(*words: str) -> Callable[[Files], list[str] | None]:
    return lambda _files: [*words]


def _if_any(suffixes: Iterable[str], *words: str) -> Callable[[Files], list[str] | None]:
    """The command if a file with one of these endings has changed."""
    endings = {*suffixes}
    return lambda files: [*words] if ALL or any(file.suffix in endings for file in files) else None


def _of_language(language: str) -> Callable[[Files], list[str] | None]:
    """The linter tests/`language`/lint.py, which takes folders of contenders: those that changed.

    All, where something else changed that it may look at.
    """

    def command(files: Files) -> list[str] | None:
        own = {("harness", language), ("tests", language)}
        outside = ("benchmarks", "datasets", "tests/linters.py")
        if ALL or any(file.parts[:2] in own or str(file).startswith(outside) for file in files):
            return _module(f"tests.{language}.lint")
        parts = sorted({file.parts[:3] for file in files if file.parts[:2] == ("contenders", language)})
        folders = [str(Path(*each)) for each in parts if Path(ROOT, *each).is_dir()]
        return _module(f"tests.{language}.lint", *folders) if folders else None

    return command


def _native_format(_files: Files) -> list[str]:
    sources = [path for name in SOURCES for path in (ROOT / name).rglob("*") if path.suffix in NATIVE]
    program = Path(sys.executable).with_name("clang-format")
    return [str(program), "--dry-run", "--Werror", *(str(path.relative_to(ROOT)) for path in sorted(sources))]


def _build(files: Files) -> list[str]:
    """Build the rows that tests wait for. One that fails does not count here."""
    catalog = load_catalog(ROOT)
    here = {language for name in harnesses_here(catalog) for language in catalog.harnesses[name].languages}
    chosen = field(catalog, map(str, files))
    able = sorted(name for name in chosen if catalog.contenders[name].manifest.language in here)
    named = ["--languages", ",".join(sorted(here))] if ALL else ["--contenders", ",".join(able)]
    return _module("serbench", "list", *named)


LANGUAGES = sorted(path.parent.name for path in Path(__file__).parent.glob("*/lint.py"))
"""Those that have a linter of their own."""
STEPS = [
    Step("build", _build),
    Step("other Pythons", lambda _files: _module("tests.pythons") if ALL else None),
    *(Step(f"lint {language}", _of_language(language)) for language in LANGUAGES),
    Step("mypy", _if_any([".py", ".toml", ".lock"], *_module("mypy"))),
    Step("ruff check", _always(*_module("ruff", "check", "."))),
    Step("ruff format", _always(*_module("ruff", "format", "--check", "."))),
    Step("clang-format", _native_format),
]
"""The longest come first."""


def prepare(files: Files) -> list[str]:
    """Do the steps that `files` need, and print what each says; the names of those that failed."""

    def run(command: list[str]) -> tuple[subprocess.CompletedProcess[str], float]:
        began = time.monotonic()
        done = subprocess.run(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        return done, time.monotonic() - began

    failed = []
    wanted = {step.name: command for step in STEPS if (command := step.command(files))}
    with ThreadPoolExecutor(len(os.sched_getaffinity(0)) + 1) as pool:  # some wait
        running = {pool.submit(run, command): name for name, command in wanted.items()}
        for future in as_completed(running):
            (done, took), name = future.result(), running[future]
            how = "done" if done.returncode == 0 else "failed"
            print(f"== {name}: {how} ({took:.0f} s)\n{done.stdout}", end="", flush=True)
            if done.returncode != 0:
                failed.append(name)
    return failed


def main(arguments: list[str]) -> int:
    """Run everything, and go on after what fails; the exit status."""
    files = [PurePosixPath(file) for file in changed()]
    failed = prepare(files)
    if failed:
        print(f"== failed before the tests: {', '.join(failed)}")
    print("== pytest", flush=True)
    # One more at a time than there are processors, as some wait. The tests of a file share what they build or
    # measure, and stay together; tests/conftest.py puts the longest files first.
    words = ["pytest", "-n", str(len(os.sched_getaffinity(0)) + 1), "--dist", "loadfile"]
    tests = subprocess.run(_module(*words, "--no-loadscope-reorder", *arguments), cwd=ROOT, check=False)
    return 1 if failed else tests.returncode


if __name__ == "__main__":
    CACHE.mkdir(exist_ok=True)
    sys.exit(main(sys.argv[1:]))
