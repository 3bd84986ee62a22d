"""The microcontroller track: firmware for emulated targets, whose instructions or cycles are counted."""
