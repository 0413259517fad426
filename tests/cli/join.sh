#!/bin/sh
# SPDX-License-Identifier: MIT
# abut join: spheres, boxes and points; planes, oriented boxes, segments, capsules and triangles; and --by, which looks
# for pairs of rows with the same label, in join and self.
# usage: ABUT="path of abut" join.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

# Spheres, boxes and points.
expect "join" 0 'a,b|0,1|0,2|1,1|1,2|2,1|3,1|3,2|4,2|' '' abut join spheres.csv boxes.csv
expect "join, open" 0 'a,b|0,1|0,2|1,1|1,2|2,1|4,2|' '' abut join spheres.csv boxes.csv --touch open
expect "join, operands swapped" 0 'a,b|1,0|1,1|1,2|1,3|2,0|2,1|2,3|2,4|' '' abut join boxes.csv spheres.csv
expect "join, points in boxes" 0 'a,b|0,2|1,1|1,2|' '' abut join points.csv boxes.csv
expect "join, points in boxes, open" 0 'a,b|0,2|' '' abut join points.csv boxes.csv --touch open
expect "join, boxes touching points" 0 'a,b|1,1|2,0|2,1|' '' abut join boxes.csv points.csv
expect "join, boxes touching points, open" 0 'a,b|2,0|' '' abut join boxes.csv points.csv --touch=open
expect "join, points in spheres" 0 'a,b|0,0|0,4|' '' abut join points.csv spheres.csv
expect "join, boxes" 0 'a,b|0,0|1,1|1,2|2,1|2,2|' '' abut join boxes.csv boxes.csv
expect "join, boxes, open" 0 'a,b|0,0|1,1|2,2|' '' abut join boxes.csv boxes.csv --touch open
expect "join, --touch closed" 0 '8|' '' abut join spheres.csv boxes.csv --touch closed --count
expect "join, inside" 0 'a,b|4,2|' '' abut join spheres.csv boxes.csv --predicate inside
expect "join, contains, operands swapped" 0 'a,b|2,4|' '' abut join boxes.csv spheres.csv --predicate contains
printf 'x,y,z,r\n0,0,0,1.8\n0,0,0,1.7\n' >around.csv
expect "join, box inside sphere" 0 'a,b|0,0|' '' abut join unit.csv around.csv --predicate inside
expect "join, sphere contains box" 0 'a,b|0,0|' '' abut join around.csv unit.csv --predicate contains
expect "join, points inside" 0 'a,b|0,2|1,1|1,2|' '' abut join points.csv boxes.csv --predicate inside
expect "join, contains points" 0 'a,b|1,1|2,0|2,1|' '' abut join boxes.csv points.csv --predicate contains
expect "join, count" 0 '8|' '' abut join spheres.csv boxes.csv --count
expect "join, no row of B" 0 'a,b|' '' abut join spheres.csv no_boxes.csv
expect "join, no row of A" 0 'a,b|' '' abut join no_boxes.csv spheres.csv
expect "join, nothing to count" 0 '0|' '' abut join no_boxes.csv no_boxes.csv --count
expect "join, several words of a mask in a row" 0 'a,b|0,70|0,199|' '' sh -c \
    "awk 'BEGIN { print \"x,y,z\"; for (i = 0; i < 200; i++) print (i == 70 || i == 199 ? 1 : 9) \",1,1\" }' |
     $ABUT join unit.csv -"

abut join line.csv boxes.csv | awk -F, 'NR > 1 { print $2 "," $1 }' | sort -t, -n -k1,1 -k2,2 >straight.txt
abut join boxes.csv line.csv | tail -n +2 >swapped.txt
same "join, many rows, operands swapped: pairs" 8002 "$(wc -l <swapped.txt)"
cmp -s straight.txt swapped.txt
same "join, many rows, operands swapped: the same pairs" 0 $?

# Planes, oriented boxes (OBBs), segments, capsules and triangles.
printf 'ax,ay,az,bx,by,bz\n0,0,3,9,9,9\n5,0,0,9,0,0\n' >segments.csv
printf 'ax,ay,az,bx,by,bz,r\n0,0,3,9,9,9,2\n5,0,0,9,0,0,3\n' >capsules.csv
expect "join, inside planes" 0 'a,b|0,0|' '' abut join along.csv plane.csv --predicate inside
expect "join, quaternions" 0 'a,b|1,0|1,1|' '' abut join grouped.csv obbs.csv
expect "join, segments" 0 'a,b|2,0|3,0|' '' abut join along.csv segments.csv
expect "join, capsules" 0 'a,b|1,0|2,0|3,0|' '' abut join along.csv capsules.csv
expect "join, triangles" 0 'a,b|1,0|3,0|' '' abut join along.csv triangles.csv

# Only rows with the same label.
expect "join, --by" 0 'a,b|1,1|' '' abut join grouped.csv obbs.csv --by g
expect "join, --by, operands swapped" 0 '1|' '' abut join obbs.csv grouped.csv --by g --count
expect "join, --by, no such column" 1 '' 'grouped.csv:1: h: the column is missing|' \
    abut join grouped.csv obbs.csv --by h
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
expect "self, --by, quotes in labels" 0 'a,b|0,1|3,4|' '' abut self texts.csv --by text
printf 'x,y,z,r," my ""g"""\n0,0,0,1,a\n0,0,0,1,b\n' >quoted.csv
expect "self, --by, quotes in the name of the column" 0 'a,b|' '' abut self quoted.csv --by 'my "g"'

finish join
