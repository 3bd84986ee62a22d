"""The ten pairs of sizes that were published in 2021: ours, and what the library writes that was measured."""

import struct
from pathlib import Path

import msgspec
import pytest

from serbench.catalog.load import read_contender
from serbench.errors import UserError
from serbench.kinds.conformance2016.boards import WRITERS, Written, sizes_published, written_by
from serbench.platforms.firmware.documents import (
    Stated,
    document_path,
    load_documents,
    stated_documents,
)
from serbench.project import CACHE, ROOT
from serbench.provision import Unavailable, provide
from serbench.run.inputs import open_catalog, open_context
from tests.platforms import document_of

JSON = b'{"volt":3.3,"on":true}'
NARROW = b"\x82\xa4volt\xca" + struct.pack(">f", 3.3) + b"\xa2on\xc3"
WIDE = b"\x82\xa4volt\xcb" + struct.pack(">d", 3.3) + b"\xa2on\xc3"
DOCUMENT = document_of({"volt": 3.3, "on": True}, json=JSON, messagepack=NARROW)
STATED = Stated(name="d", file="d.json", published=(22, 15))


def outcome(output: tuple[bytes, bytes], stated: Stated = STATED) -> tuple[str, str, str]:
    """Outcome, size and reason of a library that writes `output`."""
    _, found = sizes_published([stated], [DOCUMENT], [Written(name="Library 1", outputs=[output])])
    assert (found.dataset, found.name, found.published) == ("d", "Library 1", "22 15")
    return found.outcome, found.ours, found.reason


def test_equal_sizes_are_equal():
    assert outcome((JSON, NARROW)) == ("equal", "22 15", "")
    (own,) = sizes_published([STATED], [DOCUMENT], [])
    assert (own.name, own.ours, own.outcome) == ("our encodings", "22 15", "equal")


def test_a_document_of_another_size_is_unexplained():
    other = msgspec.structs.replace(STATED, published=(22, 16))
    (own,) = sizes_published([other], [DOCUMENT], [])
    assert (own.outcome, own.published, own.ours) == ("unexplained", "22 16", "22 15") and own.reason


def test_only_64_bit_floats_explain_another_size():
    wide = outcome((JSON, WIDE))
    assert wide[:2] == ("explained", "22 19") and "64-bit floats" in wide[2]
    for other in (
        (JSON, WIDE.replace(b"\xc3", b"\xc2")),
        (JSON, WIDE[:5] + b"\xcb" + struct.pack(">d", 3.4) + WIDE[-4:]),
        (JSON, WIDE[:-1]),
        (JSON + b" ", WIDE),
        (JSON + b" ", NARROW),
    ):
        assert other != (JSON, WIDE) and outcome(other)[0] == "unexplained"


def test_what_cannot_be_built_is_unavailable_with_its_reason():
    _, found = sizes_published([STATED], [DOCUMENT], [Written(name="Library 1", reason="no network")])
    assert (found.outcome, found.reason, found.ours) == ("unavailable", "no network", "")


@pytest.mark.parametrize(
    ("script", "name", "reason"),
    [
        ("echo 6.18.0; echo 5b5d 90", "ArduinoJson 6.18.0", ""),
        ("echo 7.2.0; echo 5b5d 90", "ArduinoJson 6", "the copy that was found is version 7.2.0"),
        ("echo it is too large >&2; exit 3", "ArduinoJson 6", "it ends with status 3: it is too large"),
    ],
)
def test_what_a_tool_says_is_taken_only_if_it_is_of_the_right_version(script, name, reason, tmp_path):
    tool = tmp_path / "tool"
    tool.write_text(f"#!/bin/sh\n{script}\n")
    tool.chmod(0o755)
    found = written_by("ArduinoJson 6", tool, [Path("d.json")])
    assert (found.name, found.reason) == (name, reason)
    assert found.outputs == ([] if reason else [(b"[]", b"\x90")])


def test_a_copy_that_prefix_names_is_taken(tmp_path):
    header = tmp_path / "src" / "ArduinoJson.h"
    header.parent.mkdir()
    header.write_text("")
    (header.parent / "ArduinoJson").mkdir()
    (header.parent / "ArduinoJson" / "version.hpp").write_text('#error "this copy"\n')
    context = open_context(open_catalog([]), prefixes=[f"arduinojson-7={tmp_path}"])
    with pytest.raises(UserError, match="this copy"):
        context.tool("arduinojson-7")


@pytest.mark.parametrize("name", WRITERS)
def test_the_library_writes_the_published_sizes_of_all_ten_documents(name, context):
    """A version that keeps 64-bit floats, as those before 7.2 do, writes more bytes for that reason alone."""
    library = context.catalog.harness("c").tools[WRITERS[name]].library
    try:
        provide(read_contender(ROOT / "contenders" / library), CACHE, catalog=context.catalog)
    except Unavailable as error:
        pytest.skip(f"{name}: {error.reason}")
    stated = stated_documents(ROOT)
    written = written_by(name, context.tool(WRITERS[name]), [document_path(ROOT, one) for one in stated])
    assert written.name.startswith(f"{name}.") and len(written.outputs) == 10, written.reason
    found = sizes_published(stated, load_documents(ROOT, context), [written])
    assert len(found) == 20
    for one in found:
        assert one.outcome == "equal" or (one.outcome == "explained" and name == "ArduinoJson 7"), one
