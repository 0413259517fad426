#!/bin/sh
# SPDX-License-Identifier: MIT
# The abut command as its users see it: each command, option, message and exit code, on small files made by hand.
# usage: ABUT="path of abut" [SANITIZED=yes] [FLUSHES="a library that is loaded before it"] cli.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
manual=$here/../../src/cli/abut.1
cd "$work" || exit 1
unset ABUT_ISA
emulated=
case $ABUT in
*" "*) emulated=yes ;;
esac
slow=$emulated${SANITIZED-}
# The command has a message for this signal.
export ASAN_OPTIONS="$ASAN_OPTIONS:handle_sigbus=0"
LC_ALL=C
export LC_ALL
isas=$(abut info | sed -n 's/^instruction sets: //p')
list=$(echo "$isas" | sed 's/ /, /g')

cat >spheres.csv <<'EOF'
x,y,z,r
1,0,1,2
3,1,1,1.1
4,1,1,1.1
3,1,1,1
1,1,1,0.5
EOF
cat >boxes.csv <<'EOF'
minx,miny,minz,maxx,maxy,maxz
-2,-2,-2,-1,-1,-1
2,1,2,4,3,4
0,0,0,2,2,2
EOF
cat >points.csv <<'EOF'
x,y,z
1,1,1
2,2,2
5,5,5
EOF
head -n 1 boxes.csv >no_boxes.csv
printf 'x,y,z,r\n1,1,1,1\n' >one_sphere.csv
printf 'x,y,z,r\n1,0,4,1\n9,9,9,1\n9,9,9,1\n9,9,9,1\n9,9,9,1\n' >apart.csv

printf 'nx,ny,nz,d\n0,0,1,-1\n' >plane.csv
printf 'x,y,z,r\n0,0,0,0.5\n0,0,1,1\n0,0,3,1\n0,0,2,1\n' >along.csv
printf 'x,y,z,r,g\n1.3,1.3,0,0.4,a\n0,0,0,1,"b"\n' >grouped.csv
printf 'cx,cy,cz,hx,hy,hz,qx,qy,qz,qw,g\n0,0,0,1,1,1,0,0,0,1,"a"\n0,0,0,1,1,1,0,0,3,3,b\n' >turned.csv
printf 'ax,ay,az,bx,by,bz\n0,0,3,9,9,9\n5,0,0,9,0,0\n' >segments.csv
printf 'ax,ay,az,bx,by,bz,r\n0,0,3,9,9,9,2\n5,0,0,9,0,0,3\n' >capsules.csv
printf 'ax,ay,az,bx,by,bz,cx,cy,cz\n-9,-9,1,9,-9,1,0,9,1\n9,9,9,9,9,9,9,9,9\n' >triangles.csv

# planes, turned boxes, segments, triangles
expect "zip, planes" 0 'hit,class|1,inside|1,crossing|0,outside|1,crossing|' '' abut zip along.csv plane.csv
expect "zip, planes, inward" 0 'hit,class|0,outside|1,crossing|1,inside|1,crossing|' '' \
    abut zip plane.csv along.csv --normals inward
expect "zip, planes, open" 0 'hit,class|1,inside|1,crossing|0,outside|0,crossing|' '' \
    abut zip along.csv plane.csv --touch open
expect "zip, planes, counted" 0 '3|' '' abut zip along.csv plane.csv --count
expect "join, inside planes" 0 'a,b|0,0|' '' abut join along.csv plane.csv --predicate inside
expect "join, quaternions" 0 'a,b|1,0|1,1|' '' abut join grouped.csv turned.csv
expect "join, --by" 0 'a,b|1,1|' '' abut join grouped.csv turned.csv --by g
expect "join, --by, the other way" 0 '1|' '' abut join turned.csv grouped.csv --by g --count
expect "join, --by without the column" 1 '' 'grouped.csv:1: h: the column is missing|' \
    abut join grouped.csv turned.csv --by h
expect "self, --by" 0 'a,b|' '' abut self grouped.csv --by g
cat >texts.csv <<'END'
x,y,z,r,text
0,0,0,1,"a""b"
0,0,0,1,a"b
0,0,0,1,x""y
0,0,0,1,"x""y"
0,0,0,1, x"y
0,0,0,1," t"
0,0,0,1,t
END
expect "self, --by, what is in quotes" 0 'a,b|0,1|3,4|' '' abut self texts.csv --by text
expect "zip takes no --by" 2 '' 'abut: zip does not take --by|' abut zip along.csv plane.csv --by g
expect "--normals" 2 '' "abut: --normals takes outward or inward, not 'up'|" abut zip along.csv plane.csv --normals up
expect "join, segments" 0 'a,b|2,0|3,0|' '' abut join along.csv segments.csv
expect "join, capsules" 0 'a,b|1,0|2,0|3,0|' '' abut join along.csv capsules.csv
expect "join, triangles" 0 'a,b|1,0|3,0|' '' abut join along.csv triangles.csv

# join
expect "join" 0 'a,b|0,1|0,2|1,1|1,2|2,1|3,1|3,2|4,2|' '' abut join spheres.csv boxes.csv
expect "join, open" 0 'a,b|0,1|0,2|1,1|1,2|2,1|4,2|' '' abut join spheres.csv boxes.csv --touch open
expect "join, the other way" 0 'a,b|1,0|1,1|1,2|1,3|2,0|2,1|2,3|2,4|' '' abut join boxes.csv spheres.csv
expect "join, points in boxes" 0 'a,b|0,2|1,1|1,2|' '' abut join points.csv boxes.csv
expect "join, points in boxes, open" 0 'a,b|0,2|' '' abut join points.csv boxes.csv --touch open
expect "join, boxes touching points" 0 'a,b|1,1|2,0|2,1|' '' abut join boxes.csv points.csv
expect "join, boxes touching points, open" 0 'a,b|2,0|' '' abut join boxes.csv points.csv --touch=open
expect "join, points in spheres" 0 'a,b|0,0|0,4|' '' abut join points.csv spheres.csv
expect "join, boxes" 0 'a,b|0,0|1,1|1,2|2,1|2,2|' '' abut join boxes.csv boxes.csv
expect "join, boxes, open" 0 'a,b|0,0|1,1|2,2|' '' abut join boxes.csv boxes.csv --touch open
expect "join, --touch closed" 0 '8|' '' abut join spheres.csv boxes.csv --touch closed --count
expect "join, inside" 0 'a,b|4,2|' '' abut join spheres.csv boxes.csv --predicate inside
expect "join, contains the other way" 0 'a,b|2,4|' '' abut join boxes.csv spheres.csv --predicate contains
printf 'minx,miny,minz,maxx,maxy,maxz\n0,0,0,1,1,1\n' >unit.csv
printf 'x,y,z,r\n0,0,0,1.8\n0,0,0,1.7\n' >around.csv
expect "join, box inside sphere" 0 'a,b|0,0|' '' abut join unit.csv around.csv --predicate inside
expect "join, sphere contains box" 0 'a,b|0,0|' '' abut join around.csv unit.csv --predicate contains
expect "join, points inside" 0 'a,b|0,2|1,1|1,2|' '' abut join points.csv boxes.csv --predicate inside
expect "join, contains points" 0 'a,b|1,1|2,0|2,1|' '' abut join boxes.csv points.csv --predicate contains
expect "join, count" 0 '8|' '' abut join spheres.csv boxes.csv --count
expect "join, nothing" 0 'a,b|' '' abut join spheres.csv no_boxes.csv
expect "join, nothing either way" 0 'a,b|' '' abut join no_boxes.csv spheres.csv
expect "join, nothing to count" 0 '0|' '' abut join no_boxes.csv no_boxes.csv --count
expect "join, several words a row" 0 'a,b|0,70|0,199|' '' sh -c \
    "awk 'BEGIN { print \"x,y,z\"; for (i = 0; i < 200; i++) print (i == 70 || i == 199 ? 1 : 9) \",1,1\" }' |
     $ABUT join unit.csv -"

awk 'BEGIN { print "x,y,z"; for (i = 0; i < 9000; i++) print i / 2000 ",1,2" }' >line.csv
abut join line.csv boxes.csv | awk -F, 'NR > 1 { print $2 "," $1 }' | sort -t, -n -k1,1 -k2,2 >straight.txt
abut join boxes.csv line.csv | tail -n +2 >turned.txt
same "join, several tiles the other way: pairs" 8002 "$(wc -l <turned.txt)"
cmp -s straight.txt turned.txt
same "join, several tiles the other way: the same pairs" 0 $?

# hulls: a unit cube of volume 7 with a second one before it in part, and a cube whose last plane is bad
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
expect "join, hulls, exact is touches" 0 'a,b|0,0|0,1|1,1|2,0|2,1|3,1|' '' \
    abut join around_hull.csv hulls.csv --predicate exact
expect "join, hulls, open" 0 'a,b|0,0|0,1|1,1|2,1|' '' abut join around_hull.csv hulls.csv --touch open
expect "join, hulls, planes" 0 'a,b|0,0|0,1|1,0|1,1|2,0|2,1|3,1|' '' \
    abut join around_hull.csv hulls.csv --predicate planes
expect "join, hulls, inside" 0 'a,b|0,0|0,1|1,1|2,1|3,1|' '' abut join around_hull.csv hulls.csv --predicate inside
printf 'x,y,z,r\n0,0,500,1\n' >nowhere.csv
expect "join, hulls, nothing inside" 0 'a,b|' '' abut join nowhere.csv hulls.csv --predicate inside --method index
expect "join, hulls contain" 0 'a,b|0,0|1,0|1,1|1,2|1,3|' '' abut join hulls.csv around_hull.csv --predicate contains
expect "join, hulls contain points" 0 'a,b|0,0|1,0|1,1|1,2|' '' abut join hulls.csv points.csv
sed '1s/$/,g/; 2,$s/$/,a/; /,3,a$/s/a$/b/' hulls.csv >hulls_by.csv
sed '1s/$/,g/; 2,$s/$/,a/; $s/a$/b/' around_hull.csv >around_by.csv
for method in all index; do
    expect "join, hulls, --by, $method" 0 'a,b|0,0|2,0|3,1|' '' \
        abut join around_by.csv hulls_by.csv --by g --method $method
    expect "join, hulls before spheres, --by, $method" 0 'a,b|0,0|0,2|1,3|' '' \
        abut join hulls_by.csv around_by.csv --by g --method $method
done
sed '$s/a$/b/' hulls_by.csv >mixed.csv
expect "a hull of two texts" 1 '' "mixed.csv:8: g: is not that of the volume's first row|" \
    abut join around_by.csv mixed.csv --by g
sed '$s/7,a$/x,b/' hulls_by.csv >mixed.csv
expect "a hull of two texts, one of which is of no volume" 0 'a,b|3,1|' 'abut: mixed.csv: skipped 1 bad row|' \
    abut join around_by.csv mixed.csv --by g --skip-bad
printf 'x,y,z,r," my ""g"""\n0,0,0,1,a\n0,0,0,1,b\n' >quoted.csv
expect "self, --by a name with quotes in it" 0 'a,b|' '' abut self quoted.csv --by 'my "g"'
printf 'x,y,z,r\n-5,0,0,.1\n' >left.csv
printf 'cx,cy,cz,hx,hy,hz,qx,qy,qz,qw\n0,0,0,1,1,1,0,0,0,1\n0,0,0,1,1,1,0,0,0,0\n0,0,0,1,1,1,inf,0,0,0\n' >rotated.csv
expect "quaternions that are no rotation" 1 '' 'rotated.csv:3: qx,qy,qz,qw: is not a rotation (and 1 more bad row)|' \
    abut join left.csv rotated.csv
printf 'cx,cy,cz,hx,hy,hz,qx,qy,qz,qw\n0,0,0,1,-1,1,0,0,0,1\n' >rotated.csv
expect "half extents beside a quaternion" 1 '' 'rotated.csv:2: hy: is negative|' abut join left.csv rotated.csv
hulls_skipping() { # NAME ROWS EXPECTED
    printf "nx,ny,nz,d,volume\n$2" >spoilt.csv
    expect "hulls, --skip-bad, a row $1" 0 "a,b|$3" 'abut: spoilt.csv: skipped 1 bad row|' \
        abut join left.csv spoilt.csv --skip-bad
}
hulls_skipping "unreadable but for its volume" '1,0,0,-1,7\n1,0,0,-1,8\nx,0,0,90,7\n' '0,1|'
hulls_skipping "unreadable but for its volume, first" 'x,0,0,-1,7\n1,0,0,-1,8\n-1,0,0,-1,7\n' '0,1|'
hulls_skipping "of no volume" '1,0,0,-1,8\n1,0,0,-1,9\n1,0,0,-1,x\n' '0,0|'
hulls_skipping "of no volume, first" '\n1,0,0,-1,8\n1,0,0,-1,9\n' '0,1|'
hulls_skipping "of a volume that is none" '1,0,0,-1,8\n1,0,0,-1,9\n1,0,0,-1,9.000000001\n' '0,0|'
hulls_skipping "of too many fields" '1,0,0,-1,8\n1,0,0,-1,9\n1,0,0,-1,8,0\n' '0,0|'
hulls_skipping "of no volume, alone" '1,0,0,-1,x\n' ''
expect "zip, one hull" 0 'hit|1|0|0|' '' sh -c "head -n 2 hulls.csv | $ABUT zip points.csv -"
expect "zip, one hull, inward" 0 'hit|0|1|1|' '' \
    sh -c "head -n 2 hulls.csv | $ABUT zip points.csv - --normals inward --touch open"
