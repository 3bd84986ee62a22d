"""Firmware on emulated targets: proved there, and counted twice with the same figures."""

import csv
import io
import json
from pathlib import Path

import msgspec
import pytest

from serbench.build import BuildFailed
from serbench.kinds.microcontroller import step as session_module
from serbench.platforms.firmware.documents import load_document, stated_documents
from serbench.platforms.firmware.emulate import CALLS
from serbench.platforms.load import missing_for, why_absent
from serbench.platforms.records import Microcontroller
from serbench.project import ROOT
from tests.platforms import platforms_of

HERE = Path(__file__).parent
SOME = ("obj int", "array int", "WoT")


@pytest.mark.parametrize("name", sorted(platforms_of(ROOT, Microcontroller)))
def test_rows_are_proved_and_counts_repeat(name, measure, documents):
    chosen = [documents[document] for document in SOME]
    rows = measure(name, ("cmp", "mpack", "cjson"), chosen)
    assert rows == measure(name, ("cmp", "mpack", "cjson"), chosen)
    proved = [row for row in rows if row.status == "ok"]
    assert {row.status for row in rows} <= {"ok", "unsupported"}, [row.reason for row in rows]
    assert len(proved) >= 5
    for row in proved:
        document = documents[row.dataset]
        assert row.content_hash == document.hashes[0]
        assert row.format == "json" or row.bytes == len(document.encoded(row.format))
        assert min(row.metrics[call] for call in CALLS) > 50
        assert 500 < row.metrics["flash"] < 40_000 and 0 < row.metrics["deserialize_stack"] < 2048


@pytest.mark.parametrize("name", sorted(platforms_of(ROOT, Microcontroller)))
@pytest.mark.parametrize("library", ["zcbor", "tinycbor"])
def test_cbor_is_proved_on_all_documents(library, name, measure, documents):
    rows = measure(name, [library], list(documents.values()))
    if rows[0].status == "unavailable":
        reason = rows[0].reason.replace(f"--prefix {library}=DIR", "CMAKE_PREFIX_PATH=DIR ./check")
        pytest.skip(f"{name}: {reason}")
    assert {row.status for row in rows} == {"ok"}, [row.reason for row in rows]
    assert rows == measure(name, [library], list(documents.values()))
    for row in rows:
        document = documents[row.dataset]
        assert row.content_hash == document.hashes[0] and row.exact_hash == document.hashes[1]
        assert row.bytes == row.metrics["input_bytes"] == len(document.encoded("cbor"))


def test_zcbor_takes_memory_for_the_containers_that_are_open_at_once(measure, tmp_path, context):
    rows = {}
    for text in ("[1]", "[[[[1]]]]", "[" * 32 + "]" * 32, "[" * 33 + "]" * 33):
        path = tmp_path / f"{len(text)}.json"
        path.write_text(text)
        found = measure("avr", ["zcbor"], [load_document(path, context)])
        if found[0].status == "unavailable":
            pytest.skip(found[0].reason)
        rows[text] = found[0]
    flat, nested, deepest, too_deep = rows.values()
    memory = [row.metrics["deserialize_memory"] for row in (flat, nested, deepest)]
    state = memory[0] // 3
    assert memory == [3 * state, 6 * state, 34 * state]
    assert (too_deep.status, too_deep.metrics) == ("unsupported", {})
    assert too_deep.reason == "it takes containers nested 32 deep at most, and these are 33 deep"


@pytest.mark.parametrize("name", sorted(platforms_of(ROOT, Microcontroller)))
@pytest.mark.parametrize("library", ["arduinojson", "arduinojson-7"])
def test_arduinojson_writes_the_published_sizes(library, name, measure, documents):
    rows = measure(name, [library], list(documents.values()))
    if rows[0].status == "unavailable":
        reason = rows[0].reason.replace(f"--prefix {library}=DIR", "CMAKE_PREFIX_PATH=DIR ./check")
        pytest.skip(f"{name}: {reason}")
    assert {row.status for row in rows} == {"ok"}, [row.reason for row in rows]
    assert rows == measure(name, [library], list(documents.values()))
    published = {stated.name: stated.published for stated in stated_documents(ROOT)}
    for row in rows:
        assert row.bytes == published[row.dataset][row.format == "messagepack"], row.dataset


@pytest.mark.parametrize(
    ("folder", "reason"), [("wrong", "decoded wrong values"), ("greedy", "its memory was too small")]
)
def test_a_wrong_library_gets_a_reason_and_no_figure(folder, reason, measure, documents):
    (row,) = measure("avr", [folder], [documents["obj int"]], HERE / "contenders" / folder)
    assert (row.status, row.metrics) == ("failed", {})
    assert reason in row.reason


