#!/bin/sh
# SPDX-License-Identifier: MIT
# Draws the README's first picture, docs/cull.svg, with the command: spheres, and those that a camera sees in colour.
# usage: scripts/picture.sh
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A generator of its own: the random numbers of awk differ from one awk to the next.
awk 'function random() { state = (state * 16807) % 2147483647; return state / 2147483647 }
    BEGIN { state = 7; print "x,y,z,r"
        for (i = 0; i < 330; i++)
            printf "%.3f,%.3f,%.3f,%.3f\n", random() * 12 - 1, random() * 7 - 3.5, random() - 0.5,
                0.06 + random() * 0.24
    }' >"$work/spheres.csv"
scripts/run.sh frustum --eye 0,0,0 --target 1,0,0 --up 0,0,1 --near 1 --far 9 --fov 50 --aspect 0.8 \
    -o "$work/camera.csv"
scripts/run.sh join "$work/spheres.csv" "$work/camera.csv" --svg docs/cull.svg -o "$work/pairs.csv"
