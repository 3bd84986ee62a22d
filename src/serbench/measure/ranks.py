"""Which rows of a group are proved faster than which, and the ranks that this leaves open: pure functions."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from serbench.measure.speeds import speeds
from serbench.measure.statistics import LEAST_LAUNCHES, Figures, RowFigures, precise_enough, ratio_interval


class Rank(NamedTuple):
    """The places among the compared rows that a row may have."""

    first: int
    """1 + the number of rows proved faster."""
    last: int
    """The number of rows less that of the rows proved slower."""


def proved_faster(a: RowFigures, b: RowFigures, threshold: float) -> bool:
    """Tell whether `a` is proved faster than `b`: by more than `threshold`, a part such as 0.02.

    The ratio b / a within launches is of net figures, or of raw ones when a net figure is missing
    or not positive in a common launch; the whole interval must lie above 1 + threshold. If one of the two
    has several speeds (see `speeds`), so must the ratio of every launch: the interval says nothing of a speed
    that is rare. With fewer than two common launches nothing is proved.
    """
    common = a.raw.keys() & b.raw.keys()
    if len(common) < LEAST_LAUNCHES:
        return False
    use_net = all(row.net.get(n, 0.0) > 0 for row in (a, b) for n in common)
    fast, slow = (a.net, b.net) if use_net else (a.raw, b.raw)
    ratio = ratio_interval(slow, fast)
    if ratio is None or ratio.low <= 1 + threshold:
        return False
    several = speeds(a.raw.values()) or speeds(b.raw.values())
    return not several or all(slow[n] > (1 + threshold) * fast[n] for n in common)


def proved_slower(rows: Mapping[int, RowFigures], threshold: float) -> dict[int, frozenset[int]]:
    """Return, by row id, the ids of those `rows` that it is proved faster than, by more than `threshold`.

    If a is proved faster than b and b than c, a is faster than c, even if the ratio of a and c has too much
    noise of its own to prove it. Rows that contradict each other in a circle prove nothing of one another.
    So this is an order: who is faster has fewer faster rows and more slower ones.
    """
    ids = list(rows)
    proved = np.zeros((len(ids), len(ids)), dtype=bool)
    for i, a in enumerate(ids):
        for j, b in enumerate(ids):
            proved[i, j] = i != j and proved_faster(rows[a], rows[b], threshold)
    for k in range(len(ids)):  # Warshall's algorithm (Journal of the ACM 9, 1962)
        proved |= np.outer(proved[:, k], proved[k])
    proved &= ~proved.T
    return {key: frozenset(ids[j] for j in np.flatnonzero(proved[i])) for i, key in enumerate(ids)}


def undecided(rows: Mapping[int, Figures], target: float, threshold: float) -> frozenset[int]:
    """Return those of `rows`, raw figures by row id, about which another launch may tell something.

    They are the rows whose time is not known well enough (half its interval is more than `target` of it), and
    those that are not proved faster or slower than each of these, by more than `threshold`.
    """
    wide = {key for key, figures in rows.items() if not precise_enough([figures], target)}
    slower = proved_slower({key: RowFigures(raw, {}) for key, raw in rows.items()}, threshold) if wide else {}
    return frozenset(
        key
        for key in rows
        if key in wide or any(key not in slower[each] and each not in slower[key] for each in wide)
    )


def ranks(rows: Mapping[int, RowFigures], threshold: float) -> dict[int, Rank | None]:
    """Return, by row id, the ranks that comparisons of all pairs of `rows` leave open.

    None for a row with too few launches, which is not compared. Source: the confidence set for a rank of
    M. Mogstad, J. Romano, A. Shaikh and D. Wilhelm, Inference for Ranks, Review of Economic Studies 91
    (2024), doi 10.1093/restud/rdad006. They widen the intervals so that all pairs of a row hold together;
    here each pair is judged at 95 % by itself.
    """
    compared = {key: row for key, row in rows.items() if len(row.raw) >= LEAST_LAUNCHES}
    slower = proved_slower(compared, threshold)
    faster = {key: sum(key in below for below in slower.values()) for key in slower}
    return {
        key: Rank(1 + faster[key], len(compared) - len(slower[key])) if key in compared else None
        for key in rows
    }
