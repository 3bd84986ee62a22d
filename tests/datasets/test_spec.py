"""How datasets are named."""

from pathlib import Path

import pytest

from serbench.datasets.spec import DEFAULT_SEED, file_spec, parse_spec, unique_names
from serbench.errors import UserError

LONG, DIGITS = "x" * 5000, "1" * 5000


@pytest.mark.parametrize(
    ("text", "name", "size", "seed", "safe"),
    [
        ("generated:1", "generated:1", 1, DEFAULT_SEED, False),
        ("generated:5:seed=0", "generated:5:seed=0", 5, 0, False),
        ("generated:2:safe", "generated:2:safe", 2, DEFAULT_SEED, True),
        ("generated:2:safe:seed=7", "generated:2:seed=7:safe", 2, 7, True),
        (
            "generated:2:seed=18446744073709551615",
            "generated:2:seed=18446744073709551615",
            2,
            2**64 - 1,
            False,
        ),
        (f"generated:02:seed={DEFAULT_SEED}", "generated:2", 2, DEFAULT_SEED, False),
    ],
)
def test_generated(text, name, size, seed, safe):
    spec = parse_spec(text)
    assert (spec.name, spec.size, spec.seed, spec.safe, spec.path) == (name, size, seed, safe, None)


@pytest.mark.parametrize(
    "text",
    [
        *("generated", "generated:", "generated:0", "generated:6", "generated:-1", "generated:two"),
        *("generated:1.5", "generated:٢", "generated:2:", "generated:2:seed", "generated:2:seed="),
        *("generated:2:seed=18446744073709551616", "generated:2:seed=1e3", "generated:2:SAFE", "nothing"),
        *("no.such", "no/such", "document", "document:none", "document:../documents/ha"),
        *(LONG, f"{LONG}.json", f"generated:{DIGITS}", f"generated:2:seed={DIGITS}", f"generated:2:{LONG}"),
        *(f"records:{DIGITS}", f"records:{LONG}", f"records:1:{LONG}", f"corpus:{LONG}", f"document:{LONG}"),
    ],
)
def test_what_is_none(text):
    with pytest.raises(UserError) as caught:
        parse_spec(text)
    assert len(str(caught.value)) < 1000


def test_a_file_that_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("plain").write_text("[]")
    assert parse_spec("plain").path == Path("plain")
    assert file_spec(tmp_path / "plain").name == "plain"


def test_names_are_unique():
    specs = [file_spec(Path("a/x.json")), file_spec(Path("b/x.json")), file_spec(Path("a/x.json"))]
    specs += [parse_spec("generated:2"), parse_spec(f"generated:2:seed={DEFAULT_SEED}")]
    named = unique_names(specs)
    assert [spec.name for spec in named] == ["x.json", "x.json (2)", "generated:2"]
    assert [str(spec.path) for spec in named[:2]] == ["a/x.json", "b/x.json"]


def test_the_project_s_own_messages_have_names_that_a_run_file_can_keep():
    spec = parse_spec("document:tasmota")
    assert spec.name == "document:tasmota" and spec.path is not None
    assert spec.path.name == "tasmota.json" and spec.path.is_file()
