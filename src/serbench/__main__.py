"""`python -m serbench`."""

import os
import re

# Libraries read these while they are imported, and end with a traceback at what is no number.
for name in ("COLUMNS", "LINES", "TERMINAL_WIDTH"):
    if not re.fullmatch("[0-9]{1,4}", os.environ.get(name, "0")):
        del os.environ[name]

from serbench.cli import main  # noqa: E402

if __name__ == "__main__":
    main()
