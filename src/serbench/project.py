"""Where the project's own files stand."""

import os
from pathlib import Path

ROOT = Path(os.environ.get("SERBENCH_ROOT") or Path(__file__).resolve().parents[2]).absolute()
"""The project: manifests, harnesses and contenders are below it. SERBENCH_ROOT names another one."""
CACHE = ROOT / ".cache"
"""Everything that can be made again: library sources, builds, datasets."""
RESULTS = ROOT / "results"
"""Run files and their reports."""
