"""Emulated Linux: the ordinary rows, cross-built and proved on another processor, and counted."""

from serbench.kinds.linux.plan import plan, prepare
from serbench.platforms.counts import PlatformKind
from serbench.platforms.records import LinuxPlatform

KIND = (PlatformKind(manifest=LinuxPlatform, plan=plan, prepare=prepare),)
