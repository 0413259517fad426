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
    'abut: spheres (A) and spheres (B) have no predicate inside; they have touches|' \
    abut self spheres.csv --predicate inside
expect "self of points" 2 '' 'abut: points (A) and points (B) have no predicate touches; they have none|' \
    abut self points.csv

# The names of the columns choose the kind.
printf 'label,r,z,y,x\n"a, ""b""",0.5,1,1,1\n' >ordered.csv
expect "columns in any order, others ignored" 0 'hit|1|' '' abut zip ordered.csv one_box.csv --predicate inside
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
printf 'x,y,z,r,minx,miny,minz,maxx,maxy,maxz\n' >both_spheres.csv
expect "two kinds, one of which contains a third" 1 '' \
    'both_spheres.csv:1: the columns of aabbs and of spheres are here: choose with --kind-a|' abut self both_spheres.csv
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
# header NAME HEADER SHOWN: a file whose header is that of no kind
header() {
    printf "$2\n1,1,1,1\n" >in.csv
    expect "no kind: $1" 1 '' "in.csv:1: the columns of no kind are all in '$3' (abut --help lists them)|" \
        abut self in.csv
}
header "capitals, CRLF" 'X,Y,Z,R\r' 'X,Y,Z,R'
header "another separator, a byte-order mark" '\357\273\277x;y;z;r' 'x;y;z;r'
header "tabs" 'x\ty\tz\tr' 'x	y	z	r'
header "a comment" '# spheres\nx,y,z,r' '# spheres'
header "a line in quotes" '"a\nb",\001\177\tc' '"a'
header "unprintable characters" '\001,\033[7m\177,\303\244' '?,?[7m?,ä'
header "unprintable characters in UTF-8" 'x\302\233y,\302\251,\302' "x?y,$(printf '\302\251,\302')"
seventy=$(printf '%070d' 0)
header "as long as is shown whole" "${seventy}12345" "${seventy}12345"
header "longer than is shown" "${seventy}1234567890" "${seventy}123456..."
header "longer than is shown, cut before a character of two bytes" "${seventy}12345\303\2447890" "${seventy}12345..."
expect "a column twice" 1 '' 'twice.csv:1: x: the column is here 2 times|' abut self twice.csv
printf 'x,y,z,r,note,note\n1,1,1,1,,\n' >notes.csv
expect "an ignored column twice" 0 '1|' '' abut join notes.csv boxes.csv --count
: >empty.csv
expect "an empty file" 1 '' 'empty.csv:1: no header line: the file is empty|' abut self empty.csv
expect "a blank header" 1 '' "-:1: the columns of no kind are all in '' (abut --help lists them)|" \
    sh -c "echo | $ABUT self -"
kinds='points, spheres, aabbs, planes, obbs, segments, capsules, triangles or hulls'
expect "a kind that does not exist" 2 '' "abut: --kind-a takes $kinds, not 'cubes'|" \
    abut self spheres.csv --kind-a cubes

finish kinds
