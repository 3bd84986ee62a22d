"""The C harness on other processors, under QEMU: 32 bits with unsigned char, and the other byte order."""

import shutil
import subprocess

import pytest

from serbench.project import CACHE, ROOT
from serbench.provision import toolchain
from tests.c.test_units import SCALARS, SOURCES, compile_c
from tests.datasets.pyhash import Hasher, TapeReader, hashes

FLAGS = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-static"]
MACHINES = {
    "armhf": ("qemu-arm", ["arm-linux-gnueabihf-gcc"], "arm-linux-musleabihf"),
    "s390x": ("qemu-s390x", ["s390x-linux-gnu-gcc"], "s390x-linux-musl"),
}
"""The emulator, the cross-compiler of Debian, and Zig's name of the machine, whose compiler is as good."""


def compiler(name: str) -> list[str]:
    """How C is compiled for a machine; the test is skipped where it cannot be."""
    emulator, words, triple = MACHINES[name]
    if shutil.which(emulator) is None:
        pytest.skip(f"{name}: there is no {emulator}: ./serbench setup linux-armhf")
    zig = toolchain.find(ROOT, CACHE, "zig")
    if shutil.which(words[0]) is None and zig is None:
        pytest.skip(f"{name}: there is no {words[0]} and no Zig: ./serbench setup zig")
    return words if shutil.which(words[0]) else [*zig.programs["zig"], "cc", "-target", triple]


@pytest.fixture(scope="module", params=MACHINES)
def units(request):
    """Runs one of the units on a machine; yields its lines."""
    program = compile_c("units", [*FLAGS, "-DSB_STATIC"], SOURCES, ["-lm"], tuple(compiler(request.param)))
    emulator = MACHINES[request.param][0]

    def run(*arguments: str, given: bytes = b"") -> list[str]:
        done = subprocess.run([emulator, program, *arguments], input=given, capture_output=True, check=False)
        assert done.returncode == 0 and done.stderr == b"", done.stderr.decode(errors="replace")
        return done.stdout.decode(errors="replace").splitlines()

    return run


def test_hashes_of_scalars(units):
    asked, expected = SCALARS
    assert units("scalars", given="\n".join(asked).encode()) == expected


def test_a_tape_gives_the_hashes_that_python_finds(units, generated):
    tapes = [generated(spec) for spec in ("generated:1", "generated:2", "generated:3:safe")]
    given = "".join(f"{dataset.tape}\n" for dataset in tapes).encode()
    expected = [" ".join(hashes(TapeReader(dataset.tape.read_bytes()).root)) for dataset in tapes]
    assert units("tapes", given=given) == expected


def test_a_tape_too_large_for_the_address_space_is_refused(units, tmp_path):
    """Its header is believable for its length, but on 32 bits the room for its values would wrap around."""
    path = tmp_path / "huge.tape"
    values = 260_000_000
    with path.open("wb") as file:
        file.write(b"sbtape1\n" + b"".join(n.to_bytes(8, "little") for n in (values, 0, 4, 0)))
        file.write(b"s" + (4).to_bytes(4, "little") + b"text")
        file.truncate(values)
    (line,) = units("tapes", given=f"{path}\n".encode())
    assert "cannot be read: " in line


@pytest.mark.parametrize(("count", "size", "block"), [(0, 0, 0), (1, 4097, 0), (5000, 7, 0), (1, 5, 1)])
def test_the_output_is_hashed_as_here(count, size, block, units, tmp_path):
    out = tmp_path / "out"
    lines = units("output", str(count), str(size), str(block), str(out))
    hasher = Hasher(exact=True)
    hasher.text(out.read_bytes())
    assert out.stat().st_size == count * size
    assert lines == [f',"bytes":{count * size},"hash":"{hasher.state:08x}"', f"{hasher.state:08x}"]


def test_messages_are_understood(units):
    lines = units("messages", given=b'{"do":"sample","n":18446744073709551615}\n{"n":-1}\n')
    assert lines == ['"do"="sample" "n"=18446744073709551615 do:"sample" n:18446744073709551615', "bad"]
