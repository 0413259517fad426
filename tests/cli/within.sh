#!/bin/sh
# SPDX-License-Identifier: MIT
# abut join, self and nearest with --within and --periodic.
# usage: ABUT="path of abut" within.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

# Distances 0, 3 and 27 squared from each other, as points; spheres around them.
printf 'x,y,z\n0,0,0\n3,4,0\n3,4,12\n0,0,0\n' >places.csv
printf 'x,y,z,r\n0,0,0,1\n3,4,0,1.5\n3,4,12,0\n' >balls.csv
expect "self --within, points" 0 'a,b|0,1|0,3|1,3|' '' abut self places.csv --within 5
expect "self --within, points, open" 0 'a,b|0,3|' '' abut self places.csv --within 5 --touch open
expect "self --within 0: equal points" 0 'a,b|0,3|' '' abut self places.csv --within 0
expect "self --within 0, open" 0 'a,b|' '' abut self places.csv --within 0 --touch open
expect "self --within, more" 0 '4|' '' abut self places.csv --within 12 --count
expect "join --within, points" 0 'a,b|0,0|0,3|1,1|2,2|3,0|3,3|' '' abut join places.csv places.csv --within 4.9999995
expect "self --within, spheres" 0 'a,b|0,1|' '' abut self balls.csv --within 2.5
expect "self --within, spheres, open" 0 'a,b|' '' abut self balls.csv --within 2.5 --touch open
# The sum of the radii is 2.7000000178..., which no float32 is; the distances are 5 less it.
printf 'x,y,z,r\n0,0,0,0.1\n5,0,0,2.6\n' >rounded.csv
expect "self --within, sums are exact: too far" 0 'a,b|' '' abut self rounded.csv --within 2.2999997
expect "self --within, sums are exact: near enough" 0 'a,b|0,1|' '' abut self rounded.csv --within 2.3000002
expect "join --within, boxes" 0 'a,b|0,0|0,2|1,1|1,2|2,0|2,1|2,2|' '' abut join boxes.csv boxes.csv --within 1.75
printf 'minx,miny,minz,maxx,maxy,maxz\n0,0,0,1,1,1\n4,5,1,6,6,6\n' >apart.csv
expect "self --within, boxes, by a corner" 0 'a,b|0,1|' '' abut self apart.csv --within 5
expect "self --within, boxes, by a corner, open" 0 'a,b|' '' abut self apart.csv --within 5 --touch open
expect "join --within, spheres and boxes" 0 'a,b|0,0|1,0|1,1|' '' abut join balls.csv apart.csv --within 3
expect "join --within, boxes and spheres" 0 'a,b|0,0|0,1|1,1|' '' abut join apart.csv balls.csv --within 3
printf 'v 0 0 0\nv 4 0 0\nv 0 4 0\nv 0 0 4\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' >tetrahedron.obj
printf 'x,y,z\n1,1,-2\n-1,-1,-1\n1,-3,1\n1,1,2\n4,4,4\n' >cloud.csv
expect "join --within, a mesh" 0 'a,b|0,0|0,1|0,2|0,3|1,0|1,1|1,2|2,1|3,0|3,1|3,2|3,3|' '' \
    abut join cloud.csv tetrahedron.obj --within 3
expect "join --within, a mesh first" 0 'a,b|0,0|0,1|0,3|1,0|1,1|1,2|1,3|2,0|2,1|2,3|3,0|3,3|' '' \
    abut join tetrahedron.obj cloud.csv --within 3
expect "join --within, open" 0 'a,b|0,0|0,1|0,2|0,3|1,0|1,1|1,2|3,0|3,1|3,2|3,3|' '' \
    abut join cloud.csv tetrahedron.obj --within 3 --touch open
abut self places.csv --within 5 -o found.npy
same "self --within, npy" '0,1|0,3|1,3|' "$(npy_pairs found.npy | tr '\n' '|')"
printf 'x,y,z,g\n0,0,0,a\n1,0,0,b\n1,0,0,a\n1,0,0,b\n' >labelled.csv
expect "self --within, --by" 0 'a,b|0,2|1,3|' '' abut self labelled.csv --within 1 --by g
expect "--within, negative" 2 '' 'abut: --within takes a distance of 0 or more, not -1|' \
    abut self places.csv --within -1
expect "--within, infinite" 2 '' "abut: --within must be finite, not 'inf'|" abut self places.csv --within inf
expect "--within, --predicate" 2 '' 'abut: --predicate does not go with --within|' \
    abut self balls.csv --within 1 --predicate touches
