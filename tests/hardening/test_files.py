"""What a command writes replaces no file without --force, and never a device; what it reads has an end."""

import os
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from serbench.errors import UserError
from serbench.files import read_regular, refuse_existing, replace_file, scratch, writing
from serbench.results.journal import complete
from serbench.results.load import load_run
from tests.results.builder import synthetic_run


@pytest.fixture
def run_file(tmp_path):
    """A run file in the folder in which commands are started."""
    complete(synthetic_run(), tmp_path / "run.json")
    return tmp_path / "run.json"


MEASURING = [
    ["run", "--contenders", "mpack", "--datasets", "generated:1", "--budget", "1"],
    ["compare", "mpack", "--against", "cmp"],
    ["growth", "--sizes", "0.1"],
    ["fidelity"],
    ["limits"],
    ["strict"],
    ["collect", "--port", "/dev/null"],
]


@pytest.mark.parametrize("words", MEASURING, ids=lambda words: words[0])
@pytest.mark.parametrize("ending", [".json", ".md", ".html"])
def test_a_run_replaces_neither_a_file_nor_what_stands_where_its_reports_go(words, ending, command, tmp_path):
    mine = (tmp_path / "mine.json").with_suffix(ending)
    mine.write_text("precious")
    done = command(*words, "--output", "mine.json")
    assert done.returncode == 2
    assert done.stderr == f"serbench: {mine.name} exists: choose another name, or replace it with --force\n"
    assert [path.name for path in tmp_path.iterdir()] == [mine.name] and mine.read_text() == "precious"


@pytest.mark.parametrize("name", ["x.html", "x.md"])
def test_a_run_file_cannot_have_the_name_of_its_own_report(name, command, tmp_path):
    done = command(*MEASURING[0], "--output", name)
    assert done.returncode == 2 and "is the name of a report" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["", "."])
def test_a_run_file_has_a_name(name, command, tmp_path):
    done = command(*MEASURING[0], "--output", name)
    assert done.returncode == 2 and "cannot write .: it is a folder" in done.stderr


def test_a_small_file_takes_little_memory_to_read(tmp_path):
    (tmp_path / "small").write_text("small")
    assert read_regular(tmp_path / "small", 1 << 60) == b"small"


def test_a_run_file_is_no_device(command, tmp_path):
    os.mkfifo(tmp_path / "pipe.json")
    for name in ("/dev/null", "pipe.json"):
        done = command(*MEASURING[0], "--output", name, "--force")
        assert done.returncode == 2 and f"cannot write {name}: it is not a regular file" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["pipe.json"]


@pytest.mark.parametrize(
    "words",
    [
        ["report", "run.json", "--format", "csv", "-o"],
        ["report", "run.json", "--format", "csv", "--output"],
        ["report", "run.json", "--html"],
        ["dataset", "write", "generated:1", "--format", "json", "-o"],
        ["dataset", "write", "generated:1", "--format", "tape", "-o"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("existing", ["other.txt", "link"])
def test_a_report_or_dataset_replaces_a_file_only_when_it_is_forced_to(
    words, existing, command, run_file, tmp_path
):
    (tmp_path / "other.txt").write_text("precious")
    (tmp_path / "link").symlink_to("other.txt")
    target = tmp_path / existing
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    done = command(*words, existing)
    assert done.returncode == 2 and f"{existing} exists" in done.stderr and done.stdout == ""
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert command(*words, existing, "--force").returncode == 0
    assert target.read_bytes() != before[existing]
    assert (tmp_path / "link").is_symlink()


@pytest.mark.parametrize(
    "words",
    [
        ["report", "run.json", "--format", "csv", "-o", "run.json"],
        ["report", "run.json", "--html", "link.json"],
        ["report", "run.json", "--boards", "mine.json", "-o", "mine.json"],
        ["dataset", "write", "mine.json", "--format", "cbor", "-o", "mine.json"],
        ["dataset", "write", "mine.json", "other.md", "--format", "cbor", "-o", "other.md"],
        [*MEASURING[0], "--data", "mine.json", "--output", "mine.json"],
        [*MEASURING[0], "--data", "other.md", "--output", "other.json"],
        [*MEASURING[0], "--datasets", "generated:2,./mine.json", "--output", "mine.json"],
        [*MEASURING[1], "--data", "mine.json", "--output", "mine.json"],
        [*MEASURING[-1], "--data", "mine.json", "--output", "mine.json"],
        ["repeat", "run.json", "--output", "link.json"],
    ],
    ids=" ".join,
)
def test_even_with_force_a_command_replaces_no_file_that_it_reads(words, command, run_file, tmp_path):
    for name in ("mine.json", "other.md"):
        (tmp_path / name).write_text('["precious"]')
    (tmp_path / "link.json").symlink_to("run.json")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    done = command(*words, "--force")
    assert done.returncode == 2 and "the command reads it, so choose another name" in done.stderr
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_plots_replace_none_of_several_files(command, run_file, tmp_path):
    assert command("plot", "run.json", "--out", "plots").returncode == 0
    made = {path: path.stat().st_mtime_ns for path in (tmp_path / "plots").iterdir()}
    done = command("plot", "run.json", "--out", "plots")
    assert done.returncode == 2 and "exists: " in done.stderr
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "plots").iterdir()} == made
    assert command("plot", "run.json", "--out", "plots", "--force").returncode == 0


def test_a_fifo_is_written_to_and_stays(command, run_file, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text("utf-8")), daemon=True)
    reader.start()
    done = command("report", "run.json", "--format", "csv", "-o", "pipe")
    reader.join(60)
    assert done.returncode == 0, done.stderr
    assert read and read[0].startswith("run,")
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_device_is_written_to_and_stays(command, run_file, tmp_path):
    """As a link to /dev/null, which a test cannot spoil: the link would be replaced."""
    (tmp_path / "nothing").symlink_to(os.devnull)
    assert command("report", "run.json", "--format", "csv", "-o", "nothing").returncode == 0
    assert command("dataset", "write", "generated:1", "--format", "json", "-o", "nothing").returncode == 0
    assert (tmp_path / "nothing").readlink() == Path(os.devnull)
    assert Path(os.devnull).is_char_device()


