"""A contender folder, a worker and a run file of a stranger."""

import itertools
import os
import re
import sys

import msgspec
import pytest

from serbench.build import store as build_store
from serbench.build.contract import Recipe
from serbench.build.records import BuildFailed
from serbench.catalog.load import _check_paths, load_catalog, read_contender
from serbench.catalog.source import Source
from serbench.errors import UserError, shortened
from serbench.measure.records import Plan
from serbench.project import ROOT
from serbench.provision.layout import missing_part, with_files
from serbench.results.journal import Journal, complete, journal_path
from serbench.run.resume import command_for
from tests.results.builder import synthetic_run

MANIFEST = """
name = "Mine"
language = "c"
format = "json"
{top}

[[source]]
{source}

[tests]
tree = "{tree}"
"""


def folder(tmp_path, source='debian-package = "libc6-dev"\n', tree="tree.c", top=""):
    """A contender folder."""
    made = tmp_path / "mine"
    made.mkdir()
    (made / "contender.toml").write_text(MANIFEST.format(source=source, tree=tree, top=top))
    (made / "tree.c").write_text("int nothing;\n")
    return made


@pytest.mark.parametrize("tree", ["/dev/zero", "pipe.c", "large.c", "link.c"])
def test_a_source_that_never_ends_costs_its_own_row(tree, command, tmp_path):
    made = folder(tmp_path, tree=tree)
    os.mkfifo(made / "pipe.c")
    (made / "link.c").symlink_to("/dev/zero")
    with (made / "large.c").open("wb") as file:
        file.truncate(1 << 40)
    done = command("list", "--contender", made, "--contenders", "mine")
    assert done.returncode == 0, done.stderr
    (row,) = [line for line in done.stdout.splitlines() if "c/mine" in line]
    assert "cannot be used: it is" in row


@pytest.mark.parametrize("name", ["pipe", "zero", "large"])
def test_a_manifest_that_never_ends_is_refused(name, tmp_path):
    made = folder(tmp_path)
    manifest = made / "contender.toml"
    manifest.unlink()
    if name == "pipe":
        os.mkfifo(manifest)
    elif name == "zero":
        manifest.symlink_to("/dev/zero")
    else:
        manifest.write_bytes(b"#" * 100_000)
    with pytest.raises(UserError, match=r"it is (not a regular file|larger than)"):
        read_contender(made)


def test_a_manifest_that_is_nested_without_end_is_refused(tmp_path):
    made = folder(tmp_path)
    (made / "contender.toml").write_text("a = " + "[" * 20_000)
    with pytest.raises(UserError, match="nested too deeply"):
        read_contender(made)


FLAGS = [
    *('["-wrapper", "/x/evil.sh"]', '["-fplugin=/x/evil.so"]', '["-fplugin=evil"]', '["-B/x"]', '["@/x/y"]'),
    *('["-specs=/x"]', '["-o", "/x"]', '["-Wl,-o,/x"]', '["-Xlinker"]', '["-include", "/x"]', '["-mllvm"]'),
    *('["-fdump-tree-all=x"]', '["-fsave-optimization-record"]', '["-fstack-usage"]', '["-fprofile-arcs"]'),
    *('["-fopt-info-all=x"]', '["-fcallgraph-info"]', '["-ftest-coverage"]', '["-ftime-trace=x"]'),
    *('["-fdiagnostics-format=json-file"]', '["-fcompare-debug"]', '["-fauto-profile=x"]'),
    *('["-fuse-ld=x"]', '["-fprofile-use=/x"]', '["-Wp,-MD,/x"]', '["-dumpdir"]', '["-save-temps=cwd"]'),
]
CMAKE = [
    *('options = ["-DCMAKE_C_COMPILER_LAUNCHER=/x"]', 'options = ["-C", "/x"]', 'options = ["-P/x.cmake"]'),
    *('options = ["-DCMAKE_TOOLCHAIN_FILE=/x"]', 'targets = ["--", "-f", "/x"]', 'options = ["-DA=$(x)"]'),
    *('options = ["-DGIT_EXECUTABLE=/x/evil.sh"]', 'options = ["-DA_EXECUTABLE:FILEPATH=a/../../evil"]'),
]
SOURCES = [
    *(f'debian-source = "cjson"\nflags = {flags}' for flags in FLAGS),
    *(f'debian-source = "cjson"\ncmake = {{ libraries = ["x.a"], {cmake} }}' for cmake in CMAKE),
    *(f'debian-source = "cjson"\npackages = ["{name}"]' for name in ("-o", "a b", "a;b", "../x", "A")),
    *(f'debian-package = "{name}"' for name in ("-o", "a b", "$(x)", "/elsewhere/written")),
]


