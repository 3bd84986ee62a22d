"""Dask's library for what machines say to each other, from its own part of the set-up, and without pickle.

Dask's peers unpickle what they are sent, and a pickle can be any program. That is closed at the one place
where bytes become objects: a message is one frame of plain MessagePack, of at most LARGEST bytes.
"""

import hashlib
import ipaddress
import logging
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from serbench.errors import UserError
from serbench.fleet.units import LARGEST_RESULT
from serbench.project import CACHE, ROOT
from serbench.provision.parts import find_part, is_present

PART = "fleet"
LARGEST = LARGEST_RESULT + (1 << 16)
"""Bytes of a message."""
CONNECT_SECONDS = 10.0
CERTIFICATE, KEY, AUTHORITY = "certificate.pem", "key.pem", "ca.pem"


class Refused(OSError):
    """What arrived is not a message of plain values."""


def _strict_loads(frames: Sequence[Any], deserialize: bool = True, deserializers: Any = None) -> Any:
    """A message. Raises Refused for more than one frame, as Dask sends pickles, and for extensions."""
    import msgpack

    if len(frames) != 1:
        raise Refused("a message of other than plain values was refused")
    try:
        return msgpack.unpackb(
            frames[0], raw=False, use_list=True, strict_map_key=True, ext_hook=_no_extension
        )
    except Refused:
        raise
    except Exception as error:
        raise Refused(f"a message that is no MessagePack was refused: {error}") from error


def _no_extension(code: int, _data: bytes) -> Any:
    raise Refused(f"a message with the extension {code} was refused")


def _no_pickle(*_given: Any, **_named: Any) -> Any:
    raise Refused("a pickle was refused")


def load() -> Any:
    """Dask's `distributed`, with pickle closed in this process. Raises UserError if it is not installed."""
    if "distributed" not in sys.modules:
        part = find_part(ROOT, PART)
        if not is_present(ROOT, CACHE, part):
            raise UserError("running on many machines needs Dask's scheduler: ./serbench setup fleet")
        # At the end: what serbench itself imports stays its own.
        sys.path.append(str((CACHE / part.folder).resolve()))
        # No configuration of the user's other clusters; Dask writes its defaults there.
        os.environ["DASK_CONFIG"] = str(CACHE / f"{part.folder}-config")
    import dask
    import distributed
    import distributed.comm.tcp
    import distributed.protocol
    import distributed.protocol.pickle

    tcp = distributed.comm.tcp
    if distributed.protocol.loads is not _strict_loads:
        array = tcp.host_array

        def bounded(count: int) -> Any:
            if count > LARGEST:
                raise Refused(f"a message of {count:,} bytes was refused")
            return array(count)

        distributed.protocol.loads = _strict_loads
        distributed.protocol.pickle.loads = _no_pickle
        tcp.host_array = bounded
        dask.config.set(
            {"distributed.scheduler.worker-saturation": 1.0, "distributed.comm.compression": None}
        )
        for name in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return distributed


def software() -> str:
    """A digest of what a fleet speaks with: the lock of its part, and the version of Python."""
    lock = (ROOT / "setup" / find_part(ROOT, PART).lock).read_bytes()
    return f"{hashlib.sha256(lock).hexdigest()[:16]} {platform.python_version()}"


def is_loopback(address: str) -> bool:
    """Whether `address`, such as tcp://127.0.0.1:8786, stays on this machine."""
    host = address.partition("://")[2].rpartition(":")[0].strip("[]")
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def parse_address(text: str, certificates: Path | None) -> str:
    """An ADDRESS of the command line, as tls://HOST:PORT or tcp://HOST:PORT. Raises UserError.

    tcp:// is for loopback alone: anything else needs certificates.
    """
    scheme, slashes, rest = text.partition("://")
    if not slashes:
        scheme, rest = "tls" if certificates else "tcp", text
    host, colon, port = rest.rpartition(":")
    if scheme not in ("tcp", "tls") or not host or not colon or not port.isascii() or not port.isdigit():
        raise UserError(f"'{text}' is no address: give tls://HOST:PORT, or tcp://127.0.0.1:PORT")
    address = f"{scheme}://{host}:{int(port)}"
    if int(port) > 65535:
        raise UserError(f"'{text}' is no address: a port is at most 65535")
    if scheme == "tcp" and not is_loopback(address):
        raise UserError(f"{address} is not on this machine: use tls:// and --certificates DIR")
    if scheme == "tcp" and certificates is not None:
        raise UserError(f"{address} uses no certificates: write tls://, or leave --certificates out")
    if scheme == "tls" and certificates is None:
        raise UserError(f"{address} needs --certificates DIR: ./serbench fleet certificates DIR makes them")
    return address


def security(certificates: Path | None) -> Any:
    """Dask's security of a peer with certificate, key and authority in a folder; without one, of loopback."""
    distributed = load()
    if certificates is None:
        return distributed.Security(require_encryption=False)
    names = {name: str(certificates / name) for name in (AUTHORITY, CERTIFICATE, KEY)}
    for path in names.values():
        if not Path(path).is_file():
            raise UserError(f"there is no {path}: ./serbench fleet certificates DIR makes such folders")
    own = {
        f"tls_{role}_{what}": names[name]
        for role in ("client", "scheduler", "worker")
        for what, name in (("cert", CERTIFICATE), ("key", KEY))
    }
    return distributed.Security(
        require_encryption=True, tls_ca_file=names[AUTHORITY], tls_min_version=771, **own
    )


async def connect(address: str, safety: Any, seconds: float = CONNECT_SECONDS) -> Any:
    """A connection to the scheduler at `address`. Raises OSError."""
    distributed = load()
    return await distributed.comm.connect(
        address, timeout=seconds, deserialize=False, **safety.get_connection_args("client")
    )
