# label: full
# A sweep as a job array of Slurm itself: a controller and a node of our own on this machine give the table of the local sweep.
. "$(dirname "$0")/expect.sh"
. "$(dirname "$0")/slurm.sh"

cat > Decay.mo <<'EOT'
model Decay
  parameter Real k = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
  assert(k < 2.9, "k has left its range");
end Decay;
EOT
start_slurm
sweep() { "$program" sweep Decay.mo --vary 'k=uniform(0,3)' --runs 40 --keep x --keep 'mean(x)' --quiet "$@" >stdout.txt 2>stderr.txt; }
sweep --output-file own.csv || complain "$(cat stderr.txt)"
sweep --output-file slurm.csv --engine slurm --tasks 5 || complain "$(cat stderr.txt) $(cat slurm.csv.task-*.txt 2>/dev/null)"
is "tasks that Slurm has run" "$(ls slurm.csv.task-*.txt | wc -l | tr -d ' ')" 5
cmp -s own.csv slurm.csv || complain "slurm gives another table"
finish