expect "--within, --method" 2 '' 'abut: --method does not go with --within|' abut self balls.csv --within 1 --method all
printf 'v 10 0 0\nv 14 0 0\nv 10 4 0\nf 1 2 3\n' >flat.obj
expect "join --within, meshes" 0 'a,b|0,0|1,0|3,0|' '' abut join tetrahedron.obj flat.obj --within 6
expect "join --within, meshes, open" 0 'a,b|' '' abut join tetrahedron.obj flat.obj --within 6 --touch open
expect "self --within, a mesh" 0 'a,b|' '' abut self tetrahedron.obj --within 1
expect "self --within, a mesh, --adjacent" 0 '6|' '' abut self tetrahedron.obj --within 1 --adjacent --count
printf 'ax,ay,az,bx,by,bz\n0,0,0,0,0,9\n3,4,0,3,4,9\n' >rods.csv
printf 'ax,ay,az,bx,by,bz,r\n6,8,0,6,8,9,2\n' >pipes.csv
printf 'cx,cy,cz,hx,hy,hz,ux,uy,uz,vx,vy,vz,wx,wy,wz\n-4,0,0,1,1,1,1,0,0,0,1,0,0,0,1\n' >crates.csv
expect "self --within, segments" 0 'a,b|0,1|' '' abut self rods.csv --within 5
expect "self --within, segments, open" 0 'a,b|' '' abut self rods.csv --within 5 --touch open
expect "join --within, capsules and segments" 0 'a,b|0,1|' '' abut join pipes.csv rods.csv --within 3
expect "join --within, segments and obbs" 0 'a,b|0,0|' '' abut join rods.csv crates.csv --within 3
expect "join --within, obbs and boxes, by an edge" 0 'a,b|0,0|0,1|' '' abut join crates.csv apart.csv --within 8.0622578
expect "join --within, obbs and boxes, nearer" 0 'a,b|' '' abut join crates.csv apart.csv --within 2.9999998
expect "join --within, obbs and spheres" 0 'a,b|0,0|' '' abut join crates.csv balls.csv --within 2
expect "--within, planes" 2 '' 'abut: --within takes all shapes but planes and hulls, not points and planes|' \
    abut join points.csv plane.csv --within 1
printf 'nx,ny,nz,d,volume\n0,0,1,-1,0\n' >half.csv
expect "--within, hulls" 2 '' 'abut: --within takes all shapes but planes and hulls, not points and hulls|' \
    abut join points.csv half.csv --within 1

# Periodic boxes. A ghost at a rounded place touches one of the two, but not the other.
printf 'x,y,z,r\n0.0689187199,0,0,0.5\n99.0689163,0,0,0.5\n' >ends.csv
expect "self --periodic" 0 'a,b|' '' abut self ends.csv --periodic 100,100,100
printf 'x,y,z,r\n0.0689187199,0,0,0.5\n99.0689239,0,0,0.5\n' >nearer.csv
expect "self --periodic, a little nearer" 0 'a,b|0,1|' '' abut self nearer.csv --periodic 100,100,100
expect "self --periodic, the other order" 0 'a,b|0,1|' '' \
    sh -c "sed -n '1p;3p' nearer.csv >turned.csv; \
    sed -n 2p nearer.csv >>turned.csv; $ABUT self turned.csv --periodic 100,0,0"
expect "self --periodic, another axis" 0 'a,b|' '' abut self nearer.csv --periodic 0,100,100
printf 'x,y,z\n0,0,0\n9,9,9\n5,5,5\n31,0,0\n' >grid.csv
expect "self --periodic --within" 0 'a,b|0,3|' '' abut self grid.csv --periodic 10,10,10 --within 1
expect "self --periodic --within, more" 0 'a,b|0,1|0,3|' '' abut self grid.csv --periodic 10,10,10 --within 1.7320509
expect "join --periodic" 0 'a,b|0,0|0,3|1,1|2,2|3,0|3,3|' '' abut join grid.csv grid.csv --periodic 10,10,10 --within 1
printf 'minx,miny,minz,maxx,maxy,maxz\n9,0,0,10,1,1\n0,0,0,1,1,1\n4,0,0,5,1,1\n' >cells.csv
expect "self --periodic, boxes" 0 'a,b|0,1|' '' abut self cells.csv --periodic 10,10,10
expect "self --periodic, boxes, open" 0 'a,b|' '' abut self cells.csv --periodic 10,10,10 --touch open
expect "nearest --periodic" 0 'a,b,d2|0,0,0|0,3,1|1,1,0|1,0,3|2,2,0|2,1,48|3,3,0|3,0,1|' '' \
    abut nearest grid.csv grid.csv --periodic 10,10,10 -k 2 --d2
expect "nearest --periodic --exclude-self --within" 0 'a,b|0,3|3,0|' '' \
    abut nearest grid.csv grid.csv --periodic 10,10,10 --exclude-self --within 1
