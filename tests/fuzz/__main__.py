"""Fuzz one target, or all: python -m tests.fuzz [TARGET]... [--runs N] [--keep]."""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.fuzz import ATHERIS, LOCK, TARGETS, fuzz, keep, missing


def main() -> int:
    """Run what the command line says; return 1 if a target failed, 2 if one cannot run here."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description="Fuzz what reads bytes from elsewhere."
    )
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("--runs", type=int, default=100_000, help="how many inputs each gets (100000)")
    parser.add_argument("--keep", action="store_true", help="add inputs that reach new code to the corpus")
    parser.add_argument("--install", action="store_true", help="install atheris into .cache/atheris")
    asked = parser.parse_args()
    if asked.install:
        install()
    status = 0
    for name in asked.targets or ([] if asked.install else TARGETS):
        if name not in TARGETS:
            parser.error(f"there is no target {name}; known: {', '.join(TARGETS)}")
        if lack := missing(TARGETS[name]):
            print(f"{name}: {lack}", file=sys.stderr)
            status = status or 2
            continue
        with tempfile.TemporaryDirectory(prefix="serbench-fuzz-") as folder:
            if fuzz(name, asked.runs, Path(folder)) != 0:
                status = 1
            elif asked.keep:
                keep(name, Path(folder))
    return status


def install() -> None:
    """Install atheris as its lock file has it, unless it is there."""
    stamp = ATHERIS / LOCK.name
    if stamp.is_file() and stamp.read_bytes() == LOCK.read_bytes():
        return
    pip = [sys.executable, "-m", "pip", "install", "--no-deps", "--require-hashes", "--only-binary", ":all:"]
    subprocess.run([*pip, "--no-input", "--upgrade", "--target", str(ATHERIS), "-r", str(LOCK)], check=True)
    shutil.copy(LOCK, stamp)


if __name__ == "__main__":
    sys.exit(main())
