"""docs/results-schema.md says of every record what the record itself says, no more and no less."""

import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from serbench.datasets.records import Compressed, DatasetRecord, Encoding
from serbench.measure.records import Comparing, Failure, Period, Plan, Sample, Settings, Stop
from serbench.results.analysis import analyse
from serbench.results.counts import Count
from serbench.results.journal import RECORD_KINDS, End
from serbench.results.load import load_run
from serbench.results.probes import (
    Attempt,
    Carried,
    Damage,
    Fate,
    Fidelity,
    Judged,
    Payload,
    ProcessEnd,
    Strict,
)
from serbench.results.schema import (
    SCHEMA_VERSION,
    Answer,
    Finding,
    Gain,
    Host,
    Machine,
    Measured,
    Platform,
    Revision,
    RowRecord,
    RowResult,
    Run,
    Status,
    Summary,
)
from serbench.worker.records import Doubles, Heap, Losses

DOCUMENT = (Path(__file__).parents[2] / "docs" / "results-schema.md").read_text(encoding="utf-8")
RECORDS = [
    *(
        Run,
        Machine,
        Revision,
        Settings,
        Comparing,
        Plan,
        DatasetRecord,
        Encoding,
        Compressed,
        RowRecord,
        Doubles,
        Losses,
        Heap,
        Sample,
    ),
    *(Failure, Stop, Period, Platform, Count, Fidelity, Carried, Fate, Payload, Attempt),
    *(Strict, Judged, Damage, ProcessEnd, Host, Measured),
    *(Summary, Answer, Finding, Gain, RowResult),
]


def section(title):
    return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", DOCUMENT, re.M | re.S)[1]


def fields_of(title):
    """Name and type column of every field in the section's table."""
    return dict(re.findall(r"^\| `(\w+)` \| ([^|]*?) \|", section(title), re.M))


@pytest.mark.parametrize("record", RECORDS, ids=lambda r: r.__name__)
def test_fields_are_those_of_the_record_in_its_order(record):
    assert list(fields_of(record.__name__)) == list(record.__struct_fields__)


@pytest.mark.parametrize("record", RECORDS, ids=lambda r: r.__name__)
def test_required_and_defaults_are_told_truly(record):
    told = fields_of(record.__name__)
    for field in msgspec.structs.fields(record):
        assert field.required == told[field.name].endswith("required"), field.name
        if field.default is None:
            assert "null" in told[field.name], field.name
        elif field.default == "":
            assert "default empty" in told[field.name], field.name
        elif isinstance(field.default, bool):
            assert f"default {str(field.default).lower()}" in told[field.name], field.name
        elif field.name != "schema" and isinstance(field.default, int | float):
            assert float(told[field.name].rpartition("default ")[2]) == field.default, field.name
        elif field.name != "schema" and isinstance(field.default, str):
            assert told[field.name].endswith(f"default `{field.default}`"), field.name


def reachable(kind, found):
    """All record classes that a field of `kind` leads to."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind not in found:
        found.add(kind)
        for field in msgspec.structs.fields(kind):
            reachable(field.type, found)
    for part in get_args(kind):
        if not isinstance(part, str):
            reachable(part, found)
    return found


def test_no_record_is_left_out():
    assert reachable(Run, set()) == set(RECORDS) - {Count}  # which is of version 1


def test_version_values_and_kinds():
    assert f"version {SCHEMA_VERSION} of its schema" in DOCUMENT
    assert all(f"`{value}`" in section("RowRecord") for value in get_args(Status))
    reasons = next(f.type for f in msgspec.structs.fields(Stop) if f.name == "reason")
    assert all(f"`{value}`" in section("Stop") for value in get_args(reasons))
    kinds = re.findall(r"^\| `(\w+)` \|", section("The journal"), re.M)
    assert sorted(kinds) == sorted(["header", *RECORD_KINDS, "end"])
    assert all(f"`{name}`" in section("The journal") for name in End.__struct_fields__)


def test_the_example_is_a_run_file(tmp_path):
    path = tmp_path / "run.json"
    path.write_text(re.search(r"```json\n(.*?)```", section("An example"), re.S)[1], encoding="utf-8")
    run = load_run(path)
    (row,) = analyse(run)
    assert (
        row.result.raw_ns == pytest.approx(1_148_000 / 200) and row.result.bytes == run.rows[0].bytes == 2367
    )
    note = re.search(r"```json\n(.*?)```", section("The journal"), re.S)[1]
    run.samples, run.rows = [], []
    header = msgspec.json.encode({"kind": "header", "data": run}).decode()
    path.write_text(header + "\n" + note, encoding="utf-8")
    assert load_run(path).notes == ["The machine is virtual (kvm)."]
