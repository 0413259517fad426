#!/bin/sh
# SPDX-License-Identifier: MIT
# Tables as other programs write them: usual names of columns, XYZ files, and tables of the plane; what --stats says.
# usage: ABUT="path of abut" tables.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

# Usual names. Of two rows the second touches what it is compared with.
# names NAME HEADER ROWS [OPTION...]
names() {
    name=$1
    printf "$2\n$3\n" >in.csv
    shift 3
    expect "names: $name" 0 'a,b|1,0|' '' abut join in.csv one_box.csv "$@"
}
points='9,9,9\n1,1,1'
boxes='9,9,9,9.5,9.5,9.5\n1,1,1,2,2,2'
names "a program of tables, minima first" xmin,ymin,zmin,xmax,ymax,zmax "$boxes"
names "minima first, with lines" X_min,Y_min,Z_min,X_max,Y_max,Z_max "$boxes"
names "the axis last" min_x,min_y,min_z,max_x,max_y,max_z "$boxes"
names "two corners, as boxes" x1,y1,z1,x2,y2,z2 "$boxes" --kind-a aabbs
names "two corners, as segments" x1,y1,z1,x2,y2,z2 "$boxes" --kind-a segments
names "three corners" x1,y1,z1,x2,y2,z2,x3,y3,z3 '9,9,9,9,9,8,9,8,9\n1,1,1,1,1,2,1,2,1'
names "positions" pos_x,pos_y,pos_z "$points"
names "positions and a radius" position_x,position_y,position_z,radius '9,9,9,1\n1,1,1,1'
names "ParaView" Points:0,Points:1,Points:2 "$points"
names "ParaView, quoted" '"Points_0","Points_1","Points_2"' "$points"
names "LAMMPS" 'id;type;xu;yu;zu' '1;2;9;9;9\n2;2;1;1;1'
names "units" 'X [m],Y [m],Z [m]' "$points"
names "units in parentheses" '"X (mm)","Y (mm)","Z(mm)","radius (mm)"' '9,9,9,1\n1,1,1,1'
names "a unit beyond ASCII" 'x [\302\265m],y [\302\265m],z [\302\265m]' "$points"
names "driving data" center_x,center_y,center_z,length,width,height,yaw '9,9,9,1,1,1,0\n1,1,1,1,1,1,0.5'
names "driving data, other words" centre_x,centre_y,centre_z,size_x,size_y,size_z,heading '9,9,9,1,1,1,0\n1,1,1,1,1,1,0.5'
names "centres and quaternions" center_x,center_y,center_z,hx,hy,hz,qx,qy,qz,qw '9,9,9,1,1,1,0,0,0,1\n1,1,1,1,1,1,0,0,0,1'
names "spheres by their centres" center_x,center_y,center_z,r '9,9,9,1\n1,1,1,1'
# refused NAME HEADER MESSAGE
refused() {
    printf "$2\n1,1,1,1,1,1,1\n" >in.csv
    expect "names: $1" 1 '' "in.csv:1: $3|" abut self in.csv
}
refused "two corners may be of boxes or of segments" x1,y1,z1,x2,y2,z2,id \
    'the columns of aabbs and of segments are here: choose with --kind-a'
refused "wrapped and unwrapped" x,xu,y,z,a,b,c "x: may be 'x' or 'xu': rename one"
refused "centres with a size, and no angle" center_x,center_y,center_z,size_x,size_y,size_z,id \
    "the column 'size_x' may be a size: --kind-a points leaves it out"
refused "an angle in degrees is no angle in radians" 'x,y,z,dx,dy,dz,yaw [deg]' \
    "the column 'dx' may be a size: --kind-a points leaves it out"
refused "other units" 'x [s],y [s],z [s],a,b,c,d' \
    "no kind fits 'x [s],y [s],z [s],a,b,c,d': name the columns, --columns-a x,y,z or so (abut --help lists kinds)"
refused "indices are no units" 'x[0],x[1],x[2],a,b,c,d' \
    "no kind fits 'x[0],x[1],x[2],a,b,c,d': name the columns, --columns-a x,y,z or so (abut --help lists kinds)"
expect "names: those of B" 1 '' \
    "in.csv:1: no kind fits 'x[0],x[1],x[2],a,b,c,d': name the columns, --columns-b x,y,z or so (abut --help lists kinds)|" \
    abut join spheres.csv in.csv
