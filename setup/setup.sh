# shellcheck shell=sh
# Sourced by serbench and check: installs what is missing, once, and says before what that is.
# In: $root, the project's folder, and $more_packages, a file that names further Debian packages, or nothing.
# Out: $python, which has the packages of the lock.

log="${root:?}/.cache/setup.log"
packages_stamp="$root/.cache/setup-packages"
parts_stamp="$root/.cache/setup-parts"
python_stamp="$root/.venv/serbench-locks"
lock_file="$root/.cache/setup.lock"
yes=no install=yes complete=yes languages=,all new_parts='' more_packages=
# What the wheels of the two locks come to, in megabytes.
base_mb=95 dev_mb=30

say() { printf 'serbench: %s\n' "$*" >&2; }
die() { say "$*"; exit 2; }

# Runs a command into the log, with one line on the terminal, which ends with $on_failure if it fails: step WHAT COMMAND...
on_failure=
step() {
    what=$1; shift
    began=$(date +%s)
    printf 'serbench: %s ... ' "$what" >&2
    printf '\n== %s: %s\n' "$what" "$*" >>"$log"
    if "$@" </dev/null >>"$log" 2>&1 9>&-; then
        printf 'done (%s s)\n' "$(($(date +%s) - began))" >&2
    else
        printf 'failed%s\n' "$on_failure" >&2
        return 1
    fi
}

show_log() { tail -n 12 "$log" | sed 's/^/    /' >&2; }

# Sets $python to one that is new enough and can make environments: that of SERBENCH_PYTHON, or one that is found.
find_python() {
    if [ -n "${SERBENCH_PYTHON:-}" ]; then
        set -- "$SERBENCH_PYTHON"
    else
        set -- python3 python3.14 python3.13 python3.12 python3.11
    fi
    for python in "$@"; do
        "$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && return
    done
    python=
    return 1
}

# Whether the command is about microcontrollers alone, which need none of the packages that bring libraries:
# setup PLATFORM..., or --platform PLATFORM,...
is_for_microcontrollers() {
    names='' previous='' command=''
    for argument in "$@"; do
        case $previous,$argument in
        *,--platform=*) names=${argument#*=} ;;
        --platform,*) names=$argument ;;
        *,-*) ;;
        *) [ "$command" != setup ] || names="$names $argument"; command=${command:-$argument} ;;
        esac
        previous=$argument
    done
    [ -n "$names" ] || return 1
    for name in $(printf '%s' "$names" | tr ',' ' '); do
        grep -qsE '^kind *= *"(microcontroller|board)"' "$root/platforms/$name/platform.toml" || return 1
    done
}

# Prints the languages of the contenders that one of these names or patterns means, each after a comma.
languages_of() {
    awk 'FNR == 1 { n = split(FILENAME, path, "/"); known[++files] = path[n - 2] "/" path[n - 1] }
        /^name *=/ { split($0, part, "\""); name[files] = tolower(part[2]) }
        END { for (i = 1; i <= files; i++) print known[i] "|" name[i] }' "$root"/contenders/*/*/contender.toml |
        while IFS='|' read -r folder name; do
            set -f
            IFS=,
            for pattern in $(printf '%s' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/ *, */,/g'); do
                for word in "$folder" "${folder#*/}" "${name:-$folder}"; do
                    # shellcheck disable=SC2254 # a pattern
                    case $word in $pattern) printf '%s\n' "${folder%/*}" ;; esac
                done
            done
        done | sort -u | sed 's/^/,/' | tr -d '\n'
}

