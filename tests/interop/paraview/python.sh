#!/usr/bin/env bash
# Debian's ParaView 5.11 for Python: `python.sh SCRIPT [ARGUMENT]...` runs a script that imports
# `paraview`, with the system's libexpat.
#
# Its packages (190 to 225, 214 MB) are unpacked under target/paraview and not installed; libexpat
# alone is, as the parser that reads every .vtp. Since 2.5.0-1+deb12u2 Debian's has the fix of
# CVE-2023-52425, with which VTK before 9.3.1 reads no points after raw appended data.
set -euo pipefail
cd "$(dirname "$0")/../../.."

folder=target/paraview
oldest_libexpat=2.5.0-1+deb12u2

libexpat() { dpkg-query --show --showformat '${Version}' libexpat1 2>/dev/null || true; }
is_new() { dpkg --compare-versions "$(libexpat)" ge "$oldest_libexpat"; }

if ! is_new; then
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends libexpat1
fi
if ! is_new; then
    echo "failed: libexpat1 is $(libexpat), older than $oldest_libexpat: no frame would fail with it" >&2
    exit 1
fi

if [[ ! -e $folder/unpacked ]]; then
    rm -rf "$folder"
    mkdir -p "$folder/archives/partial" "$folder/root"
    apt-get update -qq
    # An empty status would fetch libc, too; what is installed already is used from where it is.
    apt-get install -y -qq --no-install-recommends --download-only \
        -o Dir::Cache::archives="$PWD/$folder/archives" -o APT::Sandbox::User=root python3-paraview
    for package in "$folder"/archives/*.deb; do
        dpkg --extract "$package" "$folder/root"
    done
    rm -rf "$folder/archives"
    touch "$folder/unpacked"
fi

root=$PWD/$folder/root
libraries=$root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH=$root/usr/lib:$libraries:$libraries/blas:$libraries/lapack:$libraries/openmpi/lib:$root/lib/x86_64-linux-gnu
export PYTHONPATH=$root/usr/lib/python3/dist-packages
exec /usr/bin/python3 "$@"
