"""The pages about records and metrics are what the records and the table of metrics say."""

import re

import msgspec
import pytest

from serbench.project import ROOT
from serbench.results.analysis import analyse
from serbench.results.describe import COMMAND, json_schema, pages
from serbench.results.journal import RECORD_KINDS, End
from serbench.results.load import load_run
from serbench.results.metrics import METRICS
from serbench.results.platform_metrics import PLATFORM_METRICS
from serbench.results.schema import SCHEMA_VERSION, RowRecord, RowResult

DOCUMENT = (ROOT / "docs" / "results-schema.md").read_text(encoding="utf-8")


def section(title):
    return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", DOCUMENT, re.M | re.S)[1]


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.name)
def test_the_page_is_what_the_records_say(path):
    assert path.read_text(encoding="utf-8") == pages()[path], f"write it anew: {COMMAND}"


def test_every_record_and_field_is_described():
    defs = json_schema()["$defs"]
    described = {(name,): of["description"] for name, of in defs.items()}
    for name, of in defs.items():
        described |= {(name, field): each.get("description") for field, each in of["properties"].items()}
    assert not [names for names, said in described.items() if not said]


def test_metrics_are_fields_with_names_of_their_own():
    known = {*RowResult.__struct_fields__, *RowRecord.__struct_fields__}
    for table in (METRICS, PLATFORM_METRICS):
        ids = [metric.id for metric in table]
        assert len({*ids}) == len(ids)
        assert known.issuperset(name for metric in table for name in metric.fields)
        assert all(metric.meaning.endswith(".") and metric.reason in {"", *known} for metric in table)


def test_version_and_kinds():
    assert f"version {SCHEMA_VERSION} of its schema" in DOCUMENT
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
