"""The answer of a run in words: what is fastest and what is smallest, as far as the intervals prove it."""

from collections.abc import Mapping, Sequence
from itertools import chain

from serbench import text
from serbench.catalog.tests import KINDS as TEST_KINDS
from serbench.catalog.tests import TESTS
from serbench.datasets.records import DatasetRecord, Encoding
from serbench.datasets.spec import KINDS
from serbench.measure.records import VARIES
from serbench.measure.statistics import Interval
from serbench.results.answer_counts import answer_of_counts
from serbench.results.answer_schema import gains, schema_formats
from serbench.results.candidates import Candidate, GroupKey, Winner, candidates, winner
from serbench.results.schema import Answer, Finding, RowResult, Run

REFERENCE = "json"
"""The format whose fastest rows get a line of their own, and of which sizes are parts."""
FASTEST = {str(test): kind.fastest for test, kind in TEST_KINDS.items()}
FEWEST = {str(test): kind.fewest for test, kind in TEST_KINDS.items()}
BRIEF = {str(test): kind.brief for test, kind in TEST_KINDS.items()}
LANGUAGES = "by language"
ELSEWHERE = ("elsewhere", "your file against")
MOST_LINES = 9
"""So that with a heading an answer has ten."""


def answer_of(run: Run, results: Sequence[RowResult]) -> Answer:
    """Return the answer of `run`, whose rows have these `results`; one without findings if none has figures.

    It is about one place: the user's own file, or the largest dataset. The others follow in one line.
    """
    if run.settings.growth:
        return Answer()
    by_group = candidates(run, results)
    places = sorted({place for place, _ in by_group}, key=lambda place: importance(run, place))
    if not places:
        return answer_of_counts(run, MOST_LINES)
    main, *others = places
    winners = _winners(by_group, main)
    groups = {test: by_group[main, test] for test in winners}
    subjects = FEWEST if main.platform else FASTEST
    findings = [
        Finding(
            subject=subjects.get(test, test),
            text=_headline(found),
            row=found.best.record.id,
            rows=[each.record.id for each in (found.best, *found.ties[:1])],
        )
        for test, found in winners.items()
    ]
    findings += _of_reference(groups)
    findings += _by_language(groups, winners)
    dataset = next((each for each in run.datasets if each.name == main.dataset), None)
    findings += _smallest(run, dataset)
    findings += _elsewhere(run, main, winners, [(p, _winners(by_group, p)) for p in others])
    findings[MOST_LINES - 1 :] = [Finding(subject="how sure", text=_how_sure(run, main, groups))]
    return Answer(about=_about(main, dataset, run), findings=findings, gains=gains(groups))


def _place_of_test(test: str) -> tuple[int, str]:
    tests = [str(each) for each in TESTS]
    return (tests.index(test) if test in tests else len(tests), test)


def _is_own(name: str) -> bool:
    return name.partition(":")[0] not in KINDS


def importance(run: Run, place: GroupKey) -> tuple[bool, int, bool, list[str]]:
    """Return by what places are sorted: the user's own files first, then the largest datasets."""
    nodes = {dataset.name: dataset.nodes for dataset in run.datasets}
    return (not _is_own(place.dataset), -nodes.get(place.dataset, 0), place.profile != "speed", list(place))


def _winners(by_group: dict[tuple[GroupKey, str], list[Candidate]], place: GroupKey) -> dict[str, Winner]:
    tests = sorted({test for other, test in by_group if other == place}, key=_place_of_test)
    return {test: found for test in tests if (found := winner(by_group[place, test]))}


def _about(place: GroupKey, dataset: DatasetRecord | None, run: Run) -> str:
    parts = [place.dataset]
    if dataset is not None:
        json = dataset.encodings.get(REFERENCE, Encoding()).bytes
        size = f", {text.count(json)} bytes as JSON" if json is not None else ""
        many = f", {text.count(dataset.messages)} messages" if dataset.messages > 1 else ""
        parts.append(f"{text.count(dataset.nodes)} values{many}{size}")
    if len({row.profile for row in run.rows}) > 1:
        parts.append(place.profile)
    return " · ".join([*parts, *filter(None, [place.platform])])