@pytest.mark.parametrize("name", sorted(platforms_of(ROOT, Microcontroller)))
@pytest.mark.parametrize("library", ["arduinojson", "arduinojson-7"])
def test_arduinojson_keeps_32_bit_floats(library, name, measure, context, tmp_path):
    path = tmp_path / "d.json"
    path.write_text('{"d":123456.789012}')
    json_row, messagepack_row = measure(name, [library], [load_document(path, context)])
    if json_row.status == "unavailable":
        pytest.skip(json_row.reason)
    assert (json_row.status, messagepack_row.status) == ("ok", "ok"), json_row.reason
    assert json_row.bytes == len('{"d":123456.8}')


@pytest.mark.parametrize(
    ("library", "found", "why"),
    [
        ("arduinojson", 7, "version 6 of ArduinoJson is needed: others have no document in fixed memory"),
        ("arduinojson-7", 6, "version 7 of ArduinoJson is needed: others have no Allocator"),
    ],
)
def test_another_arduinojson_is_refused_in_a_line(library, found, why, measure, documents, tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src/ArduinoJson.h").write_text(f"#define ARDUINOJSON_VERSION_MAJOR {found}\n")
    rows = measure("avr", [library], [documents["obj int"]], prefixes={library: tmp_path})
    assert {row.status for row in rows} == {"failed"}
    assert all(row.reason.startswith("it does not build: ") and why in row.reason for row in rows)


def test_a_document_with_which_a_library_does_not_link_costs_its_row_only(measure, documents, monkeypatch):
    build = session_module.MicrocontrollerRun._build

    def too_large(self, row, document):
        if row.role == "contender" and document.name == SOME[0]:
            raise BuildFailed("it does not link")
        return build(self, row, document)

    monkeypatch.setattr(session_module.MicrocontrollerRun, "_build", too_large)
    rows = measure("avr", ["cmp"], [documents[name] for name in SOME])
    assert [(row.status, row.reason) for row in rows] == [("failed", "it does not link"), *[("ok", "")] * 2]
    assert 500 < rows[1].metrics["flash"] == rows[2].metrics["flash"]


def test_a_library_that_does_not_compile_costs_its_row_only(measure, documents, tmp_path):
    bad = tmp_path / "bad"
    bad.mkdir()
    (bad / "bad.c").write_text("nonsense!\n")
    (bad / "contender.toml").write_text(
        'name = "Bad"\nlanguage = "firmware"\nformat = "json"\ntests = {roundtrip = "bad.c"}\n'
    )
    rows = measure("avr", ["cmp", "bad"], [documents["Msgpack"]], bad)
    assert [(row.contender, row.status) for row in rows] == [("Bad", "failed"), ("CMP", "ok")]
    assert "does not build" in rows[0].reason and "nonsense" in rows[0].output


def test_a_library_without_room_on_the_target_says_so(measure, documents, tmp_path):
    large = tmp_path / "large"
    large.mkdir()
    source = (ROOT / "contenders/firmware/empty/empty.c").read_text()
    source = source.replace(
        "return 1;", "static char room[30000]; room[fw_sum.state % 30000]++; return (size_t)room[1];"
    )
    (large / "large.c").write_text(source)
    (large / "contender.toml").write_text(
        'name = "Large"\nlanguage = "firmware"\nformat = "json"\ntests = {roundtrip = "large.c"}\n'
    )
    (row,) = measure("avr", ["large"], [documents["Msgpack"]], large)
    assert (row.status, row.reason, row.metrics) == ("failed", "it does not fit the target", {})


def test_a_run_with_ones_own_document(target, command, tmp_path):
    target("avr")
    path = tmp_path / "mine.json"
    path.write_text('{"sensor": "door", "open": [1, 0, 1], "volt": 3.3}')
    run = tmp_path / "run.json"
    words = ("count", "--platform", "avr", "--contenders", "cmp,cjson", "--data", path, "--output", run)
    done = command(*words)
    assert done.returncode == 0, done.stderr
    assert "mine.json" in done.stdout and "cycles" in done.stdout and "no times" in done.stdout
    stored = json.loads(run.read_bytes())
    assert [row["status"] for row in stored["rows"]] == ["ok", "ok"]
    assert stored["platforms"][0]["unit"] == "cycles" and stored["samples"] == []
    table = command("report", run, "--format", "csv").stdout
    (row,) = csv.DictReader(io.StringIO(table))
    assert (row["name"], row["unit"], row["libraryJson"]) == ("mine.json", "cycles", "cJSON")
    assert int(row["serTimeMsgPack"]) == stored["rows"][1]["metrics"]["serialize"]
    assert run.with_suffix(".md").read_text().startswith("# Benchmark report\n\n## Run run\n")
    assert msgspec.json.decode(command("report", run, "--format", "json").stdout)
    assert command("repeat", run, "--output", tmp_path / "again.json").returncode == 2  # without --data
    done = command("repeat", run, "--data", path, "--output", tmp_path / "again.json")
    assert done.returncode == 0, done.stderr
    assert "Repeats the run run, with nothing changed." in done.stdout
    assert json.loads((tmp_path / "again.json").read_bytes())["rows"] == stored["rows"]
    done = command("compare", run, tmp_path / "again.json", "--threshold", "0")
    assert done.returncode == 0 and "Verdict: 4 no difference" in done.stdout, done.stdout
    document = json.loads(run.read_bytes())
    document["rows"][0]["metrics"]["deserialize"] -= 1
    run.write_text(json.dumps(document))
    done = command("compare", run, tmp_path / "again.json", "--threshold", "0")
    assert done.returncode == 1 and "Verdict: 1 slower, 3 no difference" in done.stdout, done.stdout


def test_an_interruption_keeps_what_was_counted(target, command, monkeypatch, tmp_path):
    target("avr")
    real = session_module.emulate
    done = []

    def interrupted(*arguments):
        if len(done) == 3:
            raise KeyboardInterrupt
        done.append(arguments)
        return real(*arguments)

    monkeypatch.setattr(session_module, "emulate", interrupted)
    run = tmp_path / "run.json"
    words = ("count", "--platform", "avr", "--contenders", "cmp", "--output", run)
    outcome = command(*words)
    assert outcome.returncode == 130 and "INTERRUPTED" in outcome.stdout, outcome.stderr
    stored = json.loads(run.read_bytes())
    assert not stored["complete"] and [row["status"] for row in stored["rows"]] == ["ok"] * 3
    monkeypatch.setattr(session_module, "emulate", real)
    assert all(row["program"] for row in stored["rows"])
    for change, told in (
        (lambda run: run["platforms"][0].update(compiler="gcc 1"), "avr has another compiler: "),
        (lambda run: run["rows"][1].update(program="0" * 40), "has another program than"),
    ):
        other = json.loads(run.read_bytes())
        change(other)
        (tmp_path / "other.json").write_text(json.dumps(other))
        outcome = command("resume", tmp_path / "other.json")
        assert outcome.returncode == 2 and told in outcome.stderr, outcome.stderr
        assert json.loads((tmp_path / "other.json").read_bytes()) == other
    assert command("resume", run).returncode == 0
    resumed = json.loads(run.read_bytes())
    assert resumed["complete"] and resumed["rows"][:3] == stored["rows"] and len(resumed["rows"]) == 10
    monkeypatch.setattr(session_module, "emulate", interrupted)
    for left in tmp_path.glob("run.*"):
        left.unlink()
    outcome = command(*words)
    assert outcome.returncode == 130 and "nothing was measured" in outcome.stderr and not run.exists()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--platform", "cortex-m1"), "did you mean 'cortex-m"),
        (("--platform", "avr", "--profile", "size"), "--profile cannot be combined with --platform"),
        (("--platform", "avr", "--contenders", "rapidjson"), "contender 'rapidjson'"),
        (("--platform", "avr", "--contenders", "empty"), "no row is selected"),
        (("--platform", "avr", "--data", "missing.json"), "missing.json"),
    ],
)
def test_what_a_platform_has_not_is_refused(words, reason, command):
    done = command("count", *words)
    assert done.returncode == 2 and reason in done.stderr.replace("\n", " ")


