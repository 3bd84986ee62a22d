"""What was published against ours: every difference is found, and only what is proved explains one."""

import random
import struct
from functools import partial

import msgspec
import pytest

from serbench.datasets.records import DatasetRecord, Encoding
from serbench.kinds.conformance2016.comparison import compare, rank_correlation
from serbench.kinds.conformance2016.doubles import BOUND_2016, BOUND_NOW, printed, reprinted, tokens
from serbench.kinds.conformance2016.facts import (
    DATASETS,
    checked_rows,
    object_hash,
    published_rows,
    published_sizes,
)
from serbench.kinds.conformance2016.hashes import OurDataset, OurRow, conformance, unexplained
from serbench.kinds.conformance2016.integers import integers
from serbench.kinds.conformance2016.reasons import Difference, reason_for
from serbench.kinds.conformance2016.show import conformance_document
from serbench.report.terminal import terminal_text
from serbench.verify.published import string_hash
from tests.results.builder import row, samples, synthetic_run

EXACT = "3852a135"
DIFFERENT = 841.8113805528348
"""RapidJSON printed its last digit otherwise in 2016."""


def a_row(published, number, **more):
    values = {
        "row": published.row,
        "test": published.test,
        "dataset": DATASETS[published.dataset],
        "hash": published.hash if published.test == "write" else object_hash(published.dataset),
        "exact_hash": EXACT,
        "library_version": published.version,
        "verified_by": "another library",
    }
    return row(number, published.library, **(values | more))


def all_equal():
    """Both datasets with every published row as it was published, or rightly read where that was wrong."""
    made = []
    for name, ours in DATASETS.items():
        rows = {}
        for published in checked_rows():
            if published.dataset == name and (published.library, published.variant) != ("Jansson", ""):
                rows.setdefault(published.row, OurRow(record=a_row(published, len(rows))))
        # The plain row keeps the order that only [ordered] kept then.
        ordered = rows["c/jansson:write:ordered"].record
        plain = msgspec.structs.replace(ordered, row="c/jansson:write", library_version="2.14")
        rows["c/jansson:write"] = OurRow(record=plain)
        rows["c/jansson:tree"].record.library_version = "2.14"
        made.append(
            OurDataset(
                record=DatasetRecord(
                    name=ours,
                    tape_sha256="ab" * 32,
                    content_hash=object_hash(name),
                    exact_hash=EXACT,
                    nodes=1,
                    depth=1,
                    encodings={
                        s.encoding: Encoding(bytes=s.bytes) for s in published_sizes() if s.dataset == name
                    },
                ),
                rows=list(rows.values()),
            )
        )
    return made


def record_of(datasets, name):
    return next(r.record for r in datasets[0].rows if r.record.row == name)


def of_row(findings, name):
    return [f for f in findings if f.row == name and f.dataset == "small"]


# ---------------------------------------------------------------- the data


def test_the_published_data_are_complete():
    rows = published_rows()
    assert len(rows) == 280 + 18 and len(checked_rows()) == 80 + 18
    assert (object_hash("small"), object_hash("large")) == ("0075ff81", "91b5d7ef")
    mpack = [r for r in rows if (r.platform, r.row, r.dataset) == ("Desktop PC", "c/mpack:write", "small")]
    assert [(r.net_us, r.hash, r.version) for r in mpack] == [(2.13, "1a9c6681", "0.8.1")]
    assert {s.bytes for s in published_sizes() if s.encoding == "messagepack"} == {2367, 248571}
    assert len(published_sizes()) == 14


def test_every_published_row_has_a_row_of_ours():
    from serbench.catalog.load import load_catalog
    from serbench.project import ROOT

    known = {r.id for r in load_catalog(ROOT).rows()}
    assert {r.row for r in checked_rows()} <= known


# ---------------------------------------------------------------- findings


def test_when_all_is_as_published_nothing_is_unexplained():
    findings = conformance(all_equal())
    assert unexplained(findings) == []
    assert len(findings) == len(checked_rows()) + 14 + 2
    explained = {(f.name, f.what, f.dataset) for f in findings if f.outcome == "explained"}
    assert explained == {
        *((("Jansson"), test, data) for test in ("write", "tree") for data in DATASETS),
        *((("Zigpak"), "incremental", data) for data in DATASETS),
    }


