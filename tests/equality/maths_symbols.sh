#!/usr/bin/env bash
# The functions of the platform's maths library that a build asks for: `maths_symbols.sh DEPS`,
# the folder of its libraries.
#
# What computes the state may ask only for roundings to whole numbers and square roots, which are
# exact everywhere; all others are `libm`'s or our own, and have the same bits on each platform.
set -euo pipefail

deps=$1
# On the way from a scene to the state.
state=(core formula geometry input search bodies solid elastic rigid sph fill scene)
maths='(a?(sin|cos|tan)h?|atan2|sincos|exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|cbrt|hypot'
maths+='|fma|fmod|remainder|l?tgamma|lgamma|erfc?)f?'
failed=0

symbols() {
    nm --undefined-only "$1" 2>/dev/null | awk '{ print $NF }' | grep -xE "$maths" | sort -u || true
}

for crate in "${state[@]}"; do
    library=$(ls -t "$deps/libhashfall_$crate"-*.rlib | head -n 1)
    found=$(symbols "$library" | tr '\n' ' ')
    if [[ -n $found ]]; then
        echo "failed: hashfall-$crate asks for $found: take those of \`libm\`" >&2
        failed=1
    fi
done

# Of other projects' crates that the state's link: angles at the corners of triangle meshes, which
# weigh normals at vertices that contact does not read; depths of trees of boxes.
known=' parry3d_f64:acos parry3d_f64:log2 glamx:acos glamx:acosf glamx:cos glamx:cosf '
for crate in nalgebra simba parry3d_f64 glamx glam; do
    library=$(ls -t "$deps/lib$crate"-*.rlib 2>/dev/null | head -n 1)
    [[ -n $library ]] || continue
    for symbol in $(symbols "$library"); do
        if [[ $known != *" $crate:$symbol "* ]]; then
            echo "failed: $crate asks for $symbol, which it did not" >&2
            failed=1
        fi
    done
done

((failed == 0)) && echo "the state asks for exact functions alone"
exit "$failed"
