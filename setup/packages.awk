# Prints the Debian packages that a command needs, a line each with what for: package|what. `languages` are those of the
# command, each after a comma, or ",all". Reads harness/*/harness.toml and contenders/*/*/contender.toml, in this order;
# packages of microcontrollers are installed with their platform. With `sources`, prints the megabytes of sources instead.
# A test compares this with what serbench itself reads there.
function chosen(id) { return (languages ",") ~ ("," id ",|,all,") }
function add(kind, name, text) { list[kind, name] = list[kind, name] " " text }
function show(kind, name, what, n, words, i) {
    n = split(list[kind, name], words, " ")
    for (i = 1; i <= n; i++) if (!sources && !shown[words[i]]++) print words[i] "|" what
}
FNR == 1 {
    folders = split(FILENAME, path, "/")
    harness = FILENAME ~ /\/harness\.toml$/
    name = harness ? path[folders - 1] : path[folders - 2] "/" path[folders - 1]
    order[++files] = name; is_harness[name] = harness; language[name] = path[folders - 2]
    section = key = ""
}
FILENAME ~ /(^|\/)contenders\/firmware\// { next }
/^\[/ { section = $1; if (section ~ /^\[tools\./) is_own[name] = 1 }
harness && section ~ /^\[tools\./ && /^library *=/ { split($0, part, "\""); of_tools[part[2]] = 1 }
harness && section == "[languages]" && /=/ { split($0, part, "\""); add("ids", name, $1); shown_as[$1] = part[2] }
harness && /^given *= *true/ { is_own[name] = 1 }
harness && /^sources-mb *=/ { sub(/^[^=]*=/, ""); megabytes[name] = $0 + 0 }
/^[ \t]*(debian-package|packages|library-packages)[ \t]*=/ {
    key = harness && $1 ~ /^library/ ? "library" : "packages"
    open = 0
}
key {
    line = $0
    sub(/^[^"=\[]*=/, "", line)
    sub(/#.*/, "", line)
    if (line ~ /\[/) open = 1
    closed = !open || line ~ /\]/
    while (match(line, /"[^"]*"/)) {
        add(key, name, substr(line, RSTART + 1, RLENGTH - 2))
        line = substr(line, RSTART + RLENGTH)
    }
    if (closed) key = ""
}
END {
    for (i = 1; i <= files; i++) {
        name = order[i]
        if (is_own[name] || of_tools[name]) show("packages", name, "serbench's own tools")
    }
    for (i = 1; i <= files; i++) {
        name = order[i]
        n = split(is_harness[name] ? list["ids", name] : language[name], ids, " ")
        for (j = n; j > 0; j--) if (chosen(ids[j])) break
        if (j == 0) continue
        show("packages", name, shown_as[ids[j]])
        show("library", name, shown_as[ids[j]])
        total += megabytes[name]
    }
    if (sources) print total + 0
}
