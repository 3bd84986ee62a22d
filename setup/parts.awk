# Prints what each harness needs beside Debian packages, with | between: the name for ./serbench setup, the ids of its
# languages with commas, its folder in the cache, a command that prints the version of a program of the system that
# does as well and the least version, what it is, and megabytes to download and on the disk, of it and of what comes
# with it. Reads setup/*.toml, harness/*/harness.toml and contenders/*/*/contender.toml, in this order. A test compares
# this with what serbench itself reads there.
function quoted(line) { return match(line, /"[^"]*"/) ? substr(line, RSTART + 1, RLENGTH - 2) : "" }
function number(line) { sub(/^[^=]*=/, "", line); return line + 0 }
FNR == 1 {
    section = ""
    folders = split(FILENAME, path, "/")
    name = path[folders - (FILENAME ~ /\/setup\/[^\/]*$/ ? 0 : 1)]
    sub(/\.toml$/, "", name)
    kind = FILENAME ~ /\/setup\/[^\/]*$/ ? "part" : FILENAME ~ /\/harness\.toml$/ ? "harness" : "contender"
    language = path[folders - 2]
}
/^\[/ { section = $1 }
kind == "part" && /^title/ { title[name] = quoted($0); sub(/,.*/, "", title[name]) }
kind == "part" && /^folder/ { folder[name] = quoted($0) }
kind == "part" && /^least/ { least[name] = quoted($0) }
kind == "part" && /^version/ { version[name] = $0; sub(/^[^[]*\[/, "", version[name]); gsub(/[]",]/, " ", version[name]) }
kind == "part" && /^download-mb/ { download[name] = number($0) }
kind == "part" && /^disk-mb/ { disk[name] = number($0) }
kind == "harness" && section == "[languages]" && /=/ {
    sub(/ *=.*/, "", $1)
    ids[name] = ids[name] (ids[name] == "" ? "" : ",") $1
    of[$1] = name
}
kind == "harness" && section == "[toolchain]" && /^parts/ {
    line = $0
    while (match(line, /"[^"]*"/)) {
        part = substr(line, RSTART + 1, RLENGTH - 2)
        line = substr(line, RSTART + RLENGTH)
        if (name in first) needs[name, part] = 1; else { first[name] = part; order[++number_of] = name }
    }
}
kind == "harness" && section == "[toolchain]" && /^download-mb/ { more[name] += number($0) }
kind == "harness" && section == "[toolchain]" && /^disk-mb/ { more_disk[name] += number($0) }
kind == "contender" && /^part *=/ { needs[of[language], quoted($0)] = 1 }
END {
    # Packages by a lock need no toolchain: the harness then stands for itself.
    for (name in more) if (!(name in first)) { first[name] = name; order[++number_of] = name }
    for (both in needs) {
        split(both, pair, SUBSEP)
        if (pair[1] == "" || pair[2] == first[pair[1]]) continue
        more[pair[1]] += download[pair[2]]
        more_disk[pair[1]] += disk[pair[2]]
    }
    for (i = 1; i <= number_of; i++) {
        name = order[i]; part = first[name]
        probe = least[part] == "" ? "" : version[part] " " least[part]
        printf "%s|%s|%s|%s|%s|%d|%d|%d|%d\n", part, ids[name], folder[part], probe, title[part], download[part], \
            disk[part], more[name], more_disk[name]
    }
}
