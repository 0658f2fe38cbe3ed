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
finish