expect "boxes and hulls do not touch" 2 '' \
    'abut: aabbs (A) and hulls (B) have no predicate touches; they have inside, planes|' abut join boxes.csv hulls.csv
grep -v ',3$' hulls.csv >cube.csv
printf 'x,y,z,r\n0.5,0.5,0.5,0.25\n0.5,0.5,0.5,0.5\n2,0.5,0.5,1\n2,2,0.5,1.25\n,0,0,1\n' >about.csv
expect "zip, class of spheres in a hull" 0 'hit,class|1,inside|1,crossing|0,crossing|0,outside|0,|' '' \
    abut zip about.csv cube.csv --class --touch open --skip-bad --quiet
expect "zip, class, turned" 0 'hit,class|1,inside|1,crossing|1,crossing|0,outside|0,|' '' \
    abut zip cube.csv about.csv --class --predicate exact --skip-bad --quiet
printf 'minx,miny,minz,maxx,maxy,maxz\n0.1,0.1,0.1,0.9,0.9,0.9\n0,0.1,0.1,0.9,0.9,0.9\n1,1,1,2,2,2\n0,0,1.5,1,1,2\n' >in_cube.csv
expect "zip, class of boxes in a hull" 0 'hit,class|1,inside|1,crossing|1,crossing|0,outside|' '' \
    abut zip in_cube.csv cube.csv --class --predicate planes
printf 'minx,miny,minz,maxx,maxy,maxz\n0,0,0,1,1,1\n' >unit.csv
expect "zip, class of spheres in a box" 0 'hit,class|1,inside|1,crossing|1,crossing|0,outside|0,|' '' \
    abut zip about.csv unit.csv --class --skip-bad --quiet
printf 'cx,cy,cz,hx,hy,hz,qx,qy,qz,qw\n0.5,0.5,0.5,0.5,0.5,0.5,0,0,0,1\n' >unit_obb.csv
expect "zip, class of spheres in an OBB, turned" 0 'hit,class|1,inside|1,crossing|1,crossing|0,outside|0,|' '' \
    abut zip unit_obb.csv about.csv --class --skip-bad --quiet
expect "zip, boxes without --class" 0 'hit|1|1|1|0|0|' '' abut zip about.csv unit.csv --skip-bad --quiet
expect "zip, hulls without --class" 0 'hit|1|1|1|0|' '' abut zip in_cube.csv cube.csv --predicate planes
expect "points have no class" 2 '' 'abut: --class is of spheres and aabbs, obbs, planes or hulls, or of aabbs and hulls|' \
    abut zip points.csv cube.csv --class
expect "OBBs have no class" 2 '' 'abut: --class is of spheres and aabbs, obbs, planes or hulls, or of aabbs and hulls|' \
    abut zip turned.csv cube.csv --class --predicate planes
expect "join has no class" 2 '' 'abut: join does not take --class|' abut join about.csv cube.csv --class
sed 's/0,0,-1,0,7/0,0,0,0,7/' hulls.csv >bad_hulls.csv
expect "a hull with a bad plane" 1 '' 'bad_hulls.csv:8: nx: is zero, and so are ny and nz|' \
    abut join points.csv bad_hulls.csv
expect "a hull with a bad plane, skipped" 0 'a,b|0,1|1,1|2,1|' 'abut: bad_hulls.csv: skipped 1 bad row|' \
    abut join points.csv bad_hulls.csv --skip-bad
awk 'BEGIN { print "nx,ny,nz,d,volume"; for (i = 0; i < 33; i++) print "1,0,0,-9,5" }' >many.csv
expect "a hull of 33 planes" 1 '' 'many.csv:34: volume: has more than 32 planes|' abut join points.csv many.csv
{ sed 's/5$/4/' many.csv && sed '1d; 2s/1,0,0,-9/0,0,0,-9/' many.csv && echo 1,0,0,-9,6; } >more.csv
expect "two hulls of 33 planes, one with a bad plane" 1 '' \
    'more.csv:34: volume: has more than 32 planes (and 2 more bad rows)|' abut join points.csv more.csv
expect "hulls of too many planes, skipped" 0 'a,b|0,2|1,2|2,2|' 'abut: more.csv: skipped 3 bad rows|' \
    abut join points.csv more.csv --skip-bad
for volume in 0.5 1.00000001 1.00000000000000000000000000000001 10000000.10e0 16777215.4 16777216 -16777216 1e-60 15e-1 inf \
    1e9; do
    expect "volumes are whole numbers, not $volume" 1 '' '-:2: volume: is not a whole number below 16777216|' \
        sh -c "printf 'nx,ny,nz,d,volume\n1,0,0,0,$volume\n' | $ABUT join points.csv -"
done
printf 'nx,ny,nz,d,volume\n1,0,0,-9,3\n' >wholes.csv
for volume in 3.0 3. +3 003 3e0 0.3e1 .03E+2 30e-1 3.00000000000000000000000000000000 '"3"'; do
    echo "1,0,0,-9,$volume" >>wholes.csv
done
expect "volumes are whole numbers, however written" 0 'a,b|0,0|1,0|2,0|' '' abut join points.csv wholes.csv
expect "frustum" 0 'nx,ny,nz,d,volume|0.707106769,0,0.707106769,0,0|-0.707106769,0,0.707106769,0,0|0,0.707106769,0.707106769,0,0|0,-0.707106769,0.707106769,0,0|0,0,1,1,0|' '' \
    abut frustum --eye 0,0,0 --target 0,0,-5 --fov 90 --aspect 1 --near 1 --far inf
expect "frustum, culling in one pipe" 0 'a,b|0,0|' '' \
    sh -c "printf 'x,y,z\n0,0,-5\n9,0,-5\n' >scene.csv; $ABUT frustum --far 10 | $ABUT join scene.csv -"
expect "frustum, culling boxes in one pipe" 0 'a,b|1,0|2,0|' '' \
    sh -c "$ABUT frustum --eye 9,9,9 --target 0,0,0 --far 14 | $ABUT join boxes.csv - --predicate planes"
expect "frustum, nothing to look at" 2 '' 'abut: frustum needs a target apart from the eye, and not straight up from it|' \
    abut frustum --target 0,5,0
expect "frustum, no way up" 2 '' 'abut: frustum needs an up other than 0,0,0|' abut frustum --up 0,0,0
for numbers in "--fov 1e-44" "--eye 3e38,3e38,3e38 --target 0,0,0"; do
    expect "frustum, no float32: $numbers" 2 '' \
        'abut: frustum needs planes that float32 can hold: a number is too large or too small|' abut frustum $numbers
done
for numbers in "--eye inf,0,0" "--target 0,0,-inf" "--up 0,inf,0" "--fov inf" "--aspect inf" "--near -inf"; do
    expect "frustum, infinite $numbers" 2 '' "abut: ${numbers% *} must be finite, not '${numbers#* }'|" abut frustum $numbers
done
expect "frustum, as far as floats go" 0 'nx,ny,nz,d,volume|1,0,0,-3.00000001e+38,0|' '' \
    sh -c "$ABUT frustum --eye 3e38,0,0 --target -3e38,0,0 | sed -n '1p; 6p'"
expect "frustum, no vector" 2 '' "abut: --eye takes X,Y,Z, not '1,2'|" abut frustum --eye 1,2
for numbers in "--fov 180" "--fov 0" "--aspect 0" "--near 0" "--near -1" "--near 5 --far 5" "--far 0"; do
    expect "frustum, $numbers" 2 '' \
        'abut: frustum needs a field of view between 0 and 180 degrees, aspect and near above 0, far beyond near|' \
        abut frustum $numbers
done

# self
expect "self" 0 'a,b|0,1|0,3|0,4|1,2|1,3|2,3|' '' abut self spheres.csv
expect "self, open" 0 '0|' '' abut self one_sphere.csv --touch open --count
expect "self, boxes" 0 'a,b|1,2|' '' abut self boxes.csv
expect "self, boxes, open" 0 'a,b|' '' abut self boxes.csv --touch open
expect "self, nothing" 0 'a,b|' '' abut self no_boxes.csv
awk 'BEGIN { print "x,y,z,r"; for (i = 0; i < 3000; i++) print i ",0,0,0.5" }' >chain.csv
expect "self, many blocks" 0 '2999|' '' abut self chain.csv --count
expect "self, many blocks, open" 0 '0|' '' abut self chain.csv --count --touch open
abut self chain.csv | awk -F, 'NR > 1 && ($1 != NR - 2 || $2 != NR - 1) { bad = 1 } END { exit bad || NR != 3000 }'
same "self, many blocks, in order" 0 $?

# zip
expect "zip" 0 'hit|0|1|0|' '' sh -c "head -n 4 spheres.csv | $ABUT zip - boxes.csv"
expect "zip, spheres" 0 'hit|1|0|0|0|0|' '' abut zip spheres.csv apart.csv --predicate touches -o - --quiet
printf 'minx,miny,minz,maxx,maxy,maxz\n0,0,0,2,2,2\n' >one_box.csv
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

# distance
expect "distance" 0 'd2,x,y,z|12,-1,-1,-1|0,2,2,2|27,2,2,2|' '' abut distance points.csv boxes.csv
expect "distance, one against all" 0 'd2,x,y,z|12,-1,-1,-1|2,2,1,2|0,1,1,1|' '' sh -c "head -n 2 points.csv | $ABUT distance - boxes.csv"
expect "distance, all against one" 0 'd2,x,y,z|0,1,1,1|1,2,2,1|16,5,5,1|' '' abut distance points.csv plane.csv
expect "distance, inward" 0 'd2,x,y,z|0,1,1,1|0,2,2,2|0,5,5,5|' '' abut distance points.csv plane.csv --normals inward
expect "distance, centres" 0 'd2,x,y,z|0,1,0,1|1,2,1,1|4,2,1,1|1,2,1,1|0,1,1,1|' '' \
    abut distance spheres.csv one_box.csv --kind-a points --quiet -o -
expect "distance, needs points" 2 '' \
    'abut: distance takes points for A, not spheres; --kind-a points reads the centres of spheres|' \
    abut distance spheres.csv one_box.csv
expect "distance, no hulls" 2 '' 'abut: distance does not take hulls for B|' abut distance points.csv hulls.csv
expect "distance, lengths" 1 '' \
    'abut: distance takes as many rows of A as of B, or one of either: points.csv has 3, no_boxes.csv has 0|' \
    abut distance points.csv no_boxes.csv
printf 'x,y,z\n0,0,0\n1,,1\n0.1,1e30,-0\n' >gaps.csv
printf 'x,y,z,r\n0,0,0.2,0\n0,0,0,1\n0,0,0,1\n' >balls.csv
expect "distance, bad rows" 1 '' 'gaps.csv:3: y: is missing|' abut distance gaps.csv balls.csv
expect "distance, skipped rows and nine digits" 0 'd2,x,y,z|0.0400000028,0,0,0.200000003|nan,nan,nan,nan|inf,0,1,0|' \
    'abut: gaps.csv: skipped 1 bad row|' abut distance gaps.csv balls.csv --skip-bad
for isa in $isas; do
    same "distance, $isa" "$(abut distance points.csv triangles.csv --isa scalar 2>&1)" \
        "$(abut distance points.csv triangles.csv --isa "$isa" 2>&1)"
done
if [ -n "$emulated" ] || ! (ulimit -v 100000 && abut --version) >/dev/null 2>&1; then
    skip "distance without memory: an emulator or a sanitizer needs more of its own"
else
    least=1000
    until (ulimit -v $least && abut --version) >/dev/null 2>&1; do
        least=$((least + 40))
    done
    : >told.txt
    for more in $(seq 0 40 2000); do
        (ulimit -v $((least + more)) && abut distance line.csv one_box.csv) >out.txt 2>err.txt
        [ $? -eq 0 ] && break
        echo "$(wc -c <out.txt) bytes, $(cat err.txt)" >>told.txt
    done
    same "distance without memory" '0 bytes, abut: out of memory' "$(grep 'abut: out' told.txt | sort -u)"
    same "distance without memory is one line of error" '' "$(grep -v '^0 bytes, abut: .* memory$' told.txt)"
fi

# Predicates that kinds have or lack.
expect "spheres contain no points by kind" 2 '' \
    'abut: points (A) and spheres (B) have no predicate contains; they have touches, inside|' \
    abut join points.csv spheres.csv --predicate contains
expect "boxes inside points" 2 '' \
    'abut: aabbs (A) and points (B) have no predicate inside; they have touches, contains|' \
    abut join boxes.csv points.csv --predicate inside
expect "spheres inside spheres" 2 '' \
    'abut: spheres (A) and spheres (B) have no predicate inside; they have touches|' \
    abut self spheres.csv --predicate inside
expect "self of points" 2 '' 'abut: points (A) and points (B) have no predicate touches; they have none|' \
    abut self points.csv

