"""Modules of Go: fetched for the go.sum of a contender, into a folder below the cache."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from serbench.catalog.records import Contender
from serbench.catalog.source import Source
from serbench.files import scratch
from serbench.provision.fetching import fetch_once
from serbench.provision.process import run
from serbench.provision.providers.provider import Provider
from serbench.provision.records import Context, Pin, Provided, Unavailable
from serbench.provision.toolchain import Toolchain, need

MANIFEST, LOCK = "go.mod", "go.sum"
_ASK_SECONDS = 60.0
_NOT_TAKEN = ("GOARCH", "GOOS", "GODEBUG", "GOEXPERIMENT", "GOFIPS140", "GOROOT", "GOAMD64", "GOARM64")
"""Variables of the user's that would change a build without being part of its key."""


class GoModule(Provider):
    """A module that the contender's go.mod requires; its go.sum has the checksums of all that it needs."""

    kind = "gomod"
    place = "the Go module proxy"

    def provide(self, contender: Contender, source: Source, context: Context) -> Provided:
        """The version; the modules themselves are where the compiler finds them."""
        version = required_version(contender.folder, source.name)
        _fetch(contender, context)
        return Provided(source=source, version=version, origin=f"module {source.name} {version}")

    def pin(self, contender: Contender, source: Source, context: Context) -> Pin | None:
        """The version in go.mod."""
        version = required_version(contender.folder, source.name)
        return Pin(
            kind=self.kind, name=source.name, version=version, held=source.held, folder=contender.folder
        )

    def newest(self, pins: Sequence[Pin], context: Context) -> list[str | Unavailable]:
        """The newest release of each module."""
        assert context.catalog is not None
        named = [name for harness in context.catalog.harnesses.values() for name in harness.toolchain.parts]
        tools = need(context.catalog.root, context.cache, named, "gofmt")
        return [_newest(pin.name, tools, context.cache) for pin in pins]


def go_command(
    tools: Toolchain, cache: Path, environment: Mapping[str, str], online: bool = False
) -> list[str]:
    """What starts the compiler of `tools` with its own folders below `cache`, and an environment.

    Only if it is `online` it fetches something, from where the user's settings say.
    """
    folder = cache.absolute()
    own = {
        "CGO_ENABLED": "0",
        "GOCACHE": str(folder / "go-build"),
        "GOFLAGS": "-mod=readonly -buildvcs=false",
        "GOMODCACHE": str(folder / "go-modules"),
        "GOTOOLCHAIN": "local",
        "GOWORK": "off",
        **({} if online else {"GOENV": "off", "GOPROXY": "off"}),
        **environment,
    }
    hidden = [word for name in _NOT_TAKEN for word in ("-u", name)]
    return ["env", *hidden, *(f"{name}={value}" for name, value in own.items()), *tools.programs["go"]]


def required_version(folder: Path, module: str) -> str:
    """The version of `module` in the go.mod of `folder`, without its v. Raises Unavailable if it has none."""
    try:
        text = (folder / MANIFEST).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Unavailable(f"{MANIFEST} of {folder.name} cannot be read: {error}") from error
    found = re.search(rf"^(?:require)?\s+{re.escape(module)} v(\S+)", text, re.MULTILINE)
    if found is None:
        raise Unavailable(f"{module} is not in {MANIFEST} of {folder.name}")
    return found[1]


def _fetch(contender: Contender, context: Context) -> None:
    """Fetch the modules that the contender's packages import, unless that was done. Raises Unavailable."""

    def command(tools: Toolchain) -> list[str]:
        return [*go_command(tools, context.cache, {}, online=True), "list", "-deps", "."]

    home = context.cache.absolute() / "go-modules"
    locks = (MANIFEST, LOCK)
    fetch_once(contender, context, what="modules", home=home, locks=locks, program="gofmt", command=command)


def _newest(module: str, tools: Toolchain, cache: Path) -> str | Unavailable:
    command = go_command(tools, cache, {"GOFLAGS": "-mod=mod"}, online=True)
    with scratch(cache) as folder:
        done = run([*command, "list", "-m", "-json", f"{module}@latest"], cwd=folder, timeout=_ASK_SECONDS)
    found = json.loads(done.output).get("Version", "") if done.ok else ""
    return found.removeprefix("v") or Unavailable(f"nobody says what is new of {module}: {done.tail(1)}")
