"""Instructions are counted, so two runs must agree to the last one: a few rows, or all with ./check --all."""

import json
import subprocess

import msgspec
import pytest

from serbench.measure.instructions import has_callgrind
from serbench.run.counting import Counter
from serbench.run.proving import prove
from serbench.verify.proof_cache import ProofCache
from serbench.worker.process import Limits
from tests.known import mistake
from tests.tiers import ALL

FEW = (
    "c/jansson:write",
    "c/json-c:tree",
    "c/mpack:write",
    "cpp/msgpack-cxx:tree",
    "cpp/nlohmann-json:write",
    "cpp/rapidjson:tree:in-situ",
    "cpp/simdjson:tree:reuse",
)
"""Among them those whose hash tables would be seeded at random, and one that hashes addresses."""


def uncounted(_what: str, _number: int):
    """Shows no progress."""
    return lambda: None


@pytest.mark.slow
def test_two_runs_count_the_same(context, built, generated, tmp_path):
    if not has_callgrind():
        pytest.skip("needs valgrind")
    rows = [
        ready.row
        for name, ready in built.items()
        if ready.status == "ok"
        and (ALL or name in FEW)
        and context.catalog.harness(ready.row.contender.manifest.language).capabilities.instructions != "none"
        and ready.row.contender.manifest.role == "contender"
        and not mistake(ready, "generated")
    ]
    assert rows
    counts: list[dict[str, float | None]] = []
    (item,) = prove(context, rows, [generated("generated:2")], tmp_path, Limits())
    for _ in range(2):
        for record, _, _ in item.rows:
            record.instructions = None  # what was counted is not counted again
        Counter(context, [item], Limits(), ProofCache()).instructions(uncounted, lambda _row: None)
        wrong = {
            r.row: f"{r.status}: {r.reason} {r.instructions_reason}"
            for r, _, _ in item.rows
            if not r.instructions
        }
        assert wrong == {}
        counts.append({record.row: record.instructions for record, _, _ in item.rows})
    differing = {
        name: (count, counts[1][name]) for name, count in counts[0].items() if count != counts[1][name]
    }
    assert differing == {}


def test_the_kernel_that_was_counted_is_told_where_it_is_not_the_one_that_is_timed(
    ready, context, generated, tmp_path
):
    if not has_callgrind():
        pytest.skip("needs valgrind")
    rows = [ready("cpp/simdjson:tree").row, ready("c/mpack:tree").row]
    (item,) = prove(context, rows, [generated("generated:2")], tmp_path, Limits())
    job = item.rows[0]
    asked = subprocess.run(
        ["valgrind", "--quiet", "--tool=callgrind", "--callgrind-out-file=/dev/null", *job[1].built.command],
        input='{"do":"describe"}\n{"do":"quit"}\n',
        capture_output=True,
        text=True,
    )
    counted = json.loads(asked.stdout.splitlines()[0])["library_version"]
    # Whatever this machine's processor is: once the bare one chose the same, once not.
    for timed, expected in ((counted, []), ("another kernel", [f"instructions counted with {counted}"])):
        verdict = msgspec.structs.replace(job[2], library_version=timed)
        record = msgspec.structs.replace(job[0], labels=[], instructions=None)
        item.rows[0] = (record, job[1], verdict)
        Counter(context, [item], Limits(), ProofCache()).instructions(uncounted, lambda _row: None)
        assert record.instructions and record.labels == expected
    mpack = item.rows[1][0]
    assert mpack.instructions and not any("counted with" in label for label in mpack.labels)
