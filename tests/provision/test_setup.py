"""The wrapper `serbench` in a small project, with stand-ins for apt, dpkg, sudo and pip."""

import contextlib
import os
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from serbench.catalog.load import load_catalog
from serbench.catalog.records import Contender
from serbench.project import CACHE
from serbench.provision.installable import of_harness, part_of
from serbench.provision.parts import load_parts
from tests.provision.conftest import ODD

ROOT = Path(__file__).parents[2]

# The stand-in for a Python: pip's work is written down or fails; everything else is a real Python's.
PYTHON = f"""#!/bin/sh
case "$*" in
*ensurepip*) [ -z "${{NO_PYTHON-}}" ] || exit 1 ;;
"-m pip install"*)
    echo "pip $*" >>"$CALLS"
    [ -z "${{PIP_FAILS-}}" ] || {{ echo "could not connect to the registry"; exit 1; }}
    exit 0 ;;
"-c import pip") exit 0 ;;
"-m venv"*)
    echo "venv" >>"$CALLS"
    for folder; do :; done
    mkdir -p "$folder/bin"; cp "$0" "$folder/bin/python"; exit 0 ;;
esac
exec {shlex.quote(sys.executable)} "$@"
"""

APT_GET = r"""echo "apt-get $*" >>"$CALLS"
case "$*" in
*--print-uris*)
    for name; do
        case $name in
        -*|install) ;;
        *) printf "'http://m/%s.deb' %s.deb 1500000 MD5\n" "$name" "$name" ;;
        esac
    done ;;
update) [ -z "${UPDATE_FAILS-}" ] || { echo "E: some third party"; exit 100; } ;;
*install*)
    for name; do
        case " ${BROKEN-} " in *" $name "*) echo "E: $name is broken"; exit 100 ;; esac
    done
    for name; do echo "$name" >>"$INSTALLED"; done ;;
esac"""

APT_CACHE = """shift
for name; do
    case $name in unknown-*) continue ;; none-*) candidate="(none)" ;; *) candidate=1.0 ;; esac
    printf '%s:\\n  Installed: (none)\\n  Candidate: %s\\n  Version table:\\n' "$name" "$candidate"
done"""


