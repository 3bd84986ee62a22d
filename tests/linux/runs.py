"""A run of counts on an emulated Linux, for tests and benchmarks of what shows it."""

from serbench.results.schema import Platform, Run
from tests.results.builder import MACHINE, row, settings

PLATFORM = Platform(
    name="linux-armv6",
    title="ARMv6 Linux",
    stands_for=["Raspberry Pi 1"],
    unit="instructions",
    compiler="arm-gcc 12",
    flags="-static",
    emulator="qemu-arm 7",
)


def counted_run(profile: str = "size") -> Run:
    def one(number, name, instructions, size, **more):
        stated = {"labels": ["all have it"], "platform": "linux-armv6", "profile": profile} | more
        return row(number, name, instructions=instructions, code_size=size, **stated)

    rows = [
        one(0, "Baseline", 1000.0, None, role="baseline", row="c/baseline:tree", whole_size=400_123),
        one(1, "Large", 3000.0, 9000),
        one(2, "Small", 5000.5, 2000, labels=["all have it", "borrows strings from its input"]),
        one(3, "Gone", None, None, status="unavailable", reason="is built for this machine only"),
        one(4, "Wrong", None, None, status="failed", reason="wrong content_hash"),
    ]
    return Run(
        serbench="0", id="r", started="s", machine=MACHINE, settings=settings(), rows=rows, complete=True,
        platforms=[PLATFORM],
    )  # fmt: skip
