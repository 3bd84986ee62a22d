"""Answering the orchestrator's lines, one JSON object each (docs/protocol.md)."""

import json
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

LONGEST_REASON = 400
Requests = Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]]


class Refusal(Exception):
    """What the orchestrator asked for wrongly: its text needs no name before it."""


def reason_of(error: BaseException) -> str:
    """What is said of an exception: its name and message in one line that is UTF-8."""
    text = str(error) if isinstance(error, Refusal) else f"{type(error).__name__}: {error}"
    return " ".join(text.split())[:LONGEST_REASON].encode("utf-8", "replace").decode("utf-8")


def _answer(line: bytes, requests: Requests) -> dict[str, Any] | None:
    """The answer to one line; None when it was the last."""
    try:
        message = json.loads(line)
        what = str(message.get("do")) if isinstance(message, dict) else ""
        if what == "quit":
            return None
        if what not in requests:
            raise Refusal("unknown request")
        return {"ok": True, **requests[what](message)}
    except Exception as error:
        return {"ok": False, "error": reason_of(error)}


def serve(requests: Requests, load: Callable[[], None]) -> NoReturn:
    """Answer until the input ends; where `load` raises, only the first line, which gets the reason.

    A request gets the whole message and returns the fields of the answer. What it raises is a refusal.
    Standard output is the protocol's; a library prints to standard error.
    """
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    failed = None
    try:
        load()
    except Exception as error:
        failed = {"ok": False, "error": reason_of(error)}
    for line in sys.stdin.buffer:
        reply = failed or _answer(line, requests)
        if reply is None:
            break
        replies.write(json.dumps(reply, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
        replies.flush()
        if failed:
            sys.exit(1)
    replies.close()
    sys.stderr.flush()
    os._exit(0)  # Without waiting for threads or exit handlers of libraries.
