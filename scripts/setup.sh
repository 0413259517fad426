#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs, on Debian, the missing packages for a task: run (the default), test, bench, peers, avx512, wasm, x86_32, site
# or windows.
set -eu

for_run="cmake ninja-build gcc g++ libc6-dev libsimde-dev zlib1g-dev"
for_test="$for_run clang libclang-rt-14-dev libgmp-dev qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross valgrind
    pkg-config binutils mandoc ccache clang-format libbenchmark-dev python3-dev python3-numpy python3-pytest
    python3-setuptools python3-wheel python3-pip python3-venv python3-dask python3-distributed
    python3-matplotlib libopenmpi-dev openmpi-bin"
for_bench="$for_run python3 libbenchmark-dev"
for_peers="$for_bench libembree-dev libbullet-dev libcgal-dev libboost-dev libcglm-dev libfcl-dev libode-dev
    libeigen3-dev"
for_windows="$for_run gcc-mingw-w64-x86-64 wine wine64"
# gcc-multilib would remove the compilers for other processors.
for_x86_32="$for_test gcc-12-multilib libc6-dev-i386"
# bochs needs a display package; bochs-term is the smallest.
for_avx512="$for_run bochs bochs-term bochsbios vgabios isolinux syslinux-common genisoimage cpio"

for_wasm="cmake ninja-build gcc libc6-dev clang lld llvm-14 wasi-libc libclang-rt-14-dev-wasm32 libsimde-dev binaryen"
for_site="$for_run $for_wasm chromium fonts-dejavu-core mandoc python3 python3-markdown"
# Node from elsewhere brings its own npm.
command -v npm >/dev/null || for_wasm="$for_wasm nodejs npm" for_site="$for_site nodejs npm"

case ${1-run} in
run) packages=$for_run ;;
test) packages=$for_test ;;
bench) packages=$for_bench ;;
peers) packages=$for_peers ;;
avx512) packages=$for_avx512 ;;
x86_32) packages=$for_x86_32 ;;
wasm) packages=$for_wasm ;;
site) packages=$for_site ;;
windows) packages=$for_windows ;;
*)
    echo "usage: scripts/setup.sh [run|test|bench|peers|avx512|x86_32|wasm|site|windows]" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query >/dev/null; then
    echo "setup: this is not Debian; going on as if these were installed:" $packages >&2
    exit 0
fi

# Of another Node on the path, programs of WASI, and the tests' reporters, need 18; apt-get installs no other over it.
case ${1-run} in
wasm | site)
    if command -v node >/dev/null && ! node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)'; then
        echo "setup: Node from 18 on is needed, and the first on the path is $(node --version), $(command -v node)" >&2
        exit 1
    fi
    ;;
esac

missing=
for package in $packages; do
    case $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) in
    installed*) ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
        echo "setup: root or sudo is needed to install:$missing" >&2
        exit 1
    }
    as_root=sudo
fi
echo "setup: installing$missing" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! {
    $as_root apt-get update -q &&
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $missing
} >"$log" 2>&1 </dev/null; then
    tail -n 40 "$log" >&2
    echo "setup: apt-get failed" >&2
    exit 1
fi
