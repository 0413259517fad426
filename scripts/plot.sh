#!/bin/sh
# SPDX-License-Identifier: MIT
# Draws the rules that accept a sphere beside a box and a view frustum (docs/*.svg, docs/*.png), and writes the table of
# false hits into README.md. ABUT_DATA_DIR is the folder of the level data, by default ../shared/data.
# usage: scripts/plot.sh
set -eu
cd "$(dirname "$0")/.."
data=${ABUT_DATA_DIR:-../shared/data}
build=build/plot
if [ ! -r "$data/level/lq_e1m1_planes.csv" ]; then
    echo "plot: there is no level data in $data" >&2
    exit 1
fi
mkdir -p $build docs
cmake -S . -B $build -G Ninja -DABUT_BUILD_CLI=OFF -DABUT_BUILD_EXAMPLES=OFF >$build/log 2>&1 &&
    cmake --build $build --target false_hits >>$build/log 2>&1 || {
    tail -n 40 $build/log >&2
    exit 1
}
for shape in box frustum; do
    $build/tests/false_hits slice $shape >$build/slice
    python3 scripts/plot.py picture "Spheres beside a $shape: what each rule accepts" docs/$shape.svg docs/$shape.png \
        <$build/slice
done
$build/tests/false_hits table "$data" >$build/table
python3 scripts/plot.py table README.md <$build/table
