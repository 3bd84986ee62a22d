"""What npm is given."""

import os

import pytest

from serbench.provision.providers import npm
from serbench.provision.toolchain import Toolchain

NODE = Toolchain(programs={"node": ("/opt/node/bin/node",), "npm": ("/opt/node/bin/npm",)}, version="20.0.0")


@pytest.mark.parametrize(
    ("is_there", "given", "expected"),
    [(True, None, "system.crt"), (True, "/mine.crt", None), (False, None, None)],
)
def test_npm_trusts_whom_the_system_trusts_unless_told_otherwise(
    is_there, given, expected, tmp_path, monkeypatch
):
    if is_there:
        (tmp_path / "system.crt").touch()
    monkeypatch.setattr(npm, "CERTIFICATES", tmp_path / "system.crt")
    monkeypatch.delenv(npm.TRUSTING, raising=False)
    if given:
        monkeypatch.setenv(npm.TRUSTING, given)
    made = npm.npm_environment(NODE)
    assert made.get(npm.TRUSTING) == (str(tmp_path / expected) if expected else None)
    assert made["PATH"].split(os.pathsep)[0] == "/opt/node/bin"
