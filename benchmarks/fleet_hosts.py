"""A fleet of four hosts, each in a network namespace of its own, one of which loses its network. Needs root.

    PYTHONPATH=src .venv/bin/python -m benchmarks.fleet_hosts

A fifth host is the scheduler's and the client's. The hosts are one machine, so the times mean nothing here
(the machine's lock is ignored); what is checked is that the run is complete and proved.
"""

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from serbench.project import ROOT
from serbench.results.load import load_run

HOSTS = 4
NAME = "serbench-trial"
PORT = 8786
SELECTED = ["--contenders", "c/mpack,c/cmp", "--tests", "tree,write", "--datasets", "generated:1,generated:2"]


def ip(*words: str) -> None:
    """Configure the network."""
    subprocess.run(["ip", *words], check=True)


@contextlib.contextmanager
def hosts() -> Iterator[None]:
    """Namespaces NAME0 to NAME4 behind a switch."""
    spaces = [f"{NAME}-{number}" for number in range(HOSTS + 1)]
    switch = f"{NAME}-switch"
    with contextlib.ExitStack() as stack:
        for space in (switch, *spaces):
            ip("netns", "add", space)
            stack.callback(ip, "netns", "del", space)
        ip("-n", switch, "link", "add", "bridge", "type", "bridge")
        ip("-n", switch, "link", "set", "bridge", "up")
        for number, space in enumerate(spaces):
            port = f"port{number}"
            ip("link", "add", "eth0", "netns", space, "type", "veth", "peer", "name", port, "netns", switch)
            ip("-n", switch, "link", "set", port, "master", "bridge", "up")
            ip("-n", space, "addr", "add", f"10.77.0.{number + 1}/24", "dev", "eth0")
            ip("-n", space, "link", "set", "eth0", "up")
            ip("-n", space, "link", "set", "lo", "up")
        yield


def serbench(number: int, *words: str, log: Path) -> "subprocess.Popen[bytes]":
    """Start a command on a host."""
    space = ["ip", "netns", "exec", f"{NAME}-{number}"]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "SERBENCH_IGNORE_LOCK": "1"}
    with log.open("wb") as file:
        return subprocess.Popen(
            [*space, sys.executable, "-m", "serbench", "--no-install", *words],
            stdout=file,
            stderr=subprocess.STDOUT,
            env=environment,
        )


def main() -> None:
    """Do it, and print what came out."""
    address = f"tls://10.77.0.1:{PORT}"
    with tempfile.TemporaryDirectory() as place, hosts(), contextlib.ExitStack() as stack:
        folder = Path(place)
        certificates = folder / "certificates"

        def start(number: int, name: str, *words: str) -> "subprocess.Popen[bytes]":
            process = serbench(number, *words, log=folder / f"{name}.log")
            stack.callback(process.wait)
            stack.callback(process.terminate)
            return process

        start(0, "certificates", "fleet", "certificates", str(certificates)).wait()
        start(0, "scheduler", "fleet", "serve", address, "--certificates", str(certificates / "scheduler"))
        for number in range(1, HOSTS + 1):
            role = ["--certificates", str(certificates / "worker")]
            start(number, f"host-{number}", "join", address, *role, "--name", f"host-{number}")
        client = ["--certificates", str(certificates / "client")]
        deadline = time.monotonic() + 60
        while "host-4 has joined" not in (said := (folder / "scheduler.log").read_text()):
            assert time.monotonic() < deadline, said
            time.sleep(0.2)
        start(0, "who", "fleet", address, *client).wait()
        print((folder / "who.log").read_text())
        others = folder / "others"
        start(1, "made", "fleet", "certificates", str(others)).wait()
        start(1, "stranger", "fleet", address, "--certificates", str(others / "client")).wait()
        print("with a certificate of another fleet:", (folder / "stranger.log").read_text())
        output = folder / "run.json"
        run = start(
            0, "run", "run", "--on", address, *client, *SELECTED, "--budget", "8", "--output", str(output)
        )
        while "measures" not in (folder / "host-2.log").read_text():
            assert run.poll() is None, (folder / "run.log").read_text()
            time.sleep(0.1)
        ip("-n", f"{NAME}-switch", "link", "set", "port2", "down")
        print("host-2 lost its network while it measured\n")
        assert run.wait(300) == 0, (folder / "run.log").read_text()
        made = load_run(output)
        assert made.complete and len(made.units) == 4, made.units
        assert all(row.status == "ok" for row in made.rows), [row.reason for row in made.rows]
        for unit in sorted(made.units, key=lambda each: each.number):
            print(f"{unit.test} {unit.dataset}: {len(unit.rows)} rows on {unit.host}, {unit.seconds:.0f} s")
        print(f"complete; {len(made.samples)} samples, all rows proved; in {made.seconds:.0f} s")


if __name__ == "__main__":
    main()
