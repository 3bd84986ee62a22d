"""Parts of the C harness under the sanitizers, against what Python makes of the same."""

import json
import math
import os
import struct
import subprocess
from pathlib import Path
from random import Random

import pytest

from tests.compiled import compiled
from tests.datasets.pyhash import Hasher, TapeReader, hashes

HERE = Path(__file__).parent
HARNESS = HERE.parents[1] / "harness" / "c"
FLAGS = [
    "-std=gnu11",
    "-g",
    "-O1",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
]
SOURCES = [
    "message",
    "message_file",
    "hash",
    "tape_read",
    "tape_write",
    "task_write",
    "workspace",
    "contender",
    "heap",
]


def compile_c(
    name: str,
    flags: list[str],
    sources: list[str],
    libraries: list[str],
    compiler: tuple[str, ...] = ("gcc",),
) -> Path:
    own = HERE / f"{name}.c"
    files = [own, *(HARNESS / "src" / f"{source}.c" for source in sources)]
    includes = [f"-I{HARNESS / part}" for part in ("include", "src")]

    def make(folder: Path) -> Path:
        program = folder / name
        command = [*compiler, *flags, *includes, *map(str, files), "-o", str(program), *libraries]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return program

    return compiled(make, [*compiler, *flags, *sources, *libraries], [own], compiler[0])


@pytest.fixture(scope="module")
def units():
    """Runs one of the units on some input; yields its lines."""
    program = compile_c("units", FLAGS, SOURCES, ["-lm", "-ldl"])

    def run(*arguments: str, given: bytes = b"") -> list[str]:
        done = subprocess.run([program, *arguments], input=given, capture_output=True, check=False)
        assert done.returncode == 0 and done.stderr == b"", done.stderr.decode(errors="replace")
        return done.stdout.decode(errors="replace").splitlines()

    return run


GOOD = {
    "{}": 'do:"none" n:77',
    ' { "do" : "x" , "n" : 12 } ': '"do"="x" "n"=12 do:"x" n:12',
    '{"do":"x"}\r': '"do"="x" do:"x" n:77',
    r'{"do":"\"\\\/\b\f\n\r\t"}': None,
    '{"n":18446744073709551615}': '"n"=18446744073709551615 do:"none" n:18446744073709551615',
    '{"n":true,"f":false}': '"n"=1 "f"=0 do:"none" n:1',
    '{"n":"text","do":5}': '"n"="text" "do"=5 do:"none" n:77',
    '{"n":1,"n":2}': '"n"=1 "n"=2 do:"none" n:1',
    '{"do":""}': '"do"="" do:"" n:77',
    "{" + ",".join(f'"f{n}":{n}' for n in range(16)) + "}": None,
}
BAD = [
    "",
    "   ",
    "nonsense",
    "{",
    "}",
    '{"do"',
    '{"do":',
    '{"do":}',
    '{"do":"x"',
    '{"do":"x',
    '{"do":"x\\',
    '{"do":"\\u0041"}',
    '{"do":"\\x"}',
    '{"do":"x"}}',
    '{"do":"x"} {}',
    '{"do":"x" "n":1}',
    '{"do":"x";"n":1}',
    '{"n":-1}',
    '{"n":1.5}',
    '{"n":1e3}',
    '{"n":null}',
    '{"n":[1]}',
    '{"n":{}}',
    "{do:1}",
    '{"n":tru}',
    '{"n":truefalse}',
    "{" + ",".join(f'"f{n}":{n}' for n in range(17)) + "}",
    '["do"]',
    '"do"',
]


def test_messages_that_are_understood(units):
    lines = units("messages", given="\n".join(GOOD).encode() + b"\n")
    assert len(lines) == len(GOOD)
    for line, expected in zip(lines, GOOD.values(), strict=True):
        assert line != "bad"
        assert expected is None or line == expected
    escaped = lines[3].split(" do:")[0]
    assert json.loads(escaped.partition("=")[2]) == '"\\/\b\f\n\r\t'
    assert lines[-1].count("=") == 16


@pytest.mark.parametrize("line", BAD)
def test_messages_that_are_not(line, units):
    assert units("messages", given=line.encode() + b"\n") == ["bad"]


def test_every_prefix_and_random_damage_of_a_message(units):
    whole = b'{"do":"sample","iterations":12345,"text":"a\\"b\\\\","yes":true}'
    rng = Random(7)
    lines = [whole[:n] for n in range(len(whole))]
    for _ in range(3000):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 3)):
            data[rng.randrange(len(data))] = rng.choice(b'"\\{}:,0 truefalsn\x01\x80\xff')
        lines.append(bytes(data))
    answers = units("messages", given=b"\n".join(line.replace(b"\n", b" ") for line in lines) + b"\n")
    assert len(answers) == len(lines)
    assert all(answer == "bad" for answer in answers[: len(whole)])
    assert sum(answer != "bad" for answer in answers) > 10


def scalar(value, *, text: bytes | None = None) -> str:
    both = Hasher(exact=False), Hasher(exact=True)
    for hasher in both:
        if text is not None:
            hasher.text(text)
        elif isinstance(value, float) and not math.isfinite(value):
            bits = struct.unpack("<Q", struct.pack("<d", value))[0]
            if hasher.exact:
                hasher.words(bits)
            else:
                hasher.mix(43013)
        else:
            hasher.value(value)
    return " ".join(f"{hasher.state:08x}" for hasher in both)


