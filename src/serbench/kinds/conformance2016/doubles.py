"""How libraries print a double, in 2016 and today: written anew, so that their output can be foretold.

RapidJSON has Grisu2 (Florian Loitsch, "Printing floating-point numbers quickly and accurately with integers",
PLDI 2010), which finds digits that read back as the same double, not always those nearest to it. A last
step turns the last digit towards the double itself. For digits behind the point that step needs a power of
ten from a table of ten entries. Version 1.0.2 looked it up unconditionally; version 1.1.0 looks it up below
index 9 and takes 0 otherwise, by which the step at index 9 is lost although the table has that entry.
"""

import re
import struct
from collections.abc import Callable, Iterator

BOUND_2016 = 10
"""The entries of the table. What version 1.0.2 read from behind its end for longer numbers is taken as 0."""
BOUND_NOW = 9
WORD = (1 << 64) - 1
SMALLEST_POWER = -348
POWER_STEP = 8
LOG10_2 = 0.30102999566398114
TOKENS = re.compile(rb'"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|[^"0-9-]+', re.DOTALL)
LONGEST_PLAIN = 21
LEAST_PLAIN = -6

Scaled = tuple[int, int]
"""A significand of 64 bits and its binary exponent."""


def tokens(document: bytes) -> Iterator[bytes]:
    """Yield the strings and numbers of a JSON document, and what stands between them."""
    return (found[0] for found in TOKENS.finditer(document))


def is_double(token: bytes) -> bool:
    """Tell whether a token is a number that was printed as a double."""
    return token[:1] in b"-0123456789" and any(mark in token for mark in (b".", b"e", b"E"))


def reprinted(document: bytes, show: Callable[[float], str]) -> bytes:
    """Return `document` with every double as `show` prints it."""
    return b"".join(show(float(token)).encode() if is_double(token) else token for token in tokens(document))


def with_17_digits(value: float) -> str:
    """Return `value`, which is finite, as Jansson printed it before version 2.15."""
    digits, _, exponent = f"{value:.17g}".partition("e")
    if exponent:
        return f"{digits}e{int(exponent)}"
    return digits if "." in digits else f"{digits}.0"


def printed(value: float, bound: int) -> str:
    """Return `value`, which is finite, as a RapidJSON prints it that looks powers up below `bound`."""
    sign = "-" if struct.pack(">d", value)[0] & 0x80 else ""
    if value == 0:
        return sign + "0.0"
    digits, exponent = _shortest(abs(value), bound)
    point = len(digits) + exponent
    if exponent >= 0 and point <= LONGEST_PLAIN:
        return f"{sign}{digits}{'0' * exponent}.0"
    if 0 < point <= LONGEST_PLAIN:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if LEAST_PLAIN < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{point - 1}"


def _power_of_ten(exponent: int) -> Scaled:
    """Return the 64-bit number nearest to a power of ten."""
    above, below = 10 ** max(exponent, 0), 10 ** max(-exponent, 0)
    shift = above.bit_length() - below.bit_length() - 64
    for binary in (shift, shift + 1):
        numerator, denominator = above << max(-binary, 0), below << max(binary, 0)
        significand = (2 * numerator + denominator) // (2 * denominator)
        if significand <= WORD:
            break
    return significand, binary


def _normal(number: Scaled) -> Scaled:
    shift = 64 - number[0].bit_length()
    return number[0] << shift, number[1] - shift


def _product(a: Scaled, b: Scaled) -> Scaled:
    """Return the upper 64 bits of a product, rounded to the nearest."""
    exact = a[0] * b[0]
    return (exact >> 64) + (exact >> 63 & 1), a[1] + b[1] + 64


def _shortest(value: float, bound: int) -> tuple[str, int]:
    """Return digits and the exponent of the last of them, for a positive double."""
    bits = int.from_bytes(struct.pack(">d", value))
    biased, fraction = bits >> 52, bits & (1 << 52) - 1
    exact = (fraction | 1 << 52, biased - 1075) if biased else (fraction, -1074)
    upper = _normal((2 * exact[0] + 1, exact[1] - 1))
    # Below a power of two the neighbour is only half as far away.
    narrow = exact[0] == 1 << 52
    significand, binary = (4 * exact[0] - 1, exact[1] - 2) if narrow else (2 * exact[0] - 1, exact[1] - 1)
    lower = (significand << binary - upper[1], upper[1])
    scale = (-61 - upper[1]) * LOG10_2 + 347
    index = (int(scale) + (scale > int(scale)) >> 3) + 1
    decimal = SMALLEST_POWER + index * POWER_STEP
    power = _power_of_ten(decimal)
    high = _product(upper, power)
    low = _product(lower, power)[0] + 1
    most = high[0] - 1
    return _digits(most, -high[1], most - low, most - _product(_normal(exact), power)[0], -decimal, bound)


def _digits(most: int, point: int, room: int, distance: int, exponent: int, bound: int) -> tuple[str, int]:
    """Return the fewest digits of a number not more than `room` below `most`, which has `point` binary
    places.

    `distance` is how far below `most` the double is, towards which the last digit is turned.
    """
    whole, rest = most >> point, most & (1 << point) - 1
    digits: list[int] = []
    for left in range(len(str(whole)) - 1, -1, -1):
        digit, whole = divmod(whole, 10**left)
        if digit or digits:
            digits.append(digit)
        remainder = (whole << point) + rest
        if remainder <= room:
            _turn(digits, room, remainder, 10**left << point, distance)
            return "".join(map(str, digits)), exponent + left
    places = 0
    while True:
        rest, room, places = rest * 10 & WORD, room * 10 & WORD, places + 1
        digit, rest = rest >> point, rest & (1 << point) - 1
        if digit or digits:
            digits.append(digit)
        if rest < room:
            power = 10**places if places < bound else 0
            _turn(digits, room, rest, 1 << point, distance * power & WORD)
            return "".join(map(str, digits)), exponent - places


def _turn(digits: list[int], room: int, rest: int, unit: int, distance: int) -> None:
    """Lower the last digit as long as that brings the number nearer to the double."""
    while (
        rest < distance
        and room - rest >= unit
        and (rest + unit < distance or distance - rest > rest + unit - distance)
    ):
        digits[-1] -= 1
        rest += unit
