"""Datasets as files in the cache: tapes, and the canonical encoding in each format."""

import hashlib
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from serbench.catalog.records import Row, SchemaFile
from serbench.datasets import corpus, growing
from serbench.datasets.messages import FRAME_HEAD, FRAME_SIZE
from serbench.datasets.records import DatasetRecord, Encoding
from serbench.datasets.spec import DEFAULT_SEED, Spec
from serbench.errors import UserError
from serbench.files import replace_file, scratch, sha256, writing
from serbench.worker.bounds import most_memory
from serbench.worker.process import Limits, Worker, WorkerFailure
from serbench.worker.session import describe, prepare, verify

TOOL_TIMEOUT = 600
ORDERED = ":ordered"
"""Behind the name of a dataset, the same data with their keys in the order of a schema."""
FLOAT32 = ":float32"
"""Behind the name of a dataset, the same data with each double rounded to a 32-bit float."""


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What the dataset tool says of a tape."""

    content_hash: str
    exact_hash: str
    unordered_hash: str = ""
    """As exact_hash, whatever the order of the keys (docs/tape.md)."""
    nodes: int
    depth: int
    root: str
    """The type of the root: `map` or `array` (a scalar is refused)."""
    largest_positive: int
    most_negative: int
    nul_in_values: bool
    nul_in_keys: bool
    doubles: int
    messages: int = 1


class Dataset(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset in the cache."""

    name: str
    tape: Path
    tape_sha256: str
    facts: Facts
    tool: Path = Path()
    """The program that made the tape, and that compares others with it."""
    schema: str = ""
    """The schema that the data follow: contenders that need one take part on such data only."""
    inferred: SchemaFile | None = None
    """The schema for rows whose code is generated, if any takes part."""
    schema_text: str = ""
    """The same as a user reads it."""
    no_schema: str = ""
    """Why there is none."""
    framed: bool = False
    """Messages, handled one by one: encodings are framed files (docs/protocol.md)."""
    float32: bool = False
    """Every double is one of 32 bits: canonical encodings and schemas have it as such."""
    seed: int = DEFAULT_SEED
    """What is drawn from the data is drawn with it."""
    paths: Path | None = None
    """Where the data are values that were looked up in others: the tape of their paths."""
    lookup: "Dataset | None" = None
    """The values at some of its paths, where a row looks them up."""

    def of(self, row: Row) -> "Dataset":
        """What a worker of `row` loads as its tape: these data, or the values that it looks up in them."""
        return self.lookup if self.lookup and row.kind.yields == "some values" else self

    @property
    def has_lookup(self) -> bool:
        """Whether there is a value to be looked up."""
        return self.lookup is not None and self.lookup.facts.nodes > self.lookup.facts.messages

    @property
    def framing(self) -> int:
        """The bytes of an encoded file that are no message."""
        return FRAME_HEAD + FRAME_SIZE * self.facts.messages if self.framed else 0

    def record(self, encodings: dict[str, Encoding]) -> DatasetRecord:
        """The dataset as a run file keeps it."""
        facts = self.facts
        return DatasetRecord(
            name=self.name,
            tape_sha256=self.tape_sha256,
            content_hash=facts.content_hash,
            exact_hash=facts.exact_hash,
            unordered_hash=facts.unordered_hash,
            nodes=facts.nodes,
            depth=facts.depth,
            encodings=encodings,
            schema=self.schema_text,
            messages=self.facts.messages,
        )


class Encoded(msgspec.Struct, frozen=True, kw_only=True):
    """A canonical encoding in the cache."""

    path: Path
    bytes: int
    hash: str
    sha256: str


class _ToolError(msgspec.Struct):
    error: str
    line: int = 0
    column: int = 0


class _Kept(msgspec.Struct):
    """What is stored beside a cached file, so that a damaged one is noticed."""

    sha256: str
    facts: Facts | None = None
    bytes: int = 0
    hash: str = ""


def _sha256_of_users(path: Path) -> str:
    """Return the SHA-256 of a file that a user named. Raises UserError if it cannot be read."""
    if not path.is_file():
        raise UserError(f"'{path}' is not a file that can be read")
    try:
        return sha256(path)
    except OSError as error:
        raise UserError(f"'{path}' cannot be read: {error.strerror}") from error


