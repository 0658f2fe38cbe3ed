# sh models.sh PAGE PROGRAM
# Run the commands of a page (```sh) on its files (```language name). A comment "x ends at 2.5" is checked against the last value of x in
# the file that the command writes; a command without one must succeed, and its --output-file be there.
page=$1 program=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
awk -v folder="$folder" '
    /^```sh$/                     { file = folder "/commands"; next }
    /^```[a-z]+ [A-Za-z.]+$/      { file = folder "/" $2; next }
    /^```/                        { file = ""; next }
    file                          { print > file }' "$page"
cd "$folder" || exit 1
XDG_CACHE_HOME=$folder/cache
export XDG_CACHE_HOME
rattleback() {
    case "$1" in
        simulate) "$program" "$@" --quiet ;;
        *) "$program" "$@" ;;
    esac
}
failures=0 checks=0
while IFS= read -r line; do
    eval "${line%%#*}" || { echo "failed: $line" >&2; failures=$((failures + 1)); continue; }
    name=$(printf '%s' "$line" | sed -n 's/.*# *\([^ ]*\) .*ends at .*/\1/p')
    want=$(printf '%s' "$line" | sed -n 's/.*ends at \([-+.0-9e]*\).*/\1/p')
    output=$(printf '%s' "$line" | sed -n 's/.*--output-file \([^ ]*\).*/\1/p')
    [ -z "$output" ] || [ -s "$output" ] || { echo "no $output: $line" >&2; failures=$((failures + 1)); }
    checks=$((checks + 1))
    [ -n "$want" ] || continue
    awk -F , -v name="\"$name\"" -v want="$want" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i }
        END { d = $column - want; if (!column || d > 1e-6 || d < -1e-6) { print name " ends at " $column ", not at " want; exit 1 } }
        ' "$output" >&2 || failures=$((failures + 1))
done <commands
[ $checks -gt 0 ] || { echo "$page has no commands" >&2; exit 1; }
echo "$checks checks, $failures failures"
[ $failures -eq 0 ]