awk 'BEGIN { for (i = 0; i <= 262144; i++) printf "a,"; print "a" }' >in.csv
expect "names: too many columns" 1 '' \
    'in.csv:1: has 262146 columns, more than 262144: leave out those of no shape|' abut self in.csv

# XYZ files: a count, a comment, rows.
printf '3\nwater, as "made\nO 0 0 0\n  H \t 1 0 0 \r\nH 0 1 0\n\n' >water.xyz
expect "XYZ" 0 'a,b|0,1|0,2|' '' abut self water.xyz --within 1
expect "XYZ, elements are names" 0 'a,b|O,H|O,H|' '' abut self water.xyz --within 1 --id-a element
expect "XYZ, elements are labels" 0 'a,b|1,2|' '' abut self water.xyz --within 2 --by element
expect "XYZ, other names" 0 'a,b|O,H|O,H|' '' abut self water.xyz --within 1 --columns-a what,x,y,z --id-a what
printf ' 2 \n\nC 0 0 0 7 8\nC 1 0 0 7 8\n' >more.xyz
expect "XYZ, more columns" 0 'a,b|0,1|' '' abut self more.xyz --within 1
printf '2\nLattice="5 0 0" Properties=id:I:1:force:R:3:pos:R:3:radius:R:1 energy=-1\n0 9 9 9 0 0 0 1\n1 9 9 9 2 0 0 1\n' \
    >extended.xyz
expect "XYZ, extended" 0 'a,b|0,1|' '' abut self extended.xyz
expect "XYZ, extended, open" 0 'a,b|' '' abut self extended.xyz --touch open
printf '2\nProperties=species:S:1:pos:R:3:x:R:1\nC 0 0 0\nC 1 0 0\n' >in.xyz
expect "XYZ, extended, too few columns" 1 '' 'in.xyz:3: there are 4 columns, and names for 5|' abut self in.xyz
cat water.xyz water.xyz >frames.xyz
expect "XYZ, two frames" 1 '' 'frames.xyz:1: 3 rows are promised, and 9 follow: pass on one frame alone|' \
    abut self frames.xyz
expect "XYZ, cut off" 1 '' '-:1: 3 rows are promised, and 2 follow: pass on one frame alone|' \
    sh -c "head -n 4 water.xyz | $ABUT self -"
printf '2\nwater\nO 0 0 0\nH 1 0 x\n' >in.xyz
expect "XYZ, an invalid row" 1 '' 'in.xyz:4: z: is not a number|' abut self in.xyz
printf '2\n0 0 0 50 1 2 3\n1 0 0 60 1 2 3\n' >scan.pts
expect "PTS" 0 'a,b|0,1|' '' abut self scan.pts --columns-a x,y,z,intensity,red,green,blue --within 1
expect "PTS without names" 1 '' \
    "scan.pts:2: the first line holds numbers, '0,0,0,50,1,2,3': name the columns, --columns-a x,y,z or so|" \
    abut self scan.pts

# Tables of the plane: both rules mean what they do there. Circle 0 touches box 0 in a corner, box 1 in an edge, and
# circle 1; circle 2 is inside of box 0. Point 0 is in a corner, point 1 inside of both boxes.
printf 'minx,miny,maxx,maxy\n0,0,4,4\n4,2,8,6\n' >boxes2.csv
printf 'x,y,r\n7,8,5\n7,14,1\n1,1,1\n' >circles2.csv
printf 'x,y,r\n7,10,4\n7,15,1\n1,1.5,1\n' >tangent2.csv
printf 'x,y\n4,4\n4,3\n-1,0\n' >points2.csv
printf 'ax,ay,bx,by\n0,-1,8,-1\n4,-9,4,9\n8,0,8,9\n' >segments2.csv
expect "plane: boxes" 0 'a,b|0,1|' '' abut self boxes2.csv
expect "plane: boxes, open" 0 'a,b|' '' abut self boxes2.csv --touch open
expect "plane: circles and boxes" 0 'a,b|0,0|0,1|2,0|' '' abut join circles2.csv boxes2.csv
expect "plane: circles and boxes, open" 0 'a,b|0,1|2,0|' '' abut join circles2.csv boxes2.csv --touch open
expect "plane: circles tangent to an edge" 0 'a,b|0,1|2,0|' '' abut join tangent2.csv boxes2.csv
expect "plane: circles tangent to an edge, open" 0 'a,b|2,0|' '' abut join tangent2.csv boxes2.csv --touch open
expect "plane: circles inside of boxes" 0 'a,b|2,0|' '' abut join circles2.csv boxes2.csv --predicate inside
expect "plane: circles inside of boxes, open" 0 'a,b|' '' \
    abut join circles2.csv boxes2.csv --predicate inside --touch open
