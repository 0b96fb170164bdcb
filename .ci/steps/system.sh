# Installs what the interop checks need: libraries that Blender's and VTK's wheels take for granted,
# a browser, and the Python clients of tests/interop/requirements.txt, kept between runs under
# target/. With --all also a cluster, an emulator and tracers. Sourced by .ci/run; sets `python`.
# shellcheck shell=bash disable=SC2034

libraries=(libX11.so.6 libXrender.so.1 libXfixes.so.3 libXi.so.6 libxkbcommon.so.0 libSM.so.6
    libICE.so.6 libGL.so.1 libEGL.so.1)
packages=(libx11-6 libxrender1 libxfixes3 libxi6 libxkbcommon0 libsm6 libice6 libgl1 libegl1
    libgl1-mesa-dri)
installed=$(ldconfig -p)
missing=()
for library in "${libraries[@]}"; do
    [[ $installed == *"$library"* ]] || missing+=("${packages[@]}")
done
command -v chromium >/dev/null || missing+=(chromium)
command -v node >/dev/null || missing+=(nodejs)
command -v xvfb-run >/dev/null || missing+=(xvfb xauth)
command -v valgrind >/dev/null || missing+=(valgrind)
[[ -x /usr/bin/time ]] || missing+=(time)
if $is_all; then
    command -v sbatch >/dev/null || missing+=(slurm-wlm)
    command -v munged >/dev/null || missing+=(munge)
    command -v strace >/dev/null || missing+=(strace)
    command -v qemu-x86_64 >/dev/null || missing+=(qemu-user)
fi
python3 -c 'import ensurepip' 2>/dev/null || missing+=(python3 python3-venv)
if ((${#missing[@]})); then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends "${missing[@]}"
fi

python=target/interop/bin/python
if ! cmp -s tests/interop/requirements.txt target/interop/requirements.txt; then
    # bpy 5.0 is built for Python 3.11 alone.
    if ! python3.11 -m venv --help >/dev/null 2>&1; then
        apt-get update -qq
        apt-get install -y -qq --no-install-recommends python3.11 python3.11-venv
    fi
    python3.11 -m venv --clear target/interop
    "$python" -m pip install --quiet --disable-pip-version-check -r tests/interop/requirements.txt
    cp tests/interop/requirements.txt target/interop/
fi
# Other versions of Blender that its script is promised for, where their modules can be had.
blenders=()
if $is_all; then
    for version in 4.2 4.5; do
        environment=target/blender-$version
        if ! [[ -e $environment/made ]]; then
            python3.11 -m venv --clear "$environment"
            "$environment/bin/python" -m pip install --quiet --disable-pip-version-check \
                "bpy==$version.*" "numpy<2" trimesh==5.2.0 && touch "$environment/made" ||
                echo "SKIPPED: no module of Blender $version here" >&2
        fi
        [[ -e $environment/made ]] && blenders+=("$environment/bin/python")
    done
fi
# ParaView 5.11 of Debian: unpacked under target/, with the libexpat of today.
tests/interop/paraview/python.sh -c "import paraview.simple"
