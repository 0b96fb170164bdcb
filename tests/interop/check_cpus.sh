#!/usr/bin/env bash
# Runs each scene of tests/rich_scenes on this CPU and on emulated ones that lack its instructions:
# `check_cpus.sh SIM`. Nehalem has no AVX and no FMA; Haswell has AVX2 and no AVX-512. The digests of
# the particles, and so all their bits, must be the same.
set -euo pipefail

sim=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

digest() {
    local name=$1
    shift
    "$@" "$sim" "$scene" --threads 2 --set surface=None --allow-shortage --out "$work/$name" --overwrite \
        2>"$work/talk" | awk '/^state digest/ { print $3 }'
}

for scene in "$(dirname "$0")"/../rich_scenes/*.ron; do
    here=$(digest here)
    [[ -n $here ]] || { cat "$work/talk" >&2; exit 1; }
    for cpu in Nehalem Haswell; do
        there=$(digest "$cpu" qemu-x86_64 -cpu "$cpu")
        if [[ $there != "$here" ]]; then
            echo "failed: $scene: digest $here here, ${there:-none} on $cpu" >&2
            tail -n 5 "$work/talk" >&2
            exit 1
        fi
    done
    echo "$(basename "$scene" .ron): $here on this CPU, on Nehalem and on Haswell"
done
