"""What a newcomer gets on a bare system: Debian 12, 13 and testing, and what is unusual on some machines.

    PYTHONPATH=src .venv/bin/python -m benchmarks.bare FOLDER [--systems 12,13] [--situations no-root]
        [--options "--budget 60"] [--no-check] [--keep]

Each system is made once below FOLDER by debootstrap, with this machine's own certificates and the settings of
its package clients, and copied for each situation. The last commit is cloned into it, and `./serbench run`
and `./check` run there. It prints a line for each: the seconds of each phase, the rows that are not `ok` and
the tests that failed, with what they say. What the commands print stays in FOLDER. Needs root, a machine
with Debian, and debootstrap.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from rich.console import Console
from rich.table import Table

from serbench.project import ROOT

SUITES = {"12": "bookworm", "13": "trixie", "testing": "testing"}
CERTIFICATES = Path("usr/local/share/ca-certificates")
SETTINGS = re.compile(
    r"(?i)(https?|no)_proxy|PIP_(CERT|INDEX_URL)|GOPROXY|NPM_CONFIG_\w+|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE"
)
"""Variables of this machine that package clients need in a bare system too."""
PATH = "PATH=/usr/sbin:/usr/bin:/sbin:/bin"
HOME = "/srv/home"
PHASES = ("set-up", "build", "prove", "measure")
SHOWN = 400
"""Characters of a reason."""


class Situation(NamedTuple):
    """What is special about a machine, and what somebody types there."""

    folder: str = "/srv/serbench"
    user: str = "root"
    home: str = HOME
    environment: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    """Debian packages that are there before."""
    commands: tuple[str, ...] = ("./serbench run --yes",)
    checks: bool = False
    """Whether ./check runs, too."""


SITUATIONS = {
    "newcomer": Situation(checks=True),
    "no-root": Situation(
        user="somebody",
        packages=("python3-venv", "gcc", "g++"),
    ),
    "c-and-python-alone": Situation(
        commands=("./serbench run --yes --languages c,python", "./serbench run --no-install")
    ),
    "no-locale": Situation(environment=("LANG=C", "LC_ALL=C")),
    "path-with-a-space": Situation(folder="/srv/a folder/serbench"),
    "home-not-writable": Situation(home="/proc"),
}


class Line(NamedTuple):
    """A line that a command printed, and after how many seconds."""

    seconds: float
    text: str


class Outcome(NamedTuple):
    """What became of a command."""

    status: int
    lines: list[Line]
    seconds: float


def seconds_by_phase(outcome: Outcome) -> dict[str, float]:
    """The seconds of each of PHASES of a run: a phase lasts from its first line to that of the next."""
    found: dict[str, float] = dict.fromkeys(PHASES, 0.0)
    phase, since = "set-up", 0.0
    for line in outcome.lines:
        stage = re.match(r"([A-Z][\w ]*) \(\d+\) \.\.\.", line.text)
        if stage is None:
            continue
        name = {"Libraries": "build", "Building": "build", "Verifying": "prove"}.get(
            stage.group(1), "measure"
        )
        found[phase] += line.seconds - since
        phase, since = name, line.seconds
    found[phase] += outcome.seconds - since
    return found


def failed_tests(lines: Iterable[Line]) -> list[str]:
    """The tests that failed, as pytest's last lines name them."""
    return [line.text for line in lines if re.match(r"(FAILED|ERROR) ", line.text)]


def rows_not_ok(run_file: Path) -> Counter[str]:
    """How many rows of a run have which status and reason; those that were measured are left out."""
    rows = msgspec.json.decode(run_file.read_bytes())["rows"]
    return Counter(f"{row['status']}: {row.get('reason', '')}" for row in rows if row["status"] != "ok")


def mirror(label: str) -> str:
    """The address of the packages with this label that this machine's apt uses; empty where there is none."""
    words = ["--format", "$(REPO_URI)", "Created-By: Packages", "Origin: Debian", f"Label: {label}"]
    done = subprocess.run(["apt-get", "indextargets", *words], capture_output=True, text=True, check=False)
    return next(iter(done.stdout.splitlines()), "")


def sources(suite: str, packages: str, security: str) -> str:
    """What apt's list of sources has on a usual machine: a stable release gets updates too."""
    lines = [f"deb {packages} {suite} main"]
    if suite != "testing":
        lines += [f"deb {packages} {suite}-updates main", f"deb {security} {suite}-security main"]
    return "\n".join(lines) + "\n"


def make_system(folder: Path, suite: str) -> None:
    """Make a bare system at `folder` if none is there, with this machine's certificates."""
    if folder.exists():
        return
    made = folder.with_name(f"{folder.name}.made")
    shutil.rmtree(made, ignore_errors=True)
    packages, security = mirror("Debian"), mirror("Debian-Security")
    words = ["debootstrap", "--variant=minbase", "--include=ca-certificates,git", suite, str(made), packages]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    for path in (Path("/") / CERTIFICATES).glob("*.crt"):
        shutil.copy(path, made / CERTIFICATES)
    subprocess.run(["chroot", made, "update-ca-certificates"], check=True, stdout=subprocess.DEVNULL)
    (made / "etc/apt/sources.list").write_text(sources(suite, packages, security), "utf-8")
    # As debootstrap itself: a mirror that stands still has lists of testing that are past their date.
    (made / "etc/apt/apt.conf.d/lists").write_text('Acquire::Check-Valid-Until "false";\n', "utf-8")
    made.rename(folder)


