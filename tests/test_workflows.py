"""What the workflow files run is pinned, and is there."""

import re
import shlex

import typer.main

from serbench.cli import app
from serbench.project import ROOT

WORKFLOWS = {path.name: path.read_text("utf-8") for path in (ROOT / ".github" / "workflows").glob("*.yml")}


def test_every_action_is_pinned_by_its_commit():
    used = [line for text in WORKFLOWS.values() for line in re.findall(r"uses: (.*)", text)]
    assert len(used) > 3
    assert not [
        line for line in used if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line)
    ]
    assert not [name for name, text in WORKFLOWS.items() if "secrets." in text]


def test_what_they_run_is_there():
    assert "run: .ci/run\n" in WORKFLOWS["check.yml"] and (ROOT / ".ci" / "run").is_file()
    commands = re.findall(r"run: \./serbench (.*)", WORKFLOWS["publish.yml"])
    assert len(commands) == 2
    for words in map(shlex.split, commands):
        given = [word for word in words if word not in ("--yes", "--no-install")]
        command = typer.main.get_command(app).commands[given[0]]  # type: ignore[attr-defined]
        command.make_context(given[0], given[1:])  # raises for an option that there is not
