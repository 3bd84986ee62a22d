"""Lint and format check of the JavaScript, with the Node.js of the rows.

`python -m tests.javascript.lint [FOLDER...]`: no folder means all that biome.json names.
Ends with biome's status; with 0 and a line that says so where there is no Node.js.
"""

import json
import subprocess
import sys

from serbench.project import CACHE, ROOT
from serbench.provision import toolchain
from serbench.provision.providers import npm

node = toolchain.find(ROOT, CACHE, "javascript")
if node is None:
    print("not run: " + toolchain.remedy(ROOT, "javascript"))
    sys.exit()
folder = npm.install(ROOT / "harness/javascript", CACHE, node, development=True)
program = folder / "node_modules/@biomejs/biome/bin/biome"
# Not the whole tree, whose cache changes while others build.
stated = json.loads((ROOT / "biome.json").read_text("utf-8"))["files"]["includes"]
folders = sys.argv[1:] or sorted({pattern.partition("/*")[0] for pattern in stated})
command = [*node.programs["node"], str(program), "ci", *folders]
sys.exit(subprocess.run(command, cwd=ROOT, check=False).returncode)
