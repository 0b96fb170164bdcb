#!/usr/bin/env bash
# Compares the public items of the library's crates, with their fields, methods and traits, with the
# lists beside this file, so that a change of the API is seen and meant. Needs Python and the pages
# of `cargo doc --no-deps`.
#
#   tests/api/check.sh            compare
#   UPDATE=1 tests/api/check.sh   write the lists anew
set -euo pipefail
cd "$(dirname "$0")/../.."

changed=0
docs=${CARGO_TARGET_DIR:-target}/doc
for list in tests/api/*.txt; do
    if [[ ! -f $docs/$(basename "$list" .txt)/all.html ]]; then
        echo "$list is of a crate without pages: is the crate gone, or were its docs not built?"
        changed=1
    fi
done
for page in "$docs"/hashfall*/all.html; do
    list=tests/api/$(basename "$(dirname "$page")").txt
    items=$(python3 tests/api/list.py "$page")
    if [[ ${UPDATE:-} ]]; then
        printf '%s\n' "$items" >"$list"
    elif ! diff -u --new-file "$list" <(printf '%s\n' "$items"); then
        changed=1
    fi
done
if ((changed)); then
    echo "the public API has changed: if that is meant, UPDATE=1 tests/api/check.sh, and say so in CHANGELOG.md"
    exit 1
fi
