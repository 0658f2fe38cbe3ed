# Sourced by the tests of Slurm: skips what cannot be; start_slurm starts a controller and a node on this machine, which end with the test.

for tool in munged slurmctld slurmd sbatch sinfo; do
    command -v $tool >/dev/null || PATH=$PATH:/usr/sbin command -v $tool >/dev/null || { echo "skipped: $tool is missing (tools/packages-full)"; exit 0; }
done
[ "$(id -u)" -eq 0 ] || { echo "skipped: slurmd wants to be root"; exit 0; }
PATH=$PATH:/usr/sbin

# shellcheck disable=SC2154 # of expect.sh
start_slurm() {
here=$(pwd) host=$(hostname -s)
port=$((20000 + $$ % 20000))
mkdir state spool
dd if=/dev/urandom of=munge.key bs=128 count=1 2>/dev/null
chmod 700 . && chmod 600 munge.key
cat > slurm.conf <<EOT
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$here/munge.socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$here/state
SlurmdSpoolDir=$here/spool
SlurmctldPidFile=$here/slurmctld.pid
SlurmdPidFile=$here/slurmd.pid
SlurmctldLogFile=$here/slurmctld.log
SlurmdLogFile=$here/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
EOT
export SLURM_CONF="$here/slurm.conf"
munged --foreground --force --key-file="$here/munge.key" --socket="$here/munge.socket" --pid-file="$here/munge.pid" --log-file="$here/munge.log" \
    --seed-file="$here/munge.seed" --num-threads=1 >munged.txt 2>&1 & daemons=$!
slurmctld -D -c >ctld.txt 2>&1 & daemons="$daemons $!"
slurmd -D -N "$host" >slurmd.txt 2>&1 & daemons="$daemons $!"
# shellcheck disable=SC2064,SC2086 # the processes are those of now
trap "kill $daemons 2>/dev/null; wait; rm -rf '$here'" EXIT
tries=0
until [ "$(sinfo -h -o %t 2>/dev/null)" = idle ] || [ $tries -ge 300 ]; do
    sleep 0.2
    tries=$((tries + 1))
done
if [ "$(sinfo -h -o %t 2>/dev/null)" != idle ]; then
    complain "Slurm does not start: $(sinfo 2>&1) $(tail -n 5 munge.log slurmctld.log slurmd.log ctld.txt slurmd.txt 2>/dev/null)"
    finish
fi
}
