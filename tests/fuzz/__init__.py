"""Fuzzing: what reads bytes from elsewhere gets millions of inputs, and may only accept or refuse them.

A target is one such reader: a file of targets/ in C or C++ for libFuzzer, or a module of this folder for
atheris. Its corpus, corpus/<target>.txt, has one input a line, as a Python bytes literal.
"""

import ast
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

import msgspec

from serbench.project import CACHE, ROOT
from tests.compiled import HARNESS, compiled

HERE = Path(__file__).parent
LOCK = HERE / "requirements.lock"
ATHERIS = CACHE / "atheris"
FOUND = CACHE / "fuzz"
"""Where inputs that failed are left."""
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
OPTIONS = ["-g", "-O2", "-Wall", "-Wextra", "-Werror"]
BY_SUFFIX = {
    ".c": ["-std=gnu11"],
    # RapidJSON asks whether its stack has room by adding to a null pointer.
    ".cpp": ["-std=gnu++17", "-fno-sanitize=pointer-overflow"],
}
WORKER = ['-DSB_LANGUAGE="c"', '-DSB_TEST="tree"', '-DSB_FLAGS=""']
ENVIRONMENT = {
    "ASAN_OPTIONS": "allocator_may_return_null=1",  # as malloc does where there is no sanitizer
    "PYTHONPATH": os.pathsep.join(map(str, (ROOT / "src", ROOT, ATHERIS))),
}


class Target(msgspec.Struct, frozen=True):
    """One reader."""

    reads: str
    """What its inputs are."""
    sources: tuple[Path, ...] = ()
    """The sources of one in C or C++, its own first."""
    defines: tuple[str, ...] = ()
    module: str = ""
    """The module of one in Python."""


def _native(reads: str, own: str, *others: str, defines: Iterable[str] = ()) -> Target:
    return Target(reads, (HERE / "targets" / own, *(HARNESS / other for other in others)), tuple(defines))


_IN_MEMORY = ("../../tests/fuzz/targets/tape_in_memory.c", "src/hash.c")
_IMPORT = ("tools/json_refusal.cpp", "tools/text_input.c", "src/tape_write.c", *_IN_MEMORY)
_REQUESTS = (
    *("message", "message_file", "workspace", "task_read", "calls", "tape_read", "hash", "heap"),
    "contender",
)
TARGETS = {
    "tape": _native("tapes", "tape.c", *_IN_MEMORY),
    "import": _native("JSON files", "import.cpp", *_IMPORT),
    "messages": _native("files of messages", "messages.cpp", "src/message_file.c", *_IMPORT),
    "requests": _native(
        "lines to a worker", "requests.c", *(f"src/{name}.c" for name in _REQUESTS), defines=WORKER
    ),
    "answers": Target("lines from a worker", module="tests.fuzz.answers"),
    "run_file": Target("run files and journals", module="tests.fuzz.run_file"),
}


def missing(target: Target) -> str:
    """What `target` needs and this machine has not, in a sentence; empty where it can run."""
    if target.module:
        own = any(ATHERIS.rglob(f"*{sysconfig.get_config_var('EXT_SUFFIX')}"))
        there = own or importlib.util.find_spec("atheris")
        return "" if there else "there is no atheris: python -m tests.fuzz --install"
    clang = shutil.which("clang")
    if clang is None:
        return "there is no clang: apt-get install clang libclang-rt-dev"
    done = subprocess.run([clang, "-print-resource-dir"], capture_output=True, text=True, check=False)
    runtimes = Path(done.stdout.strip()).rglob("libclang_rt.fuzzer*.a")
    return "" if any(runtimes) else "clang has no libFuzzer: apt-get install libclang-rt-dev"


def build(target: Target, compilers: tuple[str, str] = ("clang", "clang++")) -> Path:
    """Compile `target` for libFuzzer, or with ("gcc", "g++") to replay inputs; return the program."""
    fuzzer = [] if compilers[0] == "gcc" else ["-fsanitize=fuzzer"]
    sources = [*target.sources, *([] if fuzzer else [HERE / "targets" / "replay.c"])]
    includes = [
        f"-I{folder}" for folder in (HERE / "targets", *(HARNESS / f for f in ("tools", "src", "include")))
    ]
    options = [*OPTIONS, *SANITIZE, *fuzzer, *target.defines, *includes]

    def make(folder: Path) -> Path:
        objects = []
        for number, source in enumerate(sources):
            objects.append(folder / f"{number}.o")
            compiler = compilers[source.suffix == ".cpp"]
            _call(compiler, *options, *BY_SUFFIX[source.suffix], "-c", source, "-o", objects[-1])
        program = folder / "fuzzer"
        _call(compilers[1], *SANITIZE, *fuzzer, *objects, "-o", program, "-ldl")
        return program

    own = [path for path in (HERE / "targets").iterdir() if path.suffix in (".c", ".cpp", ".h")]
    words = [*compilers, *options, BY_SUFFIX, *sources]
    return compiled(make, words, sorted(own), compilers[0])


def _call(*words: object) -> None:
    subprocess.run([str(word) for word in words], check=True)


def corpus(name: str) -> list[bytes]:
    """The inputs that are kept of the target `name`."""
    lines = (HERE / "corpus" / f"{name}.txt").read_text("ascii").splitlines()
    return [ast.literal_eval(line) for line in lines]


def unpack(inputs: Iterable[bytes], folder: Path) -> list[Path]:
    """Put each of `inputs` into a file of `folder`, which is made; return the files."""
    folder.mkdir()
    paths = []
    for number, data in enumerate(inputs):
        paths.append(folder / f"{number:05}")
        paths[-1].write_bytes(data)
    return paths


def command(target: Target) -> list[str]:
    """The command of the fuzzer of `target`, to which options of libFuzzer are added."""
    if target.module:
        words = ["tests.fuzz.with_atheris", target.module, "-max_len=8192", "-mutate_depth=2"]
        return [sys.executable, "-m", *words]
    return [str(build(target)), "-max_len=2048"]


def fuzz(name: str, runs: int, folder: Path, *options: str, target: Target | None = None) -> int:
    """Give the target `name` so many inputs, beginning with its corpus; return the fuzzer's exit status.

    The corpus is put into `folder`/corpus, where the fuzzer adds what it finds; a failed input goes to FOUND.
    """
    FOUND.mkdir(parents=True, exist_ok=True)
    kept = folder / "corpus"
    unpack(corpus(name), kept)
    words = [f"-runs={runs}", "-timeout=60", f"-artifact_prefix={FOUND / name}-", *options]
    return run_fuzzer([*command(target or TARGETS[name]), *words, str(kept)])


def keep(name: str, folder: Path) -> None:
    """Make the corpus of the target `name` of the fewest and smallest inputs in `folder`/corpus.

    A target in Python keeps all of them: a merge starts the fuzzer anew, which atheris does not do.
    """
    chosen = folder / "corpus"
    if not TARGETS[name].module:
        chosen = folder / "least"
        chosen.mkdir()
        run_fuzzer([*command(TARGETS[name]), "-set_cover_merge=1", str(chosen), str(folder / "corpus")])
    inputs = sorted({path.read_bytes() for path in chosen.iterdir()}, key=lambda data: (len(data), data))
    text = "".join(f"{data!r}\n" for data in inputs)
    (HERE / "corpus" / f"{name}.txt").write_text(text, "ascii")


def run_fuzzer(words: list[str]) -> int:
    """Run a fuzzer in this folder, whose files its inputs name; return its exit status."""
    return subprocess.run(words, cwd=HERE, env={**os.environ, **ENVIRONMENT}, check=False).returncode
