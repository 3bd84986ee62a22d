"""Not a library: a writer that ends over one value."""

import json
import os


def write(root):
    """As JSON."""
    if root.get("value") == 1e300:
        os._exit(3)
    return json.dumps(root)