expect "plane: boxes inside of circles" 0 'a,b|' '' abut join boxes2.csv circles2.csv --predicate inside
expect "plane: circles" 0 'a,b|0,1|' '' abut self tangent2.csv
expect "plane: circles, open" 0 'a,b|' '' abut self tangent2.csv --touch open
expect "plane: points in boxes" 0 'a,b|0,0|0,1|1,0|1,1|' '' abut join points2.csv boxes2.csv
expect "plane: points in boxes, open" 0 'a,b|' '' abut join points2.csv boxes2.csv --touch open
expect "plane: segments and boxes" 0 'a,b|1,0|1,1|2,1|' '' abut join segments2.csv boxes2.csv
expect "plane: segments and boxes, open" 0 'a,b|' '' abut join segments2.csv boxes2.csv --touch open
expect "plane: segments" 0 'a,b|0,1|' '' abut self segments2.csv
expect "plane: segments and circles" 0 'a,b|1,2|2,0|' '' sh -c "printf 'x,y,r\n9,9,1\n99,99,1\n5,-3,1\n' >c.csv
    $ABUT join segments2.csv c.csv"
expect "plane: segments and circles, open" 0 'a,b|' '' abut join segments2.csv c.csv --touch open
expect "plane: capsules" 0 'a,b|0,0|' '' sh -c "printf 'ax,ay,bx,by,r\n-2,-2,-2,9,2\n' >k.csv
    $ABUT join k.csv boxes2.csv"
expect "plane: neighbours" 0 'a,b,distance,x,y,z|0,0,0,4,4,0|1,0,0,4,3,0|2,0,1,0,0,0|' '' \
    abut nearest points2.csv boxes2.csv --distance --closest
expect "plane: classes" 0 'hit,class|1,crossing|0,outside|1,crossing|' '' \
    sh -c "sed -n 1,2p boxes2.csv >one2.csv; $ABUT zip circles2.csv one2.csv --class"
expect "plane: other names" 0 'a,b|0,1|' '' sh -c "sed '1s/.*/xmin,ymin,xmax,ymax/' boxes2.csv | $ABUT self -"
expect "plane: corners need a kind" 0 'a,b|0,1|' '' \
    sh -c "sed '1s/.*/x1,y1,x2,y2/' boxes2.csv | $ABUT self - --kind-a aabbs"
printf 'x,y\n0.5,0\n9.75,0\n' >ends2.csv
for period in 10,10,10 10,0 10,0,0; do
    expect "plane: --periodic $period, points" 0 'a,b|0,1|' '' abut self ends2.csv --within 0.75 --periodic $period
    expect "plane: --periodic $period, circles" 0 'a,b|0,1|' '' \
        sh -c "printf 'x,y,r\n0.5,0,0.5\n9.75,0,0.25\n' | $ABUT self - --periodic $period"
    expect "plane: --periodic $period, circles, open" 0 'a,b|' '' \
        sh -c "printf 'x,y,r\n0.5,0,0.5\n9.75,0,0.25\n' | $ABUT self - --touch open --periodic $period"
    expect "plane: --periodic $period, boxes" 0 'a,b|0,1|' '' \
        sh -c "printf 'minx,miny,maxx,maxy\n0,0,1,1\n9,1,10,2\n' >cells2.csv; $ABUT self cells2.csv --periodic $period"
    expect "plane: --periodic $period, boxes, open" 0 'a,b|' '' abut self cells2.csv --touch open --periodic $period
    expect "plane: --periodic $period, points in boxes" 0 'a,b|0,0|' '' \
        abut join ends2.csv cells2.csv --periodic $period
    expect "plane: --periodic $period, neighbours" 0 'a,b,distance|0,0,0|1,0,0.25|' '' \
        abut nearest ends2.csv cells2.csv --periodic $period --distance
done
expect "plane: a period in z alone" 0 'a,b|0,1|' '' abut self boxes2.csv --periodic 0,0,5
expect "plane: negative row" 1 '' 'in.csv:3: maxy: is below miny|' sh -c "
    printf 'minx,miny,maxx,maxy\n0,0,1,1\n0,3,1,2\n' >in.csv; $ABUT self in.csv 2>err.txt; s=\$?
    sed 's/m[inax]*y: .*/maxy: is below miny/' err.txt >&2; exit \$s"
