"""Bad input: exit status 2, one clear line, no traceback, and nothing overwritten."""

import json
import os
from pathlib import Path

import pytest

from tests.conftest import CONTENDERS


@pytest.fixture
def refused(command, tmp_path):
    """Runs a command that must be refused; yields its one line."""

    def run(*arguments) -> str:
        before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
        done = command(*arguments)
        lines = done.stderr.strip().splitlines()
        assert done.returncode == 2, done.stdout + done.stderr
        assert done.stdout == ""
        assert len(lines) == 1, done.stderr
        assert lines[0].startswith("serbench: ")
        assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
        return lines[0].removeprefix("serbench: ")

    return run


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["run", "--tests", "wriet"], "there is no test 'wriet'; did you mean 'write'?"),
        (["run", "--languages", "cp"], "there is no language 'cp'; did you mean 'cpp'?"),
        (
            ["fidelity", "--languages", "python,c"],
            "there is no language with a probe of fidelity 'c'; known: javascript, python, rust",
        ),
        (
            ["limits", "--languages", "python"],
            "there is no language with a probe of limits 'python'; known: javascript",
        ),
        (["run", "--contenders", "rapidjsn"], "there is no contender 'rapidjsn'; did you mean 'rapidjson'?"),
        (["run", "--datasets", "generatd:2"], "there is no dataset 'generatd'; did you mean 'generated'?"),
        (["verify", "--contenders", "mpakc"], "there is no contender 'mpakc'; did you mean 'mpack'?"),
        (
            ["verify", "--tests", "zzz"],
            "there is no test 'zzz'; known: incremental, lookup, serialize, tree, write",
        ),
        (["list", "--contenders", "janson"], "there is no contender 'janson'; did you mean 'jansson'?"),
        (["dataset", "show", "generatedd"], "there is no dataset 'generatedd'; did you mean 'generated'?"),
        (["report", "x.json", "--format", "cvs"], "there is no report format 'cvs'; did you mean 'csv'?"),
        (
            ["dataset", "write", "generated:1", "--format", "jsno", "-o", "x"],
            "there is no format 'jsno'; did you mean 'json'?",
        ),
        (["new", "cp", "mine"], "there is no language 'cp'; did you mean 'cpp'?"),
        (["new", "c", "../mine"], "'../mine' cannot name a contender: use letters, digits and . _ + -"),
        (["new", "c", ""], "'' cannot name a contender: use letters, digits and . _ + -"),
        (
            ["dataset", "show", "generated:6"],
            "dataset 'generated:6': the size is a whole number from 1 to 5, not '6'",
        ),
        (
            ["dataset", "show", "generated:"],
            "dataset 'generated:': the size is a whole number from 1 to 5, not ''",
        ),
        (
            ["dataset", "show", "generated:2:seed=-1"],
            "dataset 'generated:2:seed=-1': the seed is a whole number from 0 to 18446744073709551615, "
            "not '-1'",
        ),
        (
            ["dataset", "show", "generated:2:save"],
            "there is no dataset option 'save'; did you mean 'safe'?",
        ),
        (["dataset", "show", "missing.json"], "there is no file 'missing.json'"),
        (["run", "--data", "missing.json"], "there is no file 'missing.json'"),
        (["run", "--datasets", "no/such/file"], "there is no file 'no/such/file'"),
        (["report", "missing.json"], "there is no run file missing.json"),
        (["verify", "--contender", "."], ". is not a contender folder: it has no contender.toml"),
        (
            ["run", "--languages", "c", "--contenders", "rapidjson"],
            "no row is selected: these tests, languages and contenders have no row in common",
        ),
    ],
)
def test_unknown_names(arguments, line, refused):
    assert refused(*arguments) == line


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "the file is empty"),
        (b'{"a":1,"a":2}', "line 1, column 8"),
        (b'{\n  "a": nul\n}', "line 2, column 8"),
        (b"[1e999]", "line 1, column 2"),
        (b"[NaN]", "line 1, column 2"),
        (b"[18446744073709551616]", "line 1, column 2"),
        (b'["\\ud800"]', "line 1, column 3"),
        (b'["\xff"]', "line 1, column 3"),
        (b"7", "line 1, column 1"),
        (b"[" * 100_000, "line 1, column 1025"),
    ],
)
@pytest.mark.parametrize("way", ["dataset show", "verify --data"])
def test_bad_json(text, message, way, refused, tmp_path):
    (tmp_path / "bad.json").write_bytes(text)
    line = refused(*way.split(), "bad.json")
    assert line.startswith("bad.json: ")
    assert message in line or text == b""


