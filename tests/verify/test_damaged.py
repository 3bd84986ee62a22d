"""What readers do with damaged input: the labels on bounds, crashes and UTF-8.

Each stands on every reader that is seen to do so, and on no other. For bounds, encodings are cut off, or
have bytes changed, among them lengths and counts; a preloaded library (guard.c) places the copy that a
reader gets right before memory that nobody may touch.
"""

import itertools
import json
import random
import struct
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest

from serbench.catalog.load import load_catalog
from serbench.datasets.spec import file_spec
from serbench.project import CACHE, ROOT
from serbench.run.context import BuildContext, BuildResult
from serbench.worker.process import Limits, Refusal, Worker, WorkerFailure
from serbench.worker.session import Verified, prepare
from tests.conftest import CONTENDERS
from tests.known import labels_of

BOUNDS, FRAIL = "checks no bounds", "crashes or hangs on damaged input"
UTF8, IN_PART = "does not validate UTF-8", "validates UTF-8 in part"
READ, REFUSED, SEEN = "read", "refused", "read beyond its input"
LIMITS = Limits(memory_bytes=1 << 30, timeout=20.0)
MESSAGES = 64
"""In one file."""
VALUES = [None, True, -7, 300, -70000, 2**40, 0.1, "a", "b" * 40, [[1, 2, 3], "xyz"], {"key": {"k": "v"}}]
CUTS = (1, 2, 4, 8, 16, 40)
"""How many bytes are missing."""
DAMAGES = 16
"""How many times each of the messages is damaged."""
NATIVE = ("c", "cpp", "zig")


def framed(messages: list[bytes]) -> bytes:
    head = b"sbmsgs1\n" + struct.pack("<Q", len(messages))
    return head + b"".join(struct.pack("<Q", len(m)) for m in messages) + b"".join(messages)


def unframed(data: bytes) -> list[bytes]:
    (count,) = struct.unpack_from("<Q", data, 8)
    sizes = struct.unpack_from(f"<{count}Q", data, 16)
    places = itertools.accumulate(sizes, initial=16 + 8 * count)
    return [data[place : place + size] for place, size in zip(places, sizes, strict=False)]


def damaged(messages: list[bytes], chance: random.Random) -> list[bytes]:
    """Each message with one byte changed: more than it was, much more, or anything."""
    found = []
    for message in messages:
        place = chance.randrange(len(message))
        byte = message[place]
        value = chance.choice([byte + 1, byte + 9, byte | 0x70, 0x7F, 0xFF, chance.randrange(256)])
        found.append(message[:place] + bytes([value & 0xFF]) + message[place + 1 :])
    return found


