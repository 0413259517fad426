#!/bin/sh
# SPDX-License-Identifier: MIT
# Numbers beyond float32: what rounding changes is said, and --origin keeps it.
# usage: ABUT="path of abut" origin.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

# Survey coordinates: float32 has steps of half a metre there.
printf 'x,y,z\n500000,5600000.1,0\n500000,5600000.2,0\n500000,5600000.3,0\n' >survey.csv
printf 'x,y,z,r\n500000,5600000.1,0,0.05\n' >ball.csv
merged='abut: survey.csv: float32 makes one point of rows 0 and 1: --origin auto keeps more digits|'
moved='abut: ball.csv: float32 moves y of row 0 by 0.1, beside a size of 0.05: --origin auto keeps more digits|'
expect "survey coordinates as they are" 0 'a,b|0,0|1,0|' "$merged$moved" abut join survey.csv ball.csv
expect "survey coordinates, --quiet" 0 'a,b|0,0|1,0|' '' abut join survey.csv ball.csv --quiet
for origin in auto 500000,5600000,0 500000,5.6e6,-0; do
    expect "survey coordinates from $origin" 0 'a,b|0,0|' '' abut join survey.csv ball.csv --origin $origin
done
expect "an origin that is far away" 0 'a,b|0,0|1,0|' \
    "$(echo "$merged$moved" | sed 's/--origin auto keeps more digits/that origin is too far away/g')" \
    abut join survey.csv ball.csv --origin 1,1,1
expect "closest points are where the files have them" 0 \
    'd2,x,y,z|0,500000,5600000.1,0|0.00250000018,500000,5600000.15,0|0.0225000009,500000,5600000.15,0|' '' \
    abut distance survey.csv ball.csv --origin auto
expect "closest points of nearest are, too" 0 'a,b,x,y,z|0,0,500000,5600000.1,0|' '' \
    sh -c "head -n 2 survey.csv >one.csv; $ABUT nearest one.csv ball.csv --origin auto --closest"
npy survey.npy 1 '<f8' False '(3, 3)' 500000 5600000.1 0 500000 5600000.2 0 500000 5600000.3 0
expect "survey coordinates as an array" 0 'a,b|0,0|1,0|' "$(echo "$merged$moved" | sed 's/survey.csv/survey.npy/')" \
    abut join survey.npy ball.csv
expect "survey coordinates as an array, --origin" 0 'a,b|0,0|' '' abut join survey.npy ball.csv --origin auto
npy far.npy 1 '<f4' True '(2, 3)' 16777216 16777218 0 0 0 0
printf 'minx,miny,minz,maxx,maxy,maxz\n16777217,0,0,16777219,1,1\n' >far_box.csv
expect "an array of float32 as it is" 0 '2|' '' abut join far.npy far_box.csv --count --quiet
expect "an array of float32 from an origin" 0 '1|' '' abut join far.npy far_box.csv --count --origin 16777217,0,0 --quiet
printf 'v 500000 5600000.1 0\nv 500000 5600000.2 0\nv 500001 5600000 0\nf 1 2 3\n' >far.obj
expect "a mesh from an origin" 0 'a,b|0,0|' '' abut join ball.csv far.obj --origin auto
expect "a mesh as it is" 0 'a,b|0,0|' \
    "${moved}abut: far.obj: float32 moves a coordinate of row 0 by 0.2, beside a size of 1: --origin auto keeps more digits|" \
    abut join ball.csv far.obj
printf 'nx,ny,nz,d\n0,2,0,-11200000.25\n0,2,0,-11200000.05\n' >far_planes.csv
expect "planes from an origin" 0 'hit,class|1,crossing|0,outside|' '' \
    abut zip ball.csv far_planes.csv --kind-a spheres --origin auto --quiet
expect "self from an origin" 0 'a,b|' '' abut self ball.csv --origin auto
same "statistics of the rounding" "abut: survey.csv: the greatest rounding to float32 is 0.2, of y in row 1" \
    "$(abut join survey.csv ball.csv --stats --quiet 2>&1 >/dev/null | grep -m 1 greatest)"

# What does not change much gets no remark; points that are equal in the file are not made one.
printf 'x,y,z\n0.1,0.2,0.3\n0.1,0.2,0.3\n0.7,0.2,0.3\n' >tenths.csv
expect "tenths" 0 'a,b|0,0|1,0|2,0|' '' abut join tenths.csv unit.csv
printf 'x,y,z\n16777216,2,2\n' >far_point.csv
expect "a box beside its size" 0 '0|' \
    'abut: far_box.csv: float32 moves minx of row 0 by 1, beside a size of 1: --origin auto keeps more digits|' \
    abut join far_point.csv far_box.csv --count