class Machine:
    """A machine on which nothing is installed, and a clone of a project with two manifests."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / ODD / "serbench"
        self.calls, self.installed = folder / "calls", folder / "installed"
        self.programs = folder / "programs"
        self.environment = {
            "PATH": f"{self.programs}:/usr/bin:/bin",
            "CALLS": str(self.calls),
            "INSTALLED": str(self.installed),
        }
        for name in ("serbench", "setup/setup.sh", "setup/packages.awk", "setup/parts.awk"):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.root / name)
        tools = (
            'packages = ["gcc", "none-gcc"]\nsources-mb = 9\n[languages]\nc = "C"\n[tools.t]\nsources = []\n'
        )
        self.write("harness/c/harness.toml", tools)
        self.write("contenders/c/one/contender.toml", '[[source]]\ndebian-package = "libone-dev"\n')
        self.write("requirements.lock", "one==1\ntwo==2 ; sys_platform == 'win32'\nthree==3\n")
        self.write("src/serbench/__init__.py", "")
        self.write("src/serbench/__main__.py", "import sys\nprint(*sys.argv[1:], sep='|')\n")
        self.programs.mkdir()
        self.program("python3", PYTHON.removeprefix("#!/bin/sh\n"))
        self.program("apt-get", APT_GET)
        self.program("apt-cache", APT_CACHE)
        self.program("sudo", "exit 1")
        self.program("id", "echo 0")
        self.program(
            "dpkg-query", 'for name; do :; done\ngrep -qxF "$name" "$INSTALLED" 2>/dev/null && printf "ii "'
        )

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def program(self, name: str, body: str) -> None:
        path = self.programs / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def start(
        self, *arguments: str, command: Path | None = None, **more: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(command or self.root / "serbench"), *arguments],
            cwd="/",
            env={**self.environment, **more},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )

    def called(self) -> list[str]:
        """What has been called since the last question."""
        lines = self.calls.read_text().splitlines() if self.calls.exists() else []
        self.calls.unlink(missing_ok=True)
        return lines


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def printed(*manifests: Path, languages: str = ",all", sources: str = "") -> list[str]:
    """The lines that packages.awk prints for languages."""
    words = ["awk", "-v", f"languages={languages}", "-v", f"sources={sources}"]
    files = manifests or (
        *sorted(ROOT.glob("harness/*/harness.toml")),
        *sorted(ROOT.glob("contenders/*/*/contender.toml")),
    )
    return subprocess.run(
        [*words, "-f", ROOT / "setup/packages.awk", *files], capture_output=True, text=True, check=True
    ).stdout.splitlines()


HARNESSES = load_catalog(ROOT, place="microcontroller").harnesses
"""Those of this machine too."""
LANGUAGES = {name: shown for harness in HARNESSES.values() for name, shown in harness.languages.items()}


@pytest.mark.parametrize("languages", [["all"], *([name] for name in LANGUAGES), ["go", "cpp"]])
def test_the_packages_of_the_shell_are_those_of_the_catalog(languages: list[str]) -> None:
    chosen = [*LANGUAGES] if languages == ["all"] else languages
    own: set[str] = set()
    expected: set[str] = set()
    megabytes = 0
    contenders = load_catalog(ROOT).contenders.values()

    def packages_of(contender: Contender) -> set[str]:
        sources = contender.manifest.source
        named = {source.name for source in sources if source.kind == "debian-package"}
        return named | {package for source in sources for package in source.packages}

    for harness in HARNESSES.values():
        if harness.tools or harness.toolchain.given:
            own |= {*harness.packages}
        for library in {tool.library for tool in harness.tools.values()}:
            own |= set().union(*(packages_of(c) for c in contenders if c.id == library))
        if {*chosen} & {*harness.languages}:
            expected |= {*harness.packages, *harness.library_packages}
            megabytes += harness.sources_mb
    for contender in contenders:
        if contender.manifest.language in chosen:
            expected |= packages_of(contender)
    asked = "".join(f",{name}" for name in languages)
    found = dict(line.split("|") for line in printed(languages=asked))
    assert found.keys() == expected | own
    assert {name for name, what in found.items() if what == "serbench's own tools"} == own >= {"gcc", "g++"}
    assert {found[name] for name in expected - own} <= {LANGUAGES[name] for name in chosen}
    assert printed(languages=asked, sources="1") == [str(megabytes)]


def test_a_language_of_its_own_needs_no_library_of_another() -> None:
    """Compilers are there for serbench's own tools, and nothing that builds libraries in C or C++."""
    for language in LANGUAGES.keys() - {"c", "cpp", "firmware"}:
        names = {line.split("|")[0] for line in printed(languages=f",{language}")}
        assert not names & {"cmake", "make", "pkg-config", "dpkg-dev", "libjansson-dev"}, language


def test_the_shell_reads_arrays_as_toml_does(tmp_path: Path) -> None:
    manifest = tmp_path / "contenders" / "c" / "one" / "contender.toml"
    manifest.parent.mkdir(parents=True)
    manifest.write_text(
        '# packages = ["comment"]\npackages=["a", "b"] # "c"\nother = ["d"]\n'
        '  packages = [\n    "e", # "f"\n    "g",\n]\nname = "h"\ndebian-package = "i"\nx-packages = ["j"]\n'
        'debian-source = "k"\npackages = []\nname = "l"\n'
    )
    assert [line.split("|")[0] for line in printed(manifest)] == ["a", "b", "e", "g", "i"]


def test_first_use_lists_then_installs_then_runs(machine: Machine) -> None:
    done = machine.start("run", "a b", "$x'ü")
    assert done.returncode == 0
    assert done.stdout == "run|a b|$x'ü\n"
    listed = done.stderr.index("3 MB  Debian packages, 2 with what they need\n")
    assert "Python packages, 2 of requirements.lock" in done.stderr
    assert "\n        9 MB  or less: sources of the libraries" in done.stderr
    assert "\n              for serbench's own tools: gcc\n              for C: libone-dev\n" in done.stderr
    assert listed < done.stderr.index("installing Debian packages")
    assert "none-gcc" not in done.stderr
    calls = machine.called()
    install = next(call for call in calls if "install -y" in call)
    assert "--no-install-recommends" in install
    assert install.endswith("gcc libone-dev")
    assert any("--require-hashes" in call for call in calls)


