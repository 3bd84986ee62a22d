"""Real boards: the project's sources, with a stand-in for the Arduino core, behind a pseudo-terminal."""

import binascii
import csv
import fcntl
import io
import json
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from serbench.kinds.board import collector
from serbench.kinds.board.line import Begin
from serbench.kinds.board.step import board_platform, load_environments
from serbench.platforms.firmware.emulate import CALLS
from serbench.platforms.records import Board as BoardPlatform
from serbench.project import ROOT
from serbench.results.journal import journal_path
from serbench.results.load import load_run
from tests.conftest import command_environment
from tests.platforms import platforms_of

STAND_IN = Path(__file__).parent / "arduino"
FLAGS = ["-Os", "-DSB_NARROW", "-DFW_ARENA=9216", '-DFW_BOARD="esp32"', '-DFW_CORE="core 1.2.3"']
ROWS = 3 * 10
"""CMP, MPack and cJSON, a format each, on ten documents."""


@pytest.fixture(scope="session")
def project(tmp_path_factory) -> Path:
    """What `serbench board` makes."""
    folder = tmp_path_factory.mktemp("board") / "made"
    words = [sys.executable, "-m", "serbench", "board", "--out", folder, "--contenders", "cmp,mpack,cjson"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "collect --port" in done.stdout
    return folder


@pytest.fixture(scope="session")
def firmware(project, tmp_path_factory) -> Path:
    """The project compiled for this machine, every warning of the project's own sources an error."""
    folder = tmp_path_factory.mktemp("firmware")
    include = [f"-I{path}" for path in (STAND_IN, project / "include")]
    objects = []
    for path in sorted(project.glob("lib/*/library.json")):
        stated = json.loads(path.read_text())["build"]
        flags = [f"-I{path.parent / flag[2:]}" if flag.startswith("-I") else flag for flag in stated["flags"]]
        include += [flag for flag in flags if flag.startswith("-I")]
        for name in stated["srcFilter"][1:]:
            objects.append(folder / f"{path.parent.name}-{len(objects)}.o")
            source = path.parent / "src" / name[2:-1]
            subprocess.run(["gcc", "-w", *FLAGS, *flags, "-c", source, "-o", objects[-1]], check=True)
    for path in [*sorted(project.glob("src/*.c*")), STAND_IN / "stand_in.cpp"]:
        compiler = ["g++", "-std=gnu++11"] if path.suffix == ".cpp" else ["gcc", "-std=gnu11"]
        objects.append(folder / f"{path.stem}-{len(objects)}.o")
        words = [*compiler, *FLAGS, "-Wall", "-Wextra", "-Werror", *include, "-c", path, "-o", objects[-1]]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    subprocess.run(["g++", *objects, "-o", folder / "firmware"], check=True)
    return folder / "firmware"


ARDUINO = Path("/usr/share/arduino/hardware/arduino/avr")
"""Debian's package arduino-core-avr: the one real Arduino core that a distribution brings."""


def test_the_sources_are_taken_by_a_real_arduino_core(project, tmp_path):
    """Compiled only: no AVR board has the memory. MPack refuses a compiler whose doubles have 32 bits."""
    if not ARDUINO.is_dir() or shutil.which("avr-g++") is None:
        pytest.skip("Debian's arduino-core-avr and gcc-avr are not installed")
    flags = ["-mmcu=atmega2560", "-DARDUINO=10819", "-DARDUINO_ARCH_AVR", "-DF_CPU=16000000L", *FLAGS]
    include = [ARDUINO / "cores/arduino", ARDUINO / "variants/mega", project / "include"]
    include += [path for path in project.glob("lib/*/src") if path.parent.name != "mpack"]
    sources = [path for path in sorted(project.glob("src/*.c*")) if not path.name.startswith("mpack")]
    assert project / "src/main.cpp" in sources
    for path in sources:
        compiler = ["avr-g++", "-std=gnu++11"] if path.suffix == ".cpp" else ["avr-gcc", "-std=gnu11"]
        words = [*compiler, *flags, "-Wall", *(f"-I{folder}" for folder in include)]
        words += ["-c", str(path), "-o", str(tmp_path / "object.o")]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


class Board:
    """A firmware behind a pseudo-terminal; `spoil` is given each line with its number: what arrives of it."""

    def __init__(self, firmware: Path, spoil: Callable[["Board", int, bytes], bytes | None]) -> None:
        self._firmware, self._spoil = firmware, spoil
        self._master, slave = pty.openpty()
        tty.setraw(slave)
        self.port = os.ttyname(slave)
        self._slave = slave
        self.starts = self.lines = 0
        self._ended = False
        self._start()
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._keys, self._says)]
        for thread in self._threads:
            thread.start()

    def _start(self) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen([self._firmware], stdin=pipe, stdout=pipe, bufsize=0)
        self.starts += 1

    def _keys(self) -> None:
        while not self._ended:
            try:
                # A read that waits would keep the line open after it has been closed.
                if select.select([self._master], [], [], 0.05)[0]:
                    self._process.stdin.write(os.read(self._master, 1))
            except OSError:
                if self._ended:
                    return

    def _says(self) -> None:
        while not self._ended:
            process = self._process
            buffered = io.BufferedReader(process.stdout, 65_536)
            for line in buffered:
                self.lines += 1
                arrives = self._spoil(self, self.lines, line)
                if arrives is None:  # a reset: what was on its way is lost
                    process.kill()
                    process.wait()
                    self._start()
                    break
                self._send(arrives)
            else:
                return

    def _send(self, data: bytes) -> None:
        while data and not self._ended:
            try:
                data = data[os.write(self._master, data) :]
            except OSError:
                return

    def unread(self) -> int:
        """The bytes that have arrived at the port and were not taken yet."""
        return struct.unpack("i", fcntl.ioctl(self._slave, termios.FIONREAD, b"\0" * 4))[0]

    def close(self) -> None:
        """Unplug it; a second time it does nothing."""
        if self._ended:
            return
        self._ended = True
        self._process.kill()
        self._process.wait()
        self._threads[0].join()
        os.close(self._slave)
        os.close(self._master)


