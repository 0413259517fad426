#!/bin/sh
# SPDX-License-Identifier: MIT
# abut nearest: the nearest items of each point, and their squared distances.
# usage: ABUT="path of abut" nearest.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

expect "nearest" 0 'a,b|0,2|1,1|2,1|' '' abut nearest points.csv boxes.csv
expect "nearest, -k 2" 0 'a,b|0,2|0,1|1,1|1,2|2,1|2,2|' '' abut nearest points.csv boxes.csv -k 2
expect "nearest, --d2" 0 'a,b,d2|0,2,0|0,1,2|1,1,0|1,2,0|2,1,6|2,2,27|' '' \
    abut nearest points.csv boxes.csv -k 2 --d2
expect "nearest, --d2, points" 0 'a,b,d2|0,0,0|0,1,3|1,1,0|1,0,3|2,2,0|2,1,27|' '' \
    abut nearest points.csv points.csv -k 2 --d2
expect "nearest, --d2, spheres" 0 \
    'a,b,d2|0,0,0|0,4,0|1,0,0.202041104|1,1,0.399488151|2,2,21.5719624|2,1,24.0100002|' '' \
    abut nearest points.csv spheres.csv -k 2 --d2
expect "nearest, --d2, among no row" 0 'a,b,d2|' '' abut nearest points.csv no_boxes.csv --d2
expect "nearest, more than the rows of B" 0 '9|' '' abut nearest points.csv boxes.csv -k4294967295 --count --threads 2
expect "nearest, points" 0 'a,b|0,0|0,1|1,1|1,0|2,2|2,1|' '' abut nearest points.csv points.csv -k 2
expect "nearest, among no row" 0 'a,b|' '' abut nearest points.csv no_boxes.csv -k 2
abut nearest points.csv boxes.csv -k 2 -o found.npy
same "nearest, npy" '0,2|0,1|1,1|1,2|2,1|2,2|' "$(npy_pairs found.npy | tr '\n' '|')"
printf 'x,y,z\n1,1,1\nnan,1,1\n5,5,5\n' >holes.csv
expect "nearest, an invalid point" 0 'a,b|0,2|2,1|' 'abut: holes.csv: skipped 1 invalid row, at line 3|' \
    abut nearest holes.csv boxes.csv --skip-bad
expect "nearest, among invalid rows" 0 'a,b|0,0|0,2|1,0|1,2|2,2|2,0|' 'abut: holes.csv: skipped 1 invalid row, at line 3|' \
    abut nearest points.csv holes.csv -k 3 --skip-bad
printf 'x,y,z\nnan,1,1\n' >hole.csv
expect "nearest, among no valid row" 0 'a,b|' '' abut nearest points.csv hole.csv --skip-bad --quiet
expect "nearest, kinds" 2 '' \
    'abut: nearest takes points (A) and any shapes but planes and hulls (B), not spheres and aabbs; --kind-a points '\
'reads the centres of spheres|' \
    abut nearest spheres.csv boxes.csv
printf 'nx,ny,nz,d\n0,0,1,0\n' >ground.csv
expect "nearest, planes" 2 '' \
    'abut: nearest takes points (A) and any shapes but planes and hulls (B), not points and planes|' \
    abut nearest points.csv ground.csv
printf 'v 0 0 0\nv 4 0 0\nv 0 4 0\nv 0 0 4\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' >tetrahedron.obj
printf 'x,y,z\n1,1,-2\n-1,-1,-1\n1,-3,1\n1,1,2\n4,4,4\n' >around.csv
expect "nearest, a mesh" 0 'a,b,d2|0,0,4|1,0,3|2,1,9|3,3,0|4,3,21.333334|' '' \
    abut nearest around.csv tetrahedron.obj --d2
expect "nearest, a mesh, equally near" 0 'a,b|0,0|0,1|1,0|1,1|2,1|2,0|3,3|3,1|4,3|4,0|' '' \
    abut nearest around.csv tetrahedron.obj -k 2
printf 'ax,ay,az,bx,by,bz,r\n0,0,0,4,0,0,1\n0,9,0,4,9,0,2\n' >tubes.csv
expect "nearest, capsules" 0 'a,b,d2|0,0,1.5278641|1,0,0.535898328|2,0,4.67544508|3,0,1.5278641|4,1,19.3875046|' '' \
    abut nearest around.csv tubes.csv --d2
expect "nearest, --distance, --closest" 0 'a,b,distance,d2,x,y,z|0,0,2,4,1,1,0|1,0,1.73205078,3,0,0,0|2,1,3,9,1,0,1|'\
'3,3,0,0,1,1,2|4,3,4.61880207,21.333334,1.33333325,1.33333325,1.33333337|' '' \
    abut nearest around.csv tetrahedron.obj --distance --d2 --closest
expect "nearest, --within" 0 'a,b|0,0|1,0|2,1|3,3|' '' abut nearest around.csv tetrahedron.obj --within 3
expect "nearest, --within, open" 0 'a,b|0,0|1,0|3,3|' '' abut nearest around.csv tetrahedron.obj --within 3 --touch open
expect "nearest, open without --within" 2 '' 'abut: --touch open is for --within DISTANCE: nearest needs that option, too|' \
    abut nearest around.csv tetrahedron.obj --touch open
expect "nearest, --within, more" 0 'a,b|0,0|0,1|0,2|0,3|1,0|1,1|1,2|2,1|3,3|3,1|3,2|3,0|' '' \
    abut nearest around.csv tetrahedron.obj --within 3 -k 9
expect "nearest, --ties" 0 'a,b,d2|0,0,4|1,0,3|1,1,3|1,2,3|2,1,9|3,3,0|4,3,21.333334|' '' \
    abut nearest around.csv tetrahedron.obj --ties --d2
printf 'x,y,z\n1,1,1\n' >one_point.csv
{ echo 'x,y,z'; i=0; while [ $i -lt 100 ]; do echo '1,1,1'; echo "2,2,$i"; i=$((i + 1)); done; } >heap.csv
expect "nearest, --ties, many" 0 '100|' '' abut nearest one_point.csv heap.csv --ties --count
expect "nearest, --ties, -k" 0 '101|' '' abut nearest one_point.csv heap.csv --ties -k 101 --count
expect "nearest, --exclude-self" 0 'a,b|0,1|1,0|2,1|' '' abut nearest points.csv points.csv --exclude-self
expect "nearest, --within a negative distance" 2 '' 'abut: --within takes a distance of 0 or more, not -1|' \
    abut nearest points.csv points.csv --within -1
expect "nearest, --closest, --count" 2 '' 'abut: --closest does not go with --count|' \
    abut nearest points.csv points.csv --closest --count
expect "nearest, -k 0" 2 '' "abut: -k takes a number from 1 to 4294967295, not '0'|" \
    abut nearest points.csv boxes.csv -k 0

finish nearest
