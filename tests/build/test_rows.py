"""What a row is made of, and what it says when it cannot be made."""

import re
import subprocess
from pathlib import Path

import msgspec
import pytest
from harness.c.build.compilers import Compilers, find_compilers

from serbench.build import Builder, BuildFailed, Built
from serbench.build.builder import in_turns
from serbench.build.contract import Answer, Request
from serbench.build.store import WARNINGS
from serbench.catalog.harness import Toolchain
from serbench.catalog.load import load_catalog
from serbench.catalog.source import CMake, Source
from serbench.commands.doctor import _tools
from serbench.errors import UserError
from serbench.project import ROOT
from serbench.provision import Provided
from serbench.provision.installable import of_harness
from serbench.run.context import BuildContext, BuildResult
from tests.build.conftest import Project, say

NOTHING = Provided(source=Source())
OURS = rf"{re.escape(str(ROOT))}/(harness|contenders)/.*warning:"


def test_a_row_is_told_its_language_test_and_flags(project: Project) -> None:
    project.contender("one", "int value(void) { return 1; }")
    built = project.build("c/one:write")
    assert say(built) == "c write -O3 -flto 1"
    assert built.flags == "-O3 -flto"
    assert built.compiler == find_compilers({}).c_version
    assert built.compiler.startswith("gcc ")
    assert say(project.build("c/one:tree", profile="size")) == "c tree -Os -flto 1"


def test_cpp_is_linked_by_its_own_compiler(project: Project) -> None:
    body = '#include <string>\nint value(void) { return (int)std::string("abc").size(); }'
    project.contender("one", body, language="cpp")
    built = project.build("cpp/one:write")
    assert say(built) == "cpp write -O3 -flto 3"
    assert built.compiler.startswith("g++ ")


def test_a_stated_standard_holds_for_its_own_language_only(project: Project) -> None:
    body = "int value(void) { return __cplusplus >= 202002L; }"
    project.contender("old", body, language="cpp")
    project.contender("new", body, 'standard = "gnu++20"', language="cpp")
    assert say(project.build("cpp/old:write")).endswith(" 0")
    assert say(project.build("cpp/new:write")).endswith(" 1")


def test_assertions_are_off_except_under_the_sanitizers(project: Project) -> None:
    body = "#ifdef NDEBUG\nint value(void) { return 0; }\n#else\nint value(void) { return 1; }\n#endif"
    project.contender("one", body)
    assert say(project.build("c/one:write")).endswith(" 0")
    assert say(project.build("c/one:write", profile="check")).endswith(" 1")


def test_the_sanitizers_find_what_reads_past_the_end(project: Project) -> None:
    body = "int value(void) { volatile int a[2] = {1, 2}; volatile int i = 2; return a[i]; }"
    project.contender("one", body)
    built = project.build("c/one:write", profile="check")
    with pytest.raises(Exception, match="non-zero exit status"):
        say(built)


def test_files_of_a_library_see_the_rows_macros_and_their_warnings_are_not_ours(
    project: Project, tmp_path: Path
) -> None:
    root = tmp_path / "the library"
    (root / "in c").mkdir(parents=True)
    (root / "lib.h").write_text("static int unused(int x) { return 1; }\nint library(void);\n")
    (root / "in c/lib.c").write_text(
        '#include "../lib.h"\nint library(void) { int unused; return SIZE * 10 + BASE; }\n'
    )
    variant = '[variants.large]\ntests = ["write"]\ndefines = ["SIZE=2"]\n'
    project.contender(
        "one", "#include <lib.h>\nint value(void) { return library() * 10 + SIZE; }", 'defines = ["SIZE=1"]'
    )
    manifest = project.root / "contenders/c/one/contender.toml"
    manifest.write_text(manifest.read_text() + variant.replace("SIZE=2", "SIZE2"))
    source = Source(kind="debian-source", name="x", files=["in c/lib.c"], include=["."], defines=["BASE=5"])
    provided = Provided(source=source, root=root, origin="x", version="1")
    assert say(project.build("c/one:write", provided)).endswith(" 151")
    manifest.write_text(manifest.read_text().replace('"SIZE=1"', '"X"').replace("SIZE2", "SIZE=2"))
    assert say(project.build("c/one:write:large", provided)).endswith(" 252")


