# Sourced by the tests of the command: expect CODE TEXT ARGUMENTS... runs the program and compares its exit code and what it
# writes to stderr (the whole text; "*" matches anything, "" means nothing is written).

program=$1
source=$2
compiler=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

complain() {
    printf '%s\n' "$*" >&2
    failures=$((failures + 1))
}

expect() {
    want_code=$1 want_text=$2
    shift 2
    "$program" "$@" >stdout.txt 2>stderr.txt </dev/null
    code=$?
    [ "$code" -eq "$want_code" ] || complain "rattleback $*: exit code $code, want $want_code: $(cat stderr.txt)"
    text=$(cat stderr.txt)
    # shellcheck disable=SC2254 # the pattern is meant to match
    case "$text" in
        $want_text) ;;
        *) complain "rattleback $*: said: $text
want: $want_text" ;;
    esac
}

# is WHAT VALUE WANTED
is() { [ "$2" = "$3" ] || complain "$1: got '$2', want '$3'"; }

finish() {
    [ "$failures" -eq 0 ] || { echo "$failures checks failed" >&2; exit 1; }
    exit 0
}
