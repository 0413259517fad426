#!/bin/sh
# SPDX-License-Identifier: MIT
# NPY files of every type of number, and of structures.
# usage: ABUT="path of abut" npy_types.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

# of_bytes DESCR SHAPE BYTES: in.npy
of_bytes() {
    npy_raw in.npy 1 "{'descr': $1, 'fortran_order': False, 'shape': $2, }"
    printf "$3" >>in.npy
}
# places: the rows of in.npy as the command reads them: the closest points of themselves
printf 'minx,miny,minz,maxx,maxy,maxz\n-inf,-inf,-inf,inf,inf,inf\n' >everything.csv
places() {
    abut distance in.npy everything.csv "$@" --quiet | tail -n +2 | cut -d, -f2- | tr '\n' '|'
}

# Each type: -2 (254 if it has no sign), 1 and 2 as the coordinates of a point.
while read -r type x bytes; do
    of_bytes "'$type'" '(1, 3)' "$bytes"
    same "type $type" "$x,1,2|" "$(places)"
done <<'END'
|i1 -2 \376\1\2
|u1 254 \376\1\2
<i1 -2 \376\1\2
<i2 -2 \376\377\1\0\2\0
>i2 -2 \377\376\0\1\0\2
<u2 65534 \376\377\1\0\2\0
>u2 65534 \377\376\0\1\0\2
<i4 -2 \376\377\377\377\1\0\0\0\2\0\0\0
>i4 -2 \377\377\377\376\0\0\0\1\0\0\0\2
<u4 254 \376\0\0\0\1\0\0\0\2\0\0\0
>u4 254 \0\0\0\376\0\0\0\1\0\0\0\2
<i8 -2 \376\377\377\377\377\377\377\377\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0
>i8 -2 \377\377\377\377\377\377\377\376\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\2
<u8 254 \376\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0
>u8 254 \0\0\0\0\0\0\0\376\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\2
<f2 -2 \0\300\0\74\0\100
>f2 -2 \300\0\74\0\100\0
<f4 -2 \0\0\0\300\0\0\200\77\0\0\0\100
>f8 -2 \300\0\0\0\0\0\0\0\77\360\0\0\0\0\0\0\100\0\0\0\0\0\0\0
END

# Halves at the ends of their range: the least, the least normal, the greatest; infinity and NaN are refused.
of_bytes "'<f2'" '(2, 3)' '\001\000\000\004\377\173\001\200\000\200\377\003'
same "halves" '5.96046448e-08,6.10351562e-05,65504|-5.96046448e-08,0,6.09755516e-05|' "$(places)"
of_bytes "'<f2'" '(2, 3)' '\0\0\0\0\0\0\0\0\0\174\0\0'
expect "an infinite half" 1 '' 'in.npy:row 1: y: is infinite|' abut join in.npy everything.csv
of_bytes "'>f2'" '(2, 3)' '\0\0\0\0\0\0\0\0\0\0\176\0'
expect "a half that is not a number" 1 '' 'in.npy:row 1: z: is not a number|' abut join in.npy everything.csv

# Integers beyond 2^24 are rounded once, to the nearest: 2^24 + 1 and 2^24 + 3. So is 2^60 + 2^36 + 1: as a float64 it would
# be 2^60 + 2^36, half between two float32 numbers, and go to the even one.
of_bytes "'<i4'" '(1, 3)' '\1\0\0\1\3\0\0\1\0\0\0\0'
same "integers to the nearest float32" '16777216,16777220,0|' "$(places)"
expect "integers that are rounded: --stats" 0 'abut: in.npy: the greatest rounding to float32 is 1, of x in row 0|' '' \
    sh -c "$ABUT join in.npy everything.csv --stats --count 2>&1 | grep rounding"
of_bytes "'<i8'" '(1, 3)' '\1\0\0\0\020\0\0\020\0\0\0\0\020\0\0\020\377\377\377\377\357\377\377\357'
same "integers are rounded once" '1.15292164e+18,1.1529215e+18,-1.15292164e+18|' "$(places)"
printf 'x,y,z,r\n16777216,0,0,0.5\n' >far_ball.csv
of_bytes "'<u4'" '(2, 3)' '\1\0\0\1\0\0\0\0\0\0\0\0\2\0\0\1\0\0\0\0\0\0\0\0'
expect "integers less an origin are exact" 0 'a,b|' '' abut join in.npy far_ball.csv --origin 16777216,0,0 --quiet
expect "integers that are rounded to two that touch" 0 'a,b|0,0|' '' abut join in.npy far_ball.csv --quiet