def test_a_library_in_the_same_macros_is_compiled_once(project: Project, tmp_path: Path) -> None:
    (tmp_path / "lib.c").write_text("int library(void) { return 4; }\n")
    project.contender("one", "int library(void);\nint value(void) { return library(); }")
    provided = Provided(source=Source(kind="debian-source", name="x", files=["lib.c"]), root=tmp_path)
    builder = project.builder()
    builder.build(project.row("c/one:write"), provided, "speed")
    project.compilations()
    builder.build(project.row("c/one:tree"), provided, "speed")
    # Two files of the harness, the contender's own, and the linking; no library.
    assert project.compilations() == 4


@pytest.mark.parametrize("name", ["plain", "a bü$x"])
def test_a_cmake_library_is_configured_built_and_linked(name: str, project: Project, tmp_path: Path) -> None:
    calls = project.calls
    project = Project(tmp_path / name / "project")
    project.calls = calls
    root = tmp_path / name / "a library"
    (root / "source dir").mkdir(parents=True)
    (root / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.0)\nproject(odd C)\n"
        "file(WRITE ${CMAKE_SOURCE_DIR}/written-by-the-build ${V})\n"
        'file(WRITE ${CMAKE_BINARY_DIR}/generated/made.h "#define MADE ${V}\\n")\n'
        'add_library(odd "source dir/odd.c")\n'
    )
    (root / "source dir/odd.c").write_text("int odd(void) { int unused; return FIVE; }\n")
    project.contender("one", "#include <made.h>\nint odd(void);\nint value(void) { return odd() + MADE; }")
    cmake = CMake(options=["-DV={version}"], libraries=["libodd.a"], include=["generated"])
    source = Source(kind="debian-source", name="odd", defines=["FIVE=5"], cmake=cmake)
    provided = Provided(source=source, root=root, version="30")
    assert say(project.build("c/one:write", provided)).endswith(" 35")
    assert not (root / "written-by-the-build").exists()
    project.compilations()
    project.build("c/one:write", provided)
    assert project.compilations() == 0


def test_a_prefix_gives_its_headers_and_libraries(project: Project, tmp_path: Path) -> None:
    prefix = tmp_path / "my prefix"
    (prefix / "include").mkdir(parents=True)
    header = prefix / "include/odd.h"
    header.write_text("static int odd(void) { return 6; }\n")
    project.contender("one", "#include <odd.h>\nint value(void) { return odd(); }")
    source = Source(kind="installed", name="include/odd.h", header_only=True)
    provided = Provided(source=source, root=prefix, found=header)
    assert say(project.build("c/one:write", provided)).endswith(" 6")
    header.write_text("static int odd(void) { return 8; }\n")
    assert say(project.build("c/one:write", provided)).endswith(" 8")


def test_a_failure_costs_its_own_row_and_keeps_the_compilers_words(project: Project) -> None:
    project.contender("good", "int value(void) { return 1; }")
    project.contender("bad", "int value(void) { return undeclared_thing; }")
    project.contender("loose", "int other(void) { return 1; }")
    project.contender("absent", "")
    (project.root / "contenders/c/absent/write.c").unlink()
    builder = project.builder()
    rows = [row for row in builder.catalog.rows() if row.test == "write"]
    seen: dict[str, Built | BuildFailed] = {}
    results = builder.build_all(
        rows,
        {row.contender.id: NOTHING for row in rows},
        "speed",
        on_done=lambda row, result: seen.update({row.id: result}),
        jobs=2,
    )
    assert seen == results
    assert set(results) == {row.id for row in rows}
    good = results.pop("c/good:write")
    assert isinstance(good, Built)
    assert say(good).endswith(" 1")
    expected = {
        "bad": "undeclared_thing",
        "loose": "undefined reference to `value'",
        "absent": "No such file",
    }
    for name, words in expected.items():
        failure = results[f"c/{name}:write"]
        assert isinstance(failure, BuildFailed)
        assert words in failure.reason
        assert words in failure.output
        assert "\n" not in failure.reason
        assert str(project.root) not in failure.reason
    assert not list((project.cache / "build").glob(".serbench-*"))


