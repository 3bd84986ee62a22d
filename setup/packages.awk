# Prints the Debian packages that manifests name: debian-package = "..." and packages = ["...", ...].
# A test holds this against the catalog, which reads the same files as TOML.
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
