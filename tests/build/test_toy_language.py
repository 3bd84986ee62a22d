"""A language is a folder: an unknown one is listed, built, proved, measured, reported and compared."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from serbench.project import CACHE, ROOT
from serbench.results.load import load_run
from serbench.results.summary import summary_of
from tests.brief import BUDGET, brief_environment

TOY = Path(__file__).parent / "toy"
Serbench = Callable[..., str]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with the harness of C, which encodes and imports, and the folder of the language."""
    made = tmp_path_factory.mktemp("project")
    shutil.copytree(TOY, made, dirs_exist_ok=True)
    shutil.copy(ROOT / "tests" / "datasets" / "pyhash.py", made / "harness" / "toy")
    (made / "formats").mkdir()
    for name in ("json.toml", "json.cpp"):
        shutil.copy(ROOT / "formats" / name, made / "formats")
    (made / "contenders" / "cpp").mkdir()
    for name in ("harness/c", "contenders/cpp/rapidjson"):  # what imports JSON is built with the second
        (made / name).symlink_to(ROOT / name)
    (made / ".cache").symlink_to(CACHE)
    for path in (ROOT / "setup").iterdir():
        (made / "setup" / path.name).symlink_to(path)
    return made


@pytest.fixture(scope="module")
def serbench(root: Path) -> Serbench:
    """The command line for that project; what it prints."""

    def call(*words: str | Path, status: int = 0, stderr: bool = False) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "serbench", *map(str, words)],
            capture_output=True,
            text=True,
            check=False,
            cwd=root,
            env={**brief_environment(root), "SERBENCH_ROOT": str(root)},
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stderr if stderr else done.stdout

    return call


@pytest.fixture(scope="module")
def run(root: Path, serbench: Serbench) -> Path:
    """A run file of the language's rows."""
    target = root / "run.json"
    words = ["run", "--languages", "toy", "--all", "--datasets", "generated:1", *BUDGET]
    serbench(*words, "--compiler", "toy2", "--output", target)
    return target


def test_it_is_listed_and_what_does_not_build_says_why(serbench: Serbench) -> None:
    listed = serbench("list", "--languages", "toy")
    assert "toy/plain" in listed
    assert "broken.toy:1: error: " in listed


def test_it_is_proved(serbench: Serbench) -> None:
    shown = serbench("verify", "--languages", "toy", "--datasets", "generated:1", status=1)
    assert shown.count("✓ toy/plain:") == 2 and "RapidJSON" in shown


def test_it_is_measured_and_nothing_is_done_that_its_harness_does_not_state(run: Path) -> None:
    found = load_run(run)
    rows = {row.row: row for row in found.rows}
    assert {name: row.status for name, row in rows.items()} == {
        "toy/baseline:write": "ok",
        "toy/baseline:tree": "ok",
        "toy/plain:write": "ok",
        "toy/plain:tree": "ok",
        "toy/broken:tree": "failed",
        "toy/shuffling:tree": "ok",
    }
    plain = rows["toy/plain:tree"]
    assert (plain.language, plain.language_name, plain.statistic) == ("toy", "Toy", "mean")
    assert (plain.compiler, plain.toolchain, plain.library_version) == ("toy2 1.0", "toy2", "7.1")
    assert found.machine.compilers["toy"] == "toy2 1.0"
    assert plain.exact_hash == found.datasets[0].exact_hash
    assert rows["toy/plain:write"].verified_by == "RapidJSON"
    shuffling = next(row for row in summary_of(found).rows if row.id == rows["toy/shuffling:tree"].id)
    assert shuffling.status == "ok" and "loses the order of keys" in shuffling.labels
    sampled = {row.row for row in rows.values() if row.id in {sample.row for sample in found.samples}}
    assert sampled == {row.row for row in rows.values() if row.status == "ok"}
    for row in rows.values():
        assert (row.heap, row.instructions, row.code_size, row.whole_size) == (None, None, None, None)


def test_it_is_reported_and_compared(run: Path, serbench: Serbench) -> None:
    assert "Plain" in serbench("report", run)
    assert "3 same program" in serbench("compare", run, run)


def test_the_compiler_of_another_language_is_left_to_it(serbench: Serbench) -> None:
    words = ("--compiler", "gcc", "--datasets", "generated:1", "--contenders", "plain")
    assert "toy/plain:tree" in serbench("verify", *words)


def test_its_libraries_are_probed(root: Path, serbench: Serbench) -> None:
    words = ("--contenders", "toy/plain", "--output", root / "fidelity.json")
    serbench("fidelity", *words)
    (found,) = load_run(root / "fidelity.json").fidelity
    assert (found.contender, found.status, found.reason) == ("Plain", "ok", "")
    assert [(fate.probe, fate.mark, fate.at) for fate in found.values] == [
        ("2^53+1", "same", ""),
        ("lone surrogate", "refused", "write"),
    ]
    serbench("limits", "--contenders", "toy/plain", "--output", root / "limits.json")
    payloads = load_run(root / "limits.json").payloads
    assert [(payload.direction, payload.rows, payload.reason) for payload in payloads] == [
        ("encode", 90, "Toy takes no more rows"),
        ("decode", 90, "its input could not be made (error): Toy takes no more rows"),
    ]


def test_its_toolchain_and_the_packages_of_its_lock_can_be_set_up(serbench: Serbench) -> None:
    assert "the interpreter of Toy" in serbench("setup")
    done = serbench("setup", "toy", "--no-install", stderr=True)
    assert "packages of the contenders in Toy: about 3 MB to download from the npm registry" in " ".join(
        done.split()
    )


def test_there_is_a_template(root: Path, serbench: Serbench) -> None:
    serbench("new", "toy", "mine")
    assert {path.name for path in (root / "mine").iterdir()} == {"contender.toml", "write.toy"}
    words = ("verify", "--contender", "mine", "--contenders", "mine", "--datasets", "generated:1")
    assert "mine" in serbench(*words)
