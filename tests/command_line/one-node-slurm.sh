#!/usr/bin/env bash
# Runs a command with a Slurm cluster of this machine alone, which ends with the command: one-node-slurm.sh COMMAND...
# The daemons listen on the loopback address only, and everything they write is in a folder that is removed.
set -euo pipefail
for tool in munged slurmctld slurmd sbatch; do command -v "$tool" >/dev/null; done
test "$(id -u)" = 0
folder=$(mktemp -d)
node=$(uname -n)
port=$((20000 + $$ % 10000))
mkdir "$folder/state" "$folder/spool"
ended() {
    for daemon in slurmd slurmctld munged; do
        test -s "$folder/$daemon.pid" || continue
        local id
        id=$(cat "$folder/$daemon.pid")
        kill -KILL "$id" 2>/dev/null || continue
        # What is left to be saved is of no use, and it writes into the folder until it is gone.
        while kill -0 "$id" 2>/dev/null; do sleep 0.05; done
    done
    rm -rf "$folder"
}
trap ended EXIT

cat >"$folder/slurm.conf" <<END
ClusterName=one
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 10000))
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
SlurmUser=root
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
ReturnToService=2
MailProg=/bin/true
NodeName=$node NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
END
export SLURM_CONF=$folder/slurm.conf
head -c 128 /dev/urandom >"$folder/key"
chmod 400 "$folder/key"
munged --force --key-file="$folder/key" --socket="$folder/munge.socket" --pid-file="$folder/munged.pid" \
    --log-file="$folder/munged.log" --seed-file="$folder/munged.seed" >/dev/null 2>&1
slurmctld >/dev/null 2>&1
# A node that asks before its controller answers waits long before it asks again.
for _ in $(seq 300); do if scontrol ping >/dev/null 2>&1; then break; fi; sleep 0.1; done
slurmd -N "$node" >/dev/null 2>&1
for _ in $(seq 600); do
    if sinfo --noheader --format=%T 2>/dev/null | grep -q idle; then
        "$@"
        exit
    fi
    sleep 0.1
done
echo "the node does not become idle" >&2
exit 1
