"""The stages know only those before them; nothing below the command line knows the command line."""

import ast
from pathlib import Path

import pytest

import serbench

PACKAGE = Path(serbench.__file__).parent
# In the order of the design; `datasets` makes encodings with workers.
ORDER = ["catalog", "provision", "build", "worker", "datasets", "verify", "measure"]
ORDER += ["probe", "firmware", "linux", "results", "report"]
BASE = {"errors", "records"}
FORBIDDEN_BELOW = {
    "cli",
    "commands",
    "doctor",
    "emulation",
    "growth",
    "growth_plan",
    "like",
    "opening",
    "options",
}
FORBIDDEN_BELOW |= {"precision", "probing", "project", "proving", "resume", "run", "scaffold", "selection"}
FORBIDDEN_BELOW |= {"show", "stages", "workshop"}


def imported(path: Path) -> set[str]:
    """The parts of this package that a module imports, by their first name."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            names = [node.module or ""]
            if node.module == "serbench":
                names = [f"serbench.{alias.name}" for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith("serbench.")}
    return found - {"__version__"}


def modules(stage: str) -> list[Path]:
    return sorted((PACKAGE / stage).rglob("*.py"))


@pytest.mark.parametrize("stage", ORDER)
def test_a_stage_knows_only_the_ones_before_it(stage: str):
    assert modules(stage)
    allowed = BASE | set(ORDER[: ORDER.index(stage) + 1])
    wrong = {str(path.relative_to(PACKAGE)): imported(path) - allowed for path in modules(stage)}
    assert not {path: names for path, names in wrong.items() if names}


def test_every_package_is_a_stage():
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert packages == {*ORDER, "commands"}


def test_nothing_below_knows_the_top():
    for stage in ORDER:
        for path in modules(stage):
            assert not imported(path) & FORBIDDEN_BELOW, path
    for name in FORBIDDEN_BELOW - {"cli", "commands"}:
        assert not imported(PACKAGE / f"{name}.py") & {"cli", "commands"}, name
    for path in modules("commands"):
        assert "cli" not in imported(path), path
