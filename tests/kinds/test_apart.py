"""Tests and experiments name no kind of run, but those of that kind: so its folder can be deleted."""

import ast
from pathlib import Path

from serbench.project import ROOT
from tests.catalog.test_imports import KINDS, imported

THEIRS = {"benchmarks/json_test_suite.py": "strict"}
"""What stands elsewhere and is deleted with a kind."""


def strings(path: Path) -> set[str]:
    """The kinds that a module names in strings, as monkeypatch takes them; pytest.importorskip may."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    asked = {id(arg) for call in calls if "importorskip" in ast.unparse(call.func) for arg in call.args}
    constants = [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and id(n) not in asked]
    texts = (str(constant.value) for constant in constants)
    return {f"kinds.{text.split('.')[2]}" for text in texts if text.startswith("serbench.kinds.")}


def test_no_test_names_another_kind():
    paths = [path for top in ("tests", "benchmarks", "harness") for path in ROOT.glob(f"{top}/**/*.py")]
    wrong = {}
    for path in paths:
        name = str(path.relative_to(ROOT))
        own = path.parent.name if name.startswith("tests/kinds/") else THEIRS.get(name, "")
        kinds = {f"kinds.{kind}" for kind in KINDS} - {f"kinds.{own}"}
        if found := (imported(path) | strings(path)) & kinds:
            wrong[name] = found
    assert len(paths) > 300 and not wrong
