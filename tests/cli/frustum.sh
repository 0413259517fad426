#!/bin/sh
# SPDX-License-Identifier: MIT
# abut frustum: the planes of a view, alone and in a pipe to abut join.
# usage: ABUT="path of abut" frustum.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

s=0.707106769
expect "frustum" 0 "nx,ny,nz,d,volume|$s,0,$s,0,0|-$s,0,$s,0,0|0,$s,$s,0,0|0,-$s,$s,0,0|0,0,1,1,0|" '' \
    abut frustum --eye 0,0,0 --target 0,0,-5 --fov 90 --aspect 1 --near 1 --far inf
expect "frustum, culling in one pipe" 0 'a,b|0,0|' '' \
    sh -c "printf 'x,y,z\n0,0,-5\n9,0,-5\n' >scene.csv; $ABUT frustum --far 10 | $ABUT join scene.csv -"
expect "frustum, culling boxes in one pipe" 0 'a,b|1,0|2,0|' '' \
    sh -c "$ABUT frustum --eye 9,9,9 --target 0,0,0 --far 14 | $ABUT join boxes.csv - --predicate cull"
expect "frustum, no direction of view" 2 '' \
    'abut: frustum needs a target apart from the eye, and not straight up from it|' abut frustum --target 0,5,0
expect "frustum, no direction upwards" 2 '' 'abut: frustum needs an up other than 0,0,0|' abut frustum --up 0,0,0
for numbers in "--fov 1e-44" "--eye 3e38,3e38,3e38 --target 0,0,0"; do
    expect "frustum, beyond float32: $numbers" 2 '' \
        'abut: frustum needs planes that float32 can hold: a number is too large or too small|' abut frustum $numbers
done
for numbers in "--eye inf,0,0" "--target 0,0,-inf" "--up 0,inf,0" "--fov inf" "--aspect inf" "--near -inf"; do
    expect "frustum, infinite $numbers" 2 '' "abut: ${numbers% *} must be finite, not '${numbers#* }'|" \
        abut frustum $numbers
done
expect "frustum, near the largest float32" 0 'nx,ny,nz,d,volume|1,0,0,-3.00000001e+38,0|' '' \
    sh -c "$ABUT frustum --eye 3e38,0,0 --target -3e38,0,0 | sed -n '1p; 6p'"
expect "frustum, no vector" 2 '' "abut: --eye takes X,Y,Z, not '1,2'|" abut frustum --eye 1,2
for numbers in "--fov 180" "--fov 0" "--aspect 0" "--near 0" "--near -1" "--near 5 --far 5" "--far 0"; do
    expect "frustum, $numbers" 2 '' \
        'abut: frustum needs a field of view between 0 and 180 degrees, aspect and near above 0, far beyond near|' \
        abut frustum $numbers
done

# Matrices. The first is that of a camera at 0 that looks along -z, 90 degrees wide, from 1 to 3, with depths from 0 to
# 1; the second the same column after column, as OpenGL has it; then with depths from -1 to 1, and reversed.
printf '1 0 0 0\n0 1 0 0\n0 0 -1.5 -1.5\n0 0 -1 0\n' >view.txt
printf '[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, -1.5, -1], [0, 0, -1.5, 0]]' >columns.txt
printf '1,0,0,0;0,1,0,0;0,0,-2,-3;0,0,-1,0' >opengl.txt
printf '1 0 0 0 0 1 0 0 0 0 0.5 1.5 0 0 -1 0' >reversed.txt
printf 'x,y,z\n0,0,-2\n0,0,-0.9\n0,0,-3.1\n2.5,0,-2\n0,1.9,-2\n' >scene.csv
seen='a,b|0,0|4,0|'
for form in "view.txt" "view.txt --depth 0..1 --order row" "columns.txt --order column" "opengl.txt --depth -1..1" \
    "reversed.txt --depth reversed"; do
    abut frustum --matrix $form >planes.csv
    same "frustum --matrix $form" "$seen" "$(abut join scene.csv planes.csv | tr '\n' '|')"
