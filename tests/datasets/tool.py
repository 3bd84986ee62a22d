"""The dataset tool as the tests run it: how it is compiled, and what holds of every call."""

import json
import subprocess
from pathlib import Path
from typing import Any

HARNESS = Path(__file__).resolve().parents[2] / "harness" / "c"
SOURCES = [
    "src/generator.c",
    "src/hash.c",
    "src/message_file.c",
    "src/tape_write.c",
    "src/tape_read.c",
    "tools/text_input.c",
    "tools/compare.c",
    "tools/dataset.c",
    "tools/lookup.c",
    "tools/words.c",
    "tools/facts.c",
    "tools/import_json.cpp",
    "tools/json_refusal.cpp",
]
FLAGS = [
    "-g",
    "-O1",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
]
INCLUDES = [f"-I{HARNESS / folder}" for folder in ("include", "src", "tools")]


class DatasetTool:
    """Runs the compiled tool; every call is checked for what all calls have in common."""

    def __init__(self, program: Path, folder: Path) -> None:
        self.program = program
        self.folder = folder
        self.tape = folder / "out.tape"

    def run(self, *arguments: str | Path) -> tuple[int, dict[str, Any]]:
        """Exit status, and what was printed: one line of JSON, with nothing on standard error."""
        command = [str(self.program), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, check=False)
        assert done.stderr == b"", done.stderr.decode(errors="replace")
        assert done.stdout.count(b"\n") == 1 and done.stdout.endswith(b"\n"), done.stdout
        answer = json.loads(done.stdout)
        assert done.returncode == (2 if "error" in answer else 0)
        return done.returncode, answer

    def load(self, document: bytes, name: str = "in.json") -> tuple[int, dict[str, Any]]:
        """Imports `document` to `self.tape`, which is there afterwards exactly if it was accepted."""
        path = self.folder / name
        path.write_bytes(document)
        self.tape.unlink(missing_ok=True)
        status, answer = self.run("import", path, self.tape)
        assert self.tape.exists() == (status == 0)
        assert not list(self.folder.glob("*.partial"))
        return status, answer


def compile_tool(folder: Path) -> Path:
    """Compiles the tool with the sanitizers into `folder`; returns the program."""
    objects = []
    for source in SOURCES:
        compiler = ["g++", "-std=gnu++17"] if source.endswith(".cpp") else ["gcc", "-std=gnu11"]
        objects.append(str(folder / (Path(source).stem + ".o")))
        command = [*compiler, *FLAGS, *INCLUDES, "-c", str(HARNESS / source), "-o", objects[-1]]
        subprocess.run(command, check=True)
    program = folder / "dataset"
    subprocess.run(["g++", *FLAGS, *objects, "-o", str(program)], check=True)
    return program
