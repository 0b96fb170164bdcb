#!/usr/bin/env bash
# Lists what a build of `sim` computes, so that two builds can be compared with `diff`: for every
# shipped scene the digest of the particles after each frame and the SHA-256 of every frame's files.
#
#   tests/equality/digests.sh target/release/sim FOLDER [FRAMES [VALIDATION_FRAMES]] > new.txt
#
# The runs stay in FOLDER. Scenes are run for their first FRAMES frames (20 unless given), those of
# the validation, whose frames are far apart, for VALIDATION_FRAMES (2 unless given).
set -euo pipefail
sim=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
frames=${3:-20}
validation_frames=${4:-2}
cd "$(dirname "$0")/../.."

for scene in scenes/*.ron crates/validate/scenes/*.ron tests/rich_scenes/*.ron; do
    name=${scene%.ron}
    out=$folder/${name//\//_}
    log=$out.log
    code=0
    count=$frames
    [[ $scene != crates/validate/scenes/* ]] || count=$validation_frames
    "$sim" "$scene" --quiet --frames "$count" --overwrite --allow-outside --out "$out" >"$log" 2>&1 || code=$?
    mkdir -p "$out"
    echo "$scene: exit code $code"
    (
        cd "$out"
        # Not every scene writes every folder.
        { find particles surface solids -type f 2>/dev/null || true; } | sort | xargs -r sha256sum
        grep -oE '"last_state_digest": *"[0-9a-f]+"' run.json || true
    )
done