done
abut frustum --matrix opengl.txt --depth 0..1 >planes.csv
same "frustum --matrix, of depths that are not meant: another near plane" 'a,b|0,0|4,0|' \
    "$(abut join scene.csv planes.csv | tr '\n' '|')"
expect "frustum --matrix, standard input" 0 "$(abut frustum --matrix view.txt | tr '\n' '|')" '' \
    sh -c "$ABUT frustum --matrix - <view.txt"
printf '1 2 3' >three.txt
expect "frustum --matrix, too few numbers" 1 '' 'abut: three.txt: a matrix has 16 numbers, and here are 3|' \
    abut frustum --matrix three.txt
expect "frustum --matrix, too many" 1 '' 'abut: many.txt: a matrix has 16 numbers, and here are 19|' \
    sh -c "cat view.txt three.txt >many.txt; $ABUT frustum --matrix many.txt"
expect "frustum --matrix, words" 1 '' "abut: word.txt: number 3 of the matrix is not finite or unreadable: 'x3'|" \
    sh -c "echo 1 2 x3 >word.txt; $ABUT frustum --matrix word.txt"
expect "frustum --matrix, infinite" 1 '' "abut: word.txt: number 2 of the matrix is not finite or unreadable: 'inf'|" \
    sh -c "echo 1 inf >word.txt; $ABUT frustum --matrix word.txt"
expect "frustum --matrix, no file" 1 '' 'abut: cannot read none.txt: No such file or directory|' \
    abut frustum --matrix none.txt
printf '0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1' >flat.txt
expect "frustum --matrix, no planes" 1 '' \
    'abut: flat.txt: the matrix has a plane at infinity or beyond float32: is it --order column?|' \
    abut frustum --matrix flat.txt
expect "frustum --matrix, --fov" 2 '' 'abut: --fov does not go with --matrix, which has it|' \
    abut frustum --matrix view.txt --fov 90
expect "frustum --depth alone" 2 '' 'abut: --depth is of a matrix: it needs --matrix FILE|' abut frustum --depth 0..1
expect "frustum --depth, unknown" 2 '' "abut: --depth takes 0..1, -1..1 or reversed, not '1'|" \
    abut frustum --matrix view.txt --depth 1

# Without perspective: 2 high, 4 wide, from 1 to 3.
printf 'x,y,z\n0,0,-2\n1.9,0,-3\n2.1,0,-3\n0,1,-1\n0,1.1,-1\n0,0,-0.5\n0,0,-3.5\n' >scene.csv
abut frustum --orthographic 2 --aspect 2 --near 1 --far 3 >planes.csv
same "frustum --orthographic" 'a,b|0,0|1,0|3,0|' "$(abut join scene.csv planes.csv | tr '\n' '|')"
abut frustum --orthographic 2 --aspect 2 --near -1 --far 1 --eye 0,0,-2 --target 5,0,-2 >planes.csv
same "frustum --orthographic, from -1 on, along x" 'a,b|0,0|3,0|5,0|6,0|' \
    "$(abut join scene.csv planes.csv | tr '\n' '|')"
expect "frustum --orthographic, --fov" 2 '' 'abut: --fov does not go with --orthographic, a view without perspective|' \
    abut frustum --orthographic 2 --fov 60
expect "frustum --orthographic 0" 2 '' 'abut: --orthographic takes a height above 0, not 0|' \
    abut frustum --orthographic 0
expect "frustum --orthographic, an infinite far plane" 2 '' \
    'abut: frustum needs an aspect above 0, and far beyond near and finite for --orthographic|' \
    abut frustum --orthographic 2 --far inf
expect "frustum --orthographic, no direction" 2 '' 'abut: frustum needs a target apart from the eye, an up that is '\
'not along the view, and a box that is not flat|' abut frustum --orthographic 2 --target 0,5,0

finish frustum