expect "plane: a negative radius" 1 '' 'in.csv:2: r: is negative|' \
    sh -c "printf 'x,y,r\n0,0,-1\n' >in.csv; $ABUT self in.csv"
expect "plane: an origin" 0 'a,b,x,y,z|0,0,1000001,5,0|' '' \
    sh -c "printf 'x,y\n1000001,5\n' >far2.csv; printf 'minx,miny,maxx,maxy\n1000000,4,1000002,6\n' >farbox2.csv
    $ABUT nearest far2.csv farbox2.csv --origin 1000000,0,7 --closest"
expect "plane: with space" 0 'a,b|1,0|' 'abut: A has no z: it is taken at z = 0, and B has heights|' \
    sh -c "printf 'x,y\n9,9\n1,1\n' >flat.csv; $ABUT join flat.csv one_box.csv"
expect "plane: boxes with space go through all heights" 0 'a,b|0,0|' '' \
    sh -c "printf 'x,y,z\n1,1,99\n' >above.csv; $ABUT join above.csv boxes2.csv"
printf 'x,y,elevation\n1,2,3\n' >in.csv
expect "plane: not with what may be a height" 1 '' \
    "in.csv:1: no kind fits 'x,y,elevation': points need a column z, too, or names from --columns-a|" abut self in.csv
expect "plane: nor with --kind-a" 1 '' 'in.csv:1: z: the column is missing|' abut self in.csv --kind-a points
expect "plane: but with names" 0 'a,b|' '' abut self in.csv --columns-a x,y,value --within 1
refused "plane: an unknown z" x,y,Z_m,a,b,c,d \
    "no kind fits 'x,y,Z_m,a,b,c,d': points need a column z, too, or names from --columns-a"
refused "plane: boxes with one height" minx,miny,maxx,maxy,zmin,a,b \
    "no kind fits 'minx,miny,maxx,maxy,zmin,a,b': aabbs need a column maxz, too, or names from --columns-a"
npy flat.npy 1 '<f4' False '(3, 2)' 4 4 4 3 -1 0
expect "plane: an array of two columns" 0 'a,b|0,0|0,1|1,0|1,1|' '' abut join flat.npy boxes2.csv
npy flat_boxes.npy 1 '<f8' True '(2, 4)' 0 4 0 2 4 8 4 6
expect "plane: an array of boxes" 0 'a,b|0,1|' '' abut self flat_boxes.npy --kind-a aabbs
npy circles.npy 1 '<f8' False '(2, 3)' 0 0 1 2 0 1
expect "plane: an array of circles needs names" 0 'a,b|0,1|' '' abut self circles.npy --columns-a x,y,r
abut join circles2.csv boxes2.csv --svg plane.svg >pairs.txt
same "plane: a picture" 2 "$(grep -c '<path d="M.*Z"/>$' plane.svg)"

# Statistics: rows and bounds of each file.
# stats FILE TEXT [OPTION...]: what --stats says of the file
stats() {
    file=$1 text=$2
    shift 2
    same "--stats: $file" "abut: $file: $text" \
        "$(abut self "$file" --stats --quiet --within 0 "$@" 2>&1 >/dev/null | grep "^abut: $file: [0-9]* [a-z]")"
}
stats points2.csv '3 points of the plane: x -1 to 4, y 0 to 4'
stats water.xyz '3 points: x 0 to 1, y 0 to 1, z 0 to 0'
stats boxes.csv "$(awk -F, 'NR > 1 { n++ } END { printf "%d aabbs", n }' boxes.csv): x -2 to 4, y -2 to 3, z -2 to 4"
stats boxes2.csv '2 aabbs of the plane: x 0 to 8, y 0 to 6' --origin 1,1,1
npy exact.npy 1 '<f4' False '(3, 3)' 1 2 3 -1 5 6 7 8 9
stats exact.npy '3 points: x -1 to 7, y 2 to 8, z 3 to 9'
npy auto.npy 1 '<f4' False '(2, 3)' 1 2 3 5 4 3
same "--origin auto of an array of float32" 'abut: the origin is 3,3,3' \
    "$(abut self auto.npy --within 1 --origin auto --stats 2>&1 >/dev/null | grep origin)"

finish tables
