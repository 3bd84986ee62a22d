"""The shortest output that json.dumps makes."""

import json


def write(root: object) -> str:
    """Without spaces, and with every character as it is."""
    return json.dumps(root, ensure_ascii=False, separators=(",", ":"))
