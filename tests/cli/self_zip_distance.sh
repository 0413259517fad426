#!/bin/sh
# SPDX-License-Identifier: MIT
# abut self (which pairs of one file), zip (row by row) and distance (row by row, with the closest points).
# usage: ABUT="path of abut" self_zip_distance.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

# abut self
expect "self" 0 'a,b|0,1|0,3|0,4|1,2|1,3|2,3|' '' abut self spheres.csv
expect "self, open" 0 '0|' '' abut self one_sphere.csv --touch open --count
expect "self, boxes" 0 'a,b|1,2|' '' abut self boxes.csv
expect "self, boxes, open" 0 'a,b|' '' abut self boxes.csv --touch open
expect "self, no row" 0 'a,b|' '' abut self no_boxes.csv
awk 'BEGIN { print "x,y,z,r"; for (i = 0; i < 3000; i++) print i ",0,0,0.5" }' >chain.csv
expect "self, many blocks" 0 '2999|' '' abut self chain.csv --count
expect "self, many blocks, open" 0 '0|' '' abut self chain.csv --count --touch open
abut self chain.csv | awk -F, 'NR > 1 && ($1 != NR - 2 || $2 != NR - 1) { wrong = 1 } END { exit wrong || NR != 3000 }'
same "self, many blocks, in order" 0 $?

# abut zip
printf 'x,y,z,r\n1,0,4,1\n9,9,9,1\n9,9,9,1\n9,9,9,1\n9,9,9,1\n' >apart.csv
expect "zip" 0 'hit|0|1|0|' '' sh -c "head -n 4 spheres.csv | $ABUT zip - boxes.csv"
expect "zip, spheres" 0 'hit|1|0|0|0|0|' '' abut zip spheres.csv apart.csv --predicate touches -o - --quiet
expect "zip, one against all" 0 'hit|1|1|0|1|1|' '' abut zip spheres.csv one_box.csv
expect "zip, all against one" 0 'hit|1|1|0|1|1|' '' abut zip one_box.csv spheres.csv
expect "zip, one against all, open" 0 'hit|1|1|0|0|1|' '' abut zip spheres.csv one_box.csv --touch open
expect "zip, inside" 0 'hit|0|0|0|0|1|' '' abut zip spheres.csv one_box.csv --predicate inside
expect "zip, contains" 0 'hit|0|0|0|0|1|' '' abut zip one_box.csv spheres.csv --predicate contains
expect "zip, count" 0 '4|' '' abut zip spheres.csv one_box.csv --count
expect "zip, one against none" 0 'hit|' '' abut zip one_sphere.csv no_boxes.csv
expect "zip, lengths" 1 '' \
    'abut: zip takes as many rows of A as of B, or one of either: spheres.csv has 5, boxes.csv has 3|' \
    abut zip spheres.csv boxes.csv
expect "zip, some against none" 1 '' \
    'abut: zip takes as many rows of A as of B, or one of either: spheres.csv has 5, no_boxes.csv has 0|' \
    abut zip spheres.csv no_boxes.csv
expect "zip, no such predicate" 2 '' 'abut: points (A) and points (B) have no predicate touches; they have none|' \
    abut zip points.csv points.csv
expect "zip, planes" 0 'hit,class|1,inside|1,crossing|0,outside|1,crossing|' '' abut zip along.csv plane.csv
expect "zip, planes, inward" 0 'hit,class|0,outside|1,crossing|1,inside|1,crossing|' '' \
    abut zip plane.csv along.csv --normals inward
expect "zip, planes, open" 0 'hit,class|1,inside|1,crossing|0,outside|0,crossing|' '' \
    abut zip along.csv plane.csv --touch open
expect "zip, planes, counted" 0 '3|' '' abut zip along.csv plane.csv --count
expect "zip takes no --by" 2 '' 'abut: zip does not take --by|' abut zip along.csv plane.csv --by g
expect "--normals" 2 '' "abut: --normals takes outward or inward, not 'up'|" abut zip along.csv plane.csv --normals up

# abut distance
expect "distance" 0 'd2,x,y,z|12,-1,-1,-1|0,2,2,2|27,2,2,2|' '' abut distance points.csv boxes.csv
expect "distance, one against all" 0 'd2,x,y,z|12,-1,-1,-1|2,2,1,2|0,1,1,1|' '' \
    sh -c "head -n 2 points.csv | $ABUT distance - boxes.csv"
expect "distance, all against one" 0 'd2,x,y,z|0,1,1,1|1,2,2,1|16,5,5,1|' '' abut distance points.csv plane.csv
expect "distance, inward" 0 'd2,x,y,z|0,1,1,1|0,2,2,2|0,5,5,5|' '' abut distance points.csv plane.csv --normals inward
expect "distance, centres" 0 'd2,x,y,z|0,1,0,1|1,2,1,1|4,2,1,1|1,2,1,1|0,1,1,1|' '' \
    abut distance spheres.csv one_box.csv --kind-a points --quiet -o -
expect "distance, needs points" 2 '' \
    'abut: distance takes points for A, not spheres; --kind-a points reads the centres of spheres|' \
    abut distance spheres.csv one_box.csv
printf 'nx,ny,nz,d,volume\n1,0,0,-1,7\n' >hulls.csv
expect "distance, no hulls" 2 '' 'abut: distance does not take hulls for B|' abut distance points.csv hulls.csv
expect "distance, lengths" 1 '' \
    'abut: distance takes as many rows of A as of B, or one of either: points.csv has 3, no_boxes.csv has 0; '\
'abut nearest --distance finds the nearest row of B for each point of A|' \
    abut distance points.csv no_boxes.csv
printf 'x,y,z\n0,0,0\n1,,1\n0.1,1e30,-0\n' >gaps.csv
printf 'x,y,z,r\n0,0,0.2,0\n0,0,0,1\n0,0,0,1\n' >balls.csv
expect "distance, an invalid row" 1 '' 'gaps.csv:3: y: is missing|' abut distance gaps.csv balls.csv
expect "distance, skipped rows and nine digits" 0 'd2,x,y,z|0.0400000028,0,0,0.200000003|nan,nan,nan,nan|inf,0,1,0|' \
    'abut: gaps.csv: skipped 1 invalid row, at line 3|' abut distance gaps.csv balls.csv --skip-bad
for isa in $isas; do
    same "distance, $isa" "$(abut distance points.csv triangles.csv --isa scalar 2>&1)" \
        "$(abut distance points.csv triangles.csv --isa "$isa" 2>&1)"
done
if [ -n "$emulated" ] || ! (ulimit -v 100000 && abut --version) >/dev/null 2>&1; then
    skip "distance, when memory runs out: an emulator or a sanitizer needs more of its own"
else
    least=1000
    until (ulimit -v $least && abut --version) >/dev/null 2>&1; do
        least=$((least + 40))
    done
    : >reported.txt
    for more in $(seq 0 40 2000); do
        (ulimit -v $((least + more)) && abut distance line.csv one_box.csv) >out.txt 2>err.txt
        [ $? -eq 0 ] && break
        echo "$(wc -c <out.txt) bytes, $(cat err.txt)" >>reported.txt
    done
    same "distance, when memory runs out" '0 bytes, abut: out of memory' "$(grep 'abut: out' reported.txt | sort -u)"
    same "distance, when memory runs out: one line of error" '' "$(grep -v '^0 bytes, abut: .* memory$' reported.txt)"
fi

finish self_zip_distance
