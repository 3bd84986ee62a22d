"""Optional parts of the set-up, with a wheel made here in place of one from the package index."""

import base64
import hashlib
import json
import re
import zipfile
from pathlib import Path

import msgspec
import pytest

from serbench.errors import UserError
from serbench.project import ROOT
from serbench.provision import parts as setup_parts
from serbench.provision import toolchain
from serbench.provision.installable import of_part
from serbench.provision.pins import pins_of_parts
from serbench.provision.providers import PROVIDERS
from serbench.provision.providers.pypi import Pypi

PYPI = PROVIDERS["pypi"].place

TOML = """\
title = "a tool"
lock = "tool.lock"
folder = "tool"
file = "tool/program"
download-mb = 1
disk-mb = 2
"""


def make_wheel(folder: Path) -> str:
    """The wheel `tool` 1.0 with one program; returns its SHA-256."""
    files = {
        "tool/program": "#!/bin/sh\necho hello\n",
        "tool-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: tool\nVersion: 1.0\n",
        "tool-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    lines = []
    for name, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(text)}")
    files["tool-1.0.dist-info/RECORD"] = "\n".join([*lines, "tool-1.0.dist-info/RECORD,,", ""])
    folder.mkdir()
    path = folder / "tool-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for name, text in files.items():
            wheel.writestr(name, text)
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A project with one part, and an index that is a folder."""
    digest = make_wheel(tmp_path / "wheels")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    (tmp_path / "setup").mkdir()
    (tmp_path / "setup" / "tool.toml").write_text(TOML)
    (tmp_path / "setup" / "tool.lock").write_text(f"tool==1.0 --hash=sha256:{digest}\n")
    return tmp_path


def test_a_part_is_installed_whole(root):
    cache = root / ".cache"
    ((name, part),) = setup_parts.load_parts(root).items()
    assert name == "tool" and not setup_parts.is_present(root, cache, part)
    setup_parts.install(root, cache, part, Pypi().fetch_part)
    assert setup_parts.is_present(root, cache, part)
    assert (cache / "tool" / "tool" / "program").stat().st_mode & 0o111
    assert sorted(path.name for path in cache.iterdir()) == ["setup.log", "tool"]


def test_another_lock_asks_for_it_again_and_replaces_it(root):
    cache, part = root / ".cache", setup_parts.find_part(root, "tool")
    setup_parts.install(root, cache, part, Pypi().fetch_part)
    (cache / "tool" / "old").touch()
    lock = root / "setup" / "tool.lock"
    lock.write_text(lock.read_text() + "# changed\n")
    assert not setup_parts.is_present(root, cache, part)
    setup_parts.install(root, cache, part, Pypi().fetch_part)
    assert setup_parts.is_present(root, cache, part) and not (cache / "tool" / "old").exists()


@pytest.mark.parametrize("imported", [True, False])
def test_what_one_python_imports_is_not_there_for_another(root, imported, monkeypatch):
    cache = root / ".cache"
    part = msgspec.structs.replace(setup_parts.find_part(root, "tool"), imported=imported)
    setup_parts.install(root, cache, part, Pypi().fetch_part)
    assert setup_parts.is_present(root, cache, part)
    monkeypatch.setattr(setup_parts.sysconfig, "get_config_var", lambda _name: ".another-python.so")
    assert setup_parts.is_present(root, cache, part) == (not imported)


def test_a_wrong_hash_leaves_what_was_there(root):
    cache, part = root / ".cache", setup_parts.find_part(root, "tool")
    setup_parts.install(root, cache, part, Pypi().fetch_part)
    (root / "setup" / "tool.lock").write_text(f"tool==1.0 --hash=sha256:{'0' * 64}\n")
    with pytest.raises(UserError, match="could not be installed"):
        setup_parts.install(root, cache, part, Pypi().fetch_part)
    assert (cache / "tool" / "tool" / "program").is_file()
    assert sorted(path.name for path in cache.iterdir()) == ["setup.log", "tool"]


def test_a_log_that_is_a_folder_is_one_sentence(root):
    cache = root / ".cache"
    (cache / "setup.log").mkdir(parents=True)
    with pytest.raises(UserError, match=r"setup\.log: Is a directory$"):
        setup_parts.install(root, cache, setup_parts.find_part(root, "tool"), Pypi().fetch_part)
    assert [path.name for path in cache.iterdir()] == ["setup.log"]


def test_one_that_cannot_be_installed_costs_no_other(command, monkeypatch):
    installed = []

    def install(_root, _cache, part, _fetch):
        if part.folder == "zcbor":
            raise UserError("no network")
        installed.append(part.folder)

    monkeypatch.setattr("serbench.provision.parts.install", install)
    monkeypatch.setattr("serbench.provision.parts.is_present", lambda *_: False)
    done = command("setup", "zcbor", "protoc", "--yes")
    assert done.returncode == 2 and installed == ["protoc"] and done.stdout == "protoc is installed\n"
    assert "zcbor is not installed: no network" in done.stderr


def test_several_names_are_announced_and_installed_together(installing, command, monkeypatch):
    zcbor, protoc = (setup_parts.find_part(ROOT, name) for name in ("zcbor", "protoc"))
    announced = command("setup", "zcbor", "protoc", "zcbor", "--no-install").stderr
    assert announced.splitlines() == [part.announcement(PYPI) for part in (zcbor, protoc)]
    assert installing == []
    done = command("setup", "zcbor", "protoc", "--yes")
    assert done.stdout == "zcbor is installed\nprotoc is installed\n"
    assert installing == [zcbor.title, protoc.title]
    monkeypatch.setattr("serbench.platforms.load.why_absent", lambda _platform: "")
    monkeypatch.setattr("serbench.platforms.load.missing_for", lambda _root, _platform: [])
    del installing[:]
    assert command("setup", "all", "--yes").returncode == 0
    parts = setup_parts.load_parts(
        ROOT
    ).values()  # of those that state the least version the system's own will do
    assert {part.title for part in parts} - set(installing) == {part.title for part in parts if part.least}
    refused = command("setup", "zcbor", "zog", "--yes")
    assert refused.returncode == 2 and "did you mean" in refused.stderr


OF_ANOTHER_REGISTRY = """\
title = "an engine"
registry = "npm"
lock = "engine/package-lock.json"
folder = "engine"
file = "node_modules/@engine/linux-*64/engine"
download-mb = 1
disk-mb = 2
tool = "Engine 1"
version = ["engine", "--version"]
series = "1"
[programs]
engine = ["node_modules/@engine/linux-*64/engine"]
"""
NODE = """\
title = "a node"
lock = "tool.lock"
folder = "node"
file = "node"
download-mb = 1
disk-mb = 2
version = ["node", "--version"]
least = "20"
[programs]
node = ["node"]
npm = ["npm"]
"""


def test_a_part_of_another_registry(root, programs):
    """Its program is where the machine's own package has it."""
    (root / "setup" / "engine.toml").write_text(OF_ANOTHER_REGISTRY)
    (root / "setup" / "node.toml").write_text(NODE)
    (root / "setup" / "engine").mkdir()
    packages = {"": {"dependencies": {"engine": "1.5.0"}}, "node_modules/engine": {"version": "1.5.0"}}
    (root / "setup" / "engine" / "package-lock.json").write_text(json.dumps({"packages": packages}))
    folder = "node_modules/@engine/linux-odd64"
    programs.add("node", "echo v22.0.0")
    made = f'mkdir -p {folder} && printf "#!/bin/sh\\necho 1.5.0\\n" > {folder}/engine'
    programs.add("npm", f'[ "$1 $2" = "ci --ignore-scripts" ] && [ -f package-lock.json ] && {made}')
    programs.first()
    cache = root / ".cache"
    thing = of_part(root, cache, "engine")
    assert not thing.is_present() and "from the npm registry," in thing.announcement()
    assert toolchain.find(root, cache, "engine") is None
    thing.install()
    assert thing.is_present()
    found = toolchain.find(root, cache, "engine")
    assert found is not None and found.version == "1.5.0"
    assert found.programs["engine"] == (str(cache.absolute() / "engine" / folder / "engine"),)
    pins = {(pin.kind, pin.name, pin.version): names for pin, names in pins_of_parts(root).items()}
    assert pins["npm", "engine", "1.5.0"] == ["engine"]
    programs.add("npm", "echo 'npm error the lock says something else' >&2; exit 1")
    with pytest.raises(UserError, match="the lock says something else"):
        thing.install()
    assert thing.is_present()