# Prints the languages whose packages and parts this command needs, each after a comma: those of --languages, else
# those of the contenders that --contenders names; `firmware` for microcontrollers alone; else `all`, but if the
# command measures nothing, those that are set up.
chosen_languages() {
    chosen='' named='' previous='' command=''
    for argument in "$@"; do
        case $previous,$argument in
        *,--languages=*) chosen=$chosen,${argument#*=} ;;
        --languages,*) chosen=$chosen,$argument ;;
        *,--contenders=*) named=$named,${argument#*=} ;;
        --contenders,*) named=$named,$argument ;;
        *,-*) ;;
        *) command=${command:-$argument} ;;
        esac
        previous=$argument
    done
    if is_for_microcontrollers "$@"; then
        chosen=,firmware
    elif [ -z "$chosen" ] && [ -n "$named" ]; then
        chosen=$(languages_of "$named")
    elif [ -z "$chosen" ]; then
        case $command in
        run | resume | repeat | count | verify | compare | growth | conformance | fidelity | limits | strict | board | join) ;;
        *) chosen=$(sed -n 's/^[0-9]* [0-9]* /,/p' "$packages_stamp" 2>/dev/null | sort -u | tr -d '\n') ;;
        esac
    fi
    printf '%s' "${chosen:-,all}" | tr -d ' ' | tr -s ,
}

of_manifests() { awk -v languages="$languages" "$@" "$root"/harness/*/harness.toml "$root"/contenders/*/*/contender.toml; }

# Prints the Debian packages that are needed and what for, a line each: package|what.
wanted_packages() {
    {
        of_manifests -f "$root/setup/packages.awk"
        [ -z "$more_packages" ] || sed 's/ *#.*//; /^$/d; s/$/|the tests/' "$more_packages"
        find_python || printf '%s|serbench itself\n' python3 python3-venv
    } | awk -F '|' '!seen[$1]++'
}

# Whether the packages of all languages of the command are installed, by the manifests as they are.
has_languages() {
    grep -qsxF "$wanted all" "$packages_stamp" && return
    for language in $(printf '%s' "$languages" | tr ',' ' '); do
        grep -qsxF "$wanted $language" "$packages_stamp" || return 1
    done
}

note_languages() {
    known=$(grep -sF "$wanted " "$packages_stamp")
    { printf '%s\n' "$known"; printf '%s' "$languages" | tr ',' '\n' | sed "s/.\{1,\}/$wanted &/"; echo; } |
        sed '/^$/d' | sort -u >"$packages_stamp"
}

# Reads names from standard input, prints those that are not installed.
not_installed() {
    while read -r name; do
        # shellcheck disable=SC2016 # dpkg-query's own variables
        case $(dpkg-query -W -f '${db:Status-Abbrev}' "$name" 2>/dev/null) in
        ii*) ;;
        *) printf '%s\n' "$name" ;;
        esac
    done
}

# Reads names from standard input, prints those that this system's apt can install.
known_to_apt() {
    LC_ALL=C xargs apt-cache policy 2>/dev/null |
        awk '/^[^ ]/ { sub(/:$/, ""); name = $0 } $1 == "Candidate:" && $2 != "(none)" { print name }'
}

one_line() { tr '\n' ' ' | sed 's/ $//'; }

# Sets $sudo to what makes a command run as root; fails if nothing does.
find_privileges() {
    sudo=
    [ "$(id -u)" = 0 ] && return
    command -v sudo >/dev/null || return 1
    sudo=sudo
    if [ -t 0 ]; then sudo -v; else sudo -n true 2>/dev/null; fi
}

apt_install() {
    # shellcheck disable=SC2086 # $sudo is one word or none
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        -o DPkg::Lock::Timeout=120 "$@"
}

