"""Code size: the same when linked anew, blind to what is not used, and not for what is no program."""

from pathlib import Path

import pytest

from serbench.build import Builder
from serbench.build.configuration import Configuration
from serbench.catalog.load import load_catalog
from serbench.catalog.records import PROFILES, Row
from serbench.catalog.source import Source
from serbench.commands.scaffold import new_contender
from serbench.measure.codesize import NotMeasurable, text_and_data
from serbench.project import CACHE, ROOT
from serbench.provision import Provided
from serbench.run.context import BuildContext
from serbench.run.counting import Counter
from serbench.run.proving import prove
from serbench.verify.proof_cache import ProofCache
from tests.conftest import LIMITS, of_harnesses

NOTHING = Provided(source=Source())
UNUSED = """
int nobody_calls_this(int x);
int nobody_calls_this(int x) { return x * 3 + 1; }
"""
USED = """
static volatile char table[4096] = {1};
bool sb_setup(void) { return table[(unsigned char)sb_library_version()[0]] == 0; }
"""


LANGUAGES = {"c": ".c", "cpp": ".cpp"}


@pytest.fixture(params=[(language, profile) for language in LANGUAGES for profile in PROFILES])
def size(request):
    """Measures text and data of the template's tree test in a folder: of each language, in each profile."""
    language, profile = request.param

    def of(folder: Path, cache: Path) -> int:
        catalog = load_catalog(ROOT, [folder])
        row = Row(contender=catalog.contenders[f"{language}/{folder.name}"], test="tree")
        built = Builder(catalog, cache).build(row, NOTHING, profile, "static")
        return text_and_data(Path(built.command[0]))

    of.language = language
    return of


@pytest.fixture
def contender(tmp_path, size):
    """A contender of the template whose reader has something added."""

    def make(name: str, addition: str = "") -> Path:
        folder = new_contender(load_catalog(ROOT), size.language, name, tmp_path)
        source = folder / f"tree{LANGUAGES[size.language]}"
        source.write_text(source.read_text() + addition)
        return folder

    return make


def test_linked_twice_it_is_the_same(size, contender, tmp_path):
    folder = contender("mylib")
    assert size(folder, CACHE) == size(folder, tmp_path / "another cache")


def test_an_unused_function_does_not_count_and_a_used_one_does(size, contender):
    plain = size(contender("plain"), CACHE)
    assert size(contender("with-unused", UNUSED), CACHE) == plain
    assert size(contender("with-used", USED), CACHE) >= plain + 4096


@pytest.mark.parametrize("profile", PROFILES)
def test_a_second_output_stream_makes_code_grow_and_is_no_row(ready, context, generated, tmp_path, profile):
    rows = [ready(name).row for name in ("cpp/rapidjson:write", "c/yajl:write")]
    chosen = Configuration(profile=profile)
    # Or every reader would be built, to read back what the two write.
    one = BuildContext(of_harnesses(context.catalog, ["c"]), CACHE, [chosen], jobs=context.jobs)
    one.build(rows)
    (item,) = prove(one, rows, [generated("generated:2")], tmp_path, LIMITS)
    Counter(one, [item], LIMITS, ProofCache()).code_sizes(lambda _what, _number: lambda: None)
    rapidjson, yajl = (record for record, _, _ in item.rows)
    assert rapidjson.code_growth and 0 < rapidjson.code_growth < 4 * rapidjson.code_size
    assert f"a second output stream adds {rapidjson.code_growth:,} bytes of code" in rapidjson.labels
    assert yajl.code_size and yajl.code_growth is None and not any("adds" in x for x in yajl.labels)


def test_what_is_no_program_is_not_measurable(tmp_path):
    (tmp_path / "text").write_text("no program")
    with pytest.raises(NotMeasurable):
        text_and_data(tmp_path / "text")