def test_an_unknown_part(root):
    with pytest.raises(UserError, match="did you mean 'tool'"):
        setup_parts.find_part(root, "tol")


def test_the_project_s_own_parts_are_pinned_with_hashes():
    parts = setup_parts.load_parts(ROOT)
    assert "zig" in parts
    for part in parts.values():
        text = (ROOT / "setup" / part.lock).read_text()
        if part.registry == "debian-unpacked":  # apt checks what the signed lists of its archive say
            assert re.fullmatch(r"([a-z0-9.+-]+( [a-z0-9.+-]+)*\n)+", text)
        elif part.registry == "npm":
            packages = {path: entry for path, entry in json.loads(text)["packages"].items() if path}
            assert packages and all(e["integrity"].startswith("sha512-") for e in packages.values())
            assert not [path for path, entry in packages.items() if "resolved" in entry]
        else:
            requirements = re.findall(r"^\S+==\S+", text, re.MULTILINE)
            assert requirements and text.count("--hash=sha256:") >= len(requirements)
            assert "://" not in text
        said = part.announcement(PYPI)
        assert f"{part.download_mb} MB" in said and part.folder in said


def test_the_command(serbench):
    listed = serbench("setup")
    assert listed.returncode == 0
    line = next(line for line in listed.stdout.splitlines() if line.split()[:1] == ["zig"])
    assert re.fullmatch(r"zig +the Zig compiler.* {2,}(installed|\./serbench setup zig) *", line), line
    unknown = serbench("setup", "zog")
    assert unknown.returncode == 2 and "did you mean 'zig'" in unknown.stderr
    announced = serbench("setup", "zig", "--no-install")
    assert announced.returncode == 0
    assert "installed already" in announced.stdout or "MB to download" in announced.stderr