def _key(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class Store:
    """The datasets in the project's `cache`, made by the program `tool` (harness/c/tools)."""

    def __init__(self, cache: Path, tool: Path) -> None:
        self._project_cache = cache
        self.cache = cache / "datasets"
        self.tool = tool
        self._tool_digest = sha256(tool)
        try:
            self.cache.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"the cache {self.cache} cannot be written: {error.strerror}") from error

    def dataset(self, spec: Spec) -> Dataset:
        """The tape of `spec`, from the cache or made now. Raises UserError for bad input."""
        if spec.messages:
            return self._messages(spec)
        if spec.growing:
            return self._growing(spec)
        path = corpus.fetched(spec.corpus, self._project_cache) if spec.corpus else spec.path
        if path is None:
            what = ["generate", str(spec.size), str(spec.seed), "safe" if spec.safe else "plain"]
            key = _key(self._tool_digest, *what)
        else:
            what = ["import", str(path)]
            key = _key(self._tool_digest, "import", _sha256_of_users(path))
        return self._tape(key, spec, lambda tape: [*what, str(tape)])

    def _growing(self, spec: Spec) -> Dataset:
        """The tape of records, which this process writes and the tool reads."""

        def write(tape: Path) -> list[str]:
            make = growing.rows_of if spec.growing == "records" else growing.distinct_rows
            growing.write_tape(tape, make(spec.megabytes), spec.shape)
            return ["info", str(tape)]

        source = sha256(Path(growing.__file__))
        made = self._tape(_key(self._tool_digest, source, spec.name), spec, write)
        return msgspec.structs.replace(made, schema=spec.schema)

    def _messages(self, spec: Spec) -> Dataset:
        """The tape of messages: an array whose elements are the documents."""
        sums = [_sha256_of_users(path) + path.suffix for path in spec.messages]
        files = [str(path.absolute()) for path in spec.messages]
        key = _key(self._tool_digest, "messages", *sums)
        made = self._tape(key, spec, lambda tape: ["messages", str(tape), *files])
        return msgspec.structs.replace(made, framed=True)

    def ordered(self, dataset: Dataset, texts: Sequence[bytes]) -> Dataset:
        """The dataset with the keys of its objects in another order: that of these documents in JSON."""
        return self._derived(dataset, ORDERED, texts)

    def float32(self, dataset: Dataset, texts: Sequence[bytes]) -> Dataset:
        """The dataset with its doubles rounded: those of these documents in JSON."""
        return msgspec.structs.replace(self._derived(dataset, FLOAT32, texts), float32=True)

    def _derived(self, dataset: Dataset, suffix: str, texts: Sequence[bytes]) -> Dataset:
        """The documents in `texts`, which were made of those of `dataset`, by its name with `suffix`."""
        form = "messages" if dataset.framed else "one"
        key = _key(self._tool_digest, suffix, dataset.tape_sha256, form, *map(_digest, texts))
        spec = Spec(name=f"{dataset.name}{suffix}", seed=dataset.seed)
        with scratch(self.cache) as folder:
            source = folder / ("derived.jsonl" if dataset.framed else "derived.json")
            source.write_bytes(b"\n".join(texts))
            if dataset.framed:
                made = self._tape(key, spec, lambda tape: ["messages", str(tape), str(source)])
            else:
                made = self._tape(key, spec, lambda tape: ["import", str(source), str(tape)])
        return msgspec.structs.replace(made, framed=dataset.framed, float32=dataset.float32)

    def _tape(self, key: str, spec: Spec, command: Callable[[Path], list[str]]) -> Dataset:
        tape, about = self.cache / f"{key}.tape", self.cache / f"{key}.tape.json"
        kept = self._kept(tape, about)
        if kept is None or kept.facts is None:
            with scratch(self.cache) as folder:
                made = folder / "tape"  # Another process may read the one that is there.
                facts = self._run_tool(command(made), spec.name, spec.path)
                kept = _Kept(sha256=sha256(made), facts=facts)
                made.replace(tape)
            replace_file(about, msgspec.json.encode(kept), lasting=False)
        assert kept.facts is not None
        return Dataset(
            name=spec.name,
            tape=tape,
            tape_sha256=kept.sha256,
            facts=kept.facts,
            tool=self.tool,
            seed=spec.seed,
        )

    def with_lookup(self, dataset: Dataset) -> Dataset:
        """The dataset with values to be looked up in it, at paths drawn by its seed."""
        spec = Spec(name=dataset.name, seed=dataset.seed)
        form = "messages" if dataset.framed else "one"
        key = [self._tool_digest, "paths", dataset.tape_sha256, str(dataset.seed), form]
        draw = ["paths", str(dataset.tape), str(dataset.seed), form]
        paths = self._tape(_key(*key), spec, lambda tape: [*draw, str(tape)])
        find = ["values", str(dataset.tape), str(paths.tape), form]
        found = self._tape(_key(*key, "values"), spec, lambda tape: [*find, str(tape)])
        digest = _key(found.tape_sha256, paths.tape_sha256)
        lookup = msgspec.structs.replace(found, paths=paths.tape, tape_sha256=digest, framed=dataset.framed)
        return msgspec.structs.replace(dataset, lookup=lookup)

    def hash_words(self, dataset: Dataset) -> Path:
        """The words that exact_hash mixes for `dataset`, for the baselines of readers (docs/protocol.md)."""
        key = _key(self._tool_digest, "words", dataset.tape_sha256, *(["messages"] if dataset.framed else []))
        path, about = self.cache / f"{key}.words", self.cache / f"{key}.words.json"
        if self._kept(path, about) is None:
            with scratch(self.cache) as folder:
                made = folder / "words"
                command = ["words", str(dataset.tape), str(made), *(["messages"] if dataset.framed else [])]
                self._run_tool(command, dataset.name)
                kept = _Kept(sha256=sha256(made))
                made.replace(path)
            replace_file(about, msgspec.json.encode(kept), lasting=False)
        return path

    def _kept(self, file: Path, about: Path) -> _Kept | None:
        try:
            kept = msgspec.json.decode(about.read_bytes(), type=_Kept)
            return kept if sha256(file) == kept.sha256 else None
        except (OSError, msgspec.DecodeError):
            return None

    def _run_tool(self, arguments: Sequence[str], name: str, path: Path | None = None) -> Facts:
        try:
            done = subprocess.run(
                [str(self.tool), *arguments], capture_output=True, timeout=TOOL_TIMEOUT, check=False
            )
        except subprocess.TimeoutExpired:
            raise UserError(f"dataset '{name}': not made within {TOOL_TIMEOUT} s") from None
        except OSError as error:
            raise UserError(f"the dataset tool cannot be started: {error.strerror}") from error
        try:
            if done.returncode == 0:
                return msgspec.json.decode(done.stdout, type=Facts)
            bad = msgspec.json.decode(done.stdout, type=_ToolError)
        except msgspec.DecodeError:
            last = done.stderr.decode("utf-8", "replace").strip()[-300:]
            raise UserError(f"dataset '{name}': the dataset tool failed: {last}") from None
        place = f"line {bad.line}, column {bad.column}: " if bad.line else ""
        raise UserError(f"{path or name}: {place}{bad.error}")

    def encode(
        self, dataset: Dataset, format_id: str, command: Sequence[str], digest: str, *, limited: bool = True
    ) -> Encoded:
        """The canonical encoding of `dataset`, by the write worker `command` whose build is `digest`.

        Its memory is `limited`, but not with sanitizers, which reserve more addresses than there is memory.
        Cached under the SHA-256 of the tape, the encoder and its options (which are part of its build).
        Raises WorkerFailure if the encoder fails.
        """
        key = _key(dataset.tape_sha256, format_id, digest, *(["messages"] if dataset.framed else []))
        path, about = self.cache / f"{key}.{format_id}", self.cache / f"{key}.{format_id}.json"
        kept = self._kept(path, about)
        if kept is None:
            with scratch(self.cache) as folder:
                made = folder / "encoded"
                limits = Limits(memory_bytes=most_memory() if limited else None, timeout=TOOL_TIMEOUT)
                with Worker(command, limits=limits) as worker:
                    describe(worker)
                    prepare(worker, dataset.tape, None, padding=1, fragment=False, messages=dataset.framed)
                    written = verify(worker, made)
                size = made.stat().st_size - dataset.framing
                if written.bytes != size:
                    raise WorkerFailure(f"wrote {size} bytes and reported {written.bytes}")
                kept = _Kept(sha256=sha256(made), bytes=written.bytes, hash=written.hash)
                made.replace(path)
            replace_file(about, msgspec.json.encode(kept), lasting=False)
        return Encoded(path=path, bytes=kept.bytes, hash=kept.hash, sha256=kept.sha256)


def copy_out(source: Path, target: Path) -> None:
    """Copy a cached file to where the user wants it. Raises UserError if that cannot be written."""
    with source.open("rb") as file, writing(target) as out:
        shutil.copyfileobj(file, out)
