"""ARM Linux under QEMU's user mode: cross-building the ordinary workers, and counting their instructions."""
