"""Rows whose workers report made-up times, and a clock that only they move."""

import json
import sys
from pathlib import Path

from serbench.measure.calibration import Conditions, MeasurementTask
from serbench.measure.records import Settings
from serbench.worker.process import Limits

SCRIPT = Path(__file__).parents[1] / "worker" / "fake_worker.py"
HASH = "0075ff81"


class FakeClock:
    """Seconds that pass as the samples say, and a little whenever somebody looks."""

    def __init__(self, look: float = 0.0) -> None:
        self.now = 0.0
        self.look = look

    def __call__(self) -> float:
        self.now += self.look
        return self.now

    def pass_sample(self, record) -> None:
        self.now += sum(getattr(record, "wall", [])) / 1e9


def measured(number: int, *options: str, role: str = "contender", memory: int = 1, ns: float = 1000.0):
    """A row whose worker says that an iteration takes `ns` nanoseconds."""
    return MeasurementTask(
        id=number,
        command=(sys.executable, "-S", "-E", str(SCRIPT), f"ns={ns}", *options),
        tape=Path("no.tape"),
        input=None,
        padding=1,
        expected=HASH,
        memory=memory,
        role=role,
        statistic="shortest-chunk",
        harness="c",
    )


def settings(**changes) -> Settings:
    values = {
        "command": ["run"],
        "precision": "quick",
        "launches": 3,
        "max_launches": 5,
        "seconds_per_launch": 0.1,
        "chunk_ns": 1_000_000,
        "target": 0.01,
        "threshold": 0.01,
    }
    return Settings(**{**values, **changes})


def conditions(clock: FakeClock, deadline: float = 1000.0, timeout: float = 20.0) -> Conditions:
    return Conditions(
        believe=True,
        limits=Limits(timeout=timeout),
        cpu=None,
        fragment=False,
        chunk_ns=1_000_000,
        clock=clock,
        deadline=deadline,
    )


def requests(log: Path) -> list[dict]:
    """What a worker with `log=` was asked."""
    return [json.loads(line) for line in log.read_text().splitlines()]
