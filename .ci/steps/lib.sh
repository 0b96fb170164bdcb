# Helpers of .ci/run, which sources this: `step`, `beside`, `ended`, `run`, `in_paraview`.
# shellcheck shell=bash

step() {
    printf '\n=== %d min, %s GB of disk free: %s\n' $((SECONDS / 60)) \
        "$(df --output=avail --block-size=1G . | tail -1 | tr -d ' ')" "$*"
}

# `beside NAME COMMAND …` begins a command beside what follows; `ended NAME` waits for it, shows
# what it printed and ends as it did. Each has a process group of its own, so that whatever ends
# .ci/run ends it with all it has begun.
declare -A begun
beside() {
    local name=$1
    shift
    setsid "$@" >"$work/$name.log" 2>&1 &
    begun[$name]=$!
}
end_begun() {
    local group
    for group in "${begun[@]}"; do
        kill -- "-$group" 2>/dev/null || true
    done
    wait
}
ended() {
    local code=0
    wait "${begun[$1]}" || code=$?
    cat "$work/$1.log"
    return "$code"
}

# The tests of the program of this name that run only when asked for; there must be some.
ignored_tests() {
    local tests=(cargo test --locked --test cli -- --ignored)
    "${tests[@]}" --list "$1" | grep ': test$'
    "${tests[@]}" --nocapture "$1"
}

# A shipped scene, run into a folder of its name.
run() {
    local name=$1
    shift
    "$sim" "scenes/$name.ron" --quiet --out "$work/$name" "$@"
}

in_paraview() {
    # A server that resets itself after its last client refuses one that comes at once.
    xvfb-run --auto-servernum --server-args="-screen 0 1280x1024x24 -noreset" \
        tests/interop/paraview/python.sh "tests/interop/paraview/${2-check_run.py}" "$1"
}
