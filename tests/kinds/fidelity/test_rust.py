"""The probe of fidelity in Rust finds what is known of libraries, and every fate in one made up for it."""

import shutil
from types import SimpleNamespace

import pytest
from harness.rust.build import PROBE, answer

from serbench.catalog.load import load_catalog, read_contender
from serbench.catalog.records import Row
from serbench.catalog.source import Source
from serbench.kinds.fidelity.step import fidelity_of
from serbench.project import CACHE, ROOT
from serbench.provision.records import Provided
from serbench.run.context import BuildContext
from serbench.run.probing import probed_rows, takes_part
from serbench.verify.proof_cache import ProofCache
from tests.languages import needs

rust = needs("rust")

ODD = """
use std::io::{Error, ErrorKind};
use serde::{Serialize, de::DeserializeOwned};

pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, serde_json::Error> {
    let data = serde_json::to_vec(value)?;
    match data.as_slice() {
        br#"{"value":"a"}"# => panic!("no letters"),
        br#"{"value":0.1}"# => Ok(br#"{"value":0.2}"#.to_vec()),
        br#"{"value":[null,null]}"# => Err(serde_json::Error::io(Error::new(ErrorKind::Other, "no units"))),
        _ => Ok(data),
    }
}

pub fn decode<T: DeserializeOwned>(data: &[u8]) -> Result<T, serde_json::Error> {
    match data {
        br#"{"value":1.0}"# => panic!("no ones"),
        br#"{"value":""}"# => std::process::abort(),
        br#"{"value":[0,1,255]}"# => Err(serde_json::Error::io(Error::new(ErrorKind::Other, "no bytes"))),
        _ => serde_json::from_slice(data),
    }
}
"""


def probed(catalog, *ids, built=True, peers=True):
    """The fidelity of some contenders, by their names."""
    rows = [row for row in catalog.rows() if row.contender.id in ids]
    context = BuildContext(catalog, CACHE)
    found = fidelity_of(context, rows, ProofCache(), lambda *_: lambda: None, peers=peers, built=built)
    return {record.contender_id: record for record in found}


@pytest.fixture(scope="module")
def found():
    """The libraries of CBOR, of which each reads what the other wrote."""
    return probed(load_catalog(ROOT), "rust/ciborium")


def fates(record):
    assert record.status == "ok", record.reason
    return {fate.probe: fate for fate in record.values}


@rust
@pytest.mark.parametrize(
    ("probe", "mark", "at"),
    [
        ("f64::NAN", "same", ""),
        ("u128::MAX", "same", ""),
        ("-0.0", "same", ""),
        ("key (1, 2)", "same", ""),
        ("Some(None)", "changed", ""),
        ("nested 1000", "refused", "read"),
    ],
)
def test_what_a_library_does_to_values(probe, mark, at, found):
    fate = fates(found["rust/ciborium"])[probe]
    assert (fate.mark, fate.at) == (mark, at), fate.found


@rust
def test_only_what_was_asked_for_is_told_though_others_of_the_format_write_for_it(found):
    assert list(found) == ["rust/ciborium"]
    values = fates(found["rust/ciborium"])
    assert values["Some(None)"].found == "None" and len(values) > 50
    assert not [fate for fate in values.values() if fate.mark in ("form", "failed", "polluted")]


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """A library that is made up, on the crates of serde_json: a value is changed, refused, or panics.

    It depends on serde itself, without what a probe needs of that.
    """
    folder = tmp_path_factory.mktemp("odd") / "odd"
    shutil.copytree(ROOT / "contenders" / "rust" / "serde_json", folder)
    (folder / PROBE).write_text(ODD)
    crates = folder / "Cargo.toml"
    crates.write_text(crates.read_text().replace("[dependencies]\n", '[dependencies]\nserde = "1"\n'))
    manifest = folder / "contender.toml"
    # A format of which no other library in Rust is probed.
    manifest.write_text(
        manifest.read_text().replace('= "json"', '= "ubjson"').replace('"serde_json"', '"odd"', 1)
    )
    return probed(load_catalog(ROOT, [folder]), "rust/odd")["rust/odd"]


@rust
@pytest.mark.parametrize(
    ("probe", "mark", "at", "came_back"),
    [
        ("0.1", "changed", "", "0.2"),
        ("f64::NAN", "refused", "read", "invalid type: null, expected f64"),
        ("[(), ()]", "refused", "write", "no units"),
        ("Vec<u8>", "refused", "read", "no bytes"),
        ("'a'", "failed", "write", "it panics: no letters"),
        ("1.0", "failed", "read", "it panics: no ones"),
        ("u64::MAX", "same", "", ""),
    ],
)
def test_fates_in_a_made_up_library(probe, mark, at, came_back, odd):
    fate = fates(odd)[probe]
    assert (fate.mark, fate.at) == (mark, at)
    assert fate.found.startswith(came_back)


@rust
def test_a_process_that_ends_costs_its_value_only(odd):
    values = fates(odd)
    assert values['""'].mark == "failed" and "SIGABRT" in values['""'].found
    assert values['"a\\0b"'].mark == "same"


@rust
def test_the_worker_is_the_same_with_and_without_a_probe(tmp_path):
    folder = tmp_path / "contenders" / "rust" / "serde_json"
    shutil.copytree(ROOT / "contenders" / "rust" / "serde_json", folder)
    contender = read_contender(folder)

    def digest(want):
        builder = BuildContext(load_catalog(ROOT), CACHE).builder
        row = Row(contender=contender, test="write")
        (recipe,) = answer(builder._row_request(want, row, Provided(source=Source()), "speed")).recipes
        return [builder._digest(each, []) for each in recipe.inputs]

    worker, probe = digest("worker"), digest("probe")
    (folder / PROBE).write_text("another probe")
    assert digest("worker") == worker and digest("probe") != probe
    (folder / "main.rs").write_text("another worker")
    assert digest("worker") != worker


def test_only_a_contender_with_a_probe_takes_part_and_its_worker_is_not_needed(catalog):
    context = SimpleNamespace(catalog=catalog)
    rows = [row for row in catalog.rows() if row.language == "rust"]
    names = {row.contender.folder.name for row in rows if takes_part(context, row.contender)}
    assert {"serde_json", "ron", "bson"} <= names and not {"rmp", "minicbor", "baseline"} & names
    assert probed_rows(context, rows, peers=True) == []


def test_no_other_command_builds_a_probe(catalog):
    assert probed(catalog, "rust/serde_json", built=False, peers=False) == {}