def test_what_a_link_leads_to_is_made_or_replaced(tmp_path):
    (tmp_path / "link").symlink_to("there")
    for data in (b"new", b"newer"):
        replace_file(tmp_path / "link", data)
        assert (tmp_path / "there").read_bytes() == data and (tmp_path / "link").is_symlink()
    with pytest.raises(UserError, match="link exists"):
        refuse_existing(tmp_path / "link", force=False)


def test_a_file_that_cannot_be_written_to_its_end_is_as_it_was(tmp_path):
    (tmp_path / "file").write_text("precious")
    with pytest.raises(UserError, match="cannot write"), writing(tmp_path / "file") as file:
        file.write(b"half")
        raise OSError(28, "No space left on device")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "precious"


@pytest.mark.parametrize("lasting", [True, False])
def test_a_replaced_file_keeps_its_permissions_and_a_new_one_has_the_usual_ones(lasting, tmp_path):
    (tmp_path / "usual").touch()
    for name, mode in (("secret", 0o600), ("shared", 0o664)):
        (tmp_path / name).touch()
        (tmp_path / name).chmod(mode)
        replace_file(tmp_path / name, b"new", lasting=lasting)
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == mode
    replace_file(tmp_path / "new", b"new", lasting=lasting)
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_the_longest_name_can_be_written(tmp_path):
    for data in (b"new", b"newer"):
        replace_file(tmp_path / ("x" * 255), data)
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("x" * 255, b"newer")]


def test_nobody_can_foresee_what_is_written_to_before_it_is_whole(tmp_path):
    (tmp_path / "mine").write_text("precious")
    for name in (f".file.{os.getpid()}.tmp", f"file.{os.getpid()}"):
        (tmp_path / name).symlink_to("mine")
    for lasting in (True, False):
        with writing(tmp_path / "file", lasting=lasting) as file:
            file.write(b"new")
            (folder,) = [path for path in tmp_path.iterdir() if path.is_dir()]
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700
            with scratch(tmp_path):  # removes what was left behind, and not this
                pass
        assert (tmp_path / "file").read_bytes() == b"new" and not folder.exists()
    assert (tmp_path / "mine").read_text() == "precious"


def test_threads_write_the_same_file_of_a_cache(tmp_path):
    start = threading.Barrier(8)

    def write(number):
        start.wait()
        for _ in range(50):
            replace_file(tmp_path / "file", bytes([number]) * 10_000, lasting=False)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(write, range(8))) == [None] * 8
    (left,) = tmp_path.iterdir()
    assert left.read_bytes() in {bytes([number]) * 10_000 for number in range(8)}


READING = [
    ["report"],
    ["report", "run.json", "--boards"],
    ["compare", "run.json"],
    ["repeat"],
    ["resume"],
    ["conformance"],
    ["plot", "--out", "x", "--old", "run.json"],
]


@pytest.mark.parametrize("words", READING, ids=" ".join)
@pytest.mark.parametrize("name", ["pipe", "pipe.csv", "/dev/zero"])
def test_what_is_no_regular_file_is_not_read(words, name, run_file, command, tmp_path):
    for pipe in ("pipe", "pipe.csv"):
        os.mkfifo(tmp_path / pipe)
    done = command(*words, name)
    assert done.returncode == 2, done.stderr
    assert done.stderr == f"serbench: cannot read {name}: it is not a regular file\n"


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(OSError, match="larger than 1 MB"):
        read_regular(large, 1_000_000)
    with pytest.raises(UserError, match=r"cannot read .*larger than"):
        load_run(large)
