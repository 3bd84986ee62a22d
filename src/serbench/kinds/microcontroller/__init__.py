"""Emulated microcontrollers: firmware contenders on small documents, counted with their flash and memory."""

from serbench.kinds.microcontroller.plan import plan, prepare
from serbench.platforms.counts import PlatformKind
from serbench.platforms.records import Microcontroller

KIND = (
    PlatformKind(
        manifest=Microcontroller,
        plan=plan,
        prepare=prepare,
        boards=True,
        options=("--data", "--prefix", "--ignore-lock", "--output", "--force", "--contenders"),
    ),
)
