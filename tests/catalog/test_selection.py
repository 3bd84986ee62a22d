"""Which rows the options choose, and what the manifests of the project hold."""

import re
from typing import get_args

import msgspec
import pytest

from serbench.catalog.load import load_catalog, unusable_libraries
from serbench.catalog.records import Catalog, is_source
from serbench.catalog.selection import (
    COMMON_DATASETS,
    COMMON_TESTS,
    DEFAULT_DATASETS,
    INSTEAD,
    select_rows,
    split,
    usual_datasets,
)
from serbench.commands.default_data import available_datasets
from serbench.commands.details import details, details_markdown
from serbench.commands.options import Datasets, chosen_settings
from serbench.datasets.limits import beyond, without_schema
from serbench.datasets.spec import parse_spec
from serbench.errors import UserError
from serbench.measure.calibration import START_SECONDS
from serbench.measure.plan import MEAN_SECONDS
from serbench.measure.precision import usual_budget
from serbench.project import ROOT
from serbench.run.inputs import Inputs
from tests.conftest import CONTENDERS


def ids(rows) -> set[str]:
    return {row.id for row in rows}


def test_everything_is_chosen_when_nothing_is_named(catalog: Catalog):
    everything = ids(catalog.rows(generated=True))
    published = {row for row in everything if row.endswith(":published")}
    assert published == {f"c/baseline:{test}:published" for test in ("write", "tree", "incremental")}
    unusual = ids(row for row in catalog.rows(generated=True) if row.test in ("serialize", "lookup"))
    assert unusual and ids(select_rows(catalog)) == everything - published - unusual
    assert ids(select_rows(catalog, published=True)) == everything - unusual
    assert ids(select_rows(catalog, ["serialize", "lookup"])) == unusual


def test_the_common_rows_are_those_of_manifests_that_say_so(catalog: Catalog):
    rows = select_rows(catalog, COMMON_TESTS, common=True)
    chosen = [row for row in rows if row.role == "contender"]
    assert chosen and all(row.contender.manifest.common and not row.variant for row in chosen)
    assert {row.test for row in rows} == set(COMMON_TESTS)
    languages = {name for h in catalog.harnesses.values() if h.place == "host" for name in h.languages}
    assert {row.language for row in chosen} == languages
    assert {"json", "messagepack", "cbor", "bson"} <= {row.format for row in chosen}
    own = ids(row for row in rows if row.role != "contender")
    assert own and own < ids(select_rows(catalog)) and not any(name.endswith(":published") for name in own)


def test_of_a_language_that_states_no_common_ones_all_are_common(catalog: Catalog):
    unstated = msgspec.structs.replace(
        catalog,
        contenders={
            name: msgspec.structs.replace(c, manifest=msgspec.structs.replace(c.manifest, common=False))
            if c.manifest.language == "zig"
            else c
            for name, c in catalog.contenders.items()
        },
    )
    chosen = ids(
        r for r in select_rows(unstated, common=True) if r.language == "zig" and r.role == "contender"
    )
    usual = [row for row in catalog.rows() if row.test in ("write", "tree", "incremental")]
    plain = {row.id for row in usual if row.language == "zig" and not row.variant}
    assert chosen == {name for name in plain if "baseline" not in name}


def test_baselines_come_along(catalog: Catalog):
    rows = select_rows(catalog, tests=["tree"], contenders=["mpack"])
    assert {"c/baseline:tree", "c/memcpy:tree", "c/mpack:tree"} <= ids(rows)
    assert {row.test for row in rows} == {"tree"}
    assert {row.contender.id for row in rows} == {"c/baseline", "c/memcpy", "c/mpack"}


@pytest.mark.parametrize("name", ["mpack", "MPack", "c/mpack", "mpac?", "c/mp*"])
def test_a_contender_has_several_names(name: str, catalog: Catalog):
    assert "c/mpack:write" in ids(select_rows(catalog, contenders=[name]))


def test_languages(catalog: Catalog):
    rows = select_rows(catalog, languages=["cpp"])
    languages = {r.contender.manifest.language for r in rows if r.contender.manifest.role == "contender"}
    assert languages == {"cpp"}


def test_lists_with_commas():
    assert split(["a,b", " c ", ",", "d,"]) == ["a", "b", "c", "d"]


