"""--use: what a name and a folder become, and that what is built is what the folder holds."""

import shutil
import subprocess
from pathlib import Path

import pytest

from serbench.build import BuildFailed
from serbench.catalog.load import load_catalog
from serbench.catalog.records import Catalog, Contender
from serbench.catalog.selection import select_rows
from serbench.commands.scaffold import new_contender
from serbench.errors import UserError
from serbench.project import CACHE, ROOT
from serbench.provision.provide import provide
from serbench.provision.records import Provided, Unavailable
from serbench.provision.uses import layout_of, parse_uses, with_uses
from serbench.run.context import BuildContext
from serbench.worker.process import Worker
from serbench.worker.session import describe
from tests.conftest import LIMITS

LAYOUT = '[[source]]\ncheckout = true\nfiles    = ["src/*.c"]\ninclude  = ["src"]\n\n[tests]'


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A contender folder `tiny` that needs a library of its own, in no package."""
    folder = new_contender(load_catalog(ROOT), "c", "tiny", tmp_path)
    manifest = folder / "contender.toml"
    manifest.write_text(manifest.read_text().replace("[tests]", LAYOUT))
    for source in folder.glob("*.c"):
        text = source.read_text()
        text = text.replace('{ return "0.1"; }', "{ return tiny_version(); }")
        source.write_text(text.replace("#include", '#include "tiny.h"\n#include', 1))
    return folder


def checkout(folder: Path, version: str) -> Path:
    """A checkout of the library at `folder`."""
    (folder / "src").mkdir(parents=True, exist_ok=True)
    (folder / "src/tiny.h").write_text("const char *tiny_version(void);\n")
    (folder / "src/tiny.c").write_text(
        f'#include "tiny.h"\nconst char *tiny_version(void) {{ return "{version}"; }}\n'
    )
    return folder


def used(tiny: Path, *uses: str) -> Catalog:
    catalog = load_catalog(ROOT, [tiny])
    return with_uses(catalog, parse_uses(uses, catalog))


def built(catalog: Catalog, contender: str) -> tuple[str, str]:
    """The version that the worker of a contender reports, and its program's digest."""
    row = next(r for r in catalog.rows() if r.contender.id == contender and r.test == "tree")
    ready = BuildContext(catalog, CACHE).build([row])[row.id]
    assert ready.built is not None, f"{ready.reason}\n{ready.output}"
    with Worker(tuple(ready.built.command), limits=LIMITS) as worker:
        return describe(worker).library_version, ready.built.digest


def provided(catalog: Catalog, contender: str, cache: Path) -> Provided:
    return provide(catalog.contenders[contender], cache)


def test_two_versions_stand_beside_each_other(tiny: Path, tmp_path: Path) -> None:
    old, new = checkout(tmp_path / "a", "1.0"), checkout(tmp_path / "b", "2.0")
    catalog = used(tiny, f"tiny@old={old}", f"tiny@new={new}")
    assert built(catalog, "c/tiny@old")[0] == "1.0"
    assert built(catalog, "c/tiny@new")[0] == "2.0"
    assert catalog.contenders["c/tiny@new"].manifest.name == "tiny @new"
    assert "c/tiny" in catalog.contenders  # a label adds, and replaces nothing
    ids = {row.contender.id for row in select_rows(catalog, (), (), ["mpack"])}
    assert {"c/tiny@old", "c/tiny@new", "c/mpack"} <= ids and "c/tiny" not in ids


def test_without_a_label_the_usual_source_is_replaced(tiny: Path, tmp_path: Path) -> None:
    catalog = used(tiny, f"TINY={checkout(tmp_path / 'a', '3.1')}")
    assert built(catalog, "c/tiny")[0] == "3.1"
    assert not [name for name in catalog.contenders if "@" in name]


def test_an_edit_is_another_build_and_a_copy_is_the_same(tiny: Path, tmp_path: Path) -> None:
    folder = checkout(tmp_path / "a", "1.0")
    first = built(used(tiny, f"tiny={folder}"), "c/tiny")
    twin = Path(shutil.copytree(folder, tmp_path / "a copy with another name"))
    assert built(used(tiny, f"tiny={twin}"), "c/tiny") == first
    checkout(folder, "1.1")
    version, digest = built(used(tiny, f"tiny={folder}"), "c/tiny")
    assert version == "1.1" and digest != first[1]
    checkout(folder, "1.0")
    assert built(used(tiny, f"tiny={folder}"), "c/tiny") == first


needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="this system has no git")


def git(folder: Path, *words: str) -> str:
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    command = ["git", *identity, "-C", str(folder), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@needs_git
def test_the_origin_names_the_commit_or_the_files_and_no_path(tiny: Path, tmp_path: Path) -> None:
    folder, cache = checkout(tmp_path / "mine", "1.0"), tmp_path / "cache"
    plain = provided(used(tiny, f"tiny={folder}"), "c/tiny", cache)
    assert plain.origin == f"checkout mine, files {plain.digest[:8]}" and plain.version == ""

    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "x")
    git(folder, "tag", "v1.0.7")
    commit = git(folder, "rev-parse", "--short", "HEAD")
    clean = provided(used(tiny, f"tiny={folder}"), "c/tiny", cache)
    assert clean.origin == f"checkout mine, git {commit}" and clean.version == "1.0.7"
    assert clean.digest == plain.digest  # what git keeps is no part of the library

    checkout(folder, "1.0b")
    edited = provided(used(tiny, f"tiny={folder}"), "c/tiny", cache)
    assert edited.origin == f"checkout mine, git {commit} with changes, files {edited.digest[:8]}"
    assert edited.digest != clean.digest
    assert str(tmp_path) not in plain.origin + clean.origin + edited.origin


@needs_git
def test_a_folder_inside_another_repository_has_not_its_commit(tiny: Path, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    folder = checkout(tmp_path / "unpacked", "1.0")
    found = provided(used(tiny, f"tiny={folder}"), "c/tiny", tmp_path / "cache")
    assert found.origin.startswith("checkout unpacked, files ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tiny", "--use takes NAME=DIR or NAME@LABEL=DIR"),
        ("=.", "--use takes"),
        ("tiny@=.", "--use takes"),
        ("tiny@a/b=.", "--use takes"),
        ("tiny@usual=.", "label of what serbench itself uses"),
        ("tinny=.", "there is no contender 'tinny'; did you mean 'tiny'"),
        ("baseline=.", "there is no contender 'baseline'"),
        ("tiny=nowhere", "there is no folder 'nowhere'"),
        ("json=.", "is the name of several"),
        ("tiny=.", "it has no src/*.c"),
        ("mongo-cxx-legacy=.", "cannot be built from a checkout"),
        ("jansson=.", "it has no CMakeLists.txt"),
        ("rapidjson=.", "it has no include"),
    ],
)
def test_what_cannot_be_used_is_refused(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    twin = new_contender(load_catalog(ROOT), "c", "json", tmp_path / "other")
    catalog = load_catalog(ROOT, [tiny, twin])
    with pytest.raises(UserError) as error:
        with_uses(catalog, parse_uses([text], catalog))
    assert message in str(error.value)


def test_a_name_may_be_used_once(tiny: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="twice"):
        used(tiny, f"tiny@a={tmp_path}", f"tiny@a={tmp_path}")


def test_the_name_of_a_library_of_several_formats_means_them_all(tmp_path: Path) -> None:
    catalog = load_catalog(ROOT)
    for name, folders in {
        "nlohmann-json": {f"cpp/nlohmann-json{end}" for end in ("", "-bson", "-cbor", "-msgpack", "-ubjson")},
        "ubj": {"c/ubj", "c/ubj-optimized"},
        "cpp/nlohmann-json": {"cpp/nlohmann-json"},
        "nlohmann-json-cbor": {"cpp/nlohmann-json-cbor"},
    }.items():
        made = parse_uses([f"{name}@new={tmp_path}"], catalog)
        assert {use.id for use in made} == {f"{folder}@new" for folder in folders}
    (tmp_path / "include").mkdir()
    changed = with_uses(catalog, parse_uses([f"nlohmann-json={tmp_path}"], catalog))
    checkouts = {c.id for c in changed.contenders.values() if c.checkout == tmp_path}
    assert len(checkouts) == 5 and all(name.startswith("cpp/nlohmann-json") for name in checkouts)
    with pytest.raises(UserError, match="twice"):
        parse_uses([f"nlohmann-json={tmp_path}", f"nlohmann-json-cbor={tmp_path}"], catalog)


@pytest.mark.parametrize(("target", "library"), [("msgpackc", "msgpackc.a"), ("msgpack-c", "msgpack-c.a")])
def test_of_several_layouts_that_fit_the_one_with_the_projects_targets_is_taken(
    tmp_path: Path, target: str, library: str
) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "CMakeLists.txt").write_text(f"ADD_LIBRARY ({target}\n)\nADD_LIBRARY ({target}-static)\n")
    source = layout_of(load_catalog(ROOT).contenders["c/msgpack-c"], tmp_path)
    assert source.cmake is not None and source.cmake.libraries == [f"lib{library}"]
    assert source.cmake.targets == [target]


