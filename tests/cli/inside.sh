#!/bin/sh
# SPDX-License-Identifier: MIT
# abut inside and distance --signed: points in a mesh.
# usage: ABUT="path of abut" inside.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

# A cube from 0 to 4, whose faces are squares, and points in it, on it and around it. The ray from the first point along
# x runs through the diagonal of a face, from the second through a corner.
printf 'v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nv 0 0 4\nv 4 0 4\nv 4 4 4\nv 0 4 4\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\n'\
'f 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n' >cube.obj
printf 'name,x,y,z\nmiddle,2,2,2\nbefore a corner,-1,4,4\nlow,1,2,3\non a face,4,1,1\non an edge,4,4,1\n'\
'behind,5,2,2\nbefore,-3,2,2\n' >probes.csv
expect "inside" 0 'inside|1|0|1|1|1|0|0|' '' abut inside probes.csv cube.obj
expect "inside, open" 0 'inside|1|0|1|0|0|0|0|' '' abut inside probes.csv cube.obj --touch open
expect "inside, --count" 0 '4|' '' abut inside probes.csv cube.obj --count
expect "inside, names" 0 'a,inside|middle,1|before a corner,0|' '' \
    sh -c "sed -n 1,3p probes.csv | $ABUT inside - cube.obj --id-a name"
expect "inside, jsonl" 0 '{"inside":1}|{"inside":0}|' '' \
    sh -c "sed -n 1,3p probes.csv | $ABUT inside - cube.obj --format jsonl"
expect "distance --signed" 0 'd2,x,y,z|-4,2,2,0|1,0,4,4|-1,1,2,4|0,4,1,1|0,4,4,1|1,4,2,2|9,0,2,2|' '' \
    abut distance probes.csv cube.obj --signed
expect "distance --signed --distance" 0 'a,distance,x,y,z|middle,-2,2,2,0|before a corner,1,0,4,4|low,-1,1,2,4|'\
'on a face,0,4,1,1|on an edge,0,4,4,1|behind,1,4,2,2|before,3,0,2,2|' '' \
    abut distance probes.csv cube.obj --signed --distance --id-a name
sed '$d' cube.obj >box.obj
expect "inside, a mesh that is open" 1 '' \
    'abut: box.obj: ab of triangle 0 is an open edge: an odd number of triangles '\
'have it; 4 edges are open: only a watertight mesh has an inside|' abut inside probes.csv box.obj
expect "distance --signed, a mesh that is open" 1 '' \
    'abut: box.obj: ab of triangle 0 is an open edge: an odd number of '\
'triangles have it; 4 edges are open: only a watertight mesh has an inside|' abut distance probes.csv box.obj --signed
expect "inside, kinds" 2 '' 'abut: inside takes points (A) and a mesh (B), not spheres and aabbs; --kind-a points '\
'reads the centres of spheres|' abut inside spheres.csv boxes.csv
expect "inside, a mesh without faces" 2 '' 'abut: inside takes points (A) and a mesh (B), not points and points|' \
    sh -c "grep v cube.obj >cloud.obj; $ABUT inside probes.csv cloud.obj"
expect "distance --signed, kinds" 2 '' 'abut: --signed takes points (A) and a mesh (B), not points and aabbs|' \
    abut distance probes.csv boxes.csv --signed
printf 'x,y,z\nnan,1,1\n1,1,1\n' >holes.csv
expect "inside, an invalid point" 0 'inside|0|1|' 'abut: holes.csv: skipped 1 invalid row, at line 2|' \
    abut inside holes.csv cube.obj --skip-bad
expect "inside, no file of arrays" 2 '' 'abut: cannot write x.npy: inside writes text, no arrays|' \
    abut inside probes.csv cube.obj -o x.npy

finish inside
