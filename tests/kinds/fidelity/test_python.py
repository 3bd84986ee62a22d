"""The probe of fidelity in Python finds what is known of libraries, and every mark in one made up for it."""

import math
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from uuid import UUID

import pytest
from harness.python.probe.values import PROBES, alike, carried_by, judge

from serbench.catalog.load import load_catalog
from serbench.kinds.fidelity.step import fidelity_of
from serbench.project import CACHE, ROOT
from serbench.run.context import BuildContext
from serbench.run.probing import probed_rows
from serbench.verify.proof_cache import ProofCache
from tests.python.conftest import row

__all__ = ["row"]  # a fixture

ODD = Path(__file__).parent / "python" / "odd"


def probed(catalog, *ids):
    """What is found of some contenders, by id and variant."""
    rows = [row for row in catalog.rows() if row.contender.id in ids]
    records = fidelity_of(
        BuildContext(catalog, CACHE), rows, ProofCache(), lambda *_: lambda: None, peers=False
    )
    return {(record.contender_id, record.variant): record for record in records}


@pytest.fixture(scope="module")
def found(row):
    """The fidelity of a few libraries that are here, which read each other's bytes."""
    ids = (
        "json",
        "pickle",
        "orjson",
        "msgpack",
        "msgspec-msgpack",
        "bson",
        "cbor2",
        "ion",
        "py-yyjson",
        "jiter",
    )
    row("python/orjson:tree")
    return probed(load_catalog(ROOT), *(f"python/{name}" for name in ids))


@pytest.fixture
def fate(found):
    """What became of a value in a library."""

    def find(library, probe):
        record = found[f"python/{library}", ""]
        if record.status == "unavailable":
            pytest.skip(record.reason)
        assert record.status == "ok", record.reason
        return next(fate for fate in record.values if fate.probe == probe)

    return find


@pytest.mark.parametrize(
    ("library", "probe", "mark", "at", "came_back"),
    [
        ("json", "10**100", "same", "", ""),
        ("json", "nan", "same", "", ""),
        ("json", "tuple", "form", "", "list"),
        ("json", "key 1", "form", "", "{'1': 'a'}"),
        ("json", "keys 1 and '1'", "changed", "", "{'1': 'b'}"),
        ("json", "Decimal", "refused", "write", "TypeError: Object of type Decimal is not JSON serializable"),
        ("orjson", "nan", "changed", "", "None"),
        ("orjson", "2**64", "refused", "write", "TypeError: Integer exceeds 64-bit range"),
        ("orjson", "dataclass", "form", "", "dict"),
        ("bson", "datetime", "changed", "", "2020-02-03 04:05:06.789000"),
        ("bson", "2**53+1", "form", "", "Int64"),
        ("cbor2", "set", "same", "", ""),
        ("cbor2", "key (1, 2)", "same", "", ""),
    ],
)
def test_what_libraries_do_to_values(library, probe, mark, at, came_back, fate):
    one = fate(library, probe)
    assert (one.mark, one.at, one.found) == (mark, at, came_back)


def test_what_a_library_reads_of_values_that_it_does_not_write(fate):
    number, time = fate("orjson", "10**100"), fate("msgpack", "datetime UTC")
    assert (number.at, number.peer, number.peer_mark, number.peer_found) == (
        "write",
        "json",
        "changed",
        "1e+100",
    )
    assert (time.at, time.peer_mark, time.peer_found) == ("write", "form", "Timestamp")


def test_pickle_changes_nothing(found):
    record = found["python/pickle", ""]
    assert {fate.mark for fate in record.values} == {"same"} and record.carries == []
    assert [fate.probe for fate in record.values] == list(PROBES)


def test_classes_of_a_library_are_carried(found):
    record = found["python/ion", ""]
    if record.status == "unavailable":
        pytest.skip(record.reason)
    carried = {(each.kind, each.where, each.what) for each in record.carries}
    assert ("class", "items[]", "IonPyDict") in carried
    assert found["python/ion", "plain-values"].carries == []


def test_one_that_only_reads_or_only_writes_has_no_values(found):
    for name, reason in (("jiter", "does not write"), ("py-yyjson", "does not read")):
        record = found[f"python/{name}", ""]
        assert record.status == "unavailable" and record.values == []
        if "not installed" not in record.reason and "no wheel" not in record.reason:
            assert reason in record.reason