# ---------------------------------------------------------------- the lines


def _spread(row: Candidate, before: str) -> str:
    """Return half its interval in words behind `before`; empty where there is none."""
    return f"{before}±{text.half_width(*row.interval)}" if row.interval else ""


def _factor(ratio: Interval) -> str:
    return f"{text.significant(ratio.value, 3 if ratio.value < 2 else 2)}×"


def _headline(found: Winner) -> str:
    best, ties, following, unknown = found
    kind = f"{best.record.format_name or best.record.format}, {_language(best)}"
    said = f"{best.result.name} ({kind}) {best.shown}"
    if not best.ranked:
        return f"{said}, but one launch proves nothing"
    if ties:
        more = f" and {len(ties) - 1} more" if len(ties) > 1 else ""
        return f"{said}, tied with {ties[0].result.name}{more}{_spread(best, ', ')}"
    if following is None and unknown:
        return f"{said}, the only library with more than one launch{_spread(best, ', ')}"
    if following is None:
        return f"{said}, the only library{_spread(best, ', ')}"
    ratio = following.times(best)
    ahead = f"{_factor(ratio)} " if ratio else ""
    return f"{said}, {ahead}ahead of {following.result.name}{_spread(best, ', ')}"


def _language(row: Candidate) -> str:
    return row.record.language_name or row.record.language


def _of_reference(groups: dict[str, list[Candidate]]) -> list[Finding]:
    """Return the fastest rows of JSON, where there are other formats beside it."""
    parts = []
    named: list[int] = []
    for test, rows in groups.items():
        own = [row for row in rows if row.record.format == REFERENCE]
        found = winner(own)
        if found and len(own) < len(rows):
            spread = _spread(found.best, " ")
            parts.append(f"{BRIEF.get(test, test)} {found.libraries} {found.best.shown}{spread}")
            named += found.named
    return [Finding(subject="fastest JSON", text=", ".join(parts), rows=named)] if parts else []


def _by_language(groups: dict[str, list[Candidate]], winners: dict[str, Winner]) -> list[Finding]:
    """Return the best of each language at writing and at reading, where there are several languages."""
    findings = []
    for test in [name for name in groups if name in ("write", "tree")] or list(groups)[:1]:
        languages: dict[str, list[Candidate]] = {}
        for row in groups[test]:
            languages.setdefault(_language(row), []).append(row)
        found = [each for rows in languages.values() if (each := winner(rows))]
        overall = winners[test].best
        parts = [
            f"{_language(each.best)} {each.libraries}{_behind(each.best, overall)}"
            for each in sorted(found, key=lambda each: each.best.value)
        ]
        if len(parts) > 1:
            findings.append(
                Finding(
                    subject=LANGUAGES,
                    text=f"{BRIEF.get(test, test)}: {', '.join(parts)}",
                    rows=[number for each in found for number in each.named],
                )
            )
    return findings


def _behind(row: Candidate, best: Candidate) -> str:
    if row is best:
        return ""
    if not (row.ranked and best.ranked):
        return " (one launch)"
    if not best.beats(row):
        return " (tied)"
    ratio = row.times(best)
    return f" {_factor(ratio)}" if ratio else " (behind)"


def _smallest(run: Run, dataset: DatasetRecord | None) -> list[Finding]:
    """Return the formats with the fewest bytes, as encoded and after each compressor."""
    if dataset is None:
        return []
    names = {row.format: row.format_name or row.format for row in run.rows}
    known = {
        names.get(name, name): each for name, each in dataset.encodings.items() if each.bytes is not None
    }
    if len(known) < 2:
        return []
    whole = dataset.encodings.get(REFERENCE, Encoding()).bytes
    typed = known.keys() & {names.get(name, name) for name in schema_formats(run, dataset)}
    if typed and known.keys() - typed:
        told = _least({name: each.bytes for name, each in known.items() if name in typed}, whole)
        known = {name: each for name, each in known.items() if name not in typed}
    else:
        told = ""
    sizes = {"": {name: each.bytes for name, each in known.items() if each.bytes is not None}}
    for compressor in sorted({name for each in known.values() for name in each.compressed}):
        sizes[compressor] = {
            name: each.compressed[compressor].bytes
            for name, each in known.items()
            if compressor in each.compressed
        }
    parts = []
    for compressor, found in sizes.items():
        said = _least(found, whole)
        parts.append(f"after {compressor} {said}" if compressor else said)
    parts[0] += " of JSON" if whole else ""
    return [
        Finding(subject="smallest", text=", ".join([*parts, *([f"with a schema {told}"] if told else [])]))
    ]


