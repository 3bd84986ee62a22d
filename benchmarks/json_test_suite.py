"""The JSON cases of `serbench strict`, compared with a copy of JSONTestSuite (github.com/nst/JSONTestSuite).

    PYTHONPATH=src .venv/bin/python -m benchmarks.json_test_suite COPY [ROW...]

Its file names say what a parser must do: y (accept), n (reject), i (either). Prints which documents both have
and whether they are of the same kind; then, for each reader, how many of each kind it takes of both, and for
which groups of documents (numbers, strings, others) one finds a fault and the other does not.
"""

import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from serbench.catalog.load import load_catalog
from serbench.datasets.spec import file_spec
from serbench.kinds.strict.cases import Case, load_cases
from serbench.kinds.strict.probe import Question, examine
from serbench.kinds.strict.step import CASE_LIMITS, reader_of
from serbench.project import CACHE, ROOT
from serbench.results.probes import Expected, Judged
from serbench.run.context import BuildContext

ROWS = ("c/cjson:tree", "c/jansson:tree", "c/json-c:tree", "cpp/rapidjson:tree", "cpp/nlohmann-json:tree")
ROWS += ("cpp/simdjson:tree", "javascript/json:tree")
KINDS: dict[str, Expected] = {"y": "accept", "n": "refuse", "i": "either"}
GROUPS = {"numbers": "numbers", "number": "numbers", "strings": "strings", "string": "strings"}
"""The group of a kind of ours, and of the second word of a file's name; any other is of `others`."""


def suite(copy: Path) -> list[Case]:
    """The files of a copy of JSONTestSuite as cases."""
    found = []
    for path in sorted((copy / "test_parsing").glob("*.json")):
        letter, group = path.stem.split("_")[:2]
        document = path.read_bytes()
        found.append(
            Case(name=path.stem, kind="structure", expected=KINDS[letter], document=document, paragraph=group)
        )
    return found


def group_of(case: Case) -> str:
    """The group of a case, ours or the suite's."""
    return GROUPS.get(case.paragraph if case.name.startswith(("y_", "n_", "i_")) else case.kind, "others")


def faults(cases: Iterable[Case], judged: Sequence[Judged]) -> set[str]:
    """The groups of which a reader refuses valid documents, takes invalid ones, or ends over some."""
    wrong = {(each.case, each.kind) for each in judged if each.expected != "either"}
    return {f"{group_of(case)} ({case.expected})" for case in cases if (case.name, case.kind) in wrong}


def main() -> None:
    """Print the comparison as Markdown."""
    theirs, ours = suite(Path(sys.argv[1])), load_cases(ROOT, "json")
    kinds = {case.document: case for case in theirs}
    shared = [(case, kinds[case.document]) for case in ours if case.document in kinds]
    differing = [(mine.name, other.name) for mine, other in shared if mine.expected != other.expected]
    print(f"{len(theirs)} files, {len(ours)} cases, {len(shared)} documents in both.")
    print(f"Of another kind: {differing or 'none'}\n")
    context = BuildContext(load_catalog(ROOT), CACHE)
    wanted = sys.argv[2:] or ROWS
    ready = context.build([row for row in context.catalog.rows() if row.id in wanted])
    print("| reader | cases | refuses valid | takes invalid | takes either | ends | faults of one alone |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        empty, place = Path(folder) / "empty.json", Path(folder) / "input"
        empty.write_text("[]")
        made = context.store.dataset(file_spec(empty))
        first = Case(name="first", kind="structure", expected="accept", document=b"[]", paragraph="")
        control = Question(first, made.tape, made.facts.exact_hash)
        for row_id, item in ready.items():
            if item.status != "ok":
                print(f"| {row_id} | {item.reason} |")
                continue
            found = []
            for cases in (ours, theirs):
                questions = [control, *(Question(case, made.tape, "") for case in cases)]
                judged = examine(reader_of(context, item), questions, CASE_LIMITS, place)
                found.append(faults(cases, judged))
                counts = [
                    sum((each.expected, each.outcome) in pairs for each in judged)
                    for pairs in (
                        {("accept", "refused")},
                        {("refuse", "taken")},
                        {("either", "taken")},
                    )
                ]
                ends = sum(each.outcome not in ("taken", "refused", "changed") for each in judged)
                alone = ", ".join(sorted(found[0] ^ found[1])) if len(found) > 1 else ""
                whose = "ours" if cases is ours else "theirs"
                print(f"| {row_id} | {whose} | {' | '.join(map(str, [*counts, ends]))} | {alone} |")


if __name__ == "__main__":
    main()
