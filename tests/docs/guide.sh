# sh guide.sh PAGE INCLUDE-FOLDER LIBRARY-FOLDER COMPILER [FLAGS...]
# Compile and run the C programs of a page (blocks ```c that have a main), and compare what they print with the ```output block
# that follows.
page=$1 include=$2 library=$3 compiler=$4
shift 4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

awk -v folder="$folder" '
    /^```c$/      { n++; file = folder "/" n ".c"; next }
    /^```output$/ { file = folder "/" n ".want"; printf "" > file; next }
    /^```/        { if (file) close(file); file = ""; next }
    file          { print > file }' "$page"

cd "$folder" || exit 1
failures=0 programs=0
for source in *.c; do
    name=${source%.c}
    grep -q '^int main' "$source" || continue
    programs=$((programs + 1))
    if ! "$compiler" -std=c11 -Wall -Wextra -Werror "$@" -I "$include" "$source" -o "$name" -L "$library" -lrattleback; then
        failures=$((failures + 1))
        continue
    fi
    LD_LIBRARY_PATH=$library "./$name" >"$name.got"
    code=$?
    [ $code -eq 0 ] || { echo "program $name ends with $code" >&2; failures=$((failures + 1)); }
    if [ -f "$name.want" ] && ! diff -u "$name.want" "$name.got" >&2; then failures=$((failures + 1)); fi
done
[ $programs -gt 0 ] || { echo "$page has no programs" >&2; exit 1; }
echo "$programs programs, $failures failures"
[ $failures -eq 0 ]
