"""Contenders of known cost make the same calls in each language, and each harness repeats exactly these."""

import json
import subprocess
from pathlib import Path

import pytest
from benchmarks.known_cost.__main__ import CONTENDERS, INPUT_BYTES, LANGUAGES, OUTPUT_BYTES

from serbench.catalog.load import load_catalog
from serbench.catalog.records import Row
from serbench.project import ROOT
from tests.datasets.pyhash import Hasher

TEXTS = ["x" * 1000] * 64
INTEGERS = [number * 1234567 for number in range(100)]
DOUBLES = [number + 0.5 for number in range(100)]
ASKED = {"do": "overhead", "iterations": 1, "chunks": 2, "warmup": 0}


def hash_of(*values, language):
    hasher = Hasher(exact=True)
    for value in values:
        hasher.value(value)
    # In Python the harness itself walks the list, and counts all that is in it.
    hasher.end(len(values) if language == "python" else len(TEXTS))
    return f"{hasher.state:08x}"


@pytest.fixture
def answers(context, document, tmp_path):
    """What a contender's worker says to `sample` and `overhead` with a few steps."""
    catalog = load_catalog(ROOT, CONTENDERS)
    given = tmp_path / "input"
    given.write_bytes(b"00000010a".ljust(INPUT_BYTES))

    def ask(language, test):
        row = Row(contender=catalog.contenders[f"{language}/known-{language}"], test=test)
        made = context.build([row])[row.id]
        if made.status == "unavailable":
            pytest.skip(made.reason)
        assert made.built is not None, f"{made.reason}\n{made.output}"
        tape = str(document("[10]").tape)
        ready = {"do": "prepare", "tape": tape, "input": str(given), "fragment": False}
        lines = [ready, {**ASKED, "do": "sample"}, ASKED]
        asked = "".join(json.dumps(line) + "\n" for line in lines)
        done = subprocess.run(made.built.command, input=asked, capture_output=True, text=True, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()[1:]]

    return ask


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reader_s_calls_are_repeated_kind_by_kind(language, answers):
    sampled, own = answers(language, "tree")
    assert sampled["hash"] == hash_of(*TEXTS, *INTEGERS, *DOUBLES, language=language)
    assert own["hash"] == hash_of(*INTEGERS, *DOUBLES, *TEXTS, language=language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_as_many_bytes_are_hashed_as_a_writer_makes(language, answers):
    sampled, own = answers(language, "write")
    expected = Hasher(exact=True)
    expected.text(b"x" * OUTPUT_BYTES)
    assert sampled["hash"] == own["hash"] == f"{expected.state:08x}"


def test_there_is_one_for_each_language():
    assert sorted(path.name for path in map(Path, CONTENDERS)) == sorted(
        f"known-{name}" for name in LANGUAGES
    )
