#!/bin/sh
# SPDX-License-Identifier: MIT
# Hulls, given as rows of planes: abut join, labels, abut zip and its --class, and rows that are invalid.
# usage: ABUT="path of abut" hulls.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

# Volume 7 is a unit cube. Volume 3 is a half-space, whose row stands between those of the cube.
cat >hulls.csv <<'EOF'
nx,ny,nz,d,volume
1,0,0,-1,7
-1,0,0,0,7
0,2,0,-2,7
0,0,1,-9,3
0,-1,0,0,7
0,0,1,-1,7
0,0,-1,0,7
EOF
printf 'x,y,z,r\n0.5,0.5,0.5,0.5\n2,2,0.5,1.25\n2,0.5,0.5,1\n1.5,0.5,0.5,0\n' >around_hull.csv
expect "join, hulls" 0 'a,b|0,0|0,1|1,1|2,0|2,1|3,1|' '' abut join around_hull.csv hulls.csv
expect "join, hulls, exact is the same as touches" 0 'a,b|0,0|0,1|1,1|2,0|2,1|3,1|' '' \
    abut join around_hull.csv hulls.csv --predicate exact
expect "join, hulls, open" 0 'a,b|0,0|0,1|1,1|2,1|' '' abut join around_hull.csv hulls.csv --touch open
expect "join, hulls, planes" 0 'a,b|0,0|0,1|1,0|1,1|2,0|2,1|3,1|' '' \
    abut join around_hull.csv hulls.csv --predicate cull
expect "join, hulls, inside" 0 'a,b|0,0|0,1|1,1|2,1|3,1|' '' abut join around_hull.csv hulls.csv --predicate inside
printf 'x,y,z,r\n0,0,500,1\n' >nowhere.csv
expect "join, hulls, nothing inside" 0 'a,b|' '' abut join nowhere.csv hulls.csv --predicate inside --method index
expect "join, hulls contain" 0 'a,b|0,0|1,0|1,1|1,2|1,3|' '' abut join hulls.csv around_hull.csv --predicate contains
expect "join, hulls contain points" 0 'a,b|0,0|1,0|1,1|1,2|' '' abut join hulls.csv points.csv

# Labels: all rows of a hull have the same.
sed '1s/$/,g/; 2,$s/$/,a/; /,3,a$/s/a$/b/' hulls.csv >hulls_by.csv
sed '1s/$/,g/; 2,$s/$/,a/; $s/a$/b/' around_hull.csv >around_by.csv
for method in all index; do
    expect "join, hulls, --by, $method" 0 'a,b|0,0|2,0|3,1|' '' \
        abut join around_by.csv hulls_by.csv --by g --method $method
    expect "join, hulls before spheres, --by, $method" 0 'a,b|0,0|0,2|1,3|' '' \
        abut join hulls_by.csv around_by.csv --by g --method $method
done
sed '$s/a$/b/' hulls_by.csv >mixed.csv
expect "a hull with two labels" 1 '' "mixed.csv:8: g: is not that of the volume's first row|" \
    abut join around_by.csv mixed.csv --by g
sed '$s/7,a$/x,b/' hulls_by.csv >mixed.csv
expect "a hull with two labels, one in a row without a volume" 0 'a,b|3,1|' 'abut: mixed.csv: skipped 1 invalid row, at line 8|' \
    abut join around_by.csv mixed.csv --by g --skip-bad

