"""The way of rows through the gates of one or several datasets.

Readers come first, since some of them read back what the writers write, and baselines last. Each of these
steps is done row by row, and a row has all datasets before the next one comes: so its worker starts once.
"""

from collections.abc import Callable, Sequence
from itertools import groupby

import msgspec

from serbench.errors import UserError
from serbench.verify.gate import Gate
from serbench.verify.records import Subject, Verdict
from serbench.worker.process import pooled

READERS, WRITERS, OWN = STEPS = range(3)


class Candidates(msgspec.Struct, kw_only=True):
    """What goes through the gate of a dataset, and what came of it."""

    gate: Gate
    subjects: Sequence[Subject]
    referees: Sequence[Subject] = ()
    """Readers that may also read back."""
    more: Callable[[str], Sequence[Subject]] = lambda _format: ()
    """Asked for further readers of a format for which these do not do, until it has none."""
    verdicts: dict[str, Verdict] = {}
    """By the subjects' keys."""


def _step(subject: Subject) -> int:
    if subject.row.contender.manifest.role != "contender":
        return OWN
    return WRITERS if subject.row.kind.writes else READERS


def _verdict(of: Candidates, subject: Subject) -> Verdict:
    """The verdict on one row; what the orchestrator itself cannot do fails the row, too."""
    step = _step(subject)
    try:
        if step == READERS:
            return of.gate.check_reader(subject)
        if step == WRITERS:
            return of.gate.check_writer(subject)
        contenders = [each for each in of.subjects if _step(each) != OWN]
        return of.gate.check_own(subject, of.verdicts, contenders)
    except OSError as error:  # a full disk, or an output that cannot be read
        return Verdict(status="failed", reason=f"{error.filename or 'a file'}: {error.strerror}")
    except UserError as error:  # the tool that compares what was seen
        return Verdict(status="failed", reason=str(error))


def check(datasets: Sequence[Candidates], done: Callable[[], None] = lambda: None) -> None:
    """Find the verdict on every subject of every dataset. `done` is called, in any thread, after each."""
    # Large data let few workers run at a time: they do not hold up the others.
    for jobs, alike in groupby(datasets, key=lambda each: each.gate.jobs):
        _check_together(list(alike), jobs, done)


def _check_together(datasets: Sequence[Candidates], jobs: int, done: Callable[[], None]) -> None:
    def of_row(subjects: Sequence[tuple[Candidates, Subject]]) -> None:
        for of, subject in subjects:
            of.verdicts[subject.key] = _verdict(of, subject)
            done()

    for step in STEPS:
        rows: dict[str, list[tuple[Candidates, Subject]]] = {}
        for of in datasets:
            for subject in of.subjects:
                if _step(subject) == step:
                    rows.setdefault(subject.key, []).append((of, subject))
        with pooled(jobs) as pool:
            list(pool.map(of_row, rows.values()))
        if step == READERS:
            for of in datasets:
                _choose_referees(of)


def _choose_referees(of: Candidates) -> None:
    for subject in of.subjects:
        if _step(subject) == READERS:
            of.gate.referees.add(subject, of.verdicts[subject.key])
    of.gate.referees.choose([each for each in of.referees if each.key not in of.verdicts], of.more)
