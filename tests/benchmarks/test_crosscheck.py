"""The programs in which other tools time our rows: made of the rows' own parts, with the right hash."""

import msgspec
import pytest
from benchmarks import crosscheck
from benchmarks.gotest import __main__ as gotest
from benchmarks.jmh import __main__ as jmh
from benchmarks.precision.ground import Ground

from serbench.errors import UserError
from serbench.project import CACHE
from serbench.provision.providers.maven import fetch
from tests.languages import needs


@pytest.fixture
def proven(catalog, tmp_path):
    """A row of a list, with what its worker is asked."""

    def prove(contender, test, variant):
        ground = Ground(1, tmp_path)
        row = ground.row(catalog, contender, test, variant)
        return row, ground.prove(catalog, [row], "generated:2")[0]

    return prove


@needs("go")
@pytest.mark.parametrize("named", gotest.ROWS, ids=lambda row: f"{row[0]}:{row[1]}")
def test_a_row_in_go(named, proven, tmp_path, monkeypatch):
    monkeypatch.setattr(gotest, "SECONDS", 0.01)
    row, task = proven(*named)
    assert gotest.prepare(row, task, tmp_path)()[0] > 0
    task = msgspec.structs.replace(task, expected="00000000")
    with pytest.raises(UserError, match="an iteration gives the hash"):
        gotest.prepare(row, task, tmp_path)()


@needs("java")
def test_a_row_in_java(proven, tmp_path):
    fetch(jmh.HERE, CACHE)
    row, task = proven(*jmh.ROWS[2])
    task = msgspec.structs.replace(task, expected="00000000")
    with pytest.raises(UserError, match="an iteration gives the hash"):
        jmh.prepare(row, task, tmp_path)()


def test_the_request_is_that_of_the_protocol(proven):
    _, task = proven("c/mpack", "tree", "")
    assert crosscheck.request(task).startswith('{"do": "prepare", "tape": "/')
