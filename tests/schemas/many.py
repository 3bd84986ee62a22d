"""Random schemas through inference and the compilers: `python -m tests.schemas.many [COUNT [FIRST]]`.

Ends with 1 and what was said about the first that a compiler refused.
"""

import sys
import tempfile
from pathlib import Path

from serbench.schemas import text
from serbench.schemas.check import refuse_other
from serbench.schemas.infer import Inexpressible, infer
from tests.schemas.compilers import NAMES, Case, compile_all, lacking
from tests.schemas.randomly import documents

AT_ONCE = 100


def cases(seeds: range) -> list[Case]:
    """The schemas of these random documents, which their TOML yields again and the documents follow."""
    found: list[Case] = []
    for seed in seeds:
        made = documents(seed)
        try:
            schema = infer(made)
        except Inexpressible as error:  # an integer beyond 2^53 beside doubles, by chance
            print(f"{seed}: {error}")
            continue
        refuse_other(schema, made)
        refuse_other(text.read(text.write(schema), str(seed)), made)
        found.append((schema, made))
    return found


def main(count: int, first: int) -> int:
    """Take the documents from `first` on through all compilers; 1 if one refuses a schema."""
    here = [name for name in NAMES if not lacking(name)]
    for start in range(first, first + count, AT_ONCE):
        made = cases(range(start, min(start + AT_ONCE, first + count)))
        for name in here:
            with tempfile.TemporaryDirectory() as folder:
                said = compile_all(name, made, Path(folder))
            if said:
                print(f"{name}, documents from {start}: {said}")
                return 1
    print(f"{count} schemas are taken by {', '.join(here)}")
    return 0


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:3]]
    sys.exit(main(*[*numbers, *[2000, 0][len(numbers) :]]))
