"""The probe of fidelity finds what is known of libraries today, and every mark in one made up for it."""

from pathlib import Path

import msgspec
import pytest

from serbench.catalog.load import load_catalog
from serbench.kinds.fidelity.probe import examine
from serbench.kinds.fidelity.report import COLUMNS, cells_of, summary
from serbench.kinds.fidelity.step import fidelity_of
from serbench.project import CACHE, ROOT
from serbench.results.probes import Fidelity
from serbench.run.context import BuildContext
from serbench.run.probing import probed_rows
from serbench.verify.proof_cache import ProofCache
from tests.javascript.conftest import every_context, node
from tests.results.builder import synthetic_run

__all__ = ["every_context", "node"]  # fixtures


def uncounted(_what, _number):
    return lambda: None


@pytest.fixture(scope="module")
def context(every_context):
    """One that knows every library, as they read each other's bytes."""
    return every_context


@pytest.fixture(scope="module")
def found(context):
    """The fidelity of every library, by contender and variant."""
    records = fidelity_of(context, context.catalog.rows(), ProofCache(), uncounted)
    return {(r.contender_id.removeprefix("javascript/"), r.variant): r for r in records}


@pytest.fixture
def fate(found):
    """What became of a value in a library."""

    def find(library, probe, variant=""):
        record = found[library, variant]
        if record.status == "unavailable":
            pytest.skip(record.reason)
        assert record.status == "ok", record.reason
        return next(fate for fate in record.values if fate.probe == probe)

    return find


def carried(record: Fidelity):
    return {(each.kind, each.where, each.what) for each in record.carries}


def test_every_library_can_be_probed(found):
    bad = {name: r.reason for name, r in found.items() if r.status not in ("ok", "unavailable")}
    assert not bad
    assert len(found) > 30
    assert all(r.values for r in found.values() if r.status == "ok")
    ended = [(name, fate) for name, r in found.items() for fate in r.values if fate.mark == "failed"]
    assert not ended


@pytest.mark.parametrize(
    ("library", "probe", "came_back"),
    [
        ("protobufjs", "2^53+1n", "0, a Long"),
        ("protobufjs-generated", "2^63-1n", "0, a Long"),
        ("notepack", "1e300", "0"),
        ("notepack", "2^64", "0"),
        ("protons", "-2^63n", "9223372032559808512n"),
        ("bson", "2^64-1n", "-1"),
        ("json", "NaN", "null"),
        ("json", "-0", "0"),
        ("msgpack-javascript", "undefined", "null"),
    ],
)
def test_silent_changes(library, probe, came_back, fate):
    assert (fate(library, probe).mark, fate(library, probe).found) == ("changed", came_back)


@pytest.mark.parametrize("library", ["bser", "notepack", "ubjson", "avsc", "avro-js", "pbf", "protons-1"])
def test_prototypes_set_by_the_data(library, fate):
    assert fate(library, "key __proto__").mark == "polluted"


def test_a_key_that_only_looks_like_a_prototype(fate):
    assert fate("json", "key __proto__").mark == "same"
    assert fate("msgpackr", "key __proto__").found == "the key is absent"
    assert (fate("devalue", "key __proto__").mark, fate("devalue", "key __proto__").at) == (
        "refused",
        "write",
    )
    assert (fate("msgpack5", "key __proto__").mark, fate("msgpack5", "key __proto__").at) == (
        "refused",
        "read",
    )


def test_pbf_beyond_53_bits(fate):
    """It takes no BigInt, and silently rounds what another library wrote."""
    one = fate("pbf", "2^53+1n")
    assert (one.mark, one.at) == ("refused", "write")
    assert (one.peer_mark, one.peer_found) == ("changed", "9007199254740992")


def test_js_binary_beyond_53_bits(fate):
    assert fate("js-binary", "2^53-1").mark == "same"
    assert (fate("js-binary", "2^60").mark, fate("js-binary", "2^60").at) == ("refused", "write")


@pytest.mark.parametrize("library", ["avsc", "avro-js"])
def test_avro_refuses_2_53_less_1(library, fate):
    assert (fate(library, "2^53-1").mark, fate(library, "2^53-1").at) == ("refused", "write")


def test_other_forms(fate):
    assert (fate("bson", "-2^63n").mark, fate("bson", "-2^63n").found) == ("form", "a Long")
    assert (fate("bson", "-2^63n", "bigint").mark) == "same"
    assert (fate("google-protobuf", "2^63-1n").mark, fate("google-protobuf", "2^63-1n").found) == (
        "form",
        "a string",
    )
    assert fate("bufbuild", "2^60").found == "a bigint"


def test_structured_clone_changes_nothing(found):
    assert {fate.mark for fate in found["v8", ""].values} == {"same"}
    assert len(found["v8", ""].values) > 20


@pytest.mark.parametrize("library", ["json", "msgpackr", "cbor2", "pbf", "protons", "js-binary", "bson"])
def test_plain_objects_carry_nothing(library, found):
    assert found[library, ""].carries == []