def test_what_is_no_file(refused, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.json").symlink_to(tmp_path / "nowhere")
    assert refused("dataset", "show", "./folder") == "'folder' is not a file that can be read"
    assert refused("verify", "--data", "folder") == "'folder' is not a file that can be read"
    assert refused("dataset", "show", "link.json") == "there is no file 'link.json'"


SMALL_RUN = ["run", "--datasets", "generated:1", "--tests", "write", "--contenders", "mpack", "--budget", "1"]


def test_an_output_that_cannot_be(refused, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("keep me")
    assert refused(*SMALL_RUN, "--output", "folder") == "cannot write folder: it is a folder"
    assert refused(*SMALL_RUN, "--output", "file/run.json").startswith("cannot write file/run.json")
    assert refused(*SMALL_RUN, "--output", "/proc/none/run.json").startswith("cannot write /proc/none")


def test_a_journal_that_is_there_is_not_overwritten(refused, tmp_path):
    (tmp_path / "run.json.journal").write_text("precious")
    assert "unfinished run" in refused(*SMALL_RUN, "--output", "run.json")


def test_dataset_write_to_where_nothing_can_be_written(refused, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("keep me")
    for target in ("folder", "file/x.json", "/proc/none"):
        line = refused("dataset", "write", "generated:1", "--format", "json", "-o", target)
        assert line.startswith(f"cannot write {target}: ")


def test_a_format_that_cannot_express_it(refused, tmp_path):
    (tmp_path / "big.json").write_text("[18446744073709551615]")
    line = refused("dataset", "write", "big.json", "--format", "bson", "-o", "x.bson")
    assert line == "BSON cannot express it: the data has integers above 2^63-1 (18446744073709551615)"


def test_a_report_of_something_else(refused, tmp_path):
    (tmp_path / "other.json").write_text('{"a":1}')
    (tmp_path / "half.json").write_text('{"schema":1,')
    assert "is not a run file" in refused("report", "other.json")
    assert "half.json" in refused("report", "half.json")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('name = "x"', "Object missing required field"),
        ("name = ", "contender.toml"),
        ('name="x"\nlanguage="c"\nformat="json"\nunknown=1\n[tests]\n', "unknown"),
        ('name="x"\nlanguage="cobol"\nformat="json"\n[tests]\ntree="t.c"\n', "no harness for the language"),
        ('name="x"\nlanguage="c"\nformat="jsom"\n[tests]\ntree="t.c"\n', "there is no format 'jsom'"),
        ('name="x"\nlanguage="c"\nformat="json"\n[tests]\n', "it has no tests"),
        ('name="x"\nlanguage="c"\nformat="json"\npadding=0\n[tests]\ntree="t.c"\n', "padding is 1 to"),
        ('name="x"\nlanguage="c"\nformat="json"\npadding=65537\n[tests]\ntree="t.c"\n', "1 to 65,536"),
    ],
)
def test_a_bad_manifest(text, message, refused, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "contender.toml").write_text(text)
    assert message in refused("verify", "--contender", "mine")


def test_new_overwrites_nothing(refused, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "tree.c").write_text("precious")
    assert refused("new", "c", "mine") == "mine exists already"


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "--budget", "0"],
        ["run", "--budget", "soon"],
        ["run", "--profile", "fast"],
        ["dance"],
        ["run", "--x"],
    ],
)
def test_bad_options_have_status_2(arguments, command):
    done = command(*arguments)
    assert done.returncode == 2 and done.stdout == "" and done.stderr


def test_a_name_that_is_not_utf_8(command, tmp_path):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.json"))
    path.write_bytes(b"[1]")
    done = command("dataset", "show", path, "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["dataset"] == "\ufffd.json"
    path.write_bytes(b"[")
    done = command("dataset", "show", path)
    assert done.returncode == 2 and "\ufffd.json: line 1, column 2" in done.stderr


def test_a_contender_that_fails_makes_verify_fail(command):
    done = command(
        *("verify", "--contender", CONTENDERS / "does-not-build", "--contenders", "does-not-build"),
        *("--datasets", "generated:1"),
    )
    assert done.returncode == 1
    assert "nobody_declared_this" in done.stdout


def test_no_traceback_in_a_process_of_its_own(serbench, tmp_path):
    done = serbench("dataset", "show", "missing.json", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "serbench: there is no file 'missing.json'\n"
