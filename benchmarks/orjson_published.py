"""The order and the ratios that orjson's README published, against those of a run.

    ./serbench run --contenders orjson,python/json,ujson,python-rapidjson,simplejson --tests write,tree \
        --datasets corpus:twitter,corpus:github_events,corpus:citm_catalog,corpus:canada --output RUN.json
    PYTHONPATH=src .venv/bin/python benchmarks/orjson_published.py RUN.json

PUBLISHED has the median latencies of orjson 3.3.0, ujson 3.0.0, python-rapidjson 0.9.1, simplejson 3.17.2 and
json of Python 3.8.3 as multiples of orjson's. For every pair of libraries the program says whether the run
has them in the same order (raw times, with the walk and the hash that orjson's benchmark does not have).
A pair is `near` where either has them less than 10 % apart, and `other` where both are clear and differ;
each of these needs a word of explanation, such as the versions above. Two things are not the same: our
documents are minified (theirs but github.json are indented), and github_events is another feed of that kind.
The exit status is 1 unless orjson is first wherever it was.
"""

import itertools
import sys
from pathlib import Path

from serbench.results.analysis import analyse
from serbench.results.load import load_run
from serbench.results.schema import Run

LIBRARIES = ("orjson", "ujson", "python-rapidjson", "simplejson", "json")
PUBLISHED = {
    ("corpus:twitter", "write"): (1.0, 3.64, 4.06, 5.36, 6.06),
    ("corpus:twitter", "tree"): (1.0, 1.27, 1.69, 1.61, 1.78),
    ("corpus:github_events", "write"): (1.0, 3.35, 4.02, 5.68, 5.36),
    ("corpus:github_events", "tree"): (1.0, 1.58, 1.85, 1.65, 1.65),
    ("corpus:citm_catalog", "write"): (1.0, 3.72, 3.58, 11.85, 6.95),
    ("corpus:citm_catalog", "tree"): (1.0, 1.25, 1.66, 1.66, 1.72),
    ("corpus:canada", "write"): (1.0, 3.77, 13.11, 17.09, 11.11),
    ("corpus:canada", "tree"): (1.0, 1.6, 3.69, 3.67, 3.68),
}
NEAR = 1.1


def verdict(published: float, found: float) -> str:
    """What two ratios of the same pair say: `same`, `near` or `other`."""
    if max(published, 1 / published) < NEAR or max(found, 1 / found) < NEAR:
        return "near"
    return "same" if (published > 1) == (found > 1) else "other"


def ratios(run: Run) -> dict[tuple[str, str], dict[str, float]]:
    """By dataset and test, the raw time of each library as a multiple of orjson's."""
    times: dict[tuple[str, str], dict[str, float]] = {}
    for row in analyse(run):
        library = row.record.contender_id.partition("/")[2]
        if library in LIBRARIES and not row.record.variant and row.result.raw_ns is not None:
            times.setdefault((row.record.dataset, row.record.test), {})[library] = row.result.raw_ns
    return {
        group: {library: time / found["orjson"] for library, time in found.items()}
        for group, found in times.items()
        if "orjson" in found
    }


def compared(run: Run) -> tuple[list[str], bool]:
    """A line for each published table that the run has, and for each pair that is not the same; whether
    orjson is first in all of them.
    """
    lines, first, own = [], True, ratios(run)
    for group, numbers in PUBLISHED.items():
        published, found = dict(zip(LIBRARIES, numbers, strict=True)), own.get(group)
        if found is None:
            lines.append(f"{group[0]} {group[1]}: not in this run")
            first = False
            continue
        shown = ", ".join(f"{name} {published[name]:.2f}/{found[name]:.2f}" for name in found)
        lines.append(f"{group[0]} {group[1]}, published/found: {shown}")
        for a, b in itertools.combinations(found, 2):
            said = verdict(published[b] / published[a], found[b] / found[a])
            if said != "same":
                lines.append(f"    {said}: {a} and {b}")
        first = first and min(found, key=lambda name: found[name]) == "orjson"
    return lines, first


def main() -> None:
    """Compare the run that is named."""
    if len(sys.argv) != 2:
        print(__doc__)
        sys.exit(2)
    lines, first = compared(load_run(Path(sys.argv[1])))
    print("\n".join(lines))
    print("orjson is first in all" if first else "orjson is not first in all")
    sys.exit(not first)


if __name__ == "__main__":
    main()
