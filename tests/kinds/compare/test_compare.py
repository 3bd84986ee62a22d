"""`compare`, `repeat RUN` and `report --relative-to`, end to end with two contenders whose order is sure."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from serbench.catalog.load import load_catalog
from serbench.commands.scaffold import new_contender
from serbench.kinds.compare.command import rows_of, sides_of
from serbench.kinds.compare.contenders import compare_contenders
from serbench.measure.calibration import WARMUP_NS
from serbench.measure.records import Comparing
from serbench.project import ROOT
from serbench.report.render import render
from serbench.results.load import load_run
from serbench.results.revision import name_of, own_revision
from serbench.results.schema import Run
from tests.brief import BUDGET, brief
from tests.shorten import LAUNCHES

Call = Callable[..., object]
BUSY = "static void busy(void) { for (volatile int i = 0; i < 1000000; i++) {} }\n"


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two contenders from the template; the slow one does many times the work."""
    parent = tmp_path_factory.mktemp("contenders")
    fast, slow = (new_contender(load_catalog(ROOT), "c", name, parent) for name in ("fast", "slow"))
    for source, call in ((slow / "write.c", "sb_write"), (slow / "tree.c", "sb_read")):
        text = re.sub(
            rf"^(bool {call}\(.*\) {{)", rf"{BUSY}\1 busy();", source.read_text(), flags=re.MULTILINE
        )
        assert "busy();" in text
        source.write_text(text)
    return fast, slow


@pytest.fixture(scope="module")
def compared(folders: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory):
    """`compare slow --against fast`: the process and its run file."""
    output = tmp_path_factory.mktemp("run") / "ab.json"
    fast, slow = folders
    done = brief(
        *("compare", "slow", "--against", "fast", "--contender", fast, "--contender", slow),
        *("--datasets", "generated:1", *BUDGET, "--seed", "5", "--output", output),
    )
    return done, output


def test_many_times_the_work_is_slower_and_the_status_says_so(compared) -> None:
    done, output = compared
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Verdict: 2 slower" in done.stdout
    assert "old: fast 0.1" in done.stdout and "new: slow 0.1" in done.stdout
    assert "Where a linker happens to put code" in done.stdout and "corrected by Holm" in done.stdout
    found = compare_contenders(load_run(output), "c/slow", "c/fast", 0.03)
    assert [row.name for row in found.rows] == ["write generated:1", "tree generated:1"]
    assert all(row.ratio is not None and row.ratio > 10 for row in found.rows)
    back = compare_contenders(load_run(output), "c/fast", "c/slow", 0.03)
    assert [row.verdict for row in back.rows] == ["faster", "faster"] and not back.slower


def test_what_was_seen_before_the_run_is_kept_in_its_file(compared) -> None:
    done, output = compared
    printed = [line for line in done.stderr.splitlines() if line.startswith("Before measuring: ")]
    run = load_run(output)
    assert [note for note in run.notes if note.startswith("Before measuring: ")] == printed
    assert run.revision is not None and run.revision == own_revision(ROOT)
    assert f"serbench | {run.serbench}, {name_of(run.revision)}" in render([run], "markdown")


def test_both_were_sampled_in_the_same_launches(compared) -> None:
    run = load_run(compared[1])
    names = {row.id: (row.contender_id, row.test) for row in run.rows}
    seen: dict[tuple[str, str], set[tuple[int, int]]] = {}
    for sample in run.samples:
        seen.setdefault(names[sample.row], set()).add((sample.launch, sample.round))
    for test in ("write", "tree"):
        assert seen["c/slow", test] & seen["c/fast", test]
        launches = [{launch for launch, _ in seen[f"c/{name}", test]} for name in ("slow", "fast")]
        assert launches[0] == launches[1] == set(range(LAUNCHES))
    # And with nothing else that would take time but what is subtracted; in turns as short as they may be.
    assert {row.role for row in run.rows} == {"contender", "baseline"}
    assert run.settings.warmup_ns < WARMUP_NS


