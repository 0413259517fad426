#!/bin/sh
# SPDX-License-Identifier: MIT
# Ten times as many rows take ten times as much work: the number of node tests a row does not grow.
# usage: ABUT="path of abut" SCENE="path of scene" [ROWS=N] large.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"
rows=${ROWS-100000}

$SCENE spheres "$rows" 1 >few_spheres.npy
$SCENE boxes "$rows" 2 >few_boxes.npy
$SCENE spheres "${rows}0" 3 >many_spheres.npy
$SCENE boxes "${rows}0" 4 >many_boxes.npy

# node_tests COMMAND...: their number, whatever the number of hits
node_tests() {
    abut "$@" --kind-a spheres $([ "$1" = self ] || echo --kind-b aabbs) --count --stats --quiet --threads 1 2>&1 >count.txt <piped.npy | sed -n 's/^abut: \([0-9]*\) node tests.*/\1/p'
}
# grows NAME FEW MANY: whether MANY is more than ten times FEW, and a quarter
grows() {
    same "$1: node tests of $rows and ten times as many rows" no \
        "$([ "${2:-0}" -gt 0 ] && [ "${3:-0}" -gt 0 ] && [ $(($3 * 4)) -le $(($2 * 50)) ] && echo no || echo "$2 $3")"
}
# A file that is mapped is read in blocks; a pipe is read into memory.
: >piped.npy
few=$(node_tests join few_spheres.npy few_boxes.npy)
grows "join, a mapped file" "$few" "$(node_tests join many_spheres.npy many_boxes.npy)"
mapped=$(cat count.txt)
cp few_spheres.npy piped.npy
few=$(node_tests join - few_boxes.npy)
cp many_spheres.npy piped.npy
many=$(node_tests join - many_boxes.npy)
grows "join, a file in memory" "$few" "$many"
same "join, as many hits from a mapped file as from memory" "$(cat count.txt)" "$mapped"
few=$(node_tests self few_spheres.npy)
grows "self" "$few" "$(node_tests self many_spheres.npy)"
# Where B is shorter than a block, A is searched for block by block.
few=$(node_tests join few_spheres.npy few_boxes.npy)
grows "join, few rows of B" "$few" "$(node_tests join many_spheres.npy few_boxes.npy)"
same "join, few rows of B, the same from memory" "$(cat count.txt)" "$(abut join - few_boxes.npy --kind-a spheres --kind-b aabbs --count <many_spheres.npy)"

finish large
