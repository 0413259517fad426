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

finish frustum
