"""`serbench conformance` on a few real rows: as published, with a false figure, and with a run's order."""

import os
import random
import re

import msgspec
import pytest

from serbench.catalog.selection import select_rows
from serbench.kinds.conformance2016 import hashes as judged
from serbench.kinds.conformance2016.facts import SUITE, checked_rows, published_sizes
from serbench.platforms.firmware.documents import stated_documents
from serbench.project import ROOT
from tests.results.builder import row, samples, synthetic_run

LIBRARIES = ("c/mpack", "c/yajl")
TIMES = {"c/mpack": 2000, "c/yajl": 40_000, "cpp/rapidjson": 4000}


@pytest.fixture
def few(monkeypatch, ready, tmp_path):
    """Only what was published of two libraries is examined, and no run is at hand."""
    for library in LIBRARIES:
        ready(f"{library}:write")

    def chosen(catalog, tests, _languages, _contenders):
        return select_rows(catalog, tests, ["c"], LIBRARIES)

    own = tuple(r for r in checked_rows() if r.source == SUITE and r.row.startswith(LIBRARIES))
    sizes = tuple(s for s in published_sizes() if s.encoding in ("messagepack", "json"))
    monkeypatch.setattr("serbench.kinds.conformance2016.command.select_rows", chosen)
    monkeypatch.setattr("serbench.kinds.conformance2016.command.FURTHER_ENCODINGS", ())
    monkeypatch.setattr("serbench.kinds.conformance2016.command.WRITERS", {})
    monkeypatch.setattr("serbench.kinds.conformance2016.command.RESULTS", tmp_path / "results")
    monkeypatch.setattr(judged, "checked_rows", lambda: own)
    monkeypatch.setattr(judged, "published_sizes", lambda: sizes)
    return own


def test_what_comes_out_as_published_is_status_0(few, command):
    done = command("conformance")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "unexplained" not in done.stdout and "1a9c6681" in done.stdout and "b4ac134d" in done.stdout
    # Two hashes of data, the rows, the sizes of two encodings on two datasets, and ten documents.
    assert f"{2 + len(few) + 4 + 10} published figures: {2 + len(few) + 4 + 10} equal." in done.stdout
    assert re.search(
        r"^Tasmota +bytes +our encodings +1302 1044 +1302 1044 +equal", done.stdout, re.MULTILINE
    )
    assert "no run in results/ has measured rows of the 2016 suite" in done.stdout


def test_a_falsified_figure_is_status_1_and_is_named(few, command, monkeypatch):
    false = [msgspec.structs.replace(r, hash="deadbeef") if r.row == "c/yajl:write" else r for r in few]
    monkeypatch.setattr(judged, "checked_rows", lambda: tuple(false))
    done = command("conformance")
    assert done.returncode == 1
    found = [line for line in done.stdout.splitlines() if "unexplained" in line and "YAJL" in line]
    assert len(found) == 2 and all("deadbeef" in line for line in found)
    assert "2 unexplained." in done.stdout


def test_a_falsified_size_is_status_1(few, command, monkeypatch):
    sizes = judged.published_sizes()
    monkeypatch.setattr(
        judged, "published_sizes", lambda: [msgspec.structs.replace(s, bytes=s.bytes + 1) for s in sizes]
    )
    done = command("conformance")
    assert done.returncode == 1 and "4 unexplained." in done.stdout and "-1 bytes" in done.stdout


def test_a_document_of_another_size_is_status_1_and_a_library_that_is_not_here_is_not(
    few, command, monkeypatch
):
    # Whether there is a copy of the library or not, none is of this version.
    monkeypatch.setattr("serbench.kinds.conformance2016.command.WRITERS", {"ArduinoJson 9": "arduinojson-6"})
    done = command("conformance")
    assert done.returncode == 0 and "10 unavailable." in done.stdout
    first, *others = stated_documents(ROOT)
    false = [msgspec.structs.replace(first, published=(48, 36)), *others]
    monkeypatch.setattr("serbench.kinds.conformance2016.command.stated_documents", lambda _root: false)
    done = command("conformance")
    assert done.returncode == 1 and "10 unavailable, 1 unexplained." in done.stdout
    assert re.search(r"^obj int +bytes +our encodings +48 36 +48 35 +unexplained", done.stdout, re.MULTILINE)


def a_run(libraries):
    run, source = synthetic_run(), random.Random(9)
    run.rows = [row(0, "baseline", role="baseline", variant="published", language="c")]
    run.rows += [row(n, "x", row=f"{name}:tree") for n, name in enumerate(libraries, start=1)]
    times = [1000, *(1000 + TIMES[name] for name in libraries)]
    run.samples = [s for r, ns in zip(run.rows, times, strict=True) for s in samples(r, ns, source, range(5))]
    run.failures = []
    return msgspec.json.encode(run)


def test_order_and_ratios_are_those_of_the_newest_run_that_has_them(few, command, tmp_path):
    results = tmp_path / "results"
    results.mkdir()
    for number, (name, content) in enumerate(
        [
            ("older.json", a_run([*TIMES])),
            ("whole.json", a_run([*TIMES])),
            ("two-rows.json", a_run([*TIMES][:2])),
            ("no-run.json", b"{}"),
        ]
    ):
        (results / name).write_bytes(content)
        os.utime(results / name, (number, number))
    done = command("conformance")
    assert done.returncode == 0
    assert re.search(r"^tree · small · rank correlation 1\.00$", done.stdout, re.MULTILINE)
    assert f"Order and ratios: of {results / 'whole.json'}, the newest run" in done.stdout
    done = command("conformance", results / "two-rows.json")
    assert done.returncode == 0 and "tree · small\n" in done.stdout
    assert f"Order and ratios: of {results / 'two-rows.json'}." in done.stdout
    assert command("conformance", results / "no-run.json").returncode == 2
