"""What counts as beyond a limit, at every border."""

import msgspec
import pytest

from serbench.catalog.contender import Limits
from serbench.datasets.limits import beyond
from serbench.datasets.store import Facts

FACTS = Facts(
    content_hash="",
    exact_hash="",
    nodes=1,
    depth=3,
    root="map",
    largest_positive=0,
    most_negative=0,
    nul_in_values=False,
    nul_in_keys=False,
    doubles=0,
)


@pytest.mark.parametrize(
    ("limits", "facts", "reason"),
    [
        ({}, {"depth": 1024, "largest_positive": 2**64 - 1, "nul_in_keys": True, "root": "array"}, None),
        ({"depth": 3}, {}, None),
        ({"depth": 2}, {}, "is nested 3 deep, and 2 is the most"),
        ({"integers": "i64"}, {"largest_positive": 2**63 - 1, "most_negative": -(2**63)}, None),
        ({"integers": "i64"}, {"largest_positive": 2**63}, f"has integers above 2^63-1 ({2**63})"),
        ({"integers": "63-bit"}, {"largest_positive": 2**63 - 1, "most_negative": 1 - 2**63}, None),
        ({"integers": "63-bit"}, {"most_negative": -(2**63)}, "has the integer -2^63"),
        ({"integers": "53-bit"}, {"largest_positive": 2**53 - 1, "most_negative": 1 - 2**53}, None),
        ({"integers": "53-bit"}, {"largest_positive": 2**53}, "has integers beyond 2^53-1"),
        ({"integers": "53-bit"}, {"most_negative": -(2**53)}, "has integers beyond 2^53-1"),
        ({"nul": "values"}, {"nul_in_values": True}, None),
        ({"nul": "values"}, {"nul_in_keys": True}, "has a NUL in a key"),
        ({"nul": "none"}, {"nul_in_values": True}, "has a NUL in a string"),
        ({"nul": "none"}, {"nul_in_keys": True}, "has a NUL in a key"),
        ({"root": "map"}, {}, None),
        ({"root": "map"}, {"root": "array"}, "has an array at its root"),
        ({"megabytes": 1}, {}, None),
        ({"root": "container"}, {"root": "array"}, None),
    ],
)
def test_beyond(limits, facts, reason):
    assert beyond(Limits(**limits), msgspec.structs.replace(FACTS, **facts)) == reason


def test_beyond_the_size_of_its_encoding():
    assert beyond(Limits(megabytes=16), FACTS, 16 << 20) is None
    assert beyond(Limits(megabytes=16), FACTS, 17 << 20) == "takes 17 MiB, and 16 MiB is the most"
    assert beyond(Limits(), FACTS, 1 << 40) is None