# Structures: members by their names, whatever their order and types; padding and other members are passed over.
structure="[('id', '<u2'), ('z', '<i2'), ('', '|V2'), ('x', '>f4'), (('how far', 'y'), '<f2'), ('radius', '|u1'), ('name', '<U2')]"
rows='\7\0\377\377xx\77\200\0\0\0\300\2A\0\0\0\0\0\0\0\10\0\3\0xx\100\0\0\0\0\0\1\351\0\0\0\0\0\0\0'
of_bytes "$structure" '(2,)' "$rows"
same "a structure" '1,-2,-1|2,0,3|' "$(places --kind-a points)"
printf 'x,y,z,name\n1,-2,1,A\n1,-2,1,\351\n2,0,3,\303\251\n' >named.csv
expect "a structure is of a kind" 0 'a,b|0,0|0,1|1,2|' '' abut join in.npy named.csv --kind-b points
expect "a structure in Fortran order" 0 'a,b|0,0|0,1|1,2|' '' sh -c "sed 's/False/True /' in.npy >order.npy;
    $ABUT join order.npy named.csv --kind-b points"
expect "a structure with other names" 0 'a,b|0,0|0,1|1,2|' '' abut join in.npy named.csv --columns-a i,z,x,y,r,n --kind-b points
expect "labels of a structure are texts, in UTF-8" 0 'a,b|0,0|1,2|' '' abut join in.npy named.csv --by name --kind-b points
expect "labels that are missing" 1 '' 'in.npy:header: group: the column is missing|' abut self in.npy --by group
expect "labels that are floats" 1 '' 'in.npy:header: x: labels are integers or strings|' abut self in.npy --by x
printf 'x,y,z,id\n1,-2,1,7\n2,0,3,7\n2,0,3,8\n2,0,3,8.0\n' >numbered.csv
expect "labels of a structure are integers" 0 'a,b|0,0|1,2|' '' abut join in.npy numbered.csv --by id
of_bytes "[('g', '|S3'), ('x', '|i1'), ('y', '|i1'), ('z', '|i1'), ('n', '|i1')]" '(3,)' 'a\0\0\0\0\0\377abc\1\0\0\7\0a\0\2\0\0\0'
printf 'x,y,z,r,g,n\n1,0,0,2,a,-1\n1,0,0,2,abc,7\n1,0,0,2,,0\n' >grouped_balls.csv
expect "labels of bytes" 0 'a,b|0,0|1,1|' '' abut join in.npy grouped_balls.csv --by g --kind-b spheres
expect "labels of integers, negative" 0 'a,b|0,0|1,1|2,2|' '' abut join in.npy grouped_balls.csv --by n --kind-b spheres
# Members that are arrays or structures have no names of the kinds, as nobody says what they are; the user can.
inner="[('where', '|i1', (3,)), ('size', [('r', '|i1'), ('unused', '|i1', 2)]), ('end', '|i1', (1,))]"
of_bytes "$inner" '(2,)' '\1\2\3\4\5\6\7\11\10\7\1\0\0\0'
expect "a structure of arrays" 1 '' \
    "in.npy:header: no kind fits 'where[0],where[1],where[2],size.r,size.unused[0],size.un...': name the columns, --columns-a x,y,z or so (abut --help lists kinds)|" \
    abut self in.npy
same "a structure of arrays, with names" '1,2,3|9,8,7|' "$(places --columns-a x,y,z,r,u,v,w --kind-a points)"
expect "a structure of arrays, of a kind" 0 'a,b|0,0|' '' \
    sh -c "printf 'x,y,z\n1,2,7\n9,8,9\n' >p.csv; $ABUT join in.npy p.csv --columns-a x,y,z,r,u,v,w --kind-a spheres"
of_bytes "[('q', [('x', '|i1'), ('y', '|i1')], (2,)), ('x', '|i1'), ('y', '|i1'), ('z', '|i1')]" '(1,)' '\1\2\3\4\5\6\7'
same "an array of structures in a structure" '5,6,7|' "$(places)"
of_bytes "[('volume', '|u1'), ('nx', '|i1'), ('ny', '|i1'), ('nz', '|i1'), ('d', '|i1')]" '(2,)' '\1\1\0\0\0\1\377\0\0\377'
printf 'x,y,z\n-0.5,0,0\n-2,0,0\n' >beside.csv
expect "a structure of hulls" 0 'a,b|0,0|' '' abut join beside.csv in.npy

finish npy_types