def _enter(system: Path, user: str = "root") -> list[str]:
    """What comes before a command so that it runs in the system as `user`.

    In namespaces of its own: when it ends, its processes and mounts are gone, and the system can be removed.
    """
    mounts = 'mount --rbind /dev "$1/dev" && mount --rbind /sys "$1/sys" && mount -t proc proc "$1/proc"'
    enter = f'{mounts} && exec chroot --userspec="$2" "$1" env -i "${{@:3}}"'
    return [
        "unshare",
        "--mount",
        "--pid",
        "--fork",
        "--kill-child",
        "bash",
        "-c",
        enter,
        "-",
        str(system),
        user,
    ]


def inside(system: Path, situation: Situation, command: str, log: Path) -> Outcome:
    """Run `command` in the situation's clone; what it prints goes to `log` too."""
    settings = [f"{name}={value}" for name, value in os.environ.items() if SETTINGS.fullmatch(name)]
    variables = [f"HOME={situation.home}", PATH, "LANG=C.UTF-8"]
    words = [*_enter(system, situation.user), *variables, *settings, *situation.environment]
    words += ["sh", "-c", 'cd "$1" && eval "$2"', "sh", situation.folder, command]
    began = time.monotonic()
    lines: list[Line] = []
    with (
        log.open("a", encoding="utf-8") as kept,
        subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        ) as running,
    ):
        assert running.stdout is not None
        for text in running.stdout:
            lines.append(Line(time.monotonic() - began, text.rstrip("\n")))
            kept.write(text)
            kept.flush()
    return Outcome(running.returncode, lines, time.monotonic() - began)


def prepare(base: Path, system: Path, situation: Situation) -> None:
    """Copy the bare system for a situation if it was not kept, and bring the last commit there."""
    clone = system / situation.folder.lstrip("/")
    if not system.exists():
        subprocess.run(["cp", "-a", "--reflink=auto", base, system], check=True)
        if situation.packages:
            apt = "apt-get update -qq && apt-get install -qq -y --no-install-recommends"
            install = [
                PATH,
                "DEBIAN_FRONTEND=noninteractive",
                "sh",
                "-c",
                f"{apt} {' '.join(situation.packages)}",
            ]
            subprocess.run([*_enter(system), *install], check=True, stdout=subprocess.DEVNULL)
        if situation.user != "root":
            subprocess.run(["chroot", system, "useradd", "--home-dir", HOME, situation.user], check=True)
        clone.parent.mkdir(parents=True, exist_ok=True)
        (system / HOME.lstrip("/")).mkdir()
        subprocess.run(["git", "init", "--quiet", clone], check=True)
    git = ["git", "-C", str(clone), "-c", "safe.directory=*"]
    subprocess.run([*git, "fetch", "--quiet", "--depth", "1", f"file://{ROOT}", "HEAD"], check=True)
    subprocess.run([*git, "checkout", "--quiet", "--force", "-B", "main", "FETCH_HEAD"], check=True)
    subprocess.run(["chroot", system, "chown", "-R", situation.user, situation.folder, HOME], check=True)


def try_out(
    base: Path, system: Path, situation: Situation, options: str, check: bool
) -> tuple[list[str], list[str]]:
    """A line of the table for a situation, and what was not right."""
    log = system.with_suffix(".log")
    log.unlink(missing_ok=True)
    phases: Counter[str] = Counter()
    faults: list[str] = []
    tests = ""
    prepare(base, system, situation)
    results = system / situation.folder.lstrip("/") / "results"
    before = {*results.glob("*.json")}
    for command in situation.commands:
        done = inside(system, situation, f"{command} {options}", log)
        phases.update(seconds_by_phase(done))
        if done.status != 0:
            last = done.lines[-1].text if done.lines else ""
            faults.append(f"{command}: exit status {done.status}: {last}")
    for file in sorted({*results.glob("*.json")} - before):
        faults += [f"{number} rows {reason[:SHOWN]}" for reason, number in rows_not_ok(file).items()]
    if situation.checks and check:
        done = inside(system, situation, "./check --yes", log)
        failed = failed_tests(done.lines)
        tests = f"{done.seconds:.0f} s, status {done.status}, {len(failed)} failed"
        faults += [text[:SHOWN] for text in failed]
    return [*(f"{phases[name]:.0f}" for name in PHASES), tests], faults


def main(arguments: Sequence[str]) -> int:
    """Try out everything that is asked for; 1 if something was not right."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--systems", default=",".join(SUITES))
    parser.add_argument("--situations", default=",".join(SITUATIONS))
    parser.add_argument("--options", default="", help="for ./serbench run, for example '--budget 60'")
    parser.add_argument("--no-check", action="store_true")
    parser.add_argument("--keep", action="store_true", help="keep the systems, and use those that were kept")
    given = parser.parse_args(arguments)
    given.folder.mkdir(parents=True, exist_ok=True)
    table = Table("Debian", "situation", *(f"{name}, s" for name in PHASES), "check")
    wrong: list[str] = []
    for system in given.systems.split(","):
        base = given.folder.resolve() / system
        make_system(base, SUITES[system])
        for name in given.situations.split(","):
            place = base.with_name(f"{system}-{name}")
            cells, faults = try_out(base, place, SITUATIONS[name], given.options, not given.no_check)
            if not given.keep:
                shutil.rmtree(place)
            table.add_row(system, name, *cells)
            wrong += [f"{system}, {name}: {fault}" for fault in faults]
    console = Console()
    console.print(table)
    for fault in wrong:
        console.print(fault, markup=False, highlight=False)
    return 1 if any(re.search("failed|FAILED|ERROR|exit status", fault) for fault in wrong) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
