#!/bin/sh
# SPDX-License-Identifier: MIT
# The kinds of shapes: the predicates of two kinds, and how the header of a file, --kind-a and --kind-b choose its kind.
# usage: ABUT="path of abut" kinds.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

# Two kinds may have no such predicate.
expect "points contain spheres" 2 '' \
    'abut: points (A) and spheres (B) have no predicate contains; they have touches, inside|' \
    abut join points.csv spheres.csv --predicate contains
expect "boxes inside points" 2 '' \
    'abut: aabbs (A) and points (B) have no predicate inside; they have touches, contains|' \
    abut join boxes.csv points.csv --predicate inside
expect "spheres inside spheres" 2 '' \
    'abut: self finds what touches; join with the same file twice finds what is inside of what|' \
    abut self spheres.csv --predicate inside
expect "self of points" 2 '' 'abut: points (A) and points (B) have no predicate touches; they have none|' \
    abut self points.csv

# The names of the columns choose the kind.
printf 'label,r,z,y,x\n"a, ""b""",0.5,1,1,1\n' >ordered.csv
expect "columns in any order, others ignored" 0 'hit|1|' '' abut zip ordered.csv one_box.csv --predicate inside
for name in R rad Radius '"radius"'; do
    printf 'x,y,z,%s\n3,1,1,1\n' "$name" >named.csv
    expect "a radius called $name" 0 '1|' '' abut join named.csv one_box.csv --count
    expect "a radius called $name, as points" 0 '0|' '' abut join named.csv one_box.csv --count --kind-a points
done
printf 'X,Y,Z,r\n3,1,1,1\n' >named.csv
expect "names in capitals" 0 '1|' '' abut join named.csv one_box.csv --count
printf 'ax,ay,az,bx,by,bz,radius\n1,1,1,2,2,2,2\n' >named.csv
expect "a capsule's radius" 0 '5|' '' abut join named.csv spheres.csv --count
printf 'x,y,z,rate\n1,1,1,2\n' >named.csv
expect "no radius" 0 '1|' '' abut join named.csv one_box.csv --count

# A colour is no radius: r beside g and b is red.
printf 'x,y,z,r,g,b\n0,0,0,200,10,10\n9,9,9,100,50,50\n' >colours.csv
printf 'minx,miny,minz,maxx,maxy,maxz\n5,5,5,6,6,6\n' >five.csv
expect "points with colours" 0 'a,b|' '' abut join colours.csv five.csv
expect "points with colours, as spheres" 0 'a,b|0,0|1,0|' '' abut join colours.csv five.csv --kind-a spheres
printf 'x,y,z,R,r,g,b\n0,0,-20,4,1,0.3,0.3\n' >named.csv
printf 'x,y,z\n0,0,-17\n' >below.csv
expect "a radius beside colours" 0 'a,b|0,0|' '' abut join named.csv below.csv
printf 'x,y,z,R,G,B,rad\n0,0,-20,1,2,3,4\n' >named.csv
expect "a radius beside colours in capitals" 0 'a,b|0,0|' '' abut join named.csv below.csv
printf 'x,y,z,R,r\n1,1,1,2,3\n' >named.csv
expect "two columns that differ in case" 1 '' "named.csv:1: r: may be 'R' or 'r': rename one|" \
    abut join named.csv one_box.csv
printf 'x,y,z,radius,r\n1,1,1,2,3\n' >named.csv
expect "two names of a radius" 1 '' "named.csv:1: r: may be 'radius' or 'r': rename one|" \
    abut join named.csv one_box.csv --kind-a spheres

# A column that may be a size is never left out unsaid.
for names in w,h,d diameter dx,dy,dz size Height l,w,h; do
    printf 'x,y,z,%s\n1,1,1,2,2,2\n' "$names" >named.csv
    expect "a size: $names" 1 '' \
        "named.csv:1: the column '${names%%,*}' may be a size: --kind-a points leaves it out|" \
        abut join named.csv one_box.csv
done
printf 'x,y,z,diameter\n1,1,1,9\n' >named.csv
expect "a size, left out" 0 '1|' '' abut join named.csv one_box.csv --kind-a points --count
printf 'ax,ay,az,bx,by,bz,width\n1,1,1,2,2,2,2\n' >named.csv
expect "a size beside segments" 1 '' \
    "named.csv:1: the column 'width' may be a size: --kind-a segments leaves it out|" abut join named.csv spheres.csv

