"""What ./check runs once everything is set up: `python -m tests.check [PYTEST ARGUMENT...]`.

First the builds, then the tests, and linters beside them. With --all (SERBENCH_CHECK_ALL=1) all of them, and
the pure tests under each further Python too; else linters of what changed, and the tests of tests/tiers.py.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from serbench.catalog.load import load_catalog
from serbench.project import CACHE, ROOT
from tests.languages import harnesses_here
from tests.tiers import ALL, changed, field

Files = list[PurePosixPath]
PROCESSORS = len(os.sched_getaffinity(0))
NATIVE = (".c", ".h", ".cpp", ".hpp")
SOURCES = ("harness", "contenders", "formats", "platforms", "tests", "benchmarks")


class Step(NamedTuple):
    """What runs beside the tests: its name, and its command for changed files, None if it need not run."""

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
        outside = ("benchmarks", "datasets", "tests/linters.py", "biome.json", "rustfmt.toml")
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


class Steps:
    """Do the steps that `files` need beside each other, and print what each says when it ends."""

    def __init__(self, files: Files) -> None:
        self.failed: list[str] = []
        self._pool = ThreadPoolExecutor(PROCESSORS + 1)  # some wait
        wanted = {step.name: command for step in STEPS if (command := step.command(files))}
        self._running = {name: self._pool.submit(self._do, name, command) for name, command in wanted.items()}

    def _do(self, name: str, command: list[str]) -> None:
        began = time.monotonic()
        done = subprocess.run(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        how = "done" if done.returncode == 0 else "failed"
        print(f"\n== {name}: {how} ({time.monotonic() - began:.0f} s)\n{done.stdout}", end="", flush=True)
        if done.returncode != 0:
            self.failed.append(name)

    def wait(self, *names: str) -> None:
        """Until these have ended; all if none is named."""
        for name in names or self._running:
            self._running[name].result()


def run_tests(arguments: list[str]) -> tuple[int, str]:
    """Run pytest, and pass on what it prints; its exit status and its last line.

    One more test runs at a time than there are processors, as some wait. The tests of a file share what they
    build or measure, and stay together; tests/conftest.py puts the longest files first.
    """
    words = ["pytest", "-n", str(PROCESSORS + 1), "--dist", "loadfile", "--no-loadscope-reorder"]
    if sys.stdout.isatty():
        words.append("--color=yes")
    said = b""
    with subprocess.Popen(_module(*words, *arguments), cwd=ROOT, stdout=subprocess.PIPE) as tests:
        assert tests.stdout is not None
        while part := os.read(tests.stdout.fileno(), 65536):
            sys.stdout.buffer.write(part)
            sys.stdout.buffer.flush()
            said = (said + part)[-1000:]
    return tests.returncode, said.decode(errors="replace").strip().rpartition("\n")[2]


def main(arguments: list[str]) -> int:
    """Run everything, and go on after what fails; the exit status. What pytest counts comes last."""
    steps = Steps([PurePosixPath(file) for file in changed()])
    steps.wait("build")
    print("== pytest", flush=True)
    status, count = run_tests(arguments)
    steps.wait()
    print(f"\n== failed beside the tests: {', '.join(steps.failed) or 'nothing'}\n{count}", flush=True)
    return 1 if steps.failed else status


if __name__ == "__main__":
    CACHE.mkdir(exist_ok=True)
    sys.exit(main(sys.argv[1:]))
