"""What the gate remembers: the same program on the same data, and nothing else."""

import msgspec
import pytest

from serbench.proving import encodings_of
from serbench.verify.gate import Gate
from serbench.verify.memory import Memory
from tests.conftest import LIMITS, rows_of

FORMATS = ["messagepack"]


@pytest.fixture
def check(workshop, built, tmp_path, monkeypatch):
    """Sends MPack's rows through the gate; yields the verdicts and how many workers were started."""
    subjects = [built[row.id].subject for row in rows_of(workshop.catalog, "c/mpack")]
    started = []
    start = Gate._start
    monkeypatch.setattr(Gate, "_start", lambda self, subject: started.append(subject) or start(self, subject))

    def run(dataset, chosen=subjects, folder=tmp_path / "memory"):
        started.clear()
        canonical = encodings_of(workshop, dataset, FORMATS)
        gate = Gate(
            dataset, workshop.catalog.formats, canonical, tmp_path / "out", LIMITS, memory=Memory(folder)
        )
        return gate.check(chosen), len(started)

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


def test_a_failure_is_not_remembered(check, workshop, generated, tmp_path):
    dataset = generated("generated:1")
    wrong = msgspec.structs.replace(
        dataset, facts=msgspec.structs.replace(dataset.facts, exact_hash="00000000", content_hash="00000000")
    )
    verdicts, _ = check(wrong)
    assert {verdict.status for verdict in verdicts.values()} == {"failed"}
    readers = [subject for subject in check.subjects if subject.row.test != "write"]
    assert check(dataset)[1] >= len(readers)