@pytest.fixture
def two(machine: Machine) -> Machine:
    """A project with a further language, whose library needs a package."""
    harness = 'library-packages = ["libtools"]\n[languages]\ngo = "Go"\n'
    machine.write("harness/go/harness.toml", harness)
    library = 'name = "Two Three"\n[[source]]\npackages = ["libtwo"]\n'
    machine.write("contenders/go/two/contender.toml", library)
    return machine


def debian_packages(machine: Machine) -> list[str]:
    """What apt has been told to install since the last question."""
    calls = [call for call in machine.called() if "install -y" in call]
    return [word for call in calls for word in call.partition("Timeout=120 ")[2].split()]


@pytest.mark.parametrize(
    "words",
    [
        ("run", "--languages", "go"),
        ("verify", "--languages=go"),
        ("run", "--contenders", "go/two"),
        ("run", "--contenders=GO/*"),
        ("run", "--contenders", "tw?"),
        ("run", "--contenders", "Two Three"),
        ("run", "--languages", "go", "--contenders", "c/one"),
    ],
)
def test_only_packages_of_the_languages_that_are_measured(two: Machine, words: tuple[str, ...]) -> None:
    done = two.start(*words)
    assert debian_packages(two) == ["gcc", "libtools", "libtwo"]
    assert "for Go: libtools libtwo\n" in done.stderr and "sources of" not in done.stderr
    for again in (words, ("report",), ("list",), ("setup", "--yes")):
        assert two.start(*again).stderr == "", again


def test_a_further_language_brings_the_rest(two: Machine) -> None:
    assert two.start("run", "--languages", "go").returncode == 0
    assert "libtwo" in debian_packages(two)
    two.start("run", "--languages", "c, go")
    assert debian_packages(two) == ["libone-dev"]
    two.start("run", "--languages", "c")
    assert two.called() == []
    two.write("contenders/go/four/contender.toml", '[[source]]\npackages = ["libfour"]\n')
    two.start("run", "--languages", "c")
    assert debian_packages(two) == []
    two.start("report")
    assert debian_packages(two) == []
    two.start("run")
    assert debian_packages(two) == ["libfour"]
    two.start("run", "--languages", "go")
    assert two.called() == []


def test_a_stamp_that_names_no_language_counts_for_none(two: Machine) -> None:
    two.write(".cache/setup-packages", "2520480500 281940\n")
    two.start("report")
    assert debian_packages(two) == ["gcc", "libone-dev", "libtools", "libtwo"]


def test_contenders_that_nobody_knows_may_be_of_any_language(two: Machine) -> None:
    two.start("run", "--contenders", "mine")
    assert debian_packages(two) == ["gcc", "libone-dev", "libtools", "libtwo"]


