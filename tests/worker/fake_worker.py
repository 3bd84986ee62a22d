"""A worker that answers the protocol, or misbehaves in the ways named on its command line.

    fake_worker.py [KEY=VALUE...]

`REQUEST=WAY` misbehaves when REQUEST (`describe`, `prepare`, `verify`, `sample`, `overhead`, `heap`) comes;
the ways are the functions below. `after=N` lets the first N such requests pass. `ns=N` is what one iteration
takes by its own account, so that no real time matters, of which the harness itself takes the part `own=PART`;
`hash=TEXT` what it yields; `log=FILE` gets every request.
`compiles=N` lets its compiler work in the first N samples.
Every second process with the same `starts=FILE` takes half as long again.
"""

import json
import os
import resource
import signal
import sys
import time
from pathlib import Path

OPTIONS = dict(argument.split("=", 1) for argument in sys.argv[1:])
NS = float(OPTIONS.get("ns", "1000"))
HASH = OPTIONS.get("hash", "0075ff81")


def say(reply: object) -> None:
    print(json.dumps(reply), flush=True)


def write(text: str, stream: int = 1) -> None:
    data = text.encode()
    while data:
        data = data[os.write(stream, data) :]


def silent(_: dict) -> None:
    signal.pause()


def half(_: dict) -> None:
    write('{"ok":tr')
    sys.exit(0)


def garbage(_: dict) -> None:
    write("hello from the library\n")


def binary(_: dict) -> None:
    os.write(1, b"\xff\xfe\x00\n")


def shape(_: dict) -> None:
    say({"ok": True, "wall": "soon", "protocol": "one", "bytes": "many", "allocations": "few"})


def listed(_: dict) -> None:
    say([1, 2, 3])


def deep(_: dict) -> None:
    write('{"ok":true,"more":' + "[" * 100_000 + "\n")


def huge(request: dict) -> None:
    say({"ok": True, "wall": [1] * request["chunks"], "cpu": [2**64] * request["chunks"], "hash": HASH})


def version(_: dict) -> None:
    say({"ok": True, "protocol": 7})


def refuse(_: dict) -> None:
    say({"ok": False, "error": "out of cheese"})


def refuse_silently(_: dict) -> None:
    say({"ok": False})


def flood(_: dict) -> None:
    while True:
        write("x" * (1 << 16))


def flood_errors(_: dict) -> None:
    while True:
        write("y" * (1 << 16), 2)


def negative(request: dict) -> None:
    say({"ok": True, "wall": [-1] * request["chunks"], "cpu": [1] * request["chunks"], "hash": HASH})


def few_chunks(_: dict) -> None:
    say({"ok": True, "wall": [1], "cpu": [1], "hash": HASH})


def other_hash(request: dict) -> None:
    say({"ok": True, "wall": times(request), "cpu": times(request), "hash": "deadbeef"})


def extra_line(request: dict) -> None:
    """Answers, and answers once more."""
    reply = {"ok": True, "wall": times(request), "cpu": times(request), "hash": HASH}
    write(f"{json.dumps(reply)}\n" * 2)


def no_time(request: dict) -> None:
    say({"ok": True, "wall": [0] * request["chunks"], "cpu": [0] * request["chunks"], "hash": HASH})


def leave(_: dict) -> None:
    write("these are my last words\n", 2)
    sys.exit(3)


def noise(request: dict) -> None:
    write("of the document\n", 2)
    del OPTIONS[request["do"]]
    answer(request)


def crash(_: dict) -> None:
    write("about to crash\n", 2)
    os.kill(os.getpid(), signal.SIGSEGV)


def close_output(_: dict) -> None:
    os.close(1)
    signal.pause()


def offspring(_: dict) -> None:
    """Leaves a child that holds all pipes, and ends."""
    if os.fork() == 0:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        time.sleep(600)
    os._exit(0)


