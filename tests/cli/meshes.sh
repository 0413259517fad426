#!/bin/sh
# SPDX-License-Identifier: MIT
# Meshes: OBJ and PLY files, valid ones and invalid ones.
# usage: ABUT="path of abut" meshes.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

# The same triangle and square in every format, and four spheres, three of which touch them.
printf 'x,y,z,r\n0.25,0.25,1,1\n0.25,0.25,1.5,1\n2.5,0.5,0,0\n2.5,0.5,0,0.1\n' >near_mesh.csv
cat >mesh.obj <<'EOF'
# vt, vn, groups and lines are skipped. A backslash continues a line only if that line is read: C:\models\
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
# ply_header ENDIANNESS: of a binary file with one triangle
ply_header() {
    printf 'ply\r\nformat binary_%s_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\n' "$1"
    printf 'property short z\nproperty double w\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n'
}
w='\000\000\000\000\000\000\000\000' zero='\000\000\000\000'
{
    ply_header little
    printf "$zero$zero\000\000$w\000\000\200\077$zero\000\000$w$zero\000\000\200\077\000\000$w"
    printf "\003$zero\001\000\000\000\002\000\000\000"
} >little.ply
{
    ply_header big
    printf "$zero$zero\000\000$w\077\200\000\000$zero\000\000$w$zero\077\200\000\000\000\000$w"
    printf "\003$zero\000\000\000\001\000\000\000\002"
} >big.ply
for file in mesh.obj mesh.ply; do
    expect "mesh: $file" 0 'a,b|0,0|2,1|2,2|3,1|3,2|' '' abut join near_mesh.csv $file
    expect "mesh: $file, open" 0 'a,b|3,1|3,2|' '' abut join near_mesh.csv $file --touch open --quiet
    sed 's/$/\r/' $file >crlf_$file
    expect "mesh: $file, CRLF" 0 'a,b|0,0|2,1|2,2|3,1|3,2|' '' abut join near_mesh.csv crlf_$file
done
# Elements and lines in any order: faces before vertices, and strips, too, with something else between them.
cat >faces_first.ply <<'EOF'
ply
format ascii 1.0
element face 1
property list uint8 int vertex_index
property float quality
element edge 1
property int a
element tristrips 1
property list int int vertex_indices
element vertex 7
property float x
property float y
property float z
element end 1
property list uchar uchar bytes
end_header
3 0 1 2 0.5

12
4 3 4 6 5
0 0 0
1 0 0
0 1 0
2 0 0
3 0 0
3 1 0
2 1 0
2 8 9
EOF
expect "mesh: PLY, faces first" 0 'a,b|0,0|2,1|2,2|3,1|3,2|' '' abut join near_mesh.csv faces_first.ply
# invalid_first NAME SED-SCRIPT MESSAGE: the file above, edited
invalid_first() {
    sed "$2" faces_first.ply >in.ply
    expect "invalid mesh: faces first, $1" 1 '' "in.ply:$3|" abut join near_mesh.csv in.ply
}
invalid_first "a vertex that is not there" 's/^3 0 1 2/3 0 1 7/' '17: names vertex 7, which is not there'
invalid_first "a coordinate" 's/^3 1 0/3 y 0/' '26: has a coordinate y that is not a number'
invalid_first "too few numbers" 's/^3 0 1 2 0.5/3 0 1/' '17: has too few numbers'
invalid_first "more faces than lines" 's/face 1/face 18446744073709551615/' '19: has too few numbers'
{
    printf 'ply\nformat binary_little_endian 1.0\nelement face 1\nproperty list uchar int vertex_indices\n'
    printf 'element vertex 3\nproperty float x\nproperty float y\nproperty float z\nend_header\n'
    printf '\003\0\0\0\0\001\0\0\0\002\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
    printf '\0\0\200\077\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200\077\0\0\0\0'
} >little_first.ply
expect "mesh: PLY, faces first, binary" 0 'a,b|0,0|' '' abut join near_mesh.csv little_first.ply
printf 'f 1/1 2/1/1 3//1 # the triangle \\\nf \\\n 4 5 6 7\n' >faces_first.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 0 0\nv 3 0 0\nv \\\n 3 1 0\nv 2 1 0\n' >>faces_first.obj
expect "mesh: OBJ, faces first" 0 'a,b|0,0|2,1|2,2|3,1|3,2|' '' abut join near_mesh.csv faces_first.obj
printf 'v 0 0 0\nv 1 0 0\nf -2 -1 3\nv 0 1 0\n' >back.obj
expect "mesh: OBJ, numbers count from their face back" 0 'a,b|0,0|' '' abut join near_mesh.csv back.obj
cp little.ply LITTLE.PLY
cp mesh.obj CAPITALS.OBJ
expect "mesh: OBJ in capitals" 0 '5|' '' abut join near_mesh.csv CAPITALS.OBJ --count
for file in little.ply big.ply LITTLE.PLY; do
    expect "mesh: $file" 0 'a,b|0,0|' '' abut join near_mesh.csv $file
