"""Standard streams that are full, closed or no longer read, and places that may not be read or written."""

import contextlib
import ctypes
import shlex
import subprocess
import sys

import pytest

from serbench.results.journal import complete
from tests.conftest import command_environment
from tests.results.builder import synthetic_run


@pytest.fixture
def shell(tmp_path):
    """Runs a line of a shell in which `serbench` is the command line, beside a run file."""
    complete(synthetic_run(), tmp_path / "run.json")
    define = f'serbench() {{ {shlex.quote(sys.executable)} -m serbench "$@"; }}'

    def run(line: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-c", f"{define}\n{line}"],
            cwd=tmp_path,
            env=command_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


@pytest.mark.parametrize("value", ["²", "9" * 5000])
@pytest.mark.parametrize("name", ["COLUMNS", "LINES", "TERMINAL_WIDTH"])
def test_a_size_of_the_terminal_that_is_none_is_not_used(name, value, shell):
    done = shell(f"{name}={value} serbench report --help")
    assert done.returncode == 0 and done.stderr == ""


@pytest.mark.parametrize(
    "words",
    [
        "report run.json",
        "report run.json --format csv",
        "--version",
        "report --help",
        "dataset show generated:1 --json",
    ],
)
def test_a_full_disk_behind_standard_output(words, shell):
    done = shell(f"serbench {words} > /dev/full")
    assert (done.returncode, done.stderr) == (2, "serbench: No space left on device\n")


@pytest.mark.parametrize("line", ["report nosuch.json 2> /dev/full", "report run.json &> /dev/full"])
def test_the_status_is_that_of_an_error_where_no_message_can_be_written(line, shell):
    assert shell(f"serbench {line}").returncode == 2


@pytest.mark.parametrize("words", ["report run.json", "report run.json --format csv"])
def test_a_standard_output_that_is_closed(words, shell):
    done = shell(f"serbench {words} >&-")
    assert done.returncode == 2
    assert done.stderr == "serbench: standard output is closed: nothing could be shown\n"


@pytest.mark.parametrize("closed", ["<&-", "2>&-", "<&- 2>&-"])
def test_other_streams_that_are_closed_change_nothing(closed, shell):
    usual = shell("serbench report run.json --format csv")
    done = shell(f"serbench report run.json --format csv {closed}")
    assert (done.returncode, done.stdout, done.stderr) == (0, usual.stdout, "") and usual.stdout
    refused = shell(f"serbench report nowhere.json {closed}")
    assert refused.returncode == 2 and "Traceback" not in refused.stderr


def test_a_reader_that_has_had_enough(shell):
    done = shell("serbench report run.json --format json | true; exit ${PIPESTATUS[0]}")
    assert done.returncode in (0, 1) and done.stderr == ""


class Capabilities(ctypes.Structure):
    """What capget(2) and capset(2) take of version 3, which has two parts of 32 bits each."""

    _fields_ = [(f"{kind}{part}", ctypes.c_uint32) for part in (0, 1) for kind in ("e", "p", "i")]


@contextlib.contextmanager
def without_override():
    """Let root, too, be refused what a file's permissions do not allow."""
    libc, header, data = (
        ctypes.CDLL(None, use_errno=True),
        (ctypes.c_uint32 * 2)(0x20080522, 0),
        Capabilities(),
    )
    assert libc.capget(header, ctypes.byref(data)) == 0
    before = data.e0
    data.e0 &= ~0b110  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH
    assert libc.capset(header, ctypes.byref(data)) == 0
    try:
        yield
    finally:
        data.e0 = before
        assert libc.capset(header, ctypes.byref(data)) == 0


PLACES = [
    *("report x/y.json", "report run.json -o x/y.md", "report run.json --html x/y.html", "conformance x/y"),
    *("plot run.json --out x/y", "run --data x/y.json", "run --datasets x/y.json", "run --output x/y.json"),
    *("repeat x/y.json", "resume x/y.json", "list --contender x/y", "list --prefix binn=x/y"),
    *("list --use mpack=x/y", "new c mine --in x/y", "compare x/y.json x/y.json"),
    *("dataset show x/y.json", "dataset write generated:1 --format json -o x/y", "run --output y/y.json"),
    *("report run.json --boards x/y", "report run.json --boards x/y.csv", "verify --data x/y.json"),
]


@pytest.mark.parametrize("words", PLACES)
@pytest.mark.parametrize("way", ["no permission", "a name of 5,000 letters"])
def test_a_place_that_cannot_be_reached(words, way, command, tmp_path):
    complete(synthetic_run(), tmp_path / "run.json")
    for name in "xy":
        (tmp_path / name).mkdir()
        (tmp_path / name).chmod(0o755 if way.startswith("a name") else 0)
    if way.startswith("a name"):
        done = command(*words.replace("y.", "y" * 5000 + ".").replace("x/y", "x/" + "y" * 5000).split())
    else:
        with without_override():
            done = command(*words.split())
        assert "ermission denied" in done.stderr
    assert done.returncode == 2 and done.stdout == "", done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith("serbench: ")