# Kinds by columns.
printf 'label,r,z,y,x\n"a, ""b""",0.5,1,1,1\n' >turned.csv
expect "columns in any order, others ignored" 0 'hit|1|' '' abut zip turned.csv one_box.csv --predicate inside
for name in R rad Radius '"radius"'; do
    printf 'x,y,z,%s\n1,1,1,2\n' "$name" >named.csv
    expect "a radius called $name" 0 '1|' \
        "abut: named.csv: read as points, without '$(echo "$name" | tr -d '"')': the column of a radius is named r|" \
        abut join named.csv one_box.csv --count
    expect "a radius called $name, --quiet" 0 '1|' '' abut join named.csv one_box.csv --count --quiet
    expect "a radius called $name, --kind-a" 0 '1|' '' abut join named.csv one_box.csv --count --kind-a points
done
printf 'ax,ay,az,bx,by,bz,radius\n1,1,1,2,2,2,2\n' >named.csv
expect "a capsule's radius" 0 '2|' \
    "abut: named.csv: read as segments, without 'radius': the column of a radius is named r|" \
    abut join named.csv spheres.csv --count
printf 'x,y,z,rate\n1,1,1,2\n' >named.csv
expect "no radius" 0 '1|' '' abut join named.csv one_box.csv --count
printf 'minx,miny,minz,maxx,maxy,maxz,x,y,z\n0,0,0,1,1,1,5,5,5\n' >both.csv
expect "two kinds" 1 '' 'both.csv:1: the columns of aabbs and of points are here: choose with --kind-b|' \
    abut join spheres.csv both.csv
expect "two kinds, A" 1 '' 'both.csv:1: the columns of aabbs and of points are here: choose with --kind-a|' \
    abut self both.csv
printf 'x,y,z,r,minx,miny,minz,maxx,maxy,maxz\n' >both_round.csv
expect "two kinds, the larger ones" 1 '' \
    'both_round.csv:1: the columns of aabbs and of spheres are here: choose with --kind-a|' abut self both_round.csv
printf 'x\000,y,z,r\n1,1,1,1\n' >zero_name.csv
expect "a zero byte in a name" 1 '' \
    "zero_name.csv:1: the columns of no kind are all in 'x?,y,z,r' (abut --help lists them)|" abut self zero_name.csv
expect "two kinds, B chosen" 0 '2|' '' abut join spheres.csv both.csv --kind-b aabbs --count
expect "two kinds, A chosen" 0 '0|' '' abut join both.csv spheres.csv --kind-a=points --count
expect "fewer columns than there are" 0 'hit|0|' '' abut zip one_sphere.csv unit.csv --kind-a points --touch open
expect "chosen kind lacks a column" 1 '' 'points.csv:1: r: the column is missing|' \
    abut join points.csv boxes.csv --kind-a spheres
printf 'x,y,w\n1,2,3\n' >unknown.csv
expect "no kind" 1 '' "unknown.csv:1: the columns of no kind are all in 'x,y,w' (abut --help lists them)|" \
    abut self unknown.csv
# header NAME HEADER SHOWN: of no kind
header() {
    printf "$2\n1,1,1,1\n" >in.csv
    expect "no kind: $1" 1 '' "in.csv:1: the columns of no kind are all in '$3' (abut --help lists them)|" abut self in.csv
}
header "capitals, CRLF" 'X,Y,Z,R\r' 'X,Y,Z,R'
header "another separator, a byte-order mark" '\357\273\277x;y;z;r' 'x;y;z;r'
header "tabs" 'x\ty\tz\tr' 'x	y	z	r'
header "a comment" '# spheres\nx,y,z,r' '# spheres'
header "a line in quotes" '"a\nb",\001\177\tc' '"a'
header "what does not show" '\001,\033[7m\177,\303\244' '?,?[7m?,ä'
header "what does not show in UTF-8" 'x\302\233y,\302\251,\302' "x?y,$(printf '\302\251,\302')"
seventy=$(printf '%070d' 0)
header "room for all" "${seventy}12345" "${seventy}12345"
header "room for most" "${seventy}1234567890" "${seventy}123456..."
header "room for less" "${seventy}12345\303\2447890" "${seventy}12345..."
printf 'x,y,z,r,x\n1,2,3,4,5\n' >twice.csv
expect "a column twice" 1 '' 'twice.csv:1: x: the column is here 2 times|' abut self twice.csv
printf 'x,y,z,r,note,note\n1,1,1,1,,\n' >notes.csv
expect "an ignored column twice" 0 '1|' '' abut join notes.csv boxes.csv --count
: >empty.csv
expect "an empty file" 1 '' 'empty.csv:1: no header line: the file is empty|' abut self empty.csv
expect "a blank header" 1 '' "-:1: the columns of no kind are all in '' (abut --help lists them)|" \
    sh -c "echo | $ABUT self -"
expect "a kind that does not exist" 2 '' "abut: --kind-a takes points, spheres, aabbs, planes, obbs, segments, capsules, triangles or hulls, not 'cubes'|" \
    abut self spheres.csv --kind-a cubes

# meshes: the same two triangles and a square in every format, beside four spheres of which three touch
printf 'x,y,z,r\n0.25,0.25,1,1\n0.25,0.25,1.5,1\n2.5,0.5,0,0\n2.5,0.5,0,0.1\n' >near_mesh.csv
cat >mesh.obj <<'EOF'
# vt, vn, groups and lines are passed over, and what a backslash ends goes on only where it is read: C:\models\
v 0 0 0
mtllib C:\models\
v	1 0 0 1.0 # with a weight \

 v 0 1 0 0.5 0.5 0.5
vt 0 0
vn 0 0 1
g first
f 1/1 2/1/1 3//1
v\
2 0 0
v 3 0 0
v 3 1 0
v 2 1 0 \
 1
f -4 -3 \
  -2 -1 # the square \
l 1 2
vp 1
EOF
cat >mesh.ply <<'EOF'
ply
format ascii 1.0
comment made by hand
obj_info none
element vertex 7
property uchar red
property float x
property double y
property list uchar int neighbours
property float32 z
element edge 1
property int a
property int b
element face 2
property list uint8 int vertex_index
property float quality
end_header
255 0 0 0 0
255 1 0 2 8 9 0
255 0 1 0 0

255 2 0 0 0
255 3 0 0 0
255 3 1 0 0
255 2 1 0 0
0 1
3 0 1 2 0.5
4 3 4 5 6 1e9
EOF
ply() {
    printf 'ply\r\nformat binary_%s_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty short z\n' "$1"
    printf 'property double w\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n'
}
w='\000\000\000\000\000\000\000\000' zero='\000\000\000\000'
{
    ply little
    printf "$zero$zero\000\000$w\000\000\200\077$zero\000\000$w$zero\000\000\200\077\000\000$w"
    printf "\003$zero\001\000\000\000\002\000\000\000"
} >little.ply
{
    ply big
    printf "$zero$zero\000\000$w\077\200\000\000$zero\000\000$w$zero\077\200\000\000\000\000$w"
    printf "\003$zero\000\000\000\001\000\000\000\002"
} >big.ply
for file in mesh.obj mesh.ply; do
    expect "mesh: $file" 0 'a,b|0,0|2,1|2,2|3,1|3,2|' '' abut join near_mesh.csv $file
    expect "mesh: $file, open" 0 'a,b|3,1|3,2|' '' abut join near_mesh.csv $file --touch open --quiet
    sed 's/$/\r/' $file >crlf_$file
    expect "mesh: $file, CRLF" 0 'a,b|0,0|2,1|2,2|3,1|3,2|' '' abut join near_mesh.csv crlf_$file
done
cp little.ply LITTLE.PLY
cp mesh.obj CAPITALS.OBJ
expect "mesh: OBJ in capitals" 0 '5|' '' abut join near_mesh.csv CAPITALS.OBJ --count
for file in little.ply big.ply LITTLE.PLY; do
    expect "mesh: $file" 0 'a,b|0,0|' '' abut join near_mesh.csv $file
done
expect "mesh: standard input, no line end" 0 'd2,x,y,z|1,1,0,0|' '' \
    sh -c "printf 'x,y,z\n2,0,0\n' >p.csv; printf '%s' \"\$(head -n 27 mesh.ply | sed 's/face 2/face 1/')\" | $ABUT distance p.csv -"
expect "mesh: its kind" 2 '' 'abut: mesh.obj is a mesh: its kind is triangles|' \
    abut join near_mesh.csv mesh.obj --kind-b spheres
expect "mesh: no --by" 2 '' 'abut: --by does not go with little.ply, a mesh|' abut join near_mesh.csv little.ply --by x
expect "mesh: triangles against triangles" 2 '' \
    'abut: triangles (A) and triangles (B) have no predicate touches; they have none|' abut join mesh.ply mesh.obj

printf '\357\273\277v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 2 3 4\n' >marked.obj
printf 'x,y,z\n0,0,0\n' >origin.csv
expect "mesh: OBJ with a byte-order mark" 0 'd2,x,y,z|0,0,0,0|' '' abut distance origin.csv marked.obj
(printf '\357\273\277' && cat little.ply) >marked.ply
expect "mesh: PLY with a byte-order mark" 0 'a,b|0,0|' '' abut join near_mesh.csv marked.ply

# bad_obj NAME LINES MESSAGE
bad_obj() {
    printf "v 0 0 0\nv 1 0 0\nv 0 1 0\n$2\n" >in.obj
    expect "bad mesh: $1" 1 '' "in.obj:$3|" abut join near_mesh.csv in.obj
}
bad_obj "vertex 0" 'f 0 1 2' '4: names vertex 0, which is not there'
bad_obj "beyond the last" 'f 1 2 4' '4: names vertex 4, which is not there'
bad_obj "before the first" 'f -4 1 2' '4: names vertex -4, which is not there'
bad_obj "a number too long" 'f 1 2 99999999999999999999999999' '4: names vertex 9223372036854775807, which is not there'
bad_obj "a number too long, back" 'f 1 2 -9223372036854775808' '4: names vertex -9223372036854775807, which is not there'
bad_obj "the longest number" 'f 1 2 922337203685477579' '4: names vertex 922337203685477579, which is not there'
bad_obj "two corners" '# \nf 1 2' '5: is a face of fewer than three vertices'
bad_obj "no corners" 'f' '4: is a face of fewer than three vertices'
bad_obj "text" 'f 1 2 x' '4: is a face with something else than numbers of vertices'
bad_obj "a difference" 'f 1-2 2 3' '4: is a face with something else than numbers of vertices'
bad_obj "a difference behind a slash" 'f 1/1-2 2 3' '4: is a face with something else than numbers of vertices'
bad_obj "four parts" 'f 1/1/1/1 2 3' '4: is a face with something else than numbers of vertices'
bad_obj "a fraction" 'f 1 2 3.5' '4: is a face with something else than numbers of vertices'
bad_obj "no coordinates" 'v' '4: is a vertex without three coordinates'
bad_obj "two coordinates" 'v 1 2' '4: is a vertex without three coordinates'
bad_obj "text for a coordinate" 'v 1 2 z' '4: has a coordinate z that is not a number'
bad_obj "a unit" 'v 1 2 3m' '4: has a coordinate z that is not a number'
bad_obj "a comment for a coordinate" 'v 1 2 # 3' '4: is a vertex without three coordinates'
bad_obj "infinity" 'v 1 inf 3' '4: has a coordinate y that is not finite'
bad_obj "overflow" 'v 1 2 3.5e38' '4: has a coordinate z that is too large for a float32'
bad_obj "behind a continued line" 'v 1 \\\n 2 3\nf 1 2 9' '6: names vertex 9, which is not there'
printf 'v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r' >in.obj
expect "bad mesh: carriage returns" 1 '' 'in.obj: a carriage return alone ends no line|' abut join near_mesh.csv in.obj
tr '\n' '\r' <mesh.ply >in.ply
expect "bad mesh: carriage returns, PLY" 1 '' 'in.ply:1: a carriage return alone ends no line|' abut join near_mesh.csv in.ply
for text in '' 'hello world' '# nothing' 'v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2\n'; do
    printf "$text" >in.obj
    expect "bad mesh: no face: $text" 1 '' 'in.obj: there is no face in the file|' abut join near_mesh.csv in.obj
done

# bad_ply NAME SED-SCRIPT MESSAGE
bad_ply() {
    sed "$2" mesh.ply >in.ply
    expect "bad mesh: $1" 1 '' "in.ply:$3|" abut join near_mesh.csv in.ply
}
bad_ply "no format" 2d '16: ends a header without a format'
bad_ply "another format" 's/ascii/utf8/' '2: is no known format'
bad_ply "a second format" '2p' '3: is a second format'
bad_ply "a long word" "s/^3 0 1 /3 0 $(printf '%080d' 1) /" '27: has a count or an index that is not a whole number'
bad_ply "another version" 's/1\.0$/2.0/' '2: is of a version other than 1.0'
bad_ply "a type" 's/double/quad/' '8: is a property of no known type'
bad_ply "a list counted by floats" 's/uint8 int/float int/' '15: is a property of no known type'
bad_ply "indices that are floats" 's/uint8 int/uint8 float/' '15: numbers vertices by other than whole numbers'
bad_ply "no z" 's/float32 z/float32 s/' '17: ends a header without one element vertex with x, y and z'
bad_ply "no faces" 's/vertex_index/corners/' '17: ends a header without one element face with a list vertex_indices'
bad_ply "a property too early" '5d;s/element edge 1/#/' '5: is a property before any element'
bad_ply "a property beyond the 64th" "$(yes '11i property float w' | head -62)" \
    '70: is a property beyond the 64 that an element may have'
bad_ply "an element beyond the 16th" "$(yes '3i element none 0\nproperty int i' | head -14)" \
    '42: is an element beyond the 16 that a file may have'
