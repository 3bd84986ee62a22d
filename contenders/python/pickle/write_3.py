"""What pickle.dumps makes of the tree in protocol 3."""

import pickle


def write(root: object) -> bytes:
    """In a protocol that is stated."""
    return pickle.dumps(root, protocol=3)