# Invalid rows are skipped.
printf 'x,y,z,r\n-5,0,0,.1\n' >left.csv
# hulls_skipping NAME ROWS EXPECTED LINE: the row in that line is invalid
hulls_skipping() {
    printf "nx,ny,nz,d,volume\n$2" >skipping.csv
    expect "hulls, --skip-bad, $1" 0 "a,b|$3" "abut: skipping.csv: skipped 1 invalid row, at line $4|" \
        abut join left.csv skipping.csv --skip-bad
}
hulls_skipping "a row of which only the volume can be read" '1,0,0,-1,7\n1,0,0,-1,8\nx,0,0,90,7\n' '0,1|' 4
hulls_skipping "a row of which only the volume can be read, first" 'x,0,0,-1,7\n1,0,0,-1,8\n-1,0,0,-1,7\n' '0,1|' 2
hulls_skipping "a row without a volume" '1,0,0,-1,8\n1,0,0,-1,9\n1,0,0,-1,x\n' '0,0|' 4
hulls_skipping "a row without a volume, first" '\n1,0,0,-1,8\n1,0,0,-1,9\n' '0,1|' 2
hulls_skipping "a row whose volume is no whole number" '1,0,0,-1,8\n1,0,0,-1,9\n1,0,0,-1,9.000000001\n' '0,0|' 4
hulls_skipping "a row of too many fields" '1,0,0,-1,8\n1,0,0,-1,9\n1,0,0,-1,8,0\n' '0,0|' 4
hulls_skipping "a row without a volume, alone" '1,0,0,-1,x\n' '' 2

expect "zip, one hull" 0 'hit|1|0|0|' '' sh -c "head -n 2 hulls.csv | $ABUT zip points.csv -"
expect "zip, one hull, inward" 0 'hit|0|1|1|' '' \
    sh -c "head -n 2 hulls.csv | $ABUT zip points.csv - --normals inward --touch open"

# Shapes with corners: off an edge of the cube a cull keeps what misses it.
printf 'nx,ny,nz,d,volume\n1,0,0,-1,3\n-1,0,0,0,3\n0,1,0,-1,3\n0,-1,0,0,3\n0,0,1,-1,3\n0,0,-1,0,3\n1,1,1,-3,4\n' >two.csv
printf 'minx,miny,minz,maxx,maxy,maxz\n-2,-2,-2,-1,-1,-1\n1,1,1,4,3,4\n0,0,0,2,2,2\n' >at_cube.csv
printf 'ax,ay,az,bx,by,bz\n2,0,0,0,2,0\n2,0.5,0,0.5,2,0\n0.5,0.5,-1,0.5,0.5,2\n' >edges.csv
printf 'ax,ay,az,bx,by,bz,r\n3,0,0,0,3,0,0.75\n3,0,0.5,0,3,0.5,0.5\n' >tubes.csv
for method in index all; do
    expect "join, boxes and hulls, $method" 0 'a,b|0,1|1,0|1,1|2,0|2,1|' '' \
    abut join at_cube.csv two.csv --method $method
    expect "join, boxes and hulls, open, $method" 0 'a,b|0,1|2,0|2,1|' '' \
        abut join at_cube.csv two.csv --touch open --method $method
    expect "join, segments and hulls, $method" 0 'a,b|0,0|0,1|1,1|2,0|2,1|' '' \
    abut join edges.csv two.csv --method $method
    expect "join, segments and hulls, open, $method" 0 'a,b|0,1|1,1|2,0|2,1|' '' \
        abut join edges.csv two.csv --touch open --method $method
    expect "join, capsules and hulls, $method" 0 'a,b|0,0|0,1|1,1|' '' abut join tubes.csv two.csv --method $method
done
expect "zip, segments inside a hull, open" 0 'hit|1|1|0|' '' \
    sh -c "sed -n '1p;8p' two.csv | $ABUT zip edges.csv - --predicate inside --touch open"

# Hulls with hulls: the cube 3, the half space 4 through its corner, a cube off an edge, one that meets the corner, and
# a flat one in a face.
{
    cat two.csv
    printf '1,0,0,-2,5\n-1,0,0,1.5,5\n0,1,0,-2,5\n0,-1,0,1.5,5\n0,0,1,-1,5\n0,0,-1,0,5\n'
    printf '1,0,0,-2,6\n-1,0,0,1,6\n0,1,0,-2,6\n0,-1,0,1,6\n0,0,1,-2,6\n0,0,-1,1,6\n'
    printf '0,0,1,-1,7\n0,0,-1,1,7\n1,0,0,-0.5,7\n-1,0,0,0,7\n0,1,0,-0.5,7\n0,-1,0,0,7\n'
} >five.csv
for method in auto index all; do
    expect "self, hulls, $method" 0 'a,b|0,1|0,3|0,4|1,2|1,3|1,4|2,3|' '' abut self five.csv --method $method
    expect "self, hulls, open, $method" 0 'a,b|0,1|1,4|' '' abut self five.csv --touch open --method $method
    expect "join, hulls with hulls, $method" 0 'a,b|0,0|0,1|0,3|0,4|1,0|1,1|1,2|1,3|1,4|' '' \
        abut join two.csv five.csv --method $method
    expect "join, hulls with hulls, --by, $method" 0 'a,b|0,0|1,1|' '' \
        abut join hulls_by.csv hulls_by.csv --by g --method $method