def test_an_unexplained_difference_is_found():
    datasets = all_equal()
    record_of(datasets, "c/yajl:write").hash = "deadbeef"
    (found,) = unexplained(conformance(datasets))
    assert (found.name, found.what, found.published, found.ours) == ("YAJL", "write", "4694ca58", "deadbeef")
    assert "for no known reason" in found.reason
    shown = terminal_text(conformance_document(conformance(datasets)))
    assert "deadbeef" in shown and "1 unexplained." in shown and max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda d: setattr(d[0].record, "content_hash", "deadbeef"), "data"),
        (lambda d: d[0].record.encodings.update(bson=Encoding(bytes=3651)), "bytes"),
        (lambda d: d[0].record.encodings.pop("json-pretty"), "bytes"),
        (lambda d: d[0].rows.pop(0), "write"),
        (lambda d: setattr(record_of(d, "c/yajl:tree"), "hash", "deadbeef"), "tree"),
        (lambda d: setattr(record_of(d, "c/yajl:tree"), "status", "failed"), "tree"),
        (lambda d: setattr(record_of(d, "c/yajl:write"), "status", "unsupported"), "write"),
        (lambda d: setattr(record_of(d, "zig/zigpak:write"), "status", "failed"), "write"),
    ],
)
def test_each_kind_of_difference_is_found(change, what):
    datasets = all_equal()
    change(datasets)
    found = unexplained(conformance(datasets))
    assert {f.what for f in found} == {what} and all(f.reason for f in found)


def test_a_dataset_that_was_not_examined_is_found():
    assert [f.dataset for f in unexplained(conformance(all_equal()[:1]))] == ["large"]


def test_what_is_not_here_is_unavailable_with_its_reason():
    datasets = all_equal()
    for ours in datasets[0].rows:
        if ours.record.row == "c/binn:write":
            ours.record.status, ours.record.reason, ours.record.hash = "unavailable", "clone it", ""
    datasets[0].record.encodings["binn"] = Encoding(reason="no input")
    findings = conformance(datasets)
    assert unexplained(findings) == []
    away = [(f.name, f.what, f.reason) for f in findings if f.outcome == "unavailable"]
    assert away == [("Binn", "bytes", "no input"), ("Binn", "write", "clone it")]


def test_an_encoding_may_stand_beside_the_record():
    datasets = all_equal()
    datasets[0].encodings["json-pretty"] = datasets[0].record.encodings.pop("json-pretty")
    assert unexplained(conformance(datasets)) == []


def test_one_of_several_configurations_that_differs_is_found():
    datasets = all_equal()
    twin = msgspec.structs.replace(
        record_of(datasets, "c/yajl:write"), id=99, toolchain="clang", hash="deadbeef"
    )
    datasets[0].rows.append(OurRow(record=twin))
    assert [f.outcome for f in of_row(conformance(datasets), "c/yajl:write")] == ["equal", "unexplained"]


# ---------------------------------------------------------------- reasons


def test_another_version_alone_explains_nothing_even_if_every_value_is_right():
    datasets = all_equal()
    record = record_of(datasets, "c/yajl:write")
    assert record.exact_hash == datasets[0].record.exact_hash and record.verified_by
    record.hash, record.library_version = "deadbeef", "3.0.0"
    (found,) = of_row(conformance(datasets), "c/yajl:write")
    assert found.outcome == "unexplained" and "version 3.0.0 where 2.1.0 was published" in found.reason


def test_a_library_that_kept_no_order_is_explained_by_the_variant_that_did():
    findings = conformance(all_equal())
    (plain,) = of_row(findings, "c/jansson:write")
    assert (plain.published, plain.ours, plain.outcome) == ("586d4446", "97b6e2b2", "explained")
    assert "c6e55bf0" in plain.reason and "[ordered]" in plain.reason
    datasets = all_equal()
    record_of(datasets, "c/jansson:write").library_version = "2.7"
    assert [f.outcome for f in of_row(conformance(datasets), "c/jansson:write")] == ["unexplained"]


