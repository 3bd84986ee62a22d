"""A small project: a harness of one file, contenders of a line or two, and a compiler that is counted."""

import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest
from harness.c.build import Build
from harness.c.build.compilers import Compilers, find_compilers

from serbench.build import Builder, Built
from serbench.catalog.load import load_catalog
from serbench.catalog.records import Row
from serbench.catalog.source import Source
from serbench.project import ROOT
from serbench.provision import Provided

HARNESS = """\
baseline = "c/plain"
statistic = "shortest-chunk"
languages = { c = "C", cpp = "C++" }
capabilities = { code-size = "static", cpu = true }

[build.options]
sources = ["src/main.c"]
include = ["include"]
test-sources = { write = [], tree = ["src/tree.c"], incremental = [] }

[tools.say]
sources = ["tools/say.c"]
include = ["include"]

[tools.count]
sources = ["tools/say.c"]
include = ["include"]
shared = true
"""

MAIN = """\
#include <stdio.h>
#include "value.h"
int main(void) {
    printf("%s %s %s %d\\n", SB_LANGUAGE, SB_TEST, SB_FLAGS, value());
    return 0;
}
"""

VALUE_H = """\
#ifdef __cplusplus
extern "C" {
#endif
int value(void);
#ifdef __cplusplus
}
#endif
"""


class Project:
    """The small project in a folder of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.cache = root / ".cache"
        self.calls = root.parent / "calls"
        self.write("harness/c/harness.toml", HARNESS)
        self.write("harness/c/build.py", "from harness.c.build import answer\n")
        self.write("harness/c/src/main.c", MAIN)
        self.write("harness/c/src/tree.c", "int only_for_tree;\n")
        self.write("harness/c/include/value.h", VALUE_H)
        self.write("harness/c/tools/say.c", "int main(void) { return 7; }\n")
        self.write("formats/none.toml", 'name = "none"\nending = "x"\nencoders = ["none.c"]\n')
        self.write("formats/none.c", '#include "value.h"\nint value(void) { return 99; }\n')

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def contender(self, name: str, source: str, more: str = "", language: str = "c") -> None:
        ending = "cpp" if language == "cpp" else "c"
        self.write(
            f"contenders/{language}/{name}/contender.toml",
            f'name = "shown"\nlanguage = "{language}"\nformat = "none"\n{more}\n'
            f'[tests]\nwrite = "write.{ending}"\ntree = "write.{ending}"\n',
        )
        self.write(f"contenders/{language}/{name}/write.{ending}", f'#include "value.h"\n{source}\n')

    def builder(self, compilers: Compilers | None = None) -> Builder:
        """A builder that knows nothing yet, as a new process has it."""
        builder = Builder(load_catalog(self.root), self.cache)
        if compilers is not None:
            builder.ask = lambda request: Build(request, compilers).worker(static=request.want == "static")
        return builder

    def row(self, row_id: str) -> Row:
        return next(row for row in load_catalog(self.root).rows() if row.id == row_id)

    def build(
        self, row_id: str, provided: Provided | None = None, profile: str = "speed", **options: bool
    ) -> Built:
        wanted = provided or Provided(source=Source())
        return self.builder(**options).build(self.row(row_id), wanted, profile)

    def compilations(self) -> int:
        """How often a compiler has been started to build since the last call."""
        lines = self.calls.read_text().splitlines() if self.calls.exists() else []
        self.calls.unlink(missing_ok=True)
        return sum(line not in ("--version", "-dumpmachine") for line in lines)


def say(built: Built) -> str:
    """What the program prints."""
    return subprocess.run(built.command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    if not find_compilers({}).c_version or not find_compilers({}).cxx_version:
        pytest.skip("needs gcc and g++")
    made = Project(tmp_path / "project")
    wrappers = tmp_path / "wrappers"
    wrappers.mkdir()
    for name in ("gcc", "g++"):
        path = wrappers / name
        path.write_text(f'#!/bin/sh\necho "$*" >>"{made.calls}"\nexec {shutil.which(name)} "$@"\n')
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{wrappers}{os.pathsep}{os.environ['PATH']}")
    # Where the build program is, which this project has not got.
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    for name in ("CC", "CXX", "CPATH", "LIBRARY_PATH"):
        monkeypatch.delenv(name, raising=False)
    return made