done
expect "zip, hulls with hulls" 0 'hit|1|1|' '' abut zip two.csv two.csv --predicate exact
expect "zip, hulls with one hull, open" 0 'hit|1|1|0|0|0|' '' \
    sh -c "sed -n '1,7p' two.csv | $ABUT zip five.csv - --touch open"
expect "hulls in hulls" 2 '' 'abut: hulls (A) and hulls (B) have no predicate inside; they have touches, exact|' \
    abut join two.csv five.csv --predicate inside

# Vertices in place of planes: a unit cube with a point inside, whose rows stand between those of a tetrahedron.
cat >vertices.csv <<'EOF'
x,y,z,volume,g
0,0,0,7,a
1,0,0,7,a
0,1,0,7,a
5,5,5,3,b
1,1,0,7,a
0,0,1,7,a
6,5,5,3,b
0.5,0.25,0.5,7,a
1,0,1,7,a
0,1,1,7,a
5,6,5,3,b
1,1,1,7,a
5,5,6,3,b
EOF
printf 'x,y,z,r\n2,0.5,0.5,1\n2,2,0.5,1.25\n5.25,5.25,5.25,0.125\n5.75,5.75,5.75,0.5\n5.5,5.5,5.5,0.5\n' >near.csv
expect "join, vertices" 0 'a,b|0,0|2,1|4,1|' '' abut join near.csv vertices.csv --kind-b hulls
expect "join, vertices, open" 0 'a,b|2,1|4,1|' '' abut join near.csv vertices.csv --kind-b hulls --touch open
expect "join, vertices, normals inward change nothing" 0 'a,b|0,0|2,1|4,1|' '' \
    abut join near.csv vertices.csv --kind-b hulls --normals inward
expect "join, vertices, origin" 0 'a,b|0,0|2,1|4,1|' '' \
    abut join near.csv vertices.csv --kind-b hulls --origin 100,200,300
expect "join, vertices with planes" 0 'a,b|0,0|0,1|' '' abut join vertices.csv two.csv --kind-a hulls
expect "join, vertices, --by" 0 'a,b|0,0|1,1|' '' \
    abut join vertices.csv vertices.csv --kind-a hulls --kind-b hulls --by g
expect "x,y,z,volume alone are points" 0 '18|' '' abut join vertices.csv two.csv --count
grep -v ',a$' vertices.csv | sed 's/,6,3,b/,5,3,b/' >flat.csv
expect "vertices in one plane" 1 '' \
    'flat.csv:2: volume: has all vertices in one plane: a flat hull needs its planes (nx,ny,nz,d,volume)|' \
    abut join near.csv flat.csv --kind-b hulls
{ cat vertices.csv && sed '1d' flat.csv | sed 's/,3,b/,4,b/'; } >with_flat.csv
expect "vertices in one plane, skipped" 0 'a,b|0,0|2,1|4,1|' 'abut: with_flat.csv: skipped 1 invalid row, at line 15|' \
    abut join near.csv with_flat.csv --kind-b hulls --skip-bad
sed '$d' flat.csv >few.csv
expect "three vertices" 1 '' \
    'few.csv:2: volume: has fewer than 4 vertices: a flat hull needs its planes (nx,ny,nz,d,volume)|' \
    abut join near.csv few.csv --kind-b hulls
awk 'BEGIN { print "x,y,z,volume"
    for (i = 0; i < 129; i++) print i * i % 101 "," i * i * i % 103 "," i % 7 ",1" }' >too_many.csv
