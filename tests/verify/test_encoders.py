"""Encoders of a format: all of them write the same bytes, and one that fails costs nothing."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from serbench.build import BuildFailed
from serbench.catalog.load import load_catalog
from serbench.catalog.records import is_source
from serbench.datasets.spec import file_spec, parse_spec
from serbench.datasets.store import Dataset
from serbench.project import ROOT
from serbench.provision import Provided, Unavailable
from serbench.run.context import BuildContext
from serbench.run.encoders import Encoders
from serbench.run.typed import with_schema
from serbench.verify.encodings import Canonical

FORMATS = load_catalog(ROOT).formats
SEVERAL = [name for name, stated in FORMATS.items() if len(stated.encoders) > 1]
MADE = ["generated:1", "generated:2", "generated:4", "generated:4:safe"]
WITH_SCHEMA = ["records:0.05", "tests/schemas/plain.json", "tests/schemas/tricky.json"]
POWERS = [7, 8, 15, 16, 31, 32, 53]
EDGES = {
    "integers": [sign * 2**power + add for power in POWERS for sign in (1, -1) for add in (-1, 0, 1)],
    "least and most": [-(2**63), 2**63 - 1, 0, 23, 24, -24, -25, -32, -33],
    "doubles": [0.1, -1.5, 1e300, 5e-324, 3.25e-7],
    "texts": ["a" * length for length in (0, 15, 16, 31, 32, 255, 256, 65535, 65536)],
    "characters": ['"\\/\b\f\n\r\t\x01\x1f\x7f\x80é€🌍', "\u2028"],
    "many": [list(range(20)), [True] * 70000, {f"key {number}": None for number in range(300)}],
    "empty": [[], {}],
}
WIDE = [2**63, 2**64 - 1]


def encoded_by(context: BuildContext, name: str, dataset: Dataset, format_id: str) -> Canonical | None:
    """What one encoder of a format makes of a dataset; None where it is not here or not for these data."""
    row = context.catalog.encoder(name)
    try:
        if not is_source(name):
            context.library(name.partition(":")[0])
    except (Unavailable, KeyError):
        return None
    stated = msgspec.structs.replace(FORMATS[format_id], encoders=[name])
    catalog = msgspec.structs.replace(context.catalog, formats={format_id: stated})
    encoders = Encoders(catalog, context.builder, context.library, "speed")
    made = encoders.encode(context.store, dataset, format_id)
    if made.unsupported or (row is not None and "cannot take it: the data" in made.reason):
        return None
    assert made.encoded is not None, made.reason
    return made


@pytest.mark.parametrize("format_id", SEVERAL)
def test_all_encoders_of_a_format_write_the_same_bytes(
    format_id: str, context: BuildContext, tmp_path: Path
) -> None:
    names = FORMATS[format_id].encoders
    rows = [context.catalog.encoder(name) for name in names]
    generated = any(row is not None and row.contender.generated for row in rows)
    datasets = []
    if generated:
        for spec in WITH_SCHEMA:
            path = ROOT / spec
            read = context.store.dataset(file_spec(path) if path.is_file() else parse_spec(spec))
            datasets.append(with_schema(context, read))
    else:
        datasets = [context.store.dataset(parse_spec(spec)) for spec in MADE]
        for number, data in enumerate((EDGES, EDGES | {"wide": WIDE})):
            path = tmp_path / f"{number}.json"
            path.write_text(json.dumps(data), "utf-8")
            datasets.append(context.store.dataset(file_spec(path)))
    compared: set[str] = set()
    for dataset in datasets:
        found = {name: encoded_by(context, name, dataset, format_id) for name in names}
        made = {name: each.encoded for name, each in found.items() if each and each.encoded}
        compared |= made.keys() if len(made) > 1 else set()
        for (one, first), (other, second) in pairwise(made.items()):
            assert first.path.read_bytes() == second.path.read_bytes(), (dataset.name, one, other)
    absent = [name for name in names if name not in compared]
    if len(absent) == len(names):
        pytest.skip(f"of {', '.join(names)} there are not two that take the same data")


def test_where_an_encoder_fails_the_next_one_makes_the_same_bytes(
    context: BuildContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = context.store.dataset(parse_spec("generated:2"))
    usual = context.canonical(dataset, "cbor")
    assert usual.encoded is not None and usual.encoder == "serbench"

    def broken(*_words: Any) -> Any:
        raise BuildFailed("the compiler is broken")

    monkeypatch.setattr(context.builder, "build_encoder", broken)
    other = context.canonical(dataset, "cbor")
    assert other.encoded is not None and other.encoder == "cbor2"
    assert other.encoded.sha256 == usual.encoded.sha256

    def absent(contender_id: str) -> Provided:
        raise Unavailable(f"{contender_id} is not here")

    nobody = Encoders(context.catalog, context.builder, absent, "speed")
    made = nobody.encode(context.store, dataset, "cbor")
    assert made.encoded is None and not made.unsupported
    assert (
        made.reason == "no CBOR input: cbor.c: the compiler is broken; python/cbor2: python/cbor2 is not here"
    )
    assert nobody.rows("cbor") == nobody.rows("thrift") == []
