"""What a row may lose of the data, counted and labelled; what else is wrong still fails."""

import pytest

from serbench.catalog.load import load_catalog
from serbench.datasets.difference import Difference
from serbench.project import CACHE, ROOT
from serbench.results.losses import keeps_all, loss_labels
from serbench.run.context import BuildContext
from serbench.run.proving import prove
from serbench.verify.judging import judge
from serbench.verify.proof_cache import DidRead
from serbench.verify.records import Verdict
from serbench.worker.process import Worker
from serbench.worker.session import prepare, sample
from tests.conftest import CONTENDERS, LIMITS

DATA = """{"b": [1, -2, 505874924095815681, -9007199254740995, 18446744073709551615, 9007199254740996],
           "a": {"z": -0.0, "y": 0.1, "x": "text"}, "n": null}"""
INTEGERS, KEYS = "changes 3 integers beyond 2^53", "loses the order of keys"


@pytest.fixture(scope="module")
def lossy():
    catalog = load_catalog(ROOT, [CONTENDERS / "lossy"])
    return BuildContext(catalog, CACHE), [r for r in catalog.rows() if r.contender.id == "c/lossy"]


@pytest.fixture
def proven(lossy, document, tmp_path):
    """Each variant with its record, the program and the verdict."""
    context, rows = lossy
    (item,) = prove(context, rows, [document(DATA)], tmp_path / "out", LIMITS)
    return {row[0].variant: row for row in item.rows}


@pytest.mark.parametrize(
    ("variant", "labels"),
    [
        ("", []),
        ("doubles", [INTEGERS]),
        ("shortest", [INTEGERS]),
        ("reversed", [KEYS]),
        ("unordered", [KEYS]),
        ("rounded-unordered", [INTEGERS, KEYS]),
        ("positive", ["loses the sign of -0"]),
    ],
)
def test_a_loss_is_a_label(variant, labels, proven):
    record = proven[variant][0]
    assert (record.status, record.reason) == ("ok", "")
    assert loss_labels(record) == labels
    assert keeps_all(record) == (not labels)


@pytest.mark.parametrize(
    ("variant", "reason"),
    [
        ("next", "at $.b[2]: 5.05874924095815"),
        ("wrong", "at $.b[2]: 505874924095815682 where 505874924095815681 is right"),
        ("small", "at $.b[0]: 2 where 1 is right"),
        ("drops", "at $.a: the end after 2 elements where 'x' is right"),
        ("repeats", "at $: 'b' where 'a' is right"),
        ("renames", "at $.a: 'w' where 'x' is right"),
        ("coarse", "changes 1 doubles, by up to 1.0e-02 (relative): that is more than rounding"),
        ("hidden", " is not that of the values which it saw"),
        ("fickle", "read the same twice: exact_hash "),
    ],
)
def test_what_is_no_loss_fails(variant, reason, proven):
    record = proven[variant][0]
    assert record.status == "failed" and reason in record.reason, record.reason


@pytest.mark.parametrize("variant", ["doubles", "reversed", "unordered", "rounded-unordered"])
def test_timed_iterations_have_the_hash_that_was_proved(variant, proven, document):
    record, ready, verdict = proven[variant]
    with Worker(ready.subject.command, limits=LIMITS) as worker:
        prepare(worker, document(DATA).tape, verdict.input, 1)
        hashes = {sample(worker, iterations, 1, 0).hash for iterations in (1, 2, 3)}
    assert hashes == {record.exact_hash}


def test_unordered_maps_have_the_unordered_hash(proven, document):
    facts = document(DATA).facts
    assert proven["unordered"][0].exact_hash == facts.unordered_hash != facts.exact_hash
    assert proven["reversed"][0].exact_hash not in (facts.unordered_hash, facts.exact_hash)


def test_a_double_of_the_same_value_is_no_loss(lossy, document, tmp_path):
    """Though beyond 2^53 its hash is another one."""
    context, rows = lossy
    dataset = document('{"a": 9007199254740996}')
    (item,) = prove(context, [r for r in rows if r.variant == "doubles"], [dataset], tmp_path, LIMITS)
    record = item.rows[0][0]
    assert (record.status, record.reason, loss_labels(record)) == ("ok", "", [])
    assert keeps_all(record) and record.exact_hash != dataset.facts.exact_hash


@pytest.mark.parametrize("text", ["[0.5]", '{"a": 0.5}'])
def test_a_wrong_content_hash_fails_whatever_the_exact_one(text, document):
    facts = document(text).facts
    seen = Difference(
        difference="",
        exact_hash=facts.exact_hash,
        unordered_hash=facts.unordered_hash,
        integers=0,
        negative_zeros=0,
        retyped=0,
        keys_moved=False,
        doubles=0,
        max_relative=0,
    )
    found = DidRead(
        library_version="",
        max_rss=0,
        start_seconds=0,
        iteration_seconds=0,
        content_hash="00000000",
        exact_hash=facts.exact_hash,
        difference=seen,
    )
    verdict = Verdict(status="ok")
    judge(found, facts, verdict)
    assert (verdict.status, verdict.losses) == ("failed", None)
    assert verdict.reason == f"wrong content_hash: 00000000 where {facts.content_hash} is right"
