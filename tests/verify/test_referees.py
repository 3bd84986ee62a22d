"""Readers that nobody chose: of which languages they are, and what is fetched for them."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from serbench.catalog.records import Catalog, Row
from serbench.catalog.selection import select_rows
from serbench.datasets.spec import parse_spec
from serbench.project import CACHE
from serbench.provision.downloads import is_forbidden
from serbench.run.context import BuildContext
from serbench.run.proving import prove
from serbench.run.readers import AHEAD, FurtherReaders, first_readers, referee_rows
from serbench.verify.referees import ENOUGH
from tests.conftest import LIMITS

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


def test_a_writer_without_a_reader_is_unavailable_and_one_whose_readers_fail_has_failed(
    catalog: Catalog, tmp_path: Path
) -> None:
    writer = catalog.contenders["python/marshal"]
    source = {test: name for test, name in writer.manifest.tests.items() if test == "write"}
    manifest = msgspec.structs.replace(writer.manifest, tests=source)
    alone = msgspec.structs.replace(writer, manifest=manifest)
    context = BuildContext(
        msgspec.structs.replace(catalog, contenders={**catalog.contenders, writer.id: alone}), CACHE
    )
    data = [context.store.dataset(parse_spec("generated:1"))]
    rows = [Row(contender=alone, test="write")]
    ((made, _, _),) = prove(context, rows, data, tmp_path / "alone", LIMITS)[0].rows
    assert made.status == "unavailable"
    assert made.reason == (
        "its output could not be read back: no reader of marshal is here: ./serbench list says what they need"
    )
    broken = tmp_path / "broken"
    broken.mkdir()
    for file in writer.folder.iterdir():
        if file.is_file():
            shutil.copy(file, broken)
    read = broken / writer.manifest.tests["tree"]
    read.write_text(read.read_text("utf-8").replace("import loads", "import dumps"), "utf-8")
    reader = msgspec.structs.replace(writer, id="python/broken", folder=broken)
    both = {**catalog.contenders, writer.id: alone, reader.id: reader}
    context = BuildContext(msgspec.structs.replace(catalog, contenders=both), CACHE)
    ((made, _, _),) = prove(context, rows, data, tmp_path / "both", LIMITS)[0].rows
    assert (made.status, made.reason) == (
        "failed",
        "its output could not be read back: no reader of the format is right",
    )
