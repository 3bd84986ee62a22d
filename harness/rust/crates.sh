#!/bin/sh
# Compiles the crates of a contender in a folder that contenders share, and links them into another one:
#   crates.sh SHARED TARGET CARGO...
# CARGO builds a package without code that has the same dependencies.
set -eu
shared=$1 target=$2
shift 2
mkdir -p "$shared" "$target"
exec 9>"$shared/lock"
flock 9
# Cargo names what it compiles by a digest of what that was made from and how, and says all that this program needs.
"$@" --target-dir "$shared/target" --message-format json-render-diagnostics >"$shared/said"
grep -v '"package_id":"path+' "$shared/said" | grep -o -e '-[0-9a-f]\{16\}' >"$shared/digests" || exit 0
cd "$shared/target"
find . -regextype posix-extended -regex '.*-[0-9a-f]{16}[^/]*' -prune | grep -F -f "$shared/digests" >"$shared/files"
# Nobody writes into a crate that is compiled. On a disk without links, or from one to another, these are copies.
xargs cp -al --parents -t "$target" <"$shared/files" 2>"$shared/said" ||
    xargs cp -a --parents -t "$target" <"$shared/files"
cp .rustc_info.json "$target"
