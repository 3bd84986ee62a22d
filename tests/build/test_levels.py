"""--cpu: which levels a machine runs, and what programs are then built for."""

import platform
from pathlib import Path

import pytest
from harness.c.build import Build
from harness.c.build.compilers import Compilers, find_compilers

from serbench.build import BuildFailed, processor
from serbench.build.configuration import Configuration
from serbench.build.contract import Recipe
from serbench.build.processor import Level, need_levels, runnable
from serbench.catalog.records import Catalog
from serbench.catalog.source import CMake, Source
from serbench.errors import UserError
from serbench.project import CACHE
from serbench.provision import Provided
from serbench.run.context import BuildContext
from tests.build.conftest import Project, say

V2 = "fpu lm sse2 cx16 lahf_lm pni popcnt sse4_1 sse4_2 ssse3"
V3 = f"{V2} abm avx avx2 bmi1 bmi2 f16c fma movbe xsave"
V4 = f"{V3} avx512bw avx512cd avx512dq avx512f avx512vl"
ARM = "processor\t: 0\nFeatures\t: fp asimd aes\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n"
NOTHING = Provided(source=Source())
ONE = "int value(void) { return 1; }"


def cpuinfo(*flags: str, mhz: str = "2400.000", model: str = "Example 3000") -> str:
    """What Linux says of a machine with a core for each of `flags`."""
    return "\n".join(
        f"processor\t: {n}\nmodel name\t: {model}\ncpu MHz\t\t: {mhz}\nflags\t\t: {words}\npower:\n"
        for n, words in enumerate(flags)
    )


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Makes this another machine, as far as /proc/cpuinfo and the architecture's name tell."""

    def become(text: str, architecture: str = "x86_64") -> None:
        path = tmp_path / "cpuinfo"
        path.write_text(text)
        monkeypatch.setattr(processor, "CPUINFO", path)
        monkeypatch.setattr(platform, "machine", lambda: architecture)

    return become


@pytest.mark.parametrize(
    ("architecture", "text", "levels"),
    [
        ("x86_64", cpuinfo("fpu lm sse2"), "baseline native"),
        ("x86_64", cpuinfo(V2), "baseline v2 native"),
        ("x86_64", cpuinfo(V3), "baseline v2 v3 native"),
        ("x86_64", cpuinfo(V4), "baseline v2 v3 v4 native"),
        ("x86_64", cpuinfo(V3.replace(" fma", "")), "baseline v2 native"),
        ("x86_64", cpuinfo(V4.replace(" movbe", "")), "baseline v2 native"),
        ("x86_64", cpuinfo(V4, V2, V4), "baseline v2 native"),
        ("x86_64", "", "baseline"),
        ("aarch64", ARM, "baseline native"),
        ("aarch64", cpuinfo(V4), "baseline native"),
    ],
)
def test_a_machine_runs_what_all_its_cores_have(architecture: str, text: str, levels: str) -> None:
    assert runnable(architecture, text) == levels.split()


def test_a_level_that_this_processor_does_not_run_is_refused(machine, catalog: Catalog) -> None:
    machine(cpuinfo(V2))
    need_levels(["native", "v2", "baseline"])
    with pytest.raises(UserError, match=r"built for v3, v4; --cpu can be baseline, v2 or native$"):
        need_levels(["v4", "v2", "v3"])
    with pytest.raises(UserError, match="built for v3;"):
        BuildContext(catalog, CACHE, [Configuration(cpu="v3")])
    machine(ARM, "aarch64")
    with pytest.raises(UserError, match=r"aarch64; v2, v3 and v4 are levels of x86-64.*baseline or native$"):
        need_levels(["v2"])


def test_the_command_refuses_before_anything_is_built(machine, command, tmp_path: Path, monkeypatch) -> None:
    machine(cpuinfo(V2))
    (tmp_path / "cpuinfo").rename(tmp_path / ".cpuinfo")
    monkeypatch.setattr(processor, "CPUINFO", tmp_path / ".cpuinfo")
    monkeypatch.setattr(BuildContext, "__init__", lambda *_given, **_named: pytest.fail("it builds"))
    for words in (["run"], ["verify"], ["compare", "mpack", "--against", "c/cmp"]):
        done = command(*words, "--cpu", "baseline,v3", "--cpu", "native")
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert "cannot run programs built for v3; --cpu can be baseline, v2 or native" in done.stderr
        done = command(*words, "--cpu", "v7")
        assert done.returncode == 2 and "there is no processor level 'v7'; did you mean" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == [".cpuinfo"]


def recipes(
    project: Project, level: Level, provided: Provided, compilers: Compilers | None = None
) -> list[Recipe]:
    """What the build program of C plans for the contender `one`."""
    builder = project.builder()
    request = builder._row_request("worker", project.row("c/one:write"), provided, "speed", cpu=level)
    return Build(request, compilers or find_compilers({})).worker(static=False).recipes


@pytest.fixture
def library(tmp_path: Path) -> Path:
    (tmp_path / "library").mkdir()
    (tmp_path / "library/lib.c").touch()
    return tmp_path / "library"