def test_a_reader_that_was_published_with_wrong_hashes_is_explained_whether_it_is_right_or_refused():
    datasets = all_equal()
    (right,) = of_row(conformance(datasets), "zig/zigpak:incremental")
    assert (right.published, right.outcome) == (
        "07d6c601",
        "explained",
    ) and "it is right here" in right.reason
    record = record_of(datasets, "zig/zigpak:incremental")
    record.status, record.reason, record.hash = "failed", "wrong content_hash: 46557a5b", "46557a5b"
    (refused,) = of_row(conformance(datasets), "zig/zigpak:incremental")
    assert refused.outcome == "explained" and "wrong content_hash: 46557a5b" in refused.reason


def rapidjson(written, hash_2016, row="cpp/rapidjson:write", **more):
    published = next(r for r in checked_rows() if (r.row, r.dataset) == (row, "large"))
    published = msgspec.structs.replace(published, hash=hash_2016)
    record = a_row(published, 0, hash=string_hash(written), **more)
    dataset = DatasetRecord(
        name="generated:4", tape_sha256="", content_hash="91b5d7ef", exact_hash=EXACT, nodes=1, depth=1
    )
    return reason_for(
        Difference(
            published=published,
            record=record,
            dataset=dataset,
            written=written,
        )
    )


def document(bound):
    return b'{"a\\"1.5":[1,-2,%s],"b":"841.8113805528348","c":%s}' % (
        printed(DIFFERENT, bound).encode(),
        printed(-0.5, bound).encode(),
    )


def test_rapidjsons_digits_are_explained_by_naming_them():
    now, then = document(BOUND_NOW), document(BOUND_2016)
    assert now != then and len(now) == len(then)
    reason = rapidjson(now, string_hash(then))
    place = next(n for n, (a, b) in enumerate(zip(now, then, strict=True)) if a != b)
    assert reason.startswith(
        f"1 doubles have other last digits and the same value: at byte {place} 841.8113805528348 where "
        "2016 had "
        "841.8113805528347"
    )


def test_rapidjsons_digits_do_not_explain_anything_else():
    now, then = document(BOUND_NOW), document(BOUND_2016)
    assert rapidjson(now, string_hash(then + b" ")) is None
    assert rapidjson(now, string_hash(then), exact_hash="00000000") is None
    assert rapidjson(now.replace(b"-0.5", b"-0.50"), string_hash(then)) is None
    assert rapidjson(now.replace(b"[1,", b"[2,"), string_hash(then)) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [(b"0.10000000000000001", b"0.1"), (b"9.9999999999999995e-8", b"1e-7"), (b"1e22", b"1.0e22")],
)
def test_janssons_digits_are_explained(old, new):
    name, now, then = "c/jansson:write:ordered", b'[2.0,%s,1,"0.1"]' % new, b'[2.0,%s,1,"0.1"]' % old
    reason = rapidjson(now, string_hash(then), name)
    assert reason.startswith("1 doubles have other last digits and the same value: at byte ")
    assert f"{new.decode()} where 2016 had {old.decode()}" in reason
    assert rapidjson(now.replace(b"2.0", b"3.0"), string_hash(then), name) is None
    assert rapidjson(now, string_hash(then), name, exact_hash="00000000") is None


def test_without_order_and_with_other_digits_both_are_said():
    datasets = all_equal()
    record, text = record_of(datasets, "c/jansson:write"), b"[0.10000000000000001]"
    record.hash, record.library_version = string_hash(b"[0.1]"), "2.15.1"
    ordered = next(r for r in published_rows() if (r.row, r.dataset) == ("c/jansson:write:ordered", "small"))
    published = next(r for r in published_rows() if (r.row, r.dataset) == ("c/jansson:write", "small"))
    known = Difference(published=published, record=record, dataset=datasets[0].record, written=b"[0.1]")
    assert reason_for(known) is None
    with pytest.MonkeyPatch.context() as patch:
        rows = [*published_rows(), msgspec.structs.replace(ordered, hash=string_hash(text))]
        patch.setattr("serbench.kinds.conformance2016.reasons.published_rows", lambda: rows)
        assert reason_for(known).endswith("[ordered], with the 17 digits of Jansson before version 2.15")


