"""Readers that read back what writers wrote: who is asked, and in which order."""

from collections.abc import Callable, Iterator, Sequence
from threading import Lock

from serbench.verify.records import Subject, Verdict

Proven = tuple[Subject, Verdict]
ENOUGH = 2
"""Libraries that lose nothing and were asked: what they say is lost, no further one is built to deny."""


class Referees:
    """The readers of one dataset that may judge. `check` proves a candidate; methods may run in threads."""

    def __init__(self, check: Callable[[Subject], Verdict]) -> None:
        self._check = check
        self._known: dict[str, list[Proven]] = {}
        self._candidates: dict[str, list[Subject]] = {}
        self._more: Callable[[str], Sequence[Subject]] = lambda _format: ()
        self._exhausted: set[str] = set()
        self._failed: set[str] = set()
        self._choosing = Lock()

    def add(self, subject: Subject, verdict: Verdict) -> None:
        """Take in a reader of all values, unless it failed."""
        if subject.row.kind.yields != "values":
            return
        if verdict.status == "failed":
            self._failed.add(subject.row.format)
        elif verdict.status == "ok":
            self._known.setdefault(subject.row.format, []).append((subject, verdict))

    def choose(self, candidates: Sequence[Subject], more: Callable[[str], Sequence[Subject]]) -> None:
        """Take in readers that nobody chose, for each format until two libraries lose nothing.

        `more` is asked for those of a format where `candidates` do not do, until it has none.
        """
        self._more = more
        for subject in candidates:
            self._candidates.setdefault(subject.row.format, []).append(subject)
        for format_id in list(self._candidates):
            while len(able := self._exact_libraries(format_id)) < ENOUGH and self._another(format_id, able):
                pass

    def of(self, writer: Subject) -> Iterator[Proven]:
        """Yield readers for what a writer wrote, with their own verdicts: one of each library, best first.

        Exact ones come before those that lose something themselves, readers of any data before those whose
        code is generated, as the writer's may be, and versions under test come last. The
        writer's own library comes last, and only where no other has an exact reader: a library that was asked
        by one that loses something is asked again by one that does not. Candidates are proved when all others
        have been asked.
        """
        library, format_id = writer.row.contender.library, writer.row.format
        asked: set[str] = set()
        exactly: set[str] = set()

        def place(known: Proven) -> tuple[bool, bool, bool]:
            contender = known[0].row.contender
            return (not known[1].exact, contender.generated, bool(contender.label))

        def left(own: bool = False) -> list[Proven]:
            known = self._known.get(format_id, [])
            return [
                each
                for each in known
                if each[0].row.contender.library not in (asked if exactly or not each[1].exact else exactly)
                and (each[0].row.contender.library == library) == own
            ]

        while True:
            with self._choosing:
                others = {*asked, library}
                while not left() and self._another(format_id, others, further=len(exactly) < ENOUGH):
                    pass
                while not (left() or exactly) and self._another(format_id, {library}):
                    pass
                while not (left() or exactly or left(own=True)) and self._another(format_id, asked):
                    pass
                chosen = left() or ([] if exactly else left(own=True))
                if not chosen:
                    return
                referee = min(chosen, key=place)
            asked.add(referee[0].row.contender.library)
            if referee[1].exact:
                exactly.add(referee[0].row.contender.library)
            yield referee

    def failed(self, format_id: str) -> bool:
        """Whether a reader of the format is here that did not read the canonical encoding."""
        return format_id in self._failed

    def _exact_libraries(self, format_id: str) -> set[str]:
        known = self._known.get(format_id, [])
        able = [subject.row.contender for subject, verdict in known if verdict.exact]
        return {contender.library for contender in able if not contender.generated}

    def _another(self, format_id: str, done: set[str], further: bool = True) -> bool:
        """Prove one more candidate, of a library that is not in `done`. Return False if none is left.

        `more` is asked for others only if `further`.
        """
        candidates = self._candidates.setdefault(format_id, [])

        def left() -> Iterator[Subject]:
            return (each for each in candidates if each.row.contender.library not in done)

        subject = next(left(), None)
        while subject is None and further and format_id not in self._exhausted:
            found = self._more(format_id)
            if not found:
                self._exhausted.add(format_id)
            candidates += found
            subject = next(left(), None)
        if subject is None:
            return False
        candidates.remove(subject)
        self.add(subject, self._check(subject))
        return True
