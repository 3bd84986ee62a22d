"""The table of what readers take and refuse, and the sentence above a run's tables."""

import msgspec
import pytest

from serbench.kinds.strict.report import COLUMNS, TITLE, cells_of, strict_summary
from serbench.report.render import render
from serbench.results.analysis import analyse
from serbench.results.probes import Damage, Judged, ProcessEnd, Strict
from tests.results.builder import synthetic_run

LOOSE = [
    Judged(case="leading zero", kind="numbers", expected="refuse", outcome="taken"),
    Judged(case="plus sign", kind="numbers", expected="refuse", outcome="taken"),
    Judged(case="comma", kind="trailing bytes", expected="refuse", outcome="taken"),
    Judged(case="escape of NUL", kind="strings", expected="accept", outcome="changed"),
    Judged(case="scalar", kind="structure", expected="accept", outcome="refused", said="no scalars"),
    Judged(case="byte FF", kind="UTF-8", expected="either", outcome="taken"),
    Judged(case="20 levels", kind="nesting", expected="accept", outcome="crash"),
]


def reader(name: str, *judged: Judged, **fields):
    about = {"contender": name, "contender_id": f"c/{name}", "format": "json", "row": f"c/{name}:tree"}
    return Strict(**about, test="tree", judged=list(judged), **fields)


def cells(record: Strict, named: bool) -> dict[str, str]:
    return dict(zip([column.header for column in COLUMNS], cells_of(record, named), strict=True))


@pytest.mark.parametrize(
    ("named", "taken", "ends"),
    [
        (True, "numbers: leading zero, plus sign; trailing bytes: comma", "nesting: 20 levels"),
        (False, "numbers 2, trailing bytes 1", "nesting 1"),
    ],
)
def test_every_document_stands_where_it_belongs(named: bool, taken: str, ends: str):
    found = cells(reader("loose", *LOOSE), named)
    assert found["reader"] == "loose (tree)"
    assert found["takes invalid"] == taken and found["ends"] == ends
    assert found["refuses valid"].startswith("structure") and found["changes"].startswith("strings")
    assert found["takes what is left to it"].startswith("UTF-8")
    assert cells(reader("gone", status="unavailable", reason="not here"), named)["refuses valid"] == (
        "unavailable: not here"
    )


def test_damage_in_words():
    ends = [
        ProcessEnd(kind="hang", times=1),
        ProcessEnd(kind="hang", times=2),
        ProcessEnd(kind="crash", times=4),
    ]
    damage = Damage(tried=2000, wanted=10_000, taken=500, sanitizer="none", ends=ends)
    said = cells(reader("weak", damage=damage), False)["damaged"]
    assert said == "2,000 tried of 10,000, takes 25 %, 4 crashes, 3 hangs; without sanitizer"
    whole = Damage(tried=10, wanted=10, taken=0, sanitizer="library")
    assert cells(reader("strong", damage=whole), False)["damaged"] == "10 tried, takes 0 %"


def test_the_report_has_the_table_and_the_terminal_its_sentence():
    run = synthetic_run()
    for shown in (render([run], "markdown"), render([run], "table", 200)):
        assert "Strictness" not in shown
    run.strict = [
        reader("loose", *LOOSE),
        reader("strict"),
        reader("gone", status="unavailable", reason="no"),
    ]
    document = render([run], "markdown")
    assert f"### {TITLE}" in document and "leading zero, plus sign" in document
    table = render([run], "table", 200)
    assert "of 2 readers 1 take some invalid documents, 1 refuse or change some valid ones" in table
    assert TITLE not in table
    run.rows, run.samples = [], []
    alone = render([run], "table", 200)
    assert TITLE in alone and "numbers 2" in alone and "leading zero" not in alone


def test_a_run_has_the_counts_in_a_column_and_in_csv():
    run = synthetic_run()
    rows = [row.row for row in run.rows if row.role == "contender" and row.test != "write"]
    assert "takes_invalid" in render([run], "csv").splitlines()[0]
    assert "takes bad" not in render([run], "table", 400)
    run.strict = [msgspec.structs.replace(reader("loose", *LOOSE), row=name) for name in rows]
    found = {row.record.row: (row.result.takes_invalid, row.result.refuses_valid) for row in analyse(run)}
    assert rows and {found[name] for name in rows} == {(3, 1)}
    assert {figures for name, figures in found.items() if name not in rows} == {(None, None)}
    assert "takes bad" in render([run], "table", 400)


def test_a_run_whose_readers_were_not_probed_says_so():
    run = synthetic_run()
    run.strict = [reader("gone", status="unavailable", reason="no")]
    assert "no reader could be probed" in strict_summary(run)
