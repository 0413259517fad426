#!/bin/sh
# SPDX-License-Identifier: MIT
# NPY files: each format and order of numbers, each kind of shape, and pairs written as arrays.
# usage: ABUT="path of abut" npy.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

spheres="1 0 1 2 3 1 1 1.25 4 1 1 1.25 3 1 1 1 1 1 1 0.5"
columns="1 3 4 3 1 0 1 1 1 1 1 1 1 1 1 2 1.25 1.25 1 0.5"
boxes="-2 -2 -2 -1 -1 -1 2 1 2 4 3 4 0 0 0 2 2 2"
npy boxes.npy 1 '<f4' False '(3, 6)' $boxes
sed 's/1\.1$/1.25/' spheres.csv >spheres_npy.csv
abut join spheres_npy.csv boxes.csv >text.csv
for version in 1 2 3; do
    for type in '<f4' '>f4' '<f8' '>f8' '=f4'; do
        npy spheres.npy $version "$type" False '(5, 4)' $spheres
        abut join spheres.npy boxes.npy --kind-a spheres --kind-b aabbs >found.csv
        same "npy $version $type" '' "$(cmp found.csv text.csv 2>&1)"
        npy spheres.npy $version "$type" True '(5, 4,)' $columns
        abut join spheres.npy boxes.csv --kind-a spheres >found.csv
        same "npy $version $type, by columns" '' "$(cmp found.csv text.csv 2>&1)"
    done
done
abut join - boxes.npy --kind-a spheres --kind-b aabbs <spheres.npy >found.csv
same "npy from standard input" '' "$(cmp found.csv text.csv 2>&1)"
cat spheres.npy | abut join - boxes.npy --kind-a spheres --kind-b aabbs >found.csv
same "npy from a pipe" '' "$(cmp found.csv text.csv 2>&1)"
cat boxes.npy spheres.npy >behind.npy
(
    dd bs="$(wc -c <boxes.npy)" count=1 of=before 2>/dev/null
    abut join - boxes.npy --kind-a spheres --kind-b aabbs >found.csv
) <behind.npy
same "npy behind bytes of standard input that were read before" '' "$(cmp found.csv text.csv 2>&1)"
for order in "False (5,4) $spheres" "True (5,4) $columns"; do
    npy centres.npy 1 '<f8' $order
    expect "npy of spheres as points, by columns: ${order%% *}" 0 \
        "$(abut distance spheres_npy.csv one_box.csv --kind-a points | tr '\n' '|')" '' \
        abut distance centres.npy one_box.csv --kind-a points
done
for method in all index; do
    abut join spheres.npy boxes.npy --kind-a spheres --kind-b aabbs --method $method -o found.npy
    same "pairs as npy, --method $method" "$(tail -n +2 text.csv)" "$(npy_pairs found.npy)"
done
abut join spheres.npy boxes.npy --kind-a spheres --kind-b aabbs -o found.Npy
same "pairs as npy, in capitals" '' "$(cmp found.npy found.Npy 2>&1)"
same "pairs as npy: the header" "NUMPYv{'descr': '<u4', 'fortran_order': False, 'shape': (8, 2), }" \
    "$(head -c 127 found.npy | tr -cd '[:print:]' | sed 's/ *$//')"
abut self spheres.npy --kind-a spheres --touch open -o found.npy
same "self pairs as npy" "$(abut self spheres_npy.csv --touch open | tail -n +2)" "$(npy_pairs found.npy)"
abut join spheres.npy no_boxes.csv --kind-a spheres -o found.npy
same "no pairs as npy" 128 "$(wc -c <found.npy)"
mkfifo pipe.npy
cat pipe.npy >/dev/null &
expect "pairs as npy into a pipe" 1 '' 'abut: cannot write pipe.npy: an array needs a regular file|' \
    abut join spheres.npy boxes.npy --kind-a spheres --kind-b aabbs -o pipe.npy
wait

# Each kind.
npy points.npy 1 '<f4' False '(2, 3)' 1 1 1 5 5 5
expect "npy, points" 0 '1|' '' abut join points.npy boxes.npy --kind-b aabbs --count
npy planes.npy 1 '<f4' False '(1, 4)' 0 0 1 -1
expect "npy, planes" 0 'hit,class|1,inside|1,crossing|0,outside|1,crossing|' '' \
    abut zip along.csv planes.npy --kind-b planes
