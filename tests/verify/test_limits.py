"""Every stated limit is a real one, and there is none that is not stated: probed with every row.

The gate is run without the limits, so that nothing is refused: a row must then fail on data that its
limits forbid, and on all other data be right, or lose something that the proof counts. The documents that a
row may have are first the messages of one dataset: if it is right, it need not be proved with each of them.
"""

import json
from collections import defaultdict

import msgspec
import pytest

from serbench.catalog.contender import Limits
from serbench.datasets.limits import beyond
from serbench.datasets.spec import file_spec
from serbench.project import CACHE
from serbench.run.proving import encodings_of
from serbench.run.readers import FurtherReaders, first_readers
from serbench.verify import passage
from serbench.verify.gate import Gate
from serbench.verify.passage import Candidates
from serbench.verify.proof_cache import ProofCache
from serbench.verify.records import Subject
from serbench.verify.sessions import Sessions
from tests.conftest import LIMITS
from tests.known import mistake, unseen

I64, U64, SAFE = 2**63, 2**64 - 1, 2**53 - 1


def nested(depth: int) -> str:
    """Arrays and maps in turn."""
    opening = ["[", '{"k":'] * (depth // 2) + ["["] * (depth % 2)
    closing = {"[": "]", '{"k":': "}"}
    return "".join(opening) + "7" + "".join(closing[part] for part in reversed(opening))


def lengths(*of: int) -> list[int]:
    """Where the forms of binary formats change."""
    return [n + d for n in of for d in (-1, 0, 1)]


COMMON = {
    "strings": ["x" * n for n in lengths(16, 32, 128, 256, 65536)],
    "arrays": [[None] * n for n in lengths(16, 24, 256, 65536)],
    "maps": [{str(i): i for i in range(n)} for n in lengths(16, 24, 256)],
    "integers": [s * (2**k + d) for k in range(53) for d in (-1, 0, 1) for s in (1, -1)],
    "empty": ["", [], {}, [[]], [{}], {"": ""}],
    "texts": ["é", "\U0001f600", "\u2028", "\x7f", '"\\/\b\f\n\r\t', "e\u0301"],
    'é\n"\\': {"ключ": 1, "鍵": [True, False, None]},
    "doubles": [0.5, -0.25, 1.5, 1024.125, -3.75, 0.1],
}
DEEP = "depth 1024"
PROBES = {
    "common": json.dumps(COMMON, ensure_ascii=False),
    "array at the root": '[1,"a",{"b":[]}]',
    "map at the root": '{"a":1}',
    "empty array": "[]",
    "empty map": "{}",
    "control characters": json.dumps(["".join(map(chr, range(1, 32))), {"\x1f\x01": 1}]),
    "63 bits": json.dumps([I64 - 1, 1 - I64, SAFE + 2, -SAFE - 2]),
    "64 bits, most negative": json.dumps([-I64]),
    "64 bits, smallest": json.dumps({"a": I64}),
    "64 bits, largest": json.dumps({"a": U64}),
    "53 bits": json.dumps({"a": SAFE, "b": -SAFE}),
    "above 53 bits": json.dumps({"a": SAFE + 2}),
    "below 53 bits": json.dumps({"a": -SAFE - 2}),
    "NUL in a string": json.dumps({"a": "b\0c", "d": "\0"}),
    "NUL in a key": json.dumps({"a\0b": 1, "a\0c": 2}),
    DEEP: nested(1024),
    "negative zero": '[-0.0,{"a":-0.0}]',
    "integral doubles": "[1.0,-3.0,4096.0,100000.0]",
    "large integral doubles": "[1e17,-1e18]",
    "up to 2^53": "[9007199254740991.0]",
    "smallest": "[5e-324,-5e-324]",
}


def without_limits(row):
    manifest = row.contender.manifest
    variants = {name: msgspec.structs.replace(v, limits=None) for name, v in manifest.variants.items()}
    free = msgspec.structs.replace(manifest, limits=Limits(), test_limits={}, variants=variants)
    return msgspec.structs.replace(row, contender=msgspec.structs.replace(row.contender, manifest=free))


def stated_depths(catalog) -> set[int]:
    stated = [stated.limits for stated in catalog.formats.values()]
    stated += [row.limits for row in catalog.rows()]
    return {limits.depth for limits in stated if limits.depth is not None}


@pytest.fixture(scope="module")
def subjects(built):
    """The contenders' rows, without their limits."""
    return [
        Subject(row=without_limits(ready.row), command=ready.subject.command, digest=ready.subject.digest)
        for ready in built.values()
        if ready.status == "ok"
        and ready.row.contender.manifest.role == "contender"
        and not ready.row.contender.manifest.schemas
    ]


@pytest.fixture(scope="module")
def probe(context, built, subjects, tmp_path_factory):
    """Runs documents, each with the rows chosen for it, through gates without limits.

    For each document it yields what each contender's row should do and did.
    """
    catalog = context.catalog
    formats = {
        name: msgspec.structs.replace(stated, limits=Limits()) for name, stated in catalog.formats.items()
    }
    # What the same program has proved on the same data before need not be proved again.
    proofs = ProofCache(CACHE / "proofs")

    def candidates(text: str, chosen, name: str, sessions: Sessions) -> Candidates:
        folder = tmp_path_factory.mktemp("probe")
        (folder / name).write_text(text)
        dataset = context.store.with_lookup(context.store.dataset(file_spec(folder / name)))
        wanted = [subject for subject in subjects if chosen(subject.row.id)]
        needed = sorted({subject.row.contender.manifest.format for subject in wanted})
        canonical = encodings_of(context, dataset, needed)
        readers = [
            each for each in subjects if each.row.kind.yields == "values" and each.row.format in needed
        ]
        by_row = {each.row.id: each for each in readers}
        rows = [each.row for each in wanted]
        first = {row.id for row in first_readers(context, [each.row for each in readers], rows)}
        others = [each.row for each in readers if each.row.id not in first]
        outputs = folder / "outputs"
        return Candidates(
            gate=Gate(dataset, formats, canonical, outputs, sessions, LIMITS, context.jobs, proofs),
            subjects=wanted,
            referees=[each for each in readers if each.row.id in first],
            more=FurtherReaders(context, others, rows, lambda batch: [by_row[row.id] for row in batch]),
        )

    def outcomes(of: Candidates):
        for subject in of.subjects:
            row, dataset = built[subject.row.id].row, of.gate.dataset
            verdict = of.verdicts[row.id]
            if row.kind.yields == "some values" and not dataset.has_lookup:
                assert verdict.status == "unsupported"
                continue
            encoded = of.gate.canonical[row.contender.manifest.format].encoded
            by_format = beyond(catalog.formats[row.contender.manifest.format].limits, dataset.facts)
            own = beyond(row.limits, dataset.facts, encoded.bytes if encoded else None)
            yield row, by_format or own, verdict

    def run(documents, name="probe.json"):
        with Sessions() as sessions:
            made = [candidates(text, chosen, name, sessions) for text, chosen in documents]
            passage.check(made)
        return [list(outcomes(each)) for each in made]

    return run


@pytest.fixture(scope="module")
def mistakes_in(built):
    """The rows that are known to fail on a document."""
    return lambda name: {ready.row.id for ready in built.values() if mistake(ready, name)}


@pytest.fixture(scope="module")
def unseen_in(built):
    """The rows whose limits the gate cannot see in a document."""
    return lambda name: {ready.row.id for ready in built.values() if unseen(ready, name)}


def check(outcomes, mistakes=frozenset(), unseen=frozenset()) -> None:
    wrong = []
    for row, forbidden, verdict in outcomes:
        if row.id in mistakes:
            assert verdict.status != "ok" and verdict.reason, (
                f"{row.id} has been mended: strike it out of its manifest"
            )
        elif row.id in unseen:
            assert forbidden and verdict.status == "ok", (
                f"{row.id} is seen to fail now: strike it out of its manifest"
            )
        elif forbidden and verdict.status == "ok":
            wrong.append(f"{row.id} states a limit that is none: the data {forbidden}")
        elif not forbidden and verdict.status != "ok":
            wrong.append(f"{row.id} has a limit that is not stated: {verdict.status}, {verdict.reason}")
    assert not wrong, "\n".join(wrong)


@pytest.fixture(scope="module")
def together(context, built, subjects, probe, mistakes_in, tmp_path_factory):
    """What each row does with all that it may have but the deep one, as the messages of a dataset."""
    folder = tmp_path_factory.mktemp("documents")
    facts = {}
    for name in PROBES:
        (folder / "probe.json").write_text(PROBES[name])
        facts[name] = context.store.dataset(file_spec(folder / "probe.json")).facts
    rows_by_names = defaultdict(set)
    for subject in subjects:
        row = built[subject.row.id].row
        own = (context.catalog.formats[row.contender.manifest.format].limits, row.limits)
        names = [
            name
            for name in PROBES
            if name != DEEP
            and row.id not in mistakes_in(name)
            and not any(beyond(limits, facts[name]) for limits in own)
        ]
        rows_by_names[tuple(names)].add(row.id)
    groups = [(names, rows) for names, rows in rows_by_names.items() if names]
    documents = [("\n".join(PROBES[name] for name in names), rows.__contains__) for names, rows in groups]
    found = probe(documents, "probe.jsonl")
    return [(names, outcomes) for (names, _), outcomes in zip(groups, found, strict=True)]


@pytest.fixture(scope="module")
def one_by_one(probe, together):
    """What each row does with each document that it is not known to be right with."""

    def right(name: str) -> set[str]:
        return {
            row.id
            for names, outcomes in together
            if name in names
            for row, _, verdict in outcomes
            if verdict.status == "ok"
        }

    known = {name: right(name) for name in PROBES}
    documents = [(text, lambda row_id, name=name: row_id not in known[name]) for name, text in PROBES.items()]
    return dict(zip(PROBES, probe(documents), strict=True))


def test_all_at_once(together):
    """Those that have a limit there, or fail, are asked again."""
    assert together
    for _, outcomes in together:
        check(outcomes)


@pytest.mark.parametrize("name", PROBES)
def test_limits(name: str, one_by_one, mistakes_in, unseen_in):
    """The others, with each document by itself."""
    check(one_by_one[name], mistakes_in(name), unseen_in(name))


@pytest.mark.slow
def test_depths(context, built, probe, mistakes_in):
    """Each row at its limit and one deeper; those that state none deeper than any limit."""
    formats = context.catalog.formats

    def deepest(row_id: str) -> int | None:
        row = built[row_id].row
        stated = (formats[row.contender.manifest.format].limits.depth, row.limits.depth)
        return min((depth for depth in stated if depth is not None), default=None)

    depths = sorted(stated_depths(context.catalog))
    documents = [
        (nested(nesting), lambda row_id, limit=depth: deepest(row_id) == limit)
        for depth in depths
        for nesting in (depth, depth + 1)
    ]
    deeper = (nested(depths[-1] + 1), lambda row_id: deepest(row_id) is None)
    *at_limits, without = probe([*documents, deeper])
    for outcomes in at_limits:
        check(outcomes)
    check(without, mistakes_in(DEEP))


def test_sizes(built, probe):
    stated = {ready.row.limits.megabytes for ready in built.values()} - {None}
    documents = [
        (
            json.dumps({str(n): "x" * round(size * 2**18) for n in range(4)}),
            lambda row_id, limit=megabytes: built[row_id].row.limits.megabytes == limit,
        )
        for megabytes in sorted(stated)
        for size in (megabytes - 0.1, megabytes + 0.1)
    ]
    for outcomes in probe(documents):
        check(outcomes)