def scalars_and_hashes() -> tuple[list[str], list[str]]:
    """Lines for the unit `scalars`, and what it should answer to each."""
    doubles = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0**53, -(2.0**53), 2.0**53 + 2, -(2.0**53) - 2, 2.0**53 - 1]
    doubles += [2.0**52 + 0.5, 1e300, 5e-324, -5e-324, 2.0**63, -(2.0**63), 2.0**64, 1.7976931348623157e308]
    doubles += [math.inf, -math.inf, math.nan, 0.1, 1 / 3, math.nextafter(1.0, 2), math.nextafter(1.0, 0)]
    integers = [0, 1, -1, 2**31, 2**32, 2**32 - 1, -(2**31), -(2**32), 2**53, 2**63 - 1, -(2**63)]
    naturals = [0, 1, 2**32, 2**63, 2**64 - 1]
    texts = [bytes(range(200, 200 + n)) for n in range(10)] + [b"\0" * n for n in range(1, 10)]
    asked = [f"f {struct.unpack('<Q', struct.pack('<d', x))[0]:016x}" for x in doubles]
    expected = [scalar(x) for x in doubles]
    asked += [f"i {x}" for x in integers] + [f"u {x}" for x in naturals]
    expected += [scalar(x) for x in integers + naturals]
    asked += [f"s {t.hex() or '-'}" for t in texts]
    expected += [scalar(None, text=t) for t in texts]
    return asked, expected


SCALARS = scalars_and_hashes()


def test_hashes_of_scalars(units):
    asked, expected = SCALARS
    assert units("scalars", given="\n".join(asked).encode()) == expected
    # An integral double is the integer, up to 2^53 and no further, and -0 is none.
    assert scalar(2.0**53) == scalar(2**53) and scalar(2.0**53 + 2) != scalar(2**53 + 2)
    assert scalar(-0.0) != scalar(0)


def sample_tape(generated) -> bytes:
    return generated("generated:1:seed=5").tape.read_bytes()


def test_a_tape_gives_the_hashes_that_python_finds(units, generated):
    tapes = [
        generated(spec) for spec in ("generated:1", "generated:2", "generated:3:safe", "generated:2:seed=9")
    ]
    given = "".join(f"{dataset.tape}\n" for dataset in tapes).encode()
    expected = [" ".join(hashes(TapeReader(dataset.tape.read_bytes()).root)) for dataset in tapes]
    assert units("tapes", given=given) == expected


def test_no_damage_to_a_tape_does_harm(units, generated, tmp_path):
    """Every truncation and thousands of mutations: refused, or read as a tape that Python reads alike."""
    whole = sample_tape(generated)
    whole = whole if len(whole) < 3000 else generated("generated:1").tape.read_bytes()
    rng = Random(11)
    damaged = [whole[:n] for n in range(0, len(whole), max(1, len(whole) // 1500))]
    counts = [0, 1, 255, 2**31, 2**32 - 1, 2**63, 2**64 - 1]
    for offset in range(8, 40, 8):
        damaged += [whole[:offset] + struct.pack("<Q", n) + whole[offset + 8 :] for n in counts]
    for _ in range(2500):
        data = bytearray(whole)
        for _ in range(rng.choice([1, 1, 2, 8])):
            at = rng.randrange(len(data))
            data[at] = rng.choice([rng.randrange(256), 0, 255, ord("a"), ord("m"), ord("s")])
        damaged.append(bytes(data))
    paths = []
    for number, data in enumerate(damaged):
        paths.append(tmp_path / str(number))
        paths[-1].write_bytes(data)
    answers = units("tapes", given="".join(f"{path}\n" for path in paths).encode())
    assert len(answers) == len(damaged)
    refused = [answer for answer in answers if "cannot be read: " in answer]
    assert 1500 < len(refused) < len(damaged)
    for path, answer in zip(paths, answers, strict=True):
        if "cannot be read: " in answer or path.read_bytes() == whole:
            continue
        try:
            tree = TapeReader(path.read_bytes())
        except (ValueError, struct.error):
            continue  # a string that is not UTF-8 any more: the harness does not look
        assert answer == " ".join(hashes(tree.root))


@pytest.mark.parametrize(
    ("count", "size"), [(0, 0), (1, 0), (1, 1), (1, 4095), (1, 4096), (1, 4097), (5000, 7), (3, 1_000_000)]
)
@pytest.mark.parametrize("block", [0, 1])
def test_the_output_grows_and_is_hashed_whole(count, size, block, units, tmp_path):
    out = tmp_path / "out"
    lines = units("output", str(count), str(size), str(block), str(out))
    pieces = b"".join(bytes([ord("a") + n % 26]) * size for n in range(count))
    expected = out.read_bytes()
    # A writer that hands over a block is taken at its word: what it appended is not its output.
    assert expected == (pieces[-size:] if block and size and count else b"" if block else pieces)
    hasher = Hasher(exact=True)
    hasher.text(expected)
    assert lines == [f',"bytes":{len(expected)},"hash":"{hasher.state:08x}"', f"{hasher.state:08x}"]


def test_the_heap_is_counted_exactly(context):
    program = compile_c("allocations", ["-std=gnu11", "-O2", "-fno-builtin"], ["heap"], ["-ldl"])
    environment = {**os.environ, "LD_PRELOAD": str(context.tool("heap"))}
    done = subprocess.run([program], capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    found = {name: tuple(map(int, counts)) for name, *counts in map(str.split, done.stdout.splitlines())}
    assert found == {
        # name: requests, bytes requested (of a realloc, what it added), most live at once
        "simple": (3, 180, 150),
        "zeroed": (1, 63, 63),
        "growing": (3, 100_000, 100_000),
        "aligned": (3, 512 + 20 + 600, 512 + 20 + 600),
        "nothing": (0, 0, 0),
        "left_over": (1, 64, 64),
        "hidden": (1, 5, 5),
        "before": (1, 10, 10),
    }
    alone = subprocess.run([program], capture_output=True, check=False)
    assert alone.returncode == 1  # without the library there is nothing to find