@pytest.fixture(scope="module")
def guard(tmp_path_factory) -> Path:
    library = tmp_path_factory.mktemp("guard") / "libguard.so"
    command = ["gcc", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    source = Path(__file__).with_name("guard.c")
    done = subprocess.run([*command, source, "-o", library], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return library


@pytest.fixture(scope="module")
def inputs(context, tmp_path_factory):
    """The tape, and the damaged encodings of a format: files of messages, with the size of each."""
    folder = tmp_path_factory.mktemp("damaged")
    chance = random.Random(1)
    lines = [json.dumps(chance.sample(VALUES, len(VALUES))) for _ in range(MESSAGES)]
    (folder / "messages.jsonl").write_text("\n".join(lines))
    dataset = context.store.dataset(file_spec(folder / "messages.jsonl"))
    made: dict[str, list[tuple[Path, int]]] = {}

    def of(format_id: str) -> tuple[Path, list[tuple[Path, int]]]:
        if format_id not in made:
            canonical = context.canonical(dataset, format_id)
            assert canonical.encoded is not None, canonical.reason
            whole = unframed(canonical.encoded.path.read_bytes())
            (size,) = {len(message) for message in whole}
            files = [("whole", whole)]
            files += [(f"cut-{missing}", [m[: size - missing] for m in whole]) for missing in CUTS]
            files += [(f"damaged-{number}", damaged(whole, chance)) for number in range(DAMAGES)]
            made[format_id] = []
            for name, messages in files:
                path = folder / f"{format_id}-{name}"
                path.write_bytes(framed(messages))
                made[format_id].append((path, len(messages[0])))
        return dataset.tape, made[format_id]

    return of


def outcomes(
    ready: BuildResult,
    guard: Path,
    tape: Path,
    files: list[tuple[Path, int]],
    *,
    messages: bool = True,
    limits: Limits = LIMITS,
) -> list[str]:
    """What became of a reader that was given each of the files: READ, REFUSED, or how it ended.

    All go to one worker, and to another one after that has ended.
    """
    padding = ready.row.contender.manifest.padding
    found = []
    with tempfile.NamedTemporaryFile("w", dir=guard.parent) as guarded, ExitStack() as running:
        command = ("env", f"SERBENCH_GUARDED={guarded.name}", *ready.built.command)
        worker = None
        for path, size in files:
            Path(guarded.name).write_text(str(size + padding))
            worker = worker or running.enter_context(Worker(command, limits=limits, preload=[guard]))
            try:
                prepare(worker, tape, path, padding, fragment=False, messages=messages)
                answer = worker.attempt(Verified, None, do="verify", output="")
                found.append(REFUSED if isinstance(answer, Refusal) else READ)
            except WorkerFailure as failure:
                worker = None
                found.append(SEEN if SEEN in failure.output else f"{path.name}: {failure.reason}")
    return found


@pytest.fixture(scope="module")
def readers(built) -> list[BuildResult]:
    """The native readers of contenders that this machine has got."""
    return [
        ready
        for ready in built.values()
        if ready.status == "ok"
        and ready.row.kind.yields == "values"
        and ready.row.contender.manifest.role == "contender"
        and ready.row.contender.manifest.language in NATIVE
    ]


def test_the_guard_sees_one_byte_too_many(guard, inputs):
    """In every input, whatever the size of the one before."""
    catalog = load_catalog(ROOT, [CONTENDERS / "misbehaving"])
    context = BuildContext(catalog, CACHE)
    wanted = ("c/misbehaving:tree", "c/misbehaving:tree:reads-on")
    rows = [row for row in catalog.rows() if row.id in wanted]
    tape, ((whole, size), *_) = inputs("messagepack")
    files = [(whole, size + 1000), (whole, size), (whole, size)]
    found = [outcomes(ready, guard, tape, files) for ready in context.build(rows).values()]
    assert found == [[READ] * 3, [READ, SEEN, SEEN]]


def test_no_reader_reads_beyond_what_is_undamaged(readers, guard, inputs):
    for ready in readers:
        tape, (whole, *_) = inputs(ready.row.contender.manifest.format)
        assert outcomes(ready, guard, tape, [whole]) == [READ], ready.row.id


@pytest.mark.slow
def test_who_reads_beyond_what_is_damaged_or_crashes_is_labelled_and_nobody_else(
    readers, guard, inputs, context
):
    def ends_of(ready: BuildResult) -> set[str]:
        tape, (_, *files) = inputs(ready.row.contender.manifest.format)
        # Only of a row that may hang need it not be known whether it is merely slow here.
        limits = msgspec.structs.replace(LIMITS, timeout=2.0) if FRAIL in labels_of(ready) else LIMITS
        return set(outcomes(ready, guard, tape, files, limits=limits))

    for ready in readers:  # makes the inputs, one after the other
        inputs(ready.row.contender.manifest.format)
    with ThreadPoolExecutor(context.jobs) as pool:
        found = list(pool.map(ends_of, readers))
    wrong = []
    for ready, ends in zip(readers, found, strict=True):
        # A length may also lead to where no guard is, which adds nothing to reading on.
        crashes = "; ".join(sorted(ends - {READ, REFUSED}))
        expected = {BOUNDS} if SEEN in ends else {FRAIL} if crashes else set()
        if expected != {BOUNDS, FRAIL} & labels_of(ready):
            wrong.append(f"{ready.row.id} needs {expected or 'neither label'}: {crashes}")
        if not crashes and REFUSED not in ends:
            wrong.append(f"{ready.row.id} takes whatever it is given")
    assert not wrong, "\n".join(wrong)


def test_who_reads_what_is_no_utf8_is_labelled_and_nobody_else(readers, guard, context, document, tmp_path):
    letter = "\u00e9"
    broken = {b"\xc3(": {UTF8}, b"\xc0\xaf": {UTF8, IN_PART}}  # the second one is overlong
    dataset = document(f'["{letter * 2}",{{"key":"{letter}"}},[1,2]]')
    wrong = []
    for ready in readers:
        format_id = ready.row.contender.manifest.format
        canonical = context.canonical(dataset, format_id)
        assert canonical.encoded is not None, canonical.reason
        good = canonical.encoded.path.read_bytes()
        assert good.count(letter.encode()) == 3
        files, expected = [(canonical.encoded.path, len(good))], [READ]
        for number, (bad, labels) in enumerate(broken.items()):
            path = tmp_path / f"{format_id}-{number}"
            path.write_bytes(good.replace(letter.encode(), bad))
            files.append((path, len(good)))
            expected.append(READ if labels & labels_of(ready) else REFUSED)
        found = outcomes(ready, guard, dataset.tape, files, messages=False)
        if found != expected:
            wrong.append(f"{ready.row.id}: {found}")
    assert not wrong, "\n".join(wrong)
