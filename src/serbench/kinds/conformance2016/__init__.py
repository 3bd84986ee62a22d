"""What the 2016 C/C++ suite and its Zig fork published, and our runs in its layout and beside it.

The figures are data in csv files beside this one, as their authors published them:

- `c-cpp-2016.csv`: all rows of the extended results of github.com/ludocode/schemaless-benchmarks,
  on three platforms: "Desktop PC" (AMD Phenom II X6 1090T), "Chromebook" (Intel Celeron 2957U) and
  "Raspberry Pi" (ARMv6, first generation). Net times and deviations are in microseconds, code sizes
  in bytes, both less the baseline's; the rows of the test `baseline` are those baselines themselves.
- `encodings-2016.csv`: the sizes of its data in seven encodings, from the same place.
- `names.toml`: which row of ours is meant by each, and what the suite's programs were called.
- `zig-fork-2024.csv`: the rows of a fork of it that added a library in Zig (AMD Ryzen 5 4600U, one run).
"""

from serbench.kinds import Command
from serbench.kinds.conformance2016.command import conformance
from serbench.kinds.conformance2016.layout import published
from serbench.report.parts import Layout

KIND = (
    Command(conformance),
    Layout(name="published", about="the 2016 suite's tables", render=published),
)