done
expect "mesh: standard input, no line end" 0 'd2,x,y,z|1,1,0,0|' '' \
    sh -c "printf 'x,y,z\n2,0,0\n' >p.csv
        printf '%s' \"\$(head -n 27 mesh.ply | sed 's/face 2/face 1/')\" | $ABUT distance p.csv -"
expect "mesh: its kind" 2 '' 'abut: mesh.obj is a mesh: its kind is triangles or points|' \
    abut join near_mesh.csv mesh.obj --kind-b spheres
expect "mesh: has no labels" 2 '' 'abut: --by does not go with little.ply, a mesh|' \
    abut join near_mesh.csv little.ply --by x
expect "mesh: triangles against triangles" 0 'a,b|0,0|1,1|1,2|2,1|2,2|' '' abut join mesh.ply mesh.obj

printf '\357\273\277v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 2 3 4\n' >marked.obj
printf 'x,y,z\n0,0,0\n' >origin.csv
expect "mesh: OBJ with a byte-order mark" 0 'd2,x,y,z|0,0,0,0|' '' abut distance origin.csv marked.obj
(printf '\357\273\277' && cat little.ply) >marked.ply
expect "mesh: PLY with a byte-order mark" 0 'a,b|0,0|' '' abut join near_mesh.csv marked.ply

# invalid_obj NAME LINES MESSAGE: an OBJ file of three vertices and these lines
invalid_obj() {
    printf "v 0 0 0\nv 1 0 0\nv 0 1 0\n$2\n" >in.obj
    expect "invalid mesh: $1" 1 '' "in.obj:$3|" abut join near_mesh.csv in.obj
}
invalid_obj "vertex 0" 'f 0 1 2' '4: names vertex 0, which is not there'
invalid_obj "beyond the last" 'f 1 2 4' '4: names vertex 4, which is not there'
invalid_obj "before the first" 'f -4 1 2' '4: names vertex -4, which is not there'
invalid_obj "a number too long" 'f 1 2 99999999999999999999999999' \
    '4: names vertex 9223372036854775807, which is not there'
invalid_obj "a number too long, negative" 'f 1 2 -9223372036854775808' \
    '4: names vertex -9223372036854775807, which is not there'
invalid_obj "the longest number" 'f 1 2 922337203685477579' '4: names vertex 922337203685477579, which is not there'
invalid_obj "two corners" '# \nf 1 2' '5: is a face of fewer than three vertices'
invalid_obj "no corners" 'f' '4: is a face of fewer than three vertices'
invalid_obj "text" 'f 1 2 x' '4: is a face with something else than numbers of vertices'
invalid_obj "a difference" 'f 1-2 2 3' '4: is a face with something else than numbers of vertices'
invalid_obj "a difference behind a slash" 'f 1/1-2 2 3' '4: is a face with something else than numbers of vertices'
invalid_obj "four parts" 'f 1/1/1/1 2 3' '4: is a face with something else than numbers of vertices'
invalid_obj "a fraction" 'f 1 2 3.5' '4: is a face with something else than numbers of vertices'
invalid_obj "no coordinates" 'v' '4: is a vertex without three coordinates'
invalid_obj "two coordinates" 'v 1 2' '4: is a vertex without three coordinates'
invalid_obj "text for a coordinate" 'v 1 2 z' '4: has a coordinate z that is not a number'
invalid_obj "a unit" 'v 1 2 3m' '4: has a coordinate z that is not a number'
invalid_obj "a comment for a coordinate" 'v 1 2 # 3' '4: is a vertex without three coordinates'
invalid_obj "infinity" 'v 1 inf 3' '4: has a coordinate y that is not finite'
invalid_obj "overflow" 'v 1 2 3.5e38' '4: has a coordinate z that is too large for a float32'
invalid_obj "behind a continued line" 'v 1 \\\n 2 3\nf 1 2 9' '6: names vertex 9, which is not there'
printf 'v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r' >in.obj
expect "invalid mesh: carriage returns" 1 '' 'in.obj: a carriage return alone ends no line|' \
    abut join near_mesh.csv in.obj
