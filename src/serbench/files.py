"""What several stages do with files."""

import hashlib
import os
from pathlib import Path


def sha256(path: Path) -> str:
    """The SHA-256 of a file's bytes, hexadecimal. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def replace(path: Path, data: bytes) -> None:
    """Put `data` at `path` in one step, for other processes of this machine. Raises OSError."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    temporary.write_bytes(data)
    temporary.replace(path)