bad_ply "an element without properties" 's/^element face/element none 1\n&/' \
    '18: ends a header with an element that has no properties'
bad_ply "no count" 's/vertex 7/vertex many/' '5: is an element without a count'
bad_ply "negative count" 's/vertex 7/vertex -7/' '5: is an element without a count'
bad_ply "something else" 's/comment/remark/' '3: is no line of a PLY header'
bad_ply "no end" '17,$d' '16: is where a header ends that has no end_header'
bad_ply "more vertices than lines" 's/vertex 7/vertex 4000000000/' '26: has too few numbers'
bad_ply "more faces than lines" 's/face 2/face 18446744073709551615/' '29: is where the file is cut off'
bad_ply "too few numbers" 's/^255 1 0 2 8 9 0/255 1 0 2 8 9/' '19: has too few numbers'
bad_ply "too many numbers" 's/^255 1 0 2 8 9 0/& 0/' '19: has too many numbers'
bad_ply "a coordinate" 's/^255 1 0 2 8 9 0/255 one 0 2 8 9 0/' '19: has a coordinate x that is not a number'
bad_ply "an infinite coordinate" 's/^255 1 0 2 8 9 0/255 -inf 0 2 8 9 0/' '19: has a coordinate x that is not finite'
bad_ply "a coordinate too large" 's/^255 1 0 2 8 9 0/255 1e99 0 2 8 9 0/' '19: has a coordinate x that is too large for a float32'
bad_ply "an index" 's/^3 0 1 2/3 0 1 7/' '27: names vertex 7, which is not there'
bad_ply "a negative index" 's/^3 0 1 2/3 0 1 -1/' '27: names vertex -1, which is not there'
bad_ply "an index that is no number" 's/^3 0 1 2/3 0 1 2x/' '27: has a count or an index that is not a whole number'
bad_ply "two corners" 's/^3 0 1 2/2 0 1/' '27: is a face of fewer than three vertices'
bad_ply "less than nothing" 's/^3 0 1 2/-1/' '27: has a list of less than nothing'
bad_ply "a face too many" 's/face 2/face 1/' '28: is text behind the last element'
bad_ply "text behind blank lines" '$s/$/\n \t\n\n3/' '31: is text behind the last element'
sed '$s/$/\r\n\n \t\n /' mesh.ply >in.ply
expect "mesh: blank lines behind the last element" 0 '5|' '' abut join near_mesh.csv in.ply --count
for surplus in '\000' '\n' 'more'; do
    { cat little.ply && printf "$surplus"; } >in.ply
    expect "bad mesh: bytes behind the last element: $surplus" 1 '' 'in.ply: has bytes behind the last element|' \
        abut join near_mesh.csv in.ply
done
sed 's/vertex 3/vertex 4294967295/' little.ply >in.ply
expect "bad mesh: more vertices than bytes" 1 '' 'in.ply: vertex 3 is cut off|' abut join near_mesh.csv in.ply
sed 's/uchar int/uint int/' little.ply >in.ply
expect "bad mesh: a list counted by four bytes" 1 '' 'in.ply: face 0 names vertex 256, which is not there|' \
    abut join near_mesh.csv in.ply
{ ply big; printf "$zero$zero\000\000$w\177\200\000\000"; } >in.ply
expect "bad mesh: an infinite coordinate, binary" 1 '' 'in.ply: vertex 1 has a coordinate x that is not finite|' \
    abut join near_mesh.csv in.ply
size=$(wc -c <little.ply)
odd=
for cut in 5 20 60 $((size - 60)) $((size - 14)) $((size - 13)) $((size - 4)) $((size - 1)); do
    head -c "$cut" little.ply >in.ply
    abut join near_mesh.csv in.ply >out.txt 2>err.txt
    [ "$? $(wc -c <out.txt) $(wc -l <err.txt)" = "1 0 1" ] || odd="$odd $cut"
done
same "bad mesh: cut off anywhere is one line of error" '' "$odd"

# CSV. The answer of each is 1: one row in the unit box.
csv() {
    printf "$2" >in.csv
    expect "csv: $1" 0 '1|' '' abut join in.csv unit.csv --count
}
csv "LF" 'x,y,z\n1,1,1\n'
csv "CRLF" 'x,y,z\r\n1,1,1\r\n'
csv "no line end at the end" 'x,y,z\n1,1,1'
csv "carriage return at the end" 'x,y,z\r\n1,1,1\r'
csv "mixed line ends" 'x,y,z\r\n1,1,1\n9,9,9\r\n'
csv "byte-order mark" '\357\273\277x,y,z\n1,1,1\n'
csv "quotes" '"x","y","z"\n"1","0.5","1e0"\n'
csv "blanks" ' x ,\ty, z\n 1 ,\t1\t, 1 \n'
csv "blanks in quotes" 'x,y,z\n" 1 "," 1",1\n'
csv "blanks around quotes" '"x", "y","z" \n"1" ,1, "1"\t\n'
csv "a comma in quotes after a blank" 'x,y,z,l\n1,1,1, "a,b"\n'
csv "commas, quotes and lines in labels" 'l,x,y,"z"\n"a,""b""\nc,",1,1,1\n"\r\n",9,9,9\n'
csv "CRLF in a quoted name" '"x","y","z","note\r\nmore"\r\n1,1,1,a\r\n'
csv "byte-order mark and quotes" '\357\273\277"x",y,z\n1,1,1\n'
csv "empty label" 'x,y,z,l\n1,1,1,\n'
csv "infinite bounds" 'minx,miny,minz,maxx,maxy,maxz\n-inf,-INF,-Infinity,inf,+inf,1\n'
csv "infinite radius" 'x,y,z,r\n9,9,9,inf\n'
csv "underflow" 'x,y,z\n1e-60,-1e-60,4e-46\n'
csv "flat box" 'minx,miny,minz,maxx,maxy,maxz\n1,1,1,1,1,1\n'

# Bad rows: bad NAME FILE-TEXT MESSAGE
bad() {
    printf "$2" >in.csv
    expect "bad: $1" 1 '' "in.csv:$3|" abut join in.csv unit.csv
}
s='x,y,z,r\n'
b='minx,miny,minz,maxx,maxy,maxz\n'
bad "blank line" "${s}1,1,1,1\n\n" '3: the line is blank'
bad "line of blanks" "${s}  \t\n1,1,1,1\n" '2: the line is blank'
bad "too few fields" "${s}1,1,1\n" '2: the row has 3 fields, the header has 4'
bad "too many fields" "${s}1,1,1,1,1\n" '2: the row has 5 fields, the header has 4'
bad "one field" "${s}1\n" '2: the row has 1 field, the header has 4'
bad "trailing comma" "${s}1,1,1,1,\n" '2: the row has 5 fields, the header has 4'
bad "text" "${s}1,1,1,1\n1,one,1,1\n" '3: y: is not a number'
bad "hex" "${s}1,0x10,1,1\n" '2: y: is not a number'
bad "NaN" "${s}1,1,nan,1\n" '2: z: is not a number'
bad "decimal comma" "${s}\"1,5\",1,1,1\n" '2: x: is not a number'
bad "unit" "${s}1m,1,1,1\n" '2: x: is not a number'
bad "half an exponent" "${s}1e,1,1,1\n" '2: x: is not a number'
bad "two numbers" "${s}1 2,1,1,1\n" '2: x: is not a number'
bad "zero byte" "${s}1\0002,1,1,1\n" '2: x: is not a number'
bad "lone carriage return" "${s}1,1,1,1\r2,2,2,2\n" '2: the row has 7 fields, the header has 4'
bad "quote in a number" "${s}1,1\"1,1,1\n" '2: y: is not a number'
bad "text behind a quote" "${s}1,\"1\"1,1,1\n" '2: y: is not a number'
bad "open quote" "${s}1,1,1,\"1\n1,1,1,1\n" '2: a quote is never closed'
bad "open quote in a label, behind a bad row" "l,${s},1,1\n\"a\n\",1,1,1,1\n\"5 in,1,1,1,1\n,1,1,1,1\n" '5: a quote is never closed'
bad "text behind a quote that no number needs" "l,${s}a,1,1,1,1\n\"5\" in,1,1,1,1\n" '3: text follows the closing quote of field 1'
bad "rows in quotes, and text" "l,${s}\"5 in,1,1,1,1\nb,1,1,1,1\n\"6 in,1,1,1,1\n" '2: a quote is closed 2 lines below, and text follows'
bad "rows in the second quotes with text" "l,m,${s}\"5\"x,\"6 in,1,1,1,1\nb,\"y,1,1,1,1\n" '2: a quote is closed 1 line below, and text follows'
bad "text behind a quote in the header" "\"x\"1,y,z\n1,1,1\n" '1: text follows a closing quote'
bad "open quote in the header" "x,\"y\"\"\n,z\n1,1,1\n" '1: a quote is never closed'
bad "only carriage returns, in quotes" '"x","y","z","r"\r"1","1","1","1"\r' '1: a carriage return alone ends no line'
bad "only carriage returns" 'x,y,z,r\r1,1,1,1\r' '1: a carriage return alone ends no line'
bad "empty number" "${s}1,,1,1\n" '2: y: is missing'
bad "quoted empty number" "${s}1,\"\",1,1\n" '2: y: is missing'
bad "quoted comma" "${s}1,\",\",1,1\n" '2: y: is not a number'
bad "blank number" "${s}1, ,1,1\n" '2: y: is missing'
bad "last number missing" "${s}1,1,1,\n" '2: r: is missing'
bad "overflow" "${s}1,1,1,3.5e38\n" '2: r: is too large for a float32'
bad "rounding to infinity" "${s}1,1,1,340282356779733661637539395458142568448\n" '2: r: is too large for a float32'
bad "negative overflow" "${s}1,-1e999,1,1\n" '2: y: is too large for a float32'
bad "negative radius" "${s}1,1,1,-1\n" '2: r: is negative'
bad "infinite centre" "${s}1,1,1,1\n1,inf,1,1\n" '3: y: is infinite'
bad "several" "${s}1,1,1,-1\n1,1,1\n1,1,1,1\n\n" '2: r: is negative (and 2 more bad rows)'
bad "two, unreadable first" "${s}1,1,1\n1,1,1,-1\n" '2: the row has 3 fields, the header has 4 (and 1 more bad row)'
bad "behind lines in quotes" "l,${s}\"a\nb\",1,1,1,1\n\"\n\n\",1,1,1,-1\n" '4: r: is negative'
bad "behind lines in quotes, unreadable" "l,${s}\"a\nb\",1,1,1,1\n,1,x,1,1\n" '4: y: is not a number'
bad "behind lines in a quoted header" "\"l\nm\",${s},1,1,1,-1\n" '3: r: is negative'
printf "${b}1,0,0,0,1,1\n" >in.csv
abut self in.csv 2>err.txt
same "bad: inverted box: exit" 1 $?
grep -q '^in.csv:2: m[inax]*x: .' err.txt
same "bad: inverted box: $(cat err.txt)" 0 $?
expect "bad: B" 1 '' 'in2.csv:2: r: is negative|' \
    sh -c "printf '${s}1,1,1,-1\n' >in2.csv; $ABUT join boxes.csv in2.csv"
expect "bad: standard input" 1 '' '-:2: r: is negative|' sh -c "printf '${s}1,1,1,-1\n' | $ABUT self -"

# --skip-bad: rows keep their numbers.
printf "${s}1,1,1,-1\n1,1,1,1\n\n1,1,1,x\ninf,1,1,1\n1,1,1,1\n" >holes.csv
expect "skip: join" 0 'a,b|1,0|5,0|' 'abut: holes.csv: skipped 4 bad rows|' abut join holes.csv unit.csv --skip-bad
expect "skip: self" 0 'a,b|1,5|' '' abut self holes.csv --skip-bad --quiet
expect "skip: zip" 0 'hit|0|1|0|0|0|1|' 'abut: holes.csv: skipped 4 bad rows|' \
    abut zip --skip-bad holes.csv one_box.csv
expect "skip: one" 0 '0|' 'abut: in.csv: skipped 1 bad row|' sh -c "printf '${s}1,1,1,-1\n' >in.csv
    $ABUT zip in.csv one_box.csv --skip-bad --count"
expect "skip: not what is behind an open quote" 1 '' 'in.csv:3: a quote is never closed|' \
    sh -c "printf 'l,${s},1,1,1,1\n\"l,1,1,1,1\n,1,1,1,1\n' >in.csv; $ABUT join in.csv unit.csv --skip-bad"
printf "${s}0,0,0,1\n" >about_0.csv
printf 'nx,ny,nz,d\n1,0,0,-1\n0,0,0,-1\n0,0,0,1\n1,0,0,-inf\n1,0,0,1\n' >no_planes.csv
for turn in outward inward; do
    expect "skip: planes, $turn" 0 'hit,class|1,crossing|0,|0,|0,|1,crossing|' \
        'abut: no_planes.csv: skipped 3 bad rows|' abut zip about_0.csv no_planes.csv --skip-bad --normals $turn
done
expect "skip: distance to planes" 0 'd2,x,y,z|0,0,0,0|nan,nan,nan,nan|nan,nan,nan,nan|nan,nan,nan,nan|1,-1,0,0|' '' \
    sh -c "printf 'x,y,z\n0,0,0\n' | $ABUT distance - no_planes.csv --skip-bad --quiet"
