#!/bin/sh
# Starts rustc so that no program has the name of the folder that it was built in.
# Cargo does not see this option: it would compile all crates anew for a folder of another name.
exec "$@" --remap-path-prefix="$SB_OUT=/build"
