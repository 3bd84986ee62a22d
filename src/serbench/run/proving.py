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
from serbench.verify.passage import Candidates, check
from serbench.verify.proof_cache import ProofCache
from serbench.verify.records import Subject, Verdict
from serbench.verify.sessions import Sessions
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
    proven: list[VerifiedDataset] = []
    with Sessions() as sessions:
        made = [
            _Proving(context, rows, whole, folder / str(index), sessions, limits, proofs)
            for index, whole in enumerate(with_schemas(context, rows, datasets))
        ]
        check([each.candidates for each in made], done)
    for each in made:
        proven.append(each.result(first + sum(len(item.rows) for item in proven)))
    return proven


class _Proving:
    """One dataset on its way through the gate: what was built for it, and who may read back."""

    def __init__(
        self,
        context: BuildContext,
        rows: Sequence[Row],
        whole: Dataset,
        folder: Path,
        sessions: Sessions,
        limits: Limits,
        proofs: ProofCache | None,
    ) -> None:
        self._context = context
        self._whole = whole
        looks_up = any(row.test in KINDS and row.kind.yields == "some values" for row in rows)
        self._dataset = context.store.with_lookup(whole) if looks_up else whole
        self._built = [
            ready
            for configuration in context.configurations
            for ready in context.build(rows_on(rows, whole), configuration=configuration).values()
        ]
        possible = referee_rows(context, rows)
        ahead = first_readers(context, possible, rows)
        formats = sorted({r.format for r in rows if r.role == "contender"})
        self._canonical = encodings_of(context, self._dataset, formats)
        self.candidates = Candidates(
            gate=Gate(
                self._dataset,
                context.catalog.formats,
                self._canonical,
                folder,
                sessions,
                limits,
                jobs=context.jobs,
                memory=proofs,
                words=partial(context.store.hash_words, self._dataset),
            ),
            subjects=[ready.subject for ready in self._built if self._is_able(ready)],
            referees=self._referees(ahead),
            more=FurtherReaders(context, [row for row in possible if row not in ahead], rows, self._referees),
        )

    def _is_able(self, ready: BuildResult) -> bool:
        """Whether a row was built and can handle the dataset: one of messages needs its harness to say so."""
        messages = self._context.catalog.harness(ready.row.language).messages
        return ready.built is not None and (messages or not self._dataset.framed)

    def _referees(self, of: Sequence[Row]) -> list[Subject]:
        made = self._context.build(rows_on(of, self._whole)).values()
        return [ready.subject for ready in made if self._is_able(ready)]

    def result(self, number: int) -> VerifiedDataset:
        """What the gate said; the rows' numbers begin with `number`."""
        result = VerifiedDataset(
            dataset=self._dataset,
            record=self._dataset.record(encoding_records(self._canonical)),
            encoded={f: c.encoded.path for f, c in self._canonical.items() if c.encoded},
            rows=[],
        )
        for at, ready in enumerate(self._built, number):
            if self._is_able(ready):
                verdict = self.candidates.verdicts[ready.subject.key]
            elif ready.status == "ok" and ready.built is None:
                verdict = Verdict(status="unsupported", reason=self._dataset.no_schema)
            elif ready.status == "ok":
                verdict = Verdict(status="unsupported", reason="its harness takes one document at a time")
            else:
                verdict = Verdict(status=ready.status, reason=ready.reason, output=ready.output)
            record = _row_record(self._context, at, self._dataset, ready, verdict)
            result.rows.append((record, ready, verdict))
        return result
