"""Programs that only tests need: compiled once for the same sources, flags and compiler."""

import contextlib
import hashlib
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import pytest

from serbench.project import CACHE, ROOT
from tests.tiers import PURE

HARNESS = ROOT / "harness" / "c"


def compiled(
    make: Callable[[Path], Path], words: Iterable[object], sources: Iterable[Path] = (), compiler: str = "gcc"
) -> Path:
    """Return the program that `make` leaves in the folder that it is given.

    It is made again if the `words`, one of the `sources` or of the files of the C harness, or the version of
    the compiler has changed. Where only pure tests run, the one that asks is skipped.
    """
    if PURE:
        pytest.skip("it compiles C")
    files = [*sources, *(path for path in sorted(HARNESS.rglob("*")) if path.is_file())]
    parts = [repr(list(map(str, words))).encode(), _version(compiler), *(path.read_bytes() for path in files)]
    digest = hashlib.sha256()
    for part in parts:
        digest.update(hashlib.sha256(part).digest())
    folder = CACHE / "tests" / digest.hexdigest()[:24]
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=folder.parent))
        program = make(made)
        program.replace(made / "program")
        with contextlib.suppress(OSError):  # another session of tests has made it meanwhile
            made.rename(folder)
    return folder / "program"


@cache
def _version(compiler: str) -> bytes:
    return subprocess.run([compiler, "--version"], capture_output=True, check=False).stdout
