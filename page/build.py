"""Bundle the modules of the report page, with those of kinds of run, into report/page/assets/page.js.

PYTHONPATH=src .venv/bin/python page/build.py [--check]

It installs the packages of page/package-lock.json. The bundle is part of the repository, so that nobody needs
Node.js to make a page. With --check nothing is written; the exit status is 1 where the bundle is out of date.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from serbench.project import CACHE, ROOT
from serbench.provision import toolchain
from serbench.provision.providers import npm
from serbench.provision.toolchain import Toolchain

HERE = Path(__file__).parent
PARTS = "src/serbench/kinds/*/page/part.mjs"
"""What kinds of run add."""
TARGET = ROOT / "src" / "serbench" / "report" / "page" / "assets" / "page.js"
COMMAND = "PYTHONPATH=src .venv/bin/python page/build.py"


def bundle(entry: Path, packages: Path, node: Toolchain, *options: str, root: Path = ROOT) -> bytes:
    """Return `entry` and all that it imports as one script, behind the parts of kinds of run below `root`.

    The packages are installed in `packages`.
    """
    modules = [*sorted(root.glob(PARTS)), entry]
    imports = "".join(
        f"import {json.dumps('./' + os.path.relpath(each, entry.parent))};\n" for each in modules
    )
    esbuild = packages / "node_modules" / "esbuild" / "bin" / "esbuild"
    done = subprocess.run(
        [esbuild, "--bundle", "--charset=utf8", *options],
        input=imports.encode(),
        cwd=entry.parent,
        env={**os.environ, **npm.npm_environment(node), "NODE_PATH": str(packages / "node_modules")},
        capture_output=True,
        check=False,
    )
    if done.returncode:
        sys.exit(done.stderr.decode())
    return done.stdout


def main(arguments: list[str]) -> int:
    """Write the bundle, or compare it with the file that is there."""
    node = toolchain.need(ROOT, CACHE, ["javascript"], "npm")
    packages = npm.install(HERE, CACHE, node, development=True)
    made = bundle(HERE / "main.mjs", packages, node, "--minify", "--format=iife", "--legal-comments=eof")
    if "--check" not in arguments:
        TARGET.write_bytes(made)
    elif not TARGET.is_file() or TARGET.read_bytes() != made:
        print(f"{TARGET.name} is not the bundle of page/*.mjs and {PARTS}; make it: {COMMAND}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
