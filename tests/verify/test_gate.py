"""The gate's own rules: what is unsupported, what shares a cache entry, what is labelled."""

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from serbench.catalog.contender import Variant
from serbench.catalog.records import Row
from serbench.catalog.tests import KINDS
from serbench.provision import Unavailable
from serbench.run.proving import _row_record, prove
from serbench.run.readers import referee_rows
from serbench.verify.gate import _lost
from serbench.verify.records import Verdict
from serbench.verify.referees import Referees
from serbench.worker.records import Losses
from tests.conftest import LIMITS
from tests.verify.gates import verdicts as proved


@pytest.fixture
def verdicts(context, built, tmp_path):
    """The records of all rows on a dataset, by id."""

    def run(dataset, *contenders: str):
        rows = [row for row in context.catalog.rows() if row.contender.id in contenders or not contenders]
        (item,) = prove(context, rows, [dataset], tmp_path / "outputs", LIMITS)
        return {record.row: record for record, _, _ in item.rows}, item.record

    return run


def test_integers_above_63_bits_are_unsupported_in_bson(ready, verdicts, document):
    ready("c/libbson:write")
    rows, record = verdicts(document('{"a":18446744073709551615}'), "c/libbson", "c/mpack")
    for test in ("write", "tree", "incremental"):
        row = rows[f"c/libbson:{test}"]
        assert row.status == "unsupported"
        assert row.reason == (
            "BSON cannot express it: the data has integers above 2^63-1 (18446744073709551615)"
        )
        assert row.bytes is None and row.hash == ""
        assert rows[f"c/mpack:{test}"].status == "ok"
    assert record.encodings["bson"].bytes is None and "2^63-1" in record.encodings["bson"].reason


def test_an_array_at_the_root_goes_through_bson(ready, verdicts, document):
    ready("c/libbson:write")
    dataset = document('[[1,2],{"0":"x"},[],-7,0.5]')
    rows, _ = verdicts(dataset, "c/libbson")
    for row in rows.values():
        assert row.status == "ok", row.reason
        if row.test != "lookup":  # its values are some of them
            assert row.content_hash == dataset.facts.content_hash
            assert row.exact_hash == dataset.facts.exact_hash


def test_a_map_with_index_keys_is_not_taken_for_an_array(ready, verdicts, document):
    ready("c/libbson:write")
    array, mapping = document('["x","y"]', "a.json"), document('{"0":"x","1":"y"}', "m.json")
    assert array.facts.content_hash != mapping.facts.content_hash
    for dataset in (array, mapping):
        rows, _ = verdicts(dataset, "c/libbson")
        assert {row.status for row in rows.values()} == {"ok"}


def test_a_library_s_own_limit(ready, verdicts, document):
    ready("c/msgpack-c:tree")
    rows, _ = verdicts(document("[" * 33 + "]" * 33), "c/msgpack-c", "c/mpack")
    assert rows["c/msgpack-c:tree"].status == "unsupported"
    assert rows["c/msgpack-c:tree"].reason == (
        "msgpack-c cannot take it: the data is nested 33 deep, and 32 is the most"
    )
    assert rows["c/msgpack-c:write"].status == "ok"
    assert rows["c/mpack:tree"].status == "ok"


def test_files_that_differ_in_decimals_only_share_nothing(context, ready, document):
    ready("c/mpack:tree")
    first, second = document('{"pi":3.14159}', "one.json"), document('{"pi":3.14160}', "two.json")
    assert first.facts.content_hash == second.facts.content_hash
    assert first.facts.exact_hash != second.facts.exact_hash
    assert first.tape != second.tape and first.tape_sha256 != second.tape_sha256
    for format_id in ("json", "messagepack", "bson"):
        made = [context.canonical(dataset, format_id) for dataset in (first, second)]
        if made[0].encoded is None:
            continue
        assert made[0].encoded.path != made[1].encoded.path
        assert made[0].encoded.hash != made[1].encoded.hash
        assert made[0].encoded.path.read_bytes() != made[1].encoded.path.read_bytes()
    assert context.canonical(first, "json").encoded.path.read_bytes() == b'{"pi":3.14159}'
    assert context.canonical(second, "json").encoded.path.read_bytes() == b'{"pi":3.1416}'


