"""The baselines: they do what every row of their test must do, and are proved to."""

import subprocess
from functools import partial

import pytest

from serbench.datasets.messages import each_message
from serbench.datasets.spec import file_spec
from serbench.measure.instructions import count_instructions, has_callgrind
from serbench.project import ROOT
from serbench.run.proving import encodings_of, prove
from serbench.run.tasks import measured
from tests.conftest import LIMITS
from tests.datasets.pyhash import TapeReader, hashes
from tests.verify.gates import verdicts

EVERYTHING = (
    '{"n": null, "b": [true, false], "i": [0, -1, 18446744073709551615, -9223372036854775808],'
    ' "d": [0.5, -0.0, 3.0, 1e300, 9007199254740992.0], "": ["", "a", "abcd", "abcde", "\u00e9"]}'
)
START = 15373
DOING_LITTLE = [
    *("c/mpack:write", "c/mpack:tree", "c/mpack:incremental", "c/cmp:write"),
    *("c/libbson:write", "c/libbson:tree", "c/libbson:incremental", "c/libcbor:incremental"),
]
"""Rows that come near to their baselines."""
BASELINES = [f"c/baseline:{test}" for test in ("write", "tree", "incremental")]


def mixed(words: bytes) -> str:
    """The hash of words that are mixed as they are, as docs/tape.md says."""
    state = START
    for at in range(0, len(words), 4):
        state = (state * 31 ^ int.from_bytes(words[at : at + 4], "little")) % 2**32
    return f"{state:08x}"


def test_words_are_what_exact_hash_mixes(context, document, tmp_path):
    dataset = document(EVERYTHING)
    words = context.store.hash_words(dataset)
    assert mixed(words.read_bytes()) == hashes(TapeReader(dataset.tape.read_bytes()).root)[1]
    assert context.store.hash_words(dataset) == words
    words.write_bytes(b"damaged")
    assert mixed(context.store.hash_words(dataset).read_bytes()) == dataset.facts.exact_hash
    lines = tmp_path / "some.jsonl"
    lines.write_text(f'[1.5]\n{EVERYTHING}\n{{"a":2}}\n', "utf-8")
    messages = context.store.dataset(file_spec(lines))
    parts = list(each_message(context.store.hash_words(messages)))
    assert len(parts) == 3
    assert mixed(b"".join(parts)) == messages.facts.exact_hash
    assert mixed(parts[0]) == hashes([1.5])[1]


def built(context, names):
    """These rows, built, by their ids."""
    return context.build([row for row in context.catalog.rows() if row.id in names])


def proved(context, subjects, dataset, folder, words):
    canonical = encodings_of(context, dataset, ["messagepack"])
    return verdicts(subjects, dataset, context.catalog.formats, canonical, folder, words=words)


@pytest.mark.parametrize("place", [0, 400, -1])
def test_other_words_are_no_proof(place, context, generated, tmp_path):
    dataset = generated("generated:1")
    right = bytearray(context.store.hash_words(dataset).read_bytes())
    right[place] ^= 1
    wrong = tmp_path / "words"
    wrong.write_bytes(right)
    subjects = [ready.subject for ready in built(context, ["c/mpack:tree", "c/baseline:tree"]).values()]
    words = partial(context.store.hash_words, dataset)
    good = proved(context, subjects, dataset, tmp_path / "out", words)
    bad = proved(context, subjects, dataset, tmp_path / "out", lambda: wrong)
    assert {verdict.status for verdict in good.values()} == {"ok"}
    assert bad["c/mpack:tree"].status == "ok"
    assert bad["c/baseline:tree"].reason.startswith("wrong exact_hash: ")


@pytest.mark.parametrize("data", ["generated:2", "messages"])
def test_no_row_does_less_than_its_baseline(data, context, generated, tmp_path):
    """By the instructions of each, which are exact."""
    if not has_callgrind():
        pytest.skip("needs valgrind")
    path = tmp_path / "some.jsonl"
    path.write_text('{"a":1,"b":[1,2.5,"x"]}\n[1,2,3]\n{"c":{"d":null},"e":"tree"}\n')
    dataset = generated(data) if data != "messages" else context.store.dataset(file_spec(path))
    ready = built(context, [*DOING_LITTLE, *BASELINES])
    rows = [made.row for made in ready.values() if made.status == "ok"]
    little = [row for row in rows if row.role == "contender"]
    assert len(little) >= 4
    (item,) = prove(context, rows, [dataset], tmp_path / "out", LIMITS)
    seed = context.tool("seed")
    counts = {
        record.row: count_instructions(measured(context.catalog, item, record, ready, said), seed, LIMITS)
        for record, ready, said in item.rows
        if record.status == "ok"
    }
    for row in little:
        if row.id in counts:
            base = counts[f"c/baseline:{row.test}"].instructions
            assert counts[row.id].instructions > base, row.id
    assert counts["c/baseline:tree"] == counts["c/baseline:incremental"]


@pytest.mark.parametrize("compiler", ["gcc", "g++"])
@pytest.mark.parametrize("call", ["sb_hash_nil(h)", "sb_hash_u64(h, value)"])
def test_the_compiler_makes_no_step_of_two(compiler, call):
    """It knows words that are 0, and two multiplications by 31 would be one by 961."""
    source = (
        f"#include <serbench/hash.h>\nvoid step(sb_hash *h, uint32_t value) {{ h->seen = NULL; {call}; }}\n"
    )
    language = "c++" if compiler == "g++" else "c"
    command = [compiler, "-O3", "-S", f"-x{language}", f"-I{ROOT / 'harness/c/include'}", "-o-", "-"]
    code = subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout
    assert "step" in code
    assert str(31 * 31) not in code
