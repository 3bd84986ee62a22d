"""Tests who may speak to whom, and that only a known unit is done: docs/fleet.md says it in words."""

import asyncio
import contextlib
import ipaddress
import json
import re
import socket
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from serbench.catalog.load import load_catalog
from serbench.errors import UserError
from serbench.fleet.certificates import make_certificates
from serbench.fleet.client import ask_who, collect
from serbench.fleet.units import checked
from serbench.fleet.wire import load, parse_address, security
from serbench.project import CACHE, ROOT
from serbench.results.schema import Revision
from tests.conftest import command_environment
from tests.fleet.conftest import REVISION, machine, unit

STRANGER = [sys.executable, str(Path(__file__).with_name("stranger.py")), str(CACHE / "fleet")]


async def stranger(*words):
    """What a peer with Dask's library as it is says that came of it."""
    process = await asyncio.create_subprocess_exec(
        *STRANGER, *map(str, words), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    said, _ = await process.communicate()
    return json.loads(said.splitlines()[-1])


def test_without_a_certificate_of_the_fleet_nobody_is_answered(fleet, certificates, tmp_path):
    make_certificates(tmp_path / "others")

    async def scenario(peers):
        folders = (
            "none",
            tmp_path / "others" / "client",
            certificates / "scheduler",
            certificates / "client",
        )
        found = await stranger("connects", peers.address, *folders)
        assert all(re.match("refused", answer) for answer in found[:3]), found
        assert "Scheduler" in found[3], "the fleet's own certificate is answered, or the test proves nothing"
        with pytest.raises(UserError, match="no scheduler answers"):
            await ask_who(peers.address, security(tmp_path / "others" / "client"))
        host, port = peers.address.rpartition("/")[2].split(":")
        with socket.create_connection((host, int(port))) as plain:
            plain.sendall(b"\xff" * 64)
        assert await ask_who(peers.address, peers.safe["client"]) == []

    fleet(scenario)


def test_a_worker_s_certificate_makes_no_scheduler(fleet, certificates):
    async def scenario(peers):
        process = await asyncio.create_subprocess_exec(
            *[*STRANGER, "schedules", certificates / "worker"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        peers.address = (await process.stdout.readline()).decode().strip()
        peers.join(machine("a"), lambda *_: b"run")
        while not any("cannot join" in each for each in peers.said):
            await asyncio.sleep(0.05)
        process.kill()
        assert await process.stdout.read() == b"", "a peer has spoken to it"
        await process.wait()

    fleet(scenario)


def listening():
    """Where this process listens, as addresses and ports."""
    import psutil

    return [each.laddr for each in psutil.Process().net_connections("tcp") if each.status == "LISTEN"]


def test_nothing_listens_beyond_loopback_but_the_scheduler_and_nothing_answers_without_tls(fleet):
    load()
    before = listening()

    async def scenario(peers):
        for name in ("a", "b"):
            peers.join(machine(name), lambda *_: b"run")
        await peers.there(2)
        places = [place for place in listening() if place not in before]
        ours = int(peers.address.rpartition(":")[2])
        assert ours in [place.port for place in places] and len(places) > 2
        beyond = [place for place in places if not ipaddress.ip_address(place.ip).is_loopback]
        assert [place.port for place in beyond] == [ours]
        for place in places:
            address = "127.0.0.1" if place in beyond else place.ip
            for path in ("/health", "/status", "/info/main/workers.html", "/metrics", "/json/identity.json"):
                reader, writer = await asyncio.open_connection(address, place.port)
                writer.write(f"GET {path} HTTP/1.0\r\n\r\n".encode())
                said = b""
                with contextlib.suppress(ConnectionError):
                    said = await reader.read()
                writer.close()
                assert not said.startswith(b"HTTP") or b" 404 " in said.splitlines()[0], (place, path)

    fleet(scenario, host="0.0.0.0")  # noqa: S104


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"rows": ["c/mpack:tree", "c/none:tree"]}, "there is no row 'c/none:tree'"),
        ({"rows": ["c/mpack:write"]}, "there is no row 'c/mpack:write' of the test 'tree'"),
        ({"dataset": "/etc/passwd"}, "is no dataset that every machine has"),
        ({"dataset": "generated:../x"}, "is no dataset that every machine has"),
        ({"configurations": [["speed", "", "evil.so", "baseline", "x"]]}, "is no configuration"),
        (
            {"configurations": [["size", "", "system", "baseline"]]},
            "not a configuration of the profile speed",
        ),
        ({"revision": "other"}, "of another revision"),
    ],
)
def test_a_unit_names_only_what_every_checkout_has(changes, reason):
    catalog = load_catalog(ROOT)
    assert checked(unit(0), catalog, REVISION.sources)
    with pytest.raises(UserError, match=re.escape(reason)):
        checked(unit(0, **changes), catalog, REVISION.sources)


def test_a_machine_of_another_revision_or_with_other_versions_is_refused_with_both_named(fleet):
    async def scenario(peers):
        for changes, words in (
            ({"revision": Revision(sources="fedcba")}, ["sources fedcba", "sources 0123456789abcdef"]),
            ({"software": "ffff 3.10.1"}, ["ffff 3.10.1", peers.scheduler and sys.version.split()[0]]),
        ):
            peers.join(machine("late", **changes), lambda *_: b"")
            with pytest.raises(UserError, match=r"^late has (other|another)") as refused:
                await peers.members.pop("late")
            assert all(word in str(refused.value) for word in words)
        other = [msgspec.structs.replace(unit(0), revision="fedcba")]
        with pytest.raises(UserError, match="client has another revision"):
            await collect(peers.address, peers.safe["client"], other, print)

    fleet(scenario)


def test_nothing_is_spoken_to_without_tls(tmp_path):
    assert parse_address("host:1", tmp_path) == parse_address("tls://host:1", tmp_path) == "tls://host:1"
    for text, certificates, reason in (
        ("tcp://192.0.2.1:1", None, "is not encrypted"),
        ("tcp://127.0.0.1:1", tmp_path, "is not encrypted"),
        ("tls://127.0.0.1:1", None, "needs --certificates DIR"),
        ("127.0.0.1:1", None, "needs --certificates DIR"),
        ("http://127.0.0.1:1", tmp_path, "is no address"),
        ("tls://127.0.0.1", tmp_path, "is no address"),
        ("tls://127.0.0.1:65536", tmp_path, "at most 65535"),
    ):
        with pytest.raises(UserError, match=reason):
            parse_address(text, certificates)


def test_keys_are_their_owner_s_alone(certificates):
    keys = sorted(certificates.rglob("*.pem"))
    assert len(keys) == 9 and all(path.stat().st_mode & 0o077 == 0 for path in keys)


def test_no_other_command_loads_any_of_it():
    code = (
        "import sys; from serbench import cli; from serbench.commands import measuring, carry_out; "
        "print([m for m in sys.modules if m.startswith('serbench.fleet') "
        "or m.split('.')[0] in ('distributed', 'dask', 'tornado', 'cryptography')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=command_environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
