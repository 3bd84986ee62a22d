"""What pkg-config knows of an installed library."""

import os
from pathlib import Path

from serbench.provision.process import run


def pkg_config_path(prefix: Path) -> dict[str, str]:
    """The environment in which pkg-config looks below `prefix` first."""
    folders = [prefix / "share/pkgconfig", *sorted(prefix.glob("lib*/pkgconfig"))]
    folders += sorted(prefix.glob("lib/*/pkgconfig"))
    present = [str(folder) for folder in folders if folder.is_dir()]
    earlier = os.environ.get("PKG_CONFIG_PATH")
    return {"PKG_CONFIG_PATH": os.pathsep.join(present + ([earlier] if earlier else []))}


def module_version(module: str | None, prefix: Path | None = None) -> str | None:
    """The version that pkg-config states for `module`, None if it does not know it."""
    if module is None:
        return None
    extra = pkg_config_path(prefix) if prefix else None
    answer = run(["pkg-config", "--modversion", module], extra=extra)
    return answer.output.strip() or None if answer.ok else None


def module_prefix(module: str | None) -> Path | None:
    """The prefix that pkg-config states for `module`, None if it does not know it."""
    answer = run(["pkg-config", "--variable=prefix", module]) if module else None
    return Path(answer.output.strip()) if answer and answer.ok and answer.output.strip() else None
