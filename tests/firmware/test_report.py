"""What a firmware and a counter say is read strictly, and judged."""

import json

import pytest

from serbench.platforms.firmware.documents import Document
from serbench.platforms.firmware.emulate import FirmwareFailed, Report, read_report
from serbench.platforms.firmware.judge import judge, why_unsupported
from serbench.project import ROOT
from tests.platforms import document_of, find_target

REGIONS = "".join(f"region {number}\n" for number in (5, 5, 105, 95, 55, 50))
SAID = """\
version 1.2
room 00000800
read-stack 00000010
read-heap 00000020
exact 11111111
number 3dcccccd
content 22222222
write-stack 00000030
write-heap 00000040
output 5b305d
end
"""


def test_counts_are_less_an_empty_region():
    report = read_report(SAID, REGIONS)
    assert (report.version, report.output, report.numbers) == ("1.2", b"[0]", [0x3DCCCCCD])
    assert report.metrics == {
        "deserialize_first": 100, "deserialize": 90, "serialize_first": 50, "serialize": 45,
        "deserialize_stack": 16, "deserialize_memory": 32, "serialize_stack": 48, "serialize_memory": 64,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("said", "counted", "reason"),
    [
        (SAID.replace("end\n", ""), REGIONS, "did not end"),
        ("failed read-first\n", "", "could not decode"),
        (SAID, REGIONS.replace("region 50\n", ""), "wrong regions"),
        (SAID, REGIONS.replace("region 5\n", "region 6\n", 1), "wrong regions"),
        (
            SAID.replace("write-stack 00000030", "write-stack 00000800"),
            REGIONS,
            "stack needs more than the 2048",
        ),
    ],
)
def test_what_is_not_whole_is_refused(said, counted, reason):
    with pytest.raises(FirmwareFailed, match=reason):
        read_report(said, counted)


def report_of(document: Document, numbers: list[int], output: bytes, exact: str = "") -> Report:
    content, right = document.hashes
    return Report(
        version="",
        exact=exact or right,
        content=content,
        numbers=numbers,
        output=output,
        metrics={},
    )


def test_the_gate_tells_rounding_from_wrong():
    document = document_of([0.1, 7])
    seven = 0x40E00000
    assert judge(document, "json", report_of(document, [0x3DCCCCCD, seven], b"[0.1,7]")) == []
    rounded = report_of(document, [0x3DCCCCCE, seven], b"[0.10000001,7]", exact="00000000")
    labels = [f"changes decimals when {what}, by up to 7e-08" for what in ("reading", "writing")]
    assert judge(document, "json", rounded) == labels
    with pytest.raises(FirmwareFailed, match="changes decimals by up to"):
        judge(document, "json", report_of(document, [0x3DCCCCCD, seven], b"[0.2,7]"))
    with pytest.raises(FirmwareFailed, match="encoded wrong values"):
        judge(document, "json", report_of(document, [], b"[0.1,8]"))
    with pytest.raises(FirmwareFailed, match="cannot be read"):
        judge(document, "json", report_of(document, [], b"[0.1,7"))


def test_code_of_a_schema_writes_the_canonical_bytes():
    document = document_of({"a": 150}, protobuf=b"\x08\x96\x01")
    assert judge(document, "protobuf", report_of(document, [], b"\x08\x96\x01")) == []
    for other in (b"\x08\x97\x01", b"\x08\x96\x01\x08\x96\x01", b""):
        with pytest.raises(FirmwareFailed, match="cannot be read: it is not the canonical encoding"):
            judge(document, "protobuf", report_of(document, [], other))


def test_a_document_that_no_schema_fits_is_unsupported(contenders):
    avr, nanopb = find_target(ROOT, "avr"), contenders["nanopb"]
    assert why_unsupported(nanopb, avr, document_of([1], protobuf="no schema fits")) == "no schema fits"
    assert "has no bytes" in why_unsupported(nanopb, avr, document_of({"a": None}, protobuf=b""))
    assert why_unsupported(nanopb, avr, document_of({"a": 1}, protobuf=b"\x08\x01")) == ""


def test_limits_are_those_of_library_and_target(contenders):
    avr, arm = find_target(ROOT, "avr"), find_target(ROOT, "cortex-m0")
    small, large = document_of([2**24]), document_of([2**24 + 1, -(2**31) - 1])
    assert why_unsupported(contenders["cjson"], avr, small) == ""
    assert "24 bits" in why_unsupported(contenders["cjson"], avr, large)
    assert why_unsupported(contenders["cjson"], arm, large) == ""
    assert "32 bits" in why_unsupported(contenders["arduinojson"], arm, large)
    assert "64 bits" in why_unsupported(contenders["mpack"], avr, small)
    nested = {depth: document_of(json.loads("[" * depth + "]" * depth)) for depth in (10, 11, 33)}
    assert why_unsupported(contenders["arduinojson"], arm, nested[10]) == ""
    assert "nested 10 deep at most, and these are 11 deep" in why_unsupported(
        contenders["arduinojson"], arm, nested[11]
    )
    assert why_unsupported(contenders["zcbor"], avr, nested[11]) == ""
    assert "nested 32 deep" in why_unsupported(contenders["zcbor"], avr, nested[33])
    objects = document_of({"a": [{"b": 1}], "c": 2})
    assert (objects.depth, document_of(1.5).depth) == (3, 0)
