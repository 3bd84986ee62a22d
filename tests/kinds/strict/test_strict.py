"""A strict reader is found to be strict, and each planted fault is found; nothing is asked twice."""

import msgspec
import pytest

from serbench.catalog.load import load_catalog
from serbench.kinds.strict import step
from serbench.kinds.strict.cases import load_cases
from serbench.kinds.strict.damage import damaged
from serbench.kinds.strict.probe import REPLACED, labels_of
from serbench.kinds.strict.reader import Launches
from serbench.project import CACHE, ROOT
from serbench.results.load import load_run
from serbench.run.context import BuildContext
from serbench.verify.proof_cache import ProofCache
from tests.conftest import CONTENDERS

OWN_CHOICE = {
    ("duplicate keys", "with different values", "taken"),
    ("duplicate keys", "with one value", "taken"),
}
"""What MessagePack leaves to a reader, and the strict one takes."""
DAMAGED = 1_000


@pytest.fixture(scope="module")
def context():
    return BuildContext(load_catalog(ROOT, [CONTENDERS / "strictness"]), CACHE)


@pytest.fixture(scope="module")
def ready(context):
    rows = [row for row in context.catalog.rows() if row.contender.id == "c/strictness"]
    return context.build(rows)


@pytest.fixture
def probe(context, ready, monkeypatch):
    """What is found out of a variant, and remembered where the test says."""
    for name in ("CASE_LIMITS", "DAMAGE_LIMITS"):  # half a second is long for these
        limits = msgspec.structs.replace(getattr(step, name), timeout=0.5)
        monkeypatch.setattr(step, name, limits)

    def call(variant="", damaged=0, memory=None, anew=True):
        found = []
        name = f"c/strictness:tree:{variant}".removesuffix(":")
        step.strict_of(context, [ready[name]], memory or ProofCache(), damaged, found.append, anew)
        (record,) = found
        assert record.status == "ok", record.reason
        return record

    return call


def outcomes(record):
    return {(each.kind, each.case, each.outcome) for each in record.judged}


@pytest.mark.parametrize("variant", ["", "sulks"])
def test_a_strict_reader_is_found_to_be_strict(variant, probe):
    """Also one that refuses everything after an invalid document: it is started anew."""
    record = probe(variant)
    assert outcomes(record) == OWN_CHOICE
    assert record.cases == len(load_cases(ROOT, "messagepack")) and record.damage is None
    assert labels_of(record.judged, load_cases(ROOT, "messagepack")) == []


def test_a_lone_surrogate_that_is_taken(probe):
    record = probe("surrogates")
    assert outcomes(record) - OWN_CHOICE == {("UTF-8", "surrogate as three bytes", "taken")}
    assert labels_of(record.judged, load_cases(ROOT, "messagepack")) == ["validates UTF-8 in part"]


def test_text_that_is_put_in_the_place_of_what_is_no_utf8(probe):
    """It takes as much as who does not look, but what it hands out can be relied upon."""
    record = probe("replaces")
    taken = [each for each in record.judged if each.kind == "UTF-8"]
    assert taken and {(each.outcome, each.said) for each in taken} == {("taken", REPLACED)}
    cases = load_cases(ROOT, "messagepack")
    assert labels_of(record.judged, cases) == ["replaces invalid UTF-8"]
    raw = [msgspec.structs.replace(each, said="") for each in taken]
    assert labels_of(raw, cases) == ["does not validate UTF-8"]
    assert labels_of([*raw[1:], taken[0]], cases) == ["validates UTF-8 in part"]


def test_a_loop_on_a_truncated_map(probe):
    found = outcomes(probe("loops")) - OWN_CHOICE
    assert ("truncation", "in a map", "hang") in found
    assert {(kind, outcome) for kind, _, outcome in found} == {("truncation", "hang")}


def test_a_value_that_is_changed(probe):
    assert outcomes(probe("signed")) - OWN_CHOICE == {("numbers", "uint 8", "changed")}


def test_no_fault_without_a_fault(probe):
    damage = probe("", DAMAGED).damage
    assert (damage.tried, damage.wanted, damage.sanitizer, damage.ends) == (DAMAGED, DAMAGED, "library", [])
    assert 0 < damage.taken < DAMAGED


def test_a_byte_read_past_the_end(probe):
    """A read past the input and the zero byte behind it; without sanitizer nobody would see it."""
    (end,) = probe("reads-on", DAMAGED).damage.ends
    assert (end.kind, end.said) == ("bad access", "heap-buffer-overflow in sequence")
    assert end.times > 0 and bytes.fromhex(end.example) in damaged_document(probe)


def damaged_document(probe):
    """All damaged encodings that a reader is given."""
    given = []

    def look(self, document, tape, exact_hash):
        given.append(document)
        return "refused", ""

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Launches, "outcome", look)
        probe("", DAMAGED)
    return given


def test_a_reader_that_hangs_over_damaged_maps_is_given_no_more(probe):
    damage = probe("loops", DAMAGED).damage
    assert [(end.kind, end.times) for end in damage.ends] == [("hang", 3)]
    assert damage.tried < damage.wanted == DAMAGED


def test_what_is_remembered_is_not_asked_again(probe, tmp_path, monkeypatch):
    memory = ProofCache(tmp_path)
    with pytest.raises(ValueError, match="not enough values"):
        probe("surrogates", 100, memory, anew=False)
    first = probe("surrogates", 100, memory)
    monkeypatch.setattr(Launches, "outcome", None)
    assert probe("surrogates", 100, memory) == first
    assert probe("surrogates", 100, memory, anew=False) == first
    assert probe("surrogates", 99, memory, anew=False).damage is None


def test_damage_is_the_same_for_the_same_seed():
    encoding = bytes(range(64))
    made = [list(damaged(encoding, 300, seed)) for seed in (1, 1, 2)]
    assert made[0] == made[1] != made[2]
    assert len(made[0]) == 300 and encoding not in made[0]
    sizes = {len(each) for each in made[0]}
    assert min(sizes) < 64 < max(sizes) and 64 in sizes
    assert any(b"\xff" * 8 in each for each in made[0])


def test_a_run_shows_what_strict_found(command, tmp_path, monkeypatch):
    limits = msgspec.structs.replace(step.CASE_LIMITS, timeout=0.5)
    monkeypatch.setattr(step, "CASE_LIMITS", limits)
    words = ["--contenders", "c/strictness", "--contender", CONTENDERS / "strictness"]
    done = command("strict", *words, "--damaged", "0", "--output", tmp_path / "strict.json")
    assert done.returncode == 0, done.stderr
    # A run of the usual length that its time ends: it reports what it sampled until then.
    options = ["--tests", "tree", "--datasets", "generated:1", "--budget", "1"]
    done = command("run", *words, *options, "--output", tmp_path / "run.json")
    assert done.returncode == 0, done.stderr
    run = load_run(tmp_path / "run.json")
    found = {record.row: record for record in load_run(tmp_path / "strict.json").strict}
    hangs = {"c/strictness:tree:loops"}
    assert {record.row: record for record in run.strict} == {
        name: record for name, record in found.items() if name not in hangs
    }
    labels = {row.row: row.labels for row in run.rows}
    assert labels["c/strictness:tree:surrogates"] == ["validates UTF-8 in part"]
    assert labels["c/strictness:tree"] == []