# Boxes by centre, size and yaw, as driving data have them: 4 long, 2 wide, turned by an eighth and by a quarter.
printf 'x,y,z\n1.3,1.3,0\n0,1.9,0\n0,2.1,0\n1.9,0,0\n' >corners.csv
for names in dx,dy,dz,heading dx,dy,dz,yaw l,w,h,yaw length,width,height,Heading; do
    printf 'x,y,z,%s\n0,0,0,4,2,2,0.7853981633974483\n0,0,0,4,2,2,1.5707963267948966\n' "$names" >turned.csv
    expect "boxes by yaw: $names" 0 'a,b|0,0|1,1|' '' abut join corners.csv turned.csv
done
expect "boxes by yaw, asked for" 0 'a,b|0,0|1,1|' '' abut join corners.csv turned.csv --kind-b obbs
expect "boxes by yaw, as points" 0 '2|' '' abut join turned.csv one_box.csv --kind-a points --count
printf 'x,y,z,dx,dy,dz,yaw\n0,0,0,4,2,2,inf\n0,0,0,4,2,-2,0\n' >turned.csv
expect "boxes by yaw: an infinite angle" 1 '' \
    'turned.csv:2: yaw: is no finite angle (and 1 more invalid row)|' abut join corners.csv turned.csv
sed -i 2d turned.csv
expect "boxes by yaw: a negative size" 1 '' 'turned.csv:2: dz: is negative|' abut join corners.csv turned.csv

printf 'minx,miny,minz,maxx,maxy,maxz,x,y,z\n0,0,0,1,1,1,5,5,5\n' >both.csv
expect "two kinds" 1 '' 'both.csv:1: the columns of aabbs and of points are here: choose with --kind-b|' \
    abut join spheres.csv both.csv
expect "two kinds, A" 1 '' 'both.csv:1: the columns of aabbs and of points are here: choose with --kind-a|' \
    abut self both.csv
printf 'x,y,z,r,minx,miny,minz,maxx,maxy,maxz\n' >both_spheres.csv
expect "two kinds, one of which contains a third" 1 '' \
    'both_spheres.csv:1: the columns of aabbs and of spheres are here: choose with --kind-a|' abut self both_spheres.csv
printf 'x\000,y,z,r\n1,1,1,1\n' >zero_name.csv
expect "a zero byte in a name" 1 '' \
    "zero_name.csv:1: no kind fits 'x?,y,z,r': spheres need a column x, too, or names from --columns-a|" abut self zero_name.csv
expect "two kinds, B chosen" 0 '2|' '' abut join spheres.csv both.csv --kind-b aabbs --count
expect "two kinds, A chosen" 0 '0|' '' abut join both.csv spheres.csv --kind-a=points --count
expect "fewer columns than there are" 0 'hit|0|' '' abut zip one_sphere.csv unit.csv --kind-a points --touch open
expect "chosen kind lacks a column" 1 '' 'points.csv:1: r: the column is missing|' \
    abut join points.csv boxes.csv --kind-a spheres
printf 'x,y,height\n1,2,3\n' >unknown.csv
expect "no kind" 1 '' "unknown.csv:1: no kind fits 'x,y,height': points need a column z, too, or names from --columns-a|" \
    abut self unknown.csv
# header NAME HEADER SHOWN: a file whose header is that of no kind
header() {
    printf "$2\n1,1,1,1\n" >in.csv
    line=$(($(printf "$2" | grep -c '^#') + 1))
    expect "no kind: $1" 1 '' "in.csv:$line: no kind fits '$3': name the columns, --columns-a x,y,z or so (abut --help lists kinds)|" \
        abut self in.csv
}
header "CRLF" 'X,W,R\r' 'X,W,R'
header "another separator, a byte-order mark" '\357\273\277x;w;v;r' 'x,w,v,r'
header "a comment" '# spheres\nx,w,v,r' 'x,w,v,r'
header "a line in quotes" '"a\nb",\001\177\tc' '"a'
header "unprintable characters" '\001,\033[7m\177,\303\244' '\x01,\x1b[7m\x7f,ä'
header "unprintable characters in UTF-8" 'x\302\233y,\302\251,\302' "x\\x9by,$(printf '\302\251'),\\xc2"
fifty=x$(printf '%049d' 0)
header "as long as is shown whole" "${fifty}12345" "${fifty}12345"
header "longer than is shown" "${fifty}1234567890" "${fifty}123456..."
header "longer than is shown, cut before a character of two bytes" "${fifty}12345\303\2447890" "${fifty}12345..."
expect "a column twice" 1 '' 'twice.csv:1: x: the column is here 2 times|' abut self twice.csv
printf 'x,y,z,r,note,note\n1,1,1,1,,\n' >notes.csv
expect "an ignored column twice" 0 '1|' '' abut join notes.csv boxes.csv --count
: >empty.csv
expect "an empty file" 1 '' 'empty.csv:1: no header line: the file is empty|' abut self empty.csv
expect "a blank header" 1 '' "-:1: no kind fits '': name the columns, --columns-a x,y,z or so (abut --help lists kinds)|" \
    sh -c "echo | $ABUT self -"