tr '\n' '\r' <mesh.ply >in.ply
expect "invalid mesh: carriage returns, PLY" 1 '' 'in.ply:1: a carriage return alone ends no line|' \
    abut join near_mesh.csv in.ply
for text in '' 'hello world' '# nothing' 'l 1 2\n'; do
    printf "$text" >in.obj
    expect "invalid mesh: no vertex: $text" 1 '' 'in.obj: there is no vertex in the file|' abut join near_mesh.csv in.obj
done

# A mesh without faces is a cloud of points.
printf 'v 0 0 0\nv 3 0 0\nv 0 3 0\nl 1 2\n' >cloud.obj
printf 'ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n' >cloud.ply
cp cloud.ply faces.ply
printf 'element face 0\nproperty list uchar int vertex_indices\n' >>faces.ply
for file in cloud.ply faces.ply; do
    printf 'end_header\n0 0 0\n3 0 0\n0 3 0\n' >>$file
done
printf 'minx,miny,minz,maxx,maxy,maxz\n0,3,0,9,9,9\n3,0,0,9,9,9\n0,0,0,9,9,9\n' >sides.csv
for file in cloud.obj cloud.ply faces.ply; do
    expect "a mesh without faces: $file" 0 'a,b|0,2|1,1|1,2|2,0|2,2|' '' abut join $file sides.csv
    expect "a mesh without faces, as triangles: $file" 1 '' \
        "$file: there is no face in the file, only vertices, which are points|" \
        abut join near_mesh.csv $file --kind-b triangles
done
printf 'x,y,z,r\n3,0,0,0.5\n' >corner.csv
expect "the vertices of a mesh as points" 0 'a,b|0,4|' '' abut join corner.csv mesh.obj --kind-b points
expect "a point cloud in PLY" 0 'a,b|0,1|' '' abut join corner.csv cloud.ply

# Concave polygons: an L, from each of its corners on; its notch holds a sphere that touches nothing.
printf 'x,y,z,r\n1.5,1.5,0,0.2\n0.5,2.9,0,0.2\n2.9,0.5,0,0.2\n' >notch.csv
printf 'x,y,z\n2,2,0\n' >notch_point.csv
corners='1 2 3 4 5 6'
for turn in 1 2 3 4 5 6; do
    corners="${corners#* } ${corners%% *}"
    printf 'v 3 0 0\nv 3 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\nv 0 0 0\nf %s\n' "$corners" >concave.obj
    reverse=$(echo "$corners" | tr ' ' '\n' | sed -n '1!G;h;$p' | tr '\n' ' ')
    printf 'v 3 0 0\nv 3 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\nv 0 0 0\nf %s\n' "$reverse" >reverse.obj
    {
        printf 'ply\nformat ascii 1.0\nelement vertex 6\nproperty float x\nproperty float y\nproperty float z\n'
        printf 'element face 1\nproperty list uchar int vertex_indices\nend_header\n'
        printf '3 0 0\n3 1 0\n1 1 0\n1 3 0\n0 3 0\n0 0 0\n6'
        for corner in $corners; do
            printf ' %d' $((corner - 1))
        done
        printf '\n'
    } >concave.ply
    for file in concave.obj reverse.obj concave.ply; do
        expect "a concave face, $file from $corners" 0 '1|2|' '' \
            sh -c "$ABUT join notch.csv $file | tail -n +2 | cut -d , -f 1 | sort -u"
        expect "distance from a concave face, $file from $corners" 0 '1|' '' \
            sh -c "for row in 0 1 2 3; do $ABUT nearest notch_point.csv $file --distance; done | cut -d , -f 3 | tail -n 1"
    done
