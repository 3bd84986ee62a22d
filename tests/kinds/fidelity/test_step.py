"""What a run knows of a library is compared before anything is added."""

from types import SimpleNamespace

import msgspec
import pytest

from serbench.errors import UserError
from serbench.kinds.fidelity import step
from serbench.results.probes import Fidelity


def test_libraries_are_all_compared_before_one_is_kept(monkeypatch, tmp_path):
    found = [
        Fidelity(contender=name, contender_id=name, format="json", library_version="2") for name in ("a", "b")
    ]
    monkeypatch.setattr(step, "fidelity_of", lambda *_: iter(found))
    kept = []
    run = SimpleNamespace(fidelity=[msgspec.structs.replace(found[1], library_version="1")])
    session = SimpleNamespace(run=run, keep=kept.append, progress=SimpleNamespace(counter=None))
    with pytest.raises(UserError, match="b has another library version"):
        step.keep_fidelity(session, SimpleNamespace(cache=tmp_path), [], peers=False)
    assert kept == []