# Other ways to write a table: separators, comments, names in a comment or in an option.
# table NAME TEXT [OPTION...]: spheres of which the second touches the box
table() {
    name=$1
    printf "$2" >in.csv
    shift 2
    expect "a table: $name" 0 'a,b|1,0|' '' abut join in.csv one_box.csv "$@"
}
table "semicolons" 'x;y;z;r\n9;9;9;1\n1;1;1;1\n'
table "semicolons, a name with a comma in quotes" 'x;y;z;r;"a,b;c"\n9;9;9;1;"1,2;3"\n1;1;1;1;x\n'
table "tabs" 'x\ty\tz\tr\n9\t9\t9\t1\n1\t1\t1\t1\n'
table "tabs, an empty column" 'x\ty\tz\tr\tnote\n9\t9\t9\t1\t\n1\t1\t1\t1\tn\n'
table "blanks" ' x   y z  r \r\n  9 9  9 1\r\n1 1 1   1  \r\n'
table "comments" '# made by hand\n// twice\n\nx,y,z,r\n9,9,9,1\n1,1,1,1\n'
table "names in a comment" '# two spheres\n# x y z r\n9 9 9 1\n1 1 1 1\n'
table "names in a comment, commas" '#x,y,z,r\n9,9,9,1\n1,1,1,1\n'
table "no header" '9,9,9,1\n1,1,1,1\n' --columns-a x,y,z,r
table "no header, blanks" '9 9 9 1\n1 1 1 1\n' --columns-a x,y,z,r
table "a header that is replaced" 'East,North,Up,size\n9,9,9,1\n1,1,1,1\n' --columns-a x,y,z,r
table "ignored columns" '0,9,9,9,1\n0,1,1,1,1\n' --columns-a id,x,y,z,r
printf '9,9,9,1\n1,1,1,1\n' >in.csv
expect "a first line of numbers" 1 '' \
    "in.csv:1: the first line holds numbers, '9,9,9,1': name the columns, --columns-a x,y,z or so|" \
    abut join in.csv one_box.csv
expect "a first line of numbers, B" 1 '' \
    "in.csv:1: the first line holds numbers, '9,9,9,1': name the columns, --columns-b x,y,z or so|" \
    abut join one_box.csv in.csv
expect "names of other columns" 1 '' 'in.csv:1: there are 4 columns, and names for 3|' \
    abut join in.csv one_box.csv --columns-a x,y,z
printf '# a\n# b\n9;9;9;1\n1;1;x;1\n' >in.csv
expect "the line of an invalid row below comments" 1 '' 'in.csv:4: z: is not a number|' \
    abut join in.csv one_box.csv --columns-a x,y,z,r

# What cannot be read is named.
# foreign BEGINNING MESSAGE
foreign() {
    printf "$1" >in.dat
    expect "not read: $2" 1 '' "in.dat: $2|" abut join in.dat one_box.csv
}
foreign 'glTF\002\000' 'is a glTF file: convert it to PLY or OBJ'
foreign 'LASF' 'is a LAS or LAZ file: convert it to CSV, PLY or NPY'
foreign '# .PCD v0.7\n' 'is a PCD file: convert it to PLY or NPY'
foreign 'PAR1' 'is a Parquet file: convert it to NPY or CSV'
foreign 'PK\003\004..x.npy' 'is an NPZ archive: save its arrays as NPY'
foreign 'PK\003\004..[Content_Types].xml..xl/workbook.xml' 'is an XLSX workbook: save its sheet as CSV'
foreign 'PK\003\004..[Content_Types].xml.3.3D/3D/3dmodel.model' 'is a 3MF file: convert it to PLY, OBJ or STL'
foreign 'PK\003\004..3D/3dmodel.mode' 'is a zip archive: unpack it, and pass on a file from it'
foreign '{"asset": {}}' 'is JSON, perhaps glTF: convert it to CSV, PLY or OBJ'
foreign 'solid cube\n' "is no STL file in ASCII: no 'facet' follows its first line"

kinds='points, spheres, aabbs, planes, obbs, segments, capsules, triangles or hulls'
expect "a kind that does not exist" 2 '' "abut: --kind-a takes $kinds, not 'cubes'|" \
    abut self spheres.csv --kind-a cubes

finish kinds