printf 'cx,cy,cz,hx,hy,hz,ux,uy,uz,vx,vy,vz,wx,wy,wz\n0,0,0,1,1,1,1,0,0,0,1,0,0,0,1\n' >no_obbs.csv
printf '0,0,0,1,1,1,0,0,0,0,0,0,0,0,0\n0,0,0,1,1,1,2,0,0,0,1,0,0,0,1\n' >>no_obbs.csv
for method in all index; do
    expect "skip: OBBs, $method" 0 'a,b|0,0|' 'abut: no_obbs.csv: skipped 2 bad rows|' \
        abut join about_0.csv no_obbs.csv --skip-bad --method $method
done
expect "skip: nothing to skip" 0 'a,b|' '' abut self one_sphere.csv --skip-bad
expect "skip: not for headers" 1 '' 'twice.csv:1: x: the column is here 2 times|' abut self twice.csv --skip-bad

# Numbers are the nearest float32: a flat box at the right one is hit, and only that.
nearest() {
    printf 'x,y,z\n%s,0,0\n' "$1" >in.csv
    printf "${b}%s,0,0,%s,0,0\n" "$2" "$2" >flat.csv
    expect "nearest float32 of $1" 0 '1|' '' abut zip in.csv flat.csv --count
}
nearest 1.00000017881393432617187499 1.00000011920928955078125
nearest 1.00000017881393432617187501 1.0000002384185791015625
nearest 16777217.000000000000000001 16777218
nearest 16777217 16777216
nearest -0.1 -0.100000001490116119384765625
nearest 7.0064923216240854e-46 1.401298464324817070923729583289916131280e-45
nearest 0.3000000000000000000000000000000000000000000000001 3.00000011920928955078125e-1

if command -v localedef >/dev/null && [ -e /usr/share/i18n/locales/de_DE ]; then
    mkdir locales
    localedef -i de_DE -f UTF-8 locales/de_DE.UTF-8 2>/dev/null
    if [ "$(LOCPATH=$work/locales LC_ALL=de_DE.UTF-8 locale decimal_point 2>/dev/null)" = "," ]; then
        LOCPATH=$work/locales LC_ALL=de_DE.UTF-8
        export LOCPATH
        nearest 1.00000017881393432617187499 1.00000012
        LC_ALL=C
        unset LOCPATH
    else
        skip "decimal comma: the locale could not be made"
    fi
else
    skip "decimal comma: no locale sources"
fi

# Usage errors.
usage() {
    message=$1
    shift
    expect "usage: abut $*" 2 '' "abut: $message|" abut "$@"
}
usage "which command? (abut --help lists them)"
usage "there is no command 'jion' (abut --help lists them)" jion
usage "join takes two files: abut join A B" join
usage "join takes two files: abut join A B" join spheres.csv
usage "join takes two files: abut join A B" join spheres.csv boxes.csv boxes.csv
usage "zip takes two files: abut zip A B" zip spheres.csv
usage "distance takes two files: abut distance A B" distance points.csv
usage "distance does not take --count" distance points.csv boxes.csv --count
usage "distance does not take --touch" distance points.csv boxes.csv --touch open
usage "self takes one file: abut self A" self
usage "self takes one file: abut self A" self spheres.csv boxes.csv
usage "demo takes no files" demo spheres.csv
usage "only one of two files can be standard input" join - -
usage "there is no option --frob (abut --help lists them)" join --frob spheres.csv boxes.csv
usage "there is no option --counts (abut --help lists them)" join --counts spheres.csv boxes.csv
usage "there is no option -x (abut --help lists them)" self -x spheres.csv
usage "there is no option -t (abut --help lists them)" self -touch open spheres.csv
usage "--kind may be --kind-a or --kind-b" join --kind spheres spheres.csv boxes.csv
usage "--t may be --touch, --target or --threads" join --t=2 spheres.csv boxes.csv
usage "--count takes no value" join --count=1 spheres.csv boxes.csv
usage "--touch needs a value: RULE" join spheres.csv boxes.csv --touch
usage "-o needs a value: FILE" join spheres.csv boxes.csv -o
usage "-o takes FILE, not ''" demo -o ''
usage "--touch takes closed or open, not 'ajar'" join --touch ajar spheres.csv boxes.csv
usage "--predicate takes touches, inside, contains, exact or planes, not 'near'" join --predicate near spheres.csv boxes.csv
usage "--class does not go with --count" zip spheres.csv boxes.csv --class --count
usage "cannot write x.npy: zip writes text, no arrays" zip spheres.csv boxes.csv -o x.npy
usage "cannot write x.NPY: zip writes text, no arrays" zip spheres.csv boxes.csv -o x.NPY
usage "cannot write x.npy: distance writes text, no arrays" distance points.csv boxes.csv -o x.npy
usage "cannot write .npy: frustum writes text, no arrays" frustum -o.npy
usage "cannot write x.npy: --count writes text, no arrays" self spheres.csv --count -o x.npy
usage "cannot write x.npy: --count writes text, no arrays" nearest points.csv boxes.csv -o x.npy --count
usage "cannot write x.npy: --distance writes text, no arrays" nearest points.csv boxes.csv -o x.npy --distance
usage "--distance does not go with --count" nearest points.csv boxes.csv --distance --count
usage "join does not take --distance" join points.csv boxes.csv --distance
usage "self does not take --kind-b" self spheres.csv --kind-b spheres
usage "info does not take --count" info --count
usage "demo does not take --skip-bad" demo --skip-bad
usage "selftest does not take --touch" selftest --touch open
usage "--isa: mmx is no instruction set; here run $list" self spheres.csv --isa mmx
usage "--isa:  is no instruction set; here run $list" self spheres.csv --isa=
for isa in $(sed -nE 's/^INSTRUCTION_SET.([a-z0-9]+),.*/\1/p' "$here/../../src/tables/isas.def"); do
    case " $isas " in
    *" $isa "*)
        expect "--isa $isa" 0 '8|' '' abut join spheres.csv boxes.csv --count --isa $isa
        expect "--isa $isa is active" 0 "active: $isa|" '' sh -c "$ABUT info --isa $isa | grep active"
        expect "ABUT_ISA=$isa" 0 "active: $isa|" '' sh -c "ABUT_ISA=$isa $ABUT info | grep active"
        expect "--isa $isa beats ABUT_ISA" 0 "active: $isa|" '' \
            sh -c "ABUT_ISA=nonsense $ABUT info --isa $isa | grep active"
        ;;
    *) usage "--isa: $isa cannot run on this machine; here run $list" join spheres.csv boxes.csv --isa $isa ;;
    esac
done
expect "ABUT_ISA that does not exist" 2 '' "abut: ABUT_ISA: mmx is no instruction set; here run $list|" \
    sh -c "ABUT_ISA=mmx $ABUT self spheres.csv"
expect "ABUT_ISA empty" 0 '8|' '' sh -c "ABUT_ISA= $ABUT join spheres.csv boxes.csv --count"
expect "-- ends the options" 0 '8|' '' sh -c "cp spheres.csv ./--count; $ABUT join --count -- --count boxes.csv"
expect "options cut short, with their values, behind the files" 0 '8|' '' abut join spheres.csv boxes.csv --cou --tou=closed
expect "options behind files, whatever the environment" 0 '8|' '' \
    sh -c "POSIXLY_CORRECT=1 $ABUT join spheres.csv boxes.csv --count"
expect "the last of an option holds" 0 '8|' '' \
    abut join spheres.csv boxes.csv --count --touch open --touch closed

# Files that cannot be read or written.
expect "no such file" 1 '' 'abut: cannot read none.csv: No such file or directory|' abut self none.csv
expect "a folder" 1 '' 'abut: cannot read .: Is a directory|' abut self .
expect "no such folder" 1 '' 'abut: cannot write none/out.csv: No such file or directory|' \
    abut self spheres.csv -o none/out.csv
expect "a folder as output" 1 '' 'abut: cannot write .: Is a directory|' abut self spheres.csv -o .
# Not by -o: a command that is wrong about devices, run by root, would replace the device.
if [ -c /dev/full ]; then
    full='No space left on device'
    expect "a full standard output" 1 '' "abut: cannot write standard output: $full|" \
        sh -c "$ABUT self spheres.csv >/dev/full"
    expect "help on a full device" 1 '' "abut: cannot write standard output: $full|" sh -c "$ABUT --help >/dev/full"
    expect "zip on a full device" 1 '' "abut: cannot write standard output: $full|" \
        sh -c "$ABUT zip spheres.csv spheres.csv >/dev/full"
else
    skip "a full device: there is no /dev/full"
fi
expect "standard output is closed" 1 '' 'abut: cannot write standard output: Bad file descriptor|' \
    sh -c "$ABUT self spheres.csv >&-"
expect "standard input is closed" 1 '' 'abut: cannot read -: Bad file descriptor|' sh -c "$ABUT self - <&-"
expect "standard error is closed: not written where the result is" 0 'a,b|1,2|' '' \
    sh -c "$ABUT self boxes.csv --stats -o alone.csv 2>&-; cat alone.csv"

# Output files appear whole or not at all.
mkdir out
expect "-o" 0 '' '' abut self boxes.csv -o out/pairs.csv
same "-o: content" 'a,b|1,2|' "$(tr '\n' '|' <out/pairs.csv)"
same "-o: nothing else" pairs.csv "$(ls out)"
expect "-oFILE" 0 'a,b|1,2|' '' sh -c \
    "$ABUT self boxes.csv -oout/attached.csv; cat out/attached.csv; rm out/attached.csv"
(umask 027 && abut self boxes.csv -o out/mode.csv)
same "-o: mode of a new file" -rw-r----- "$(ls -l out/mode.csv | cut -c1-10)"
chmod 604 out/mode.csv
abut self boxes.csv -o out/mode.csv
same "-o: mode of an old file" -rw----r-- "$(ls -l out/mode.csv | cut -c1-10)"
rm out/mode.csv
abut self spheres.csv --kind-a cubes -o out/pairs.csv 2>/dev/null
abut self twice.csv -o out/pairs.csv 2>/dev/null
abut self points.csv -o out/pairs.csv 2>/dev/null
same "-o: unchanged by errors" 'a,b|1,2|' "$(tr '\n' '|' <out/pairs.csv)"
expect "-o: input and output the same" 0 'a,b|1,2|' '' sh -c "cp boxes.csv out/same.csv
    $ABUT self out/same.csv -o out/same.csv; cat out/same.csv; rm out/same.csv"
ln -s pairs.csv out/link.csv
abut self boxes.csv --touch open -o out/link.csv
same "-o: through a symbolic link" 'a,b|' "$(tr '\n' '|' <out/pairs.csv)"
same "-o: the link stays" pairs.csv "$(readlink out/link.csv)"
rm out/link.csv
ln -s nothing.csv out/link.csv
expect "-o: a link to nothing" 1 '' 'abut: cannot write out/link.csv: it is a link to a file that does not exist|' \
    abut self boxes.csv -o out/link.csv
rm out/link.csv
long_name=$(printf '%0255d' 0)
expect "-o: the longest name" 0 'a,b|1,2|' '' sh -c "$ABUT self boxes.csv -o out/$long_name; cat out/0*; rm out/0*"
expect "-o /dev/stdout" 0 'a,b|1,2|' '' abut self boxes.csv -o /dev/stdout
expect "-o /dev/stdout, appended to" 0 'first|a,b|1,2|' '' sh -c \
    "echo first >out/log; $ABUT self boxes.csv -o /dev/stdout >>out/log; cat out/log; rm out/log"
expect "-o /dev/fd/3, appended to" 0 'first|a,b|1,2|' '' sh -c \
    "echo first >out/log; $ABUT self boxes.csv -o /dev/fd/3 3>>out/log; cat out/log; rm out/log"
ln -s fd out/one && ln -s /dev/stdout out/fd
expect "-o by way of links to /dev/stdout" 0 'first|a,b|1,2|' '' sh -c \
    "echo first >out/log; $ABUT self boxes.csv -o out/one >>out/log; cat out/log; rm out/log"
expect "-o by way of links to /dev/stdout, from the folder" 0 'first|a,b|1,2|' '' sh -c \
    "cd out; echo first >log; $ABUT self ../boxes.csv -o one >>log; cat log; rm log"
rm out/one out/fd
expect "-o /dev/fd/3, open for reading alone" 1 '' 'abut: cannot write /dev/fd/3: Bad file descriptor|' sh -c \
    "$ABUT self boxes.csv -o /dev/fd/3 3<boxes.csv"
# A file is replaced, whatever has it open: written through that, what was there would stay behind what is written.
for redirection in '5<>out/log' '1<>out/log' '>out/log' '>>out/log' '>out/log 2>&1'; do
    expect "-o to a file that is open already: $redirection" 0 'a,b|1,2|' '' sh -c \
        "seq 1 20 >out/log; $ABUT self boxes.csv -o out/log $redirection; cat out/log; rm out/log"
done
mkfifo out/pipe
expect "-o to a named pipe" 0 'a,b|1,2|' '' sh -c "cat out/pipe & $ABUT self boxes.csv -o out/pipe; wait"
[ -p out/pipe ]
same "-o: the named pipe stays" 0 $?
rm out/pipe
awk 'BEGIN { print "x,y,z,r"; for (i = 0; i < 20000; i++) print "0,0,0,1" }' >heap.csv
same "output ends early in a pipe" 'a,b|0,1|' "$(abut self heap.csv 2>/dev/null | head -n 2 | tr '\n' '|')"
if [ -n "$slow" ]; then
    skip "many hits: an emulator or a sanitizer is too slow"
