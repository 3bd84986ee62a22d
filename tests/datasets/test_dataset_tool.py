"""The dataset tool itself: generated data, files that cannot be read or written, damaged tapes."""

import os
import resource
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.datasets.pyhash import TapeReader, hashes
from tests.datasets.tool import DatasetTool


@pytest.mark.parametrize(
    ("size", "form", "expected"),
    [
        ("2", "plain", {"content_hash": "0075ff81", "exact_hash": "3852a135", "nodes": 277, "root": "array"}),
        ("4", "plain", {"content_hash": "91b5d7ef", "nodes": 19730}),
    ],
)
def test_generate(dataset_tool: DatasetTool, size: str, form: str, expected: dict[str, Any]) -> None:
    status, facts = dataset_tool.run("generate", size, "12345678", form, dataset_tool.tape)
    assert status == 0 and expected.items() <= facts.items()
    tape = TapeReader(dataset_tool.tape.read_bytes())
    assert hashes(tape.root) == (facts["content_hash"], facts["exact_hash"])
    assert (tape.values, tape.members, tape.depth) == (facts["nodes"], facts["members"], facts["depth"])
    assert tape.string_bytes == facts["string_bytes"]
    assert dataset_tool.run("info", dataset_tool.tape) == (0, facts)


def safe(tree: Any) -> Any:
    """What the definition of `safe` makes of a tree."""
    if isinstance(tree, list):
        return [safe(item) for item in tree]
    if isinstance(tree, dict):
        return {key: safe(value) for key, value in tree.items()}
    if type(tree) is int and abs(tree) >= 2**53:
        return abs(tree) % 2**53 * (1 if tree > 0 else -1)
    return tree


@pytest.mark.parametrize("seed", ["12345678", "0", "18446744073709551615"])
def test_generate_safe(dataset_tool: DatasetTool, seed: str) -> None:
    assert dataset_tool.run("generate", "4", seed, "plain", dataset_tool.tape)[0] == 0
    plain = TapeReader(dataset_tool.tape.read_bytes()).root
    _, facts = dataset_tool.run("generate", "4", seed, "safe", dataset_tool.tape)
    assert TapeReader(dataset_tool.tape.read_bytes()).root == safe(plain) != plain
    assert facts["largest_positive"] < 2**53 and facts["most_negative"] > -(2**53)


@pytest.mark.parametrize(
    "bad", [["0", "1"], ["6", "1"], ["-1", "1"], ["2", "18446744073709551616"], ["2", "-1"], ["2", ""]]
)
def test_generate_refuses(dataset_tool: DatasetTool, bad: list[str]) -> None:
    status, answer = dataset_tool.run("generate", *bad, "plain", dataset_tool.tape)
    assert (status, answer["line"], answer["column"]) == (2, 0, 0) and not dataset_tool.tape.exists()


def test_unreadable_inputs(dataset_tool: DatasetTool, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    with (tmp_path / "large").open("wb") as large:
        large.truncate(2**30 + 1)
    for name, words in [
        ("fifo", "not a regular file"),
        (".", "a folder"),
        ("none", "No such file"),
        ("large", "at most 1073741824"),
    ]:
        for arguments in (["import", tmp_path / name, dataset_tool.tape], ["info", tmp_path / name]):
            status, answer = dataset_tool.run(*arguments)
            assert (status, answer["line"], answer["column"]) == (2, 0, 0)
            assert words in answer["error"] or (name, arguments[0]) == ("large", "info")
    assert not dataset_tool.tape.exists()


def test_output_is_whole_or_untouched(dataset_tool: DatasetTool, tmp_path: Path) -> None:
    before = b"what was there"
    dataset_tool.tape.write_bytes(before)
    (tmp_path / "bad.json").write_bytes(b"[1")
    assert dataset_tool.run("import", tmp_path / "bad.json", dataset_tool.tape)[0] == 2
    assert dataset_tool.tape.read_bytes() == before
    for place in (tmp_path / "no" / "such.tape", tmp_path):
        status, answer = dataset_tool.run("generate", "1", "1", "plain", place)
        assert status == 2 and "cannot be written" in answer["error"]

    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    command = [dataset_tool.program, "generate", "4", "1", "plain", dataset_tool.tape]
    done = subprocess.run(command, capture_output=True, preexec_fn=small_files, check=False)
    assert done.returncode == 2 and b"cannot be written: File too large" in done.stdout
    assert dataset_tool.tape.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.json", "out.tape"]
    assert not list(tmp_path.parent.glob("*.partial"))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_interrupted_call_leaves_nothing(
    dataset_tool: DatasetTool, tmp_path: Path, number: signal.Signals
) -> None:
    command = [str(dataset_tool.program), "generate", "5", "1", "plain", str(dataset_tool.tape)]
    for _ in range(20):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
            while process.poll() is None and not list(tmp_path.iterdir()):
                time.sleep(0.0005)
            process.send_signal(number)
        left = {path.name for path in tmp_path.iterdir()}
        if process.returncode == -number:
            assert left == set()
            return
        assert (process.returncode, left) == (0, {"out.tape"})
        dataset_tool.tape.unlink()
    pytest.fail("no call could be interrupted")


def test_damaged_tapes_are_refused_or_read(dataset_tool: DatasetTool) -> None:
    assert dataset_tool.run("generate", "1", "7", "plain", dataset_tool.tape)[0] == 0
    whole = dataset_tool.tape.read_bytes()
    for place in range(8, 40):  # every byte of the header's counts
        dataset_tool.tape.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert dataset_tool.run("info", dataset_tool.tape)[0] == 2, place
    for place in range(40, len(whole), 5):
        dataset_tool.tape.write_bytes(whole[:place] + bytes([whole[place] ^ 0x41]) + whole[place + 1 :])
        dataset_tool.run("info", dataset_tool.tape)
        dataset_tool.tape.write_bytes(whole[:place])
        assert dataset_tool.run("info", dataset_tool.tape)[0] == 2, place
    dataset_tool.tape.write_bytes(whole + b"n")
    assert dataset_tool.run("info", dataset_tool.tape)[0] == 2


def test_wrong_usage_is_an_internal_error(dataset_tool: DatasetTool) -> None:
    for arguments in ([], ["import", "x"], ["generate", "1", "1", "other", str(dataset_tool.tape)]):
        done = subprocess.run([dataset_tool.program, *arguments], capture_output=True, check=False)
        assert done.returncode == 1 and done.stdout == b"" and done.stderr != b""