def test_a_terminating_zero_is_explained():
    assert "a zero byte behind its end, at byte 3" in rapidjson(b"[1]", string_hash(b"[1]\0"), exact_hash="")
    assert rapidjson(b"[1]", string_hash(b"[1]\0\0")) is None


def wide(number, kind):
    return bytes([kind]) + number.to_bytes(8, signed=number < 0)


@pytest.mark.parametrize(("form", "kinds"), [("messagepack", (0xCF, 0xD3)), ("binn", (0x80, 0x81))])
def test_types_of_signed_integers_are_explained_by_naming_them(form, kinds):
    least = 0 if form == "messagepack" else 1 << 32
    numbers = [(n, signed) for n, signed in integers(4) if n >= least]
    ours = b"".join(wide(number, kinds[0]) for number, _ in numbers)
    theirs = b"".join(wide(number, kinds[signed]) for number, signed in numbers)
    changed = [n for n, (a, b) in enumerate(zip(ours, theirs, strict=True)) if a != b]
    reason = rapidjson(ours, string_hash(theirs), format=form, exact_hash="")
    assert reason.startswith(f"{len(changed):,} integers that are not negative")
    assert f"first at byte {changed[0]:,}, {kinds[0]:02x} where {kinds[1]:02x} was" in reason
    assert rapidjson(ours, string_hash(theirs[:-1]), format=form, exact_hash="") is None
    assert rapidjson(ours, string_hash(theirs), format="cbor", exact_hash="") is None


def test_integers_are_those_that_the_suite_generated():
    # 42 of the small data's integers are signed and not negative: as many types differ in zigpak's output,
    # whose hash was published.
    small = integers(2)
    assert len(small) == 90 and sum(signed and number >= 0 for number, signed in small) == 42
    assert all(signed or 0 <= number < 1 << 63 for size in (1, 2, 3) for number, signed in integers(size))
    assert [number for number, _ in small[:4]] == [196, 153, 134, 71]


@pytest.mark.parametrize(("content", "outcome"), [(b"[1]", "explained"), (None, "unexplained")])
def test_outputs_are_read_from_files_and_a_missing_one_explains_nothing(
    tmp_path, monkeypatch, content, outcome
):
    published = next(r for r in checked_rows() if r.row == "c/json-builder:write")
    changed = msgspec.structs.replace(published, hash=string_hash(b"[1]\0"))
    monkeypatch.setattr("serbench.kinds.conformance2016.hashes.checked_rows", lambda: (changed,))
    datasets, path = all_equal(), tmp_path / "out"
    record = a_row(published, 0, hash=string_hash(b"[1]"))
    if content is not None:
        path.write_bytes(content)
    datasets[0].rows = [OurRow(record=record, written=path)]
    assert [f.outcome for f in of_row(conformance(datasets), "c/json-builder:write")] == [outcome]


# ---------------------------------------------------------------- the printing of doubles


@pytest.mark.parametrize(
    ("value", "then", "now"),
    [
        (DIFFERENT, "841.8113805528347", "841.8113805528348"),
        (-872.3413217403783, "-872.3413217403782", "-872.3413217403783"),
        (0.1, "0.1", "0.1"),
        (-0.0, "-0.0", "-0.0"),
        (1.0, "1.0", "1.0"),
        (123456.0, "123456.0", "123456.0"),
        (1e20, "100000000000000000000.0", "100000000000000000000.0"),
        (1e21, "1e21", "1e21"),
        (1.5e300, "1.5e300", "1.5e300"),
        (1e-6, "0.000001", "0.000001"),
        (1e-7, "1e-7", "1e-7"),
        (5e-324, "5e-324", "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e308", "1.7976931348623157e308"),
    ],
)
def test_printed_doubles(value, then, now):
    assert (printed(value, BOUND_2016), printed(value, BOUND_NOW)) == (then, now)


