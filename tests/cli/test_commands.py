"""The commands that measure nothing."""

import io
import json
import struct

import pytest
from rich.console import Console

from serbench.commands import doctor
from serbench.commands.show import contenders
from serbench.project import ROOT
from tests.datasets.pyhash import TapeReader, hashes


def test_dataset_show_as_json(command):
    done = command("dataset", "show", "generated:2", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    shown = json.loads(done.stdout)
    assert {key: shown[key] for key in ("dataset", "content_hash", "exact_hash")} == {
        "dataset": "generated:2",
        "content_hash": "0075ff81",
        "exact_hash": "3852a135",
    }
    assert shown["nodes"] > 100
    assert {"json", "messagepack", "bson"} <= set(shown["encodings"])
    assert shown["encodings"]["json"] == {"bytes": 3183, "hash": "03ef5ccf", "of_json": 1.0}
    assert shown["encodings"]["bson"]["of_json"] == shown["encodings"]["bson"]["bytes"] / 3183
    assert not any("of_mapped_json" in encoding for encoding in shown["encodings"].values())


def test_sizes_as_parts_of_those_of_json(command):
    mapped, unmapped = (
        json.loads(command("dataset", "show", spec, "--json").stdout)["encodings"]
        for spec in ("records:0.05", "records:0.05:unmapped")
    )
    whole = mapped["json"]["bytes"]
    assert unmapped["json"]["of_json"] == 1 and unmapped["json"]["of_mapped_json"] < 0.85
    for encoding in unmapped.values():
        if "bytes" in encoding:
            assert encoding["of_mapped_json"] == encoding["bytes"] / whole
            assert encoding["of_json"] == encoding["bytes"] / unmapped["json"]["bytes"]
    table = command("dataset", "show", "records:0.05:unmapped").stdout
    parts = f"1.000 {unmapped['json']['of_mapped_json']:.3f}"
    assert "of JSON" in table and "of mapped JSON" in table
    assert parts in " ".join(table.split())


def test_dataset_show_for_people(command):
    done = command("dataset", "show", "generated:2")
    assert done.returncode == 0
    for part in ("generated:2", "0075ff81", "3852a135", "3,183", "03ef5ccf"):
        assert part in done.stdout


def test_dataset_write_in_each_format(command, catalog, tmp_path):
    shown = json.loads(command("dataset", "show", "generated:2", "--json").stdout)["encodings"]
    for format_id, encoding in shown.items():
        for name in (format_id, catalog.formats[format_id].ending):
            out = tmp_path / f"{format_id}.out"
            done = command("dataset", "write", "generated:2", "--format", name, "-o", out, "--force")
            if "bytes" in encoding:
                assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
                assert out.stat().st_size == encoding["bytes"]
            else:
                assert done.returncode == 2 and not out.exists()
    tape = tmp_path / "out.tape"
    assert command("dataset", "write", "generated:2", "--format", "tape", "-o", tape).returncode == 0
    root = TapeReader(tape.read_bytes()).root
    assert hashes(root) == ("0075ff81", "3852a135")
    assert json.loads((tmp_path / "json.out").read_text()) == root


MESSAGES = ['{"a":1}', "[2.5,null]", '{"\\n":"\\n"}']


def test_messages_are_written_without_a_frame(command, tmp_path):
    (tmp_path / "some.jsonl").write_text("\n".join(MESSAGES))
    for number, message in enumerate(MESSAGES):
        (tmp_path / f"{number}.json").write_text(message)
    one, several = ["some.jsonl"], ["0.json", "1.json", "2.json"]
    for specs in (one, several):
        done = command("dataset", "write", *specs, "--format", "json", "-o", "out", "--force")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert (tmp_path / "out").read_text().splitlines() == MESSAGES
        assert (
            command("dataset", "write", *specs, "--format", "msgpack", "-o", "out", "--force").returncode == 0
        )
        apart = b"".join(
            (b"\x81\xa1a\x01", b"\x92\xcb" + struct.pack(">d", 2.5) + b"\xc0", b"\x81\xa1\n\xa1\n")
        )
        assert (tmp_path / "out").read_bytes() == apart
    done = command("dataset", "write", "some.jsonl", "generated:1", "--format", "json", "-o", "none")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert "several datasets are files of messages" in done.stderr and not (tmp_path / "none").exists()


def test_list(command, built):
    contenders = {row.row.contender.id for row in built.values()}
    done = command("list", "--contenders", ",".join(contenders))
    assert done.returncode == 0
    for contender_id in contenders:
        assert contender_id in done.stdout


@pytest.mark.parametrize("width", [60, 200])
def test_a_list_fits_the_terminal(width, context, built):
    """An origin has lines of its own where a column would leave it a few letters each."""
    console = Console(width=width, file=io.StringIO())
    contenders(console, context.catalog, built)
    lines = console.file.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    # A contender with a row that is not ready shows the reason instead.
    waiting = {ready.row.contender.id for ready in built.values() if ready.status != "ok"}
    ready = [item for item in built.values() if item.row.contender.id not in waiting]
    origins = {item.provided.origin for item in ready if item.provided and item.provided.origin}
    assert len(origins) > 5
    shown = " ".join(" ".join(lines).split())
    assert all(origin in shown for origin in origins)
    assert ("origin, or why" in lines[0]) == (width == 200)


def test_a_document_has_all_contenders(command):
    done = command("list", "--details", "--format", "markdown")
    assert done.returncode == 0
    known = done.stdout
    for folder in (*ROOT.glob("contenders/c/*/"), *ROOT.glob("contenders/javascript/*/")):
        own = folder.name in ("baseline", "memcpy")
        assert (f" ({folder.parent.name}/{folder.name})\n\n- format: " in known) == (not own)
    assert "\n|" not in known.partition("\n## Who makes the canonical encodings\n")[0]
    assert known.count("\n- calls: ") == known.count("\n- format: ") >= 40


def test_a_list_in_markdown_is_of_details(command):
    done = command("list", "--format", "markdown")
    assert done.returncode == 2 and "goes with --details" in done.stderr
    assert command("list", "--details", "--format", "html").returncode == 2


def test_doctor(command):
    done = command("doctor")
    assert done.returncode == 0
    for what in ("machine", "load", "memory", "C compiler"):
        assert what in done.stdout


def test_doctor_says_what_a_harness_needs_for_a_compiler_that_is_absent(catalog, monkeypatch):
    harness = next(h for h in catalog.harnesses.values() if h.capabilities.compilers)
    monkeypatch.setattr(doctor.Builder, "compilers", lambda _self: {"mine": ""})
    found = {finding.what: finding for finding in doctor._tools(catalog)}
    finding = found["MINE compiler"]
    assert finding.state == "bad" and finding.says.endswith(f"apt-get install {' '.join(harness.packages)}")


@pytest.mark.parametrize("language", ["c", "cpp"])
def test_a_new_contender_passes_as_it_is(language, command, tmp_path):
    done = command("new", language, "mine", "--in", tmp_path / "somewhere")
    folder = tmp_path / "somewhere" / "mine"
    assert done.returncode == 0 and str(folder) in done.stdout
    assert (folder / "contender.toml").is_file()
    done = command(
        *("verify", "--contender", folder, "--contenders", "mine"),
        *("--datasets", "generated:2"),
    )
    assert done.returncode == 0, done.stdout
    assert "1a9c6681" not in done.stdout.split("mine:write")[1].splitlines()[0]
    assert f"{language}/mine:write" in done.stdout and f"{language}/mine:tree" in done.stdout
    assert "failed" not in done.stdout


def test_verify_with_own_data(command, tmp_path):
    (tmp_path / "my.json").write_text('{"name":"é","list":[1,2.5,null,true,-3]}')
    done = command("verify", "--data", "my.json", "--contenders", "mpack,jansson")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "my.json: content_hash" in done.stdout
