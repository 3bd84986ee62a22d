"""Which tests and rows ./check takes for a change."""

import subprocess
from pathlib import Path

import pytest

from serbench.build.contract import Put, Recipe
from serbench.build.store import Store
from serbench.project import ROOT
from tests.conftest import Builds
from tests.tiers import changed, field, may_build, places, runs, touched, touched_contenders


def _git(folder: Path, *words: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@localhost"]
    subprocess.run(["git", "-C", folder, *identity, *words], check=True, capture_output=True)


def test_what_differs_from_what_was_published_has_changed(tmp_path):
    upstream, clone = tmp_path / "upstream", tmp_path / "clone"
    upstream.mkdir()
    _git(upstream, "init", "--initial-branch", "main")
    (upstream / "old").write_text("old")
    (upstream / ".gitignore").write_text("ignored")
    _git(upstream, "add", ".")
    _git(upstream, "commit", "--message", "one")
    assert changed(upstream) == []
    _git(tmp_path, "clone", "upstream", "clone")
    (clone / "committed").write_text("1")
    _git(clone, "add", ".")
    _git(clone, "commit", "--message", "two")
    (clone / "old").write_text("changed")
    (clone / "new").write_text("2")
    (clone / "ignored").write_text("3")
    assert changed(clone) == ["committed", "new", "old"]
    assert changed(tmp_path / "nowhere") == []


@pytest.mark.parametrize(
    ("file", "touched", "spared"),
    [
        ("contenders/rust/simd-json/main.rs", "rust/simd-json", "rust/sonic-rs"),
        ("harness/go/serbench/hash.go", "go/sonic", "java/moshi"),
        ("harness/c/src/main.c", "cpp/glaze", "zig/std-json"),
        ("formats/cbor.toml", "c/tinycbor", "c/jansson"),
        ("contenders/c/contenders.md", None, "c/jansson"),
        ("src/serbench/measure/ranks.py", None, "c/jansson"),
        ("README.md", None, "c/jansson"),
    ],
)
def test_a_file_touches_contenders(file, touched, spared, catalog):
    found = touched_contenders(catalog, [file])
    assert spared in catalog.contenders and spared not in found
    assert touched in found if touched else not found
    assert found <= field(catalog, [file], everything=False)


def test_contenders_that_include_a_changed_folder_are_touched(catalog):
    shared = {
        name: source.resolve().relative_to(catalog.root)
        for name, contender in catalog.contenders.items()
        for test in contender.manifest.tests.values()
        if contender.folder not in (source := contender.folder / test).resolve().parents
    }
    assert shared
    for name, file in shared.items():
        assert name in touched_contenders(catalog, [str(file)])


def test_the_field_has_something_of_every_language_and_ends_somewhere(catalog):
    usual = field(catalog, [], everything=False)
    assert {name.partition("/")[0] for name in usual} == {
        name.partition("/")[0] for name in catalog.contenders
    }
    assert len(usual) < len(catalog.contenders) / 4
    assert field(catalog, [], everything=True) == set(catalog.contenders)


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("src/serbench/measure/ranks.py", {"measure", "serbench.measure.ranks"}),
        ("src/serbench/measure/__init__.py", {"measure", "serbench.measure"}),
        ("src/serbench/kinds/some/step.py", {"some", "serbench.kinds.some.step"}),
        ("src/serbench/cli.py", {"serbench.cli"}),
        ("harness/c/src/main.c", {"c"}),
        ("contenders/go/sonic/main.go", {"go"}),
        ("platforms/arduino-uno/platform.toml", {"serbench.platforms"}),
        ("tests/publish/site/test_site.py", {"publish"}),
        ("tests/kinds/limits/test_step.py", {"limits"}),
        ("README.md", set()),
        ("tests/conftest.py", set()),
    ],
)
def test_a_change_touches_folders_and_modules(file, expected):
    assert touched([file]) == expected


def test_a_test_is_touched_by_its_folder_and_by_what_it_imports(tmp_path):
    test = tmp_path / "tests" / "kinds" / "some" / "test_it.py"
    test.parent.mkdir(parents=True)
    test.write_text("import serbench.text\n\ndef test():\n    from serbench.measure.ranks import ranks\n")
    found = places(test, tmp_path)
    assert {"some", "serbench.text", "serbench.measure.ranks"} <= found
    for file in ("measure/ranks.py", "text.py", "kinds/some/step.py"):
        assert touched([f"src/serbench/{file}"]) & found
    for file in ("measure/groups.py", "kinds/limits/step.py"):
        assert not touched([f"src/serbench/{file}"]) & found
    of_go = test.rename(test.with_name("test_go.py"))
    assert touched(["harness/go/build.py"]) & places(of_go, tmp_path) == {"go"}


def test_every_stage_language_and_kind_touches_tests():
    """A change anywhere in what builds rows has tests that may build."""
    tests = [places(path) for path in (ROOT / "tests").rglob("test_*.py")]
    reached = set().union(*tests)
    stages = {path.parent.name for path in (ROOT / "src/serbench").glob("*/__init__.py")}
    for stage in sorted(stages):
        assert stage in reached or any(name.startswith(f"serbench.{stage}") for name in reached), stage
    kinds = sorted((ROOT / "src/serbench/kinds").glob("*/__init__.py"))
    others = [*kinds, *sorted((ROOT / "harness").glob("*/harness.toml"))]
    assert [path.parent.name for path in others if path.parent.name not in reached] == []
    assert touched(["platforms/avr/platform.toml"]) <= reached


@pytest.mark.parametrize(
    ("fixtures", "is_touched", "everything", "pure", "expected"),
    [
        (["tmp_path"], False, False, False, True),
        (["context", "built"], False, False, False, True),
        (["context"], False, False, False, False),
        (["context"], True, False, False, True),
        (["context"], False, True, False, True),
        (["tmp_path"], False, True, True, True),
        (["context"], True, True, True, False),
        (["command"], True, True, True, False),
        (["chromium", "node"], True, True, True, False),
    ],
)
def test_fixtures_decide_the_tier(fixtures, is_touched, everything, pure, expected):
    assert runs(fixtures, {"schemas"}, is_touched, everything, pure) is expected


def test_in_a_further_python_no_test_of_another_language_runs():
    assert runs(["tmp_path"], {"python", "serbench.text"}, False, True, True)
    assert not runs(["tmp_path"], {"some", "rust"}, False, True, True)


@pytest.mark.parametrize(
    ("fixtures", "is_touched", "everything", "pure", "expected"),
    [
        (["tmp_path"], False, False, False, False),
        (["row"], False, False, False, True),
        (["tmp_path"], True, False, False, True),
        (["tmp_path"], False, True, False, True),
        (["tmp_path"], False, True, True, False),
    ],
)
def test_a_test_builds_if_its_fixtures_say_so(fixtures, is_touched, everything, pure, expected):
    assert may_build(fixtures, is_touched, everything, pure) is expected


def test_a_test_that_builds_without_saying_so_is_skipped(monkeypatch, tmp_path):
    recipe = Recipe(steps=[], products=["made"], put=[Put(to="made", text="text")])
    monkeypatch.setattr(Builds, "allowed", False)
    with pytest.raises(pytest.skip.Exception, match="--all"):
        Store(tmp_path, []).make(recipe)
    monkeypatch.setattr(Builds, "allowed", True)
    folder, _ = Store(tmp_path, []).make(recipe)
    assert (folder / "made").read_text() == "text"
