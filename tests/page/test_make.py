"""The file that is made: whole, within its limit, closed to the network, and free of anybody's markup."""

import base64
import gzip
import hashlib
import json
import re
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest
from page.build import main

from serbench.errors import UserError
from serbench.measure.records import Sample
from serbench.report.page import make
from serbench.report.page.data import run_data, run_samples
from serbench.report.page.library import script
from serbench.report.page.make import MOST_BYTES, page
from serbench.results.analysis import analyse
from tests.page.runs import emulated_run, hostile_run, many_rows, written
from tests.results.builder import synthetic_run


class Parts(HTMLParser):
    """The elements of a page, and the texts of its scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inside = False
        self.pieces: dict[int, list[str]] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.inside = tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.pieces.setdefault(len(self.tags), []).append(data)

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    @property
    def texts(self) -> list[tuple[str, str]]:
        return [(self.tags[number - 1][0], "".join(pieces)) for number, pieces in self.pieces.items()]


@pytest.fixture(scope="module")
def parts() -> Parts:
    return Parts(page([hostile_run()]))


def test_nothing_is_loaded(parts: Parts):
    for tag, attributes in parts.tags:
        assert "src" not in attributes, tag
        assert not {name for name in attributes if name.startswith("on")}, tag
        assert tag not in ("link", "iframe", "object", "embed", "base", "img"), tag


def test_the_policy_allows_the_page_s_own_scripts_and_nothing_else(parts: Parts):
    policy = next(a["content"] for _, a in parts.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    rules = {rule.split()[0]: rule.split()[1:] for rule in policy.split(";")}
    assert rules["default-src"] == ["'none'"]
    assert rules["img-src"] == ["data:", "blob:"]
    library = gzip.decompress(base64.b64decode(packed(page([hostile_run()]), "library"))).decode()
    assert library == script()
    own = {
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'": tag
        for tag, text in [*parts.texts, ("script", library)]
        if tag == "style" or "gzip" in text or text == library
    }
    assert {digest for digest, tag in own.items() if tag == "script"} == set(rules["script-src"])
    assert {digest for digest, tag in own.items() if tag == "style"} == set(rules["style-src"])
    assert not [word for words in rules.values() for word in words if "unsafe" in word or "http" in word]


def test_a_run_cannot_get_out_of_its_place(parts: Parts):
    scripts = [a for tag, a in parts.tags if tag == "script"]
    assert len(scripts) == 4
    assert re.fullmatch(r"[A-Za-z0-9+/=]+", next(t for tag, t in parts.texts if t.startswith("H4sI")))


def test_the_data_are_the_run_s():
    run = synthetic_run()
    made = page([run])
    assert runs_in(made) == [json.loads(msgspec.json.encode(run_data(run)))]
    assert unpacked(made, "samples") == [json.loads(msgspec.json.encode(run_samples(run, 1)))]


def test_runs_of_one_name_are_told_apart():
    runs = [synthetic_run(seed) for seed in (1, 2, 3)]
    runs[1].id = f"{runs[0].id} (2)"
    found = runs_in(page(runs))
    assert [run["id"] for run in found] == [runs[0].id, f"{runs[0].id} (2)", f"{runs[0].id} (3)"]
    assert [results_in(run)[0]["net_ns"] for run in found] == [analyse(run)[0].result.net_ns for run in runs]
    assert len({run.id for run in runs}) == 2


def packed(made: str, name: str) -> str:
    """The text that a page has under an id."""
    found = re.search(rf'id="{name}">([^<]+)<', made)
    assert found is not None
    return found[1]


def unpacked(made: str, name: str) -> Any:
    """What a page has under an id."""
    return json.loads(gzip.decompress(base64.b64decode(packed(made, name))))


def runs_in(made: str) -> list[dict[str, Any]]:
    """The runs of a page."""
    found: list[dict[str, Any]] = unpacked(made, "data")["runs"]
    return found


def results_in(run: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = run["summary"]["rows"]
    return found


def test_an_emulated_platform_s_rows_have_the_baseline_of_that_platform():
    (found,) = runs_in(page([emulated_run()]))
    rows = {row["id"]: row for row in results_in(found)}
    assert [rows[number].get("baseline") for number in (0, 1, 2, 10, 11, 12)] == [None, 0, 0, None, 10, 10]
    assert [rows[number]["instructions"] for number in (1, 11)] == [3000.0, 1500.0]
    assert all(
        name not in row for row in rows.values() for name in ("net_ns", "raw_ns", "typical_ns", "rank")
    )


def test_the_size_is_bounded_by_leaving_out_rounds(monkeypatch: pytest.MonkeyPatch):
    limit = len(page([many_rows(20, launches=10)]).encode()) + 30_000
    monkeypatch.setattr(make, "MOST_BYTES", limit)
    run = many_rows(20, launches=10)
    for record in run.rows:
        run.samples += [
            Sample(
                row=record.id,
                launch=launch,
                round=number,
                position=0,
                started=float(number),
                iterations=7,
                wall=[(record.id * 7919 + launch * 104729 + number * 1299709) % 999983 + 1_000_000],
                cpu=[1],
            )
            for launch in range(10)
            for number in range(4, 60)
        ]
    made = page([run])
    assert len(made.encode()) <= limit < MOST_BYTES
    every = unpacked(made, "data")["every"]
    assert every > 1
    rounds = {sample[1] for samples in unpacked(made, "samples")[0].values() for sample in samples}
    assert rounds == {number for number in range(60) if number % every == 0}
    assert results_in(runs_in(made)[0]) == results_in(json.loads(written(run)))


def test_the_bundle_is_that_of_the_modules(packages: Path):
    assert main(["--check"]) == 0


def test_report_writes_it(command: Callable[..., object], tmp_path: Path):
    (tmp_path / "run.json").write_bytes(msgspec.json.encode(synthetic_run()))
    done = command("report", tmp_path / "run.json", "--html", tmp_path / "report.html")
    assert done.returncode == 0, done.stderr  # type: ignore[attr-defined]
    assert (tmp_path / "report.html").read_text() == page([synthetic_run()])


def test_charts_that_cannot_be_loaded_have_one_message(monkeypatch: pytest.MonkeyPatch):
    """As where the memory that a process may have is too little for them."""
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    script.cache_clear()
    with pytest.raises(UserError, match="the page's charts cannot be made: "):
        script()
