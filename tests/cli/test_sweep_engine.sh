# label: normal
# A sweep on engines: the job of Slurm, by a stand-in for sbatch that runs the array as Slurm would; parts, collection, lost tasks.
# tests/cli/test_sweep_slurm.sh uses Slurm itself.
. "$(dirname "$0")/expect.sh"

cat > Decay.mo <<'EOT'
model Decay
  parameter Real k = 1;
  parameter String what = "a";
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
  assert(k < 2.9, "k has left its range");
end Decay;
EOT
mkdir bin
cat > bin/sbatch <<'EOT'
#!/bin/sh
[ "$1" = --wait ] || exit 9
last=$(sed -n 's/^#SBATCH --array=0-//p' "$2")
output=$(sed -n 's/^#SBATCH --output=//p' "$2")
for task in $(seq 0 "$last"); do
    [ "$task" = "$LOST" ] && continue
    SLURM_ARRAY_TASK_ID=$task sh "$2" >"$(echo "$output" | sed "s/%a/$task/")" 2>&1
done
EOT
chmod +x bin/sbatch
sweep() { # OPTIONS...: with a value that a shell would take apart
    "$program" sweep Decay.mo --vary 'k=uniform(0,3)' --vary "what=it's,b c" --runs 40 --keep x --keep 'mean(x)' --quiet "$@" >stdout.txt 2>stderr.txt
}

sweep --output-file own.csv || complain "$(cat stderr.txt)"
PATH=$PWD/bin:$PATH sweep --output-file slurm.csv --engine slurm --tasks 7 || complain "$(cat stderr.txt)"
cmp -s own.csv slurm.csv || complain "slurm gives another table: $(diff own.csv slurm.csv | head -n 4)"
for left in slurm.csv.part-* slurm.csv.runs; do [ -e "$left" ] && complain "$left is still there"; done

# A task that is lost: its runs are missing, and --resume makes them.
export LOST=3
PATH=$PWD/bin:$PATH sweep --output-file lost.csv --engine slurm --tasks 7 && complain "a lost task was not noticed"
grep -q '6 of 40 runs have not come back from slurm' stderr.txt || complain "$(cat stderr.txt)"
[ -e lost.csv ] && complain "there is a table without the lost runs"
sweep --output-file lost.csv --resume || complain "$(cat stderr.txt)"
cmp -s own.csv lost.csv || complain "after a lost task the table is another one"
LOST=

# The job alone, for a cluster that is elsewhere.
sweep --output-file job.csv --engine slurm --tasks 2 --engine-input || complain "$(cat stderr.txt)"
for task in 0 1; do SLURM_ARRAY_TASK_ID=$task sh job.csv.job.sh || complain "task $task of the job"; done
sweep --output-file job.csv --resume || complain "$(cat stderr.txt)"
cmp -s own.csv job.csv || complain "the job gives another table"

if command -v mpirun >/dev/null; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    sweep --output-file mpi.csv --engine mpi --tasks 3 || complain "$(cat stderr.txt)"
    cmp -s own.csv mpi.csv || complain "mpi gives another table"
fi

expect 2 "*'--engine' is own, slurm or mpi, not 'pbs'*" sweep Decay.mo --vary k=1,2 --keep x --engine pbs
expect 2 "*'--part' is K/N*" sweep Decay.mo --vary k=1,2 --keep x --part 2/2
mkdir nothing && ln -s "$(command -v cat)" nothing/cat
PATH=$PWD/nothing expect 6 "*cannot start sbatch*slurm-client*" sweep Decay.mo --vary k=1,2 --keep x --engine slurm
finish