else
    abut self heap.csv --count --stats >count.txt 2>stats.txt
    same "many hits: number" 199990000 "$(cat count.txt)"
    sed -n 's/.* \([0-9]*\)\.[0-9] MB of workspace$/\1/p' stats.txt >megabytes.txt
    [ "$(cat megabytes.txt)" -lt 200 ]
    same "many hits: $(cat megabytes.txt) megabytes are enough" 0 $?
fi
(
    ulimit -f 8
    failed=0
    abut self heap.csv -o out/large.csv 2>err.txt
    same "-o: a failed write: exit" 1 $?
    same "-o: a failed write: message" 'abut: cannot write out/large.csv: File too large' "$(cat err.txt)"
    abut self heap.csv 2>err.txt >large.csv
    same "standard output: a failed write: exit" 1 $?
    same "standard output: a failed write: message" 'abut: cannot write standard output: File too large' "$(cat err.txt)"
    [ "$failed" -eq 0 ]
) && passed=$((passed + 4)) || failed=$((failed + 1))
same "-o: a failed write leaves nothing" pairs.csv "$(ls out)"
# killed SIGNAL: from the background, as commands there ignore INT and QUIT; all do where this script itself runs there
killed() {
    if [ -n "$(exec 2>/dev/null; sh -c "ulimit -c 0; kill -s $1 \$\$; echo deaf"; :)" ]; then
        skip "-o: killed by $1: the signal is ignored here"
        return
    fi
    (
        tries=0
        while [ "$(ls out)" = pairs.csv ] && [ $tries -lt 100 ]; do
            tries=$((tries + 1))
            sleep 0.05
        done
        ls out | wc -l >meanwhile.txt
        kill -s "$1" "$(cat pid)"
    ) &
    { sh -c "ulimit -c 0; echo \$\$ >pid; exec $ABUT self heap.csv -o out/large.csv"; } 2>err.txt
    same "-o: killed by $1" "$1" "$(kill -l $?)"
    wait
    same "-o: a temporary file is there meanwhile, $1" 2 "$(cat meanwhile.txt)"
    same "-o: an interrupted run leaves nothing, $1" pairs.csv "$(ls out)"
}
for signal in HUP INT QUIT ABRT USR1 PIPE ALRM TERM XCPU SYS; do
    killed $signal
done

# How pairs are found is no matter, bad rows or not.
awk 'BEGIN { print "x,y,z,r"; for (i = 0; i < 900; i++) print i % 7 "," i % 11 "," i % 13 "," (i % 50 ? i % 3 : -1) }' >balls.csv
awk 'BEGIN { print "minx,miny,minz,maxx,maxy,maxz"; for (i = 0; i < 700; i++)
    print i % 5 "," i % 12 "," i % 9 "," i % 5 + 1 "," i % 12 + (i % 70 ? 1 : -1) "," i % 9 }' >flats.csv
awk 'BEGIN { print "nx,ny,nz,d,volume,g"; for (i = 0; i < 100; i++) {
    x = i % 7; y = i % 11; z = i % 13; g = i % 3
    print "1,0,0," (i == 9 ? "-inf" : -x - 1) "," i "," g "\n-1,0,0," x "," i "," g "\n0,1,0," (-y - 1) "," i "," g
    print "0,-1,0," y "," i "," g; if (i % 4) print "1,0,2," (-x - 2 * z - 2) "," i "," g } }' >slabs.csv
awk 'BEGIN { print "ax,ay,az,bx,by,bz,g"; for (i = 0; i < 300; i++)
    print i % 5 "," i % 12 "," i % 9 "," i % 8 "," (i % 60 ? 1 : "nan") "," i % 10 "," i % 4 }' >lines.csv
sed '1s/g/r,g/; 2,$s/,\([^,]*\)$/,0.5,\1/' lines.csv >sticks.csv
sed '1s/g/cx,cy,cz,g/; 2,$s/,\([^,]*\)$/,2,1,3,\1/' lines.csv >faces.csv
awk 'BEGIN { print "cx,cy,cz,hx,hy,hz,ux,uy,uz,vx,vy,vz,wx,wy,wz,g"; for (i = 0; i < 200; i++)
    print i % 5 "," i % 12 "," i % 9 "," (i % 30 ? 1 : -1) ",1,0.5,0.6,0.8,0,-0.8,0.6,0,0,0,1," i % 4 }' >turned_boxes.csv
sed '1s/$/,g/; 2,$s/\(.\)$/\1,\1/' balls.csv >balls_by.csv
# Those of other shapes, both ways.
commands() {
    for file in slabs lines sticks faces turned_boxes; do
        printf '%s\n' "join balls.csv $file.csv" "join $file.csv balls.csv" \
            "join balls_by.csv $file.csv --by g" "join $file.csv balls_by.csv --by g"
    done
    printf '%s\n' "join flats.csv slabs.csv --predicate planes" "join slabs.csv turned_boxes.csv --predicate planes" \
        "join balls.csv slabs.csv --predicate planes" "join balls.csv slabs.csv --predicate inside" \
        "join slabs.csv flats.csv --predicate contains" "join slabs.csv balls_by.csv --by g --predicate contains"
}
commands >commands.txt
for command in "join balls.csv flats.csv" "join flats.csv balls.csv" "self balls.csv" "self flats.csv"; do
    $ABUT $command --skip-bad --quiet --method all >all.csv
    $ABUT $command --skip-bad --quiet --method index >index.csv
    same "$command, --method, bad rows" '' "$(cmp all.csv index.csv 2>&1)"
done
# several ROWS: both methods find the same, in all commands.
several() {
    while read -r command; do
        $ABUT $command --skip-bad --quiet --method all >all.csv
        $ABUT $command --skip-bad --quiet --method index --stats >index.csv 2>stats.txt
        same "$command, $1" '' "$(cmp all.csv index.csv 2>&1; [ "$(wc -l <all.csv)" -gt 9 ] || echo few)"
        same "$command, $1, an index" 1 "$(grep -c 'index built' stats.txt)"
    done <commands.txt
}
several "bad rows"
# Where rows hit nearly all there is, an index is no help, and is found to be none; the other way round with far ones.
awk 'BEGIN { print "x,y,z,r"; for (i = 0; i < 1500; i++) print "0,0,0," i % 7 }' >heap.csv
awk 'BEGIN { print "x,y,z,r"; for (i = 0; i < 1500; i++) print 9 * i ",0,0,5" }' >row.csv
for file in heap row; do
    $ABUT self $file.csv --method all >all.csv
    $ABUT self $file.csv --stats >auto.csv 2>stats.txt
    same "self $file.csv, --method auto" '' "$(cmp all.csv auto.csv 2>&1)"
done
same "self row.csv, by an index alone" 0 "$(grep -c 'compared all' stats.txt || :)"
$ABUT self heap.csv --stats --count >count.txt 2>stats.txt
same "self heap.csv, all with all" '1124250 1' "$(cat count.txt) $(grep -c 'compared all' stats.txt)"
# A few rows that hit all, and come first, do not decide for the others.
awk 'BEGIN { print "x,y,z,r"; for (i = 0; i < 6060; i++) print 9 * i ",0,0," (i < 60 ? 1e6 : 1) }' >first.csv
$ABUT self first.csv --stats --count --threads 4 >count.txt 2>stats.txt
same "self first.csv, by an index alone" '361770 0' "$(cat count.txt) $(grep -c 'compared all' stats.txt || :)"
# The labels of a file, of hulls those of their first planes.
labels() {
    awk -F, 'NR == 1 { hulls = /volume/; next } !hulls || !seen[$5]++ { print $NF }' "$1"
}
for command in "join balls_by.csv slabs.csv" "join slabs.csv balls_by.csv" "join balls_by.csv lines.csv" "self balls_by.csv"; do
    set -- $command
    labels "$2" >labels_a.txt
    labels "${3-$2}" >labels_b.txt
    $ABUT $command --skip-bad --quiet --method all | awk -F, 'FILENAME == "labels_a.txt" { a[FNR - 1] = $1; next }
        FILENAME == "labels_b.txt" { b[FNR - 1] = $1; next } FNR == 1 || a[$1] == b[$2]' labels_a.txt labels_b.txt - >all.csv
    for method in all index; do
        $ABUT $command --by g --skip-bad --quiet --method $method >some.csv
        same "$command --by g, --method $method, and chosen by hand" '' \
            "$(cmp all.csv some.csv 2>&1; [ "$(wc -l <all.csv)" -gt 99 ] || echo few)"
    done
done
# Rows of other labels cost nothing: 3 * 2 + 1 * 2 pairs of 20, and of one file 3 + 1.
printf 'x,y,z,g\n1,1,1,a\n1,1,1,b\n1,1,1,a\n1,1,1,c\n1,1,1,a\n' >few_a.csv
printf 'x,y,z,r,g\n1,1,1,2,b\n1,1,1,2,a\n1,1,1,-1,b\n1,1,1,2,a\n' >few_b.csv
expect "join, --by, bad rows" 0 'a,b|0,1|0,3|1,0|2,1|2,3|4,1|4,3|' '' \
    abut join few_a.csv few_b.csv --by g --skip-bad --quiet
same "join, --by, pairs compared" 'abut: 8 pairs, ' \
    "$(abut join few_a.csv few_b.csv --by g --skip-bad --quiet --stats 2>&1 >/dev/null | sed -n 's/\(pairs, \).*/\1/p')"
expect "self, --by, bad rows" 0 '1|' '' abut self few_b.csv --by g --skip-bad --quiet --count
# An index where there are many rows of a label, and none where there are few.
awk 'BEGIN { print "x,y,z,r,g"; for (i = 0; i < 1200; i++)
    print i % 7 "," i % 11 "," i % 13 ",1," (i % 100 ? "many" : "few") }' >uneven.csv
for command in "join uneven.csv uneven.csv --by g" "self uneven.csv --by g"; do
    $ABUT $command --method all >all.csv
    same "$command, both methods" '1 1' "$($ABUT $command --stats 2>&1 >some.csv |
        awk '/index built/ { a++ } /all with all/ { b++ } END { print a, b }')"
    same "$command" '' "$(cmp all.csv some.csv 2>&1)"
done
sed -i '/,-1$/s/-1$/1/' balls.csv
sed -i '/,-1,1$/s/-1,1$/1,1/' balls_by.csv
sed -i 's/nan/2/' lines.csv sticks.csv faces.csv
sed -i 's/,-1,1,0.5/,1,1,0.5/' turned_boxes.csv
several "good rows"
for command in "join balls.csv flats.csv" "join flats.csv balls.csv" "self balls.csv"; do
    $ABUT $command --skip-bad --quiet --method all >all.csv
    $ABUT $command --skip-bad --quiet --method index >index.csv
    same "$command, --method" '' "$(cmp all.csv index.csv 2>&1)"
done
same "--stats" 3 "$($ABUT self balls.csv --method index --count --stats 2>&1 >/dev/null | wc -l)"
processor=$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')
same "--threads is as many as there are processors to use" 'by 1 thread;' \
    "$(taskset -c "$processor" $ABUT self balls.csv --method index --count --stats 2>&1 | grep -o 'by [0-9]* threads*;')"
same "--stats without an index" 'abut: 9 pairs, ' "$($ABUT join points.csv boxes.csv --stats 2>&1 >/dev/null |
    sed -n 's/\(pairs, \).*/\1/p')"
same "--method takes what there is" 2 "$($ABUT self balls.csv --method grid >/dev/null 2>&1; echo $?)"

