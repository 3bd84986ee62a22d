"""Not a library: what the harness makes of odd results."""

import gc
import json
import sys


def write(root):
    """Does what the document asks for."""
    match root:
        case {"write": "bytes"}:
            return b"bytes"
        case {"write": "buffer"}:
            return memoryview(bytearray(b"bytes"))
        case {"write": "text"}:
            return "é"
        case {"write": "nothing"}:
            return None
        case {"write": "noise"}:
            print("noise")
            return b""
        case {"write": "state"}:
            frozen = gc.get_freeze_count() > 1000
            return json.dumps({"gc": gc.isenabled(), "frozen": frozen, "isolated": sys.flags.isolated})
        case _:
            raise ValueError("half \ud800 of\na pair")