def test_a_newer_enumerator_of_the_library_warns_and_costs_no_row(project: Project) -> None:
    library = "enum kind { NUMBER, STRING, NEW_IN_VERSION_4 };"
    body = "switch (k) { case NUMBER: return 1; case STRING: return 2; } return 3;"
    source = f"{library}\nstatic int of(enum kind k) {{ {body} }}\nint value(void) {{ return of(STRING); }}"
    project.contender("older", source)
    project.contender("plain", "int value(void) { return 1; }")
    assert say(project.build("c/older:write")).endswith(" 2")
    assert say(project.build("c/plain:write")).endswith(" 1")
    said = [path.read_text() for path in (project.cache / "build").glob(f"*/{WARNINGS}")]
    assert any("NEW_IN_VERSION_4" in text for text in said)


def test_our_own_sources_compile_without_a_warning(
    context: BuildContext, built: dict[str, BuildResult]
) -> None:
    """They are in the harness and the contenders; libraries and their headers may warn as they like."""
    builder = context.builder
    requests = {
        name: builder._request("c", want="tool", name=name, tool=context.catalog.harnesses["c"].tools[name])
        for name in ("dataset", "heap", "seed")
    }
    for ready in built.values():
        if ready.status == "ok" and ready.provided and ready.row.language in ("c", "cpp"):
            requests[ready.row.id] = builder._row_request("worker", ready.row, ready.provided, "speed")
    assert len(requests) > 2
    for name, request in requests.items():
        _, made = builder._recipes(request)
        said = [path.read_text() for folder, _ in made for path in folder.glob(WARNINGS)]
        own = [line for text in said for line in text.splitlines() if re.match(OURS, line)]
        assert not own, f"{name}: {own}"


def test_an_interruption_does_not_wait_for_the_compiler(project: Project, tmp_path: Path) -> None:
    project.contender("good", "int value(void) { return 1; }")
    project.contender("hanging", "int value(void) { return 1; }")
    wrapper = tmp_path / "wrappers/gcc"
    waiting = tmp_path / "waiting"
    wrapper.write_text(
        wrapper.read_text().replace(
            "exec", f'case "$*" in *contenders/c/hanging*) touch "{waiting}"; sleep 100000 ;; esac\nexec'
        )
    )

    def interrupt(_row: object, _result: object) -> None:
        while not waiting.exists():
            pass
        raise KeyboardInterrupt

    rows = [project.row("c/good:write"), project.row("c/hanging:write")]
    with pytest.raises(KeyboardInterrupt):
        project.builder().build_all(
            rows, {row.contender.id: NOTHING for row in rows}, "speed", on_done=interrupt, jobs=2
        )
    assert not list((project.cache / "build").glob(".serbench-*"))


def test_rows_without_a_library_are_left_out(project: Project) -> None:
    project.contender("one", "int value(void) { return 1; }")
    assert project.builder().build_all([project.row("c/one:write")], {}, "speed") == {}


def test_a_library_that_does_not_build_is_tried_once(project: Project, tmp_path: Path) -> None:
    (tmp_path / "lib.c").write_text("#error not here\n")
    project.contender("one", "int value(void) { return 1; }")
    provided = Provided(source=Source(kind="debian-source", name="x", files=["lib.c"]), root=tmp_path)
    results = project.builder().build_all(
        [project.row("c/one:write"), project.row("c/one:tree")], {"c/one": provided}, "speed"
    )
    for failure in results.values():
        assert isinstance(failure, BuildFailed)
        assert "#error not here" in failure.reason
    assert len(results) == 2
    assert project.compilations() == 1


def test_a_missing_compiler_is_a_reason_with_a_remedy(project: Project) -> None:
    project.contender("one", "int value(void) { return 1; }")
    compilers = Compilers(c="no-such-gcc", cxx="no-such-g++")
    with pytest.raises(BuildFailed, match="there is no program no-such-gcc: sudo apt-get install"):
        project.builder(compilers=compilers).build(project.row("c/one:write"), NOTHING, "speed")


@pytest.mark.parametrize(
    ("machine", "value"),
    [
        ("arm-linux-gnueabihf", 7),
        ("aarch64-linux-gnu", 0),
        ("arm64-apple-darwin24", 0),
        ("x86_64-linux-gnu", 0),
    ],
)
def test_macros_for_32_bit_arm_are_for_it_alone(project: Project, machine: str, value: int) -> None:
    body = "#ifndef NARROW\n#define NARROW 0\n#endif\nint value(void) { return NARROW; }"
    project.contender("one", body)
    compilers = msgspec.structs.replace(find_compilers({}), machine=machine)
    provided = Provided(source=Source(arm32_defines=["NARROW=7"]))
    built = project.builder(compilers=compilers).build(project.row("c/one:write"), provided, "speed")
    assert say(built) == f"c write -O3 -flto {value}"


