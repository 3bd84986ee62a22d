"""The paths that are drawn from a dataset, and the values that the tool finds at them."""

import json
from pathlib import Path
from typing import Any

from tests.datasets.pyhash import TapeReader, Tree, hashes, tape_of
from tests.datasets.tool import DatasetTool

MOST = 8


def follow(tree: Tree, path: list[Any]) -> Tree:
    for step in path:
        tree = tree[step]
    return tree


def scalars(tree: Tree, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all scalars, in the order of the document."""
    if not isinstance(tree, list | dict):
        return [path]
    items = tree.items() if isinstance(tree, dict) else enumerate(tree)
    return [found for step, item in items for found in scalars(item, (*path, step))]


def drawn(tool: DatasetTool, tape: Path, seed: int, form: str = "one") -> tuple[Tree, Tree, dict[str, Any]]:
    """The paths, the values at them, and the facts of these."""
    paths, values = tool.folder / "paths", tool.folder / "values"
    assert tool.run("paths", tape, str(seed), form, paths)[0] == 0
    status, facts = tool.run("values", tape, paths, form, values)
    assert status == 0
    return TapeReader(paths.read_bytes()).root, TapeReader(values.read_bytes()).root, facts


def test_paths_are_drawn_by_the_seed_and_spread_over_the_document(dataset_tool: DatasetTool) -> None:
    assert dataset_tool.run("generate", "3", "12345678", "plain", dataset_tool.tape)[0] == 0
    tree = TapeReader(dataset_tool.tape.read_bytes()).root
    every = {path: place for place, path in enumerate(scalars(tree))}
    seen, shuffled = set(), False
    for seed in (2, 4, 6, 2):
        paths, values, facts = drawn(dataset_tool, dataset_tool.tape, seed)
        places = [every[tuple(path)] for path in paths]
        shuffled |= places != sorted(places)
        assert [place * MOST // len(every) for place in sorted(places)] == list(range(MOST))
        assert values == [follow(tree, path) for path in paths]
        assert (facts["content_hash"], facts["exact_hash"]) == hashes(values)
        seen.add(json.dumps(paths))
    assert len(seen) == 3 and shuffled


def test_of_a_small_document_every_scalar_is_drawn_once(dataset_tool: DatasetTool) -> None:
    tree = {"a/b": [1, {"~": None}], "": {"0": True}, "empty": [{}, []], "é\0": -0.5}
    assert dataset_tool.load(json.dumps(tree).encode())[0] == 0
    paths, values, facts = drawn(dataset_tool, dataset_tool.tape, 7)
    assert sorted(map(repr, map(tuple, paths))) == sorted(map(repr, scalars(tree)))
    assert values == [follow(tree, path) for path in paths] and facts["nodes"] == 1 + len(values)


def test_a_document_without_scalars_has_no_paths(dataset_tool: DatasetTool) -> None:
    assert dataset_tool.load(b'[{},{"a":[]}]')[0] == 0
    assert drawn(dataset_tool, dataset_tool.tape, 7)[:2] == ([], [])


def test_each_message_has_its_own_paths(dataset_tool: DatasetTool) -> None:
    tree = [{"a": number, "b": [number + 0.5] * 20} for number in range(5)]
    dataset_tool.tape.write_bytes(tape_of(tree))
    paths, values, facts = drawn(dataset_tool, dataset_tool.tape, 7, "messages")
    assert facts["messages"] == len(paths) == len(tree) and len({json.dumps(each) for each in paths}) > 1
    assert values == [[follow(each, p) for p in own] for each, own in zip(tree, paths, strict=True)]
    assert {len(own) for own in paths} == {MOST}


def test_paths_of_other_data_are_refused(dataset_tool: DatasetTool) -> None:
    paths, out = dataset_tool.folder / "paths", dataset_tool.folder / "values"
    assert dataset_tool.load(b'{"a":[1,[]]}')[0] == 0
    for wrong in ([["b"]], [["a", 2]], [["a", 1]], [["a"]], [["a", "0"]], [[0]], ["a"], [7], {"a": 1}, 5):
        paths.write_bytes(tape_of(wrong))
        status, answer = dataset_tool.run("values", dataset_tool.tape, paths, "one", out)
        assert status == 2 and answer["error"] == "there is no value at one of the paths", wrong
        assert not out.exists()
    assert dataset_tool.run("paths", dataset_tool.tape, "-1", "one", out)[0] == 2
    assert dataset_tool.run("paths", dataset_tool.tape, "1", "messages", out)[0] == 2
