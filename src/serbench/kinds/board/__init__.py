"""Real boards: the benchmark as a project for them, and a run of what one says over its serial line."""

from serbench.kinds import Command
from serbench.kinds.board.command import board, collect
from serbench.kinds.board.step import prepare
from serbench.run.kind import RunKind
from serbench.run.resume import Resumption

KIND = (
    Command(board),
    Command(collect),
    RunKind(name="board", prepare=prepare, results="rows", counting=True, locking=False),
    Resumption(
        kind="board",
        command=("collect", "--resume"),
        options=("--data", "--timeout", "--port", "--baud"),
        needed=("--port", "DEVICE"),
    ),
)