def test_a_compiler_says_what_it_builds_for(tmp_path: Path) -> None:
    (tmp_path / "gcc").write_text('#!/bin/sh\n[ "$1" != -dumpmachine ] || echo arm-linux-gnueabi\n')
    (tmp_path / "gcc").chmod(0o755)
    assert find_compilers({"CC": str(tmp_path / "gcc")}).for_arm32
    assert find_compilers({}).machine == subprocess.check_output(["gcc", "-dumpmachine"], text=True).strip()


def test_an_encoder_beside_its_format_is_a_write_worker(project: Project) -> None:
    assert say(project.builder().build_encoder("none.c")) == "c write -O3 -flto 99"


def test_tools_are_programs_or_shared_libraries(project: Project) -> None:
    program, shared = project.builder().build_tool("say"), project.builder().build_tool("count")
    assert Path(program.command[0]).name == "say"
    with pytest.raises(Exception, match="status 7"):
        say(program)
    assert Path(shared.command[0]).name == "libcount.so"
    assert Path(shared.command[0]).read_bytes()[16:18] == b"\x03\x00"  # ET_DYN


def test_a_tool_is_built_with_the_library_of_a_contender(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = '[[source]]\ninstalled = "include/odd.h"\ninclude = ["include"]\nheader-only = true\n'
    project.contender("odd", "int value(void) { return 1; }", source)
    manifest = project.root / "harness/c/harness.toml"
    manifest.write_text(manifest.read_text().replace("[tools.count]", 'library = "c/odd"\n\n[tools.count]'))
    project.write("harness/c/tools/say.c", "#include <odd.h>\nint main(void) { return ODD; }\n")
    with pytest.raises(BuildFailed, match=r"no installed include/odd\.h"):
        project.builder().build_tool("say")
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "odd.h").write_text("#define ODD 5\n")
    monkeypatch.setenv("CMAKE_PREFIX_PATH", str(tmp_path))
    with pytest.raises(Exception, match="status 5"):
        say(project.builder().build_tool("say"))


def test_a_cpp_library_of_the_distribution_does_not_go_with_libcxx(project: Project) -> None:
    for language in ("c", "cpp"):
        project.contender("one", "int value(void) { return 1; }", language=language)
    compilers = msgspec.structs.replace(find_compilers({}), libcxx=True)
    provided = Provided(source=Source(kind="debian-package", name="x"), distribution_build=True)
    with pytest.raises(BuildFailed, match="built it for libstdc") as caught:
        project.builder(compilers=compilers).build(project.row("cpp/one:write"), provided, "speed")
    assert caught.value.unavailable
    assert say(project.builder(compilers=compilers).build(project.row("c/one:write"), provided, "speed"))
    assert say(project.build("cpp/one:write", provided))


def test_what_was_built_elsewhere_never_claims_our_flags(project: Project, tmp_path: Path) -> None:
    project.contender("one", "int value(void) { return 1; }")
    (tmp_path / "odd.h").touch()
    (tmp_path / "odd.c").touch()
    copy = Source(kind="installed", name="odd.h")
    flags = {
        "chosen by the distribution": Provided(source=Source(kind="x", name="x"), distribution_build=True),
        "chosen by whoever installed it": Provided(source=copy, root=tmp_path, found=tmp_path / "odd.h"),
        "-O3 -flto": Provided(
            source=msgspec.structs.replace(copy, files=["odd.c"]), root=tmp_path, found=tmp_path / "odd.h"
        ),
    }
    for expected, provided in flags.items():
        built = project.build("c/one:write", provided)
        assert built.flags == expected
        assert say(built) == f"c write {expected} 1"


def test_a_compiler_that_looks_into_the_system_first_gets_plain_folders(
    project: Project, tmp_path: Path
) -> None:
    (tmp_path / "odd.h").write_text("static int odd(int x) { int unused; return 6; }\n")
    project.contender("one", "#include <odd.h>\nint value(void) { return odd(1); }")
    provided = Provided(
        source=Source(kind="debian-source", name="x", include=["."], header_only=True), root=tmp_path
    )
    compilers = msgspec.structs.replace(find_compilers({}), system_first=True)
    built = project.builder(compilers=compilers).build(project.row("c/one:write"), provided, "speed")
    assert say(built).endswith(" 6")
    calls = project.calls.read_text()
    assert f"-I{tmp_path}" in calls and "-isystem" not in calls


