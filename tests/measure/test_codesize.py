"""Code size: the same when linked anew, blind to what is not used, and not for what is no program."""

from pathlib import Path

import pytest

from serbench.build import Builder
from serbench.catalog.load import load_catalog
from serbench.catalog.records import Row, Source
from serbench.measure.codesize import NotMeasurable, text_and_data
from serbench.project import CACHE, ROOT
from serbench.provision import Provided
from serbench.scaffold import new_contender

NOTHING = Provided(source=Source())
UNUSED = """
int nobody_calls_this(int x);
int nobody_calls_this(int x) { return x * 3 + 1; }
"""
USED = """
static volatile char table[4096] = {1};
bool sb_setup(void) { return table[(unsigned char)sb_library_version()[0]] == 0; }
"""


def size(folder: Path, cache: Path) -> int:
    """The bytes of text and data of the template's tree test in `folder`."""
    catalog = load_catalog(ROOT, [folder])
    row = Row(contender=catalog.contenders[f"c/{folder.name}"], test="tree")
    built = Builder(catalog, cache).build_static(row, NOTHING, "speed")
    return text_and_data(Path(built.command[0]))


@pytest.fixture
def contender(tmp_path):
    """A contender of the template whose reader has something added."""

    def make(name: str, addition: str = "") -> Path:
        folder = new_contender(load_catalog(ROOT), "c", name, tmp_path)
        source = folder / "tree.c"
        source.write_text(source.read_text() + addition)
        return folder

    return make


def test_linked_twice_it_is_the_same(contender, tmp_path):
    folder = contender("mylib")
    assert size(folder, CACHE) == size(folder, tmp_path / "another cache")


def test_an_unused_function_does_not_count_and_a_used_one_does(contender):
    plain = size(contender("plain"), CACHE)
    assert size(contender("with-unused", UNUSED), CACHE) == plain
    assert size(contender("with-used", USED), CACHE) >= plain + 4096


def test_what_is_no_program_is_not_measurable(tmp_path):
    (tmp_path / "text").write_text("no program")
    with pytest.raises(NotMeasurable):
        text_and_data(tmp_path / "text")
