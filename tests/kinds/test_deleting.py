"""Each kind of run can be deleted, with its tests: all else is as it was."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from page.build import bundle

import serbench
from serbench import kinds
from serbench.measure.records import Comparing, Plan
from serbench.project import ROOT
from serbench.provision.toolchain import Toolchain
from serbench.results.schema import Run
from tests.firmware.test_counts_report import run_of
from tests.linux.runs import counted_run
from tests.page.conftest import packages, toolchain_of_node
from tests.page.runs import probed_run, written
from tests.report.grown import growth_run
from tests.results.builder import synthetic_run

__all__ = ["packages", "toolchain_of_node"]  # fixtures

PACKAGE = Path(serbench.__file__).parent
FOLDERS = sorted(path.parent.name for path in PACKAGE.glob("kinds/*/__init__.py"))
LOOK = """
import hashlib, importlib, json, pkgutil, sys
from pathlib import Path
from typer.testing import CliRunner
import serbench
from serbench.cli import app
from serbench.report.page.make import page
from serbench.report.render import render
from serbench.results.load import load_run
for module in pkgutil.walk_packages(serbench.__path__, "serbench."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
runs = {path.stem: load_run(path) for path in Path(sys.argv[1]).glob("*.json")}
reports = {name: render([run], "markdown") for name, run in runs.items()}
pages = {name: len(page([run])) > 100_000 for name, run in runs.items()}
print(json.dumps({"help": CliRunner().invoke(app, ["--help"]).output, "reports": reports, "pages": pages}))
"""
PURE = (
    "catalog/test_imports.py",
    "catalog/test_load.py",
    "cli/test_help.py",
    "report/test_compare.py",
    "results/test_answer.py",
    "results/test_schema_doc.py",
)
"""Tests that are quick and start no other program: they pass without any kind of run."""


class Seen(NamedTuple):
    """What a copy of serbench shows."""

    commands: set[str]
    reports: dict[str, str]
    pages: dict[str, bool]
    """Whether a page was made of each run."""


def only(results: str) -> Run:
    """A run that has nothing but one list of results."""
    run = msgspec.structs.replace(synthetic_run(), rows=[], samples=[], failures=[], stops=[], datasets=[])
    return msgspec.structs.replace(run, **{results: getattr(probed_run(), results)})


def compared() -> Run:
    """A run of two contenders."""
    run = synthetic_run()
    run.settings.comparing = Comparing(new="c/mpack", old="c/yajl", threshold=0.03)
    return run


def counted(name: str, kind: str) -> Run:
    """A run on a board or a microcontroller."""
    run = run_of((name, kind, 1.0))
    run.settings.plan = Plan(kind="board" if kind == "board" else "count", platforms=[name])
    return run


RUNS: dict[str, Callable[[], Run]] = {
    "times": synthetic_run,
    "growth": growth_run,
    "fidelity": lambda: only("fidelity"),
    "limits": lambda: only("payloads"),
    "strict": lambda: only("strict"),
    "linux": counted_run,
    "compare": compared,
    "microcontroller": lambda: counted("avr", "emulated"),
    "board": lambda: counted("uno", "board"),
}
"""By the kind of run."""


def copied(without: str, folder: Path) -> dict[str, str]:
    """Make a copy of the project in `folder` without a kind of run and its tests; its environment."""
    skipped = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, folder / "src" / "serbench", ignore=skipped)
    shutil.copytree(ROOT / "tests", folder / "tests", ignore=skipped, symlinks=True)
    for path in ROOT.iterdir():
        if path.name not in ("src", "tests") and not path.name.startswith("."):
            (folder / path.name).symlink_to(path)
    if without:
        shutil.rmtree(folder / "src" / "serbench" / "kinds" / without)
        shutil.rmtree(folder / "tests" / "kinds" / without)
    return {**os.environ, "PYTHONPATH": f"{folder / 'src'}:{folder}", "COLUMNS": "99", "PYTEST_ADDOPTS": ""}


def run_in(folder: Path, environment: dict[str, str], *words: object) -> str:
    """Run Python in a copy; its output."""
    command = [sys.executable, *map(str, words)]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    return done.stdout


def seen(folder: Path, environment: dict[str, str]) -> Seen:
    """What the copy shows of run files."""
    (folder / "runs").mkdir()
    for name, make in RUNS.items():
        (folder / "runs" / f"{name}.json").write_bytes(written(make()))
    found = json.loads(run_in(folder, environment, "-c", LOOK, folder / "runs"))
    commands = set(re.findall(r"^│ ([a-z]+) ", found["help"], re.MULTILINE))
    return Seen(commands, found["reports"], found["pages"])


@pytest.fixture(scope="module")
def copy_of_serbench(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """What it shows with all of them."""
    folder = tmp_path_factory.mktemp("whole")
    return seen(folder, copied("", folder))


def commands_of(kind: str) -> set[str]:
    parts = import_module(f"serbench.kinds.{kind}").KIND
    return {part.function.__name__ for part in parts if isinstance(part, kinds.Command)}


@pytest.mark.parametrize("kind", FOLDERS)
def test_without_a_kind_all_else_is_as_it_was(kind: str, copy_of_serbench: Seen, tmp_path: Path) -> None:
    whole, environment = copy_of_serbench, copied(kind, tmp_path)
    left = seen(tmp_path, environment)
    assert left.commands == whole.commands - commands_of(kind)
    assert {"run", "report", "count"} | commands_of(kind) <= whole.commands
    assert left.reports.keys() == RUNS.keys()
    assert left.reports | {kind: ""} == whole.reports | {kind: ""}
    assert left.pages == dict.fromkeys(RUNS, True)
    tests = (tmp_path / "tests" / name for name in PURE)
    said = run_in(
        tmp_path, environment, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *tests
    )
    assert re.search(r"^[0-9]+ passed", said, re.MULTILINE) and "skipped" not in said, said


@pytest.mark.parametrize("kind", [path.parts[-3] for path in PACKAGE.glob("kinds/*/page/part.mjs")])
def test_the_page_is_bundled_without_a_kind(
    kind: str, toolchain_of_node: Toolchain, packages: Path, tmp_path: Path
) -> None:
    copied(kind, tmp_path)
    (tmp_path / "page").unlink()
    shutil.copytree(ROOT / "page", tmp_path / "page")
    made = [
        bundle(root / "page" / "main.mjs", packages, toolchain_of_node, "--minify", root=root)
        for root in (ROOT, tmp_path)
    ]
    assert len(made[0]) - 10_000 < len(made[1]) < len(made[0]) - 500
