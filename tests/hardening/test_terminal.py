"""Whatever a file, a folder or the command line says reaches the terminal without control characters."""

import json
import os
import re

import pytest

from serbench.results.journal import complete
from tests.hardening.test_strangers import MANIFEST
from tests.results.builder import synthetic_run

EVIL = "\x1b]0;title\x07\x1b[2J\u202e"
TOML = json.dumps(EVIL).replace("/", "\\/")


@pytest.fixture
def hostile(tmp_path):
    """A folder in which everything has a hostile name: data, a contender and a run file."""
    (tmp_path / f"{EVIL}.json").write_text(json.dumps({EVIL: [EVIL]}))
    (tmp_path / f"{EVIL}.jsonl").write_text(json.dumps({EVIL: [EVIL]}) + "\n")
    (tmp_path / "key.json").write_text(f'{{"{EVIL[-1]}\\u001b[2J":1,"{EVIL[-1]}\\u001b[2J":1}}')
    mine = tmp_path / f"mine{EVIL}"
    mine.mkdir()
    top = f"api = {TOML}\nlabels = [{TOML}]\nhomepage = {TOML}\nlicense = {TOML}"
    text = MANIFEST.format(source='debian-package = "libc6-dev"', tree="tree.c", top=top)
    variant = f'[variants.{TOML}]\ntests = ["tree"]\nlabels = [{TOML}]\n'
    (mine / "contender.toml").write_text(text.replace('"Mine"', TOML) + variant)
    (mine / "tree.c").write_text(f'#error "{EVIL}"\n')
    run = synthetic_run()
    run.id, run.notes = f"id{EVIL}", [EVIL]
    for row in run.rows:
        for name in (
            "row",
            "contender",
            "language_name",
            "format_name",
            "dataset",
            "library_version",
        ):
            setattr(row, name, getattr(row, name) + EVIL)
        row.variant += EVIL if row.role == "contender" else ""
        row.labels, row.reason, row.output = [EVIL], EVIL, EVIL
    for record in run.datasets:
        record.name += EVIL
    run.settings.command = [EVIL]
    complete(run, tmp_path / f"run{EVIL}.json")
    return mine.name


COMMANDS = [
    *(["dataset", "show", f"{EVIL}.json"], ["dataset", "show", f"{EVIL}.jsonl"], ["dataset", "show", EVIL]),
    *(["dataset", "show", "key.json"], ["dataset", "show", f"generated:{EVIL}"], ["list", "--details"]),
    *(["list"], ["verify", "--datasets", "generated:1"], ["verify", "--data", "key.json"]),
    *(["report", f"run{EVIL}.json"], ["report", f"run{EVIL}.json", "--format", "markdown"]),
    *(["report", f"run{EVIL}.json", "--format", "csv"], ["report", f"run{EVIL}.json", "--format", "json"]),
    *(["report", f"run{EVIL}.json", "--layout", "published"], ["report", "key.json"], ["report", f"{EVIL}x"]),
    *(["compare", f"run{EVIL}.json", f"run{EVIL}.json"], ["repeat", f"run{EVIL}.json"]),
    *(
        ["resume", f"run{EVIL}.json"],
        ["plot", f"run{EVIL}.json", "--out", EVIL],
        ["conformance", EVIL],
    ),
    *(["run", f"--{EVIL}"], [EVIL], ["run", "--budget", EVIL], ["run", "--tests", EVIL], ["new", "c", EVIL]),
    *(["new", "c", "mine", "--in", EVIL], ["setup", EVIL], ["list", "--prefix", f"mpack={EVIL}"]),
    *(["list", "--use", f"mpack={EVIL}"], ["list", "--prefix", f"{EVIL}=x"]),
    ["run", "--output", f"{EVIL}.md"],
]

TELL_NO_NAME = (
    *("dataset show key.json", "verify --data key.json", "report key.json"),
    *(f"report run{EVIL}.json --layout published", f"run --budget {EVIL}"),
)
"""Commands whose whole output is figures, or a sentence in which nothing hostile need occur."""


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words).replace(EVIL, "EVIL"))
def test_no_control_character_reaches_the_terminal(words, hostile, command):
    more = ["--contender", hostile, "--contenders", "mine*"] if words[0] in ("list", "verify") else []
    if "--prefix" in words or "--use" in words:
        more = []
    done = command(*words, *more)
    assert done.stdout + done.stderr
    found = re.findall(
        r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069].{0,20}", done.stdout + done.stderr
    )
    assert not found
    if " ".join(words) not in TELL_NO_NAME:
        assert re.search(r"\\x1b|\\u202e", done.stdout + done.stderr)
    if words[:2] == ["report", f"run{EVIL}.json"]:
        assert done.returncode == 0


def test_names_that_are_no_utf_8_are_one_sentence_or_shown(command, tmp_path, hostile):
    """A contender's folder, an installed library's, an output and a value that no text can hold."""
    odd = os.fsdecode(b"odd\xff")
    (tmp_path / hostile).rename(tmp_path / odd)
    (tmp_path / f"p{odd}" / "include").mkdir(parents=True)
    for words in (
        ["list", "--contender", odd, "--contenders", "odd*"],
        ["verify", "--contender", odd, "--contenders", "odd*", "--datasets", "generated:1"],
        ["list", "--prefix", f"binn=p{odd}", "--contenders", "binn"],
        ["dataset", "write", "generated:1", "--format", "json", "-o", f"{odd}.json"],
        ["report", f"{odd}.json"],
        ["run", "--tests", odd],
        ["run", "--datasets", odd],
    ):
        done = command(*words)
        assert done.returncode in (0, 1, 2), done.stderr
        assert "\udcff" not in done.stdout + done.stderr
    assert (tmp_path / f"{odd}.json").is_file()
