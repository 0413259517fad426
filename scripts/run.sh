#!/bin/sh
# SPDX-License-Identifier: MIT
# Sets up, builds and runs the abut command, without arguments its demonstration: scripts/run.sh join A.csv B.csv
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/release

quietly() {
    "$@" >"$build/run.log" 2>&1 </dev/null || {
        cat "$build/run.log" >&2
        echo "run: this failed: $*" >&2
        exit 1
    }
}

if [ ! -x "$build/bin/abut" ]; then
    "$root/scripts/setup.sh" run
    echo "run: building abut, once" >&2
fi
mkdir -p "$build"
[ -f "$build/build.ninja" ] || quietly cmake -S "$root" --preset release
quietly cmake --build "$build"

[ $# -gt 0 ] || set -- demo
exec "$build/bin/abut" "$@"