def test_marks_of_a_made_up_library(row):
    row("python/json:tree")  # needs a compiler
    records = probed(load_catalog(ROOT, [ODD]), "python/odd")
    # A variant of which only the collector differs writes and reads as the plain one.
    assert list(records) == [("python/odd", "")]
    record = records["python/odd", ""]
    marks = {fate.probe: fate for fate in record.values}
    assert marks["1e300"].mark == "failed"
    assert (marks["0.1"].mark, marks["0.1"].found) == ("changed", "0.2")
    assert (marks["1.0"].mark, marks["1.0"].at, marks["1.0"].found) == (
        "refused",
        "read",
        "ValueError: no ones",
    )
    assert marks["inf"].mark == "same"
    carried = [(each.kind, each.where, each.what) for each in record.carries]
    assert carried == [
        ("class", "", "Document"),
        ("own", "", "extra"),
        ("changed", "items[].y", "4.5 is 4.25"),
        ("own", "items[]", "inner"),
        ("missing", "items[]", "z is not there"),
    ]


def test_libraries_read_what_others_of_their_own_language_wrote(catalog):
    """A value of another language may have the same name."""
    rows = [row for row in catalog.rows() if row.contender.id == "python/json"]
    peers = probed_rows(SimpleNamespace(catalog=catalog), rows, peers=True)
    assert {row.language for row in peers} == {"python"}
    assert "python/orjson" in {row.contender.id for row in peers}


@pytest.mark.parametrize(
    ("expected", "other"),
    [
        (1.0, 1),
        (math.nan, "NaN"),
        (Decimal("1.10"), "1.1"),
        (b"\x00\x01\xff", "AAH/"),
        ((1, 2), [1, 2]),
        ({1, 2}, [2, 1]),
        (PROBES["datetime UTC"], "2020-02-03T04:05:06.789012Z"),
        (PROBES["datetime +02:00"], datetime(2020, 2, 3, 2, 5, 6, 789012, UTC)),
        (UUID(int=1), str(UUID(int=1))),
        (PROBES["dataclass"], {"x": 1, "y": 0.5}),
        ({1.5: "a"}, {"1.5": "a"}),
        ({None: "a"}, {"null": "a"}),
        ({True: "a"}, {"True": "a"}),
    ],
)
def test_the_same_value_as_another_type(expected, other):
    assert alike(expected, other)


@pytest.mark.parametrize(
    ("expected", "other"),
    [
        (-0.0, 0.0),
        (2**53 + 1, 2.0**53),
        (1.0, True),
        (math.nan, None),
        (Decimal("1.10"), 1.1),
        ((1, 2), [2, 1]),
        (b"\x00", "\x00"),
        (PROBES["datetime"], datetime(2020, 2, 3, 4, 5, 6, 789012, UTC)),
        (PROBES["datetime"], PROBES["datetime"].replace(microsecond=0)),
        (PROBES["dataclass"], [1, 0.5]),
        ({1: "a", "1": "b"}, {"1": "b"}),
        ({(1, 2): "a"}, {"(1, 2)": "a"}),
    ],
)
def test_another_value(expected, other):
    assert not alike(expected, other)


@pytest.mark.parametrize("probe", PROBES)
def test_a_value_is_the_same_as_itself_alone(probe):
    assert judge(probe, {"value": PROBES[probe]}) == {"mark": "same"}
    for other in (object(), None, [], [None, {}], {}):
        assert judge(probe, {"value": other})["mark"] == "changed"
    assert judge(probe, {})["mark"] == judge(probe, 1)["mark"] == "changed"


def test_the_same_time_in_another_zone_is_another_form():
    other = PROBES["datetime UTC"].astimezone(timezone(timedelta(hours=1)))
    said = {"mark": "form", "found": "2020-02-03 05:05:06.789012+01:00"}
    assert judge("datetime UTC", {"value": other}) == said


def test_plain_records_carry_nothing():
    assert carried_by([{"x": 1}], [{"x": 1}]) == []
    assert carried_by([1, 2], [1]) == [{"kind": "changed", "where": "", "what": "1 elements"}]
