"""README's examples and docs/results/TABLES.md are made from run files."""

from pathlib import Path

import msgspec
import zstandard
from benchmarks.published import (
    DATASET,
    LINES,
    MARKS,
    README,
    RUNS,
    TABLES,
    published_runs,
    readme_examples,
    tables,
    with_examples,
)

from serbench.catalog.load import load_catalog
from serbench.catalog.records import NEEDS_SCHEMA
from serbench.project import ROOT
from serbench.results.schema import Run
from serbench.results.summary import summarise
from serbench.worker.records import Losses
from tests.publish.history.runs import small_run

MOST_BYTES = 6_000_000
REMEDY = "run PYTHONPATH=src .venv/bin/python -m benchmarks.published"


def reading_run(dataset: str) -> Run:
    """A run in which MPack and YAJL read; YAJL needs a schema, and loses something."""
    run = small_run(0)
    run.datasets[0].name = dataset
    for row in run.rows:
        row.dataset = dataset
        if row.contender == "YAJL":
            row.labels, row.losses = [NEEDS_SCHEMA], Losses(integers=7)
    run.settings.command = ["run", "--datasets", dataset]
    run.summary = summarise(run)
    return run


def test_a_readers_table_has_the_fastest_with_and_without_a_schema(tmp_path: Path):
    for name in ("other:1", "corpus:citm_catalog"):
        packed = zstandard.compress(msgspec.json.encode(reading_run(name)))
        (tmp_path / f"{name}.json.zst").write_bytes(packed)
    runs = published_runs(tmp_path)
    made = tables(runs)
    assert made.count("\n## ") == 2 and made.index("citm") < made.index("other:1")
    assert "./serbench run --datasets other:1" in made and "changes 7 integers beyond 2^53" in made
    lines = [line for line in made.splitlines() if line.startswith(("| C | no ", "| C | yes "))]
    assert [line.split(" | ")[1:3] for line in lines] == 2 * [
        ["no", "MPack, MessagePack"],
        ["yes", "YAJL, JSON"],
    ]
    readme = f"# Head\n\n{MARKS[0]}\n\nold\n\n{MARKS[1]}\n\nfoot\n"
    new = with_examples(readme, readme_examples(runs))
    assert new == with_examples(new, readme_examples(runs)) and "old" not in new
    assert new.startswith("# Head\n") and new.endswith(f"\n{MARKS[1]}\n\nfoot\n")
    assert "\n    Answer for corpus:citm_catalog" in new and "./serbench run --datasets corpus:citm" in new


def test_the_run_of_the_examples_in_readme_is_published():
    examples = README.read_text("utf-8").partition(MARKS[0])[2].partition(MARKS[1])[0]
    (name,) = [line.split()[-1] for line in examples.splitlines() if line.startswith("    ./serbench report")]
    assert (ROOT / name).is_file()
    assert examples.count("\n    ...\n") == 2
    blocks = [block for block in examples.split("\n\n") if block.startswith("    ")]
    assert [len(block.splitlines()) for block in blocks] == [LINES + 1, 1, LINES + 1]
    assert all(len(line) <= 4 + 80 for block in blocks for line in block.splitlines())


def test_what_is_published_is_made_of_the_published_run_files():
    runs = published_runs()
    assert TABLES.read_text("utf-8") == tables(runs), REMEDY
    readme = README.read_text("utf-8")
    assert with_examples(readme, readme_examples(runs)) == readme, REMEDY

    assert all(path.name.endswith(".json.zst") for path in RUNS.iterdir())
    assert sum(path.stat().st_size for path in RUNS.iterdir()) < MOST_BYTES
    languages = {each.manifest.language for each in load_catalog(ROOT).contenders.values()}
    names = [data.name for run in runs for data in run.datasets]
    assert DATASET in names and sorted(set(names)) == sorted(names) and len(names) >= 4
    for run in runs:
        timed = {sample.row for sample in run.samples}
        assert run.complete and run.revision and not run.revision.changed
        assert {row.language for row in run.rows if row.role == "contender" and row.id in timed} == languages