@pytest.fixture
def installing(monkeypatch):
    """The titles of the parts that `setup` installs, of which none is there; Node.js and its packages are."""
    found = []
    monkeypatch.setattr("serbench.provision.parts.is_present", lambda _root, _cache, _part: False)
    monkeypatch.setattr(
        "serbench.provision.parts.install", lambda _root, _cache, part, _fetch: found.append(part.title)
    )
    monkeypatch.setattr("serbench.provision.toolchain.find", lambda _root, _cache, _name: "a toolchain")
    monkeypatch.setattr("serbench.provision.providers.npm.Npm.has_locked", lambda *_: True)
    monkeypatch.setattr("serbench.provision.providers.pypi.Pypi.has_locked", lambda *_: True)
    return found


def test_javascript_comes_with_what_its_contenders_need(installing, command, monkeypatch):
    needed = [setup_parts.find_part(ROOT, name) for name in ("flatc", "protoc", "protoc-36")]
    titles = [part.title for part in needed]
    announced = command("setup", "javascript", "--no-install")
    assert all(part.announcement(PYPI) in announced.stderr for part in needed) and installing == []
    done = command("setup", "javascript", "--yes")
    assert done.returncode == 0 and installing == titles
    monkeypatch.setattr("serbench.provision.toolchain.find", lambda _root, _cache, _name: None)
    command("setup", "javascript", "--yes")
    assert installing[3:] == [setup_parts.find_part(ROOT, "javascript").title, *titles]
    command("setup", "zig", "--yes")
    assert installing[7:] == [setup_parts.find_part(ROOT, "zig").title]


def test_what_one_contender_needs_is_no_condition_for_the_others(installing, command, monkeypatch):
    def fails(_root, _cache, part, _fetch):
        raise UserError(f"no wheel of {part.folder}")

    monkeypatch.setattr("serbench.provision.parts.install", fails)
    done = command("setup", "javascript", "--yes")
    assert done.returncode == 0 and "javascript is installed" in done.stdout
    assert "without protoc: no wheel of protoc" in done.stderr
    assert command("setup", "protoc", "--yes").returncode == 2


def test_a_microcontroller_comes_with_the_sources_of_its_libraries(installing, command, monkeypatch):
    zcbor = setup_parts.find_part(ROOT, "zcbor")
    monkeypatch.setattr("serbench.platforms.load.why_absent", lambda _platform: "")
    monkeypatch.setattr("serbench.platforms.load.missing_for", lambda _root, _platform: [])
    announced = command("setup", "avr", "--no-install")
    assert zcbor.announcement(PYPI) in announced.stderr and installing == []
    done = command("setup", "avr", "--yes")
    assert done.returncode == 0 and installing == [zcbor.title] and "avr is installed\n" in done.stdout
    assert "linux-arm64 is installed already" in command("setup", "linux-arm64", "--yes").stdout
    monkeypatch.setattr("serbench.provision.parts.is_present", lambda _root, _cache, _part: True)
    assert "avr is installed already" in command("setup", "avr", "--yes").stdout and len(installing) == 1