def test_javascript_alone_is_measured_on_data_that_it_can_take(catalog: Catalog):
    stated = catalog.harnesses["javascript"].datasets
    for options in ({"languages": ["javascript"]}, {"contenders": ["msgpackr", "pbf"]}):
        assert usual_datasets(catalog, select_rows(catalog, **options)) == stated
    for options in (
        {},
        {"languages": ["c", "javascript"]},
        {"languages": ["c", "cpp"]},
        {"languages": ["zig"]},
    ):
        assert usual_datasets(catalog, select_rows(catalog, **options)) == DEFAULT_DATASETS
    assert [spec.name for spec in Inputs().chosen(stated)] == stated
    assert [spec.name for spec in Inputs(datasets=["generated:1"]).chosen(stated)] == ["generated:1"]
    assert [spec.name for spec in Inputs().chosen()] == list(DEFAULT_DATASETS)
    # The help says both.
    kinds = get_args(Datasets)[1].help
    for names in (stated, DEFAULT_DATASETS, COMMON_DATASETS):
        assert ",".join(names) in kinds


def test_every_library_in_javascript_has_a_row_on_one_of_these(catalog: Catalog, context):
    schemas = [parse_spec(name).schema for name in catalog.harnesses["javascript"].datasets]
    contenders = [c for c in catalog.contenders.values() if c.manifest.language == "javascript"]
    left = {c.id for c in contenders if all(without_schema(c.manifest.schemas, schema) for schema in schemas)}
    # These two are for arrays in place of maps.
    assert left == {"javascript/avsc-unmapped", "javascript/js-binary-unmapped"}
    limits = catalog.contenders["javascript/bser"].manifest.limits

    def refused(names):
        made = {name: context.store.dataset(parse_spec(name)).facts for name in names}
        return [name for name, facts in made.items() if beyond(limits, facts)]

    assert refused(catalog.harnesses["javascript"].datasets) == []
    assert refused(DEFAULT_DATASETS) == ["generated:4"]


def test_a_usual_document_that_cannot_be_fetched_has_a_stand_in(monkeypatch):
    def absent(name, _cache):
        raise UserError(f"{name} is far away")

    monkeypatch.setattr("serbench.commands.default_data.fetched", lambda name, _cache: name)
    assert available_datasets(COMMON_DATASETS) == (list(COMMON_DATASETS), [])
    monkeypatch.setattr("serbench.commands.default_data.fetched", absent)
    datasets, (said,) = available_datasets(COMMON_DATASETS)
    assert datasets == [INSTEAD, *COMMON_DATASETS[1:]]
    assert INSTEAD in said and COMMON_DATASETS[0] in said and "is far away" in said
    assert [parse_spec(name).name for name in datasets] == datasets


def test_the_time_of_a_run_without_options_is_enough_for_all_launches(catalog: Catalog):
    rows = select_rows(catalog, COMMON_TESTS, common=True)
    quick = chosen_settings(False, None, [], 0, True, [])
    harnesses = [catalog.harness(row.language) for row in rows for _ in COMMON_DATASETS]
    sampling = max(quick.seconds_per_launch, MEAN_SECONDS)
    planned = quick.launches * sum(START_SECONDS + each.warmup_seconds + sampling for each in harnesses)
    assert planned < 0.9 * usual_budget(quick, len(harnesses))


def test_nothing_left_is_an_error(catalog: Catalog):
    with pytest.raises(UserError, match="no row is selected"):
        select_rows(catalog, tests=["incremental"], contenders=["jansson"])


def test_a_folder_from_anywhere_joins_and_replaces(catalog: Catalog, tmp_path):
    joined = load_catalog(ROOT, [CONTENDERS / "rounding"])
    assert set(joined.contenders) == {*catalog.contenders, "c/rounding"}
    folder = tmp_path / "mpack"
    folder.mkdir()
    (folder / "contender.toml").write_text('name="other"\nlanguage="c"\nformat="json"\n[tests]\ntree="t.c"\n')
    replaced = load_catalog(ROOT, [folder])
    assert set(replaced.contenders) == set(catalog.contenders)
    assert replaced.contenders["c/mpack"].folder == folder


def test_limits_and_labels_of_a_row(tmp_path):
    folder = tmp_path / "x"
    folder.mkdir()
    (folder / "contender.toml").write_text(
        'name="x"\nlanguage="c"\nformat="json"\ndefines=["A"]\nlabels=["all"]\n'
        '[tests]\nwrite="w.c"\ntree="t.c"\n[limits]\ndepth=5\n[test-limits.tree]\ndepth=6\n'
        '[test-labels]\ntree=["trees"]\n'
        '[variants.v]\ntests=["tree"]\ndefines=["B"]\nlabels=["v"]\nsources={tree="u.c"}\nlimits={depth=7}\n'
    )
    rows = {row.id: row for row in load_catalog(ROOT, [folder]).rows() if row.contender.id == "c/x"}
    assert set(rows) == {"c/x:write", "c/x:tree", "c/x:tree:v"}
    assert [row.limits.depth for row in rows.values()] == [5, 6, 7]
    assert [row.labels for row in rows.values()] == [["all"], ["all", "trees"], ["all", "trees", "v"]]
    assert [row.defines for row in rows.values()] == [["A"], ["A"], ["A", "B"]]
    assert [row.source.name for row in rows.values()] == ["w.c", "t.c", "u.c"]


