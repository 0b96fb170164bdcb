# The promises that are dear to check or seldom broken. Sourced by `.ci/run --all`.
# shellcheck shell=bash

step "a sweep on a cluster, beside what follows"
mkdir "$work/cluster"
PYTHON=$python beside cluster tests/interop/slurm/with_slurm.sh \
    tests/interop/slurm/check_sweep.sh "$sim" "$work/cluster"

step "tests of the program, once more: by a build with debug assertions"
env --unset HASHFALL_TEST_SIM cargo test --locked --test cli

step "the largest built-in scene, checked whole by its name and by its file"
ignored_tests the_largest_built_in_scene

step "Parquet: the feature that the default build leaves out"
cargo test --locked --package hashfall-sweep --features parquet --lib parquet
cargo clippy --locked --features parquet -- -D warnings

step "fuzz targets: they compile; what they have found is tested by cargo test"
CARGO_TARGET_DIR=target cargo check --locked --manifest-path fuzz/Cargo.toml

step "packages: each crate has what crates.io asks for"
cargo package --locked --workspace --exclude hashfall-python --no-verify --allow-dirty --quiet

step "search alone, without the rival of crates.io: few packages"
count=$(cargo tree --locked --package hashfall-search --no-default-features --edges normal \
    --prefix none --no-dedupe |
    sed "s/ (.*//" | sort -u | wc -l)
echo "hashfall-search and what it needs: $count packages"
((count <= 25))

step "double precision: the other width of Real compiles everywhere"
cargo check --locked --features f64 --bins --examples --test '*' --bench '*'

step "double precision: the searches and sums keep their contract in it, too"
cargo test --locked --lib --features f64 --package hashfall-core --package hashfall-search \
    --package hashfall-sph

step "Python package: its wheel in a clean environment, tests and notebooks"
PYTHON=python3.11 .ci/wheel

step "package: the archive of this system, unpacked and run; on Linux the glibc that it asks for"
FEATURES='' .ci/package

step "unsafe code of the searches and of SIMD under valgrind"
tests/memcheck.sh

step "system calls that fail: one error each, and the run goes on to the same end"
ignored_tests strace_fails_some

step "other CPUs: the same bits without this one's instructions"
tests/interop/check_cpus.sh "$sim"

step "a mesh whose arrays have names of odd characters, in VTK and in ParaView"
odd=tests/cases/files/vtk_attribute_names_odd.vtk
"$sim" surface "$odd" --quiet -r 0.02 --interpolate-attribute all -o "$work/odd.vtp"
"$python" tests/interop/check_names.py "$work/odd.vtp" "$odd"
tests/interop/paraview/python.sh tests/interop/check_names.py "$work/odd.vtp" "$odd"

step "foam of a dam break: VTK's reader, and Blender with a material for each type"
"$sim" dam_break --quiet --out "$work/foam" --frames 30 --set 'foam=(output: [Vtp, Ply])'
"$python" tests/interop/check_foam.py "$work/foam"

step "a sweep's report in a browser, and examples in Python, as their heads say"
"$sim" sweep sweeps/dam_break_viscosity.ron --out "$work/sweep" --quiet
tests/interop/check_page.sh "$work/sweep/report.html" "$work/page.png"
"$python" examples/python/sweep.py --sim "$sim" --out "$work/sweep"
"$python" examples/python/read_run.py "$work/dam_break" --picture "$work/dam_break.png"
stopped=0
"$python" examples/python/watch_run.py scenes/dam_break.ron --sim "$sim" --until 0.05 \
    --out "$work/watched" || stopped=$?
[[ $stopped == 130 ]]

step "runs in the LTS versions of Blender: 4.2 and 4.5"
for blender in "${blenders[@]}"; do
    for it in dam_break free_bodies; do
        "$blender" tests/interop/check_blender.py "$work/$it"
    done
done

step "spheres and meshes as obstacles, one that moves, also in Blender"
run mesh_obstacle --frames 4
"$python" tests/interop/check_run.py "$work/mesh_obstacle"
"$python" tests/interop/check_blender.py "$work/mesh_obstacle"
in_paraview "$work/mesh_obstacle"
run stirrer --frames 4
"$python" tests/interop/check_run.py "$work/stirrer"
"$python" tests/interop/check_blender.py "$work/stirrer"
in_paraview "$work/stirrer"
for blender in "${blenders[@]}"; do
    "$blender" tests/interop/check_blender.py "$work/stirrer"
done
run spheres --frames 20
"$python" tests/interop/check_run.py "$work/spheres"

step "an elastic body, alone, in VTK, Blender and ParaView"
run cloth --frames 25 --set 'output.elastic=[Ply, Vtp]'
"$python" tests/interop/check_elastic.py "$work/cloth"
in_paraview "$work/cloth" check_elastic.py

# Sheets and drops a particle thick weigh less than the surface around them holds.
step "a splash to its end: every surface closed, its volume the fluid's"
run double_dam --overwrite --frames 50 --set frames.rate=25.0
"$python" tests/interop/check_run.py "$work/double_dam" --volume-tolerance 0.08
in_paraview "$work/double_dam"

step "a tank at rest: level and pressure after two seconds"
run still_water --set surface=None
"$python" tests/interop/check_still_water.py "$work/still_water"

step "the sweep on the cluster: as here, to the last digit"
ended cluster

step "all validation cases to their ends: minutes each"
.ci/steps/validation "$sim" "$work/validation_all" --all