done
# remark NAME LINES REMARK: faces that are read with a remark
remark() {
    printf "$2\n" >in.obj
    expect "mesh: $1" 0 '0|' "abut: in.obj: $3|" abut join corner.csv in.obj --count
}
remark "a face that crosses itself" 'v 0 0 1\nv 1 1 1\nv 1 0 1\nv 0 1 1\nf 1 2 3 4' \
    'line 5: the face crosses itself: the triangles it is cut into count'
star='v 0 3 1\nv 1.8 -2.4 1\nv -2.9 0.9 1\nv 2.9 0.9 1\nv -1.8 -2.4 1'
remark "a pentagram, all of whose corners turn left" "$star\nf 1 2 3 4 5\n\nf 1 2 3 4 5" \
    'line 6: the face crosses itself (and so is 1 more): the triangles it is cut into count'
remark "a face that is not flat" 'v 0 0 1\nv 1 0 1\nv 1 1 2\nv 0 1 1\nf 1 2 3 4' \
    'line 5: the face is not flat: the triangles it is cut into count'
printf 'v 0 0 1\nv 1 0 1\nv 1 1 1.0001\nv 0 1 1\nf 1 2 3 4\n' >in.obj
expect "mesh: a face that is nearly flat" 0 '0|' '' abut join corner.csv in.obj --count
# A zigzag with a point far below: its corners stay outside of what is cut.
awk 'BEGIN { for (i = 0; i < 70000; i++) print "v", i, i % 2 ? 1 : 3, 0; print "v 35000 -9e5 0"
    printf "f"; for (i = 5000; i > 0; i--) printf " %d", i; print " 70001"; print "v 0 0 9" }' >in.obj
printf 'x,y,z,r\n2500.5,2.9,0,0.4\n2501,0.5,0,0\n' >zigzag.csv
expect "mesh: a concave face of many corners" 0 '1|' '' sh -c "$ABUT join zigzag.csv in.obj --quiet | sed 1d | cut -d , -f 1 | uniq"
sed 's/^f.*/f/; /^f/q' in.obj | awk '/^f/ { printf "f"; for (i = 70001; i > 0; i--) printf " %d", i; print "" } !/^f/' >large.obj
expect "mesh: a concave face of too many corners" 1 '' \
    'large.obj:70002: is a concave face of more than 65536 vertices: cut it in pieces|' abut join corner.csv large.obj

# Strips of triangles: two strips in one list, the first of three triangles, and three corners that only lead on.
cat >strips.ply <<'EOF'
ply
format ascii 1.0
element vertex 8
property float x
property float y
property float z
element tristrips 1
property list int int vertex_indices
end_header
0 0 0
1 0 0
0 1 0
1 1 0
0 2 0
5 0 0
6 0 0
5 1 0
EOF
cp strips.ply bad_strips.ply
echo '11 0 1 2 3 4 4 -1 5 6 7 -1' >>strips.ply
cat >triangles_of_strips.obj <<'EOF'
v 0 0 0
v 1 0 0
v 0 1 0
v 1 1 0
v 0 2 0
v 5 0 0
v 6 0 0
v 5 1 0
f 1 2 3
f 3 2 4
f 3 4 5
f 6 7 8
EOF
printf 'x,y,z,r\n0.25,0.25,1,1\n0.75,0.75,1,1\n0.25,1.25,1,1\n0.5,0.5,0,0\n5.25,0.25,0,0.1\n3,0,0,1\n' >near_strips.csv
expect "PLY strips" 0 'a,b|0,0|1,1|2,2|3,0|3,1|4,3|' '' abut join near_strips.csv strips.ply
expect "PLY strips, the same as faces" 0 "$(abut join near_strips.csv triangles_of_strips.obj | tr '\n' '|')" '' \
    abut join near_strips.csv strips.ply
