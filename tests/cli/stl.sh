#!/bin/sh
# SPDX-License-Identifier: MIT
# STL files, binary and ASCII, valid ones and invalid ones.
# usage: ABUT="path of abut" stl.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

# Binary STL: a triangle in the plane z = 0, and one far away; the text of 80 bytes begins as ASCII does.
# stl_triangle X X1 Y: the corners (X,0,0), (X1,0,0), (X,Y,0) behind a normal of zeros; numbers are four bytes
zeros() { dd if=/dev/zero bs="$1" count=1 2>/dev/null; }
one='\000\000\200\077' two='\000\000\000\100' five='\000\000\240\100' six='\000\000\300\100' nan='\000\000\300\177'
stl_triangle() {
    zeros 12
    printf "$1" && zeros 8 && printf "$2" && zeros 8 && printf "$1$3" && zeros 4 && zeros 2
}
{ printf 'solid' && zeros 75 && printf '\002\000\000\000' && stl_triangle "$five" "$six" "$one" &&
    stl_triangle "$one" "$two" "$one"; } >part.stl
printf 'x,y,z,r\n1.25,0.25,0.5,0.5\n1.25,0.25,0.5,0.49\n5,1,0,0.1\n6,1,0,0.1\n' >near_part.csv
expect "binary STL" 0 'a,b|0,1|2,0|' '' abut join near_part.csv part.stl
expect "binary STL from a pipe" 0 'a,b|0,1|2,0|' '' sh -c "cat part.stl | $ABUT join near_part.csv -"
expect "binary STL, of a kind" 0 '2|' '' abut join near_part.csv part.stl --kind-b triangles --count
expect "binary STL, of another kind" 2 '' 'abut: part.stl is a binary STL file: its kind is triangles|' \
    abut join near_part.csv part.stl --kind-b points
{ zeros 80 && printf '\001\000\000\000' && stl_triangle "$one" "$two" "$nan"; } >invalid.stl
expect "binary STL, not a number" 1 '' 'invalid.stl:row 0: cy: is not a number|' abut join near_part.csv invalid.stl
head -c 183 part.stl >cut.stl
expect "binary STL, cut off" 1 '' 'cut.stl: has 183 bytes, but a binary STL file of 2 triangles, as it says, has 184|' \
    abut join near_part.csv cut.stl
printf 'ten bytes\n' >short.stl
expect "binary STL, shorter than its header" 1 '' \
    "short.stl: is no STL file: it does not begin with 'solid', and has fewer than 84 bytes|" \
    abut join near_part.csv short.stl
{ zeros 80 && zeros 4; } >none.stl
expect "binary STL without triangles" 0 '0|' '' abut join near_part.csv none.stl --count

# The same two triangles as text.
cat >part_text.stl <<'EOF'
solid part of two, facet by facet
  facet normal 0 0 0
    outer loop
      vertex 5 0 0
      vertex 6.0e0 0 0
      vertex 5 1 0
    endloop
  endfacet
  FACET NORMAL nan nan nan OUTER LOOP
      VERTEX 1 0 0
      VERTEX 2 -0 +0
      VERTEX 1 1 .0
    ENDLOOP
  ENDFACET
endsolid part of two, facet by facet
EOF
cp part_text.stl part_text.dat
for file in part_text.stl part_text.dat; do
    expect "ASCII STL: $file" 0 'a,b|0,1|2,0|' '' abut join near_part.csv $file
    expect "ASCII STL from a pipe: $file" 0 'a,b|0,1|2,0|' '' sh -c "cat $file | $ABUT join near_part.csv -"
    expect "ASCII STL, CRLF: $file" 0 'a,b|0,1|2,0|' '' sh -c "sed 's/\$/\r/' $file | $ABUT join near_part.csv -"
done
expect "ASCII STL, distances" 0 "$(abut nearest points.csv part.stl --distance --closest --quiet | tr '\n' '|')" '' \
    abut nearest points.csv part_text.stl --distance --closest --quiet
{ printf '\n solid\n' && sed -n '2,8p' part_text.stl && printf 'endsolid\nsolid again\n' && sed -n '9,$p' part_text.stl; } >two.stl
expect "ASCII STL, two solids" 0 'a,b|0,1|2,0|' '' abut join near_part.csv two.stl
printf '\357\273\277' | cat - part_text.stl >marked.stl
expect "ASCII STL, a byte-order mark" 0 'a,b|0,1|2,0|' '' abut join near_part.csv marked.stl
tr '\n' ' ' <part_text.stl | sed 's/by facet/by facet\n/;s/$/\n/' >line.stl
expect "ASCII STL, in few lines" 0 'a,b|0,1|2,0|' '' abut join near_part.csv line.stl
expect "ASCII STL, of another kind" 2 '' 'abut: part_text.stl is an ASCII STL file: its kind is triangles|' \
    abut join near_part.csv part_text.stl --kind-b points
printf 'solid x y z\n1 1 2 3\n' >table.txt
expect "a table with a column named solid" 1 '' "table.txt: is no STL file in ASCII: no 'facet' follows its first line|" \
    abut self table.txt
printf 'solid,x,y,z\n1,1,2,3\n' >table.txt
expect "a table with a column named solid, commas" 0 '0|' '' abut join table.txt one_box.csv --count --quiet

# invalid NAME SED-SCRIPT MESSAGE: the file above, edited
invalid() {
    sed "$2" part_text.stl >in.stl
    expect "ASCII STL: $1" 1 '' "in.stl:$3|" abut join near_part.csv in.stl
}
invalid "no loop" '3d' "3: 'outer' should be here"
invalid "two corners" '6d' "6: 'vertex' should be here"
invalid "four corners" '6p' "7: 'endloop' should be here"
invalid "two numbers" '5s/ 0$//' '6: has a coordinate z that is not a number'
invalid "four numbers" '5s/$/ 7/' "5: 'vertex' should be here"
invalid "a word for a number" '5s/6.0e0/six/' '5: has a coordinate x that is not a number'
invalid "a number with a unit" '5s/6.0e0/6mm/' '5: has a coordinate x that is not a number'
invalid "an infinite coordinate" '5s/6.0e0/-inf/' '5: has a coordinate x that is not finite'
invalid "a coordinate too large" '5s/6.0e0/1e39/' '5: has a coordinate x that is too large for a float32'
invalid "NaN" '4s/5/nan/' '4: has a coordinate x that is not a number'
invalid "a facet too few at the end" '8d' "8: 'endfacet' should be here"
invalid "another word" '9s/FACET/color/' "9: 'facet' or 'endsolid' should be here"
invalid "no end" '$d' "15: is cut off: 'facet' or 'endsolid' should be here"
invalid "cut in a facet" '12,$d' "12: is cut off: 'vertex' should be here"
invalid "text behind the end" '$s/$/\nmore/' "16: 'solid' should be here"
printf 'solid nothing\nendsolid nothing\n' >in.stl
expect "ASCII STL without facets" 1 '' 'in.stl: there is no facet in the file|' abut join near_part.csv in.stl

finish stl