# Sets $missing to the Debian packages to be installed, as far as this system has them.
plan_packages() {
    missing=
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        for program in $(wanted_packages | sed 's/|.*//' | grep -xE 'gcc|g[+][+]|make|cmake|pkg-config|git'); do
            command -v "$program" >/dev/null || missing="$missing $program"
        done
        if [ -n "$missing" ]; then
            say "this system has no apt-get; install yourself what is missing:$missing"
            missing="" complete=no
        fi
        return
    fi
    absent=$(wanted_packages | sed 's/|.*//' | sort | not_installed)
    [ -n "$absent" ] || return 0
    missing=$(printf '%s\n' "$absent" | known_to_apt)
    if [ "$missing" != "$absent" ] && [ $install = yes ] && find_privileges; then
        # Another release's names are among those that apt does not know; its lists may just be missing too.
        # shellcheck disable=SC2086
        step "reading the lists of Debian packages" $sudo apt-get update || true
        missing=$(printf '%s\n' "$absent" | known_to_apt)
        [ -n "$missing" ] || say "apt has none of these: $(printf '%s' "$absent" | one_line)"
    fi
    missing=$(printf '%s' "$missing" | one_line)
    if [ -n "$missing" ] && [ $install = no ]; then
        say "not installed (--no-install): $missing"
        missing=
    elif [ -n "$missing" ] && ! find_privileges; then
        say "neither root nor sudo: what needs them is left out until somebody runs: apt-get install --no-install-recommends $missing"
        missing="" complete=no
    fi
}

# Whether this command needs parts of the languages that it is about: run and verify do, but not with a version
# of a library.
measures() {
    command=''
    for argument in "$@"; do
        case $argument in
        --use* | --help) return 1 ;;
        -*) ;;
        *) command=${command:-$argument} ;;
        esac
    done
    case $command in run | verify) ;; *) return 1 ;; esac
}

# Whether the first version that standard input has is this one or a newer one: is_version LEAST.
is_version() {
    awk -v least="$1" '
        found == "" { for (i = NF; i > 0; i--) if ($i ~ /^v?[0-9]/) { found = $i; sub(/^v/, "", found) } }
        END {
            n = split(least, wanted, ".")
            split(found, has, ".")
            for (i = 1; i < n && has[i] + 0 == wanted[i] + 0; i++);
            exit found == "" || has[i] + 0 < wanted[i] + 0
        }'
}

# Sets $new_parts to the parts that the languages of this command need and nobody has been asked about yet, a line each:
# name|what it is|megabytes to download|and on the disk.
plan_parts() {
    new_parts=''
    [ $install = yes ] && measures "$@" || return 0
    known_parts=$(awk -f "$root/setup/parts.awk" "$root"/setup/*.toml "$root"/harness/*/harness.toml \
        "$root"/contenders/*/*/contender.toml 2>/dev/null)
    while IFS='|' read -r name ids folder probe title mb disk more_mb more_disk; do
        [ -n "$name" ] && ! grep -qsxF "$name" "$parts_stamp" || continue
        asked=no
        for id in $(printf '%s' "$ids" | tr ',' ' '); do
            case "$languages," in *",$id,"* | ,all,) asked=yes ;; esac
        done
        [ $asked = yes ] || continue
        # shellcheck disable=SC2086 # a program, its option and a version
        set -- $probe
        if [ $# = 3 ] && "$1" "$2" 2>/dev/null | is_version "$3" ||
            [ -e "$root/.cache/$folder/serbench-lock" ]; then
            mb=0 disk=0 title='packages of the libraries'
            [ "$more_mb" -gt 0 ] || continue
        elif [ "$more_mb" -gt 0 ]; then
            title="${title:+$title and }packages of the libraries"
        fi
        new_parts="$new_parts$name|$title|$((mb + more_mb))|$((disk + more_disk))
"
    done <<END
$known_parts
END
}

# A line of the table: megabytes to download, and what.
size_line() { printf '%9s MB  %s\n' "$1" "$2" >&2; }

# Whether somebody is there who can be asked.
asks() { [ $yes = no ] && [ -t 0 ] && [ -t 2 ]; }

