"""How long the report page takes to open, and to answer, with 5,000 rows.

PYTHONPATH=src .venv/bin/python benchmarks/page.py

It needs Node.js, a Chromium, and the packages of page/ (./check --all installs them). Prints, in
milliseconds, the median of several times: opening (from disk until table and charts stand; goal: under
2,000), and for each interaction until the table has changed (goal: under 200), and until the charts have too.
Behind it stands how long the page's own thread worked for all of it, which other load changes less.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from tests.page.runs import many_rows  # noqa: E402

from serbench.project import CACHE  # noqa: E402
from serbench.provision import toolchain  # noqa: E402
from serbench.provision.providers import npm  # noqa: E402
from serbench.report.page.make import page  # noqa: E402

ROWS, GROUPS = 5000, 25


def main() -> None:
    """Make the page, and let page.mjs time it."""
    chromium = shutil.which("chromium") or sys.exit("there is no chromium")
    node = toolchain.need(ROOT, CACHE, ["javascript"], "npm")
    packages = npm.install(ROOT / "page", CACHE, node, development=True)
    with tempfile.TemporaryDirectory() as folder:
        made = page([many_rows(ROWS, groups=GROUPS)])
        file = Path(folder) / "report.html"
        file.write_text(made, encoding="utf-8")
        print(f"{ROWS} rows in {GROUPS} groups: {len(made.encode()) / 1e6:.2f} MB")
        plan = {"packages": str(packages), "chromium": chromium, "page": str(file)}
        script = Path(__file__).with_suffix(".mjs")
        subprocess.run([*node.programs["node"], script, json.dumps(plan)], check=True)


if __name__ == "__main__":
    main()
