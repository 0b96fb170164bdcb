# Installs what links programs for Linux to an old glibc: zig and cargo-zigbuild, kept between runs
# under target/zig. Sourced by .ci/package and .ci/wheel; sets `glibc`, the version, and what the two
# read from the environment.
# shellcheck shell=bash disable=SC2034

# That of Debian 10 and RHEL 8; docs/install.md says so.
glibc=2.28
zig=(ziglang==0.17.1 cargo-zigbuild==0.24.1)
if [[ ${zig[*]} != "$(cat target/zig/made 2>/dev/null)" ]]; then
    mkdir -p target/zig
    rm -f target/zig/made
    "${PYTHON:-python3}" -m venv --clear target/zig/tools
    target/zig/tools/bin/python -m pip install --quiet --disable-pip-version-check "${zig[@]}"
    echo "${zig[*]}" >target/zig/made
fi
export CARGO_ZIGBUILD_PYTHON_PATH=$PWD/target/zig/tools/bin/python
export CARGO_ZIGBUILD_CACHE_DIR=$PWD/target/zig/builds
export ZIG_GLOBAL_CACHE_DIR=$PWD/target/zig/cache ZIG_LOCAL_CACHE_DIR=$PWD/target/zig/cache
