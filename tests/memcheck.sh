#!/usr/bin/env bash
# Runs the unit tests of hashfall-core and hashfall-search that reach unsafe code under valgrind's
# memcheck, as on CPUs without and with AVX2: `tests/memcheck.sh`. Valgrind shows programs no
# AVX-512, so that code is not covered. Takes half a minute after compiling.
#
# Result (valgrind 3.19, rustc 1.95, x86-64): no error in either crate.
set -euo pipefail

cd "$(dirname "$0")/.."
core=(simd:: parallel::)
search=(every_instruction_set lanes:: box_records row_sweep)

binary() {
    cargo test --quiet --offline -p "$1" --lib --no-run --message-format=json |
        sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -n 1
}

check() {
    local test=$1 name
    shift
    for name; do
        if ! "$test" --list "$name" 2>/dev/null | grep -q ': test$'; then
            echo "$test has no test of \`$name\`" >&2
            exit 1
        fi
    done
    valgrind --quiet --error-exitcode=9 --fair-sched=yes "$test" --test-threads 1 "$@"
}

check "$(binary hashfall-core)" "${core[@]}"
check "$(binary hashfall-search)" "${search[@]}"
