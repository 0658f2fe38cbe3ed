#!/bin/sh
# The command `flexible`: mass of a box, number of modes with and without frames, messages, exit codes.
program=$1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
fail() {
    echo "$1" >&2
    exit 1
}

# A box of 400 x 20 x 10 mm, 8 bricks of six tetrahedra.
awk 'BEGIN {
    n = 8; split("1 2 4 8 1 4 3 8 1 3 7 8 1 7 5 8 1 5 6 8 1 6 2 8", path, " ")
    print "*NODE"
    for (x = 0; x <= n; x++) for (k = 0; k < 4; k++) printf "%d, %g, %g, %g\n", 4 * x + k + 1, 400 * x / n, 20 * (k % 2), 10 * int(k / 2)
    print "*ELEMENT, TYPE=C3D4"
    for (x = 0; x < n; x++) for (t = 0; t < 6; t++) {
        line = ++e
        for (i = 1; i <= 4; i++) { c = path[4 * t + i] - 1; line = line ", " 4 * (x + c % 2) + int(c / 2) + 1 }
        print line
    }
    print "*NSET, NSET=root"; print "1, 2, 3, 4"
    print "*NSET, NSET=tip, GENERATE"; print 4 * n + 1 ", " 4 * n + 4
    print "*NSET, NSET=pin"; print "1, 5, 9"
}' >"$folder/box.inp"

"$program" flexible "$folder/box.inp" --scale 0.001 --density 5000 --modes 3 >"$folder/text" || fail "free box"
grep -q "^mass            0.4 kg" "$folder/text" || fail "mass: $(cat "$folder/text")"
grep -q "^centre of mass  {0.2, 0.01, 0.005} m" "$folder/text" || fail "centre: $(cat "$folder/text")"
grep -q "^modes           3 with 0 frames; 6 rigid ones removed" "$folder/text" || fail "free modes: $(cat "$folder/text")"
[ "$(grep -c " Hz$" "$folder/text")" = 3 ] || fail "free frequencies"

"$program" flexible "$folder/box.inp" root tip --scale 0.001 --modes 2 >"$folder/text" || fail "box with frames"
grep -q "^modes           8 with 2 frames" "$folder/text" || fail "modes: $(cat "$folder/text")"
grep -q "^node set        tip: 4 nodes" "$folder/text" || fail "sets: $(cat "$folder/text")"

refuse() {
    wanted=$1 code=$2
    shift 2
    "$program" flexible "$@" >"$folder/text" 2>&1
    got=$?
    [ $got = "$code" ] || fail "$*: exit code $got instead of $code"
    grep -q "$wanted" "$folder/text" || fail "$*: $(cat "$folder/text")"
}
refuse "the mesh has no node set 'hand'; it has 'root'" 2 "$folder/box.inp" hand
refuse "'pin' has 3 nodes, all on one line" 1 "$folder/box.inp" pin
refuse "a finite-element mesh is a file .msh" 2 "$folder/box.stl"
refuse "is not between -1 and 0.5" 2 "$folder/box.inp" --poisson 0.5
refuse "must be a whole number" 2 "$folder/box.inp" --modes 1.5
head -c 300 "$folder/box.inp" >"$folder/cut.inp"
refuse "cut.inp.*error" 6 "$folder/cut.inp"
echo "flexible: ok"
