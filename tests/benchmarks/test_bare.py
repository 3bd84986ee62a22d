"""What benchmarks/bare.py makes of the output of commands."""

import json

import pytest
from benchmarks.bare import (
    SITUATIONS,
    SUITES,
    Line,
    Outcome,
    failed_tests,
    main,
    rows_not_ok,
    seconds_by_phase,
    sources,
)

RUN = [
    Line(0.5, "serbench: installing Debian packages ... done (11 s)"),
    Line(30.0, "serbench 0.1.0: 2 cores"),
    Line(31.0, "Libraries (246) ..."),
    Line(40.0, "Building (697) ..."),
    Line(100.0, "Verifying (697) ..."),
    Line(130.0, "Code sizes (90) ..."),
    Line(150.0, "Measured 20%"),
]


def test_a_phase_lasts_to_the_first_line_of_the_next():
    found = seconds_by_phase(Outcome(0, RUN, 200.0))
    assert found == {"set-up": 31.0, "build": 69.0, "prove": 30.0, "measure": 70.0}
    assert sum(found.values()) == pytest.approx(200.0)


def test_what_ends_at_once_was_set_up_only():
    assert seconds_by_phase(Outcome(2, [], 1.5)) == {"set-up": 1.5, "build": 0, "prove": 0, "measure": 0}


def test_failed_tests_and_errors_are_named():
    lines = [
        "tests/a.py::test_a PASSED",
        "FAILED tests/a.py::test_b - assert 1",
        "ERROR tests/c.py",
        "1 failed",
    ]
    assert failed_tests(Line(0, text) for text in lines) == lines[1:3]


def test_rows_that_are_not_ok_are_counted_by_reason(tmp_path):
    rows = [
        {"status": "ok"},
        {"status": "failed", "reason": "wrong exact_hash"},
        *[{"status": "unavailable", "reason": "no Go"}] * 2,
    ]
    (tmp_path / "run.json").write_text(json.dumps({"rows": rows}))
    assert rows_not_ok(tmp_path / "run.json") == {"failed: wrong exact_hash": 1, "unavailable: no Go": 2}


def test_every_situation_has_a_command_and_a_place_of_its_own():
    assert list(SUITES) == ["12", "13", "testing"] and SITUATIONS["newcomer"].checks
    assert len({*SITUATIONS.values()}) == len(SITUATIONS)
    with pytest.raises(SystemExit):
        main(["--systems"])


def test_a_stable_release_has_its_updates():
    assert sources("testing", "http://a", "http://b") == "deb http://a testing main\n"
    assert [line.split()[1:3] for line in sources("trixie", "http://a", "http://b").splitlines()] == [
        ["http://a", "trixie"],
        ["http://a", "trixie-updates"],
        ["http://b", "trixie-security"],
    ]