npy segments.npy 1 '<f4' False '(2, 6)' 0 0 3 9 9 9 5 0 0 9 0 0
expect "npy, segments" 0 'a,b|2,0|3,0|' '' abut join along.csv segments.npy --kind-b segments
npy capsules.npy 1 '<f4' False '(2, 7)' 0 0 3 9 9 9 2 5 0 0 9 0 0 3
expect "npy, capsules" 0 'a,b|1,0|2,0|3,0|' '' abut join along.csv capsules.npy --kind-b capsules
npy triangles.npy 1 '<f4' False '(2, 9)' -9 -9 1 9 -9 1 0 9 1 9 9 9 9 9 9 9 9 9
expect "npy, triangles" 0 'a,b|1,0|3,0|' '' abut join along.csv triangles.npy --kind-b triangles
npy obbs.npy 1 '<f8' False '(1, 15)' 0 0 0 1 1 1 1 0 0 0 1 0 0 0 1
expect "npy, oriented boxes" 0 '1|' '' abut join points.npy obbs.npy --count
npy quaternions.npy 1 '<f8' False '(1, 10)' 0 0 0 1 1 1 0 0 0 1
expect "npy, quaternions" 0 '1|' '' abut join points.npy quaternions.npy --count
npy hulls.npy 1 '<f4' False '(2, 2, 4)' 1 0 0 -1 0 1 0 -1 1 0 0 -9 -1 0 0 2
expect "npy, hulls" 0 'a,b|0,0|1,1|' '' abut join points.npy hulls.npy
npy hulls.npy 1 '<f4' True '(2, 2, 4)' 1 1 0 -1 0 0 1 0 0 0 0 0 -1 -9 -1 2
expect "npy, hulls by columns" 0 'a,b|0,0|1,1|' '' abut join points.npy hulls.npy
expect "npy, hulls, inward" 0 '1|' '' abut join points.npy hulls.npy --normals inward --touch open --count
npy vertices.npy 1 '<f4' False '(4, 4)' -1 -1 -1 2 9 0 0 2 0 9 0 2 0 0 9 2
expect "npy, vertices of hulls" 0 'a,b|0,0|' '' abut join points.npy vertices.npy --kind-b hulls
npy turned.npy 1 '<f4' False '(1, 7)' 1 1 1 4 2 2 1.5
expect "npy, boxes by centre, size and yaw" 0 '1|' '' abut join points.npy turned.npy --kind-b obbs --count

# A number of columns that fits several kinds, or points with more, does not choose.
# ambiguous COLUMNS KINDS
ambiguous() {
    npy in.npy 1 '<f4' False "(1, $1)" $(seq "$1")
    expect "npy, $1 columns" 1 '' \
        "in.npy:header: $1 columns may be $2: choose with --kind-a, or name them with --columns-a|" \
        abut join in.npy boxes.csv
    expect "npy, $1 columns, as points" 0 'a,b|' '' abut join in.npy boxes.csv --kind-a points
}
ambiguous 4 'points, spheres, aabbs, planes, segments'
ambiguous 5 'points, capsules, hulls'
ambiguous 6 'points, aabbs, segments'
ambiguous 7 'points, obbs, capsules'
ambiguous 8 'points'
ambiguous 9 'points, triangles'
npy named.npy 1 '<f4' False '(2, 5)' 7 9 9 9 1 8 1 1 1 1
expect "npy, columns by name" 0 'a,b|1,2|' '' abut join named.npy boxes.csv --columns-a id,x,y,z,r
expect "npy, columns by name, in another order" 0 'a,b|1,2|' '' abut join named.npy boxes.csv --columns-a id,z,x,y,R
npy named.npy 1 '>f8' True '(2, 5)' 7 8 9 1 9 1 9 1 1 1
expect "npy, columns by name, by columns" 0 'a,b|1,2|' '' abut join named.npy boxes.csv --columns-a id,x,y,z,r
expect "npy, too few names" 1 '' 'named.npy:header: there are 5 columns, and names for 4|' \
    abut join named.npy boxes.csv --columns-a x,y,z,r
expect "npy, names of no kind" 1 '' "named.npy:header: no kind fits 'a,b,y,z,r': spheres need a column x, too, or names from --columns-a|" \
    abut join named.npy boxes.csv --columns-a a,b,y,z,r
npy intensity.npy 1 '<f4' False '(2, 4)' 0 0 0 80 9 9 9 20
printf 'minx,miny,minz,maxx,maxy,maxz\n5,5,5,6,6,6\n' >five.csv
expect "npy, points with intensities" 0 'a,b|' '' abut join intensity.npy five.csv --kind-a points
npy empty.npy 1 '<f4' False '(0, 6)'
expect "npy, no rows" 0 'a,b|' '' abut join points.npy empty.npy --kind-b aabbs

finish npy