expect "129 vertices" 1 '' \
    'too_many.csv:2: volume: has more than 128 vertices: leave out those that are no corners, or cut it in parts|' \
    abut join near.csv too_many.csv --kind-b hulls
awk 'BEGIN { print "x,y,z,volume"; for (i = 0; i < 40; i++) print cos(i) "," sin(i) "," i % 2 ",1" }' >round.csv
expect "more than 32 faces" 1 '' \
    'round.csv:2: volume: has more than 32 faces, or one beyond float32: cut it in parts|' \
    abut join near.csv round.csv --kind-b hulls
sed 's/^1,1,1,7/1,inf,1,7/' vertices.csv >infinite.csv
expect "an infinite vertex" 1 '' 'infinite.csv:13: y: is infinite|' abut join near.csv infinite.csv --kind-b hulls
sed 's/^1,1,1,7/1,1,1,7.5/' vertices.csv >half.csv
expect "a vertex of half a volume" 1 '' 'half.csv:13: volume: is not a whole number below 16777216|' \
    abut join near.csv half.csv --kind-b hulls
expect "a vertex of half a volume, skipped" 0 'a,b|0,0|' 'abut: half.csv: skipped 1 invalid row, at line 13|' \
    abut join near.csv half.csv --kind-b hulls --skip-bad
expect "hulls of neither planes nor vertices" 1 '' "near.csv:1: nx: the column is missing|" \
    abut join near.csv near.csv --kind-b hulls

# The class of a hit: inside, crossing or outside.
grep -v ',3$' hulls.csv >cube.csv
printf 'x,y,z,r\n0.5,0.5,0.5,0.25\n0.5,0.5,0.5,0.5\n2,0.5,0.5,1\n2,2,0.5,1.25\n,0,0,1\n' >about.csv
expect "zip, class of spheres in a hull" 0 'hit,class|1,inside|1,crossing|0,crossing|0,outside|0,|' '' \
    abut zip about.csv cube.csv --class --touch open --skip-bad --quiet
expect "zip, class, operands swapped" 0 'hit,class|1,inside|1,crossing|1,crossing|0,outside|0,|' '' \
    abut zip cube.csv about.csv --class --predicate exact --skip-bad --quiet
cat >in_cube.csv <<'EOF'
minx,miny,minz,maxx,maxy,maxz
0.1,0.1,0.1,0.9,0.9,0.9
0,0.1,0.1,0.9,0.9,0.9
1,1,1,2,2,2
0,0,1.5,1,1,2
EOF
expect "zip, class of boxes in a hull" 0 'hit,class|1,inside|1,crossing|1,crossing|0,outside|' '' \
    abut zip in_cube.csv cube.csv --class --predicate cull
cat >obbs_in_cube.csv <<'EOF'
cx,cy,cz,hx,hy,hz,qx,qy,qz,qw
0.5,0.5,0.5,0.4,0.4,0.4,0,0,0,1
0.45,0.5,0.5,0.45,0.4,0.4,0,0,0,1
1.5,1.5,1.5,0.5,0.5,0.5,0,0,0,1
0.5,0.5,1.75,0.5,0.5,0.25,0,0,0,1
EOF
expect "zip, class of OBBs in a hull" 0 'hit,class|1,inside|1,crossing|1,crossing|0,outside|' '' \
    abut zip obbs_in_cube.csv cube.csv --class --predicate cull
expect "zip, class of OBBs in a hull, operands swapped" 0 'hit,class|1,inside|0,crossing|0,crossing|0,outside|' '' \
    abut zip cube.csv obbs_in_cube.csv --class --predicate contains --touch open
expect "zip, class of spheres in a box" 0 'hit,class|1,inside|1,crossing|1,crossing|0,outside|0,|' '' \
    abut zip about.csv unit.csv --class --skip-bad --quiet
printf 'cx,cy,cz,hx,hy,hz,qx,qy,qz,qw\n0.5,0.5,0.5,0.5,0.5,0.5,0,0,0,1\n' >unit_obb.csv
expect "zip, class of spheres in an OBB, operands swapped" 0 \
    'hit,class|1,inside|1,crossing|1,crossing|0,outside|0,|' '' \
    abut zip unit_obb.csv about.csv --class --skip-bad --quiet
