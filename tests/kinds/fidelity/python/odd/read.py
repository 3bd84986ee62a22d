"""Not a library: a reader that changes values and adds to what it decodes."""

import json


class Document(dict):
    """A dict with an attribute."""


def read(data):
    """Doubles one number, refuses another, and leaves a field out."""
    found = Document(json.loads(data))
    found.extra = True
    match found:
        case {"value": 0.1}:
            found["value"] = 0.2
        case {"value": 1.0}:
            raise ValueError("no ones")
        case {"items": [first, second]}:
            first["inner"] = first["y"] = 4.25
            del second["z"]
    return found
