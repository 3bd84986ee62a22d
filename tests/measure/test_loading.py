"""Loading a library: the least of some starts, and a reason where its program tells nothing."""

import sys

import pytest

from serbench.measure.codesize import NotMeasurable
from serbench.measure.loading import STARTS, load

COUNTING = """
import pathlib, sys
log = pathlib.Path(sys.argv[1])
times = len(log.read_text()) if log.exists() else 0
log.write_text("x" * (times + 1))
print('{"load_ns": %d, "installed_bytes": %s}' % ([70, 30, 50, 90, 40][times], sys.argv[2]))
"""


@pytest.mark.parametrize(("told", "installed"), [("1234", 1234), ("null", None)])
def test_the_least_of_some_starts_counts(told, installed, tmp_path):
    log = tmp_path / "log"
    found = load([sys.executable, "-c", COUNTING, str(log), told])
    assert (found.load_ns, found.installed_bytes) == (30, installed)
    assert len(log.read_text()) == STARTS


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("raise ImportError('no such library')", "ImportError: no such library"),
        ("raise SystemExit(3)", "it ended with status 3"),
        ("print('hello')", "its answer cannot be read"),
        ("print('{\"load_ns\": 5}')", "its answer cannot be read"),
    ],
)
def test_a_program_that_tells_nothing_has_its_reason(script, reason):
    with pytest.raises(NotMeasurable) as error:
        load([sys.executable, "-c", script])
    assert reason in error.value.reason
