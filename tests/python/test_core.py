"""The extension module by itself: odd values, references, and the sanitizers over all of it."""

import json
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

from serbench.project import ROOT
from tests.datasets import pyhash

VALUES = """
import decimal, serbench_core as core
from collections import OrderedDict, UserDict
class Text(str): pass
class Number(int): pass
GOOD = [None, True, -1, 2**64 - 1, -2**63, 0.5, -0.0, "", "é", "\\u0800", "\\U0001f600", "a" * 9, [], {},
        {"k": [1, {"": 2.5}]}, (1, 2), Text("é"), Number(7), OrderedDict(a=1), UserDict(a=[1]),
        decimal.Decimal("1.5"), decimal.Decimal(2**64 - 1), decimal.Decimal("-0.0"), decimal.Decimal("1e300")]
BAD = [2**64, -2**63 - 1, b"bytes", bytearray(1), {1, 2}, "\\ud800", {1: 2}, {None: 1}, object(), 1j,
       {"a": [b"x"]}]
def read(value):
    return core.Task(True, [(core.Given(value), b"an input", None)], None, None)
"""


def run(core, script):
    done = subprocess.run(core, input=VALUES + script, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_values_of_other_types_count_as_what_they_are(core):
    found = run(core, "import json\nprint(json.dumps([read(value).hashes('') for value in GOOD]))")
    plain = [None, True, -1, 2**64 - 1, -(2**63), 0.5, -0.0, "", "é", "\u0800", "\U0001f600", "a" * 9, [], {}]
    plain += [{"k": [1, {"": 2.5}]}, [1, 2], "é", 7, {"a": 1}, {"a": [1]}, 1.5, 2**64 - 1, -0.0, 1e300]
    assert json.loads(found) == [[int(text, 16) for text in pyhash.hashes(value)] for value in plain]


def test_what_no_document_can_contain_is_refused(core):
    script = """
for value in BAD:
    task = read(value)
    for call in (lambda: task.hashes(""), lambda: task.count(3), lambda: task.sample(2, 2, 2)):
        try:
            call()
        except (TypeError, ValueError, OverflowError) as error:
            print(type(error).__name__)
"""
    assert len(run(core, script).split()) == 3 * 11


LEAKS = """
import sys
def once():
    for value in GOOD + BAD:
        for task in (read(value), core.Task(False, [(core.Given(b"x"), value, None)], None, None)):
            try:
                task.count(2), task.sample(1, 2, 1), task.outputs(), task.hashes("")
            except (TypeError, ValueError, OverflowError):
                pass
    found = core.Task(True, [(core.Given([1, {"a": 2}]), b"x", [[0], [1, "a"]])], None, None)
    found.count(1)
    lost = core.Task(True, [(core.Given([1, {"a": 2}]), b"x", [[1]])], None, None)
    walked = core.Task(True, [(core.Given([1]), b"x", None)], lambda value, hash: hash.value(value), None)
    walked.count(1), core.read_tape(TAPE)
    fields = (("k", "real", 0, False), ("m", "imag", 0, True), ("none", "imag", 0, True))
    walker = core.Walker([("scalar",), ("message", fields), ("list", 1), ("map", 2)], None, "")
    core.Task(True, [(core.Given({"a": [1, None]}), b"x", None)], walker, None).count(2)
    for call in (lambda: core.Task(True, [(core.Given({"a": [""]}), b"x", None)], walker, None).count(1),
                 lambda: core.Walker([("list", 0)], None, ""), lambda: lost.count(1),
                 lambda: core.Task(True, [1], None, None),
                 lambda: core.read_tape("/none"), lambda: core.Words(1),
                 lambda: core.Task(True, [(1, 2, 3)], None, None)):
        try:
            call()
        except Exception as error:
            assert type(error) is not SystemError
        else:
            raise SystemExit("it was taken")
"""


def test_nothing_is_leaked(core, document):
    tape = document('{"a": [1, -2, 0.5, "é", {"a": null}]}').tape
    script = f"""
TAPE = {str(tape)!r}
{LEAKS}
import gc
def blocks():
    gc.collect()
    return sys.getallocatedblocks()
for _ in range(200): once()  # as often as below: what Python 3.13 keeps for itself is there then
OWN = [value for value in GOOD + BAD if sys.getrefcount(value) < 20]  # not None, 7 and the like
before, references = blocks(), [sys.getrefcount(value) for value in OWN]
for _ in range(200): once()
assert len(OWN) > 20 and references == [sys.getrefcount(value) for value in OWN]
print(blocks() - before)
"""
    assert abs(int(run(core, script))) < 100


def test_under_the_sanitizers(core, document, tmp_path):
    """Compiled once more with those for addresses and undefined behaviour."""
    compiler = shutil.which("gcc")
    runtime = subprocess.run(
        [compiler, "-print-file-name=libasan.so"], capture_output=True, text=True, check=True
    )
    library = Path(runtime.stdout.strip())
    if not library.is_absolute():
        pytest.skip("this compiler has no sanitizers")
    shared, own = ROOT / "harness/c", ROOT / "harness/python/src"
    sources = [*own.glob("*.c"), *(shared / "src" / f"{name}.c" for name in ("tape_read", "hash", "clock"))]
    sources += [shared / "src" / f"{name}.c" for name in ("heap", "fragment", "calls")]
    flags = ["-std=c11", "-D_GNU_SOURCE", "-O1", "-g", "-fPIC", "-shared", "-Wall", "-Wextra", "-Werror"]
    flags += ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", f"-I{own}"]
    flags += [f"-I{shared}/include", f"-I{shared}/src", "-isystem", sysconfig.get_path("include")]
    subprocess.run([compiler, *flags, *sources, "-o", tmp_path / "serbench_core.so"], check=True)
    tape = document('{"a": [1, -2, 0.5, "é", {"a": null}]}').tape
    script = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{VALUES}\nTAPE = {str(tape)!r}\n{LEAKS}"
    script += "\nonce()\ncore.fragment_heap()\nprint(core.__file__)"
    environment = {"LD_PRELOAD": str(library), "ASAN_OPTIONS": "detect_leaks=0"}
    environment["PYTHONMALLOC"] = "malloc"
    command = [core[0], "-P", "-S", "-c", script]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(tmp_path / "serbench_core.so") and "runtime error" not in done.stderr
