"""Tests who may speak to whom, and that only a known unit is done: docs/fleet.md says it in words."""

import asyncio
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
from serbench.fleet.wire import parse_address, security
from serbench.project import CACHE, ROOT
from serbench.results.schema import Revision
from tests.conftest import command_environment
from tests.fleet.conftest import REVISION, machine, unit

STRANGER = [sys.executable, str(Path(__file__).with_name("stranger.py")), str(CACHE / "fleet")]


async def stranger(*words):
    """What the stranger says that came of it, and whether its marker is there."""
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
        found, _ = await stranger("connects", peers.address, *folders)
        assert all(re.match("refused", answer) for answer in found[:3]), found
        assert "'OK'" in found[3], "the fleet's own certificate must be answered, or the test proves nothing"
        plain = peers.address.replace("tls://", "tcp://")
        with pytest.raises(UserError, match="no scheduler answers"):
            await ask_who(plain, security(None))

    fleet(scenario)


def test_whatever_a_client_sends_only_units_are_taken_and_no_pickle_is_opened(fleet, certificates, tmp_path):
    ran = []

    async def scenario(peers):
        peers.join(machine("a"), lambda asked, _: ran.append(asked) or b"run")
        await peers.there(1)
        marker = tmp_path / "marker"
        found, marked = await stranger("attempts", peers.address, certificates / "client", marker)
        assert not marked and not marker.exists()
        taken = {name for name, answer in found.items() if "'OK'" in answer}
        assert taken == set(), found
        said, marked = await stranger("submits", peers.address, certificates / "client", marker)
        assert said.startswith("refused") and not marked
        # A message that claims to be longer than memory.
        host, port = peers.address.rpartition("/")[2].split(":")
        with socket.create_connection((host, int(port))) as plain:
            plain.sendall(b"\xff" * 64)
        assert [one.worker.name for one in await ask_who(peers.address, peers.safe["client"])] == ["a"]
        assert ran == []

    fleet(scenario)


def test_a_false_scheduler_gets_no_worker_to_open_a_pickle(fleet, certificates, tmp_path):
    async def scenario(peers):
        for role, joins in (("worker", False), ("scheduler", True)):
            marker = tmp_path / role
            process = await asyncio.create_subprocess_exec(
                *[*STRANGER, "schedules", certificates / role, marker],
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            peers.address = (await process.stdout.readline()).decode().strip()
            member = peers.join(machine(role), lambda *_: b"run")
            if joins:
                said = (await process.stdout.read()).decode()
                assert json.loads(said) == ["a peer joined", False]
                while not any("pickle" in each or "plain values" in each for each in peers.said):
                    await asyncio.sleep(0.01)
            else:  # the certificate of a worker makes no scheduler
                while not any("no scheduler" in each for each in peers.said):
                    await asyncio.sleep(0.05)
                process.kill()
            await process.wait()
            assert not marker.exists() and member._running is None

    fleet(scenario)


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
            with pytest.raises(UserError, match="the scheduler refuses this machine") as refused:
                await peers.members.pop("late")
            assert all(word in str(refused.value) for word in words)
        other = [msgspec.structs.replace(unit(0), revision="fedcba")]
        with pytest.raises(UserError, match="client has another revision"):
            await collect(peers.address, peers.safe["client"], other, print)

    fleet(scenario)


def test_nothing_but_loopback_is_spoken_to_without_tls(tmp_path):
    assert parse_address("127.0.0.1:1", None) == "tcp://127.0.0.1:1"
    assert parse_address("host:1", tmp_path) == "tls://host:1"
    for text, certificates in (
        ("tcp://192.0.2.1:1", None),
        ("tcp://0.0.0.0:1", tmp_path),
        ("tcp://localhost.example:1", None),
        ("tcp://127.0.0.1:1", tmp_path),
        ("tls://127.0.0.1:1", None),
        ("http://127.0.0.1:1", None),
        ("tcp://127.0.0.1", None),
    ):
        with pytest.raises(UserError):
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
