"""A writer of known cost: steps, as many as the first element says, then bytes that are there."""

BYTES = b"x" * 64000


def write(root: list[int]) -> bytes:
    """Each step needs the result of the one before."""
    x = 1
    for _ in range(root[0]):
        x = (x * 31 + 7) & 0xFFFF
    return BYTES
