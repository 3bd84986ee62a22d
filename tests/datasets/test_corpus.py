"""The documents `corpus:NAME`: fetched once, checked whenever they are used, and never half there."""

import hashlib
import io
import json
import re
import sys
import tarfile
from pathlib import Path

import pytest

from serbench.datasets import corpus
from serbench.datasets.spec import KINDS, parse_spec
from serbench.datasets.store import Store
from serbench.errors import UserError
from serbench.project import CACHE, ROOT
from serbench.provision import forbid_downloads
from serbench.provision.providers import npm
from serbench.provision.toolchain import Toolchain
from tests.datasets.pyhash import TapeReader

TEXTS = {"one": b'{"a":1}', "two": b"[0.5,true]"}
FAKE_NPM = """
import pathlib, shutil, sys
with open({log!r}, "a") as log: print(*sys.argv[1:], file=log)
if {says!r}: sys.exit({says!r})
folder = pathlib.Path(sys.argv[sys.argv.index("--pack-destination") + 1])
shutil.copy({archive!r}, folder / "fake-1.0.0.tgz")
"""


def archive_of(texts: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as tar:
        for name, text in texts.items():
            about = tarfile.TarInfo(f"package/{name}.json")
            about.size = len(text)
            tar.addfile(about, io.BytesIO(text))
    return made.getvalue()


def stated(data: bytes) -> str:
    return f'bytes = {len(data)}\nsha256 = "{hashlib.sha256(data).hexdigest()}"\n'


class Registry:
    """A project whose corpus is a package of two documents, and an npm that serves an archive or fails."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.log, self.cache = folder, folder / "log", folder / "cache"
        self.archive, self.says = archive_of(TEXTS), ""
        (folder / "datasets" / "corpus").mkdir(parents=True)
        text = f'npm = "fake"\nversion = "1.0.0"\n{stated(self.archive)}'
        for name, data in TEXTS.items():
            text += f'[[document]]\nname = "{name}"\ntitle = ""\nfile = "package/{name}.json"\n{stated(data)}'
        self.manifest = folder / "datasets" / "corpus" / "fake.toml"
        self.manifest.write_text(text)
        monkeypatch.setattr(corpus, "ROOT", folder)
        monkeypatch.setattr(npm, "need", lambda *_words: self.toolchain())

    def toolchain(self) -> Toolchain:
        served = self.folder / "served.tgz"
        served.write_bytes(self.archive)
        code = FAKE_NPM.format(log=str(self.log), says=self.says, archive=str(served))
        return Toolchain(programs={"npm": (sys.executable, "-c", code), "node": ("node",)}, version="20.0.0")

    @property
    def fetches(self) -> int:
        return len(self.log.read_text().splitlines()) if self.log.exists() else 0


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry:
    return Registry(tmp_path, monkeypatch)


def test_one_fetch_brings_all_documents(registry):
    assert corpus.fetched("one", registry.cache).read_bytes() == TEXTS["one"]
    assert corpus.fetched("two", registry.cache).read_bytes() == TEXTS["two"]
    assert registry.fetches == 1
    assert "pack fake@1.0.0 --ignore-scripts" in registry.log.read_text()


@pytest.mark.parametrize("harm", [b'{"a":2}', b'{"a"', None])
def test_a_damaged_document_is_fetched_again(registry, harm):
    path = corpus.fetched("one", registry.cache)
    if harm is None:
        path.unlink()
    else:
        path.write_bytes(harm)
    assert corpus.fetched("one", registry.cache).read_bytes() == TEXTS["one"]
    assert registry.fetches == 2


@pytest.mark.parametrize(
    ("archive", "expected"),
    [
        (archive_of(TEXTS)[:-20], r"has \d+ bytes instead of \d+, so it was not used"),
        (archive_of(TEXTS)[:-1] + b"x", "has another SHA-256, so it was not used"),
    ],
)
def test_a_wrong_archive_is_not_used(registry, archive, expected):
    registry.archive = archive
    with pytest.raises(
        UserError, match=rf"^dataset 'corpus:one': the archive of the npm package .*{expected}$"
    ):
        corpus.fetched("one", registry.cache)
    assert [path.name for path in (registry.cache / "corpus").iterdir()] == ["lock"]


def test_a_wrong_document_is_not_used(registry):
    text = registry.manifest.read_text()
    registry.manifest.write_text(text.replace(stated(TEXTS["two"]), stated(b"[0.5,null]")))
    with pytest.raises(
        UserError, match=r"package/two\.json in the npm package fake 1\.0\.0 has another SHA-256"
    ):
        corpus.fetched("two", registry.cache)


def test_a_document_that_the_archive_lacks(registry):
    registry.manifest.write_text(registry.manifest.read_text().replace("package/two", "package/three"))
    with pytest.raises(UserError, match=r"cannot be read: .*three"):
        corpus.fetched("two", registry.cache)


def test_without_a_network(registry):
    lines = ["code ENOTFOUND", "syscall getaddrinfo", "errno ENOTFOUND", "network request failed"]
    registry.says = "\n".join(f"npm error {line}" for line in lines)
    with pytest.raises(UserError) as caught:
        corpus.fetched("one", registry.cache)
    assert str(caught.value) == (
        "dataset 'corpus:one': npm could not fetch fake 1.0.0: code ENOTFOUND; network request failed; "
        "check the network"
    )


def test_what_may_not_be_fetched(registry):
    forbid_downloads()
    try:
        with pytest.raises(UserError, match=r"the npm package fake 1\.0\.0 is not here, and --no-install"):
            corpus.fetched("one", registry.cache)
    finally:
        forbid_downloads(False)
    assert registry.fetches == 0


def test_what_is_here(registry):
    (listed,) = corpus.load_corpora(registry.folder)
    assert not any(corpus.is_here(document, registry.cache) for document in listed.document)
    corpus.fetched("one", registry.cache)
    assert all(corpus.is_here(document, registry.cache) for document in listed.document)


@pytest.mark.parametrize("name", ["../one", "", "a/b", ".hidden"])
def test_names_stay_in_their_folder(registry, name):
    text = registry.manifest.read_text().replace('name = "one"', f'name = "{name}"')
    registry.manifest.write_text(text)
    with pytest.raises(UserError, match=r"fake\.toml"):
        corpus.load_corpora(registry.folder)


def test_a_name_is_used_once(registry):
    (registry.manifest.parent / "more.toml").write_text(registry.manifest.read_text())
    with pytest.raises(UserError, match="two documents are named one"):
        corpus.load_corpora(registry.folder)


def test_a_spec_names_a_document(registry, context):
    spec = parse_spec("corpus:one")
    assert (spec.name, spec.corpus, spec.path) == ("corpus:one", "one", None)
    store = Store(registry.cache, context.tool("dataset"))
    made = store.dataset(spec)
    assert made.name == "corpus:one"
    assert TapeReader(made.tape.read_bytes()).root == {"a": 1}
    assert store.dataset(spec) == made and registry.fetches == 1


@pytest.mark.parametrize(
    ("text", "near"), [("corpus:ones", "one"), ("corpus:tow", "two"), ("one", "corpus:one")]
)
def test_an_unknown_document(registry, text, near):
    with pytest.raises(UserError, match=f"did you mean '{near}'"):
        parse_spec(text)


@pytest.mark.slow
def test_the_projects_own_documents_are_taken(context):
    for document in (each for listed in corpus.load_corpora(ROOT) for each in listed.document):
        try:
            path = corpus.fetched(document.name, CACHE)
        except UserError as error:
            pytest.skip(str(error))
        made = context.store.dataset(parse_spec(f"corpus:{document.name}"))
        read = json.loads(path.read_bytes(), parse_int=lambda text: -0.0 if text == "-0" else int(text))
        # As texts, so that keys in another order and integers that became doubles are seen.
        assert json.dumps(TapeReader(made.tape.read_bytes()).root) == json.dumps(read), document.name


def test_the_list_says_what_is_here(registry, command, monkeypatch):
    monkeypatch.setattr("serbench.commands.data.CACHE", registry.cache)
    listing = corpus.load_corpora(registry.folder)
    monkeypatch.setattr("serbench.commands.data.load_corpora", lambda _root: listing)
    listed = command("dataset", "list").stdout
    assert re.findall(r"^(.)  corpus:(\w+) +(\d+)", listed, re.MULTILINE) == [
        ("–", "one", "7"),
        ("–", "two", "10"),
    ]
    corpus.fetched("one", registry.cache)
    assert len(re.findall("^✓  corpus:", command("dataset", "list").stdout, re.MULTILINE)) == 2
    assert all(kind in listed for kind in KINDS)
