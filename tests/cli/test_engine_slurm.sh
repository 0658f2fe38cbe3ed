# label: full
# A simulation whose particles are computed by rattleback-mpi as a job of Slurm: a controller and a node of our own on this machine. The
# result is that of the same run without Slurm; a job that fails is told with its own words.
. "$(dirname "$0")/expect.sh"
. "$(dirname "$0")/slurm.sh"
[ -x "$(dirname "$program")/rattleback-mpi" ] || { echo "skipped: rattleback-mpi was not built (libliggghts-dev and libopenmpi-dev, tools/packages-full)"; exit 0; }
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 # tests run in containers
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
start_slurm

drum="$source/examples/modelica/Granular.mo Granular.Drum --stop-time 0.02 --output-interval 0.01"
# shellcheck disable=SC2086 # words
"$program" simulate $drum --quiet --engine liggghts --ranks 2 --output-file here.csv 2>stderr.txt || complain "$(cat stderr.txt)"
# shellcheck disable=SC2086
"$program" simulate $drum --quiet --engine liggghts --ranks 2 --engine-submit --output-file there.csv >stdout.txt 2>stderr.txt ||
    complain "the job: $(cat stderr.txt liggghts/job.txt 2>/dev/null)"
cmp -s here.csv there.csv || complain "Slurm gives another result"
# It fails there: an output file that cannot be.
# shellcheck disable=SC2086
"$program" simulate $drum --quiet --engine liggghts --ranks 2 --engine-submit --override nobody=1 --output-file none.csv >stdout.txt 2>stderr.txt
is "exit code of a job that fails" $? 6
grep -q "the job ended with exit code .*nobody" stderr.txt || complain "a job that fails: $(cat stderr.txt)"
finish
