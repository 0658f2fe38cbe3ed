# Sourced by ./run and ./test: installs the missing Debian packages, configures and builds a preset.
# shellcheck shell=sh

say() { printf '%s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }

# install_packages LIST...: the package manager is not called when nothing is missing.
install_packages() {
    missing=""
    for package in $(cat "$@" | grep -v '^#'); do
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

# build PRESET [target ...]
build() {
    preset=$1
    shift
    say "Building ($preset)"
    log=$(mktemp)
    cmake --preset "$preset" >"$log" 2>&1 || { cat "$log" >&2; die "configuring failed"; }
    cmake --build "build/$preset" ${1:+--target "$@"} >"$log" 2>&1 || { cat "$log" >&2; die "building failed"; }
    rm -f "$log"
}
