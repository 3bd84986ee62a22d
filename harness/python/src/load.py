"""Tells how long an import takes in this new interpreter, and how many bytes are installed for it.

    python load.py PACKAGES STATEMENTS

PACKAGES is the folder with the library and all that it needs, empty for what Python itself has. STATEMENTS
are the import statements. Writes `{"load_ns": ..., "installed_bytes": ...}`, null without a folder.
"""

import site  # noqa: F401 - whoever starts Python has this module, which is no part of a library
import sys
import time

packages, statements = sys.argv[1:]
sys.path += filter(None, [packages])
imports = compile(statements, "imports", "exec")
start = time.perf_counter_ns()
exec(imports, {})  # noqa: S102 - it is code of the contender, which every worker runs
load_ns = time.perf_counter_ns() - start

import json  # noqa: E402 - what is loaded before the clock runs would cost a library nothing
from pathlib import Path  # noqa: E402


def installed(folder: str) -> int:
    """The bytes of all files below `folder` but the bytecode that Python made of them."""
    return sum(
        file.lstat().st_size
        for file in Path(folder).rglob("*")
        if file.parent.name != "__pycache__" and not file.is_dir()
    )


sys.stdout.write(
    json.dumps({"load_ns": load_ns, "installed_bytes": installed(packages) if packages else None}) + "\n"
)