# Says what will be installed and how large it is, and on a terminal asks, also which parts to leave out.
announce() {
    say "this will be installed (megabytes to download, and what):"
    if [ -n "$missing" ]; then
        # shellcheck disable=SC2086
        size=$(LC_ALL=C apt-get install --print-uris -qq -y --no-install-recommends $missing 2>/dev/null |
            awk '{ n++; bytes += $3 } END { printf "%.0f %d", bytes / 1e6, n }')
        size_line "${size% *}" "Debian packages, ${size#* } with what they need"
        wanted_packages | awk -F '|' -v missing=" $missing " '
            index(missing, " " $1 " ") { if (!($2 in names)) order[++n] = $2; names[$2] = names[$2] " " $1 }
            END { for (i = 1; i <= n; i++) print "for " order[i] ":" names[order[i]] }' |
            fold -s -w 64 | sed 's/^/              /' >&2
    fi
    for lock in $missing_locks; do
        mb=$base_mb
        [ "$lock" = requirements.lock ] || mb=$dev_mb
        number=$(sed -n '/win32/d; s/^\([a-z0-9-]*\)==.*/\1/p' "$root/$lock" | sort -u | wc -l)
        size_line "$mb" "Python packages, $number of $lock, into .venv"
    done
    sources_mb=$(of_manifests -v sources=1 -f "$root/setup/packages.awk")
    [ -z "$missing$missing_locks" ] || [ "$sources_mb" = 0 ] ||
        size_line "$sources_mb" "or less: sources of the libraries that are measured, into .cache"
    names=''
    while IFS='|' read -r name title mb disk; do
        [ -n "$name" ] || continue
        names="$names $name"
        size_line "$mb" "$name: $title ($disk MB on the disk)"
    done <<END
$new_parts
END
    asks || return 0
    while :; do
        printf 'Install? [Y/n%s] ' "${names:+, or parts to leave out:$names}" >&2
        read -r answer || answer=n
        case $answer in
        '' | [yY] | [yY]es) return ;;
        [nN] | [nN]o)
            [ -z "$missing$missing_locks" ] || die "nothing was installed; --no-install uses what is there"
            answer=$names
            ;;
        esac
        unknown=''
        for name in $answer; do
            case "$names " in *" $name "*) ;; *) unknown="$unknown $name" ;; esac
        done
        [ -n "$unknown" ] || break
        say "none of these parts:$unknown"
    done
    for name in $answer; do
        new_parts=$(printf '%s' "$new_parts" | grep -v "^$name|")
        printf '%s\n' "$name" >>"$parts_stamp"
        say "left out: $name; ./serbench setup $name installs it"
    done
}

install_packages() {
    # shellcheck disable=SC2086
    if step "installing Debian packages" apt_install $missing; then return; fi
    show_log
    failed=
    for name in $missing; do
        step "installing $name alone" apt_install "$name" || failed="$failed $name"
    done
    [ "$failed" != " $missing" ] || die "no Debian package could be installed: check the network, then start again (log: $log)"
    [ -z "$failed" ] || say "could not be installed, and will not be tried again:$failed (log: $log)"
}

install_python() {
    find_python || die "needs Python 3.11 or newer with its venv module, and finds $(python3 --version 2>&1): install one (on Debian 12 or newer: apt-get install python3 python3-venv)"
    # With another minor version of Python, or without a package that pip believes to be there, it is made anew.
    if [ -f "$python_stamp" ] && ! has_packages "$root/.venv/bin/python" || ! "$root/.venv/bin/python" -c 'import pip' 2>/dev/null; then
        step "making the Python environment .venv" "$python" -m venv --clear "$root/.venv" || {
            show_log
            die "the Python environment could not be made (log: $log)"
        }
    fi
    for lock in $missing_locks; do
        step "installing the Python packages of $lock" "$root/.venv/bin/python" -m pip install --no-input \
            --disable-pip-version-check --no-compile --retries 2 --no-deps --require-hashes -r "$root/$lock" || {
            show_log
            die "the Python packages could not be installed: check the network, or name a mirror (PIP_INDEX_URL) or a proxy (https_proxy), then start again (log: $log)"
        }
        # The development lock holds all of the other one, which must come anew after a change.
        [ "$lock" != requirements.lock ] || : >"$python_stamp"
        cksum <"$root/$lock" >>"$python_stamp"
    done
}

