"""Files of a lock of jars, fetched by a stand-in for Maven out of a folder."""

import hashlib
import platform
from pathlib import Path

import pytest

from serbench.provision import Unavailable
from serbench.provision.providers.maven import LOCK, fetch, jars, locked_jars, program
from tests.provision.conftest import Programs

MAVEN = """\
cp pom.xml "$STORE/asked"
for word; do case $word in -DoutputDirectory=*) cp "$STORE"/odd* "${word#*=}" ;; esac; done
"""
JAR, GENERATOR, OTHER = "odd-1.5.jar", "odd-gen-1.5-linux-x86_64.exe", "odd-gen-1.5-linux-aarch_64.exe"


@pytest.fixture
def folder(tmp_path: Path, programs: Programs, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A contender's, with a jar and a program for each of two machines in its lock; this is the first."""
    store = tmp_path / "store"
    made = tmp_path / "mine"
    for each in (store, made):
        each.mkdir()
    lines = []
    for artifact, name in (("odd", JAR), ("odd-gen", GENERATOR), ("odd-gen", OTHER)):
        data = f"#!/bin/sh\necho {name}\n".encode()
        (store / name).write_bytes(data)
        lines.append(f"org/odd/{artifact}/1.5/{name} {hashlib.sha256(data).hexdigest()} {len(data)}\n")
    (made / LOCK).write_text("".join(lines))
    programs.add("mvn", MAVEN)
    programs.first()
    monkeypatch.setenv("STORE", str(store))
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    return made


def test_a_generator_is_a_program_and_no_jar(folder: Path, cache: Path) -> None:
    fetch(folder, cache)
    assert [path.name for path in jars(folder, cache)] == [JAR]
    found = program(folder, cache)
    assert found.name == GENERATOR and found.stat().st_mode & 0o111 == 0o111


def test_what_another_machine_runs_is_not_fetched(folder: Path, cache: Path, tmp_path: Path) -> None:
    fetch(folder, cache)
    asked = (tmp_path / "store" / "asked").read_text()
    assert "<type>exe</type><classifier>linux-x86_64</classifier>" in asked
    assert "aarch_64" not in asked


def test_a_machine_without_a_generator_is_named(
    folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    fetch(folder, cache)
    assert [path.name for path in jars(folder, cache)] == [JAR]
    with pytest.raises(Unavailable, match="mine has no program for riscv64"):
        program(folder, cache)


def test_another_file_than_the_locked_one_is_refused(folder: Path, cache: Path, tmp_path: Path) -> None:
    (tmp_path / "store" / GENERATOR).write_bytes(b"something else")
    with pytest.raises(Unavailable, match=f"{GENERATOR} is not the file that the lock names"):
        fetch(folder, cache)
    with pytest.raises(Unavailable, match="not here"):
        program(folder, cache)


@pytest.mark.parametrize(
    "line",
    [
        "org/odd/odd/1.5/odd-1.5.jar 00 9",
        f"odd-1.5.jar {'0' * 64} 9",
        f"org/odd/odd/1.5/odd-1.5.sh {'0' * 64} 9",
        f"org/odd/odd/1.5/even-1.5.jar {'0' * 64} 9",
    ],
)
def test_a_line_that_names_no_file_is_refused(folder: Path, line: str) -> None:
    (folder / LOCK).write_text(line + "\n")
    with pytest.raises(Unavailable, match="names no file"):
        locked_jars(folder)
