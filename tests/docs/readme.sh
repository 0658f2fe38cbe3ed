# sh readme.sh SOURCE-FOLDER PROGRAM: the commands of the README after the two that build everything, as they stand there.
source=$1 program=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
mkdir -p build/release
ln -s "$program" build/release/rattleback
ln -s "$source/include" "$source/examples" "$source/docs" .
awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0; next } inside && !/^\.\/(run|test)/' "$source/README.md" >commands.sh
awk '/^```modelica$/ { inside = 1; next } /^```/ { inside = 0; next } inside' "$source/README.md" >Ball.mo
[ -s commands.sh ] || { echo "no commands found" >&2; exit 1; }
sh -eux commands.sh 2>said.txt || { cat said.txt >&2; exit 1; }

for file in Ball.csv Ball.svg billiards_res.svg; do
    [ -s $file ] || { echo "the README writes no $file" >&2; exit 1; }
done

# What it names is there.
failures=0
for link in $(grep -o '](\([^)]*\))' "$source/README.md" | sed 's/](\(.*\))/\1/' | grep -v '^http'); do
    [ -e "$source/$link" ] || { echo "README.md names $link, which is not there" >&2; failures=1; }
done
exit $failures
