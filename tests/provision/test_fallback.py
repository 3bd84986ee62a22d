"""A library that does not build comes from its next source, in that configuration, and its rows say why."""

from pathlib import Path

import pytest

from serbench.build.configuration import Configuration
from serbench.catalog.load import load_catalog
from serbench.catalog.records import Contender
from serbench.commands.scaffold import new_contender
from serbench.project import CACHE, ROOT
from serbench.provision import Provided
from serbench.run import libraries as module
from serbench.run.context import BuildContext
from serbench.run.proving import prove
from tests.conftest import LIMITS

SOURCES = """\
[[source]]
debian-source = "first"
files         = ["lib.c"]

[[source]]
debian-package = "second"
header-only    = true
labels         = ["somewhat older"]

[tests]"""


@pytest.fixture
def context_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A context with the contender `tiny`, whose first source has the given text, in some profiles."""

    def provide(contender: Contender, _cache: Path, _prefixes: object, _catalog: object) -> Provided:
        source = contender.manifest.source[0]
        return Provided(source=source, root=tmp_path, origin=source.name)

    def make(text: str, *configurations: Configuration) -> BuildContext:
        folder = new_contender(load_catalog(ROOT), "c", "tiny", tmp_path)
        manifest = folder / "contender.toml"
        manifest.write_text(manifest.read_text().replace("[tests]", SOURCES))
        (tmp_path / "lib.c").write_text(text)
        monkeypatch.setattr(module, "provide", provide)
        return BuildContext(load_catalog(ROOT, [folder]), CACHE, configurations)

    return make


def test_the_row_says_why_its_first_source_was_not_used(context_of, generated, tmp_path: Path) -> None:
    speed, size = Configuration(), Configuration(profile="size")
    made = context_of("#ifdef __OPTIMIZE_SIZE__\n#error too small\n#endif\n", size, speed)
    rows = [row for row in made.catalog.rows() if row.contender.id == "c/tiny" and row.test == "tree"]
    small, fast = (made.build(rows, configuration=c)["c/tiny:tree"] for c in (size, speed))
    assert (fast.status, fast.provided.source.name, fast.provided.skipped_sources) == (
        "ok",
        "first",
        (),
    )
    assert (small.status, small.provided.source.name) == ("ok", "second")
    (why,) = small.provided.skipped_sources
    assert why.startswith("first does not build (it does not build: ") and "#error too small" in why

    (item,) = prove(made, rows, [generated("generated:1")], tmp_path / "outputs", LIMITS)
    labels = {record.profile: record.labels for record, _, _ in item.rows}
    assert f"not from the source that comes first: {why}" in labels["size"]
    assert "somewhat older" in labels["size"] and "somewhat older" not in labels["speed"]
    assert not any("not from the source" in label for label in labels["speed"])