def test_every_printed_double_reads_back_as_itself():
    source = random.Random(5)
    differ = 0
    for number in range(4000):
        bits = (
            source.getrandbits(64)
            if number % 2
            else struct.unpack("<Q", struct.pack("<d", source.uniform(-1e3, 1e3)))[0]
        )
        value = struct.unpack("<d", struct.pack("<Q", bits))[0]
        if value - value != 0:
            continue
        texts = [printed(value, bound) for bound in (BOUND_2016, BOUND_NOW)]
        assert [float(text) for text in texts] == [value, value]
        differ += texts[0] != texts[1]
    assert differ > 0


def test_tokens_are_the_whole_document_and_only_doubles_are_printed_anew():
    text = '{"k\\\\":-12,"1.5":[1.50,2e0,null,true,"\\"3.5"],"é":0.1}'.encode()
    assert b"".join(tokens(text)) == text
    now = text.replace(b"1.50", b"1.5").replace(b"2e0", b"2.0")
    assert reprinted(text, partial(printed, bound=BOUND_NOW)) == now


# ---------------------------------------------------------------- order and ratios


def test_the_order_and_ratios_of_a_run_are_compared():
    run, source = synthetic_run(), random.Random(9)
    times = {
        "c/mpack:tree": 2000,
        "c/yajl:tree": 40_000,
        "cpp/rapidjson:tree": 4000,
        "c/jansson:tree": 60_000,
    }
    run.rows = [row(0, "baseline", role="baseline", variant="published")]
    run.rows += [row(n, "x", row=name) for n, name in enumerate(times, start=1)]
    every = [1000, *(1000 + ns for ns in times.values())]
    run.samples = [s for r, ns in zip(run.rows, every, strict=True) for s in samples(r, ns, source, range(5))]
    run.failures = []
    (found,) = compare(run)
    assert (found.test, found.dataset) == ("tree", "small") and found.correlation == pytest.approx(1)
    assert [p.name for p in found.pairs] == ["MPack", "RapidJSON", "YAJL", "Jansson [ordered]"]
    assert [p.published for p in found.pairs] == pytest.approx([1, 15.18 / 4.99, 99.31 / 4.99, 109.69 / 4.99])
    assert [p.ours for p in found.pairs] == pytest.approx([1, 2, 20, 30], rel=0.05)
    shown = terminal_text(conformance_document(conformance(all_equal()), [found]))
    assert "tree · small · rank correlation 1.00" in shown and "Jansson [ordered]" in shown


def test_a_time_at_the_floor_has_no_ratio():
    run, source = synthetic_run(), random.Random(9)
    run.rows = [
        row(0, "baseline", role="baseline"),
        *(row(n, "x", row=f"c/{name}:tree") for n, name in ((1, "mpack"), (2, "yajl"))),
    ]
    run.samples = [
        s
        for r, ns in zip(run.rows, (5000, 3000, 9000), strict=True)
        for s in samples(r, ns, source, range(5))
    ]
    run.failures = []
    (found,) = compare(run)
    assert [p.ours for p in found.pairs] == [None, 1.0] and found.correlation is None


def test_nothing_in_common_is_no_comparison():
    run = synthetic_run()
    run.rows, run.samples, run.failures = [], [], []
    assert compare(run) == []


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ([1, 2, 3, 4], [10, 20, 30, 40], 1.0),
        ([1, 2, 3, 4], [4, 3, 2, 1], -1.0),
        ([1, 2, 3, 4, 5], [5, 6, 7, 8, 7], 0.8207826816681233),
        (
            [86, 97, 99, 100, 101, 103, 106, 110, 112, 113],
            [2, 20, 28, 27, 50, 29, 7, 17, 6, 12],
            -0.17575757575757575,
        ),
        ([1, 2], [1, 2], None),
        ([1, 2, 3], [5, 5, 5], None),
    ],
)
def test_rank_correlation(a, b, expected):
    assert rank_correlation(a, b) == (None if expected is None else pytest.approx(expected))