def test_a_library_without_a_static_form_is_said_to_have_none(project: Project, tmp_path: Path) -> None:
    prefix = tmp_path / "prefix"
    (prefix / "lib").mkdir(parents=True)
    (prefix / "odd.h").touch()
    project.write("odd.c", "int odd(void) { return 4; }\n")
    shared = ["gcc", "-shared", "-fPIC", str(project.root / "odd.c"), "-o", str(prefix / "lib/libodd.so")]
    subprocess.run(shared, check=True)
    project.contender("one", "int odd(void);\nint value(void) { return odd(); }")
    source = Source(kind="installed", name="odd.h", libraries=["odd"])
    provided = Provided(source=source, root=prefix, found=prefix / "odd.h")
    assert say(project.build("c/one:write", provided)).endswith(" 4")
    built_by = {
        "the distribution": msgspec.structs.replace(provided, distribution_build=True),
        "the installed copy": provided,
    }
    for owner, library in built_by.items():
        with pytest.raises(BuildFailed, match=f"^{owner} has no static form of the library, or of one that"):
            project.builder().build(project.row("c/one:write"), library, "speed", "static")
    # What is wrong in any form is said as it is.
    project.contender("two", "int even(void);\nint value(void) { return even(); }")
    with pytest.raises(BuildFailed, match=r"undefined reference to .even"):
        project.builder().build(project.row("c/two:write"), provided, "speed", "static")


def test_an_answer_that_makes_nothing_is_refused(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.contender("one", "int value(void) { return 1; }")
    builder = project.builder()
    monkeypatch.setitem(builder._programs, "c", Silent())
    with pytest.raises(BuildFailed, match="neither recipes nor a digest"):
        builder.build(project.row("c/one:write"), NOTHING, "speed")


class Silent:
    """A build program that answers without a plan."""

    def ask(self, _request: Request) -> Answer:
        return Answer()


@pytest.mark.parametrize(
    ("encoders", "says"),
    [
        ("[]", "it names no encoder"),
        ('["none.c", "gone.c"]', "there is no encoder gone.c beside it"),
        ('["none.cob"]', "no harness for the language of none.cob"),
    ],
)
def test_a_format_without_an_encoder_that_can_be_built_is_refused(
    encoders: str, says: str, project: Project
) -> None:
    project.write("formats/none.cob", "")
    project.write("formats/none.toml", f'name = "none"\nending = "x"\nencoders = {encoders}\n')
    with pytest.raises(UserError, match=rf"none\.toml: {says}"):
        load_catalog(project.root)


@pytest.mark.parametrize("parts", [[], ["x"]])
def test_a_toolchain_that_cannot_be_installed_is_refused(
    parts: list[str], project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalog = load_catalog(project.root)
    monkeypatch.setattr("serbench.provision.installable.of_part", lambda *_words, **_more: None)
    harness = msgspec.structs.replace(
        catalog.harnesses["c"], toolchain=Toolchain(lock="odd.lock", parts=parts)
    )
    with pytest.raises(UserError, match=r"harness\.toml: toolchain .*unknown lock 'odd.lock'"):
        of_harness(msgspec.structs.replace(catalog, harnesses={"c": harness}), project.cache, "c")


def test_doctor_says_that_a_build_program_fails(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Builder, "compilers", lambda _builder: (_ for _ in ()).throw(BuildFailed("it broke")))
    assert ("compilers", "bad", "it broke") in map(
        msgspec.structs.astuple, _tools(load_catalog(project.root))
    )


def test_rows_that_share_a_library_are_not_built_side_by_side_first(project: Project) -> None:
    for name in ("one", "two"):
        project.contender(name, "int value(void) { return 1; }")
    rows = [row for row in project.builder().catalog.rows() if row.contender.id in ("c/one", "c/two")]
    several = [*rows, *rows]
    turned = [row.contender.id for row in in_turns(several)]
    assert sorted(turned) == sorted(row.contender.id for row in several)
    assert turned[:2] == ["c/one", "c/two"]
    assert in_turns(rows[:1]) == rows[:1] and in_turns([]) == []