def test_a_contender_with_checkouts_only_says_what_it_needs(tiny: Path, tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="--use tiny=DIR"):
        provided(load_catalog(ROOT, [tiny]), "c/tiny", tmp_path)


def test_a_checkout_that_does_not_compile_costs_its_own_row(tiny: Path, tmp_path: Path) -> None:
    good, bad = checkout(tmp_path / "good", "1.0"), checkout(tmp_path / "bad", "1.0")
    (bad / "src/tiny.c").write_text("this is not C\n")
    catalog = used(tiny, f"tiny@good={good}", f"tiny@bad={bad}")
    rows = [row for row in catalog.rows() if row.contender.label and row.test == "tree"]
    ready = BuildContext(catalog, CACHE).build(rows)
    assert {name: item.status for name, item in ready.items()} == {
        "c/tiny@good:tree": "ok",
        "c/tiny@bad:tree": "failed",
    }
    with pytest.raises(BuildFailed, match="does not build"):
        raise BuildFailed(ready["c/tiny@bad:tree"].reason)


def test_the_version_under_test_does_not_make_its_own_input(tmp_path: Path) -> None:
    """The encoder of a format stays the usual one, whatever is used in its contender's place."""
    catalog = load_catalog(ROOT)
    encoder = "c/binn"
    assert catalog.formats["binn"].encoders == [encoder]
    folder_of(catalog.contenders[encoder], tmp_path)
    changed = with_uses(catalog, parse_uses([f"{encoder}={tmp_path}"], catalog))
    (kept,) = changed.formats["binn"].encoders
    assert kept != encoder
    assert changed.contenders[kept].manifest == catalog.contenders[encoder].manifest
    assert changed.contenders[kept].checkout is None
    assert changed.contenders[encoder].checkout == tmp_path
    assert kept not in {row.contender.id for row in changed.rows()}


def folder_of(contender: Contender, tmp_path: Path) -> Path:
    """A folder with every file that the first layout of a contender names, empty."""
    sources = contender.manifest.source
    order = sorted(sources, key=lambda s: (s.kind != "checkout", s.kind != "debian-source", not s.files))
    chosen = order[0]
    root = tmp_path / chosen.subdir
    for name in [*chosen.files, *(["CMakeLists.txt"] if chosen.cmake else [])]:
        path = root / name.replace("*", "any")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    for name in chosen.include:
        (root / name).mkdir(parents=True, exist_ok=True)
    return tmp_path


def test_every_native_library_but_a_few_has_a_layout(catalog: Catalog, tmp_path: Path) -> None:
    without = []
    for number, contender in enumerate(catalog.contenders.values()):
        manifest = contender.manifest
        if manifest.language not in ("c", "cpp") or not manifest.source:
            continue
        try:
            source = layout_of(contender, folder_of(contender, tmp_path / str(number)))
        except UserError:
            without.append(contender.id)
            continue
        assert source.kind == "checkout"
    # Some want other libraries of their project, some the compiler of their schemas, which is built first.
    assert without == [
        *("c/protobuf_c", "c/thrift", "c/upb", "cpp/boost-json", "cpp/boost-json-struct", "cpp/capnp"),
        *("cpp/daw_json_link", "cpp/flatbuffers", "cpp/mongo-cxx-legacy", "cpp/protobuf", "cpp/thrift"),
    ]
