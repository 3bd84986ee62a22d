"""The preloaded allocators say which version they are."""

import re

import pytest

from serbench.build.configuration import allocator_version, preload_of
from serbench.errors import UserError
from serbench.provision.process import run


@pytest.mark.parametrize("name", ["jemalloc", "mimalloc"])
def test_an_allocator_states_its_version(name: str) -> None:
    try:
        library = preload_of(name)
    except UserError as error:
        pytest.skip(str(error))
    assert library is not None
    version = re.match(r"\d+\.\d+\.\d+", allocator_version(name, library))
    assert version
    pattern = f"lib{name}*"
    packages = run(["dpkg-query", "-W", "-f", "${Version}\\n", pattern]).output.split()
    if packages:  # what the package says, without its own revision
        assert any(package.startswith(version[0]) for package in packages)


def test_a_library_that_is_none_is_told_so() -> None:
    assert allocator_version("jemalloc", "libc.so.6") == "jemalloc of unknown version (libc.so.6)"