def test_later_starts_ask_nobody(machine: Machine) -> None:
    machine.start("list")
    machine.called()
    done = machine.start("list", PIP_FAILS="1", UPDATE_FAILS="1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "list\n", "")
    assert machine.called() == []


@pytest.mark.parametrize(
    "words",
    [
        ("setup", "m0"),
        ("setup", "--yes", "m0"),
        ("setup", "esp", "m0", "--yes"),
        ("count", "--platform", "m0"),
        ("count", "--platform=m0,esp"),
    ],
)
def test_a_microcontroller_needs_no_librarys_package(machine: Machine, words: tuple[str, ...]) -> None:
    machine.write("platforms/m0/platform.toml", 'kind = "microcontroller"\n')
    machine.write("platforms/esp/platform.toml", 'kind = "board"\n')
    done = machine.start(*words)
    assert done.returncode == 0 and "libone-dev" not in done.stderr
    assert any("install -y" in call and call.endswith(" gcc") for call in machine.called())
    machine.start("count", "--platform", "m0")
    assert machine.called() == []
    machine.start("run")
    assert any("install -y" in call and call.endswith(" libone-dev") for call in machine.called())
    machine.start("count", "--platform", "m0")
    assert machine.called() == []


@pytest.mark.parametrize(
    "words",
    [
        ("setup", "zig"),
        ("setup", "m0", "zig"),
        ("setup", "zig", "m0"),
        ("setup", "all"),
        ("count", "--platform", "m0,linux"),
        ("run", "--data", "m0"),
    ],
)
def test_anything_else_needs_them(machine: Machine, words: tuple[str, ...]) -> None:
    machine.write("platforms/m0/platform.toml", 'kind = "microcontroller"\n')
    machine.write("platforms/linux/platform.toml", 'kind = "linux"\n')
    machine.start(*words)
    assert any("install -y" in call and call.endswith(" libone-dev") for call in machine.called())


SETS_UP = """import os, sys
if sys.argv[1] == "setup":
    print(*sys.argv[1:], file=open(os.environ["CALLS"], "a"))
    sys.exit("BROKEN" in os.environ and sys.argv[-1] in os.environ["BROKEN"])
print(*sys.argv[1:], sep="|")
"""


@pytest.fixture
def parted(machine: Machine) -> Machine:
    """A project with two harnesses that need parts: the one a single one, the other packages, too."""
    machine.write("src/serbench/__main__.py", SETS_UP)
    for name, mb in (("quick", 7), ("slow", 20), ("helper", 3)):
        sizes = f"download-mb = {mb}\ndisk-mb = {10 * mb}\n"
        machine.write(f"setup/{name}.toml", f'title = "The {name} one, for rows"\nfolder = "{name}"\n{sizes}')
    machine.write(
        "harness/q/harness.toml", '[languages]\nqa = "Q A"\nqb = "Q B"\n[toolchain]\nparts = ["quick"]\n'
    )
    lock = '[toolchain]\nparts = ["slow"]\nlock = "l"\ndownload-mb = 5\ndisk-mb = 6\n'
    machine.write("harness/s/harness.toml", f'[languages]\ns = "S"\n{lock}')
    machine.write("contenders/s/one/contender.toml", 'language = "s"\n[[source]]\npart = "helper"\n')
    return machine


def parts_installed(machine: Machine) -> list[str]:
    return [call.split()[-1] for call in machine.called() if call.startswith("setup --yes")]


def test_a_run_brings_what_its_languages_need_once(parted: Machine) -> None:
    done = parted.start("run")
    assert (done.returncode, done.stdout) == (0, "run\n")
    assert "\n        7 MB  quick: The quick one (70 MB on the disk)\n" in done.stderr
    assert (
        "\n       28 MB  slow: The slow one and packages of the libraries (236 MB on the disk)\n"
        in done.stderr
    )
    assert parts_installed(parted) == ["quick", "slow"]
    again = parted.start("run")
    assert (again.stderr, parted.called()) == ("", [])


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (("run", "--languages", "qb,c"), ["quick"]),
        (("run", "--languages", "c, qb"), ["quick"]),
        (("run", "--languages=s"), ["slow"]),
        (("verify", "--languages", "s", "--languages", "qa"), ["quick", "slow"]),
        (("run", "--languages", "c"), []),
        (("run", "--contenders", "c/one"), []),
        (("run", "--contenders", "s/one,c/one"), ["slow"]),
        (("verify", "--contenders", "s/*"), ["slow"]),
        (("run", "--use", "s/one=x"), []),
        (("resume", "x"), []),
        (("list",), []),
        (("--no-install", "run"), []),
    ],
)
def test_only_what_the_command_measures(parted: Machine, words: tuple[str, ...], parts: list[str]) -> None:
    assert parted.start(*words).returncode == 0
    assert parts_installed(parted) == parts


def test_a_part_that_is_there_is_not_listed(parted: Machine) -> None:
    parted.write(".cache/quick/serbench-lock", "")
    parted.write(".cache/slow/serbench-lock", "")
    done = parted.start("run")
    assert "quick" not in done.stderr
    assert "\n        8 MB  slow: packages of the libraries (36 MB on the disk)\n" in done.stderr
    assert parts_installed(parted) == ["slow"]


