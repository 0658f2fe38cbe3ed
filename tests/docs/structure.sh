# label: fast
# The rooms of the house: a folder of src/ includes only folders above it in the table of docs/architecture.md, every folder
# stands in that table, a type name means one thing, and no results of runs lie at the root.
set -u
cd "$1" || exit 1
failed=0
complain() { echo "$1" >&2; failed=1; }

order=$(sed -n '/^| folder |/,/^$/s/^| `\([a-z_]*\)` |.*/\1/p' docs/architecture.md)
[ "$(echo "$order" | wc -l)" -ge 15 ] || complain "docs/architecture.md has no table of folders"
for folder in src/*/; do
    folder=$(basename "$folder")
    echo "$order" | grep -qx "$folder" || complain "src/$folder is not in the table of docs/architecture.md"
done

against=$(grep -rnE '^#include "[a-z_]+/' src --include='*.[ch]' | awk -v order="$(echo "$order" | tr '\n' ' ')" '
    BEGIN { n = split(order, name, " "); for (i = 1; i <= n; i++) rank[name[i]] = i }
    { split($0, part, ":"); split(part[1], path, "/"); from = path[2]
      include = $0; sub(/.*#include "/, "", include); sub(/\/.*/, "", include)
      if (from in rank && include in rank && rank[include] > rank[from]) print part[1] ":" part[2] " includes " include "/" }')
[ -z "$against" ] || complain "includes against the order of the layers:
$against"

twice=$(grep -rhoE '^(typedef )?(struct|enum|union) Rb[A-Za-z0-9]+ \{|^typedef RB_ARRAY\(.*\) Rb[A-Za-z0-9]+;' src include --include='*.h' |
    sed -E 's/;$//; s/ \{$//; s/.* //' | sort | uniq -d)
[ -z "$twice" ] || complain "type names with two meanings: $twice"

if git rev-parse --git-dir >/dev/null 2>&1; then
    stray=$(git ls-files | grep -E '^[^/]+\.(mat|csv|rbj|rbc|svg|html|png|log)$')
    [ -z "$stray" ] || complain "results of runs at the root: $stray"
fi
exit $failed
