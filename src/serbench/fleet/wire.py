"""Dask's library, from its own part of the set-up: how it is set, its TLS, and connections to a scheduler."""

import contextlib
import hashlib
import os
import platform
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec

from serbench.errors import UserError
from serbench.project import CACHE, ROOT
from serbench.provision.parts import find_part, is_present
from serbench.results.revision import name_of
from serbench.results.schema import Revision

PART = "fleet"
CONNECT_SECONDS = 10.0
CERTIFICATE, KEY, AUTHORITY = "certificate.pem", "key.pem", "ca.pem"
ABOUT, MACHINES = "serbench", "serbench-machines"
"""Dask's metadata: which serbench the scheduler is, and what machines are, by their names."""
_SETTINGS = {
    # What a user must know is said by serbench.
    "logging": dict.fromkeys(("distributed", "distributed.client", "tornado", "asyncio"), "critical"),
    # Results are held by fleet/scheduler.py, until their clients have them; Dask would hold them for ever.
    "distributed.admin.low-level-log-length": 0,
    # No pages for browsers.
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    # A machine that measures is to be as quiet as can be: Dask does not watch it.
    "distributed.admin.tick.interval": "10s",
    "distributed.admin.tick.cycle": "10s",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.system-monitor.gil.enabled": False,
    "distributed.worker.profile.enabled": False,
    "distributed.scheduler.active-memory-manager.start": False,
}


def load() -> Any:
    """Dask's `distributed`, set as a fleet needs it. Raises UserError if it is not installed."""
    if "distributed" not in sys.modules:
        part = find_part(ROOT, PART)
        if not is_present(ROOT, CACHE, part):
            raise UserError("running on many machines needs Dask's scheduler: ./serbench setup fleet")
        # At the end: what serbench itself imports stays its own.
        sys.path.append(str((CACHE / part.folder).resolve()))
        # No configuration of the user's other clusters; Dask writes its defaults there.
        os.environ["DASK_CONFIG"] = str(CACHE / f"{part.folder}-config")
    import dask

    dask.config.set(_SETTINGS)
    import distributed

    return distributed


def software() -> str:
    """A digest of what a fleet speaks with: the lock of its part, and the version of Python."""
    lock = (ROOT / "setup" / find_part(ROOT, PART).lock).read_bytes()
    return f"{hashlib.sha256(lock).hexdigest()[:16]} {platform.python_version()}"


def parse_address(text: str, certificates: Path | None) -> str:
    """An ADDRESS of the command line, as tls://HOST:PORT. Raises UserError.

    Loopback needs certificates, too: who can speak to a scheduler can run programs as its user.
    """
    scheme, slashes, rest = text.partition("://")
    if not slashes:
        scheme, rest = "tls", text
    host, colon, port = rest.rpartition(":")
    if scheme == "tcp":
        raise UserError(f"{text} is not encrypted: use tls:// and --certificates DIR, or --on local:N")
    if scheme != "tls" or not host or not colon or not port.isascii() or not port.isdigit():
        raise UserError(f"'{text}' is no address: give tls://HOST:PORT")
    if int(port) > 65535:
        raise UserError(f"'{text}' is no address: a port is at most 65535")
    if certificates is None:
        raise UserError(f"{text} needs --certificates DIR: ./serbench fleet certificates DIR makes them")
    return f"tls://{host}:{int(port)}"


def security(certificates: Path | None) -> Any:
    """Dask's security of a peer with certificate, key and authority in a folder. Raises UserError."""
    distributed = load()
    assert certificates is not None, "parse_address refuses that"
    names = {name: str(certificates / name) for name in (AUTHORITY, CERTIFICATE, KEY)}
    for path in names.values():
        if not Path(path).is_file():
            raise UserError(f"there is no {path}: ./serbench fleet certificates DIR makes such folders")
    own = {
        f"tls_{role}_{what}": names[name]
        for role in ("client", "scheduler", "worker")
        for what, name in (("cert", CERTIFICATE), ("key", KEY))
    }
    return distributed.Security(require_encryption=True, tls_ca_file=names[AUTHORITY], **own)


class About(msgspec.Struct, frozen=True):
    """Which serbench a scheduler is."""

    revision: Revision
    software: str

    def must_equal(self, who: str, sources: str, revision: str, software: str) -> None:
        """Raise UserError if `who` is another serbench, or speaks with other versions."""
        if sources != self.revision.sources:
            raise UserError(
                f"{who} has another revision of serbench ({revision}; the scheduler has "
                f"{name_of(self.revision)}): update one of them"
            )
        if software != self.software:
            raise UserError(
                f"{who} has other versions of Dask's library or of Python ({software}; the scheduler has "
                f"{self.software}): run ./serbench setup fleet on both, with the same Python"
            )


@contextlib.asynccontextmanager
async def connected(
    address: str, safety: Any, seconds: float = CONNECT_SECONDS
) -> AsyncIterator[tuple[Any, About]]:
    """Dask's client of the scheduler at `address`, and which serbench that is.

    Raises OSError where none answers in time, UserError where it is none of serbench.
    """
    client = load().Client(address, security=safety, timeout=seconds, asynchronous=True, set_as_default=False)
    try:
        await client
        try:
            about = msgspec.convert(await client.get_metadata(ABOUT, None), About)
        except msgspec.ValidationError as error:
            raise UserError(f"what answers at {address} is no scheduler of serbench") from error
        yield client, about
    except (OSError, UserError):
        raise
    except Exception as error:
        if client.status == "running":
            raise
        raise OSError(f"Dask's client has ended: {error!r}") from error
    finally:
        with contextlib.suppress(OSError, RuntimeError):  # if the connection was lost before
            await client.close()