def test_a_run_file_against_itself_is_the_same_program(command: Call, compared) -> None:
    done = command("compare", compared[1], compared[1])
    assert done.returncode == 0 and "! " not in done.stdout
    assert done.stdout.count("same program") >= 4 and "Verdict: 4 same program" in done.stdout


def test_a_run_is_repeated_as_it_was(
    command: Call, folders: tuple[Path, Path], compared, tmp_path: Path
) -> None:
    before = load_run(compared[1])
    given = [word for folder in folders for word in ("--contender", folder)]
    again = tmp_path / "again.json"
    document = json.loads(compared[1].read_bytes())
    document["settings"] |= {"launches": 2, "max_launches": 2}
    document["datasets"][0]["tape_sha256"] = "0" * 64
    edited = tmp_path / "edited.json"
    edited.write_text(json.dumps(document))
    done = command("repeat", edited, *given, "--output", again)
    assert done.returncode == 1, done.stdout + done.stderr  # as the comparison that it repeats
    assert "Verdict: 2 slower" in done.stdout
    after = load_run(again)

    def asked(run: Run) -> list[tuple[str, str, str, str, str]]:
        return sorted((r.row, r.dataset, r.profile, r.toolchain, r.allocator) for r in run.rows)

    assert asked(after) == asked(before)
    assert {r.program for r in after.rows} == {r.program for r in before.rows}
    assert after.settings.seed == 5 and after.settings.launches == 2
    said = "generated:1 is not the data that the run ab measured"
    assert any(said in note for note in after.notes)
    assert "Repeats the run" in done.stdout and "Different data" in done.stdout


def test_an_interrupted_comparison_ends_with_its_verdict_when_it_is_resumed(
    command: Call, folders: tuple[Path, Path], compared, tmp_path: Path
) -> None:
    document = json.loads(compared[1].read_bytes())
    document |= {"complete": False, "finished": "", "stops": [], "summary": None}
    document["samples"] = [sample for sample in document["samples"] if sample["launch"] < 1]
    half = tmp_path / "half.json"
    half.write_text(json.dumps(document))
    given = [word for folder in folders for word in ("--contender", folder)]
    done = command("resume", half, *given)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Verdict: 2 slower" in done.stdout
    after = load_run(half)
    assert after.complete and len({sample.launch for sample in after.samples}) == LAUNCHES
    assert after.settings.comparing == Comparing(new="c/slow", old="c/fast", threshold=0.03)


def test_only_rows_that_both_have_are_measured_and_the_others_are_named() -> None:
    rows, left_out = rows_of(load_catalog(ROOT), "c/mpack", "c/cmp", ())
    sides = [
        {(row.test, row.variant) for row in rows if row.contender.id == side} for side in ("c/mpack", "c/cmp")
    ]
    assert sides[0] == sides[1] == {("write", ""), ("incremental", "")}
    assert {row.test for row in rows if row.contender.manifest.role == "baseline"} == {"write", "incremental"}
    assert {row.contender.id for row in rows} == {"c/mpack", "c/cmp", "c/baseline"}
    (said,) = left_out
    assert said.startswith("Not compared, as c/mpack alone has it: ")
    named = sorted(said.rstrip(".").partition(": ")[2].split(", "))
    others = ["tree", "tree (utf8)", "write (tracking)"]
    assert named == ["incremental (tracking)", "incremental (utf8)", *others]
    assert rows_of(load_catalog(ROOT), "c/cmp", "c/mpack", ["write"])[1] == [
        "Not compared, as c/mpack alone has it: write (tracking)."
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["compare"], "compare takes two run files"),
        (["compare", "mpack"], "compare takes two run files"),
        (["compare", "mpack", "--against", "mpak"], "did you mean 'mpack'"),
        (["compare", "mpack", "--against", "c/mpack"], "cannot be compared with itself"),
        (
            ["compare", "mpack", "--against", "cmp", "--tests", "tree"],
            "no row in common: the one has tree, tree (utf8), the other none",
        ),
        (["compare", "one.json", "two.json"], "there is no run file one.json"),
        (["compare", "--use", "mpack=."], "does not look like a checkout of MPack"),
        (["compare", "--use", "mpack@x=nowhere"], "there is no folder 'nowhere'"),
        (["repeat", "nothing.json"], "there is no run file nothing.json"),
        (["report", "{run}", "--relative-to", "fats"], "did you mean 'fast'"),
        (["report", "{run}", "--contenders", "fast"], "goes with --relative-to"),
        (["report", "{run}", "--relative-to", "fast", "--format", "bencher"], "no place for ratios"),
        (
            ["report", "{run}", "--html", "{run}.html", "--relative-to", "fast"],
            "--relative-to goes without it",
        ),
        (["report", "{run}", "--html", "{run}.html", "--format", "csv"], "--format goes without it"),
        (["report", "{run}", "--html", "{run}.html", "-o", "x.md"], "--output goes without it"),
        (["repeat", "{run}"], "rows of c/fast, c/slow that are not here"),
        (["repeat", "{run}", "--tests", "tree"], "No such option"),
        (["repeat", "{run}", "--seed", "1"], "No such option"),
    ],
)
def test_bad_words_are_one_sentence(command: Call, compared, words: list[str], message: str) -> None:
    done = command(*(word.replace("{run}", str(compared[1])) for word in words))
    assert done.returncode == 2
    assert message in " ".join(done.stderr.split()) and "Traceback" not in done.stderr


