"""What a reader's hashes prove, and what it saw where they are not the dataset's."""

from serbench.datasets.difference import Difference
from serbench.datasets.store import Facts
from serbench.verify.proof_cache import DidRead
from serbench.verify.records import Verdict
from serbench.worker.records import Doubles, Losses

MOST_ROUNDING = 1e-3
"""A double that changes by more than this part of itself is not rounded, but wrong."""


def judge(found: DidRead, facts: Facts, verdict: Verdict) -> None:
    """Write into `verdict` what a reader `found`, and why it failed if that is not what the `facts` say.

    The row stands if what it saw differs from the dataset in numbers and the order of keys only: integers
    that became the nearest doubles, -0 that became 0, doubles that were rounded.
    """
    verdict.content_hash, verdict.exact_hash = found.content_hash, found.exact_hash
    if found.exact_hash == facts.exact_hash and found.content_hash == facts.content_hash:
        return
    seen = found.difference
    reason = _wrong_hash(found, facts) if seen is None else _wrong(found, seen, facts)
    if reason or seen is None:
        verdict.fail(reason)
        return
    if seen.doubles:
        verdict.doubles = Doubles(changed=seen.doubles, total=facts.doubles, max_relative=seen.max_relative)
    moved = seen.keys_moved or found.exact_hash == facts.unordered_hash
    if seen.integers or seen.negative_zeros or moved:
        verdict.losses = Losses(integers=seen.integers, negative_zeros=seen.negative_zeros, keys_moved=moved)


def judge_words(found: DidRead, facts: Facts, verdict: Verdict) -> None:
    """Write into `verdict` what hashing the words of exact_hash gave: there are none of content_hash."""
    verdict.exact_hash = found.exact_hash
    if found.exact_hash != facts.exact_hash:
        verdict.fail(f"wrong exact_hash: {found.exact_hash} where {facts.exact_hash} is right")


def _wrong(found: DidRead, seen: Difference, facts: Facts) -> str:
    """Return why a reader that saw something else than the dataset fails; empty if it does not."""
    if seen.difference:
        return f"{_wrong_hash(found, facts)}; {seen.difference}"
    if seen.max_relative > MOST_ROUNDING:
        changed = f"{seen.doubles} doubles, by up to {seen.max_relative:.1e} (relative)"
        return f"changes {changed}: that is more than rounding"
    if found.exact_hash not in (seen.exact_hash, seen.unordered_hash):
        return f"its exact_hash {found.exact_hash} is not that of the values which it saw"
    other = seen.integers or seen.negative_zeros or seen.doubles or seen.keys_moved or seen.retyped
    unordered = found.exact_hash == facts.unordered_hash != facts.exact_hash
    return "" if other or unordered else _wrong_hash(found, facts)


def _wrong_hash(found: DidRead, facts: Facts) -> str:
    if found.content_hash != facts.content_hash:
        return f"wrong content_hash: {found.content_hash} where {facts.content_hash} is right"
    return f"wrong exact_hash: {found.exact_hash} where {facts.exact_hash} is right"