@pytest.fixture
def board(firmware) -> Iterator[Callable[..., Board]]:
    """Makes boards, and unplugs them."""
    made: list[Board] = []

    def make(spoil=lambda _board, _number, line: line) -> Board:
        made.append(Board(firmware, spoil))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_a_board_becomes_a_run_file(board, command, tmp_path):
    run = tmp_path / "run.json"
    done = command("collect", "--port", board().port, "--output", run)
    assert done.returncode == 0, done.stderr
    stored = json.loads(run.read_bytes())
    (platform,) = stored["platforms"]
    assert (platform["name"], platform["kind"], platform["unit"]) == ("esp32", "board", "microseconds")
    assert platform["core"] == "core 1.2.3" and platform["compiler"].startswith("gcc ")
    assert platform["title"] == "Xtensa LX6 (ESP32)"
    assert stored["complete"] and "notes" in stored and len(stored["rows"]) == ROWS
    for count in stored["rows"]:
        assert count["status"] == "ok", count
        # The stand-in's clock ticks by 7 between two looks.
        assert {count["metrics"][call] for call in CALLS} == {7}
    assert "microseconds" in done.stdout and "no times" not in done.stdout
    (row, *_) = csv.DictReader(io.StringIO(command("report", run, "--format", "csv").stdout))
    assert (row["unit"], row["platform"], row["libraryJson"]) == ("microseconds", "esp32", "cJSON")


NOISY = 50
"""Only so many lines may be damaged: an attempt and a half. How often a board says that it is ready depends
on the machine's speed, and else the same row could be hit in all three attempts."""


