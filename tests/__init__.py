"""The tests, by the package that they are of."""

import os

# Where tests run side by side their processes have both, and a console that is made then keeps that width.
for name in ("COLUMNS", "LINES"):
    os.environ.pop(name, None)
