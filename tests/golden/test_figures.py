"""Run files of every kind that an older revision wrote give the figures that they gave there.

`runs` has the run files and `figures` what revision 2ea8fdb computed from them. A change of a figure is a
change of the method: it is written into CHANGELOG.md and METHOD.md first, and only then into these files.
"""

import json
import lzma
from pathlib import Path
from typing import Any

import pytest

from serbench.results.load import load_run
from tests.golden.extract import figures

HERE = Path(__file__).parent
NAMES = [path.name.removesuffix(".json.xz") for path in sorted(HERE.glob("runs/*.json.xz"))]
CLOSE = 1e-12
"""The last bits of an interval depend on the mathematical library; everything else is equal."""


def unpack(kind: str, name: str) -> bytes:
    return lzma.decompress((HERE / kind / f"{name}.json.xz").read_bytes())


def same(found: Any, expected: Any) -> bool:
    if isinstance(expected, float):
        return isinstance(found, float) and found == pytest.approx(expected, rel=CLOSE, abs=CLOSE)
    return type(found) is type(expected) and found == expected


def test_there_is_a_run_of_every_kind() -> None:
    assert (
        sorted(
            [
                "compare",
                "fidelity",
                "firmware",
                "growth",
                "javascript",
                "limits",
                "linux",
                "messages",
                "native",
            ]
        )
        == NAMES
    )


@pytest.mark.parametrize("name", NAMES)
def test_an_older_run_file_gives_the_same_figures(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.json"
    path.write_bytes(unpack("runs", name))
    found = figures(load_run(path))
    expected = json.loads(unpack("figures", name))
    assert found.keys() == expected.keys()
    differences = [
        f"{key}: {metric}: {found[key].get(metric)!r}, not {expected[key].get(metric)!r}"
        for key in expected
        for metric in found[key].keys() | expected[key].keys()
        if not same(found[key].get(metric), expected[key].get(metric))
    ]
    assert not differences
