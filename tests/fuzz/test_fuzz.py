"""Every target: its corpus again, a short run of new inputs, and that a defect is found."""

import importlib
import subprocess
from random import Random

import pytest

from tests.fuzz import ENVIRONMENT, HERE, TARGETS, Target, build, corpus, fuzz, missing, unpack
from tests.fuzz.json_mutator import mutated

NATIVE = [name for name, target in TARGETS.items() if not target.module]
RUNS = {True: 20_000, False: 2_000}
"""New inputs of a short run: of a native target, of one in Python."""


@pytest.mark.parametrize("name", NATIVE)
def test_the_corpus_does_no_harm_to_native_readers(name, tmp_path):
    paths = unpack(corpus(name), tmp_path / "corpus")
    program = build(TARGETS[name], ("gcc", "g++"))
    done = subprocess.run(
        [program, *paths], cwd=HERE, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == list(map(str, paths)) and paths


@pytest.mark.parametrize("name", [name for name in TARGETS if name not in NATIVE])
def test_the_corpus_does_no_harm_to_readers_in_python(name):
    run = importlib.import_module(TARGETS[name].module).run
    inputs = corpus(name)
    assert inputs
    for data in inputs:
        run(data)


@pytest.mark.parametrize("name", TARGETS)
def test_new_inputs_do_no_harm(name, tmp_path):
    if lack := missing(TARGETS[name]):
        pytest.skip(lack)
    assert fuzz(name, RUNS[name in NATIVE], tmp_path, "-seed=1") == 0


BROKEN = """
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    volatile uint8_t last = size > 1 && data[0] == '{' ? data[size] : 0;
    return last == 0 ? 0 : 0;
}
"""


@pytest.fixture
def broken(tmp_path) -> Target:
    """A reader that looks behind the end of what begins like an object."""
    source = tmp_path / "broken.c"
    source.write_text(BROKEN)
    return Target("anything", (source,))


def test_a_read_behind_the_end_fails_a_replay(broken, tmp_path):
    good, bad = unpack([b"[]", b"{}"], tmp_path / "inputs")
    program = build(broken, ("gcc", "g++"))
    codes = [
        subprocess.run([program, path], env=ENVIRONMENT, capture_output=True).returncode
        for path in (good, bad)
    ]
    assert codes[0] == 0 and codes[1] != 0


def test_a_read_behind_the_end_fails_a_run(broken, tmp_path, monkeypatch):
    if lack := missing(broken):
        pytest.skip(lack)
    monkeypatch.setattr("tests.fuzz.FOUND", tmp_path / "found")
    assert fuzz("import", 1000, tmp_path, target=broken) != 0
    assert [path.read_bytes()[:1] for path in (tmp_path / "found").iterdir()] == [b"{"]


def test_changed_json_is_other_json():
    text = b'{"a":[1,2,{"b":"c"}],"d":0.5}\n{"kind":"end"}\n'
    made = [mutated(text, Random(seed)) for seed in range(200)]
    changed = {data for data in made if data is not None} - {text}
    assert len(changed) > 50 and None in made
    assert mutated(b"no JSON", Random(1)) is None
