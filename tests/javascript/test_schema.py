"""Avro by the schema of any data: two libraries of two languages write the same and read each other."""

import json

import pytest

from serbench.run.proving import prove
from tests.conftest import LIMITS

# avsc refuses 2^53 - 1, and takes integers below -2^52 for others, which the last test shows.
DOCUMENT = {
    **{"class": "keyword", "a-b": 1, "a_b": 2, "aB": 3, "": "empty", "é 日本": "café 😀", "nul": "a\0b"},
    **{"numbers": {"least": -(2**52), "most": 2**53 - 2, "small": -1}, "empty": [], "nothing": None},
    "doubles": [-0.0, 1e300, 3, 0.1, 5e-324],
    **{"matrix": [[[1.5], []], []], "words": ["", None], "lists": [[1], None, []], "constructor": False},
    "records": [
        {"id": 1, "absent": 1, "both": None, "inner": {"x": 1}, "list": []},
        {"id": 2, "both": 7, "inner": None, "list": None},
        {"id": 3, "inner": {"x": 2, "y": None}},
    ],
    "ids": {f"k{each}": {"name": f"n{each}", "weight": each / 4} for each in range(40, 0, -1)},
    "maps": {f"k{each}": {"inner": {f"{n}": [n] for n in range(34)}} for each in range(2)},
}


@pytest.fixture
def proved(context, catalog, document, tmp_path):
    names = ("javascript/avsc-struct", "python/fastavro")
    rows = [row for row in catalog.rows(generated=True) if row.contender.id in names]

    def prove_on(data):
        (item,) = prove(context, rows, [document(json.dumps(data))], tmp_path, LIMITS)
        found = {record.row: record for record, _, _ in item.rows}
        assert len(found) == 4
        for row, record in found.items():
            if record.status == "unavailable":
                pytest.skip(f"{row}: {record.reason}")
        return item.record.exact_hash, found

    return prove_on


def test_two_libraries_agree_on_every_construct(proved):
    right, found = proved(DOCUMENT)
    for row, record in found.items():
        assert record.status == "ok" and not record.losses, f"{row}: {record.reason}"
        assert record.exact_hash == right or row.endswith("write")
    assert len({record.hash for row, record in found.items() if row.endswith("write")}) == 1


def test_an_integer_that_a_library_changes_fails_its_rows(proved):
    found = proved({"a": -(2**52) - 1})[1]
    failed = [row for row, record in found.items() if record.status != "ok"]
    assert failed == ["javascript/avsc-struct:write", "javascript/avsc-struct:tree"]
    assert "at $.a: 4503599627370496 where -4503599627370497 is right" in found[failed[0]].reason