def _least(sizes: Mapping[str, int | None], whole: int | None) -> str:
    """Return the formats with the fewest bytes and this number, as a part of `whole` where that is known."""
    least = min(number for number in sizes.values() if number is not None)
    size = f"{100 * least / whole:.0f} %" if whole else f"{text.count(least)} bytes"
    return f"{' and '.join(name for name, number in sizes.items() if number == least)} {size}"


def _elsewhere(
    run: Run, main: GroupKey, winners: dict[str, Winner], others: Sequence[tuple[GroupKey, dict[str, Winner]]]
) -> list[Finding]:
    """Return what is fastest on the other datasets, profiles and platforms instead."""
    same, parts = [], []
    named: list[int] = []
    for place, found in others:
        name = _short_name(place, main)
        changes = {
            f"{BRIEF.get(test, test)} {each.libraries}": each.named
            for test, each in found.items()
            if test in winners and not _agree(winners[test], each)
        }
        if changes:
            parts.append(f"{name}: {', '.join(changes)}")
            named += chain.from_iterable(changes.values())
        elif found.keys() & winners.keys():
            same.append(name)
    if not same and not parts:
        return []
    said = [*([f"the same on {', '.join(same)}"] if same else []), *parts]
    mixed = _is_own(main.dataset) and not all(_is_own(place.dataset) for place, _ in others)
    return [Finding(subject=ELSEWHERE[mixed], text="; ".join(said), rows=named)]


def _short_name(place: GroupKey, main: GroupKey) -> str:
    """Return in what a place differs from the main one."""
    differs = [own if own != its else "" for own, its in zip(place, main, strict=True)]
    return " ".join(filter(None, [differs[0], differs[1] and f"profile {differs[1]}", differs[2]]))


def _agree(one: Winner, other: Winner) -> bool:
    """Tell whether the same libraries and formats are best, or tied with the best, in both places."""
    mine, its = (
        {(row.record.contender_id, row.record.format) for row in (found.best, *found.ties)}
        for found in (one, other)
    )
    return mine == its


def _how_sure(run: Run, place: GroupKey, groups: dict[str, list[Candidate]]) -> str:
    rows = [row for found in groups.values() for row in found]
    parts = [] if run.complete else ["INTERRUPTED: not all is measured"]
    if place.platform:
        varying = sum(VARIES in row.result.labels for row in rows)
        exact = f"exact but for {varying} of {len(rows)} rows: {VARIES}" if varying else "exact"
        return "; ".join([*parts, f"counts, and no times; {exact}"])
    few = sum(row.result.few_samples for row in rows)
    lacking = (f", too few for {few} of {len(rows)} rows" if few < len(rows) else ", too few") if few else ""
    parts.append(f"{text.launches([row.result.launches for row in rows])}{lacking}")
    spreads = sorted(row.interval.relative for row in rows if row.interval)
    if spreads:
        middle, worst = (text.relative(part, 1.0) for part in (spreads[len(spreads) // 2], spreads[-1]))
        known = f"{len(spreads)} of {len(rows)}" if len(spreads) < len(rows) else f"{len(rows)}"
        parts.append(f"{known} rows: half within ±{middle}, all ±{worst}")
    ids = {row.record.id for row in rows}
    samples = [bool(sample.disturbed) for sample in run.samples if sample.row in ids]
    if any(samples):
        parts.append(f"{text.count(sum(samples))} of {text.count(len(samples))} samples disturbed")
    return "; ".join(parts)
