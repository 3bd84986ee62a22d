"""What manifests say, read and checked."""

import pytest

from serbench.catalog.expected import Expected
from serbench.catalog.load import read_contender
from serbench.errors import UserError


def test_what_is_known_is_known_of_rows_that_exist(catalog):
    """A name with a slip would expect nothing of any row."""
    rows = {row.id for row in catalog.rows(generated=True)}
    for name, contender in catalog.contenders.items():
        known = contender.manifest.known
        faults = [row for fault in (*known.mistakes, *known.unseen) for row in fault.rows]
        newer = [row for change in contender.manifest.since for row in change.outputs]
        named = {*known.moves_keys, *known.outputs, *known.other_bytes, *faults, *newer}
        assert not {f"{name}:{row}" for row in named} - rows


def test_a_family_says_once_what_its_members_share(tmp_path):
    family, own = tmp_path / "family", tmp_path / "own"
    for folder in (family, own):
        folder.mkdir()
        (folder / "both.c").touch()
    (family / "one.c").touch()
    (family / "contender.toml").write_text(
        'name = "a"\nlanguage = "c"\nformat = "json"\ncommon = true\n'
        '[tests]\nwrite = "both.c"\ntree = "one.c"\n[known]\nmoves-keys = ["tree"]\n'
        '[variants.x]\ntests = ["tree"]\n[variants.y]\ntests = ["tree"]\n'
    )
    (own / "contender.toml").write_text(
        'like = "../family"\nname = "b"\nformat = "cbor"\n[variants.y]\ntests = []\n'
    )
    contender = read_contender(own)
    manifest = contender.manifest
    assert (manifest.name, manifest.language, manifest.format) == ("b", "c", "cbor")
    assert not manifest.common and manifest.known == Expected()
    assert manifest.tests == {"write": "both.c", "tree": "../family/one.c"}
    assert {name: variant.tests for name, variant in manifest.variants.items()} == {"x": ["tree"], "y": []}
    (tmp_path / "own/contender.toml").write_text('like = "../nobody"\n')
    with pytest.raises(UserError, match="No such file"):
        read_contender(own)
    (family / "contender.toml").write_text('like = "../own"\n')
    (tmp_path / "own/contender.toml").write_text('like = "../family"\n')
    with pytest.raises(UserError, match="itself like another"):
        read_contender(own)
