"""Which tests and rows ./check takes for a change."""

import subprocess
from pathlib import Path

import pytest

from serbench.build.contract import Put, Recipe
from serbench.build.store import Store
from tests.conftest import Builds
from tests.tiers import changed, field, may_build, runs, touched_contenders, touched_folders


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


def test_a_change_touches_the_tests_of_its_stage_or_language():
    files = ["src/serbench/measure/ranks.py", "harness/rust/build.py", "contenders/go/sonic/main.go"]
    assert touched_folders([*files, "tests/publish/site/test_site.py"]) == {
        "measure",
        "rust",
        "go",
        "publish",
    }
    kinds = ["src/serbench/kinds/strict/step.py", "tests/kinds/limits/test_step.py"]
    assert touched_folders([*kinds, "src/serbench/kinds/__init__.py"]) == {"strict", "limits", "kinds"}
    assert touched_folders(["README.md", "check", "tests/conftest.py", "src/serbench/cli.py"]) == set()


@pytest.mark.parametrize(
    ("fixtures", "folders", "everything", "pure", "expected"),
    [
        (["tmp_path"], [], False, False, True),
        (["context", "built"], [], False, False, True),
        (["context"], ["verify"], False, False, False),
        (["context"], ["schemas"], False, False, True),
        (["context"], [], True, False, True),
        (["tmp_path"], [], True, True, True),
        (["context"], ["schemas"], True, True, False),
        (["command"], ["schemas"], True, True, False),
        (["chromium", "node"], ["page"], True, True, False),
    ],
)
def test_fixtures_decide_the_tier(fixtures, folders, everything, pure, expected):
    assert runs(fixtures, "schemas", folders, everything, pure) is expected


def test_in_a_further_python_no_test_of_another_language_runs():
    assert runs(["tmp_path"], "python", [], True, True)
    assert not runs(["tmp_path"], "rust", [], True, True)


@pytest.mark.parametrize(
    ("fixtures", "folders", "everything", "pure", "expected"),
    [
        (["tmp_path"], [], False, False, False),
        (["row"], [], False, False, True),
        (["tmp_path"], ["schemas"], False, False, True),
        (["tmp_path"], [], True, False, True),
        (["tmp_path"], [], True, True, False),
    ],
)
def test_a_test_builds_if_its_fixtures_say_so(fixtures, folders, everything, pure, expected):
    assert may_build(fixtures, "schemas", folders, everything, pure) is expected


def test_a_test_that_builds_without_saying_so_is_skipped(monkeypatch, tmp_path):
    recipe = Recipe(steps=[], products=["made"], put=[Put(to="made", text="text")])
    monkeypatch.setattr(Builds, "allowed", False)
    with pytest.raises(pytest.skip.Exception, match="--all"):
        Store(tmp_path, []).make(recipe)
    monkeypatch.setattr(Builds, "allowed", True)
    folder, _ = Store(tmp_path, []).make(recipe)
    assert (folder / "made").read_text() == "text"
