# Particles that another program computes: how it is started, and what is said if it cannot be, or ends. The program here is a
# script; the real one: test_engine_mpi.
. "$(dirname "$0")/expect.sh"

pile() { # pile NAME MORE
    cat >"$1.mo" <<END
model $1 "Beads fall on the ground"
  import Rattleback.*;
  inner World world(g = 9.81, n = {0, 0, -1});
  Parts.Solid ground(shape = Shapes.HalfSpace(), fixed = true);
  Particles.Grid beads(n = 2, low = {0, 0, 0.01}, high = {0.1, 0.1, 0.1}, E = 5e6$2);
  annotation(experiment(StopTime = 0.003, Interval = 0.001));
end $1;
END
}
pile Pile ""
mkdir -p alone bin
cp "$program" alone/rattleback # without the engine beside it
program=$PWD/alone/rattleback

# No program of this name anywhere.
PATH_BEFORE=$PATH
PATH=$PWD/bin
export PATH
/usr/bin/env PATH="$PWD/bin" "$program" simulate Pile.mo --quiet --engine liggghts >stdout.txt 2>stderr.txt
code=$?
PATH=$PATH_BEFORE
is "exit code without the program" $code 2
/bin/grep -q 'install openmpi-bin and liggghts, and rattleback-mpi beside rattleback' stderr.txt || complain "missing program: $(cat stderr.txt)"

# It ends before it has said a word, with a reason or without, or is killed.
fake() {
    printf '#!/bin/sh\n%s\n' "$1" >bin/rattleback-mpi
    chmod +x bin/rattleback-mpi
}
PATH=$PWD/bin:$PATH
export PATH
fake 'echo started; echo "ERROR: out of range atoms (../domain.cpp:1)"; echo later; exit 1'
expect 6 "*rattleback-mpi ended after t = 0 s (its messages are in 'liggghts/output.txt': ERROR: out of range atoms*" simulate Pile.mo --quiet --engine liggghts
fake 'kill -9 $$'
expect 6 "*rattleback-mpi was killed after t = 0 s (its messages are in 'job/output.txt'*" simulate Pile.mo --quiet --engine liggghts --engine-folder job
# mpirun refuses root: the cause is told with its remedy. It gets the ranks.
printf '#!/bin/sh\necho "$@" >said.txt\nprintf "mpirun has detected an attempt to run as root.\\n\\nwe strongly suggest otherwise\\n"\nexit 1\n' >bin/mpirun
chmod +x bin/mpirun
expect 6 "*attempt to run as root. Set OMPI_ALLOW_RUN_AS_ROOT=1 *" simulate Pile.mo --quiet --engine liggghts --ranks 2 --output-file root.csv
grep -q -- '-np 2 rattleback-mpi --serve rattleback-' said.txt || complain "mpirun got: $(cat said.txt)"
# Somebody else's folder.
: >file
expect 6 "*cannot make the folder 'file/job'*" simulate Pile.mo --quiet --engine liggghts --engine-folder file/job

# The job for a cluster: the command as it was typed, with the engine's program. Slurm is a script here.
expect 0 "job: job/job.sh (submit it with *sbatch job/job.sh*" simulate Pile.mo --engine liggghts --ranks 3 --engine-folder job --engine-input --output-file "it's.csv"
grep -q '^#SBATCH --ntasks=3$' job/job.sh && sh -n job/job.sh || complain "the job: $(cat job/job.sh)"
printf '#!/bin/sh\necho "$@" >said.txt\n' >bin/mpirun
sh job/job.sh
is "what mpirun is asked for" "$(cat said.txt)" "--mca mpi_yield_when_idle 1 -np 3 $PWD/alone/rattleback-mpi simulate Pile.mo --output-file=it's.csv"
printf '#!/bin/sh\n[ "$1 $2" = "--wait liggghts/job.sh" ] && echo "rattleback: error: no such thing [model]" >liggghts/job.txt\nexit 4\n' >bin/sbatch
chmod +x bin/sbatch
expect 6 "*liggghts/job.txt*the job ended with exit code 4: rattleback: error: no such thing*" simulate Pile.mo --engine liggghts --engine-submit
expect 2 "*add --engine liggghts*" simulate Pile.mo --engine-submit

# Wrong options, and what it cannot do.
expect 2 "*no engine for particles named 'lammps': there are own and liggghts*" simulate Pile.mo --quiet --engine lammps
expect 2 "*'--ranks' is a whole number*" simulate Pile.mo --quiet --engine liggghts --ranks 0
finish