def test_the_project_s_own_manifests_agree(catalog: Catalog):
    for harness in catalog.harnesses.values():
        assert catalog.contenders[harness.baseline].manifest.role == "baseline"
    for row in catalog.rows():
        assert row.source.is_file(), row.id
        assert row.contender.manifest.license or row.contender.manifest.role != "contender", row.id
    for format_id, stated in catalog.formats.items():
        assert stated.encoding, format_id
        for name in stated.encoders:
            row = catalog.encoder(name)
            assert is_source(name) or (row and row.format == format_id), name
            assert not row or not row.variant or "write" in row.contender.manifest.variants[row.variant].tests


def test_every_contender_says_which_calls_it_makes_and_which_not(catalog: Catalog):
    for contender in catalog.contenders.values():
        manifest = contender.manifest
        assert len(manifest.api.split()) >= 5 and manifest.license, contender.id
        if manifest.role == "contender":
            assert manifest.homepage and len(manifest.left_out.split()) >= 4, contender.id


def test_a_library_that_is_no_contender_has_its_reason(catalog: Catalog, tmp_path):
    names = {contender.manifest.name for contender in catalog.contenders.values()}
    languages = {language for harness in catalog.harnesses.values() for language in harness.languages}
    tried = [each for language in languages for each in unusable_libraries(ROOT, language)]
    assert tried and not {each.name for each in tried} & names
    assert all(each.homepage.startswith("https://") and len(each.reason.split()) > 4 for each in tried)
    shown = details_markdown(details(catalog, catalog.contenders.values()))
    assert all(each.reason in shown for each in tried)
    folder = tmp_path / "contenders" / "c"
    folder.mkdir(parents=True)
    assert unusable_libraries(tmp_path, "c") == []
    (folder / "unusable.toml").write_text('[[library]]\nname = "a"\nwhy = "none"\n')
    with pytest.raises(UserError, match=r"unusable\.toml: .*`why`"):
        unusable_libraries(tmp_path, "c")


def test_what_is_only_sized_is_no_row(catalog):
    rows = {row.id: row for row in catalog.rows()}
    for name in ("cpp/rapidjson:write", "cpp/msgpack-cxx:write"):
        grown = rows[name].grown
        assert grown is not None and grown.id == f"{name}:second-stream" and grown.id not in rows
        assert grown.grown is None and grown.defines == [*rows[name].defines, "SECOND_STREAM"]
    assert rows["cpp/rapidjson:tree"].grown is None and rows["c/mpack:write"].grown is None


def test_what_a_newer_version_does_better_is_no_label_of_its_row(catalog):
    row = next(row for row in catalog.rows() if row.id == "cpp/msgpack-cxx:write")
    (change,) = row.contender.manifest.since
    for version in ("", "4.1.3-1", "6.9.9"):
        assert row.for_version(version) is row
    for version in (change.version, "7.0.0-1+b1", "10.0"):
        newer = row.for_version(version)
        assert newer.id == row.id
        assert set(row.labels) - set(newer.labels) == {"writes integral doubles as integers"}


def test_languages_md_says_which_libraries_with_a_schema_take_which_data(catalog: Catalog):
    said = " ".join((ROOT / "docs/languages.md").read_text("utf-8").split())
    said = said.partition("On mapped records: all except ")[2].partition("The schema of the others")[0]
    mapped, unmapped, optional = re.split(" On `:(?:unmapped|optional)`: ", said)
    taking = {
        schema: {c.manifest.name for c in catalog.contenders.values() if schema in c.manifest.schemas}
        for schema in ("records", "records-unmapped", "records-optional")
    }
    every = set().union(*taking.values())
    assert names_in(mapped, every) == every - taking["records"]
    assert names_in(unmapped, every) | names_in(mapped, every) == taking["records-unmapped"]
    assert names_in(optional, every) == taking["records-optional"]


def names_in(sentence: str, names: set[str]) -> set[str]:
    """Those of `names` that a list in words has."""
    parts = re.split(r", | and ", sentence.strip(" .").rpartition("all but ")[2])
    return {part.strip(" .`") for part in parts} & names
