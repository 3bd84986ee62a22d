"""Decimals as 32-bit floats, which is what microcontrollers send and keep: the data of SPEC:float32."""

import math
import struct
from typing import Any

from serbench.errors import UserError


def narrowed(number: float) -> float:
    """The nearest 32-bit float; infinite beyond the largest."""
    try:
        return float(struct.unpack("<f", struct.pack("<f", number))[0])
    except OverflowError:
        return math.copysign(math.inf, number)


def rounded(document: Any) -> Any:
    """The decoded `document` with every double rounded to a 32-bit float. Raises UserError beyond them."""
    if isinstance(document, dict):
        return {key: rounded(member) for key, member in document.items()}
    if isinstance(document, list):
        return [rounded(element) for element in document]
    if not isinstance(document, float):
        return document
    made = narrowed(document)
    if math.isinf(made):
        raise UserError(f"no 32-bit float holds {document:g}")
    return made
