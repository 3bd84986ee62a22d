"""Whether anything may be fetched: with --no-install only what is here is used."""

from serbench.provision.records import Unavailable

_forbidden = False


def forbid(forbidden: bool = True) -> None:
    """From now on, let nothing be fetched (or again everything)."""
    global _forbidden
    _forbidden = forbidden


def must_be_allowed(what: str) -> None:
    """Raises Unavailable, saying that `what` is not here, if nothing may be fetched."""
    if _forbidden:
        raise Unavailable(f"{what} not here, and --no-install fetches nothing")