@pytest.mark.parametrize(
    ("least", "older", "newer"),
    [("20", "v19.9", "v20.1"), ("1.90", "quick 1.89.2 (abc 2026-04-14)", "quick 1.100.0 (abc 2026-04-14)")],
)
def test_a_program_of_the_system_does_as_well(parted: Machine, least: str, older: str, newer: str) -> None:
    with (parted.root / "setup/quick.toml").open("a") as file:
        file.write(f'version = ["quick", "--version"]\nleast = "{least}"\n')
    parted.program("quick", f"echo '{older}'")
    assert "quick: The quick one" in parted.start("run").stderr
    (parted.root / ".cache/setup-parts").unlink()
    parted.program("quick", f"echo '{newer}'")
    assert "quick" not in parted.start("run").stderr


def test_a_part_that_cannot_be_had_costs_one_line(parted: Machine) -> None:
    done = parted.start("run", BROKEN="quick")
    assert (done.returncode, done.stdout) == (0, "run\n")
    (said,) = [line for line in done.stderr.splitlines() if "failed" in line]
    assert said == "serbench: installing quick ... failed: ./serbench setup quick says why and tries again"
    assert parts_installed(parted) == ["quick", "slow"]
    assert parted.start("run").stderr == ""


def test_parts_can_be_left_out_on_a_terminal(parted: Machine) -> None:
    assert answered(parted, b"nothing\nslow\n", "run")[0] == 0
    assert parts_installed(parted) == ["quick"]
    shutil.rmtree(parted.root / ".cache")
    shutil.rmtree(parted.root / ".venv")
    parted.start("list")
    parted.called()
    status, said, _ = answered(parted, b"n\n", "run")
    assert status == 0 and b"run" in said and parts_installed(parted) == []
    assert parted.start("run").stderr == ""


def answered(machine: Machine, answer: bytes, *words: str) -> tuple[int, bytes, bytes]:
    """The exit status of a command, its output, and the terminal at which somebody types `answer`."""
    import pty

    master, slave = pty.openpty()
    child = subprocess.Popen(
        [str(machine.root / "serbench"), *words],
        env=machine.environment,
        stdin=slave,
        stdout=subprocess.PIPE,
        stderr=slave,
    )
    os.close(slave)
    os.write(master, answer)
    output, _ = child.communicate()
    shown = b""
    with contextlib.suppress(OSError):  # which the end of a terminal is
        while True:
            shown += os.read(master, 65536)
    os.close(master)
    return child.returncode, output, shown


