# VTK files of particles, and what a progress line tells of them.
. "$(dirname "$0")/expect.sh"

cat >Fall.mo <<'END'
model Fall
  import Rattleback.*;
  inner World world(g = 9.81, n = {0, 0, -1});
  Parts.Solid ground(shape = Shapes.Box(0.4, 0.4, 0.02), r = {0, 0, -0.01}, fixed = true);
  Particles.Grid beads(n = 30, low = {-0.05, -0.05, 0.01}, high = {0.05, 0.05, 0.2}, step = 1e-5);
  annotation(experiment(StopTime = 0.02, Interval = 0.005));
end Fall;
END
frames() { grep -c '<DataSet' "$1"; }

expect 0 "*\"particles\":30,\"particle_steps\":*" simulate Fall.mo --particle-files out --progress json --output-file fall.csv
# The last line: all have made all of the 2,000 steps, and at most an exchange of 50 more.
steps=$(grep particle_steps stderr.txt | tail -1 | sed 's/.*"particle_steps":\([0-9]*\).*/\1/')
{ [ "$steps" -ge 60000 ] && [ "$steps" -le 61500 ]; } || complain "particle-steps: $steps"
is "frames" "$(frames out/grains.pvd)" 5
is "frames of contacts" "$(frames out/contacts.pvd)" 5
is "particles in a frame" "$(grep -ac 'NumberOfPoints="30"' out/grains_000004.vtp)" 1

# A run that is resumed adds the frames that are missing.
expect 0 "*" simulate Fall.mo --quiet --particle-files whole --checkpoint-interval 0.012 --output-file whole.csv
cp -r whole parts
rm parts/*_00000[34].vtp
sed -i '/_00000[34]/d' parts/*.pvd
expect 0 "*" simulate Fall.mo --quiet --particle-files parts --checkpoint-interval 0.012 --resume whole.rbc --output-file whole.csv
diff -r whole parts || complain "frames of a resumed run differ"

# A run goes on with the particles that it has: those of a file that has changed are not taken, nor passed over in silence.
cat >Read.mo <<'END'
model Read
  import Rattleback.*;
  inner World world(g = 9.81, n = {0, 0, -1});
  Parts.Solid ground(shape = Shapes.Box(0.4, 0.4, 0.02), r = {0, 0, -0.01}, fixed = true);
  Particles.File beads(fileName = "beads.csv");
  annotation(experiment(StopTime = 0.02, Interval = 0.005));
end Read;
END
printf '0,0,0.02,0.005\n0,0,0.04,0.005\n' >beads.csv
expect 0 "*" simulate Read.mo --quiet --checkpoint-interval 0.012 --output-file read.csv
cp read.csv before.csv
expect 0 "*" simulate Read.mo --quiet --checkpoint-interval 0.012 --resume read.rbc --output-file read.csv
diff before.csv read.csv || complain "a resumed run of particles of a file differs"
sed -i 's/0.04/0.05/' beads.csv
expect 2 "*Read.mo:5:*the particles 'beads' are not those that it was written with; resume with the old file or list*" \
    simulate Read.mo --quiet --checkpoint-interval 0.012 --resume read.rbc --output-file read.csv

expect 6 "*cannot make the folder '/proc/none/out'*" simulate Fall.mo --quiet --particle-files /proc/none/out --output-file no.csv
# What the journal keeps of them: as the model says, or the option, which comes first; as VTK files afterwards.
sed 's/n = {0, 0, -1})/n = {0, 0, -1}, particleResults = "place:1e-4", particleInterval = 0.01)/; s/Fall/Few/g' Fall.mo >Few.mo
expect 0 "" simulate Fall.mo --quiet --output-file fall.rbj
expect 0 "" simulate Few.mo --quiet --output-file few.rbj
expect 0 "" simulate Few.mo --quiet --particle-results none --output-file none.rbj
size() { wc -c <"$1"; }
{ [ "$(size none.rbj)" -lt "$(size few.rbj)" ] && [ "$(size few.rbj)" -lt "$(size fall.rbj)" ]; } || complain "sizes: $(size none.rbj) $(size few.rbj) $(size fall.rbj)"
expect 0 "" info Fall.mo
grep -q 'beads.kind' stdout.txt && complain "info lists the inner number of a filling: $(cat stdout.txt)"
expect 0 "" convert fall.rbj vtk.pvd
is "frames that were kept" "$(frames vtk.pvd)" 5
is "particles in a kept frame" "$(grep -ac 'NumberOfPoints="30"' vtk_000004.vtp)" 1
# Free fall of all from the first frame to the last: g t²/2 = 1.962 mm lower in the mean, in single precision and to 1e-4 m.
heights() { # heights FILE: of the points, whose array begins after its size at the offset that the head tells
    at=$(grep -a 'Name="place"' "$1" | sed 's/.*offset="\([0-9]*\)".*/\1/')
    start=$(grep -abo '<AppendedData encoding="raw">' "$1" | cut -d: -f1)
    od -An -v -tf4 -w12 -j $((start + 31 + at + 8)) -N 360 "$1" | awk '{ sum += $3 } END { printf "%.0f", 1e6 * sum / NR }'
}
fallen=$(($(heights vtk_000000.vtp) - $(heights vtk_000004.vtp)))
{ [ $fallen -ge 1961 ] && [ $fallen -le 1963 ]; } || complain "fallen: $fallen um"
expect 0 "" convert fall.rbj late.pvd --time 0.0199
is "frames of one time" "$(frames late.pvd)" 1
is "heights of one time" "$(heights late_000000.vtp)" "$(heights vtk_000003.vtp)"
expect 2 "fall.rbj: error: the time 7 s is outside of the result, which goes from 0 s to 0.02 s *" convert fall.rbj late.pvd --time 7
expect 2 "fall.csv: error: '--time' is for .obj, .ply, .stl, .glb and .pvd; this file has all times *" convert fall.rbj fall.csv --time 0.01
expect 2 "fall.pvd: error: '--variable-filter' is for .rbj, .csv and .mat; *" convert fall.rbj fall.pvd --variable-filter x
expect 0 "" convert few.rbj few.pvd
fallen=$(($(heights few_000000.vtp) - $(heights few_000004.vtp)))
{ [ $fallen -ge 1862 ] && [ $fallen -le 2062 ]; } || complain "fallen, rounded to 0.1 mm: $fallen um"
expect 2 "none.rbj: error: the result has no particles: *" convert none.rbj none.pvd
expect 2 "*'places' does not say what is recorded of particles: there is no 'places'; type none, or a list of place*" simulate Fall.mo --quiet --particle-results places --output-file wrong.rbj
finish
