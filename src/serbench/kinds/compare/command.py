"""`serbench compare`: two contenders in the same launches, or two run files."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from serbench.catalog.records import Catalog, Row
from serbench.catalog.selection import select_rows, split, usual_datasets
from serbench.commands.bootstrap import new_run_file
from serbench.commands.carry_out import RunRequest, carry_out
from serbench.commands.options import (
    Allocators,
    Budget,
    Count,
    Cpus,
    Data,
    Datasets,
    Folders,
    Force,
    Fragment,
    Full,
    IgnoreLock,
    Output,
    Prefixes,
    Profiles,
    Seed,
    Tests,
    Timeout,
    Toolchains,
    Uses,
    chosen_configurations,
    chosen_settings,
    how,
    times_plan,
    what,
)
from serbench.errors import UserError
from serbench.kinds.compare.verdict import finish_comparison
from serbench.measure.records import Comparing
from serbench.provision.uses import find_contender
from serbench.report.compare import compare_runs
from serbench.report.compared import THRESHOLD
from serbench.results.load import load_run
from serbench.run.inputs import Inputs


def compare(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CONTENDER | OLD.json NEW.json]", help="A contender, or two run files."),
    ] = None,
    against: Annotated[
        str, what("--against", metavar="CONTENDER", help="The contender that it is compared with.")
    ] = "",
    use: Uses = [],  # noqa: B006 - typer copies its defaults
    threshold: Annotated[
        float, how("--threshold", min=0.0, max=1.0, help="The least difference: 0.03 is 3 %.")
    ] = THRESHOLD,
    tests: Tests = [],  # noqa: B006
    contender: Folders = [],  # noqa: B006
    datasets: Datasets = [],  # noqa: B006
    data: Data = [],  # noqa: B006
    full: Full = False,
    budget: Budget = None,
    prefix: Prefixes = [],  # noqa: B006
    profile: Profiles = [],  # noqa: B006
    compiler: Toolchains = [],  # noqa: B006
    allocator: Allocators = [],  # noqa: B006
    cpu: Cpus = [],  # noqa: B006
    count: Count = [],  # noqa: B006
    fragment: Fragment = True,
    output: Output = None,
    force: Force = False,
    seed: Seed = 0,
    timeout: Timeout = 60.0,
    ignore_lock: IgnoreLock = False,
) -> None:
    """Tell whether one version is slower than another. Exit status 1 if a row is proved slower.

    Status 3 if the new version lacks a row that the old one has got, because it failed or was not built.
    """
    words = names or []
    if len(words) == 2 and not against and not use:
        found = compare_runs(load_run(Path(words[0])), load_run(Path(words[1])), threshold)
        finish_comparison(Console(highlight=False), found)
        return
    inputs = Inputs(contender, use, data, prefix, timeout, ignore_lock, datasets)
    new, old = sides_of(inputs.catalog, words, against, use)
    rows, left_out = rows_of(inputs.catalog, new, old, split(tests))
    specs = inputs.chosen(usual_datasets(inputs.catalog, rows))
    plan = times_plan(rows, specs, chosen_configurations(profile, compiler, allocator, cpu))
    comparing = Comparing(new=new, old=old, threshold=threshold)
    settings = chosen_settings(full, budget, profile, seed, fragment, count, plan, comparing)
    target = new_run_file(output, force, inputs.read)
    carry_out(RunRequest(settings=settings, inputs=inputs, target=target, notes=left_out))


def sides_of(catalog: Catalog, words: Sequence[str], against: str, uses: Sequence[str]) -> tuple[str, str]:
    """Return the ids of the new and of the old contender, as the command line names them.

    `catalog` has what the `uses` made. Raises UserError when it is not two contenders.
    """
    made = [name.partition("=")[0] for name in uses]
    labelled = [find_contender(catalog, name).id for name in made if "@" in name]
    if len(words) == 1 and against:
        pair = (find_contender(catalog, words[0]).id, find_contender(catalog, against).id)
    elif not words and against and len(labelled) == 1:
        pair = (labelled[0], find_contender(catalog, against).id)
    elif not words and not against and len(labelled) == 2:
        pair = _by_label(labelled)
    elif not words and not against and len(labelled) == 1:
        usual, _, label = labelled[0].rpartition("@")
        pair = (usual, labelled[0]) if label == "old" else (labelled[0], usual)
    else:
        raise UserError(
            "compare takes two run files, or CONTENDER --against CONTENDER, or "
            "--use NAME@old=DIR --use NAME@new=DIR"
        )
    if pair[0] == pair[1]:
        raise UserError(f"{pair[0]} cannot be compared with itself")
    return pair


def _by_label(labelled: Sequence[str]) -> tuple[str, str]:
    """Return the new and the old of two labelled contenders: by label, or else by order."""
    old, new = labelled
    labels = (old.rpartition("@")[2], new.rpartition("@")[2])
    turned = labels[0] == "new" or labels[1] == "old"
    return (old, new) if turned and labels[0] != labels[1] else (new, old)


def rows_of(catalog: Catalog, new: str, old: str, tests: Sequence[str]) -> tuple[list[Row], list[str]]:
    """The rows that both have, with the baselines that go with them, and sentences on the others, if any.

    A floor would only take launches' time. Raises UserError where the two have no row in common.
    """
    rows = select_rows(catalog, tests, (), [new, old])
    new_has, old_has = ({_name(row): None for row in rows if row.contender.id == side} for side in (new, old))
    shared = new_has.keys() & old_has.keys()
    if not shared:
        raise UserError(
            f"{new} and {old} have no row in common: the one has {', '.join(new_has) or 'none'}, the other "
            f"{', '.join(old_has) or 'none'}"
        )
    both = [row for row in rows if row.contender.id in (new, old) and _name(row) in shared]
    tests_of_both = {row.test for row in both}
    baselines = [r for r in rows if r.contender.manifest.role == "baseline" and r.test in tests_of_both]
    left_out = [
        f"Not compared, as {side} alone has it: {', '.join(name for name in has if name not in shared)}."
        for side, has in ((new, new_has), (old, old_has))
        if has.keys() - shared
    ]
    return [*baselines, *both], left_out


def _name(row: Row) -> str:
    return f"{row.test} ({row.variant})" if row.variant else row.test
