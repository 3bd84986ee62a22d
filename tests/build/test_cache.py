"""Nothing is built twice, and nothing that has changed is taken for the same."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from harness.c.build.compilers import compilers_of

from serbench.build import BuildFailed
from serbench.build import store as build_store
from serbench.build.contract import Recipe
from serbench.catalog.source import Source
from serbench.provision import Provided, process
from serbench.provision.process import Finished
from tests.build.conftest import Project, say

ONE = "int value(void) { return 1; }"


def test_what_is_there_is_not_built_again(project: Project) -> None:
    project.contender("one", ONE)
    first = project.build("c/one:write")
    assert project.compilations() == 3
    assert project.build("c/one:write") == first
    assert project.compilations() == 0


def test_the_harness_is_compiled_once_for_a_language_and_a_test(project: Project) -> None:
    project.contender("one", ONE)
    project.contender("two", ONE.replace("1", "2"))
    project.build("c/one:write")
    project.compilations()
    assert say(project.build("c/two:write")).endswith(" 2")
    assert project.compilations() == 2


def test_a_contender_is_compiled_once_for_its_worker_and_for_its_size(project: Project) -> None:
    project.contender("one", ONE)
    project.build("c/one:write")
    project.compilations()
    static = project.builder().build(project.row("c/one:write"), Provided(source=Source()), "speed", "static")
    assert say(static) == "c write -O3 -flto 1"
    # The harness, which is told of it, and the linking.
    assert project.compilations() == 2


def test_a_clone_can_move_with_its_cache(project: Project, tmp_path: Path) -> None:
    project.contender("one", ONE)
    first = project.build("c/one:write")
    project.compilations()
    moved = Project(tmp_path / "a b'ü$x #1")
    shutil.copytree(project.root, moved.root, dirs_exist_ok=True)
    again = moved.build("c/one:write")
    assert again.digest == first.digest
    assert moved.compilations() == 0
    assert say(again).endswith(" 1")


@pytest.mark.parametrize("name", ["a b'ü$x #1", "-DX=1", '"quoted" %s', "back\\slash"])
def test_names_with_odd_characters(project: Project, tmp_path: Path, name: str) -> None:
    odd = Project(tmp_path / "in" / name)
    odd.contender(name, ONE)
    assert say(odd.build(f"c/{name}:write")).endswith(" 1")


CHANGES = {
    "the contender's source": ("contenders/c/one/write.c", "return 1", "return 2"),
    "a header of the contender": ("contenders/c/one/own.h", "1", "2"),
    "the contender's macros": ("contenders/c/one/contender.toml", "NUMBER=1", "NUMBER=2"),
    "a source of the harness": ("harness/c/src/main.c", "return 0", "return 0 + 0"),
    "a public header": ("harness/c/include/value.h", "int value(void);", "int value(void);\n#define X"),
    "a private header": ("harness/c/src/private.h", "1", "2"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_changes_the_key(project: Project, what: str) -> None:
    project.contender("one", ONE, 'defines = ["NUMBER=1"]')
    project.write("contenders/c/one/own.h", "#define OWN 1\n")
    project.write("harness/c/src/private.h", "#define PRIVATE 1\n")
    before = project.build("c/one:write")
    name, old, new = CHANGES[what]
    path = project.root / name
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    assert project.build("c/one:write").digest != before.digest


def test_words_about_a_contender_do_not_change_the_key(project: Project) -> None:
    project.contender("one", ONE)
    before = project.build("c/one:write")
    manifest = project.root / "contenders/c/one/contender.toml"
    manifest.write_text('homepage = "https://example.org/"\n' + manifest.read_text())
    assert project.build("c/one:write") == before


def test_profile_sanitizers_compiler_and_paths_change_the_key(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.contender("one", ONE)
    digests = [
        project.build("c/one:write").digest,
        project.build("c/one:write", profile="size").digest,
        project.build("c/one:write", profile="check").digest,
    ]
    other = tmp_path / "wrappers/other-gcc"
    shutil.copy(tmp_path / "wrappers/gcc", other)
    monkeypatch.setenv("CC", "other-gcc")
    digests.append(project.build("c/one:write").digest)
    monkeypatch.delenv("CC")
    monkeypatch.setenv("CPATH", str(tmp_path))
    digests.append(project.build("c/one:write").digest)
    assert len(set(digests)) == 5


def test_the_library_changes_the_key(project: Project, tmp_path: Path) -> None:
    library = tmp_path / "library"
    library.mkdir()
    (library / "lib.h").write_text("#define LIBRARY 1\n")
    project.contender("one", ONE)
    source = Source(kind="debian-source", name="x", include=["."])

    def digest(version: str = "1", origin: str = "x 1") -> str:
        provided = Provided(source=source, root=library, version=version, origin=origin)
        return project.build("c/one:write", provided).digest

    digests = [digest(), digest(version="2"), digest(origin="y 1")]
    (library / "lib.h").write_text("#define LIBRARY 12\n")
    digests.append(digest())
    (library / "more.h").touch()
    digests.append(digest())
    assert len(set(digests)) == 5


def test_a_damaged_build_is_made_again(project: Project) -> None:
    project.contender("one", ONE)
    built = project.build("c/one:write")
    Path(built.command[0]).unlink()
    assert say(project.build("c/one:write")).endswith(" 1")


def test_a_failure_is_not_remembered_by_the_next_process(project: Project) -> None:
    project.contender("one", ONE.replace("1", "missing"))
    with pytest.raises(BuildFailed):
        project.build("c/one:write")
    project.compilations()
    with pytest.raises(BuildFailed):
        project.build("c/one:write")
    assert project.compilations() > 0


def test_a_cache_that_cannot_be_written_is_a_reason(project: Project) -> None:
    project.contender("one", ONE)
    project.cache.write_text("a file where a folder is needed")
    with pytest.raises(BuildFailed, match=r"\.cache"):
        project.build("c/one:write")


@pytest.mark.parametrize("whole", [True, False])
def test_what_another_process_made_meanwhile_is_kept_if_it_is_whole(
    whole: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = build_store.Store(tmp_path, [])
    recipe = Recipe(steps=[["sh", "-c", "echo mine > product"]], products=["product"])
    other = tmp_path / store.digest(recipe)

    def run(*words: Any, **options: Any) -> Finished:
        other.mkdir()
        (other / ("product" if whole else "damaged")).write_text("other\n")
        return process.run(*words, **options)

    monkeypatch.setattr(build_store, "run", run)
    assert store.make(recipe)[0] == other
    assert (other / "product").read_text() == ("other\n" if whole else "mine\n")
    assert [path.name for path in tmp_path.iterdir()] == [other.name]


def test_the_first_error_is_the_reason_however_many_follow(tmp_path: Path) -> None:
    said = [
        "-- Looking for strerror: found",
        "a.c:1: error: the cause",
        *(f"a.c:{n}: error: more" for n in range(99)),
    ]
    (tmp_path / "said").write_text("\n".join(said))
    recipe = Recipe(steps=[["sh", "-c", f"cat {tmp_path / 'said'} >&2; exit 1"]], products=["product"])
    with pytest.raises(BuildFailed) as failure:
        build_store.Store(tmp_path / "store", []).make(recipe)
    assert failure.value.reason == "it does not build: a.c:1: error: the cause"
    assert failure.value.output.splitlines() == said[:40]


def test_a_compiler_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BuildFailed, match="no compiler tcc"):
        compilers_of("tcc", tmp_path, tmp_path)
