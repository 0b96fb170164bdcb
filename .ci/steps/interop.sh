# What `sim` writes, opened in the programs that users have. Sourced by .ci/run on every push.
# shellcheck shell=bash

step "charts: ticks, scales and thinning"
node --test tests/interop/check_charts.mjs

step "one solid by VTK's, trimesh's and Blender's writers, in each format of meshes"
"$python" tests/interop/check_meshes.py "$sim" "$work/meshes"

step "scenes in JSON: as the schema says, which is one"
"$python" tests/interop/check_schema.py "$sim" scenes/*.ron crates/validate/scenes/*.ron

step "the smallest scene in ParaView's readers and in Blender, frame by frame"
run dam_break --frames 10 --set 'output=(particles: [Vtp, Ply, Vtk], surface: [Ply, Vtp, Vtk])'
"$python" tests/interop/check_run.py "$work/dam_break"
"$python" tests/interop/check_blender.py "$work/dam_break"
in_paraview "$work/dam_break"

step "its preview and its report in a browser"
"$sim" preview "$work/dam_break" --quiet
"$sim" report "$work/dam_break"
for page in dam_break/preview/index dam_break/report; do
    tests/interop/check_page.sh "$work/$page.html" "$work/page.png"
done

step "bodies that the fluid moves, with foam, in VTK, Blender and ParaView"
# With limits at which much foams within its six frames.
"$sim" tests/rich_scenes/free_bodies.ron --quiet --out "$work/free_bodies" \
    --set 'output=(particles: [Vtp, Ply], surface: [Ply])' \
    --set 'foam=(output: [Vtp, Ply], energy: (0, 1e-6), trapped_air: (limits: (0, 1e-3)))'
"$python" tests/interop/check_run.py "$work/free_bodies"
"$python" tests/interop/check_blender.py "$work/free_bodies"
in_paraview "$work/free_bodies"

step "their exports in their programs: usd-core, VTK, h5py, OpenVDB, Alembic, trimesh, Blender"
"$sim" export "$work/free_bodies" --quiet --format usd,vtkhdf,vdb,gltf,alembic
"$python" tests/interop/check_export.py "$work/free_bodies"

step "examples: as their heads say"
for example in examples/*.rs; do
    name=$(basename "$example" .rs)
    # Those that write meshes which are checked in are run by the tests.
    case $name in make_*) continue ;; esac
    arguments=()
    [[ $name != mesh_points ]] || arguments=("$work/points.obj")
    [[ $name != read_run ]] || arguments=("$work/dam_break")
    cargo run --locked --quiet --example "$name" -- "${arguments[@]}"
done
