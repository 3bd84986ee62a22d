"""Where the project's own files stand."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The clone: manifests, harnesses and contenders stand below it."""
CACHE = ROOT / ".cache"
"""Everything that can be made again: library sources, builds, datasets."""
RESULTS = ROOT / "results"
"""Run files and their reports."""