# NPY: numbers as bytes, in the order given.
# npy FILE VERSION DESCR FORTRAN SHAPE NUMBER...
npy() {
    file=$1 version=$2 type=$3
    dictionary="{'descr': '$3', 'fortran_order': $4, 'shape': $5, }"
    shift 5
    npy_raw "$file" "$version" "$dictionary"
    printf "$(echo "$*" | awk -v type="$type" '
        function byte(x) { return sprintf("\\%03o", x) }
        { for (i = 1; i <= NF; i++) {
            wide = type ~ /8/; bias = wide ? 1023 : 127; high = wide ? 16 : 128; n = wide ? 8 : 4
            sign = $i ~ /^-/; m = $i; if (sign) m = -m
            if ($i ~ /inf/) { e = bias + 1; m = 1 } else if ($i ~ /nan/) { e = bias + 1; m = 1.5 }
            else if (m == 0) e = -bias
            else for (e = 0; m >= 2 || m < 1;) if (m >= 2) { m /= 2; e++ } else { m *= 2; e-- }
            e += bias; f = m == 0 ? 0 : m - 1
            b[0] = sign * 128 + int(e / (wide ? 16 : 2))
            f = f * high + (e % (wide ? 16 : 2)) * high
            for (k = 1; k < n; k++) { b[k] = int(f); f = (f - b[k]) * 256 }
            for (k = 0; k < n; k++) printf "%s", byte(b[type ~ />/ ? k : n - 1 - k]) } }')" >>"$file"
}
# npy_raw FILE VERSION DICTIONARY [LENGTH]: the header alone
npy_raw() {
    length=${4:-${#3}}
    printf "\\223NUMPY\\00$2\\000$(printf '\\%03o\\%03o' $((length % 256)) $((length / 256)))" >"$1"
    [ "$2" -eq 1 ] || printf '\000\000' >>"$1"
    printf '%s' "$3" >>"$1"
}
# pairs_of FILE: as text
pairs_of() {
    od -An -v -j 128 -t u4 -w8 "$1" | awk '{ print $1 "," $2 }'
}
spheres="1 0 1 2 3 1 1 1.25 4 1 1 1.25 3 1 1 1 1 1 1 0.5"
columns="1 3 4 3 1 0 1 1 1 1 1 1 1 1 1 2 1.25 1.25 1 0.5"
boxes="-2 -2 -2 -1 -1 -1 2 1 2 4 3 4 0 0 0 2 2 2"
npy boxes.npy 1 '<f4' False '(3, 6)' $boxes
sed 's/1\.1$/1.25/' spheres.csv >spheres_npy.csv
abut join spheres_npy.csv boxes.csv >text.csv
for version in 1 2 3; do
    for type in '<f4' '>f4' '<f8' '>f8' '=f4'; do
        npy spheres.npy $version "$type" False '(5, 4)' $spheres
        abut join spheres.npy boxes.npy >found.csv
        same "npy $version $type" '' "$(cmp found.csv text.csv 2>&1)"
        npy spheres.npy $version "$type" True '(5, 4,)' $columns
        abut join spheres.npy boxes.csv >found.csv
        same "npy $version $type, by columns" '' "$(cmp found.csv text.csv 2>&1)"
    done
done
abut join - boxes.npy <spheres.npy >found.csv
same "npy from standard input" '' "$(cmp found.csv text.csv 2>&1)"
cat spheres.npy | abut join - boxes.npy >found.csv
same "npy from a pipe" '' "$(cmp found.csv text.csv 2>&1)"
cat boxes.npy spheres.npy >behind.npy
(
    dd bs="$(wc -c <boxes.npy)" count=1 of=before 2>/dev/null
    abut join - boxes.npy >found.csv
) <behind.npy
same "npy behind what has been read of standard input" '' "$(cmp found.csv text.csv 2>&1)"
for order in "False (5,4) $spheres" "True (5,4) $columns"; do
    npy centres.npy 1 '<f8' $order
    expect "npy of spheres as points, by columns: ${order%% *}" 0 "$(abut distance spheres_npy.csv one_box.csv --kind-a points |
        tr '\n' '|')" '' abut distance centres.npy one_box.csv --kind-a points
done
for method in all index; do
    abut join spheres.npy boxes.npy --method $method -o found.npy
    same "pairs as npy, --method $method" "$(tail -n +2 text.csv)" "$(pairs_of found.npy)"
done
abut join spheres.npy boxes.npy -o found.Npy
same "pairs as npy, in capitals" '' "$(cmp found.npy found.Npy 2>&1)"
same "pairs as npy: the header" "NUMPYv{'descr': '<u4', 'fortran_order': False, 'shape': (8, 2), }" \
    "$(head -c 127 found.npy | tr -cd '[:print:]' | sed 's/ *$//')"
abut self spheres.npy --touch open -o found.npy
same "self pairs as npy" "$(abut self spheres_npy.csv --touch open | tail -n +2)" "$(pairs_of found.npy)"
abut join spheres.npy no_boxes.csv -o found.npy
same "no pairs as npy" 128 "$(wc -c <found.npy)"
mkfifo pipe.npy
cat pipe.npy >/dev/null &
expect "pairs as npy into a pipe" 1 '' 'abut: cannot write pipe.npy: an array needs a regular file|' \
    abut join spheres.npy boxes.npy -o pipe.npy
wait
# A long array is read in blocks where it can be mapped, and whole from a pipe: 327,680 rows, the same five again and again.
# long FILE DESCR FORTRAN RUN...: each RUN is a file of values to repeat
long() {
    file=$1
    npy "$file" 1 "$2" "$3" '(327680, 4)'
    shift 3
    for run; do
        cp "$run" again
        for step in 1 2 3 4 5 6 7 8; do
            cat again again again again >more
            mv more again
        done
        cat again >>"$file"
    done
}
types="csv npy"
[ -z "$slow" ] || types=npy
# streamed NAME FILE PAIRS: finds what it finds through a pipe
streamed() {
    for type in $types; do
        cat "$2" | abut join - boxes.csv --skip-bad --quiet -o "piped.$type"
        for method in all index; do
            abut join "$2" boxes.csv --skip-bad --quiet --method $method -o "found.$type"
            same "long npy, $1, to $type, --method $method" '' "$(cmp "found.$type" "piped.$type" 2>&1)"
        done
    done
    same "long npy, $1: pairs" "$3" "$(abut join "$2" boxes.csv --skip-bad --quiet --count)"
}
npy run.npy 1 '<f4' True '(5, 4)' $columns
for k in 0 1 2 3; do
    tail -c 80 run.npy | head -c $((20 * k + 20)) | tail -c 20 >column$k
done
long long.npy '<f4' True column0 column1 column2 column3
streamed "by columns" long.npy 524288
npy run.npy 1 '<f8' False '(5, 4)' $spheres
tail -c 160 run.npy >run
long long.npy '<f8' False run
streamed "rows" long.npy 524288
# put FILE ROW BYTES: over the y of that row
put() {
    printf "$3" | dd of="$1" bs=1 seek=$(($(wc -c <"$1") - 32 * (327680 - $2) + 8)) conv=notrunc 2>/dev/null
}
put long.npy 300000 '\234\165\000\210\074\344\067\176'
put long.npy 320000 '\000\000\000\000\000\000\360\177'
put long.npy 327679 '\000\000\000\000\000\000\370\177'
expect "long npy, bad rows" 1 '' 'long.npy:row 300000: y: is too large for a float32 (and 2 more bad rows)|' \
    abut join long.npy boxes.csv
expect "long npy, bad rows skipped" 0 '524283|' 'abut: long.npy: skipped 3 bad rows|' \
    abut join long.npy boxes.csv --skip-bad --count
streamed "bad rows" long.npy 524283
put long.npy 300000 '\000\000\000\000\000\000\360\077'
expect "long npy, one that the check alone refuses" 1 '' 'long.npy:row 320000: y: is infinite (and 1 more bad row)|' \
    abut join long.npy boxes.csv
expect "long npy, --by" 1 '' 'long.npy:header: g: the columns of arrays have no names|' \
    abut join long.npy grouped.csv --by g --skip-bad --quiet
npy run.npy 1 '<f4' False '(5, 4)' 1 0 0 -1 0 0 0 -1 0 0 0 1 1 0 0 -inf 1 0 0 -9
tail -c 80 run.npy >run
long long.npy '<f4' False run
expect "long npy, what the check alone refuses, skipped" 0 '131072|' 'abut: long.npy: skipped 196608 bad rows|' \
    abut join long.npy about_0.csv --kind-a planes --skip-bad --predicate touches --count
if [ -z "$emulated" ]; then
    # A has been mapped when B is opened.
    rm pipe.npy
    mkfifo pipe.npy
    (
        exec >pipe.npy
        : >long.npy
        cat boxes.csv
    ) &
    expect "long npy, cut while it is read" 1 '' 'abut: an input file became shorter, or unreadable, while it was read|' \
        abut join long.npy pipe.npy --kind-a spheres --skip-bad --quiet -o out/cut.csv
    wait
    same "long npy, cut: no output" pairs.csv "$(ls out)"
fi
rm -f long.npy again found.* piped.*

npy points.npy 1 '<f4' False '(2, 3)' 1 1 1 5 5 5
expect "npy, points" 0 '1|' '' abut join points.npy boxes.npy --count
npy planes.npy 1 '<f4' False '(1, 4)' 0 0 1 -1
expect "npy, planes" 0 'hit,class|1,inside|1,crossing|0,outside|1,crossing|' '' \
    abut zip along.csv planes.npy --kind-b planes
npy segments.npy 1 '<f4' False '(2, 6)' 0 0 3 9 9 9 5 0 0 9 0 0
expect "npy, segments" 0 'a,b|2,0|3,0|' '' abut join along.csv segments.npy --kind-b segments
npy capsules.npy 1 '<f4' False '(2, 7)' 0 0 3 9 9 9 2 5 0 0 9 0 0 3
expect "npy, capsules" 0 'a,b|1,0|2,0|3,0|' '' abut join along.csv capsules.npy
npy triangles.npy 1 '<f4' False '(2, 9)' -9 -9 1 9 -9 1 0 9 1 9 9 9 9 9 9 9 9 9
expect "npy, triangles" 0 'a,b|1,0|3,0|' '' abut join along.csv triangles.npy
npy obbs.npy 1 '<f8' False '(1, 15)' 0 0 0 1 1 1 1 0 0 0 1 0 0 0 1
expect "npy, oriented boxes" 0 '1|' '' abut join points.npy obbs.npy --count
npy turned.npy 1 '<f8' False '(1, 10)' 0 0 0 1 1 1 0 0 0 1
expect "npy, quaternions" 0 '1|' '' abut join points.npy turned.npy --count
npy hulls.npy 1 '<f4' False '(2, 2, 4)' 1 0 0 -1 0 1 0 -1 1 0 0 -9 -1 0 0 2
expect "npy, hulls" 0 'a,b|0,0|1,1|' '' abut join points.npy hulls.npy
npy hulls.npy 1 '<f4' True '(2, 2, 4)' 1 1 0 -1 0 0 1 0 0 0 0 0 -1 -9 -1 2
expect "npy, hulls by columns" 0 'a,b|0,0|1,1|' '' abut join points.npy hulls.npy
expect "npy, hulls, inward" 0 '1|' '' abut join points.npy hulls.npy --normals inward --touch open --count
npy empty.npy 1 '<f4' False '(0, 6)'
expect "npy, no rows" 0 'a,b|' '' abut join points.npy empty.npy

# bad_npy NAME MESSAGE: of in.npy
bad_npy() {
    expect "npy: $1" 1 '' "in.npy:$2|" abut join in.npy boxes.csv
}
npy in.npy 1 '<f4' False '(2, 4)' 1 2 3 4 5 6 7 -8
bad_npy "a negative radius" 'row 1: r: is negative'
npy in.npy 1 '<f4' False '(3, 4)' 1 2 3 4 5 nan 7 8 1 2 3 -4
bad_npy "not a number" 'row 1: y: is not a number (and 1 more bad row)'
npy in.npy 1 '<f8' False '(2, 3)' 1 2 3 1 2 1e39
bad_npy "too large" 'row 1: z: is too large for a float32'
npy in.npy 1 '<f8' True '(2, 3)' 1 2 3 1e39 2 -1e300
bad_npy "too large, the first" 'row 1: y: is too large for a float32'
npy in.npy 1 '<f4' False '(2, 3)' 1 2 3 1 inf 3
bad_npy "infinite" 'row 1: y: is infinite'
expect "npy, --skip-bad" 0 'a,b|' 'abut: in.npy: skipped 1 bad row|' abut join in.npy unit.csv --skip-bad
npy in.npy 1 '<f4' False '(2, 1, 4)' 1 0 0 1 0 0 0 1
expect "npy: a hull with a bad plane" 1 '' 'in.npy:row 1: plane 0: nx: is zero, and so are ny and nz|' \
    abut join points.npy in.npy
npy in.npy 1 '<f8' True '(2, 3, 4)' 1 1 1 1 1 0 0 0 0 0 0 0 0 0 0 0 0 0 1 1 1 1 1 1
expect "npy: the last plane of a hull is bad" 1 '' 'in.npy:row 1: plane 2: nx: is zero, and so are ny and nz|' \
    abut join points.npy in.npy
npy in.npy 1 '<f8' False '(2, 2, 4)' 1 0 0 1 1 0 0 -1e39 1 0 0 1 1 0 0 inf
expect "npy: planes of two hulls are bad" 1 '' 'in.npy:row 0: plane 1: d: is too large for a float32 (and 1 more bad row)|' \
    abut join points.npy in.npy
npy in.npy 1 '<f4' False '(1, 5)' 1 2 3 4 0.5
expect "npy: hulls by volume" 1 '' 'in.npy:row 0: volume: is not a whole number below 16777216|' \
    abut join points.npy in.npy
npy in.npy 1 '<f4' False '(3, 5)' 1 2 3 4 5 1 2 3 4 nan 1 2 3 4 5
expect "npy: hulls by no volume" 1 '' 'in.npy:row 1: volume: is not a number|' abut join points.npy in.npy
for volume in 1.00000001 16777215.5 16777216 1e-60 inf 1e39; do
    npy in.npy 1 '<f8' False '(2, 5)' 1 0 0 -9 1 1 0 0 -9 $volume
    expect "npy: hulls by volume $volume" 1 '' 'in.npy:row 1: volume: is not a whole number below 16777216|' \
        abut join points.npy in.npy
done
npy in.npy 1 '>f8' True '(3, 5)' 1 1 1 0 0 0 0 0 0 -1 -1 -1 8 9 9.000000001
expect "npy: hulls by volume, skipped" 0 'a,b|0,0|' 'abut: in.npy: skipped 1 bad row|' \
    abut join points.npy in.npy --skip-bad
npy in.npy 1 '<f4' False '(1, 8)' 1 2 3 4 5 6 7 8
bad_npy "no kind has so many columns" 'header: shapes do not have 8 columns'
expect "npy: a kind of other columns" 1 '' 'points.npy:header: spheres do not have 3 columns|' \
    abut join points.npy boxes.csv --kind-a spheres
expect "npy: hulls are no points" 1 '' 'hulls.npy:header: points do not have three dimensions|' \
    abut join hulls.npy boxes.csv --kind-a points
expect "npy: --by" 1 '' 'spheres.npy:header: g: the columns of arrays have no names|' \
    abut join spheres.npy grouped.csv --by g
npy in.npy 1 '<f4' False '(2, 3)' 1 2 3 1 2
bad_npy "values that are not there" 'header: promises more values than there are in the file'
npy in.npy 1 '<f4' False '(1, 3)' 1 2 3 1
bad_npy "values too many" 'header: promises fewer values than there are in the file'
for shape in '(6148914691236517206, 3)' '(1844674407370955161, 15)' '(4294967296, 3)'; do
    npy in.npy 1 '<f4' False "$shape" 1 2 3
    bad_npy "shape $shape" 'header: promises more values than there are in the file'
done
for shape in '(3,)' '()' '3' '(1, 1, 1, 3)' '(18446744073709551616, 3)' '(-1, 3)' '(1, 3' '(1 3)' '(1.0, 3)' '(,)'; do
    npy in.npy 1 '<f4' False "$shape" 1 2 3
    bad_npy "shape $shape" 'header: the shape is not that of two or three dimensions'
done
for shape in '(1, 0)' '(1, 16)' '(0, 1844674407370955161)'; do
    npy in.npy 1 '<f4' False "$shape"
    bad_npy "shape $shape" 'header: no kind has so many columns'
done
for shape in '(1, 0, 4)' '(1, 33, 4)' '(1, 1, 3)' '(0, 1844674407370955161, 4)'; do
    npy in.npy 1 '<f4' False "$shape"
    bad_npy "shape $shape" 'header: an array of three dimensions holds rows of 1 to 32 planes of 4 members'
done
for type in '<i4' '|u1' '<f2' '<f16' 'f4' '<c8' '' '<f' '|f4'; do
    npy in.npy 1 "$type" False '(1, 3)'
    bad_npy "type $type" 'header: descr is not that of float32 or float64'
done
npy_raw in.npy 1 "{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,), }"
bad_npy "a structure" 'header: descr is not that of float32 or float64'
npy_raw in.npy 1 "{'descr': '<f4', 'fortran_order': 0, 'shape': (1, 3), }"
bad_npy "fortran_order" 'header: fortran_order is neither True nor False'
for text in '' '[]' '{' "{'descr" "{'descr'" "{'descr': '<f4' 'shape'"; do
    npy_raw in.npy 1 "$text"
    bad_npy "header $text" 'header: is not a dictionary'
done
for text in '{}' "{'descr': '<f4', 'shape': (1, 3)}" "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 3)} x"; do
    npy_raw in.npy 1 "$text"
    bad_npy "header $text" 'header: lacks descr, fortran_order or shape, or goes on behind them'
done
for text in "{'descr': '<f4', 'descr': '<f4'}" "{'size': 3}"; do
    npy_raw in.npy 1 "$text"
    bad_npy "header $text" 'header: has a key twice, or one that NPY files do not have'
done
npy_raw in.npy 1 "{'shape':(0,3),\"fortran_order\":False,'descr':'<f4'}"
expect "npy: keys in another order" 0 'a,b|' '' abut join in.npy boxes.csv
npy in.npy 1 '<f4' False '(1L, 3L)' 1 0 1
expect "npy of Python 2" 0 'a,b|0,2|' '' abut join in.npy boxes.csv
npy_raw in.npy 1 "{'descr': '<f4', 'fortran_order': False, 'shape': (L, 3)}"
bad_npy "a shape without a digit" 'header: the shape is not that of two or three dimensions'
for version in 1 2 3; do
    npy_raw in.npy $version '{}' 65535
    bad_npy "a header $version that is not all there" 'header: is not all there'
done
printf '\223NUMPY\002\000\377\377\377\377{}' >in.npy
bad_npy "a header of four billion bytes" 'header: is not all there'
for version in 0 4; do
    npy_raw in.npy $version '{}'
    bad_npy "format $version" 'header: is of a format other than 1, 2 and 3'
done
npy whole.npy 1 '<f4' False '(1, 4)' 1 1 1 1
for size in 6 7 8 9 10 11 40 69 70 80; do
    head -c $size whole.npy >in.npy
    abut join in.npy boxes.csv >found.csv 2>errors.txt
    same "npy cut after $size bytes" '1 1 0' "$? $(wc -l <errors.txt) $(wc -c <found.csv)"
done

# Threads and neighbours.
for threads in 1 2 5; do
    $ABUT join balls.csv flats.csv --skip-bad --quiet --method index --threads $threads >some.csv
    $ABUT join balls.csv flats.csv --skip-bad --quiet --method all >all.csv
    same "join, --threads $threads" '' "$(cmp all.csv some.csv 2>&1)"
done
for count in 0 257 x 1x -1 ''; do
    expect "--threads '$count'" 2 '' "abut: --threads takes a number from 1 to 256, not '$count'|" \
        abut self balls.csv --threads "$count"
done
expect "nearest" 0 'a,b|0,2|1,1|2,1|' '' abut nearest points.csv boxes.csv
expect "nearest, -k 2" 0 'a,b|0,2|0,1|1,1|1,2|2,1|2,2|' '' abut nearest points.csv boxes.csv -k 2
expect "nearest, --distance" 0 'a,b,d2|0,2,0|0,1,2|1,1,0|1,2,0|2,1,6|2,2,27|' '' abut nearest points.csv boxes.csv -k 2 --distance
expect "nearest, --distance, points" 0 'a,b,d2|0,0,0|0,1,3|1,1,0|1,0,3|2,2,0|2,1,27|' '' abut nearest points.csv points.csv -k 2 --distance
expect "nearest, --distance, spheres" 0 'a,b,d2|0,0,0|0,4,0|1,0,0.202041104|1,1,0.399488151|2,2,21.5719624|2,1,24.0100002|' '' abut nearest points.csv spheres.csv -k 2 --distance
expect "nearest, --distance, of none" 0 'a,b,d2|' '' abut nearest points.csv no_boxes.csv --distance
expect "nearest, more than there are" 0 '9|' '' abut nearest points.csv boxes.csv -k4294967295 --count --threads 2
expect "nearest, points" 0 'a,b|0,0|0,1|1,1|1,0|2,2|2,1|' '' abut nearest points.csv points.csv -k 2
expect "nearest, of none" 0 'a,b|' '' abut nearest points.csv no_boxes.csv -k 2
abut nearest points.csv boxes.csv -k 2 -o found.npy
same "nearest, npy" '0,2|0,1|1,1|1,2|2,1|2,2|' "$(pairs_of found.npy | tr '\n' '|')"
printf 'x,y,z\n1,1,1\nnan,1,1\n5,5,5\n' >holes.csv
expect "nearest, a bad point" 0 'a,b|0,2|2,1|' 'abut: holes.csv: skipped 1 bad row|' \
    abut nearest holes.csv boxes.csv --skip-bad
expect "nearest, among bad rows" 0 'a,b|0,0|0,2|1,0|1,2|2,2|2,0|' 'abut: holes.csv: skipped 1 bad row|' \
    abut nearest points.csv holes.csv -k 3 --skip-bad
printf 'x,y,z\nnan,1,1\n' >hole.csv
expect "nearest, among bad rows alone" 0 'a,b|' '' abut nearest points.csv hole.csv --skip-bad --quiet
expect "nearest, kinds" 2 '' \
    'abut: nearest takes points (A) and points, spheres or aabbs (B), not spheres and aabbs|' \
    abut nearest spheres.csv boxes.csv
expect "nearest, none wanted" 2 '' "abut: -k takes a number from 1 to 4294967295, not '0'|" \
    abut nearest points.csv boxes.csv -k 0

# Progress: on a terminal only, and only for long work.
if [ -n "$emulated" ]; then
    skip "progress: an emulator is too slow"
elif command -v script >/dev/null; then
    terminal() {
        script -qec "$1" /dev/null </dev/null
    }
    awk 'BEGIN { print "x,y,z"; for (i = 0; i < 400000; i++) print i % 1000 "," i % 999 "," i % 997 }' >many_points.csv
    sed '1s/$/,r/; 2,$s/$/,0.1/' many_points.csv >many.csv
    long="timeout 2 $ABUT join many_points.csv many.csv --isa scalar --method all"
    terminal "$long -o long.csv" | grep -q 'comparing *[0-9]* %'
    same "progress on a terminal" 0 $?
    same "no progress with --quiet" '' "$(terminal "$long -o long.csv --quiet")"
    same "no progress in a pipe" '' "$(timeout 2 $ABUT join many_points.csv many.csv --isa scalar --method all -o long.csv 2>&1)"
    same "no progress for short work" '8' "$(terminal "$ABUT join spheres.csv boxes.csv --count" | tr -d '\r\n')"
    rm -f long.csv many.csv many_points.csv
    # 16 GB that take no room, of which the first seconds are enough.
    npy_raw long.npy 1 "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000, 4)}"
    if truncate -s $((16000000000 + $(wc -c <long.npy))) long.npy 2>/dev/null; then
        terminal "timeout 2 $ABUT join long.npy spheres.csv --count" | grep -q 'long.npy *[0-9]* %'
        same "progress while a long array is looked through" 0 $?
    else
        skip "progress of arrays: no room for a file of 16 GB, sparse as it is"
    fi
    rm -f long.npy
else
    skip "progress: there is no script command to make a terminal"
fi

# help, version, info, selftest, demo
version=$(abut info | sed -n 's/^version: //p')
expect "--version" 0 "abut $version|" '' abut --version
expect "--version behind a command" 0 "abut $version|" '' abut join --version
abut --help >help.txt
same "--help: exit" 0 $?
abut join --help | cmp -s - help.txt
same "--help behind a command" 0 $?
same "--help: no long lines" 0 "$(awk 'length > 100' help.txt | wc -l)"
for word in join zip distance self demo info selftest -o --touch --predicate --count --kind-a --kind-b --isa --skip-bad \
    --quiet --help --version; do
    grep -q -e "^  $word " help.txt
    same "--help names $word" 0 $?
done
for word in qx,qy,qz,qw CSV NPY PLY .obj; do
    same "--help tells of $word" 1 "$(grep -o -F -e "$word" help.txt | sort -u | wc -l)"
done
sed -n '/^kinds of files/,/^$/p' help.txt | sed 1d | while read -r kind fields; do
    [ -n "$kind" ] || continue
    sed -n "/^\\.It $kind\$/{n;p;}" "$manual" | tr ' ' ',' | grep -qx "$fields" || echo "$kind"
done >undocumented.txt
same "the manual page has every kind as --help has it" '' "$(cat undocumented.txt)"
for word in $(sed -n 's/^  -*\([a-z-]*\) .*/\1/p' help.txt); do
    grep -q -e "\\b$word\\b" "$manual"
    same "the manual page names $word" 0 $?
done
abut info >info.txt
same "info: lines" 'version|instruction sets|active|kinds' \
    "$(cut -d: -f1 info.txt | paste -sd'|' -)"
case " $isas " in
*" $(sed -n 's/^active: //p' info.txt) "*) pass ;;
*) fail "info: the active instruction set is none that runs here" ;;
esac
if [ -n "${FLUSHES-}" ]; then
    printf 'x,y,z\n-3,3,0\n' >corner.csv
    printf 'minx,miny,minz,maxx,maxy,maxz\n-3,3,0,-2,6,2\n' >above.csv
    same "the floating-point mode of whoever started the command" 1 \
        "$(LD_PRELOAD=$FLUSHES $ABUT join corner.csv above.csv --count)"
