#!/usr/bin/env bash
# Runs a command beside a Slurm of this machine alone: with_slurm.sh COMMAND …
# Needs root, and Debian's packages slurm-wlm and munge. Ends what it has begun.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
host=$(hostname -s)
begun=()
trap 'kill "${begun[@]}" 2>/dev/null || true; wait; rm -rf "$scratch"' EXIT

# Munge tells Slurm's programs that they are of one machine.
if ! munge -n 2>/dev/null | unmunge >/dev/null 2>&1; then
    [[ -s /etc/munge/munge.key ]] || head -c 1024 /dev/urandom >/etc/munge/munge.key
    mkdir -p /run/munge /var/log/munge /var/lib/munge
    chown munge: /etc/munge/munge.key /run/munge /var/log/munge /var/lib/munge
    chmod 400 /etc/munge/munge.key
    chmod 755 /run/munge
    runuser -u munge -- munged --foreground --force >"$scratch/munge.out" 2>&1 &
    begun+=($!)
fi

export SLURM_CONF=$scratch/slurm.conf
sed -e "s|@SCRATCH@|$scratch|g" -e "s|@HOST@|$host|g" "$here/slurm.conf" >"$SLURM_CONF"
mkdir "$scratch/controller" "$scratch/node"
slurmctld -i -D >"$scratch/controller.out" 2>&1 &
begun+=($!)
slurmd -N "$host" -D >"$scratch/node.out" 2>&1 &
begun+=($!)

for _ in $(seq 100); do
    state=$(sinfo --noheader --format=%T 2>/dev/null || true)
    [[ $state == idle ]] && break
    sleep 0.3
done
if [[ ${state-} != idle ]]; then
    echo "Slurm does not start: its node is ${state:-not there}" >&2
    tail -n 20 "$scratch"/*.log "$scratch"/*.out >&2
    exit 1
fi
code=0
"$@" || code=$?
# What became of which job, and when, is known to the controller alone.
((code == 0)) || grep JobId "$scratch/controller.log" | tail -n 60 >&2
exit "$code"