@pytest.mark.parametrize(
    ("library", "variant", "carrying"),
    [
        ("bufbuild", "", ("own", "items[]", "$typeName")),
        ("google-protobuf", "", ("renamed", "items", "to itemsList")),
        ("google-protobuf", "getters", ("wrapper", "items[].x", "behind getX()")),
        ("protons-1", "", ("getter", "items[].x", "own")),
        ("protobufjs", "", ("inherited", "items[].x", "the value 0")),
        ("avsc", "", ("prototype", "items[]", "Item")),
        ("avsc-optional", "", ("own", "items[]", "y")),
        ("flatbuffers", "", ("inherited", "items[]", "methods: pack")),
    ],
)
def test_what_decoded_objects_carry(library, variant, carrying, found):
    # A library that is absent has one record, whatever its variants.
    record = found.get((library, variant)) or found[library, ""]
    if record.status == "unavailable":
        pytest.skip(record.reason)
    assert record.variant == variant and carrying in carried(record)


def test_marks_of_a_made_up_library(node):
    """One that ends over one value, pollutes all objects over another, and adds to what it decodes."""
    catalog = load_catalog(ROOT, [Path(__file__).parent / "javascript" / "odd"])
    rows = [row for row in catalog.rows() if row.contender.id == "javascript/odd"]
    (record,) = fidelity_of(BuildContext(catalog, CACHE), rows, ProofCache(), uncounted)
    marks = {fate.probe: fate for fate in record.values}
    assert marks["1e300"].mark == "failed"
    assert marks["0.1"].mark == "changed" and marks["0.1"].found == "0.2"
    assert marks["lone surrogate"].mark == "refused"
    assert marks["NaN"].mark == "polluted" and "Object.prototype has oddity" in marks["NaN"].found
    found = carried(record)
    assert ("own", "items[]", "inner, extra") in found
    assert ("own", "", "hidden (hidden)") in found
    assert ("getter", "items[].x", "inherited") in found
    assert ("missing", "items[].z", "0 is not there") in found


@pytest.mark.parametrize(("test", "lacks"), [("tree", "it does not write"), ("write", "it does not read")])
def test_a_contender_with_one_test_only(test, lacks, context):
    """It costs no other contender anything, and nothing is said of what it cannot do."""
    json = context.catalog.contenders["javascript/json"]
    manifest = msgspec.structs.replace(json.manifest, tests={test: f"{test}.mjs"})
    contenders = {json.id: msgspec.structs.replace(json, manifest=manifest)}
    catalog = msgspec.structs.replace(context.catalog, contenders=contenders)
    (record,) = fidelity_of(BuildContext(catalog, CACHE), catalog.rows(), ProofCache(), uncounted)
    assert (record.status, record.values, record.carries) == ("unavailable", [], [])
    assert record.reason.startswith(lacks)


def test_a_run_probes_its_own_libraries_only(context, found, monkeypatch):
    """Those of the same format are neither built nor asked, nor is anything read that they wrote."""
    rows = [row for row in context.catalog.rows() if row.contender.id == "javascript/pbf"]
    probed = []
    monkeypatch.setattr(
        "serbench.kinds.fidelity.step.examine",
        lambda subjects, *rest: probed.extend(s.contender_id for s in subjects) or examine(subjects, *rest),
    )
    (record,) = fidelity_of(context, rows, ProofCache(), uncounted, peers=False)
    assert probed == ["javascript/pbf"]
    assert {row.contender.id for row in probed_rows(context, rows, peers=False)} == {"javascript/pbf"}
    assert len({row.contender.id for row in probed_rows(context, rows, peers=True)}) > 3
    own = [(fate.probe, fate.mark, fate.found) for fate in found["pbf", ""].values]
    assert [(fate.probe, fate.mark, fate.found) for fate in record.values] == own
    assert any(fate.peer for fate in found["pbf", ""].values) and not any(f.peer for f in record.values)


def test_libraries_of_one_run_read_each_other(context, found):
    wanted = ("javascript/pbf", "javascript/protons")
    rows = [row for row in context.catalog.rows() if row.contender.id in wanted]
    records = list(fidelity_of(context, rows, ProofCache(), uncounted, peers=False))
    assert [record.contender_id for record in records] == list(wanted)
    one = next(fate for fate in records[0].values if fate.probe == "2^53+1n")
    assert (one.peer, one.peer_mark) == (found["protons", ""].contender, "changed")


def test_what_is_remembered_is_not_probed_again(context, found, tmp_path, monkeypatch):
    rows = [row for row in context.catalog.rows() if row.contender.id == "javascript/notepack"]
    memory = ProofCache(tmp_path)
    first = list(fidelity_of(context, rows, memory, uncounted))
    monkeypatch.setattr("serbench.kinds.fidelity.probe.Worker", None)
    assert list(fidelity_of(context, rows, memory, uncounted)) == first == [found["notepack", ""]]


def test_the_three_marks_stand_in_three_columns(found):
    run = synthetic_run()
    run.fidelity = list(found.values())
    headers = [column.header for column in COLUMNS]
    made = [dict(zip(headers, cells_of(record), strict=True)) for record in run.fidelity]
    table = {cells["contender"]: cells for cells in made}
    assert "2^64, 1e300 → 0" in table["notepack.io"]["changes silently"]
    assert table["notepack.io"]["sets a prototype"] == "key __proto__"
    assert "reading 2^53+1n → 9007199254740992" in table["pbf"]["changes silently"]
    assert "2^53+1n" in table["pbf"]["refuses"] and "2^53+1n" not in table["protobufjs"]["refuses"]
    assert table["JSON"]["carries"] == "nothing"
    assert "notepack.io" in summary(run)
