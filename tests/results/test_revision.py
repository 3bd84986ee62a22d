"""Which serbench a run file names: the commit of its own clone, and a digest of what measures."""

import shutil
import subprocess
from pathlib import Path

import msgspec
import pytest

from serbench.results.machine import processor_name
from serbench.results.revision import name_of, revision_of
from serbench.results.schema import Revision

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


def git(folder: Path, *words: str) -> str:
    identity = ("-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(
        ["git", "-C", folder, *identity, *words], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def project(folder: Path) -> Path:
    (folder / "src/serbench").mkdir(parents=True)
    (folder / "src/serbench/run.py").write_text("one\n")
    (folder / "METHOD.md").write_text("words\n")
    return folder


@needs_git
def test_a_clone_has_its_commit_and_whether_it_was_changed(tmp_path: Path) -> None:
    root = project(tmp_path / "clone")
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "first")
    clean = revision_of(root)
    assert (clean.commit, clean.changed) == (git(root, "rev-parse", "HEAD"), False)
    assert name_of(clean) == f"git {clean.commit[:12]}"
    (root / "METHOD.md").write_text("other words\n")
    words = revision_of(root)
    assert words.changed and words.sources == clean.sources  # nothing is measured otherwise
    (root / "src/serbench/run.py").write_text("two\n")
    changed = revision_of(root)
    assert changed.changed and changed.sources != clean.sources
    assert name_of(changed) == f"git {clean.commit[:12]}, changed (sources {changed.sources})"


@needs_git
def test_without_a_clone_of_its_own_there_is_a_digest_only(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "of something else")
    root = project(tmp_path / "unpacked")  # in the clone of another project
    found = revision_of(root)
    assert (found.commit, found.changed) == ("", False) and len(found.sources) == 16
    assert name_of(found) == f"sources {found.sources}" and name_of(None) == ""
    made = root / "src/serbench/__pycache__"
    made.mkdir()
    (made / "run.pyc").write_bytes(b"compiled")
    assert revision_of(root) == found
    (root / "src/serbench/run.py").rename(root / "src/serbench/ran.py")
    assert revision_of(root).sources != found.sources
    assert msgspec.json.decode(msgspec.json.encode(found), type=Revision) == found


X86 = "processor\t: 0\nmodel\t\t: 85\nmodel name\t: Example CPU 3000\n"
PI = "processor\t: 0\nBogoMIPS\t: 108.00\n\nRevision\t: c03115\nModel\t\t: Raspberry Pi 4 Model B\n"
OLD_PI = "Hardware\t: BCM2835\nModel\t\t: Raspberry Pi Model B\n"
SERVER = "processor\t: 0\nBogoMIPS\t: 50.00\nCPU part\t: 0xd0c\n"


def test_a_processor_without_a_model_name_is_named_by_its_board() -> None:
    assert processor_name(X86, "", "x86_64") == "Example CPU 3000"
    assert processor_name("model\t\t: 85\n", "", "") == "unknown"
    assert processor_name(PI, "", "") == "Raspberry Pi 4 Model B"
    assert processor_name(OLD_PI, "", "") == "BCM2835"
    assert processor_name(SERVER, "Some Board rev 2\0", "") == "Some Board rev 2"
    assert processor_name(SERVER, "", "aarch64") == "aarch64"
    assert processor_name(SERVER, "", "") == "unknown"
