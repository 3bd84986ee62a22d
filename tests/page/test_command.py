"""The command that the page shows for a row is one that the tool takes, and means that row."""

import shlex
from pathlib import Path
from typing import Any

import msgspec
import pytest
import typer.main

from serbench.cli import app
from serbench.results.schema import Run
from tests.page.conftest import Script
from tests.page.runs import emulated_run, written
from tests.results.builder import HOSTILE, synthetic_run


def commands(run: Run, in_node: Script, folder: Path) -> dict[int, list[str]]:
    """The words of the command of each row."""
    file = folder / "run.json"
    file.write_bytes(written(run))
    (found,) = in_node("commands.mjs", file)
    return {number: shlex.split(command) for number, command in found}


def taken(words: list[str]) -> dict[str, Any]:
    """What the tool understands of a command. Raises if it is none."""
    assert words[0] == "./serbench"
    command = typer.main.get_command(app).commands[words[1]]  # type: ignore[attr-defined]
    parameters: dict[str, Any] = command.make_context(words[1], words[2:]).params
    return parameters


def with_command(*words: str, dataset: str = "") -> Run:
    run = synthetic_run()
    run.settings.command = ["run", *words]
    if dataset:
        for record in run.rows:
            record.dataset = dataset
    return run


def first(run: Run, in_node: Script, folder: Path) -> dict[str, Any]:
    return taken(commands(run, in_node, folder)[2])


def test_every_row_is_told_by_its_configuration(in_node: Script, tmp_path: Path):
    run = synthetic_run()
    run.settings = msgspec.structs.replace(run.settings, seed=7, fragment=False, precision="full")
    for number, record in enumerate(run.rows):
        record.toolchain, record.allocator = ("gcc", "clang")[number % 2], ("system", "mimalloc")[number % 2]
        record.profile = ("speed", "size")[number % 2]
        record.cpu = ("", "baseline", "native")[number % 3]
    run.rows[2].instructions = 5.0
    found = {number: taken(words) for number, words in commands(run, in_node, tmp_path).items()}
    for record in run.rows:
        one = found[record.id]
        assert (one["tests"], one["contenders"]) == ([record.test], [record.contender_id])
        assert (one["datasets"], one["data"]) == ([record.dataset], [])
        assert (one["profile"], one["compiler"]) == ([record.profile], [record.toolchain])
        assert one["allocator"] == ([] if record.allocator == "system" else [record.allocator])
        assert one["cpu"] == (["native"] if record.cpu == "native" else [])
        assert (one["seed"], one["fragment"], one["full"]) == (7, False, True)
        assert one["count"] == (["instructions"] if record.id == 2 else [])


@pytest.mark.parametrize("name", ["generated:4:safe", "document:tasmota", "corpus:a", "records:0.1:unmapped"])
def test_data_that_is_made_is_named(name: str, in_node: Script, tmp_path: Path):
    assert first(with_command(dataset=name), in_node, tmp_path)["datasets"] == [name]


@pytest.mark.parametrize(
    ("words", "dataset", "paths"),
    [
        (("--data", "some folder/my.json"), "my.json", ["some folder/my.json"]),
        (("--data=a/my.json", "--data=b/other.json"), "my.json", ["a/my.json"]),
        (("--datasets", "generated:2,a/my.json"), "my.json", ["a/my.json"]),
        (("--data", "a/x:y.json"), "./x:y.json", ["a/x:y.json"]),
        (("--data", "a/1.json", "--data", "a/2.json"), "1.json and 1 more", ["a/1.json", "a/2.json"]),
        ((), "my.json", ["my.json"]),
        (("--data",), "my.json", ["my.json"]),
    ],
)
def test_files_are_named_by_their_paths(words, dataset, paths, in_node: Script, tmp_path: Path):
    found = first(with_command(*words, dataset=dataset), in_node, tmp_path)
    assert [str(path) for path in found["data"]] == paths
    assert found["datasets"] == []


def test_what_says_where_things_are_is_kept(in_node: Script, tmp_path: Path):
    places = [
        "--use",
        "mpack@new=../co",
        "--prefix=yajl=/opt/y y",
        "--contender",
        "own/one",
        "--timeout",
        "9",
    ]
    found = first(with_command("--budget", "5", *places, "--output", "o.json"), in_node, tmp_path)
    assert (found["use"], found["prefix"]) == (["mpack@new=../co"], ["yajl=/opt/y y"])
    assert ([str(path) for path in found["contender"]], found["timeout"]) == (["own/one"], 9.0)
    assert (found["budget"], found["output"]) == (None, None)


def test_a_row_of_an_emulated_linux(in_node: Script, tmp_path: Path):
    run = emulated_run()
    run.settings = msgspec.structs.replace(
        run.settings,
        command=["count", "--platform", "linux-armv6", "--prefix", "a=b"],
        seed=3,
        instructions=True,
    )
    made = commands(run, in_node, tmp_path)
    for record in (run.rows[1], run.rows[-3]):
        context = typer.main.get_command(app).commands["count"].make_context("count", made[record.id][2:])  # type: ignore[attr-defined]
        assert context.params["platforms"] == [record.platform]
        assert context.params["contenders"] == [record.contender_id]
        assert (context.params["profile"], context.params["prefix"]) == ([record.profile], ["a=b"])


def test_hostile_names_are_one_word(in_node: Script, tmp_path: Path):
    run = synthetic_run()
    run.rows[2].contender_id = f"c/{HOSTILE}; rm -r '$(x)'"
    assert first(run, in_node, tmp_path)["contenders"] == [run.rows[2].contender_id]