def noisy_daemon(_: dict) -> None:
    """Leaves a child in a session of its own that writes to standard error for ever."""
    if os.fork() == 0:
        os.setsid()
        end = time.monotonic() + 20
        while time.monotonic() < end:
            write("z" * 4096, 2)
        os._exit(0)
    os._exit(0)


def daemon(_: dict) -> None:
    """Leaves a child that has done all to be found by nothing, and stays.

    Its parent is gone; it has a session of its own, other limits, an empty environment and no open files.
    """
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
            os.execve(sys.executable, [sys.executable, "-S", "-c", DAEMON, OPTIONS["daemon"]], {})  # noqa: S606
        os._exit(0)
    os.wait()
    while not Path(OPTIONS["daemon"]).exists():
        time.sleep(0.01)
    say({"ok": True})


def family(_: dict) -> None:
    """Leaves a chain of processes, each in a session of its own and the parent of the next."""
    for _ in range(4):
        if os.fork() != 0:
            break
        os.setsid()
    else:
        os.execv(sys.executable, [sys.executable, "-S", "-c", DAEMON, OPTIONS["daemon"]])  # noqa: S606
    if os.getsid(0) == os.getpid():
        signal.pause()
    while not Path(OPTIONS["daemon"]).exists():
        time.sleep(0.01)
    say({"ok": True})


def daemon_and_leave(request: dict) -> None:
    """Leaves such a child, and ends by itself."""
    daemon(request)
    sys.exit(0)


def long_version(_: dict) -> None:
    say({"ok": True, "protocol": 1, "library_version": "1.2.3 " * 1_000_000})


def long_refusal(_: dict) -> None:
    say({"ok": False, "error": "cheese " * 1_000_000})


DAEMON = """import os, sys, time
for descriptor in range(3): os.close(descriptor)
with open(sys.argv[1] + ".part", "w") as file: file.write(str(os.getpid()))
os.rename(sys.argv[1] + ".part", sys.argv[1])
time.sleep(600)
"""


def times(request: dict) -> list[int]:
    return [round(NS * request["iterations"])] * request["chunks"]


def compiles() -> bool:
    """Whether this sample is one of the first in which the compiler works."""
    left = int(OPTIONS["compiles"])
    OPTIONS["compiles"] = str(left - 1)
    return left > 0


def answer(request: dict) -> None:
    what = request["do"]
    if what == "describe":
        say({"ok": True, "protocol": 1, "language": "fake", "test": "tree", "library_version": "9"})
    elif what == "prepare":
        say({"ok": True})
    elif what == "verify":
        say({"ok": True, "content_hash": HASH, "exact_hash": HASH})
    elif what == "sample":
        told = {"compiled": int(compiles())} if "compiles" in OPTIONS else {}
        say({"ok": True, "wall": times(request), "cpu": times(request), "hash": HASH, **told})
    elif what == "overhead":
        own = [max(1, round(wall * float(OPTIONS.get("own", "0.01")))) for wall in times(request)]
        say({"ok": True, "wall": own, "cpu": own, "hash": ""})
    elif what == "heap":
        say({"ok": True, "allocations": 3, "bytes": 100, "peak": 60})
    else:
        say({"ok": False, "error": "unknown request"})


def main() -> None:
    global NS
    if "starts" in OPTIONS:
        with Path(OPTIONS["starts"]).open("a") as file:
            file.write(".")
            NS *= 1 + file.tell() % 2 / 2
    seen: dict[str, int] = {}
    for line in sys.stdin:
        request = json.loads(line)
        if "log" in OPTIONS:
            with Path(OPTIONS["log"]).open("a") as file:
                file.write(line)
        what = request["do"]
        if what == "quit":
            return
        seen[what] = seen.get(what, 0) + 1
        way = OPTIONS.get(what)
        if way is not None and seen[what] > int(OPTIONS.get("after", "0")):
            globals()[way](request)
        else:
            answer(request)


if __name__ == "__main__":
    main()
