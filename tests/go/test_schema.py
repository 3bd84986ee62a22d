"""What a contender of Go says that it cannot take of a schema."""

import pytest
from harness.go.schema import refuse

from serbench.build.records import BuildFailed
from serbench.schemas.infer import infer

MAP = {f"{n * 7919 % 1000003:06}": [n] for n in range(100)}


@pytest.mark.parametrize(
    ("construct", "having", "place", "without"),
    [
        ("map", {"ids": MAP}, "Document.ids", {"ids": [[1]]}),
        ("pointer", {"a": [{"x": 1}, {}]}, "A.x", {"a": [{"k": {"x": 1}}, {}]}),
        ("pointer", {"a": [{"x": []}, {"x": None}]}, "A.x", {"a": [1, None]}),
        ("null-item", {"a": [1, None]}, "Document.a[]", {"a": [{"x": 1}, {"x": None}]}),
        ("empty", {"a": {}}, "A", {"a": {"x": 1}}),
    ],
)
def test_a_construct_is_refused_at_its_place(construct, having, place, without):
    source = f"package main\n\n//serbench:refuse write {construct} it gets lost\nfunc write() {{\n"
    with pytest.raises(BuildFailed) as refused:
        refuse(infer([having]), source, "write")
    assert (refused.value.reason, refused.value.unsupported) == (f"{place}: it gets lost", True)
    refuse(infer([having]), source, "tree")
    refuse(infer([without]), source, "write")
    with pytest.raises(BuildFailed, match="it gets lost"):
        refuse(infer([having]), source.replace("write", "all", 1), "tree")


def test_a_construct_that_is_none_is_no_silent_consent():
    with pytest.raises(BuildFailed, match="the construct 'maps'; there are map"):
        refuse(infer([{"a": 1}]), "//serbench:refuse write maps it gets lost\n", "tree")
