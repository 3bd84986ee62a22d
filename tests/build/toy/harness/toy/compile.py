"""The compiler of Toy: compile.py SOURCE PROGRAM."""

import sys
from pathlib import Path

source, program = map(Path, sys.argv[1:])
try:
    compile(source.read_text(), source.name, "exec")
except SyntaxError as wrong:
    sys.exit(f"{source.name}:{wrong.lineno}: error: {wrong.msg}")
program.write_text(source.read_text())
