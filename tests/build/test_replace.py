"""Texts that are replaced in a library's sources before they are compiled."""

from pathlib import Path

import pytest

from serbench.build import BuildFailed
from serbench.catalog.load import read_contender
from serbench.catalog.source import Replacement, Source
from serbench.errors import UserError
from serbench.provision import Provided
from tests.build.conftest import Project, say

LIBRARY = '#include "part.h"\nint library(void) { return PART + 1 + 1; }\n'


@pytest.fixture
def root(tmp_path: Path, project: Project) -> Path:
    """A library of two files, and a contender that calls it."""
    made = tmp_path / "the library"
    (made / "sub").mkdir(parents=True)
    (made / "sub/part.h").write_text("#define PART 40\n")
    (made / "sub/library.c").write_text(LIBRARY)
    project.contender("one", "int library(void);\nint value(void) { return library(); }")
    return made


def provided(root: Path, *replace: Replacement) -> Provided:
    source = Source(
        kind="debian-source", name="it", files=["sub/library.c"], include=["sub"], replace=list(replace)
    )
    return Provided(source=source, root=root)


def test_a_copy_is_changed_and_the_library_is_not(project: Project, root: Path) -> None:
    assert say(project.build("c/one:write", provided(root))).endswith(" 42")
    twice = Replacement(file="sub/library.c", from_=" + 1", to=" + 10", times=2)
    header = Replacement(file="sub/part.h", from_="40", to="500")
    assert say(project.build("c/one:write", provided(root, twice, header))).endswith(" 520")
    assert (root / "sub/library.c").read_text() == LIBRARY
    assert say(project.build("c/one:write", provided(root))).endswith(" 42")


def test_later_replacements_see_what_earlier_ones_made(project: Project, root: Path) -> None:
    first = Replacement(file="sub/part.h", from_="40", to="70")
    second = Replacement(file="sub/part.h", from_="70", to="80")
    assert say(project.build("c/one:write", provided(root, first, second))).endswith(" 82")
    with pytest.raises(BuildFailed, match="has '70' 0 times, not 1"):
        project.build("c/one:write", provided(root, second, first))


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        (Replacement(file="sub/library.c", from_=" + 1", to=""), "has ' + 1' 2 times, not 1"),
        (Replacement(file="sub/library.c", from_=" + 1", to="", times=3), "has ' + 1' 2 times, not 3"),
        (Replacement(file="sub/library.c", from_=" - 1", to=""), "has ' - 1' 0 times, not 1"),
        (Replacement(file="sub/gone.c", from_="1", to="2"), "the library has no file sub/gone.c"),
        (Replacement(file="../beside.c", from_="1", to="2"), "the library has no file ../beside.c"),
    ],
)
def test_another_number_of_places_is_an_error(
    project: Project, root: Path, wanted: Replacement, reason: str
) -> None:
    (root.parent / "beside.c").write_text("1")
    with pytest.raises(BuildFailed) as caught:
        project.build("c/one:write", provided(root, wanted))
    assert reason in caught.value.reason
    assert (root.parent / "beside.c").read_text() == "1"


def test_an_edited_library_and_another_text_are_built_anew(project: Project, root: Path) -> None:
    wanted = Replacement(file="sub/part.h", from_="40", to="50")
    assert say(project.build("c/one:write", provided(root, wanted))).endswith(" 52")
    (root / "sub/library.c").write_text(LIBRARY.replace("+ 1 + 1", "+ 7"))
    assert say(project.build("c/one:write", provided(root, wanted))).endswith(" 57")
    other = Replacement(file="sub/part.h", from_="40", to="60")
    assert say(project.build("c/one:write", provided(root, other))).endswith(" 67")


@pytest.mark.parametrize(
    "source",
    [
        'installed = "include/x.h"\nreplace = [{ file = "x.c", from = "a", to = "b" }]',
        'debian-source = "x"\nreplace = [{ file = "x.c", from = "", to = "b" }]',
        'debian-source = "x"\nreplace = [{ file = "x.c", from = "a", to = "b", times = 0 }]',
        'debian-source = "x"\nreplace = [{ file = "x.c", with = "a", to = "b" }]',
    ],
)
def test_a_manifest_that_makes_no_sense_is_refused(project: Project, source: str) -> None:
    project.contender("one", "", f"[[source]]\n{source}")
    with pytest.raises(UserError, match=r"replace|with"):
        read_contender(project.root / "contenders/c/one")


def test_a_variant_can_be_without_a_label(project: Project) -> None:
    stated = 'labels = ["slow", "odd"]\n[variants.fast]\ntests = ["write"]\nlabels = ["big"]\n'
    project.contender("one", "", stated + 'without-labels = ["slow"]')
    assert project.row("c/one:write").labels == ["slow", "odd"]
    assert project.row("c/one:write:fast").labels == ["odd", "big"]
    project.contender("one", "", stated + 'without-labels = ["quick"]')
    with pytest.raises(UserError, match="without the label 'quick', which is not stated"):
        read_contender(project.root / "contenders/c/one")
