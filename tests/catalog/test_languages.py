"""No Python source of serbench names a language: what is to be known of one stands in its folder."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import serbench
from serbench.catalog.load import load_catalog
from serbench.project import ROOT

PACKAGE = Path(serbench.__file__).parent
NAMES = {"node", "node.js", "nodejs", "rust", "golang", "java", "c++", "gnu++17"}
"""Beside those of the harnesses: what a language is known by, and those that may come."""
ORDINARY = {"c", "C", "python", "Python", "go", "Go"}
"""A letter, what serbench itself is written in and runs on, and a verb."""
ELSEWHERE = {
    "provision/providers/npm.py": "registries know what they are for",
    "report/page/library.py": "the page's charts are drawn by a script, which its library makes",
    "kinds/conformance2016": "what other suites published, as they published it",
}
"""Where names are not those of a harness's language."""


def _names() -> re.Pattern[str]:
    harnesses = load_catalog(ROOT).harnesses
    ids = {name for each in harnesses.values() for pair in each.languages.items() for name in pair}
    found = sorted(re.escape(name.lower()) for name in (ids | NAMES) - ORDINARY)
    return re.compile(rf"(?<![a-z0-9_.])({'|'.join(found)})(?![a-z0-9+_])", re.IGNORECASE)


def _words(path: Path) -> Iterator[tuple[int, str]]:
    """All identifiers and texts of a module with their lines, except docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    docstrings = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield line, node.value
        for field in ("id", "attr", "arg", "name"):
            if isinstance(word := getattr(node, field, None), str):
                yield line, word.replace("_", " ")


def test_no_source_names_a_language() -> None:
    pattern, found = _names(), []
    for path in sorted(PACKAGE.rglob("*.py")):
        name = str(path.relative_to(PACKAGE))
        if not name.startswith(tuple(ELSEWHERE)):
            found += [f"{name}:{line}: {word}" for line, word in _words(path) if pattern.search(word)]
    assert found == []


def test_every_exception_is_one() -> None:
    for name in ELSEWHERE:
        assert (PACKAGE / name).exists(), name