expect "PLY strips, as points" 0 '8|' '' sh -c "$ABUT zip strips.ply origin_sphere.csv --kind-a points | tail -n +2 | wc -l"
{
    sed -n '1,9p' strips.ply | sed 's/ascii/binary_big_endian/;/property float/s/float/char/'
    printf '\0\0\0\001\0\0\0\001\0\001\001\0\0\002\0\005\0\0\006\0\0\005\001\0'
    printf '\0\0\0\007\0\0\0\005\0\0\0\006\0\0\0\007\377\377\377\377\0\0\0\0\0\0\0\001\0\0\0\002'
} >big_strips.ply
expect "PLY strips, binary" 0 'a,b|0,1|3,1|4,0|' '' abut join near_strips.csv big_strips.ply
{
    sed '/^end_header/i\
element face 1\
property list uchar int vertex_indices' strips.ply && echo '3 0 1 2'
} >both.ply
expect "PLY strips and faces" 0 '8|' '' abut join near_strips.csv both.ply --count
# invalid_strip NAME LINE MESSAGE
invalid_strip() {
    { cat bad_strips.ply && echo "$2"; } >in.ply
    expect "invalid mesh: $1" 1 '' "in.ply:$3|" abut join near_mesh.csv in.ply
}
invalid_strip "a strip of two vertices" '2 0 1' '18: is a strip of fewer than three vertices'
invalid_strip "a strip of two vertices, before another" '6 0 1 -1 2 3 4' '18: is a strip of fewer than three vertices'
invalid_strip "a strip with a vertex that is not there" '3 0 1 8' '18: names vertex 8, which is not there'
invalid_strip "a strip with another negative number" '3 0 1 -2' '18: names vertex -2, which is not there'
expect "invalid mesh: strips without a list" 1 '' \
    'in.ply:9: ends a header with an element tristrips that has no list vertex_indices|' \
    sh -c "sed s/vertex_indices/corners/ strips.ply >in.ply; $ABUT join near_mesh.csv in.ply"
expect "invalid mesh: strips twice" 1 '' 'in.ply:11: ends a header with two elements face or tristrips|' \
    sh -c "sed '7,8{H;\$!d};9{x;s/^\n//;p;p;x}' strips.ply >in.ply; $ABUT join near_mesh.csv in.ply"
expect "invalid mesh: a strip that leads nowhere is none" 1 '' \
    'in.ply: there is no face in the file, only vertices, which are points|' \
    sh -c "{ cat bad_strips.ply && echo '3 0 1 1'; } >in.ply; $ABUT join near_mesh.csv in.ply --kind-b triangles"

# invalid_ply NAME SED-SCRIPT MESSAGE: the mesh above, edited
invalid_ply() {
    sed "$2" mesh.ply >in.ply
    expect "invalid mesh: $1" 1 '' "in.ply:$3|" abut join near_mesh.csv in.ply
}
invalid_ply "no format" 2d '16: ends a header without a format'
invalid_ply "another format" 's/ascii/utf8/' '2: is no known format'
invalid_ply "a second format" '2p' '3: is a second format'
invalid_ply "a long word" "s/^3 0 1 /3 0 $(printf '%080d' 1) /" '27: has a count or an index that is not a whole number'
invalid_ply "another version" 's/1\.0$/2.0/' '2: is of a version other than 1.0'
invalid_ply "a type" 's/double/quad/' '8: is a property of no known type'
invalid_ply "a list counted by floats" 's/uint8 int/float int/' '15: is a property of no known type'
invalid_ply "indices that are floats" 's/uint8 int/uint8 float/' '15: numbers vertices by other than whole numbers'
invalid_ply "no z" 's/float32 z/float32 s/' '17: ends a header without one element vertex with x, y and z'
invalid_ply "no faces" 's/vertex_index/corners/' '17: ends a header with an element face that has no list vertex_indices'
invalid_ply "a property too early" '5d;s/element edge 1/#/' '5: is a property before any element'
invalid_ply "a property beyond the 64th" "$(yes '11i property float w' | head -62)" \
    '70: is a property beyond the 64 that an element may have'
invalid_ply "an element beyond the 16th" "$(yes '3i element none 0\nproperty int i' | head -14)" \
    '42: is an element beyond the 16 that a file may have'
invalid_ply "an element without properties" 's/^element face/element none 1\n&/' \
    '18: ends a header with an element that has no properties'
invalid_ply "no count" 's/vertex 7/vertex many/' '5: is an element without a count'
invalid_ply "negative count" 's/vertex 7/vertex -7/' '5: is an element without a count'
invalid_ply "something else" 's/comment/remark/' '3: is no line of a PLY header'
invalid_ply "no end" '17,$d' '16: is where a header ends that has no end_header'
invalid_ply "more vertices than lines" 's/vertex 7/vertex 4000000000/' '26: has too few numbers'
invalid_ply "more faces than lines" 's/face 2/face 18446744073709551615/' '29: is where the file is cut off'
invalid_ply "too few numbers" 's/^255 1 0 2 8 9 0/255 1 0 2 8 9/' '19: has too few numbers'
invalid_ply "too many numbers" 's/^255 1 0 2 8 9 0/& 0/' '19: has too many numbers'
invalid_ply "a coordinate" 's/^255 1 0 2 8 9 0/255 one 0 2 8 9 0/' '19: has a coordinate x that is not a number'
invalid_ply "an infinite coordinate" 's/^255 1 0 2 8 9 0/255 -inf 0 2 8 9 0/' \
    '19: has a coordinate x that is not finite'