def noise(_board: Board, number: int, line: bytes) -> bytes:
    """Every seventh line has a wrong character, every ninth lacks its beginning; rubbish stands between."""
    if number % 7 == 0 and number <= NOISY:
        line = line[:5] + bytes([line[5] ^ 1]) + line[6:]
    if number % 9 == 0 and number <= NOISY:
        line = line[len(line) // 2 :]
    return b"\xff\x00\x80{}*0000\r\n" * (number % 3) + b"\xfe{" * (number % 2) + b"\n" + line


def test_noise_costs_another_attempt_and_no_row(board, command, tmp_path):
    run = tmp_path / "run.json"
    done = command("collect", "--port", board(noise).port, "--output", run)
    assert done.returncode == 0, done.stderr
    stored = json.loads(run.read_bytes())
    assert stored["complete"] and [count["status"] for count in stored["rows"]] == ["ok"] * ROWS
    assert [count["id"] for count in stored["rows"]] == list(range(ROWS))
    assert any("Damaged lines" in note for note in stored["notes"])


def test_a_reset_in_the_middle_is_begun_anew(board, command, tmp_path):
    run = tmp_path / "run.json"
    reset = board(
        lambda board, number, line: None if (board.starts, b'"number":12' in line) == (1, True) else line
    )
    done = command("collect", "--port", reset.port, "--output", run)
    assert done.returncode == 0, done.stderr
    stored = json.loads(run.read_bytes())
    assert reset.starts == 2 and len(stored["rows"]) == ROWS
    assert stored["notes"] == ["The board restarted before the end of the benchmark."]


def test_a_board_that_always_falls_over_keeps_what_it_said(board, command, tmp_path):
    run = tmp_path / "run.json"
    falls = board(lambda _board, _number, line: None if b'"number":12' in line else line)
    done = command("collect", "--port", falls.port, "--output", run)
    assert done.returncode == 1, done.stderr
    stored = json.loads(run.read_bytes())
    assert not stored["complete"] and len(stored["rows"]) == 12
    assert missing(12) in stored["notes"]


class Hurried:
    """A clock by which a quarter of an hour passes with each look, as soon as a line is silent for ever."""

    def __init__(self, silent: Callable[[], bool]) -> None:
        self._silent, self._passed = silent, 0.0

    def monotonic(self) -> float:
        self._passed += 900.0 * self._silent()
        return time.monotonic() + self._passed


def test_a_board_that_falls_silent_times_out(board, command, tmp_path, monkeypatch):
    run = tmp_path / "run.json"
    begun, fell_silent = threading.Event(), threading.Event()

    def stop(_board: Board, _number: int, line: bytes) -> bytes:
        if begun.is_set():
            fell_silent.set()
            return b""
        if b'"begin"' in line:
            begun.set()
        return line

    silent = board(stop)
    clock = Hurried(lambda: fell_silent.is_set() and not silent.unread())
    monkeypatch.setattr(collector, "time", clock)
    done = command("collect", "--port", silent.port, "--output", run)
    assert done.returncode == 2 and "sent nothing for 30 s" in done.stderr.replace("\n", " ")
    assert not run.exists()


def missing(arrived: int) -> str:
    """The note on rows that did not arrive."""
    return f"{ROWS - arrived} of {ROWS} rows had not arrived complete when the collection ended."


def changed(line: bytes, old: bytes, new: bytes) -> bytes:
    """A board's line with something else in it, and the sum that goes with that."""
    said = line.rpartition(b"*")[0].replace(old, new)
    return b"%s*%04x\n" % (said, binascii.crc_hqx(said, 0)) if old in line else line


LAST = 12
"""The row behind which a board stops to speak, and somebody loses patience or pulls the plug."""


def collecting(board: Callable[..., Board], run: Path, until: int) -> tuple[Board, "subprocess.Popen[str]"]:
    """A `collect` that has taken what a board said before its row `until`, and waits for more."""
    stopped = threading.Event()

    def stop(_board: Board, _number: int, line: bytes) -> bytes:
        if b'"number":%d,' % until in line:
            stopped.set()
        return b"" if stopped.is_set() else line

    made = board(stop)
    process = subprocess.Popen(
        [sys.executable, "-m", "serbench", "collect", "--port", made.port, "--output", run],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=command_environment(),
    )
    stopped.wait()
    while made.unread():
        assert process.poll() is None
        time.sleep(0.02)
    return made, process


def test_an_interruption_keeps_the_rows_that_had_been_read(board, command, tmp_path):
    run = tmp_path / "run.json"
    made, process = collecting(board, run, LAST)
    while b'"kind":"row"' not in journal_path(run).read_bytes():  # taken from the line is not kept yet
        assert process.poll() is None
        time.sleep(0.02)
    with process:
        process.send_signal(signal.SIGINT)
        said, errors = process.communicate()
    assert process.returncode == 130 and "Traceback" not in errors, errors
    stored = json.loads(run.read_bytes())
    # What had been taken from the line in the very moment of the signal may be lost.
    assert not stored["complete"] and 1 <= len(stored["rows"]) <= LAST
    assert {count["status"] for count in stored["rows"]} == {"ok"}
    assert stored["notes"] == [missing(len(stored["rows"]))]
    assert "INTERRUPTED" in said and "INTERRUPTED" in run.with_suffix(".md").read_text()
    assert run.with_suffix(".html").is_file()
    wanted = f"./serbench collect --resume {run} --port {made.port}"
    assert wanted in said.replace("\n", " ")
    refused = command("resume", run)
    assert refused.returncode == 2
    assert f"./serbench collect --resume {run} --port DEVICE" in refused.stderr.replace("\n", " ")


def test_a_killed_collection_keeps_its_rows_and_is_resumed(board, command, tmp_path):
    run = tmp_path / "run.json"
    _, process = collecting(board, run, LAST)
    with process:
        while journal_path(run).read_bytes().count(b'"kind":"row"') < LAST:
            assert process.poll() is None
            time.sleep(0.02)
        process.kill()
    assert not run.exists()
    before = load_run(journal_path(run))
    assert [row.id for row in before.rows] == list(range(LAST)) and not before.complete
    assert {row.status for row in before.rows} == {"ok"}

    # The second board speaks of other times, so that a row which is written twice could be seen.
    slow = board(lambda _board, _number, line: changed(line, b'"first":7', b'"first":8'))
    refused = command("resume", run)
    assert refused.returncode == 2 and "./serbench collect --resume" in refused.stderr
    done = command("collect", "--resume", run, "--port", slow.port)
    assert done.returncode == 0, done.stderr
    after = load_run(run)
    assert after.complete and not journal_path(run).exists() and after.platforms == before.platforms
    assert after.rows[:LAST] == before.rows
    assert [row.id for row in after.rows] == list(range(ROWS))
    assert {row.metrics["serialize_first"] for row in after.rows[LAST:]} == {8}
    assert any(f"Interrupted after {LAST} rows" in note for note in after.notes)


def test_each_command_resumes_its_own_runs(board, command, tmp_path):
    run = tmp_path / "run.json"
    falls = board(lambda _board, _number, line: None if b'"number":12' in line else line)
    assert command("collect", "--port", falls.port, "--output", run).returncode == 1
    again = ("collect", "--resume", run, "--port", falls.port)
    refused = command(*again, "--output", tmp_path / "other.json")
    assert refused.returncode == 2 and "--output cannot be combined with --resume" in refused.stderr
    run.write_bytes(run.read_bytes().replace(b'"kind":"board","datasets"', b'"kind":"platforms","datasets"'))
    refused = command(*again)
    assert refused.returncode == 2 and f"./serbench resume {run}" in refused.stderr.replace("\n", " ")


def test_another_firmware_does_not_finish_a_run(board, command, tmp_path):
    run = tmp_path / "run.json"
    falls = board(lambda _board, _number, line: None if b'"number":12' in line else line)
    assert command("collect", "--port", falls.port, "--output", run).returncode == 1
    stored = run.read_bytes()
    for old, new in ((b'"board":"esp32"', b'"board":"esp8266"'), (b'"library":"cmp"', b'"library":"mpack"')):
        other = board(lambda _board, _number, line, old=old, new=new: changed(line, old, new))
        done = command("collect", "--resume", run, "--port", other.port)
        assert done.returncode == 2 and "another firmware answered" in done.stderr
        assert run.read_bytes() == stored and not journal_path(run).exists()


def test_an_interruption_before_the_first_row_leaves_nothing(board, tmp_path):
    run = tmp_path / "run.json"
    _, process = collecting(board, run, 0)
    with process:
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert process.returncode == 130 and "Traceback" not in errors, errors
    assert "nothing was measured" in errors and list(tmp_path.iterdir()) == []


def test_a_board_that_is_unplugged_keeps_what_it_said(board, tmp_path):
    run = tmp_path / "run.json"
    plugged, process = collecting(board, run, LAST)
    with process:
        plugged.close()
        _, errors = process.communicate()
    assert process.returncode == 1 and "Traceback" not in errors, errors
    stored = json.loads(run.read_bytes())
    assert not stored["complete"] and 1 <= len(stored["rows"]) <= LAST
    assert "The line to the board was lost" in stored["notes"][0]


def test_a_port_without_a_board_is_told(board, command, monkeypatch):
    monkeypatch.setattr(collector, "time", Hurried(lambda: True))
    mute = board(lambda _board, _number, _line: b"")
    done = command("collect", "--port", mute.port, "--timeout", "7")
    assert done.returncode == 2 and "no board answered within 7 s" in done.stderr.replace("\n", " ")
    done = command("collect", "--port", "/dev/null/none")
    assert done.returncode == 2 and "cannot be used" in done.stderr and "Traceback" not in done.stderr


def test_a_folder_with_something_in_it_is_left_alone(command, tmp_path):
    (tmp_path / "mine").write_text("mine")
    done = command("board", "--out", tmp_path, "--contenders", "cmp")
    assert done.returncode == 2 and "not an empty folder" in done.stderr.replace("\n", " ")
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_the_six_published_boards_have_environments(project):
    text = (project / "platformio.ini").read_text()
    for name in ("esp32", "esp32c3", "esp32s2", "esp8266", "nano33iot", "rpi_pico"):
        assert f"[env:{name}]" in text


def test_boards_environments_and_the_manual_agree():
    titles = load_environments(ROOT).titles
    assert set(platforms_of(ROOT, BoardPlatform)) <= set(titles)
    manual = (ROOT / "docs/boards.md").read_text()
    table = re.findall(r"^\| (`.*) \| (.*) \|$", manual, re.MULTILINE)
    rows = [zip(re.findall(r"`(\w+)`", names), boards.split(", "), strict=True) for names, boards in table]
    assert {name: board for row in rows for name, board in row} == titles


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("nano33iot", "Arduino Nano 33 IoT (SAMD21)"),
        ("esp32s2", "Xtensa LX7 (ESP32-S2)"),
        ("mine", "a real board"),
    ],
)
def test_a_board_is_called_what_its_environment_says(name, title):
    begin = Begin(board=name, core="", compiler="", rows=1)
    platform = board_platform(ROOT, begin)
    assert (platform.name, platform.title) == (name, title)
    # The stand-in is compiled with the same flags, and with what PlatformIO gives each board.
    assert platform.flags.split() == FLAGS[:3]


@pytest.mark.parametrize("name", ["esp32", "esp32s2"])
def test_a_chip_without_a_compiler_is_board_only(name, command):
    for words in (("count", "--platform", name), ("setup", name)):
        done = command(*words)
        assert done.returncode == 2 and f"{name} is board-only: no distribution" in done.stderr.replace(
            "\n", " "
        )
    assert re.search(rf"^{name} +Xtensa", command("setup").stdout, re.MULTILINE)
