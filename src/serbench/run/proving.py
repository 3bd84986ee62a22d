"""The gate over all datasets of a command: `verify` shows what it found, and `run` begins with it."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec

from serbench.catalog.records import Catalog, Profile, Row
from serbench.catalog.tests import KINDS
from serbench.datasets.records import DatasetRecord, Encoding
from serbench.datasets.store import Dataset
from serbench.provision import Provided
from serbench.results.naming import DISTRIBUTION_BUILD
from serbench.results.schema import RowRecord
from serbench.run.context import BuildContext, BuildResult
from serbench.run.readers import FurtherReaders, first_readers, referee_rows
from serbench.run.typed import rows_on, with_schemas
from serbench.verify.encodings import Canonical
from serbench.verify.gate import Gate
from serbench.verify.proof_cache import ProofCache
from serbench.verify.records import Subject, Verdict
from serbench.worker.process import Limits


class VerifiedDataset(msgspec.Struct, kw_only=True):
    """One dataset with what the gate said of every row."""

    dataset: Dataset
    record: DatasetRecord
    encoded: dict[str, Path]
    """The files of the canonical encodings, by format."""
    rows: list[tuple[RowRecord, BuildResult, Verdict]]


def builds_of(proven: Sequence[VerifiedDataset]) -> Iterator[tuple[str, BuildResult]]:
    """Each build, with the name of the dataset on which it was proved."""
    return ((item.record.name, ready) for item in proven for _, ready, _ in item.rows)


def blank_record(catalog: Catalog, number: int, row: Row, dataset: str, profile: Profile) -> RowRecord:
    """The record of `row` on a dataset as its manifest states it, without what building and proving tell."""
    manifest = row.contender.manifest
    name = catalog.harness_of(manifest.language)
    harness = catalog.harnesses[name]
    return RowRecord(
        id=number,
        row=row.id,
        contender=manifest.name,
        contender_id=row.contender.id,
        language=manifest.language,
        language_name=harness.languages[manifest.language],
        harness=name,
        format=row.format,
        format_name=catalog.formats[row.format].name if manifest.role == "contender" else "-",
        test=row.test,
        variant=row.variant,
        dataset=dataset,
        profile=profile,
        role=manifest.role,
        status="ok",
        labels=row.labels,
        homepage=manifest.homepage,
        license=manifest.license,
        api=manifest.api,
        statistic=harness.statistic,
    )


def library_labels(library: Provided) -> list[str]:
    """What a reader of a row must know of the source of its library."""
    others = [f"not from the source that comes first: {why}" for why in library.skipped_sources]
    return [*library.source.labels, *others]


def _row_record(
    context: BuildContext, number: int, dataset: Dataset, ready: BuildResult, verdict: Verdict
) -> RowRecord:
    row, profile = ready.row, ready.configuration.profile
    labels = [*row.labels, *verdict.labels, *(ready.built.labels if ready.built else [])]
    if ready.provided is not None and ready.provided.distribution_build:
        labels.insert(0, DISTRIBUTION_BUILD)
    if ready.provided is not None and ready.provided.found is not None:
        labels.insert(0, "needs a library you install yourself")
    if ready.provided is not None:
        labels += library_labels(ready.provided)
    if ready.provided is not None and row.contender.checkout is not None:
        labels.insert(0, ready.provided.origin)
    provided = ready.provided.version if ready.provided else ""
    return msgspec.structs.replace(
        blank_record(context.catalog, number, row, dataset.name, profile),
        toolchain=context.toolchain(ready),
        allocator=ready.configuration.allocator,
        cpu=context.level(row, ready.configuration),
        status=verdict.status,
        reason=verdict.reason,
        output=verdict.output,
        labels=list(dict.fromkeys(labels)),
        library_version=verdict.library_version or provided,
        origin=ready.provided.origin if ready.provided else "",
        released=_released(ready),
        compiler=ready.built.compiler if ready.built else "",
        flags=ready.built.flags if ready.built else "",
        program=ready.built.digest if ready.built else "",
        generated_lines=_lines(ready.built.generated) if ready.built and ready.built.generated else None,
        build_seconds=ready.built.seconds if ready.built and ready.built.generated else None,
        bytes=verdict.bytes,
        hash=verdict.hash,
        content_hash=verdict.content_hash,
        exact_hash=verdict.exact_hash,
        verified_by=verdict.verified_by,
        doubles=verdict.doubles,
        losses=verdict.losses,
    )


def _lines(files: Sequence[Path]) -> int:
    return sum(path.read_bytes().count(b"\n") for path in files)


def _released(ready: BuildResult) -> str:
    date = ready.provided.source.date if ready.provided else None
    return date.isoformat() if date else ""


def encodings_of(context: BuildContext, dataset: Dataset, formats: Sequence[str]) -> dict[str, Canonical]:
    """The canonical encoding of `dataset` in each of `formats`, or why there is none."""
    return {format_id: context.canonical(dataset, format_id) for format_id in formats}


def encoding_records(canonical: dict[str, Canonical]) -> dict[str, Encoding]:
    """The same as records of a run file."""
    return {
        format_id: Encoding(bytes=made.encoded.bytes, hash=made.encoded.hash)
        if made.encoded
        else Encoding(reason=made.reason)
        for format_id, made in canonical.items()
    }


def _can_take(context: BuildContext, dataset: Dataset, ready: BuildResult) -> bool:
    """Whether the row's harness can handle the dataset: one of messages needs it to say so."""
    return context.catalog.harness(ready.row.language).messages or not dataset.framed


