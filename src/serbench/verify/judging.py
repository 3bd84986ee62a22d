"""What a reader's hashes prove."""

from serbench.datasets.store import Facts
from serbench.verify.proof_cache import DidRead
from serbench.verify.records import Verdict
from serbench.worker.records import Doubles

_LARGE = 1e-3


def judge(found: DidRead, facts: Facts, verdict: Verdict) -> None:
    """Write into `verdict` what a reader `found`, and why it failed if that is not what the `facts` say."""
    verdict.content_hash, verdict.exact_hash = found.content_hash, found.exact_hash
    if found.exact_hash == facts.exact_hash and found.content_hash == facts.content_hash:
        return
    if found.changed is not None and found.doubles is not None:
        verdict.doubles = Doubles(changed=found.changed, total=found.doubles, max_relative=found.max_relative)
    if found.content_hash != facts.content_hash:
        numbers = _numbers(verdict.doubles) if verdict.doubles and verdict.doubles.changed else ""
        verdict.fail(f"wrong content_hash: {found.content_hash} where {facts.content_hash} is right{numbers}")
    elif verdict.doubles is None or verdict.doubles.changed == 0:
        verdict.fail(f"wrong exact_hash: {found.exact_hash} where {facts.exact_hash} is right")


def _numbers(doubles: Doubles) -> str:
    """Return what is known of the numbers if content_hash is wrong: integral doubles are integers there."""
    said = f"; of its numbers {doubles.changed} differ"
    if doubles.max_relative > _LARGE:
        return said
    return (
        f"{said}, by up to {doubles.max_relative:.1e} (relative): "
        "a double with an integral value counts as an integer"
    )