expect "zip, boxes without --class" 0 'hit|1|1|1|0|0|' '' abut zip about.csv unit.csv --skip-bad --quiet
expect "zip, hulls without --class" 0 'hit|1|1|1|0|' '' abut zip in_cube.csv cube.csv --predicate cull
# A box off an edge of a volume is beyond no plane of it, and outside.
printf 'volume,nx,ny,nz,d\n0,1,2,0,0\n0,1,-2,0,0\n' >wedge.csv
printf 'minx,miny,minz,maxx,maxy,maxz\n1,-1,0,1.5,1,1\n' >beside.csv
expect "class of a box beside an edge of a hull" 0 'hit,class|1,outside|' '' \
    abut zip beside.csv wedge.csv --class --predicate cull
expect "class of boxes in boxes" 0 'hit,class|1,inside|1,crossing|1,crossing|0,outside|' '' \
    abut zip in_cube.csv unit.csv --class
classes='abut: --class is of spheres and spheres, capsules, aabbs, obbs, planes or hulls, or of segments, capsules, '
classes="${classes}triangles, aabbs or obbs and aabbs, obbs, planes or hulls|"
expect "points have no class" 2 '' "$classes" \
    abut zip points.csv cube.csv --class
expect "classes of OBBs in boxes" 0 'hit,class|1,crossing|' '' abut zip unit_obb.csv unit.csv --class
expect "join has no class" 2 '' 'abut: join does not take --class|' abut join about.csv cube.csv --class

# Invalid hulls, and volumes.
sed 's/0,0,-1,0,7/0,0,0,0,7/' hulls.csv >invalid_hulls.csv
expect "a hull with an invalid plane" 1 '' 'invalid_hulls.csv:8: nx: is zero, and so are ny and nz|' \
    abut join points.csv invalid_hulls.csv
expect "a hull with an invalid plane, skipped" 0 'a,b|0,1|1,1|2,1|' 'abut: invalid_hulls.csv: skipped 1 invalid row, at line 8|' \
    abut join points.csv invalid_hulls.csv --skip-bad
awk 'BEGIN { print "nx,ny,nz,d,volume"; for (i = 0; i < 33; i++) print "1,0,0,-9,5" }' >many.csv
expect "a hull of 33 planes" 1 '' 'many.csv:34: volume: has more than 32 planes|' abut join points.csv many.csv
{ sed 's/5$/4/' many.csv && sed '1d; 2s/1,0,0,-9/0,0,0,-9/' many.csv && echo 1,0,0,-9,6; } >more.csv
expect "two hulls of 33 planes, one with an invalid plane" 1 '' \
    'more.csv:34: volume: has more than 32 planes (and 2 more invalid rows)|' abut join points.csv more.csv
expect "hulls of too many planes, skipped" 0 'a,b|0,2|1,2|2,2|' 'abut: more.csv: skipped 3 invalid rows, the first at line 34|' \
    abut join points.csv more.csv --skip-bad
for volume in 0.5 1.00000001 1.00000000000000000000000000000001 10000000.10e0 16777215.4 16777216 -16777216 1e-60 \
    15e-1 inf 1e9; do
    expect "volumes are whole numbers, and not $volume" 1 '' '-:2: volume: is not a whole number below 16777216|' \
        sh -c "printf 'nx,ny,nz,d,volume\n1,0,0,0,$volume\n' | $ABUT join points.csv -"
done
printf 'nx,ny,nz,d,volume\n1,0,0,-9,3\n' >wholes.csv
for volume in 3.0 3. +3 003 3e0 0.3e1 .03E+2 30e-1 3.00000000000000000000000000000000 '"3"'; do
    echo "1,0,0,-9,$volume" >>wholes.csv
done
expect "volumes are whole numbers, however written" 0 'a,b|0,0|1,0|2,0|' '' abut join points.csv wholes.csv

finish hulls
