"""Strictness: what a reader takes and refuses of the documents that its format allows and forbids."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from serbench.kinds.strict.cases import Case
from serbench.kinds.strict.reader import Launches, Reader
from serbench.results.probes import Expected, Judged, Outcome
from serbench.worker.process import Limits

UTF8 = NO_UTF8, UTF8_IN_PART, REPLACES = (
    "does not validate UTF-8",
    "validates UTF-8 in part",
    "replaces invalid UTF-8",
)
REPLACED = "it hands out UTF-8 in its place"
"""What is said of a document with invalid UTF-8 that was taken, and is no more in what was found."""
_STRICTEST: dict[Expected, Outcome] = {"accept": "taken", "refuse": "refused", "either": "refused"}


class Question(msgspec.Struct, frozen=True):
    """A case with what a worker needs to be asked about it."""

    case: Case
    tape: Path
    """The tape of its value; of some other document if it has no value."""
    exact_hash: str
    """The hash of its value; empty if it has none."""


def _asked(question: Question) -> tuple[bytes, Path, str]:
    return question.case.document, question.tape, question.exact_hash


def examine(reader: Reader, questions: Sequence[Question], limits: Limits, place: Path) -> list[Judged]:
    """What `reader` did with the cases where it was not as strict as can be.

    `place` is a file for the inputs. Raises WorkerFailure if it cannot be started.
    """
    found = []
    control = _asked(next(each for each in questions if each.exact_hash))
    with Launches(reader, reader.command, limits, place) as shared:
        for question in questions:
            case = question.case
            asked = _asked(question)
            outcome, said = shared.outcome(*asked)
            spoilt = outcome == "refused" and shared.outcome(*control)[0] != "taken"
            if spoilt:
                shared.close()  # By this document or an earlier one, which would pass for strict.
            if spoilt or outcome != _STRICTEST[case.expected]:
                # In a process of its own: what an earlier document left behind is not this one's doing.
                with Launches(reader, reader.command, limits, place) as own:
                    outcome, said = own.outcome(*asked)
                    if case.kind == "UTF-8" and outcome == "taken" and own.hands_out_utf8():
                        said = REPLACED
            if outcome != _STRICTEST[case.expected]:
                judged = Judged(
                    case=case.name, kind=case.kind, expected=case.expected, outcome=outcome, said=said
                )
                found.append(judged)
    return found


def digest_of(cases: Sequence[Case]) -> str:
    """A digest of the cases."""
    return hashlib.sha256(msgspec.msgpack.encode(cases)).hexdigest()


def labels_of(judged: Sequence[Judged], cases: Sequence[Case]) -> list[str]:
    """What a reader of a row must know of the bytes that it takes for text."""
    wrong = [case.name for case in cases if case.kind == "UTF-8" and case.expected != "accept"]
    taken = [each for each in judged if each.kind == "UTF-8" and each.outcome == "taken"]
    as_it_is = [each.case for each in taken if each.said != REPLACED]
    if not as_it_is:
        return [REPLACES] if taken else []
    return [NO_UTF8 if as_it_is == wrong else UTF8_IN_PART]