def test_the_same_file_elsewhere_shares_its_entry(document):
    first, second = document('{"a":1}', "one.json"), document('{"a":1}', "two.json")
    assert first.tape == second.tape and (first.name, second.name) == ("one.json", "two.json")


def test_canonical_encodings_are_what_they_should_be(context, ready, document):
    ready("c/msgpack-c:write")
    text = '{"a":[1,-2,0.1,3.0,-0.0,1e300,null,true],"é\\n":"\\u0000\\u001f/\\"\\\\"}'
    dataset = document(" " + text.replace(",", " , "))
    encoded = context.canonical(dataset, "json").encoded
    assert encoded.path.read_text() == (
        '{"a":[1,-2,0.1,3.0,-0.0,1e+300,null,true],"é\\n":"\\u0000\\u001F/\\"\\\\"}'
    )
    assert encoded.bytes == encoded.path.stat().st_size
    small = context.canonical(document('{"a":[1,-2,0.5,300]}'), "messagepack").encoded
    assert small.path.read_bytes() == bytes.fromhex("81a16194 01 fe cb3fe0000000000000 cd012c")
    ready("c/libbson:write")
    bson = context.canonical(document("[true,5]"), "bson").encoded
    assert bson.path.read_bytes() == bytes.fromhex("10000000 08 3000 01 10 3100 05000000 00")


def test_a_damaged_cache_entry_is_made_again(context, ready, document):
    ready("c/msgpack-c:write")
    dataset = document('{"only":"here","once":[1,2,3]}')
    encoded = context.canonical(dataset, "messagepack").encoded
    good = encoded.path.read_bytes()
    encoded.path.write_bytes(good[:-1] + b"\0")
    again = context.canonical(dataset, "messagepack").encoded
    assert again.path.read_bytes() == good
    tape = dataset.tape.read_bytes()
    dataset.tape.write_bytes(tape[:-1])
    assert document('{"only":"here","once":[1,2,3]}').tape.read_bytes() == tape


def test_changed_doubles_are_measured(ready, verdicts, document):
    """The figure of the label against doubles known to be changed by RapidJSON's default parsing."""
    ready("cpp/rapidjson:tree")
    numbers = [123456789.123456789, 0.1, 0.25, 7.038531e-26, 1e100]
    rows, _ = verdicts(document(repr(numbers)), "cpp/rapidjson")
    exact = rows["cpp/rapidjson:tree:full-precision"]
    assert exact.status == "ok" and exact.doubles is None
    default = rows["cpp/rapidjson:tree"]
    assert default.status == "ok" and default.content_hash == exact.content_hash
    assert 0 < default.doubles.changed < default.doubles.total == 5
    assert 0 < default.doubles.max_relative < 2.3e-16


def test_the_referee_is_another_library_even_if_nobody_chose_it(ready, verdicts, generated):
    ready("c/jansson:write")
    ready("c/yajl:tree")
    rows, _ = verdicts(generated("generated:1"), "c/jansson")
    assert rows["c/jansson:write"].status == "ok"
    assert rows["c/jansson:write"].verified_by not in ("", "Jansson")


def test_a_variant_is_proved_in_its_own_format(context, ready, document, tmp_path):
    """Its contender's format has no encoding here, and a reader of it would not take the variant's."""
    row, dataset = ready("c/yajl:tree"), document('{"a":[1,2.5]}')
    contender = row.row.contender
    manifest = msgspec.structs.replace(
        contender.manifest, format="bson", variants={"text": Variant(tests=["tree"], format="json")}
    )
    contender = msgspec.structs.replace(contender, manifest=manifest)
    subject = msgspec.structs.replace(row.subject, row=Row(contender=contender, test="tree", variant="text"))
    canonical = {"json": context.canonical(dataset, "json")}
    verdict = proved([subject], dataset, context.catalog.formats, canonical, tmp_path)[subject.key]
    assert verdict.status == "ok", verdict.reason
    ready_row = msgspec.structs.replace(row, row=subject.row)
    record = _row_record(context, 0, dataset, ready_row, verdict)
    assert (record.format, record.format_name) == ("json", "JSON")


