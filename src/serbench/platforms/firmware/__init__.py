"""Documents on microcontrollers, what a firmware says of them, and whether that is right."""
