"""Readers that nobody chose: of which languages they are, and what is fetched for them."""

from collections.abc import Sequence
from typing import Any

import pytest

from serbench.catalog.records import Catalog, Row
from serbench.catalog.selection import select_rows
from serbench.project import CACHE
from serbench.provision.downloads import is_forbidden
from serbench.run.context import BuildContext
from serbench.run.readers import AHEAD, FurtherReaders, first_readers, referee_rows
from serbench.verify.referees import ENOUGH

LANGUAGES = ["c", "cpp", "go", "java", "javascript", "python", "rust", "zig"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_language_is_proved_by_itself_and_by_what_is_given(language: str, catalog: Catalog) -> None:
    """Python runs serbench, so its libraries may prove any row; others are not even fetched."""
    context = BuildContext(catalog, CACHE, refused=dict.fromkeys(catalog.contenders, "not here"))
    rows = select_rows(catalog, languages=[language], tests=["write"])
    first = first_readers(context, referee_rows(context, rows), rows)
    assert {row.language for row in first} <= {language, "python"}
    for format_id in {row.format for row in first}:
        of = [row for row in first if row.format == format_id]
        own = {row.contender.library for row in of if row.language == language}
        others = {row.contender.library for row in of if row.language != language}
        assert len(own) <= AHEAD and (not others or len(own | others) <= ENOUGH), format_id


def test_further_ones_come_a_few_at_a_time_and_nothing_is_fetched_for_far_ones(catalog: Catalog) -> None:
    context = BuildContext(catalog, CACHE, refused=dict.fromkeys(catalog.contenders, "not here"))
    rows = select_rows(catalog, languages=["go"], contenders=["encoding-json"])
    asked: list[tuple[set[str], set[str], bool]] = []

    def build(batch: Sequence[Row]) -> list[Any]:
        asked.append(({r.language for r in batch}, {r.contender.library for r in batch}, is_forbidden()))
        return []

    possible = referee_rows(context, rows)
    assert FurtherReaders(context, possible, rows, build)("json") == []
    assert all(len(libraries) <= AHEAD for _, libraries, _ in asked)
    assert [forbidden for languages, _, forbidden in asked] == [
        not languages <= {"go", "python"} for languages, _, _ in asked
    ]
    assert asked[0][0] == {"go"} and asked[-1][2] and not is_forbidden()
    assert sum(len(libraries) for _, libraries, _ in asked) >= len({r.contender.library for r in possible})

    def first(batch: Sequence[Row]) -> list[Any]:
        return [*batch]

    further = FurtherReaders(context, possible, rows, first)
    given: list[Any] = []
    while more := further("json"):
        given += more
    assert [row.id for row in given] == [row.id for row in possible if row.format == "json"]
