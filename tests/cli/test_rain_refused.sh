# Rain into a box that is full: what finds no room is told once, counted in the results and in the summary.
. "$(dirname "$0")/expect.sh"

# A cup of 2 cm holds at most (0.02³ m³) 0.74 / (4/3 π 0.004³ m³) = 22 grains whose centres are in it: of 100 most find no room.
rain() { # rain NAME HEIGHT
    cat >"$1.mo" <<END
model $1 "Grains rain into a cup"
  import Rattleback.*;
  inner World world(g = 9.81, n = {0, 0, -1});
  Parts.Solid ground(shape = Shapes.Box(0.1, 0.1, 0.02), r = {0, 0, -0.01}, fixed = true);
  Parts.Solid side[4](each shape = Shapes.Box(0.02, 0.06, 0.1), r = {{0.02, 0, 0.05}, {-0.02, 0, 0.05}, {0, 0.02, 0.05}, {0, -0.02, 0.05}},
    angles = {{0, 0, 0}, {0, 0, 0}, {0, 0, Rattleback.pi/2}, {0, 0, Rattleback.pi/2}}, each fixed = true);
  Particles.Rain beads(n = 100, radius = 0.004, rate = 2000, low = {-0.01, -0.01, 0}, high = {0.01, 0.01, $2}, E = 1e6);
  annotation(experiment(StopTime = 0.1, Interval = 0.01));
end $1;
END
}
column() { awk -F, -v name="\"$2\"" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) k = i } END { print (k ? $k : "missing") }' "$1"; }

rain Full 0.02
expect 0 "Full.mo:*: warning: 'beads' finds no room for a grain at t = * s: * of 100 have come, and those that find none are left out (grains.refused counts them); let its box be larger*" \
    simulate Full.mo --quiet --output-file full.csv
is "warnings" "$(grep -c warning stderr.txt)" 1
came=$(column full.csv grains.count) refused=$(column full.csv grains.refused)
is "those that came and those that did not" $((came + refused)) 100
[ "$came" -le 22 ] && [ "$came" -ge 5 ] || complain "$came grains in the cup"
# What the warning tells: none had been refused before.
told=$(sed -n 's/.* s: \([0-9]*\) of 100 have come.*/\1/p' stderr.txt)
[ "$told" -le "$came" ] && [ "$told" -ge 1 ] || complain "told $told of $came"
expect 0 "*$refused particles of rain found no room and did not come*" simulate Full.mo --output-file full.csv
expect 0 "*" simulate Full.mo --summary json --output-file full.csv
grep -q "\"particles_refused\":$refused[,}]" stdout.txt stderr.txt || complain "summary: $(cat stdout.txt stderr.txt)"
# A run that is resumed after that does not tell it again, and counts on.
expect 0 "*finds no room*" simulate Full.mo --quiet --checkpoint-interval 0.06 --output-file whole.csv
cp whole.csv first.csv
expect 0 "" simulate Full.mo --quiet --checkpoint-interval 0.06 --resume whole.rbc --output-file whole.csv
cmp first.csv whole.csv || complain "the resumed run differs"

# Where there is room nothing is said.
rain Room 2
expect 0 "" simulate Room.mo --quiet --output-file room.csv
is "refused where there is room" "$(column room.csv grains.refused)" 0
is "came where there is room" "$(column room.csv grains.count)" 100
finish
