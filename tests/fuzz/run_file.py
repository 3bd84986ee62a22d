"""Target: an input is a run file or a journal."""

import msgspec

from serbench.errors import UserError
from serbench.results.analysis import analyse
from serbench.results.load import read_run


def run(data: bytes) -> None:
    """Read it: it is refused, or it can be analysed and written again."""
    try:
        found = read_run(data, "the file")
    except UserError:
        return
    analyse(found)
    msgspec.json.encode(found)