def prove(
    context: BuildContext,
    rows: Sequence[Row],
    datasets: Sequence[Dataset],
    folder: Path,
    limits: Limits,
    done: Callable[[], None] = lambda: None,
    proofs: ProofCache | None = None,
    first: int = 0,
) -> list[VerifiedDataset]:
    """Send all `rows` through the gate on every dataset; `done` is called for each verdict.

    What is in `proofs` is not proved again. Outputs stay below `folder`. The numbers of rows begin with
    `first` and go on over the datasets.
    """
    possible = referee_rows(context, rows)
    ahead = first_readers(context, possible, rows)
    formats = sorted({r.format for r in rows if r.role == "contender"})
    proven: list[VerifiedDataset] = []
    number = first
    looks_up = any(row.test in KINDS and row.kind.yields == "some values" for row in rows)
    for index, whole in enumerate(with_schemas(context, rows, datasets)):
        dataset = context.store.with_lookup(whole) if looks_up else whole
        built = [
            ready
            for configuration in context.configurations
            for ready in context.build(rows_on(rows, whole), configuration=configuration).values()
        ]

        def referees(of: Sequence[Row], dataset: Dataset = dataset, whole: Dataset = whole) -> list[Subject]:
            made = context.build(rows_on(of, whole)).values()
            return [ready.subject for ready in made if ready.built and _can_take(context, dataset, ready)]

        canonical = encodings_of(context, dataset, formats)
        gate = Gate(
            dataset,
            context.catalog.formats,
            canonical,
            folder / str(index),
            limits,
            jobs=context.jobs,
            memory=proofs,
            words=partial(context.store.words, dataset),
        )
        able = {id(ready) for ready in built if ready.built and _can_take(context, dataset, ready)}
        subjects = [ready.subject for ready in built if id(ready) in able]
        verdicts = gate.check(
            subjects,
            referees(ahead),
            lambda _subject, _verdict: done(),
            FurtherReaders(context, [row for row in possible if row not in ahead], rows, referees),
        )
        result = VerifiedDataset(
            dataset=dataset,
            record=dataset.record(encoding_records(canonical)),
            encoded={f: c.encoded.path for f, c in canonical.items() if c.encoded},
            rows=[],
        )
        for ready in built:
            if id(ready) in able:
                verdict = verdicts[ready.subject.key]
            elif ready.status == "ok" and ready.built is None:
                verdict = Verdict(status="unsupported", reason=dataset.no_schema)
            elif ready.status == "ok":
                verdict = Verdict(status="unsupported", reason="its harness takes one document at a time")
            else:
                verdict = Verdict(status=ready.status, reason=ready.reason, output=ready.output)
            record = _row_record(context, number, dataset, ready, verdict)
            result.rows.append((record, ready, verdict))
            number += 1
        proven.append(result)
    return proven