def test_a_document_beyond_the_memory_is_refused(target, command, tmp_path):
    target("avr")
    path = tmp_path / "large.json"
    path.write_text(json.dumps(["x" * 4000]))
    done = command("count", "--platform", "avr", "--data", path)
    assert done.returncode == 2 and "does not fit avr" in done.stderr.replace("\n", " ")
    assert "Counting" not in done.stderr


def test_setup_says_what_it_would_install(command):
    targets = platforms_of(ROOT, Microcontroller)
    listed = command("setup").stdout
    for name, target in targets.items():
        assert name in listed
        said = command("setup", name, "--no-install")
        assert said.returncode == 0
        if why_absent(target) or missing_for(ROOT, target):
            assert f"{target.download_mb} MB" in said.stderr
        elif not said.stderr:  # nor lacks it a part, such as zcbor's
            assert "installed already" in said.stdout


def test_a_target_that_cannot_be_used_when_its_packages_are_there_is_not_called_installed(
    command, monkeypatch
):
    monkeypatch.setattr("serbench.platforms.load.install_packages", lambda *_: None)
    monkeypatch.setattr("serbench.platforms.load.why_absent", lambda _: "there is no program avr-gcc")
    done = command("setup", "avr", "--yes")
    assert done.returncode == 2 and "is installed" not in done.stdout
    assert "cannot be used: there is no program avr-gcc" in " ".join(done.stderr.split())


def test_a_board_only_chip_stands_in_the_report_with_the_reason(target, command, tmp_path):
    target("avr")
    run = tmp_path / "run.json"
    done = command("count", "--platform", "avr,esp32", "--contenders", "cmp", "--output", run)
    assert done.returncode == 0, done.stderr
    assert "Board only: no distribution package" in done.stdout.replace("\n", " ")
    assert [platform["kind"] for platform in json.loads(run.read_bytes())["platforms"][1:]] == ["board-only"]