expect "nearest --periodic --ties" 0 'a,b|0,0|0,1|1,0|1,1|2,2|2,0|2,1|3,1|3,0|' '' \
    abut nearest grid.csv cells.csv --periodic 10,10,10 --ties -k 2
expect "nearest --periodic, a mesh" 2 '' 'abut: --periodic takes points, spheres and aabbs, not points and triangles|' \
    abut nearest cloud.csv tetrahedron.obj --periodic 9,9,9
expect "nearest --periodic, too far" 1 '' \
    'abut: grid.csv: x = 31 in row 3 is infinite, or more than 1048576 periods from 0: move it into the box|' \
    abut nearest grid.csv grid.csv --periodic 2e-5,0,0
expect "nearest --periodic --closest" 2 '' \
    'abut: --closest does not go with --periodic: the nearest image may be anywhere|' \
    abut nearest grid.csv grid.csv --periodic 10,10,10 --closest
expect "--periodic, no period" 2 '' \
    'abut: --periodic takes periods above 0, or 0 for an axis that does not repeat, not 0,0,0|' \
    abut self ends.csv --periodic 0,0,0
expect "--periodic, a negative period" 2 '' \
    'abut: --periodic takes periods above 0, or 0 for an axis that does not repeat, not 1,-1,0|' \
    abut self ends.csv --periodic 1,-1,0
expect "--periodic, one number" 2 '' "abut: --periodic takes X,Y,Z, not '100'|" abut self ends.csv --periodic 100
expect "--periodic, too far" 1 '' \
    'abut: ends.csv: x = 99.0689 in row 1 is infinite, or more than 1048576 periods from 0: move it into the box|' \
    abut self ends.csv --periodic 1e-5,1,1
# Many images are refused, unless that is allowed; wide boxes have few.
printf 'x,y,z\n0,0,0\n100,100,100\n-100,-100,-100\n' >spread.csv
expect "--periodic, too many images" 1 '' \
    'abut: spread.csv: x = 100 in row 1 is 200 periods beyond x = -100 in row 2 of spread.csv, so a row has more than 64 images: move the coordinates into one box, or raise --images|' \
    abut self spread.csv --within .25 --periodic 1,1,1
expect "nearest --periodic, too many images" 1 '' \
    'abut: spread.csv: y = 100 in row 1 is 20 periods beyond y = -100 in row 2 of spread.csv, so a row has more than 9 images: move the coordinates into one box, or raise --images|' \
    abut nearest grid.csv spread.csv --periodic 0,10,10 --images 9
expect "--periodic --by, too many images" 1 '' \
    'abut: far.csv: y = 1 in row 2 is 1e+03 periods beyond y = 0 in row 0 of far.csv, so a row has more than 64 images: move the coordinates into one box, or raise --images|' \
    sh -c "printf 'g,x,y,z\nb,0,0,0\na,1,0,0\nb,0,1,0\na,2,500,0\n' >far.csv; $ABUT self far.csv --by g --periodic 0,1e-3,0"
expect "--periodic --images" 0 'a,b|0,1|0,2|1,2|' '' abut self spread.csv --within .25 --periodic 10,10,10 --images 8000
expect "--periodic, a box of many periods" 0 'a,b|0,1|' '' \
    sh -c "printf 'minx,miny,minz,maxx,maxy,maxz\n0,0,0,1024,1024,1\n0,0,0,1,1,1\n' >wide.csv; $ABUT self wide.csv --periodic 1,1,0"
expect "--images without --periodic" 2 '' 'abut: --images is for --periodic X,Y,Z: it needs that option|' \
    abut self spread.csv --within 1 --images 4
printf 'g,x,y,z\nb,0,0,0\nb,1,0,0\na,9e9,0,0\na,2,0,0\n' >labels.csv
expect "--periodic --by, too far" 1 '' \
    'abut: labels.csv: x = 9e+09 in row 2 is infinite, or more than 1048576 periods from 0: move it into the box|' \
    abut self labels.csv --by g --periodic 1,1,1
expect "--periodic, too large a period" 2 '' \
    "abut: --periodic has a number that is too large for a float32: '1e50,1,1'|" abut self ends.csv --periodic 1e50,1,1
printf 'x,y,z,r\n0,0,0,inf\n' >endless.csv
expect "--periodic, an infinite sphere" 1 '' 'abut: endless.csv: r = inf in row 0 cannot be in a periodic box|' \
    abut self endless.csv --periodic 1,1,1
expect "--periodic, meshes" 2 '' 'abut: --periodic takes points, spheres and aabbs, not points and triangles|' \
    abut join cloud.csv tetrahedron.obj --periodic 9,9,9

finish within
