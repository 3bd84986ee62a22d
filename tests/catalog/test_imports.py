"""The stages know only those before them, and no kind of run; a kind of run knows no other."""

import ast
from pathlib import Path

import pytest

import serbench

PACKAGE = Path(serbench.__file__).parent
# In the order of the design; `datasets` makes encodings with workers.
ORDER = ["catalog", "worker", "provision", "build", "datasets", "schemas", "verify", "measure"]
ORDER += ["results", "run", "platforms", "report", "publish", "fleet", "commands"]
KINDS = sorted(path.parent.name for path in PACKAGE.glob("kinds/*/__init__.py"))
BASE = {"errors", "records", "project", "text", "files", "kinds"}
"""What every stage may import, in addition to itself and the stages before it; of kinds, what finds them."""
TOP = {"cli", "__init__", "__main__"}


def imported(path: Path) -> set[str]:
    """The parts of this package that a module imports: stages by their first name, kinds of run by two."""
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
            if node.module == "serbench.kinds":
                names = [f"serbench.kinds.{alias.name}" for alias in node.names]
        for name in names:
            _, stage, module, *_ = [*name.split("."), "", ""]
            if name.startswith("serbench."):
                found.add(f"{stage}.{module}" if stage == "kinds" and module in KINDS else stage)
    return found - {"__version__"}


@pytest.mark.parametrize("stage", ORDER)
def test_a_stage_knows_only_the_ones_before_it(stage: str):
    modules = sorted((PACKAGE / stage).rglob("*.py"))
    assert modules
    allowed = BASE | set(ORDER[: ORDER.index(stage) + 1])
    wrong = {str(path.relative_to(PACKAGE)): imported(path) - allowed for path in modules}
    assert not {path: names for path, names in wrong.items() if names}


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_of_run_knows_no_other(kind: str):
    allowed = BASE | set(ORDER) | {f"kinds.{kind}"}
    modules = (PACKAGE / "kinds" / kind).rglob("*.py")
    wrong = {str(path.relative_to(PACKAGE)): imported(path) - allowed for path in modules}
    assert not {path: names for path, names in wrong.items() if names}


def test_every_package_is_a_stage_and_every_module_has_its_package():
    assert {path.parent.name for path in PACKAGE.glob("*/__init__.py")} == {*ORDER, "kinds"}
    assert {path.stem for path in PACKAGE.glob("*.py")} == BASE - {"kinds"} | TOP
