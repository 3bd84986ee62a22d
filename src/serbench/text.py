"""Figures and names as text. Names come from files of other people and are never trusted."""

import math
import unicodedata
from collections.abc import Collection, Iterable

from rich.cells import cell_len, set_cell_size

UNITS = (("ns", 1.0), ("µs", 1e3), ("ms", 1e6), ("s", 1e9))
NONE = "-"
"""Stands where there is no figure."""
MOST_DECIMALS = 4
UNSEEN = frozenset(("Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp", "Zs"))
"""Unicode's categories of control, format, surrogate, unassigned, private and separating characters."""


def visible(text: str) -> str:
    r"""Return `text` with every control, format and separator character shown as `\x1b` or `\u202e`.

    What remains cannot move the cursor, change colours, start a line or reverse the reading order.
    """
    return "".join(c if c == " " or unicodedata.category(c) not in UNSEEN else _escape(c) for c in text)


def _escape(character: str) -> str:
    if character in "\n\r\t":
        return {"\n": r"\n", "\r": r"\r", "\t": r"\t"}[character]
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def last_line(output: str, longest: int = 160) -> str:
    """Return the last line with anything in it of a worker's error output, made visible and shortened."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    line = visible(lines[-1]) if lines else ""
    return line if len(line) <= longest else line[: longest - 1] + "…"


def unit_for(times_ns: Iterable[float | None]) -> tuple[str, float]:
    """Return the unit, and its nanoseconds, in which these times of one table read best.

    It is the largest in which the median of the positive times is at least 1.
    """
    positive = sorted(t for t in times_ns if t is not None and t > 0)
    middle = positive[len(positive) // 2] if positive else 1.0
    return max((u for u in UNITS if u[1] <= middle), key=lambda u: u[1], default=UNITS[0])


def significant(value: float | None, digits: int = 4) -> str:
    """Return `value` with that many significant digits, but at most four decimals; no exponent."""
    if value is None or not math.isfinite(value):
        return NONE
    rounded = float(f"{value:.{digits - 1}e}")
    if rounded == 0:
        return "0"
    before = math.floor(math.log10(abs(rounded))) + 1
    # Below 1 the zeros count for nothing, and one digit less is as much as the others have.
    decimals = digits - before - (before <= 0)
    return f"{rounded:,.{min(max(0, decimals), MOST_DECIMALS)}f}"


def relative(half_width: float, value: float) -> str:
    """Return `half_width` as percent of `value`: `0.3%`, `12%`."""
    if not value or not math.isfinite(half_width):
        return NONE
    percent = 100 * abs(half_width / value)
    return f"{percent:.1f}%" if percent < 9.95 else f"{percent:.0f}%" if percent < 999.5 else ">999%"


def half_width(value: float | None, low: float | None, high: float | None) -> str:
    """Return half of an interval as percent of its value: `0.3%`; `?` where a bound is not known."""
    return "?" if value is None or low is None or high is None else relative((high - low) / 2, value)


def count(number: float | None) -> str:
    """Return a number of things with separators between thousands; one decimal for a mean of such numbers."""
    if number is None:
        return NONE
    return f"{number:,}" if isinstance(number, int) else f"{number:,.1f}"


def whole(number: float | None) -> str:
    """Return `number` without decimals."""
    return NONE if number is None else f"{number:,.0f}"


def exact(number: float | str | None) -> str:
    """Return a number with all its decimals; text stays as it is."""
    return f"{number:,.15g}" if isinstance(number, int | float) else number or NONE


def launches(counts: Collection[int]) -> str:
    """Return how many launches rows had, one count a row, such as "5 launches" or "5 to 10 launches"."""
    least, most = min(counts), max(counts)
    return f"{'' if least == most else f'{least} to '}{most} launch{'' if most == 1 else 'es'}"


def size(number: int) -> str:
    """Return a size of memory in words: `16.0 GiB`."""
    value = float(number)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if value < 1024:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1024
    return f"{value:.1f} TiB"


def percent(part: float) -> str:
    """Return a part such as 0.02 as `2 %`."""
    return f"{100 * part:.3g} %"


def clipped(words: str, width: int) -> str:
    """Return `words`, made visible, in at most `width` letters: cut behind a comma, a semicolon or a word."""
    line = visible(words)
    if cell_len(line) <= width:
        return line
    if width < 2:
        return "…"[:width]
    kept = set_cell_size(line, width - 2)
    for end in (max(kept.rfind(", "), kept.rfind("; ")) + 1, kept.rfind(" ")):
        if end > 0.7 * width:
            return f"{kept[:end]} …"
    return f"{set_cell_size(line, width - 1)}…"


EIGHTHS = " ▏▎▍▌▋▊▉█"


def bar(part: float | None, width: int) -> str:
    """Return a bar for `part`, from 0 to 1, where 1 has `width` letters; at least an eighth of a letter."""
    if part is None or not math.isfinite(part):
        return ""
    whole, eighths = divmod(max(1, round(8 * width * min(1.0, max(0.0, part)))), 8)
    return EIGHTHS[8] * whole + EIGHTHS[eighths].strip()
