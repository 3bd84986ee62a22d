# Prints the Debian packages that manifests name: debian-package = "..." and packages = ["...", ...].
# Those of microcontrollers are installed with their platform. A test compares this with the catalog, which reads
# the same files as TOML.
FILENAME ~ "/contenders/firmware/" { next }
/^[ \t]*(debian-package|packages)[ \t]*=/ { reading = 1; open = 0 }
reading {
    line = $0
    sub(/^[^"=\[]*=/, "", line)
    sub(/#.*/, "", line)
    if (line ~ /\[/) open = 1
    closed = !open || line ~ /\]/
    while (match(line, /"[^"]*"/)) {
        print substr(line, RSTART + 1, RLENGTH - 2)
        line = substr(line, RSTART + RLENGTH)
    }
    if (closed) reading = 0
}