fi
abut info -o info2.txt && cmp -s info.txt info2.txt
same "info -o" 0 $?
if [ -n "$slow" ]; then
    skip "selftest: an emulator or a sanitizer is too slow"
else
    abut selftest --isa scalar --quiet >selftest.txt
    same "selftest: exit" 0 $?
    same "selftest: the one asked for" 'instruction sets: scalar' "$(head -n 1 selftest.txt)"
    grep -q '^answers: [1-9][0-9]* of [0-9]* predicates and [0-9]* searches against exact arithmetic, and [1-9][0-9]* of [0-9]* distances against .*, 0 wrong$' selftest.txt
    same "selftest: $(tail -n 1 selftest.txt)" 0 $?
fi

if [ -n "$slow" ]; then
    skip "demo: an emulator or a sanitizer is too slow"
else
    abut demo >demo.txt
    same "demo: exit" 0 $?
    grep -q '^scene       20,000 spheres and as many boxes: 400,000,000 pairs$' demo.txt
    same "demo: scene" 0 $?
    same "demo: pairs" 'touching    22,047 pairs, of which 1,000 touch exactly' "$(grep '^touching' demo.txt)"
    grep -q '^  *100 by the exact judge$' demo.txt
    same "demo: judge" 0 $?
    grep -q '^agreement   all instruction sets give the same pairs; ' demo.txt
    same "demo: agreement" 0 $?
    for isa in $isas; do
        grep -q "^  *$isa .* times the plain loop's speed\$" demo.txt
        same "demo: speed of $isa" 0 $?
    done
fi

finish cli