def test_data_of_another_name_is_refused_when_a_run_is_repeated(
    command: Call, folders: tuple[Path, Path], compared, tmp_path: Path
) -> None:
    document = json.loads(compared[1].read_bytes())
    document["datasets"][0]["name"] = "mine.json"
    edited = tmp_path / "edited.json"
    edited.write_text(json.dumps(document))
    given = [word for folder in folders for word in ("--contender", folder)]
    done = command("repeat", edited, *given)
    assert done.returncode == 2 and "the run measured the file mine.json" in done.stderr
    (tmp_path / "other.json").write_text("[1]")
    done = command("repeat", compared[1], *given, "--data", tmp_path / "other.json")
    assert done.returncode == 2 and "the run did not measure other.json" in done.stderr


def test_a_report_relative_to_a_contender(command: Call, compared) -> None:
    done = command("report", compared[1], "--relative-to", "fast")
    assert done.returncode == 0
    assert "Geometric mean · all tests" in done.stdout
    assert "write generated:1 speed; tree generated:1 speed" in " ".join(done.stdout.split())
    made = json.loads(command("report", compared[1], "--relative-to", "fast", "--format", "json").stdout)
    means = {m["contender"]: m["ratio"] for m in made["geometric_means"] if m["test"] == "all tests"}
    assert means["fast"] == 1 and means["slow"] > 10


@pytest.mark.parametrize(
    ("labels", "new"),
    [
        (("old", "new"), "new"),
        (("new", "old"), "new"),
        (("new", "base"), "new"),
        (("change", "old"), "change"),
        (("a", "b"), "b"),
        (("old", "b"), "b"),
        (("b", "new"), "new"),
    ],
)
def test_labels_say_which_side_is_new(labels: tuple[str, str], new: str) -> None:
    usual = load_catalog(ROOT)
    mpack = usual.contenders["c/mpack"]
    contenders = dict(usual.contenders)
    for label in labels:
        contenders[f"c/mpack@{label}"] = msgspec.structs.replace(mpack, id=f"c/mpack@{label}")
    catalog = msgspec.structs.replace(usual, contenders=contenders)
    (old,) = set(labels) - {new}
    uses = [f"mpack@{label}=a=b" for label in labels]
    assert sides_of(catalog, [], "", uses) == (f"c/mpack@{new}", f"c/mpack@{old}")
    with_usual = sides_of(catalog, [], "", uses[:1])
    assert with_usual[labels[0] == "old"] == f"c/mpack@{labels[0]}" and "c/mpack" in with_usual