@pytest.mark.parametrize("source", SOURCES)
def test_words_for_other_programs_are_only_what_they_should_be(source, tmp_path):
    with pytest.raises(UserError, match="is not allowed as a"):
        read_contender(folder(tmp_path, source=source))


OUTSIDE = ["/etc/passwd", "//etc/passwd", "../../*.c", "src/../../x", "..", "x" * 256, "x/" * 3000]
NO_PATTERN = ["src/**x/*.c", "***", "a**", ".", "./", ""]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        *((f'files = ["src/*.c", "{path}"]', "is not a path in the library's folder") for path in OUTSIDE),
        *((f'include = ["src", "{path}"]', "is not a path in the library's folder") for path in OUTSIDE),
        *((f'subdir = "{path}"', "is not a path in the library's folder") for path in OUTSIDE),
        *((f'files = ["{path}"]', "is neither a file nor a pattern of files") for path in NO_PATTERN),
    ],
    ids=lambda text: text[:40],
)
def test_a_library_lies_in_its_folder(line, reason, tmp_path):
    with pytest.raises(UserError, match=reason):
        read_contender(folder(tmp_path, source=f"checkout = true\n{line}"))


def test_no_path_that_a_manifest_may_have_ends_a_search_with_an_exception(tmp_path):
    read = 0
    for parts in itertools.product(
        ("**", "*", ".", "", "[", "[!]", "[b-a]", "]", "\\", "\0", "a", "?"), repeat=3
    ):
        source = Source(kind="checkout", files=["/".join(parts)], include=["/".join(parts)])
        try:
            _check_paths(source, "")
        except UserError:
            continue
        read += 1
        with_files(source, tmp_path)
        missing_part(source, tmp_path)
    assert read > 1000


def test_the_words_that_libraries_need_are_allowed(tmp_path):
    flags = (
        '["-std=gnu89", "-w", "-Wno-format", "-fno-strict-aliasing", "-O2", "-msse4.2", "-DA=1", "-pthread", '
        '"-fwrapv", "-fvisibility=hidden", "-ffast-math", "-flto", "-fno-exceptions"]'
    )
    read_contender(folder(tmp_path, source=f'debian-source = "cjson"\nflags = {flags}'))
    assert load_catalog(ROOT).broken == {}


def test_what_a_compiler_says_is_cut(tmp_path):
    store = build_store.Store(tmp_path, [])
    words = [sys.executable, "-c", "import sys; sys.stderr.write('error: ' + 'x' * 10_000_000); sys.exit(1)"]
    with pytest.raises(BuildFailed) as failed:
        store.make(Recipe(steps=[words], products=["x"]))
    assert len(failed.value.reason) < 2100 and len(failed.value.output) < 17_000
    assert failed.value.reason.startswith("it does not build: error: xxx")


def test_what_is_cut_says_so():
    assert shortened("abc", 3) == "abc" and shortened("abcdef", 3) == "abc ... and 3 characters more"


OPTIONS = ["--contender", "/a/strangers/folder", "--use", "mpack=/a/strangers/checkout", "--data", "x; evil"]


@pytest.fixture
def strangers(monkeypatch):
    """An interrupted run whose file says that it was begun with options that lead to the stranger's files."""
    run = synthetic_run()
    command = ["run", *OPTIONS]
    run.complete, run.summary = False, None
    run.settings = msgspec.structs.replace(run.settings, command=command, plan=Plan(kind="times"))
    return run


def test_nothing_of_a_run_file_is_part_of_a_command_that_is_named(strangers, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["serbench", "resume", "a b.json", "--data", "my data.json"])
    named = command_for(strangers, tmp_path / "a b.json")
    assert named == f"./serbench resume '{tmp_path}/a b.json' --data 'my data.json'"
    strangers.settings.plan = Plan(kind="board")
    monkeypatch.setattr(sys, "argv", ["serbench", "run", "--use", "x=y", "--port=p"])
    assert command_for(strangers, tmp_path / "x") == f"./serbench collect --resume {tmp_path}/x --port=p"


def test_errors_about_a_run_file_name_no_command_of_its_own(strangers, command, tmp_path):
    plan = msgspec.structs.replace(strangers.settings, plan=None, growth=True)
    for settings in (strangers.settings, plan):
        run = msgspec.structs.replace(strangers, settings=settings)
        complete(run, tmp_path / "run.json")
        Journal.of(msgspec.structs.replace(run, summary=None), journal_path(tmp_path / "other.json")).close()
        for words in (["resume", "run.json"], ["repeat", "run.json"], ["resume", "other.json"]):
            done = command(*words)
            assert done.returncode == 2 and done.stderr.startswith("serbench: ")
            assert not re.search("stranger|evil", done.stdout + done.stderr)
