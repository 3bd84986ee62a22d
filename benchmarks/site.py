"""How long a site of many runs takes to make and to open, and how long history takes over more of them.

PYTHONPATH=src .venv/bin/python -m benchmarks.site

Makes run files whose times are multiplied, one a day, in a folder that is removed afterwards. `first` is
with an empty store, so all files are read and compared; `again` is the next call, and `one more` the call
after a new run has come. Each is a new process; in brackets the time that processors worked for it. Goals: a
site of 30 runs of 200 rows in 20 s; its first page opens in 1 s; history over 300 runs answers in 2 s.
Opening needs Node.js, a Chromium, and the packages of page/ (./check --all installs them); --no-browser
leaves it out.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
import zstandard
from tests.publish.history.runs import many_runs

from serbench.project import CACHE, ROOT
from serbench.provision import toolchain
from serbench.provision.providers import npm

SITE = """
import sys; from pathlib import Path; from serbench.publish.site import build, folder
folder.write_site(build.build(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[4])), Path(sys.argv[3]))
"""
HISTORY = """
import sys; from pathlib import Path; from serbench.publish.history import report, timeline
from serbench.report.terminal import terminal_text
found = timeline.history_of(Path(sys.argv[1]), Path(sys.argv[2]))
terminal_text(report.history_document(found, detailed=False))
"""


def write_runs(folder: Path, number: int, rows: int) -> None:
    """Write so many run files of so many rows, as `zstd` leaves them."""
    folder.mkdir()
    for place, run in enumerate(many_runs(number, rows)):
        packed = zstandard.compress(msgspec.json.encode(run))
        (folder / f"{place:04}.json.zst").write_bytes(packed)


def seconds(program: str, *words: Path) -> tuple[float, float]:
    """How long a Python program takes, its start included, and how long processors work for it."""
    before, began = os.times(), time.monotonic()
    subprocess.run([sys.executable, "-c", program, *words], check=True)
    after, taken = os.times(), time.monotonic() - began
    worked = (after.children_user + after.children_system) - (before.children_user + before.children_system)
    return taken, worked


def timed(name: str, program: str, place: Path, number: int, *words: Path) -> None:
    """Print how long `program` takes with no store, with one, and with a run more."""
    last = place / f"{number - 1:04}.json.zst"
    store, aside = place.parent / f"{name}.sqlite3", place.parent / last.name
    last.rename(aside)
    found = {"first": seconds(program, place, store, *words)}
    found["again"] = seconds(program, place, store, *words)
    aside.rename(last)
    found["one more"] = seconds(program, place, store, *words)
    told = ", ".join(f"{what} {taken:.1f} s ({worked:.1f} s)" for what, (taken, worked) in found.items())
    print(f"{name}, {number} runs: {told}", flush=True)


def open_page(site: Path) -> None:
    """Print how long a browser takes until the first page is shown."""
    chromium = shutil.which("chromium") or sys.exit("there is no chromium")
    node = toolchain.need(ROOT, CACHE, ["javascript"], "npm")
    packages = npm.install(ROOT / "page", CACHE, node, development=True)
    page = site / "index.html"
    plan = {"packages": str(packages), "chromium": chromium, "page": str(page)}
    script = Path(__file__).with_suffix(".mjs")
    subprocess.run([*node.programs["node"], script, json.dumps(plan)], check=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--site-runs", type=int, default=30)
    parser.add_argument("--history-runs", type=int, default=300)
    parser.add_argument("--no-browser", action="store_true")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_runs(folder / "few", given.site_runs, given.rows)
        timed("site", SITE, folder / "few", given.site_runs, folder / "made", ROOT)
        if not given.no_browser:
            open_page(folder / "made")
        write_runs(folder / "many", given.history_runs, given.rows)
        timed("history", HISTORY, folder / "many", given.history_runs)


if __name__ == "__main__":
    main()
