"""Only what Dask documents is used: no private name of its library, and only its plugins are derived from."""

import ast
from pathlib import Path

import pytest

from serbench import fleet
from serbench.fleet.wire import load

FLEET = Path(fleet.__file__).parent
MODULES = [*sorted(FLEET.glob("*.py")), *(FLEET.parent / "commands" / name for name in ("on.py", "fleet.py"))]
LIBRARIES = ("dask", "distributed", "tornado")


def private(name):
    return name.startswith("_") and not (name.startswith("__") and name.endswith("__"))


def private_names(source):
    """Private names that a module takes from others: attributes of anything but itself, and imports."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and private(node.attr):
            found += [] if isinstance(node.value, ast.Name) and node.value.id == "self" else [node.attr]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [*node.module.split("."), *(alias.name for alias in node.names)]
            found += [name for name in names if private(name)]
        elif isinstance(node, ast.Import):
            found += [part for alias in node.names for part in alias.name.split(".") if private(part)]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and "attr" in node.func.id:
            names = [each.value for each in node.args[1:2] if isinstance(each, ast.Constant)]
            found += [name for name in names if private(name)]
    return found


def replaced(source):
    """What a module replaces in Dask's modules."""
    found = []
    for node in ast.walk(ast.parse(source)):
        targets = node.targets if isinstance(node, ast.Assign) else []
        for target in (each for each in targets if isinstance(each, ast.Attribute)):
            name = ast.unparse(target)
            found += [name] if name.partition(".")[0] in LIBRARIES else []
    return found


def overrides(source):
    """Classes of Dask's that a module derives from, and the methods that it gives them."""
    for node in ast.walk(ast.parse(source)):
        for base in node.bases if isinstance(node, ast.ClassDef) else ():
            root, _, name = ast.unparse(base).partition(".")
            if root in LIBRARIES:
                kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
                yield name, [each.name for each in node.body if isinstance(each, kinds)]


def undocumented(source):
    """What a module overrides of Dask that is no documented method of a plugin."""
    distributed = load()
    return [
        f"{name}.{method}"
        for name, methods in overrides(source)
        for method in methods
        if not name.endswith("Plugin")
        or not (method == "__init__" or getattr(getattr(distributed, name), method, None).__doc__)
    ]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_no_private_name_is_used_and_nothing_is_replaced(path):
    source = path.read_text("utf-8")
    assert private_names(source) == [] and replaced(source) == []


def test_what_is_overridden_is_documented(certificates):
    found = [each for path in MODULES for each in overrides(path.read_text("utf-8"))]
    assert [name for name, _ in found] == ["SchedulerPlugin"], "else this test has nothing to look at"
    assert [each for path in MODULES for each in undocumented(path.read_text("utf-8"))] == []


def test_such_a_use_is_found(certificates):
    assert private_names("scheduler._task_to_msg(1)") == ["_task_to_msg"]
    assert private_names("from dask._task_spec import Task") == ["_task_spec"]
    assert private_names("getattr(scheduler, '_tasks')") == ["_tasks"]
    assert replaced("distributed.protocol.loads = loads") == ["distributed.protocol.loads"]
    for base, method in (("Scheduler", "valid_workers"), ("SchedulerPlugin", "invented")):
        source = f"class S(distributed.{base}):\n    def {method}(self): ...\n"
        assert undocumented(source) == [f"{base}.{method}"]