invalid_ply "a coordinate too large" 's/^255 1 0 2 8 9 0/255 1e99 0 2 8 9 0/' \
    '19: has a coordinate x that is too large for a float32'
invalid_ply "an index" 's/^3 0 1 2/3 0 1 7/' '27: names vertex 7, which is not there'
invalid_ply "a negative index" 's/^3 0 1 2/3 0 1 -1/' '27: names vertex -1, which is not there'
invalid_ply "an index that is no number" 's/^3 0 1 2/3 0 1 2x/' '27: has a count or an index that is not a whole number'
invalid_ply "two corners" 's/^3 0 1 2/2 0 1/' '27: is a face of fewer than three vertices'
invalid_ply "less than nothing" 's/^3 0 1 2/-1/' '27: has a list of less than nothing'
invalid_ply "a face too many" 's/face 2/face 1/' '28: is text behind the last element'
invalid_ply "text behind blank lines" '$s/$/\n \t\n\n3/' '31: is text behind the last element'
sed '$s/$/\r\n\n \t\n /' mesh.ply >in.ply
expect "mesh: blank lines behind the last element" 0 '5|' '' abut join near_mesh.csv in.ply --count
for surplus in '\000' '\n' 'more'; do
    { cat little.ply && printf "$surplus"; } >in.ply
    expect "invalid mesh: bytes behind the last element: $surplus" 1 '' 'in.ply: has bytes behind the last element|' \
        abut join near_mesh.csv in.ply
done
sed 's/vertex 3/vertex 4294967295/' little.ply >in.ply
expect "invalid mesh: more vertices than bytes" 1 '' 'in.ply: vertex 3 is cut off|' abut join near_mesh.csv in.ply
sed 's/uchar int/uint int/' little.ply >in.ply
expect "invalid mesh: a list counted by four bytes" 1 '' 'in.ply: face 0 names vertex 256, which is not there|' \
    abut join near_mesh.csv in.ply
{ ply_header big; printf "$zero$zero\000\000$w\177\200\000\000"; } >in.ply
expect "invalid mesh: an infinite coordinate, binary" 1 '' 'in.ply: vertex 1 has a coordinate x that is not finite|' \
    abut join near_mesh.csv in.ply
size=$(wc -c <little.ply)
odd=
for cut in 5 20 60 $((size - 60)) $((size - 14)) $((size - 13)) $((size - 4)) $((size - 1)); do
    head -c "$cut" little.ply >in.ply
    abut join near_mesh.csv in.ply >out.txt 2>err.txt
    [ "$? $(wc -c <out.txt) $(wc -l <err.txt)" = "1 0 1" ] || odd="$odd $cut"
done
same "invalid mesh: cut off anywhere: one line of error" '' "$odd"

# Triangles of a square meet at its diagonal; the third crosses one of them, the fourth is a neighbour of the third.
printf 'v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 1.5 0.5 -1\nv 1.5 0.5 1\nv 3 0.5 0\nv 4 4 4\nf 1 2 3 4\nf 5 6 7\nf 6 7 8\n' >fold.obj
for method in index all; do
    expect "self leaves out neighbours in a mesh, $method" 0 'a,b|0,2|' '' abut self fold.obj --method $method
    expect "self, --adjacent, $method" 0 'a,b|0,1|0,2|2,3|' '' abut self fold.obj --adjacent --method $method
    expect "self, neighbours, --count, $method" 0 '1|' '' abut self fold.obj --count --method $method
    expect "self, --adjacent, --count, $method" 0 '3|' '' abut self fold.obj --adjacent --count --method $method
done
expect "--adjacent is of self" 2 '' 'abut: join does not take --adjacent|' abut join fold.obj fold.obj --adjacent

finish meshes