# 0.3 as a float32 is above 0.3, and 0.1 is above 0.1: outwards, the box still holds what it held.
printf 'minx,miny,minz,maxx,maxy,maxz\n0.1,0,0,0.3,1,1\n' >tenth.csv
printf 'x,y,z\n0.0999999999,0.5,0.5\n0.099999994,0.5,0.5\n' >edge.csv
expect "bounds to the nearest float32" 0 'a,b|0,0|' '' abut join edge.csv tenth.csv --quiet
expect "bounds outwards" 0 'a,b|0,0|1,0|' '' abut join edge.csv tenth.csv --outwards --quiet

# Two files that lie apart, as metres and millimetres, or two origins, make them.
printf 'x,y,z\n1000,0.5,0.5\n1003,0.5,0.5\n' >apart.csv
apart='abut: A and B do not meet: x is 1000 to 1003 in A, 0 to 1 in B (other units or origin?)|'
expect "two files that do not meet" 0 '0|' "$apart" abut join apart.csv unit.csv --count
expect "two files that do not meet, --quiet" 0 '0|' '' abut join apart.csv unit.csv --count --quiet
printf 'x,y,z\n0.5,0.5,1000\n' >above.csv
expect "two files that meet in space that repeats" 0 'a,b|0,0|' '' \
    abut join above.csv unit.csv --periodic 10,10,10
expect "distances of two files that do not meet" 0 'a,b,distance|0,0,999|' '' abut nearest above.csv unit.csv --distance
expect "distances of two files that do not meet, row by row" 0 'd2,x,y,z|998001,0.5,0.5,1|' '' \
    abut distance above.csv unit.csv
expect "neighbours that are too far" 0 'a,b|' \
    'abut: A and B do not meet: z is 1000 to 1000 in A, 0 to 1 in B (other units or origin?)|' \
    abut nearest above.csv unit.csv --within 9
printf 'x,y,z,r\n1000,0.5,0.5,998\n' >apart.csv
expect "two files that nearly meet" 0 '0|' '' abut join apart.csv unit.csv --count
printf 'minx,miny,minz,maxx,maxy,maxz\n-inf,0,0,-9,1,1\n' >slab.csv
expect "a slab that does not meet a box" 0 '0|' '' abut join slab.csv unit.csv --count

expect "an origin of two numbers" 2 '' "abut: --origin takes X,Y,Z or auto, not '1,2'|" \
    abut join survey.csv ball.csv --origin 1,2
expect "an infinite origin" 2 '' "abut: --origin takes X,Y,Z or auto, not '1,inf,2'|" \
    abut join survey.csv ball.csv --origin 1,inf,2
expect "the centre of standard input" 1 '' \
    'abut: --origin auto reads files twice, which - does not allow: say --origin X,Y,Z|' \
    sh -c "$ABUT join - ball.csv --origin auto <survey.csv"
expect "an origin of a file that is not there" 1 '' 'abut: cannot read none.csv: No such file or directory|' \
    abut join none.csv ball.csv --origin auto
expect "an origin of a file that cannot be read" 1 '' 'bad.csv:2: z: is not a number|' \
    sh -c "printf 'x,y,z\n1,2,x\n' >bad.csv; $ABUT join bad.csv ball.csv --origin auto"
# A bound that is too large for a float32, before the origin is subtracted or behind it, is no infinite bound.
npy high.npy 1 '<f8' False '(1, 6)'
printf '\0\0\0\0\0\0\0\0%.0s' 1 2 3 4 5 >>high.npy
printf '\0\0\0\0\0\0\360\177' >>high.npy
printf 'x,y,z\n0,0,1e30\n' >far.csv
expect "an infinite bound, behind an origin" 0 'a,b|0,0|' '' \
    abut join far.csv high.npy --kind-b aabbs --origin 0,0,1 --quiet
printf '\0\0\0\0\0\0\340\177' | dd of=high.npy bs=1 seek=$(($(wc -c <high.npy) - 8)) conv=notrunc 2>/dev/null
expect "a bound that is too large, behind an origin" 1 '' 'high.npy:row 0: maxz: is too large for a float32|' \
    abut join far.csv high.npy --kind-b aabbs --origin 0,0,1 --quiet
printf 'minx,miny,minz,maxx,maxy,maxz\n0,0,0,1,1,3e38\n' >high.csv
expect "a bound that an origin makes too large" 1 '' 'high.csv:2: maxz: is not a number|' \
    abut join far.csv high.csv --origin 0,0,-3e38 --quiet
expect "an origin of no rows" 0 'a,b|' '' sh -c "head -n 1 ball.csv >none.csv; $ABUT self none.csv --origin auto"

finish origin