@pytest.mark.parametrize(("level", "option"), [("v3", "-march=x86-64-v3"), ("native", "-march=native")])
def test_library_harness_contender_and_program_are_built_for_the_level(
    project: Project, library: Path, level: Level, option: str
) -> None:
    project.contender("one", ONE)
    files = Provided(source=Source(kind="x", name="x", files=["lib.c"]), root=library)
    made = Source(kind="x", name="x", cmake=CMake(libraries=["libone.a"]))
    for provided in (files, Provided(source=made, root=library)):
        plain = [step for recipe in recipes(project, "baseline", provided) for step in recipe.steps]
        steps = [step for recipe in recipes(project, level, provided) for step in recipe.steps]
        assert not any("-march" in word for step in plain for word in step)
        compiling = [step for step in steps if step[0] in ("gcc", "g++")]
        assert len(compiling) >= 3 and all(option in step for step in compiling)
        if provided.source.cmake:
            (configure,) = (step for step in steps if "-S" in step)
            assert sum(option in word for word in configure if "_FLAGS=" in word) == 2
        same = [[word.replace(f" {option}", "") for word in step if word != option] for step in steps]
        assert same == plain  # The level is all that is new.


def test_each_compiler_gets_its_own_name_of_a_level(project: Project) -> None:
    project.contender("one", ONE)
    zig = Compilers(libcxx=True, levels="x86_64_")
    steps = [step for recipe in recipes(project, "v2", NOTHING, zig) for step in recipe.steps]
    assert steps and all("-march=x86_64_v2" in step for step in steps)


@pytest.mark.parametrize(
    ("level", "macro"), [("v2", "__SSE4_2__"), ("v3", "__AVX2__"), ("v4", "__AVX512F__")]
)
def test_a_program_is_what_its_level_says(project: Project, level: Level, macro: str) -> None:
    if level not in runnable(platform.machine(), processor.CPUINFO.read_text()):
        pytest.skip(f"this processor does not run {level}")
    project.contender(
        "one", f"#ifdef {macro}\n#define YES 1\n#else\n#define YES 0\n#endif\n" + ONE.replace("1", "YES")
    )
    row, builder = project.row("c/one:write"), project.builder()
    assert say(builder.build(row, NOTHING, "speed")) == "c write -O3 -flto 0"
    built = builder.build(row, NOTHING, "speed", cpu=level)
    assert say(built) == f"c write -O3 -flto -march=x86-64-{level} 1"
    assert built.flags == f"-O3 -flto -march=x86-64-{level}"
    assert say(builder.build(row, NOTHING, "speed", cpu="native")) == "c write -O3 -flto -march=native 1"


def test_only_native_is_another_program_on_another_processor(project: Project, machine) -> None:
    project.contender("one", ONE)
    row, builder = project.row("c/one:write"), project.builder()

    def digests() -> list[str]:
        return [builder.build(row, NOTHING, "speed", cpu=level).digest for level in ("baseline", "native")]

    machine(cpuinfo(V2, V2))
    first = digests()
    assert first[0] == project.build("c/one:write").digest != first[1]
    machine(cpuinfo(V2, V2, V2, mhz="3700.123"))
    assert digests() == first
    for other in (cpuinfo(V3), cpuinfo(V2, model="Example 4000"), cpuinfo(V2, V3)):
        machine(other)
        found = digests()
        assert found[0] == first[0] and found[1] not in first
        first.append(found[1])


def test_a_library_that_was_built_elsewhere_has_no_row_of_a_level(project: Project, library: Path) -> None:
    project.contender("one", ONE)
    installed = Source(kind="installed", name="lib.c")
    owners = {
        "the distribution": Provided(source=Source(kind="x", name="x"), distribution_build=True),
        "whoever installed it": Provided(source=installed, root=library, found=library / "lib.c"),
    }
    row, builder = project.row("c/one:write"), project.builder()
    for owner, provided in owners.items():
        with pytest.raises(
            BuildFailed, match=f"^{owner} built the library, so it is not built for v3$"
        ) as caught:
            builder.build(row, provided, "speed", cpu="v3")
        assert caught.value.unavailable
        assert say(builder.build(row, provided, "speed"))


def test_rows_of_a_harness_without_levels_stay_as_they_are(
    catalog: Catalog, project: Project, machine
) -> None:
    machine(cpuinfo(V4))
    able = {name for name, harness in catalog.harnesses.items() if harness.capabilities.cpu}
    assert able and able != {*catalog.harnesses}
    levels: list[Level] = ["v3", "native"]
    context = BuildContext(catalog, CACHE, [Configuration(cpu=level) for level in levels])
    for harness in catalog.harnesses.values():
        row = next(row for row in catalog.rows() if row.language in harness.languages)
        takes_part = [
            context.level(row, each) for each in context.configurations if context.applies(row, each)
        ]
        assert takes_part == (levels if harness.capabilities.cpu else [""])
        request = context.builder._row_request("worker", row, NOTHING, "speed", cpu="v3")
        assert request.cpu == ("v3" if harness.capabilities.cpu else "baseline")


def test_no_label_states_the_processor_that_a_row_is_built_for(catalog: Catalog) -> None:
    assert not [label for row in catalog.rows() for label in row.labels if "baseline" in label]
