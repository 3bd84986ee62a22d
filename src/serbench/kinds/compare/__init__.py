"""A comparison: whether one version of a library is slower than another, as a verdict and an exit status."""

from serbench.commands.outcome import Ending
from serbench.kinds import Command
from serbench.kinds.compare.command import compare
from serbench.kinds.compare.verdict import print_verdict

KIND = (
    Command(compare),
    Ending(is_of=lambda run: run.settings.comparing is not None, conclude=print_verdict),
)
