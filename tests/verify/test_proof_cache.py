"""What the gate remembers: the same program on the same data, and nothing else."""

from functools import partial

import msgspec
import pytest

from serbench.run.proving import encodings_of
from serbench.verify.gate import Gate
from serbench.verify.proof_cache import ProofCache
from serbench.verify.prover import Prover
from serbench.verify.sessions import Sessions
from tests.conftest import LIMITS, rows_of
from tests.verify.gates import verdicts

FORMATS = ["messagepack"]


@pytest.fixture
def check(context, built, tmp_path, monkeypatch):
    """Sends MPack's rows through the gate; yields the verdicts and how many proofs were made."""
    rows = [row for row in rows_of(context.catalog, "c/mpack") if row.test != "lookup"]
    subjects = [built[row.id].subject for row in rows]
    started = []
    start = Prover._run

    def counted(self, subject, *given, **options):
        started.append(subject)
        return start(self, subject, *given, **options)

    monkeypatch.setattr(Prover, "_run", counted)

    def run(dataset, chosen=subjects, folder=tmp_path / "memory"):
        started.clear()
        canonical = encodings_of(context, dataset, FORMATS)
        found = verdicts(
            chosen,
            dataset,
            context.catalog.formats,
            canonical,
            tmp_path / "out",
            memory=ProofCache(folder),
            words=partial(context.store.hash_words, dataset),
        )
        return found, len(started)

    run.subjects = subjects
    return run


def test_nothing_is_proved_twice(check, generated):
    first, started = check(generated("generated:1"))
    assert started >= len(check.subjects) and all(v.status == "ok" for v in first.values())
    again, started = check(generated("generated:1"))
    assert started == 0
    for key, verdict in first.items():
        same = msgspec.structs.replace(again[key], written=None)
        assert same == msgspec.structs.replace(verdict, written=None)


def test_other_data_or_another_build_is_proved_anew(check, generated):
    check(generated("generated:1"))
    assert check(generated("generated:1:seed=5"))[1] >= len(check.subjects)
    other = [msgspec.structs.replace(subject, digest=f"other {subject.digest}") for subject in check.subjects]
    assert check(generated("generated:1"), other)[1] >= len(check.subjects)
    preloaded = [msgspec.structs.replace(subject, preload=("libc.so.6",)) for subject in check.subjects]
    assert check(generated("generated:1"), preloaded)[1] >= len(check.subjects)


def test_without_a_digest_or_a_folder_nothing_is_remembered(check, generated):
    nameless = [msgspec.structs.replace(subject, digest="") for subject in check.subjects]
    for _ in range(2):
        assert check(generated("generated:1"), nameless)[1] >= len(nameless)
        assert check(generated("generated:1"), folder=None)[1] >= len(check.subjects)


def test_what_is_damaged_is_proved_anew(check, generated, tmp_path):
    check(generated("generated:1"))
    for path in (tmp_path / "memory").iterdir():
        path.write_bytes(path.read_bytes()[:-1])
    verdicts, started = check(generated("generated:1"))
    assert started >= len(check.subjects)
    assert all(verdict.status == "ok" for verdict in verdicts.values())


def test_a_failure_is_not_remembered(check, context, generated, tmp_path):
    dataset = generated("generated:1")
    wrong = msgspec.structs.replace(
        dataset, facts=msgspec.structs.replace(dataset.facts, exact_hash="00000000", content_hash="00000000")
    )
    verdicts, _ = check(wrong)
    assert {verdict.status for verdict in verdicts.values()} == {"failed"}
    readers = [subject for subject in check.subjects if subject.row.test != "write"]
    assert check(dataset)[1] >= len(readers)


@pytest.fixture
def large(monkeypatch):
    """Every output counts as a large one."""
    monkeypatch.setattr("serbench.verify.proof_cache.MOST_OUTPUT", 10)
    monkeypatch.setattr("serbench.verify.prover.MOST_OUTPUT", 10)
    monkeypatch.setattr("serbench.verify.gate.LARGE_OUTPUT", 10)


@pytest.mark.parametrize(("canonical", "anew"), [(True, 0), (False, 1)])
def test_large_outputs_are_proved_once_and_not_kept(
    canonical, anew, check, built, generated, tmp_path, monkeypatch, large
):
    # The baselines need the smallest output: MPack's, which is the canonical encoding or is written anew.
    if not canonical:
        monkeypatch.setattr(Gate, "_same_bytes", lambda _self, _verdict: None)
    others = [built[f"c/{name}:write"].subject for name in ("baseline", "memcpy")]
    chosen = [*check.subjects, *others]
    for expected in (None, anew):
        verdicts, started = check(generated("generated:1"), chosen)
        assert {verdict.status for verdict in verdicts.values()} == {"ok"}
        assert expected in (None, started)
        smallest = verdicts["c/mpack:write"]
        for subject in others:
            given = verdicts[subject.key].input
            assert given.stat().st_size == smallest.bytes == verdicts[subject.key].bytes
        assert [path for path in (tmp_path / "memory").iterdir() if path.suffix == ".out"] == []
        assert len(list((tmp_path / "out").iterdir())) == anew


def test_a_writer_that_writes_something_else_again_fails_its_baseline(
    check, built, generated, monkeypatch, large
):
    monkeypatch.setattr(Gate, "_same_bytes", lambda _self, _verdict: None)
    write = Prover.write_now
    written = []

    def other(self, subject, encoded, output):
        made = write(self, subject, encoded, output)
        written.append(subject.key)
        again = written.count("c/mpack:write") > 1
        return msgspec.structs.replace(made, output_sha256="0" * 64) if again else made

    monkeypatch.setattr(Prover, "write_now", other)
    chosen = [built[row].subject for row in ("c/mpack:write", "c/mpack:tree", "c/memcpy:write")]
    verdicts, _ = check(generated("generated:1"), chosen)
    assert verdicts["c/memcpy:write"].status == "failed"
    assert "did not write the same bytes again" in verdicts["c/memcpy:write"].reason
    assert verdicts["c/mpack:write"].status == "ok"


def test_large_data_have_time_and_few_workers(context, generated, tmp_path, monkeypatch):
    monkeypatch.setattr("serbench.worker.bounds.free_memory", lambda: 4 << 30)
    dataset = generated("generated:1")
    made = {}
    for size in (1_000, 100_000_000, 1_000_000_000):
        tape = tmp_path / str(size)
        with tape.open("wb") as file:
            file.truncate(size)
        given = msgspec.structs.replace(dataset, tape=tape)
        made[size] = Gate(given, context.catalog.formats, {}, tmp_path / "out", Sessions(), LIMITS, jobs=8)
    assert [gate.jobs for gate in made.values()] == [8, 2, 1]
    assert [gate.prover.limits.timeout - LIMITS.timeout for gate in made.values()] == [0, 200, 2000]
    assert {gate.prover.limits.memory_bytes for gate in made.values()} == {LIMITS.memory_bytes}
