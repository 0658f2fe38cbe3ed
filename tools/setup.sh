# Sourced by ./run and ./test: installs the missing Debian packages, configures and builds a preset.
# shellcheck shell=sh

say() { printf '%s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }

# install_packages LIST...: the package manager is not called when nothing is missing.
install_packages() {
    missing=""
    for line in $(cat "$@" | grep -v '^#'); do
        package=${line%|*}
        [ "$package" = "$line" ] || ! command -v "${line#*|}" >/dev/null || continue
        status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null) || status=""
        [ "$status" = "install ok installed" ] || missing="$missing $package"
    done
    [ -z "$missing" ] && return 0
    command -v apt-get >/dev/null || die "these packages are missing and there is no apt-get:$missing"
    as_root=""
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || die "please run this as root or install sudo; missing packages:$missing"
        as_root="sudo"
    fi
    say "Installing Debian packages:$missing"
    log=$(mktemp)
    if ! { $as_root apt-get update && $as_root env DEBIAN_FRONTEND=noninteractive \
           apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1; then
        tail -n 15 "$log" >&2
        die "could not install:$missing (is there a network, and the right to install?)"
    fi
    rm -f "$log"
}

# The last line of a growing log, again and again: [12/300] Building ...
show_last_line() {
    while sleep 1; do printf '\r\033[K%.76s' "$(tail -n 1 "$1")" >&2; done
}

# logged LOG COMMAND...: what it says goes to the log; on a terminal one sees how far it is.
logged() {
    log_file=$1
    shift
    watcher=""
    if [ -t 2 ]; then
        show_last_line "$log_file" &
        watcher=$!
    fi
    code=0
    "$@" >"$log_file" 2>&1 || code=$?
    if [ -n "$watcher" ]; then
        kill "$watcher" 2>/dev/null
        wait "$watcher" 2>/dev/null || true
        printf '\r\033[K' >&2
    fi
    return $code
}

# build PRESET [target ...]
build() {
    preset=$1
    shift
    say "Building ($preset)"
    log=$(mktemp)
    cmake --preset "$preset" >"$log" 2>&1 || { cat "$log" >&2; die "configuring failed"; }
    logged "$log" cmake --build "build/$preset" ${1:+--target "$@"} || { cat "$log" >&2; die "building failed"; }
    rm -f "$log"
}
