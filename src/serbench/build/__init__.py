"""A contender, a profile and a compiler become the command line of a worker."""

from serbench.build.builder import Builder
from serbench.build.records import BuildFailed, Built

__all__ = ["BuildFailed", "Builder", "Built"]
