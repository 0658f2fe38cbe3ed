# label: fast
# The rooms of the house: a folder of src/ includes only folders above it in the table of docs/architecture.md, every folder
# stands in that table, a type name and the name of a header mean one thing, the command includes nothing of src/, every function has
# a caller in the product, and no results of runs lie at the root.
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

twice=$(find src -name '*.h' | sed 's,.*/,,' | sort | uniq -d)
[ -z "$twice" ] || complain "headers of one name in two folders: $twice"

twice=$(grep -rhoE '^(typedef )?(struct|enum|union) Rb[A-Za-z0-9]+ \{|^typedef RB_ARRAY\(.*\) Rb[A-Za-z0-9]+;' src include --include='*.h' |
    sed -E 's/;$//; s/ \{$//; s/.* //' | sort | uniq -d)
[ -z "$twice" ] || complain "type names with two meanings: $twice"

# The command is a client of the public interface: its sources include rattleback/*.h, each other and standard headers.
for header in $(grep -hoE '^#include ".*"' cli/*.[ch] | sed 's/.*"\(.*\)"/\1/' | sort -u); do
    case $header in
        rattleback/*) [ -f "include/$header" ] || complain "cli/ includes $header, which is not in include/" ;;
        *) [ -f "cli/$header" ] || complain "cli/ includes $header: the command uses include/rattleback only" ;;
    esac
done
inner=$(grep -nE '^#include <(sundials|cjson|cvode|[a-z_]+/[a-z_0-9]+[.]h>)' cli/*.[ch] | grep -v '<sys/')
[ -z "$inner" ] || complain "cli/ includes headers of others: $inner"

# Functions that no other function of src/, cli/, mpi/ or scenes/ names.
unreached() {
    find src cli mpi scenes include -name '*.[ch]' -print0 | xargs -0 awk '
        FNR == 1 { header = FILENAME ~ /\.h$/; inner = FILENAME ~ /^src\// }
        { line = $0; sub(/\/\/.*/, "", line)
          if (header && inner && line ~ /^[A-Za-z].*[ *]rb_[a-z0-9_]+\(/ && line !~ /static inline/) {
              name = line; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name); declared[name] = 1 }
          while (match(line, /rb_[a-z0-9_]+/)) { seen[substr(line, RSTART, RLENGTH)]++; line = substr(line, RSTART + RLENGTH) } }
        END { for (name in declared) if (seen[name] <= 2) print name }' | sort
}
# Those that may be: what tests look into or build their cases with.
known='rb_ast_print rb_box_tree_cost rb_box_tree_valid rb_cloud_hash rb_factors_count rb_flat_real rb_islands_count rb_nonlinear_stats
rb_sim_run rb_small_kind rb_small_options rb_solver_advance rb_solver_interpolate_derivative rb_stl_write_ascii rb_team_size'
# What waits for its door: places where particles leave.
waiting='rb_cloud_remove'
alone=$(unreached)
for name in $alone; do
    echo "$known $waiting" | tr ' ' '\n' | grep -qx "$name" || complain "nothing in src/, cli/, mpi/ or scenes/ calls $name: give it a door or remove it"
done
for name in $known; do
    echo "$alone" | grep -qx "$name" || complain "$name has a caller or is gone: take it from the list of this test"
done

# Structs with default values have one idiom: rb_x_default.
other=$(grep -nE '^RB_API Rb[A-Za-z]+ rb_[a-z_]+\(void\)' include/rattleback/*.h | grep -v '_default(void)')
[ -z "$other" ] || complain "defaults that are not called rb_x_default: $other"

if git rev-parse --git-dir >/dev/null 2>&1; then
    stray=$(git ls-files | grep -E '^[^/]+\.(mat|csv|rbj|rbc|svg|html|png|log)$')
    [ -z "$stray" ] || complain "results of runs at the root: $stray"
fi
exit $failed
