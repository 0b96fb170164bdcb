#!/usr/bin/env bash
# A sweep of twelve points on Slurm gives what it gives here, to the last digit, though one of them
# comes to its time limit, is queued again and goes on: check_sweep.sh SIM FOLDER, beside
# with_slurm.sh.
set -euo pipefail
sim=$(realpath "$1")
folder=$2
cd "$(dirname "$0")/../../.."
sweep=(sweep tests/interop/slurm/sweep.ron)

"$sim" "${sweep[@]}" --quiet --out "$folder/here"
# Jobs of a quiet sweep say nothing, and here their logs tell which were queued again.
# Slurm looks every half minute whose time is over before it looks again, which here is after 10 to
# 40 seconds: not before the point of the least radius has begun, nor after it has ended.
mapfile -t jobs < <("$sim" "${sweep[@]}" --out "$folder/slurm" --slurm --submit --time 00:01:00 \
    --stop-before 20)
echo "array ${jobs[0]}, collecting ${jobs[1]}"
for _ in $(seq 900); do
    # A controller that is too busy to answer has not ended all jobs.
    waiting=$(squeue --noheader --array --format=%i) && [[ -z $waiting ]] && break
    sleep 1
done
if [[ -n $waiting ]]; then
    printf 'jobs still wait after a quarter of an hour:\n%s\n' "$(squeue)" >&2
    exit 1
fi
requeued=$(grep -l 'resuming after frame' "$folder"/slurm/slurm/*.log | wc -l || true)
echo "queued again: $requeued"
if [[ $requeued == 0 ]]; then
    echo "no point came to its time limit:" >&2
    tail -n 5 "$folder"/slurm/slurm/*.log >&2
    exit 1
fi

# All but what is time on the clock.
columns() {
    "${PYTHON:-python3}" - "$1" <<'PY'
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))
kept = [i for i, name in enumerate(rows[0]) if name != "wall_time" and "_ms_" not in name]
for row in rows:
    print(*(row[i] for i in kept), sep=",")
PY
}
for run in here slurm; do
    columns "$folder/$run/results.csv" >"$folder/$run.columns"
    [[ $(wc -l <"$folder/$run.columns") == 13 ]]
done
if ! diff "$folder/here.columns" "$folder/slurm.columns"; then
    tail -n 20 "$folder"/slurm/slurm/*.log >&2
    exit 1
fi