def test_the_parts_of_the_shell_are_those_of_the_catalog() -> None:
    catalog, parts = load_catalog(ROOT), load_parts(ROOT)
    expected = {}
    for name, stated in catalog.harnesses.items():
        tools, first = stated.toolchain, part_of(name, stated)
        if first:
            things = {thing.name for thing in of_harness(catalog, CACHE, name)} - {first}
            more = [parts[thing] for thing in things]
            part = parts.get(first)
            expected[first] = [
                ",".join(stated.languages),
                part.folder if part else "",
                " ".join([*part.version, part.least]) if part and part.least else "",
                part.title.partition(",")[0] if part else "",
                str(part.download_mb if part else 0),
                str(part.disk_mb if part else 0),
                str(tools.download_mb + sum(part.download_mb for part in more)),
                str(tools.disk_mb + sum(part.disk_mb for part in more)),
            ]
    files = [
        file
        for pattern in ("setup/*.toml", "harness/*/harness.toml", "contenders/*/*/contender.toml")
        for file in sorted(ROOT.glob(pattern))
    ]
    lines = subprocess.run(
        ["awk", "-f", ROOT / "setup/parts.awk", *files], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    found = {
        line.partition("|")[0]: [" ".join(field.split()) for field in line.split("|")[1:]] for line in lines
    }
    assert found == expected and found


def test_it_starts_from_anywhere_and_through_links(machine: Machine, tmp_path: Path) -> None:
    machine.start()
    (tmp_path / "one").symlink_to(machine.root / "serbench")
    (tmp_path / "two").symlink_to("one")
    assert machine.start("x", command=tmp_path / "two").stdout == "x\n"


def test_packages_that_are_lost_are_installed_again(machine: Machine) -> None:
    """Another minor version of Python, or a package that somebody removed: pip believes that it is there."""
    machine.start()
    machine.called()
    own = machine.root / ".venv/bin/python"
    lost = '#!/bin/sh\ncase "$*" in *msgspec*) exit 1 ;; esac\n'
    own.write_text(f'{lost}exec {shlex.quote(sys.executable)} "$@"\n')
    done = machine.start("list")
    assert (done.returncode, done.stdout) == (0, "list\n")
    assert [call.split()[0] for call in machine.called()] == ["venv", "pip"]
    assert machine.start("list").stderr == ""


def test_two_first_uses_at_once_install_once(machine: Machine) -> None:
    done = machine.programs.parent / "done"
    waits = f'; while ! [ -e "{done}" ]; do sleep 0.01; done'
    slow = PYTHON.replace('echo "pip $*" >>"$CALLS"', 'echo "pip $*" >>"$CALLS"' + waits)
    machine.program("python3", slow.removeprefix("#!/bin/sh\n"))

    def start() -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [str(machine.root / "serbench"), "list"],
            env=machine.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    first = start()
    while not (machine.calls.exists() and "pip " in machine.calls.read_text()):
        assert first.poll() is None
        time.sleep(0.01)
    second = start()
    assert second.stderr is not None
    while b"waiting for another set-up" not in (line := second.stderr.readline()):
        assert line
    done.touch()
    said = [child.communicate()[0] for child in (first, second)]
    assert (said, [child.returncode for child in (first, second)]) == ([b"list\n"] * 2, [0, 0])
    assert [call.split()[0] for call in machine.called() if "apt" not in call] == ["venv", "pip"]


def test_a_log_that_cannot_be_written_is_said(machine: Machine) -> None:
    machine.write(".cache/setup.log/somebody", "made a folder")
    done = machine.start("list")
    assert (done.returncode, done.stdout) == (2, "")
    (said,) = done.stderr.splitlines()
    assert said.startswith("serbench: cannot write to ") and ".cache/setup.log: make it a file" in said


def test_a_path_that_python_would_split_is_said(machine: Machine, tmp_path: Path) -> None:
    other = tmp_path / "a:b"
    machine.root.rename(other)
    done = machine.start("list", command=other / "serbench")
    assert (done.returncode, done.stdout) == (2, "")
    (said,) = done.stderr.splitlines()
    assert "has a colon" in said and "move it" in said
    assert machine.called() == []


def test_a_changed_lock_or_manifest_is_noticed(machine: Machine) -> None:
    machine.start()
    machine.called()
    machine.write("requirements.lock", "one==2\n")
    machine.start()
    assert [call.split()[0] for call in machine.called()] == ["pip"]
    machine.write("contenders/c/two/contender.toml", '[[source]]\ndebian-package = "libtwo-dev"\n')
    machine.start()
    assert any("install -y" in call and call.endswith("libtwo-dev") for call in machine.called())


def test_help_installs_nothing_new(machine: Machine) -> None:
    assert machine.start("run").returncode == 0
    machine.write("contenders/c/two/contender.toml", '[[source]]\ndebian-package = "libtwo-dev"\n')
    before = machine.calls.read_text()
    assert machine.start("run", "--help").stdout == "run|--help\n"
    assert machine.calls.read_text() == before
    assert machine.start("run").returncode == 0
    assert "libtwo-dev" in machine.calls.read_text()


def test_no_install_says_what_is_missing_and_touches_nothing(machine: Machine) -> None:
    done = machine.start("--no-install")
    assert done.returncode == 0
    assert "not installed (--no-install): gcc libone-dev\n" in done.stderr
    assert not any("install -y" in call or "update" in call for call in machine.called())
    assert not (machine.root / ".venv").exists()


def test_no_install_without_the_python_packages_ends_clearly(machine: Machine) -> None:
    machine.program("python3", "exit 1")
    done = machine.start("--no-install")
    assert done.returncode == 2
    assert "start once without --no-install" in done.stderr


def test_without_privileges_it_says_the_command_and_goes_on(machine: Machine) -> None:
    machine.program("id", "echo 1000")
    for _ in range(2):
        done = machine.start("list")
        assert done.returncode == 0
        assert "apt-get install --no-install-recommends gcc libone-dev\n" in done.stderr
        assert done.stdout == "list\n"
        assert not any("install -y" in call or "update" in call for call in machine.called())


def test_a_registry_that_does_not_answer(machine: Machine) -> None:
    done = machine.start(PIP_FAILS="1")
    assert done.returncode == 2
    assert "could not connect to the registry" in done.stderr
    assert "check the network, or name a mirror (PIP_INDEX_URL)" in done.stderr
    assert machine.start().returncode == 0


def test_a_broken_third_party_repository_does_not_stop_it(machine: Machine) -> None:
    done = machine.start("list", UPDATE_FAILS="1")
    assert (done.returncode, done.stdout) == (0, "list\n")
    assert "gcc" in machine.installed.read_text()


def test_one_broken_package_does_not_spoil_the_others(machine: Machine) -> None:
    done = machine.start("list", BROKEN="libone-dev")
    assert (done.returncode, done.stdout) == (0, "list\n")
    assert "gcc" in machine.installed.read_text().split()
    assert "could not be installed, and will not be tried again: libone-dev" in done.stderr
    assert "libone-dev is broken" in done.stderr
    machine.called()
    assert machine.start("list").stderr == ""


def test_nothing_can_be_installed(machine: Machine) -> None:
    done = machine.start("list", BROKEN="gcc libone-dev")
    assert done.returncode == 2
    assert "check the network" in done.stderr


def test_a_python_that_is_too_old_is_replaced_or_reported(machine: Machine) -> None:
    for version in ("3.11", "3.12", "3.13", "3.14"):
        machine.program(f"python{version}", "exit 1")
    done = machine.start(NO_PYTHON="1")
    assert done.returncode == 2
    assert "python3 python3-venv" in done.stderr
    assert "needs Python 3.11 or newer" in done.stderr


def test_the_environment_is_made_by_the_python_that_is_named(machine: Machine) -> None:
    machine.program("own", (machine.programs / "python3").read_text().replace('"venv"', '"own venv"'))
    assert machine.start("list", SERBENCH_PYTHON="own").returncode == 0
    assert "own venv" in machine.called()


def test_a_named_python_that_cannot_be_used_is_told_at_once(machine: Machine) -> None:
    done = machine.start("list", SERBENCH_PYTHON="none-such")
    assert (done.returncode, machine.called()) == (2, [])
    assert done.stderr == (
        "serbench: SERBENCH_PYTHON names none-such, which is no Python 3.11 or newer with its venv module\n"
    )


def test_without_apt_it_says_what_is_missing(machine: Machine, tmp_path: Path) -> None:
    packages = 'packages = ["gcc", "g++", "libx"]\nlibrary-packages = ["make", "cmake", "git"]\n'
    machine.write("harness/c/harness.toml", f'{packages}[languages]\nc = "C"\n[tools.t]\n')
    needed = "awk cat cksum cp date dirname env grep id mkdir readlink sed sh sort tail tr wc xargs"
    for name in needed.split():
        found = shutil.which(name)
        assert found
        if not (machine.programs / name).exists():
            (machine.programs / name).symlink_to(found)
    for name in ("apt-get", "apt-cache", "dpkg-query"):
        (machine.programs / name).unlink()
    for name in ("gcc", "cmake"):
        machine.program(name, "exit 0")
    done = machine.start("list", PATH=str(machine.programs))
    assert (done.returncode, done.stdout) == (0, "list\n")
    listed = "install yourself what is missing: g++ make git\n"
    assert f"this system has no apt-get; {listed}" in done.stderr
    done = machine.start("run", "--languages", "go", PATH=str(machine.programs))
    assert "install yourself what is missing: g++\n" in done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written(machine: Machine) -> None:
    machine.root.chmod(0o555)
    done = machine.start()
    machine.root.chmod(0o755)
    assert done.returncode == 2
    assert "cannot write to" in done.stderr


def test_the_answer_on_a_terminal_counts(machine: Machine) -> None:
    for answer, status, option in ((b"n\n", 2, []), (b"\n", 0, []), (b"", 0, ["--yes"])):
        shutil.rmtree(machine.root / ".venv", ignore_errors=True)
        ended, output, shown = answered(machine, answer, "list", *option)
        assert ended == status
        # A user who is asked is told every package's name.
        assert (b"for C: libone-dev\r\n" in shown) == (b"Install?" in shown) == (not option)
        assert (b"list" in output) == (status == 0)
