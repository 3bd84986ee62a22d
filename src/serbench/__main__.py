"""`python -m serbench`."""

import os
import re
import sys

# Libraries read these while they are imported, and end with a traceback at what is no number.
for name in ("COLUMNS", "LINES", "TERMINAL_WIDTH"):
    if not re.fullmatch("[0-9]{1,4}", os.environ.get(name, "0")):
        del os.environ[name]

try:
    from serbench.cli import main
except KeyboardInterrupt:  # while the modules are read
    print("serbench: interrupted; nothing was measured", file=sys.stderr)
    sys.exit(130)

if __name__ == "__main__":
    main()
