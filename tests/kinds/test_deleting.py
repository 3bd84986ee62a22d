"""Each kind of run can be deleted: all else is as it was."""

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

import serbench
from serbench import kinds
from serbench.measure.records import Comparing
from serbench.project import ROOT
from serbench.results.schema import Run
from tests.linux.runs import counted_run
from tests.page.runs import probed_run, written
from tests.report.grown import growth_run
from tests.results.builder import synthetic_run

PACKAGE = Path(serbench.__file__).parent
FOLDERS = sorted(path.parent.name for path in PACKAGE.glob("kinds/*/__init__.py"))
LOOK = """
import importlib, json, pkgutil, sys
from pathlib import Path
from typer.testing import CliRunner
import serbench
from serbench.cli import app
from serbench.report.render import render
from serbench.results.load import load_run
for module in pkgutil.walk_packages(serbench.__path__, "serbench."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
reports = {path.stem: render([load_run(path)], "markdown") for path in Path(sys.argv[1]).glob("*.json")}
print(json.dumps({"help": CliRunner().invoke(app, ["--help"]).output, "reports": reports}))
"""


class Seen(NamedTuple):
    """What a copy of serbench shows."""

    commands: set[str]
    reports: dict[str, str]


def only(results: str) -> Run:
    """A run that has nothing but one list of results."""
    run = msgspec.structs.replace(synthetic_run(), rows=[], samples=[], failures=[], stops=[], datasets=[])
    return msgspec.structs.replace(run, **{results: getattr(probed_run(), results)})


def compared() -> Run:
    """A run of two contenders."""
    run = synthetic_run()
    run.settings.comparing = Comparing(new="c/mpack", old="c/yajl", threshold=0.03)
    return run


RUNS: dict[str, Callable[[], Run]] = {
    "times": synthetic_run,
    "growth": growth_run,
    "fidelity": lambda: only("fidelity"),
    "limits": lambda: only("payloads"),
    "strict": lambda: only("strict"),
    "linux": counted_run,
    "compare": compared,
}
"""By the kind of run."""


def seen(without: str, folder: Path) -> Seen:
    """What serbench shows of run files without one of its kinds of run, in a process of its own."""
    shutil.copytree(PACKAGE, folder / "src" / "serbench", ignore=shutil.ignore_patterns("__pycache__"))
    if without:
        shutil.rmtree(folder / "src" / "serbench" / "kinds" / without)
    (folder / "runs").mkdir()
    for name, make in RUNS.items():
        (folder / "runs" / f"{name}.json").write_bytes(written(make()))
    environment = {
        **os.environ,
        "PYTHONPATH": str(folder / "src"),
        "SERBENCH_ROOT": str(ROOT),
        "COLUMNS": "99",
    }
    words = [sys.executable, "-c", LOOK, folder / "runs"]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    return Seen(set(re.findall(r"^│ ([a-z]+) ", found["help"], re.MULTILINE)), found["reports"])


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """What it shows with all of them."""
    return seen("", tmp_path_factory.mktemp("whole"))


def commands_of(kind: str) -> set[str]:
    parts = import_module(f"serbench.kinds.{kind}").KIND
    return {part.function.__name__ for part in parts if isinstance(part, kinds.Command)}


@pytest.mark.parametrize("kind", FOLDERS)
def test_without_a_kind_all_else_is_as_it_was(kind: str, whole: Seen, tmp_path: Path) -> None:
    left = seen(kind, tmp_path)
    assert left.commands == whole.commands - commands_of(kind)
    assert {"run", "report", "count"} | commands_of(kind) <= whole.commands
    assert left.reports.keys() == RUNS.keys()
    assert left.reports | {kind: ""} == whole.reports | {kind: ""}
