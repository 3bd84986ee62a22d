"""Where a library comes from, and which version it turned out to be."""

from serbench.provision.debian import missing_packages
from serbench.provision.downloads import forbid as forbid_downloads
from serbench.provision.provide import prefetch, provide
from serbench.provision.records import Provided, Unavailable

__all__ = ["Provided", "Unavailable", "forbid_downloads", "missing_packages", "prefetch", "provide"]
