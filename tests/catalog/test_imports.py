"""The stages know only those before them; nothing below the command line knows the command line."""

import ast
from pathlib import Path

import pytest

import serbench

PACKAGE = Path(serbench.__file__).parent
# In the order of the design; `datasets` makes encodings with workers.
ORDER = ["catalog", "worker", "provision", "build", "datasets", "schemas", "verify", "measure"]
ORDER += ["probe", "results", "run", "platforms", "report", "history", "site", "conformance"]
ORDER += ["fleet", "commands"]
BASE = {"errors", "records", "project", "text", "files"}
"""What every stage may import, in addition to itself and the stages before it."""
TOP = {"cli", "__init__", "__main__"}


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


@pytest.mark.parametrize("stage", ORDER)
def test_a_stage_knows_only_the_ones_before_it(stage: str):
    modules = sorted((PACKAGE / stage).rglob("*.py"))
    assert modules
    allowed = BASE | set(ORDER[: ORDER.index(stage) + 1])
    wrong = {str(path.relative_to(PACKAGE)): imported(path) - allowed for path in modules}
    assert not {path: names for path, names in wrong.items() if names}


def test_every_package_is_a_stage_and_every_module_has_its_package():
    assert {path.parent.name for path in PACKAGE.glob("*/__init__.py")} == set(ORDER)
    assert {path.stem for path in PACKAGE.glob("*.py")} == BASE | TOP
