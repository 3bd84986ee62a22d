"""The pure tests and the rows of Python under each further Python that is here: `python -m tests.pythons`.

Pythons are those on PATH and pyenv's, one of each version that serbench takes; the one that runs this has all
tests. Each gets an environment of its own in the cache. Ends with 1 if one fails.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from serbench.project import CACHE, ROOT

VERSIONS = ("3.11", "3.12", "3.13", "3.14")
LOCK = ROOT / "requirements-dev.lock"
DATASETS = "generated:2,records:0.001"


def pythons() -> dict[str, Path]:
    """A Python that can make environments for each of VERSIONS but this one's own, as far as one is here."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    found = {}
    for version in VERSIONS:
        builds = sorted(pyenv.glob(f"versions/{version}.*/bin/python"))
        candidates = [*builds, *filter(None, [shutil.which(f"python{version}"), shutil.which("python3")])]
        able = [Path(each) for each in candidates if _version(Path(each)) == version]
        if able and not _is_own(version):
            found[version] = able[0]
    return found


def _version(python: Path) -> str:
    """`3.13`; empty for one that does not start, or makes no environments."""
    ask = "import ensurepip, sys, venv; print('{}.{}'.format(*sys.version_info))"
    done = subprocess.run([python, "-c", ask], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def environment(version: str, python: Path) -> Path:
    """The Python of an environment with the packages of the lock, made now if it is not there."""
    folder = CACHE / "pythons" / version
    stamp = folder / LOCK.name
    if not stamp.is_file() or stamp.read_bytes() != LOCK.read_bytes():
        subprocess.run([python, "-m", "venv", "--clear", folder], check=True)
        install = ["-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes", "-r", LOCK]
        subprocess.run([folder / "bin/python", *install], check=True)
        shutil.copy(LOCK, stamp)
    return folder / "bin/python"


def main() -> int:
    """Run them all, and go on after what fails; the exit status."""
    found, failed = pythons(), []
    absent = [version for version in VERSIONS if version not in found and not _is_own(version)]
    print(f"== Python {', '.join(found) or 'none'}; not here: {', '.join(absent) or 'none'}", flush=True)
    for version, python in found.items():
        own = environment(version, python)
        extra = {"SERBENCH_CHECK_PURE": "1", "SERBENCH_CHECK_ALL": "0", "PYTHONPATH": str(ROOT / "src")}
        jobs = str(len(os.sched_getaffinity(0)) + 1)
        for words in (
            ["pytest", "-n", jobs, "--dist", "loadfile", "-q", "--durations=0", "--durations-min=60"],
            ["serbench", "verify", "--languages", "python", "--datasets", DATASETS],
        ):
            done = subprocess.run(
                [own, "-m", *words],
                cwd=ROOT,
                env={**os.environ, **extra},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            # As a test runner's last line it would be taken for the one of all tests.
            said = re.sub(r"(?m)^=+ (.*) =+$", r"\1", done.stdout)
            print(
                f"== Python {version}: {words[0]}{'' if done.returncode == 0 else ' failed'}\n{said}",
                flush=True,
            )
            failed += [f"{words[0]} in Python {version}"] if done.returncode != 0 else []
    return 1 if failed else 0


def _is_own(version: str) -> bool:
    return version == "{}.{}".format(*sys.version_info)


if __name__ == "__main__":
    sys.exit(main())
