"""Whether net comes out right: python -m benchmarks.known_cost [LANGUAGE...].

Contenders of known cost, a reader and a writer in each language, take as many steps as their input says: a
chain of arithmetic of which no step can begin before the last one has ended. What N steps take is known from
the same process: the time with 2N steps less that with N, in which all else cancels out. Net is what a run
makes of it: raw less what the harness itself does. The first table has net over the steps' own time, the
median of some launches with the least and the largest; it should be within 2 %. The second has what the hash
costs, in nanoseconds a 32-bit word of each kind of value, and a byte of output.

To be run from the clone with its own Python and PYTHONPATH=src, on a machine that does nothing else.
"""

import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from serbench.build.records import Built
from serbench.catalog.load import load_catalog
from serbench.catalog.records import Row
from serbench.catalog.tests import Test
from serbench.datasets.spec import file_spec
from serbench.errors import UserError
from serbench.measure.noise import processors
from serbench.project import CACHE, ROOT
from serbench.run.context import BuildContext
from serbench.run.inputs import worker_limits
from serbench.worker.process import Worker
from serbench.worker.session import prepare, sample

CONTENDERS = sorted(Path(__file__).parent.glob("known-*/"))
LANGUAGES = ("c", "cpp", "zig", "rust", "go", "java", "javascript", "python")
TESTS: tuple[Test, ...] = ("tree", "write")
WITHIN = 0.02
LAUNCHES, ROUNDS = 5, 12
KNOWN_NS = 100_000.0
"""What the steps take, about four times as long as the harness's own."""
CHUNK_NS, CHUNKS = 2_000_000, 5
WARMUP_NS = 1_000_000_000
INPUT_BYTES = 4096
OUTPUT_BYTES = 64_000
WORDS = {"t": 64 * 251, "i": 2000, "d": 2000}
"""The words that the hash mixes of each kind of value: of a text its length and its bytes."""


class Program(NamedTuple):
    """A worker, and a folder for its data."""

    worker: Worker
    folder: Path
    context: BuildContext

    def prepare(self, steps: int, kind: str = "a") -> None:
        """Let it take `steps`, and hash values of one kind or of all (`a`)."""
        text, given = self.folder / f"{steps}.json", self.folder / "input"
        text.write_text(f"[{steps}]")
        given.write_bytes(f"{steps:08}{kind}".encode().ljust(INPUT_BYTES))
        (data,) = self.context.datasets([file_spec(text)])
        prepare(self.worker, data.tape, given, 1, fragment=False)

    def shortest(self, overhead: bool = False, chunks: int = CHUNKS, least: float = CHUNK_NS) -> float:
        """The shortest of some chunks, in nanoseconds an iteration."""
        iterations = 1
        while True:
            walls = self.timed(iterations, 1, overhead)
            if walls[0] >= least:
                return min(self.timed(iterations, chunks, overhead)) / iterations
            iterations *= max(2, min(100, round(1.2 * least / max(1, walls[0]))))

    def timed(self, iterations: int, chunks: int, overhead: bool) -> list[int]:
        """The chunks' nanoseconds."""
        return sample(self.worker, iterations, chunks, 1, do="overhead" if overhead else "sample").wall

    def warm_up(self, overhead: bool) -> None:
        """Run it until a compiler at run time must have done with it."""
        spent = 0.0
        while spent < WARMUP_NS:
            spent += CHUNKS * max(CHUNK_NS, self.shortest(overhead))


class Found(NamedTuple):
    """What one launch found, in nanoseconds."""

    raw: float
    harness: float
    true: float

    @property
    def ratio(self) -> float:
        """Net over true."""
        return (self.raw - self.harness) / self.true


def built(context: BuildContext, language: str, test: Test) -> Built:
    """The program of a contender of known cost. Raises UserError if it cannot be built."""
    contender = context.catalog.contenders[f"{language}/known-{language}"]
    row = Row(contender=contender, test=test)
    made = context.build([row])[row.id]
    if made.built is None:
        raise UserError(f"{row.id} cannot be built: {made.reason}\n{made.output}")
    return made.built


@contextmanager
def started(context: BuildContext, language: str, test: Test, cpu: int | None) -> Iterator[Program]:
    """A worker of a contender of known cost."""
    worker = Worker(built(context, language, test).command, limits=worker_limits(60.0), cpu=cpu)
    with tempfile.TemporaryDirectory() as folder:
        try:
            yield Program(worker, Path(folder), context)
        finally:
            worker.close()


def launch(program: Program) -> Found:
    """One launch: raw, the harness's own, and what the steps take."""
    program.prepare(1000)
    program.warm_up(False)
    program.warm_up(True)
    few = program.shortest()
    program.prepare(11_000)
    steps = max(100, round(KNOWN_NS / ((program.shortest() - few) / 10_000)))
    raw, double, own = [], [], []
    for _ in range(ROUNDS):
        program.prepare(steps)
        raw.append(program.shortest())
        own.append(program.shortest(overhead=True))
        program.prepare(2 * steps)
        double.append(program.shortest())
    return Found(min(raw), min(own), min(double) - min(raw))


def hash_costs(program: Program) -> dict[str, float]:
    """What the hash costs for a word of each kind of value, without the copy of the input."""
    found: dict[str, float] = {}
    copy = 0.0
    for kind in ("n", *WORDS):
        program.prepare(0, kind)
        program.warm_up(True)
        time = min(program.shortest(overhead=True) for _ in range(ROUNDS))
        if kind == "n":
            copy = time
        else:
            found[kind] = (time - copy) / WORDS[kind]
    return found


def cost_table(context: BuildContext, languages: list[str], cpu: int | None) -> int:
    """Print net over the known cost of each language's reader and writer; returns how many are not right."""
    print(f"{'language':12} {'test':6} {'raw µs':>8} {'harness':>8} {'true':>8} {'net/true':>9}")
    wrong = 0
    for language in languages:
        for test in TESTS:
            found = []
            for _ in range(LAUNCHES):
                with started(context, language, test, cpu) as program:
                    found.append(launch(program))
            raw, own, true = (statistics.median(column) / 1000 for column in zip(*found, strict=True))
            ratios = sorted(one.ratio for one in found)
            ratio = statistics.median(ratios)
            wrong += abs(ratio - 1) > WITHIN
            print(
                f"{language:12} {test:6} {raw:8.2f} {own:8.2f} {true:8.2f} {ratio:9.4f}"
                f"  {ratios[0]:.4f} to {ratios[-1]:.4f}",
                flush=True,
            )
    return wrong


def hash_table(context: BuildContext, languages: list[str], cpu: int | None) -> None:
    """Print what the hash costs in each language: ns a word, and a byte of output."""
    print(f"\n{'language':12} {'text':>8} {'integer':>8} {'double':>8} {'output':>8}")
    for language in languages:
        with started(context, language, "tree", cpu) as program:
            costs = hash_costs(program)
        with started(context, language, "write", cpu) as program:
            program.prepare(0)
            program.warm_up(True)
            output = min(program.shortest(overhead=True) for _ in range(ROUNDS)) / OUTPUT_BYTES
        print(
            f"{language:12} {costs['t']:8.3f} {costs['i']:8.3f} {costs['d']:8.3f} {output:8.4f}", flush=True
        )


def main(languages: list[str]) -> int:
    """Print both tables; 1 if a net time is not right."""
    context = BuildContext(load_catalog(ROOT, CONTENDERS), CACHE)
    cpu, _ = processors()
    wrong = cost_table(context, languages, cpu)
    hash_table(context, languages, cpu)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or list(LANGUAGES)))
