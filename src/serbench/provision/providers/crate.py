"""Crates: fetched for the lock file of a contender, into a folder of Cargo's own below the cache."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from serbench.catalog.records import Contender
from serbench.catalog.source import Source
from serbench.provision.fetching import fetch_once
from serbench.provision.process import run
from serbench.provision.providers.provider import Provider
from serbench.provision.records import Context, Pin, Provided, Unavailable
from serbench.provision.toolchain import Toolchain, need

LOCK = "Cargo.lock"
_ASK_SECONDS = 60.0
_NOT_TAKEN = (
    "RUSTFLAGS",
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
    "CARGO_TARGET_DIR",
    "CARGO_BUILD_TARGET",
)
"""Variables of the user's that would change a build without being part of its key."""


class Crate(Provider):
    """A package of the lock file in the contender's folder, which has checksums of all that it needs."""

    kind = "crate"
    place = "the registry of crates"

    def provide(self, contender: Contender, source: Source, context: Context) -> Provided:
        """The version; the crates themselves are where Cargo finds them."""
        version = locked_version(contender.folder, source.name)
        _fetch(contender, context)
        return Provided(source=source, version=version, origin=f"crate {source.name} {version}")

    def pin(self, contender: Contender, source: Source, context: Context) -> Pin | None:
        """The version in the lock file."""
        version = locked_version(contender.folder, source.name)
        return Pin(
            kind=self.kind, name=source.name, version=version, held=source.held, folder=contender.folder
        )

    def newest(self, pins: Sequence[Pin], context: Context) -> list[str | Unavailable]:
        """The newest release, as Cargo tells it."""
        assert context.catalog is not None
        named = [name for harness in context.catalog.harnesses.values() for name in harness.toolchain.parts]
        tools = need(context.catalog.root, context.cache, named, "cargo")
        return [_newest(pin.name, tools, context.cache) for pin in pins]


def cargo_command(tools: Toolchain, cache: Path, environment: Mapping[str, str]) -> list[str]:
    """What starts Cargo with the compiler of `tools`, its own folder below `cache`, and an environment."""
    own = {"CARGO_HOME": str(cache.absolute() / "cargo"), "RUSTC": tools.programs["rustc"][0], **environment}
    hidden = [word for name in _NOT_TAKEN for word in ("-u", name)]
    return ["env", *hidden, *(f"{name}={value}" for name, value in own.items()), *tools.programs["cargo"]]


def _read(folder: Path) -> list[dict[str, Any]]:
    """The packages of the lock file in `folder`. Raises Unavailable if it cannot be read."""
    try:
        packages = tomllib.loads((folder / LOCK).read_text("utf-8")).get("package", [])
    except (OSError, ValueError) as error:
        raise Unavailable(f"the lock file {LOCK} of {folder.name} cannot be read: {error}") from error
    return [each for each in packages if isinstance(each, dict)]


def locked_version(folder: Path, package: str) -> str:
    """The version of `package` in the lock file of `folder`. Raises Unavailable if it is not in there."""
    found = [str(each.get("version")) for each in _read(folder) if each.get("name") == package]
    if len(found) != 1:
        raise Unavailable(f"{package} is not in the lock file {LOCK} of {folder.name}, or twice")
    return found[0]


def _fetch(contender: Contender, context: Context) -> None:
    """Let Cargo fetch what the contender's lock file names, unless it did. Raises Unavailable."""

    def command(tools: Toolchain) -> list[str]:
        once = {"CARGO_NET_RETRY": "1", "CARGO_HTTP_TIMEOUT": "30"}
        return [*cargo_command(tools, context.cache, once), "fetch", "--locked", "--quiet"]

    home = context.cache.absolute() / "cargo"
    fetch_once(contender, context, what="crates", home=home, locks=[LOCK], program="cargo", command=command)


def _newest(package: str, tools: Toolchain, cache: Path) -> str | Unavailable:
    done = run([*cargo_command(tools, cache, {}), "info", "--quiet", package], timeout=_ASK_SECONDS)
    found = [line.split()[1] for line in done.output.splitlines() if line.startswith("version: ")]
    return found[0] if done.ok and found else Unavailable(f"Cargo does not say what is new of {package}")
