#!/bin/sh
# Starts rustc so that no program has the name of the folder that it was built in, and all name the harness alike.
# Cargo does not see these options: it would compile all crates anew for a folder of another name.
exec "$@" --remap-path-prefix="$SB_OUT=/build" --remap-path-prefix=serbench=/build/harness/rust/serbench
