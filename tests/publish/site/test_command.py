"""`serbench site` from the command line: two run files become a folder that can be published."""

import re
from pathlib import Path

import msgspec
import pytest
import zstandard

from serbench.commands import publishing
from tests.publish.history.runs import small_run, write


def test_two_run_files_become_a_site(tmp_path: Path, command, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(publishing, "STORE", tmp_path / "store")
    folder = write(tmp_path / "runs", small_run(0))
    packed = zstandard.compress(msgspec.json.encode(small_run(1, MPack=1.3)))
    (folder / "later.json.zst").write_bytes(packed)
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "precious").touch()
    for words, said in (
        (["--out", mine], "has other files than those of a site"),
        (["--out", "site", "--url", "ftp://example.org/"], "is not the address of a site"),
    ):
        done = command("site", folder, *words)
        assert done.returncode == 2 and said in done.stderr, done.stderr
    assert [path.name for path in mine.iterdir()] == ["precious"] and not (tmp_path / "site").exists()

    done = command("site", folder, "--out", "site", "--url", "https://example.org/serbench/")
    made = [path for path in (tmp_path / "site").rglob("*") if path.is_file()]
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{len(made) - 1} files in site; the first page is site/index.html\n"
    first = re.sub(r"<[^>]+>", " ", (tmp_path / "site" / "index.html").read_text("utf-8"))
    assert "MPack: tree generated:2 is slower, 1." in " ".join(first.split())
    assert len(list((tmp_path / "site" / "runs").iterdir())) == 2
    assert (
        "https://example.org/serbench/libraries/c-mpack.html" in (tmp_path / "site" / "feed.xml").read_text()
    )

    (folder / "later.json.zst").unlink()
    assert command("site", folder, "--out", "site").returncode == 0  # in place of the earlier one
    assert len(list((tmp_path / "site" / "runs").iterdir())) == 1
