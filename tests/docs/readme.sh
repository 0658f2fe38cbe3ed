# sh readme.sh SOURCE-FOLDER PROGRAM: the commands of the README after the two that build everything, as they stand there.
source=$1 program=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
mkdir -p build/release
ln -s "$program" build/release/rattleback
ln -s "$source/include" "$source/examples" "$source/docs" .
awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0; next } inside && !/^\.\/(run|test)/' "$source/README.md" >commands.sh
sh "$source/tools/readme-models" "$source/README.md"
[ -s commands.sh ] || { echo "no commands found" >&2; exit 1; }
sh -eux commands.sh 2>said.txt || { cat said.txt >&2; exit 1; }

for file in Ball.csv Ball.svg billiards_res.svg rack.rbj chain.rbj tray.rbj soft.rbj; do
    [ -s $file ] || { echo "the README writes no $file" >&2; exit 1; }
done

# What it says of the rattleback.
"$program" simulate rattleback --quiet --output-file r.csv || exit 1
awk -F , '
    NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "\"rattleback.w[3]\"") w = i; if ($i == "\"energy.residual\"") e = i; if ($i == "\"energy.kinetic\"") k = i } next }
    NR == 2 { first = $w; energy = $k }
    { if ($w < least) least = $w; d = $e < 0 ? -$e : $e; if (d > most) most = d }
    END { if (!(w && e && k && first == 5 && least > -2.85 && least < -2.75 && most < 1e-9 && energy > 9e-5 && energy < 1.1e-4))
              { print "the rattleback: " first ", " least " rad/s, " most " J of " energy; exit 1 } }' r.csv >&2 || exit 1

# What it says of the packing cell, and its pictures: small, and the first one moves.
[ "$(wc -l <"$source/examples/modelica/PackingCell.mo")" -le 154 ] || { echo "PackingCell.mo is longer than the README says" >&2; exit 1; }
first=$(grep -o '](docs/images/[^)]*)' "$source/README.md" | head -n 1 | sed 's/](\(.*\))/\1/')
grep -aq ANMF "$source/$first" || { echo "$first, the first picture of the README, is no animation" >&2; exit 1; }
for picture in $(grep -o '](docs/images/[^)]*)' "$source/README.md" | sed 's/](\(.*\))/\1/'); do
    [ "$(wc -c <"$source/$picture")" -le 300000 ] || { echo "$picture is larger than 300 kB" >&2; exit 1; }
done
[ "$(grep -c '^\./run' "$source/README.md")" -eq 1 ] || { echo "the README does not say once how to begin" >&2; exit 1; }

# What it names is there.
failures=0
for link in $(awk '/^```/ { inside = !inside } !inside' "$source/README.md" | grep -o '](\([^)]*\))' | sed 's/](\(.*\))/\1/' | grep -v '^http'); do
    [ -e "$source/$link" ] || { echo "README.md names $link, which is not there" >&2; failures=1; }
done
exit $failures
