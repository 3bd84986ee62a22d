"""Messages end to end: JSON Lines and several files, figures per message, and where bad ones are."""

import json
import re

import pytest

from serbench.results.load import load_run
from tests.brief import BUDGET
from tests.shorten import shorten

LINES = ['{"name":"one","list":[1,2.5,null]}', "[true,-3]", '{"name":"three","text":"é and more"}']


@pytest.fixture
def files(tmp_path):
    """The same messages as one file of JSON Lines, and as three documents."""
    (tmp_path / "some.jsonl").write_text("\n".join(LINES) + "\n", encoding="utf-8")
    for number, line in enumerate(LINES):
        (tmp_path / f"{number}.json").write_text(line, encoding="utf-8")
    return {"lines": ["some.jsonl"], "several": ["0.json", "1.json", "2.json"]}


@pytest.mark.parametrize("kind", ["lines", "several"])
def test_figures_are_per_message(command, ready, files, tmp_path, monkeypatch, kind):
    shorten(monkeypatch.setattr)
    ready("c/mpack:write"), ready("c/yajl:write")
    data = [word for name in files[kind] for word in ("--data", name)]
    output = tmp_path / "run.json"
    options = ["--contenders", "mpack,yajl", "--tests", "write,tree", *BUDGET, "--output", output]
    done = command("run", *data, *options)
    assert done.returncode == 0, done.stdout + done.stderr
    name = "some.jsonl" if kind == "lines" else "0.json and 2 more"
    assert re.search(rf"^write · {name} · .* · per message of 3$", done.stdout, re.M)
    run = load_run(output)
    (dataset,) = run.datasets
    whole = sum(
        len(json.dumps(json.loads(line), separators=(",", ":"), ensure_ascii=False).encode())
        for line in LINES
    )
    assert (dataset.name, dataset.messages, dataset.encodings["json"].bytes) == (name, 3, whole)
    assert {made.bytes > whole for made in dataset.encodings["json"].compressed.values()} == {True}
    shown = json.loads(command("report", output, "--format", "json").stdout)["rows"]
    rows = {row["row"]: row for row in shown}
    assert rows["c/yajl:write"]["bytes"] == pytest.approx(whole / 3)
    for row in run.rows:
        iterations = [wall / s.iterations for s in run.samples if s.row == row.id for wall in s.wall]
        # One message takes a third of an iteration, whatever figure of a launch is chosen.
        assert min(iterations) / 3 <= rows[row.row]["typical_ns"] <= max(iterations) / 3
        assert row.status == "ok" and rows[row.row]["messages"] == 3


@pytest.mark.parametrize(
    ("bad", "place"),
    [
        ("[1]\n[2\n[3]\n", "line 2, column 3"),
        ('[1]\n\n{"a":1,"a":2}\n', "line 3, column 8"),
        ("[1]\n" + "[" * 1024 + "]" * 1024 + "\n", "line 2, column 1024"),  # and one level around them
    ],
)
def test_a_bad_line_is_named_by_its_number(command, tmp_path, bad, place):
    (tmp_path / "bad.jsonl").write_text(bad)
    done = command("verify", "--data", "bad.jsonl", "--contenders", "mpack")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(f"serbench: bad.jsonl: {place}: "), done.stderr


def test_of_several_files_the_bad_one_is_named(command, files, tmp_path):
    (tmp_path / "1.json").write_text('{"a":\n  1e999}')
    data = [word for name in files["several"] for word in ("--data", name)]
    done = command("verify", *data, "--contenders", "mpack")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert "line 2, column 3: " in done.stderr and f"{tmp_path / '1.json'}: " in done.stderr
