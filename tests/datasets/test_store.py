"""The cache of tapes and encodings: by content, never trusted blindly, never half written."""

import sys
from pathlib import Path

import pytest

from serbench.datasets import store as store_module
from serbench.datasets.spec import file_spec, parse_spec
from serbench.datasets.store import Store, copy_out
from serbench.errors import UserError
from serbench.worker.process import WorkerFailure

FAKE = Path(__file__).parents[1] / "worker" / "fake_worker.py"


@pytest.fixture
def store(context, tmp_path) -> Store:
    return Store(tmp_path / "cache", context.tool("dataset"))


def files(store: Store) -> set[str]:
    return {path.name for path in store.cache.iterdir()}


def test_a_dataset_is_made_once(store, monkeypatch):
    first = store.dataset(parse_spec("generated:1"))
    assert len(files(store)) == 2
    monkeypatch.setattr(store, "tool", Path("/no/such/tool"))
    again = store.dataset(parse_spec("generated:1"))
    assert (again.tape, again.tape_sha256, again.facts) == (first.tape, first.tape_sha256, first.facts)


def test_a_tape_is_in_place_only_when_it_is_whole(store, monkeypatch):
    seen, make = [], store._run_tool

    def run(arguments, *names):
        facts = make(arguments, *names)
        seen.append((list(store.cache.glob("*.tape")), Path(arguments[-1]).is_file()))
        return facts

    monkeypatch.setattr(store, "_run_tool", run)
    assert store.dataset(parse_spec("generated:1")).tape.is_file()
    assert seen == [([], True)] and len(files(store)) == 2


def test_seeds_sizes_and_safety_are_apart(store):
    names = ["generated:1", "generated:2", "generated:1:seed=1", "generated:2:safe"]
    tapes = {store.dataset(parse_spec(name)).tape for name in names}
    assert len(tapes) == 4


@pytest.mark.parametrize("harm", [b"", b"sbtape1\n", None])
def test_a_damaged_or_missing_tape_is_made_again(store, harm):
    dataset = store.dataset(parse_spec("generated:1"))
    good = dataset.tape.read_bytes()
    if harm is None:
        dataset.tape.unlink()
    else:
        dataset.tape.write_bytes(harm)
    assert store.dataset(parse_spec("generated:1")) == dataset
    assert dataset.tape.read_bytes() == good


def test_damaged_facts_are_made_again(store):
    dataset = store.dataset(parse_spec("generated:1"))
    (about,) = store.cache.glob("*.tape.json")
    about.write_bytes(b'{"sha256":')
    assert store.dataset(parse_spec("generated:1")) == dataset


def test_a_file_that_changes_is_another_dataset(store, tmp_path):
    path = tmp_path / "my.json"
    path.write_text("[0.25]")
    first = store.dataset(file_spec(path))
    path.write_text("[0.75]")
    second = store.dataset(file_spec(path))
    assert first.facts.content_hash == second.facts.content_hash
    assert first.tape_sha256 != second.tape_sha256 and first.tape != second.tape


def test_bad_input_leaves_nothing(store, tmp_path):
    path = tmp_path / "bad.json"
    path.write_text('[1,\n"x]')
    with pytest.raises(UserError, match=r"bad\.json: line 2, column 1: "):
        store.dataset(file_spec(path))
    assert files(store) == set()


def test_an_encoder_that_fails_leaves_nothing(store):
    dataset = store.dataset(parse_spec("generated:1"))
    before = files(store)
    for way in ("verify=crash", "verify=leave", "prepare=refuse", "describe=version"):
        with pytest.raises(WorkerFailure):
            store.encode(dataset, "json", [sys.executable, "-S", str(FAKE), way], way)
    assert files(store) == before


def test_an_encoder_has_its_limit_of_memory(store, monkeypatch):
    dataset = store.dataset(parse_spec("generated:1"))
    hungry = "import sys\nfor line in sys.stdin: x = bytearray(400 << 20)"
    monkeypatch.setattr(store_module, "most_memory", lambda: 200 << 20)
    with pytest.raises(WorkerFailure) as caught:
        store.encode(dataset, "json", [sys.executable, "-S", "-c", hungry], "hungry")
    assert "MemoryError" in caught.value.output


def test_encodings_are_kept_by_tape_format_and_encoder(store, ready):
    built = ready("c/mpack:write").built
    dataset, other = (store.dataset(parse_spec(f"generated:1:seed={n}")) for n in (1, 2))
    made = store.encode(dataset, "messagepack", built.command, "one")
    assert made.path.stat().st_size == made.bytes
    # Kept: the command is not even read.
    assert store.encode(dataset, "messagepack", ["/no/such"], "one") == made
    for again in (
        store.encode(other, "messagepack", built.command, "one"),
        store.encode(dataset, "messagepack", built.command, "two"),
        store.encode(dataset, "another", built.command, "one"),
    ):
        assert again.path != made.path


def test_a_cache_that_cannot_be(context, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be written"):
        Store(tmp_path / "file" / "cache", context.tool("dataset"))


def test_copy_out_says_what_is_wrong(tmp_path):
    (tmp_path / "a").write_text("x")
    copy_out(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "b").read_text() == "x"
    with pytest.raises(UserError, match="Is a directory"):
        copy_out(tmp_path / "a", tmp_path)
