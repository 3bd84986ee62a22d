"""Limits for workers with sanitizers."""

from serbench.worker.process import Limits

LIMITS = Limits(memory_bytes=None, timeout=60.0)
"""The sanitizers of C and C++ reserve far more address space than there is memory."""