# Each part once, whether that succeeds or not: rows that need it say what to do.
install_parts() {
    while IFS='|' read -r name _; do
        [ -n "$name" ] || continue
        on_failure=": ./serbench setup $name says why and tries again"
        step "installing $name" env PYTHONPATH="$root/src${PYTHONPATH:+:$PYTHONPATH}" \
            "$root/.venv/bin/python" -m serbench setup --yes "$name" || true
        on_failure=
        printf '%s\n' "$name" >>"$parts_stamp"
    done <<END
$new_parts
END
}

# Whether a Python is new enough and finds what serbench imports.
has_packages() {
    "$1" -c 'import importlib.util, msgspec, sys
names = "jinja2 numpy rich scipy typer zstandard".split()
sys.exit(sys.version_info < (3, 11) or not all(map(importlib.util.find_spec, names)))' 2>/dev/null
}

# Sets $missing_locks to those of $locks that .venv lacks, and $new_parts. Fails if nothing is missing.
plan() {
    plan_parts "$@"
    missing_locks=$locks
    if has_packages "$root/.venv/bin/python"; then
        missing_locks=
        for lock in $locks; do
            grep -qsxF "$(cksum <"$root/$lock")" "$python_stamp" || missing_locks="$missing_locks $lock"
        done
    fi
    ! has_languages || [ -n "$missing_locks$new_parts" ]
}

# Without installing: .venv as it is, or a Python that happens to have everything.
use_what_is_there() {
    for python in "$root/.venv/bin/python" python3; do
        has_packages "$python" && return
    done
    die "the Python packages of requirements.lock are not there: start once without --no-install"
}

# set_up LOCKS ARGUMENT...: everything above; looks for --yes and --no-install among the arguments.
set_up() {
    locks=$1; shift
    python="$root/.venv/bin/python" missing=''
    for argument in "$@"; do
        case $argument in
        --yes) yes=yes ;;
        --no-install) install=no ;;
        --help | --version) ! has_packages "$python" || return 0 ;; # what is new may wait for a command that needs it
        esac
    done
    case $root in *:*) die "the path of this clone, $root, has a colon, which separates paths for Python: move it" ;; esac
    [ -z "${SERBENCH_PYTHON:-}" ] || (find_python) ||
        die "SERBENCH_PYTHON names $SERBENCH_PYTHON, which is no Python 3.11 or newer with its venv module"
    wanted=$(cat "$root/setup/packages.awk" ${more_packages:+"$more_packages"} \
        "$root"/harness/*/harness.toml "$root"/contenders/*/*/contender.toml | cksum)
    [ -z "$more_packages" ] || packages_stamp="$packages_stamp-check"
    languages=$(chosen_languages "$@")
    plan "$@" || return 0
    # In a shell of its own: one that fails to open a file for a built-in command ends.
    (mkdir -p "$root/.cache" && : >>"$log" && : >>"$lock_file") 2>/dev/null ||
        die "cannot write to $log: make it a file that you may write, or clone serbench into a folder of your own"
    if command -v flock >/dev/null; then
        exec 9>>"$lock_file"
        flock -n 9 || { say "waiting for another set-up of this clone"; flock 9; }
    fi
    if plan "$@"; then
        has_languages || plan_packages
        set_up_planned
    fi
    exec 9>&-
}

# What is missing is known, and no other process sets up this clone.
set_up_planned() {
    if [ $install = no ]; then
        use_what_is_there
        return
    fi
    [ -z "$missing$missing_locks$new_parts" ] || announce
    [ -z "$missing" ] || install_packages
    [ -z "$missing_locks" ] || install_python
    [ $complete = no ] || note_languages
    python="$root/.venv/bin/python"
    install_parts
}