def test_every_writer_has_a_reader_though_nobody_chose_one(context):
    for row in context.catalog.rows(generated=True):
        if row.test in KINDS and row.kind.writes and row.role == "contender":
            if isinstance(context.libraries.get(row.contender.id, context.configurations[0]), Unavailable):
                continue  # it writes nothing here
            readers = referee_rows(context, [row])
            assert any(each.format == row.format and each.kind.yields == "values" for each in readers), row.id


def test_who_loses_something_is_asked_last_and_its_loss_is_not_the_writer_s():
    def reader(library: str, losses: Losses | None = None) -> tuple[Any, Verdict]:
        contender = SimpleNamespace(library=library, generated=False, label="")
        row = SimpleNamespace(format="json", kind=SimpleNamespace(yields="values"), contender=contender)
        return SimpleNamespace(row=row), Verdict(status="ok", losses=losses)

    exact, lossy = reader("exact"), reader("lossy", Losses(integers=1, negative_zeros=0, keys_moved=False))
    candidate = reader("candidate")
    referees = Referees(lambda subject: candidate[1])
    for each in (lossy, exact):
        referees.add(*each)
    built: list[str] = []

    def more(format_id: str) -> list[Any]:
        built.append(format_id)
        return [reader("further")[0]] if len(built) == 1 else []

    referees.choose([candidate[0]], more)
    writer, _ = reader("writer")

    def asked() -> list[str]:
        return [subject.row.contender.library for subject, _ in referees.of(writer)]

    assert asked() == ["exact", "candidate", "lossy"]
    assert not built, "two libraries that lose nothing were asked"
    assert min([lossy, exact], key=_lost) is exact


def test_further_readers_are_built_where_the_first_do_not_do():
    lossy = Losses(integers=1, negative_zeros=0, keys_moved=False)

    def check(subject: Any) -> Verdict:
        return Verdict(status="ok", losses=lossy if subject.row.contender.library == "lossy" else None)

    referees = Referees(check)
    further = [[_reader("first"), _reader("second"), _reader("third")]]
    referees.choose([_reader("lossy")], lambda _format: further.pop() if further else [])
    asked = [subject.row.contender.library for subject, _ in referees.of(_reader("writer"))]
    assert asked == ["first", "second", "lossy", "third"]


def _reader(library: str) -> Any:
    contender = SimpleNamespace(library=library, generated=False, label="")
    kind = SimpleNamespace(yields="values")
    return SimpleNamespace(row=SimpleNamespace(format="json", kind=kind, contender=contender))


def _proving(refusing: str, proved: list[str]) -> Referees:
    """Referees who prove all readers but those of one library, and note whom they proved."""

    def check(subject: Any) -> Verdict:
        proved.append(subject.row.contender.library)
        return Verdict(status="failed" if proved[-1] == refusing else "ok")

    return Referees(check)


def test_one_reader_of_a_library_is_proved_for_a_writer():
    proved: list[str] = []
    referees = _proving("refusing", proved)
    referees.choose(
        [_reader(name) for name in ("a", "a", "refusing", "b", "a", "c", "b")], lambda _format: []
    )
    assert proved == ["a", "refusing", "b"]
    asked = [subject.row.contender.library for subject, _ in referees.of(_reader("a"))]
    assert asked == ["b", "c"] and proved == ["a", "refusing", "b", "c"]


def test_the_writers_own_library_is_proved_where_no_other_reads():
    proved: list[str] = []
    referees = _proving("other", proved)
    further = [[_reader("own"), _reader("other"), _reader("own")]]
    referees.choose([], lambda _format: further.pop() if further else [])
    asked = [subject.row.contender.library for subject, _ in referees.of(_reader("own"))]
    assert asked == ["own"] and proved == ["other", "own"]


def test_a_library_whose_first_reader_loses_something_is_asked_by_another_before_the_writers_own():
    lossy = Losses(integers=1, negative_zeros=0, keys_moved=False)

    def check(subject: Any) -> Verdict:
        return Verdict(status="ok", losses=lossy if subject is first else None)

    first, second = _reader("other"), _reader("other")
    referees = Referees(check)
    further = [[first, second]]
    referees.choose([], lambda _format: further.pop() if further else [])
    referees.add(_reader("own"), Verdict(status="ok"))
    assert [subject for subject, _ in referees.of(_reader("own"))] == [first, second]
