#!/bin/sh
# SPDX-License-Identifier: MIT
# NPY files that are invalid.
# usage: ABUT="path of abut" npy_invalid.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

npy points.npy 1 '<f4' False '(2, 3)' 1 1 1 5 5 5
npy hulls.npy 1 '<f4' False '(2, 2, 4)' 1 0 0 -1 0 1 0 -1 1 0 0 -9 -1 0 0 2
npy spheres.npy 1 '<f4' False '(1, 4)' 1 1 1 1
# invalid NAME MESSAGE [OPTION...]: in.npy is refused
invalid() {
    name=$1 message=$2
    shift 2
    expect "npy: $name" 1 '' "in.npy:$message|" abut join in.npy boxes.csv "$@"
}
npy in.npy 1 '<f4' False '(2, 4)' 1 2 3 4 5 6 7 -8
invalid "a negative radius" 'row 1: r: is negative' --kind-a spheres
npy in.npy 1 '<f4' False '(3, 4)' 1 2 3 4 5 nan 7 8 1 2 3 -4
invalid "not a number" 'row 1: y: is not a number (and 1 more invalid row)' --kind-a spheres
npy in.npy 1 '<f8' False '(2, 3)' 1 2 3 1 2 1e39
invalid "too large" 'row 1: z: is too large for a float32'
npy in.npy 1 '<f8' True '(2, 3)' 1 2 3 1e39 2 -1e300
invalid "too large, the first" 'row 1: y: is too large for a float32'
npy in.npy 1 '<f4' False '(2, 3)' 1 2 2 1 inf 2
invalid "infinite" 'row 1: y: is infinite'
expect "npy, --skip-bad" 0 'a,b|' 'abut: in.npy: skipped 1 invalid row, at row 1|' abut join in.npy unit.csv --skip-bad
npy in.npy 1 '<f4' False '(2, 1, 4)' 1 0 0 1 0 0 0 1
expect "npy: a hull with an invalid plane" 1 '' 'in.npy:row 1: plane 0: nx: is zero, and so are ny and nz|' \
    abut join points.npy in.npy
npy in.npy 1 '<f8' True '(2, 3, 4)' 1 1 1 1 1 0 0 0 0 0 0 0 0 0 0 0 0 0 1 1 1 1 1 1
expect "npy: the last plane of a hull is invalid" 1 '' 'in.npy:row 1: plane 2: nx: is zero, and so are ny and nz|' \
    abut join points.npy in.npy
npy in.npy 1 '<f8' False '(2, 2, 4)' 1 0 0 1 1 0 0 -1e39 1 0 0 1 1 0 0 inf
expect "npy: planes of two hulls are invalid" 1 '' \
    'in.npy:row 0: plane 1: d: is too large for a float32 (and 1 more invalid row)|' \
    abut join points.npy in.npy
npy in.npy 1 '<f4' False '(1, 5)' 1 2 3 4 0.5
expect "npy: hulls by volume" 1 '' 'in.npy:row 0: volume: is not a whole number below 16777216|' \
    abut join points.npy in.npy --kind-b hulls
npy in.npy 1 '<f4' False '(3, 5)' 1 2 3 4 5 1 2 3 4 nan 1 2 3 4 5
expect "npy: hulls whose volume is not a number" 1 '' 'in.npy:row 1: volume: is not a number|' \
    abut join points.npy in.npy --kind-b hulls
for volume in 1.00000001 16777215.5 16777216 1e-60 inf 1e39; do
    npy in.npy 1 '<f8' False '(2, 5)' 1 0 0 -9 1 1 0 0 -9 $volume
    expect "npy: hulls by volume $volume" 1 '' 'in.npy:row 1: volume: is not a whole number below 16777216|' \
        abut join points.npy in.npy --kind-b hulls
done
npy in.npy 1 '>f8' True '(3, 5)' 1 1 1 0 0 0 0 0 0 -1 -1 -1 8 9 9.000000001
expect "npy: hulls by volume, skipped" 0 'a,b|0,0|' 'abut: in.npy: skipped 1 invalid row, at row 2|' \
    abut join points.npy in.npy --kind-b hulls --skip-bad
npy in.npy 1 '<f4' False '(1, 1)' 1
invalid "one column" 'header: shapes do not have 1 columns'
expect "npy: a kind of other columns" 1 '' 'points.npy:header: spheres do not have 3 columns|' \
    abut join points.npy boxes.csv --kind-a spheres
expect "npy: hulls are no points" 1 '' 'hulls.npy:header: points do not have three dimensions|' \
    abut join hulls.npy boxes.csv --kind-a points
expect "npy: --by" 1 '' 'spheres.npy:header: g: the columns of arrays have no names|' \
    abut join spheres.npy grouped.csv --by g --kind-a spheres
npy in.npy 1 '<f4' False '(2, 3)' 1 2 3 1 2
invalid "too few values" 'header: promises more values than there are in the file'
npy in.npy 1 '<f4' False '(1, 3)' 1 2 3 1
invalid "too many values" 'header: promises fewer values than there are in the file'
# Numbers of which a 32-bit command says less.
wide=yes
! is_32_bit || wide=
for shape in ${wide:+'(6148914691236517206, 3)' '(1844674407370955161, 15)' '(4294967296, 3)'} '(1431655766, 3)'; do
    npy in.npy 1 '<f4' False "$shape" 1 2 3
    invalid "shape $shape" 'header: promises more values than there are in the file'
done
for shape in '(3,)' '()' '3' '(1, 1, 1, 3)' '(18446744073709551616, 3)' '(-1, 3)' '(1, 3' '(1 3)' '(1.0, 3)' '(,)'; do
    npy in.npy 1 '<f4' False "$shape" 1 2 3
    invalid "shape $shape" 'header: the shape is not that of two or three dimensions'
done
for shape in '(1, 0)' '(1, 16)' '(0, 429496728)' ${wide:+'(0, 1844674407370955161)'}; do
    npy in.npy 1 '<f4' False "$shape"
    invalid "shape $shape" 'header: no kind has so many columns'
done
for shape in '(1, 0, 4)' '(1, 33, 4)' '(1, 1, 3)' '(0, 429496728, 4)' \
    ${wide:+'(0, 1844674407370955161, 4)'}; do
    npy in.npy 1 '<f4' False "$shape"
    invalid "shape $shape" 'header: an array of three dimensions holds rows of 1 to 32 planes of 4 members'
done
for type in '<i3' '|u2' '<f1' '<f16' 'f4' '<c8' '' '<f' '|f4' '|b1' '<M8[s]' '|O' '|S4' '<U4' '|V4' '<f4x' '<f444444444444444444444'; do
    npy_raw in.npy 1 "{'descr': '$type', 'fortran_order': False, 'shape': (1, 3), }"
    invalid "type $type" 'header: descr is that of neither integers nor floats of up to 8 bytes'
done
# invalid_structure LIST MESSAGE
invalid_structure() {
    npy_raw in.npy 1 "{'descr': [$1], 'fortran_order': False, 'shape': (1,), }"
    invalid "structure [$1]" "header: $2"
}
no_list='has a structure that is not a list of names and types'
for list in "'x', '<f4'" "('x')" "('x', )" "('x', '<f4'" "('x', '<f4') ('y', '<f4')" "(('t', 'x', '<f4')" "('x', '<f4', (2), 3)" \
    "('x', '<f4', (2,)" "('x' '<f4')" '(4, 4)'; do
    case $list in
    "('x', )") invalid_structure "$list" 'has a structure with a member of no known type' ;;
    *) invalid_structure "$list" "$no_list" ;;
    esac
done
invalid_structure "('x', '<f4', x)" 'has a structure with an array of no known shape'
invalid_structure "('x', '<f4', (1, 1, 1, 1))" 'has a structure with an array of no known shape'
for type in '|O' 'f4' '<q8' '<f' ''; do
    invalid_structure "('x', '$type')" 'has a structure with a member of no known type'
done
invalid_structure '' 'has a structure without members'
invalid_structure "('', '|V4')" 'has a structure without members'
invalid_structure "('x', '<f4', (0,))" 'has a structure without members'
invalid_structure "('x', '<f4', (257,))" 'has a structure of more than 256 values'
for list in "('', '|V1000000000')" "('', '|V1', (429496728,))" "('x', '<f4', (65536, 65537))" \
    "('', '|V5000', (5000,))"; do
    invalid_structure "$list" 'has a structure of more than a megabyte'
done
for list in ${wide:+"('', '|V4294967295')" "('', '|V1', (4294967295,))"}; do
    invalid_structure "$list" 'has a structure of more than a megabyte'
done
invalid_structure "('x', '<f4', (1048576, 1048576, 1048576))" 'has a structure of more than a megabyte'
deep=$(printf "('a', [%.0s" 1 2 3 4 5 6 7 8 9)
invalid_structure "$deep" 'has structures in structures, more than 8 deep'
invalid_structure "('x', '<f4'), ('y', '<f4'), ('z', '<f4')" 'promises more values than there are in the file'
npy_raw in.npy 1 "{'descr': [('x', '<f4'), ('y', '<f4'), ('z', '<f4')], 'fortran_order': False, 'shape': (0, 3), }"
invalid "structures in two dimensions" 'header: the shape of structures is not that of one dimension'
npy_raw in.npy 1 "{'descr': [('x', '<f4'), ('y', '<f4'), ('height', '<f4')], 'fortran_order': False, 'shape': (0,), }"
invalid "a structure of no kind" "header: no kind fits 'x,y,height': points need a column z, too, or names from --columns-a"
npy_raw in.npy 1 "{'descr': [('x', '<f4'), ('y', '|S4'), ('z', '<f4')], 'fortran_order': False, 'shape': (0,), }"
invalid "a structure with a text for a number" 'header: y: is of neither integers nor floats of up to 8 bytes'
npy_raw in.npy 1 "{'descr': [('x', '<f4'), ('y', '<f4'), ('z', '<f4'), ('x', '<f4')], 'fortran_order': False, 'shape': (0,), }"
invalid "a member twice" 'header: x: the column is here 2 times'
npy_raw in.npy 1 "{'descr': [('p', '<f4', (3,))], 'fortran_order': False, 'shape': (0,), }"
invalid "an array in a structure has no names of its own" \
    "header: no kind fits 'p[0],p[1],p[2]': name the columns, --columns-a x,y,z or so (abut --help lists kinds)"
invalid "too few names" 'header: there are 3 columns, and names for 2' --columns-a x,y
npy_raw in.npy 1 "{'descr': '<f4', 'fortran_order': 0, 'shape': (1, 3), }"
invalid "fortran_order" 'header: fortran_order is neither True nor False'
for text in '' '[]' '{' "{'descr" "{'descr'" "{'descr': '<f4' 'shape'"; do
    npy_raw in.npy 1 "$text"
    invalid "header $text" 'header: is not a dictionary'
done
for text in '{}' "{'descr': '<f4', 'shape': (1, 3)}" "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 3)} x"; do
    npy_raw in.npy 1 "$text"
    invalid "header $text" 'header: lacks descr, fortran_order or shape, or goes on behind them'
done
for text in "{'descr': '<f4', 'descr': '<f4'}" "{'size': 3}"; do
    npy_raw in.npy 1 "$text"
    invalid "header $text" 'header: has a key twice, or one that NPY files do not have'
done
npy_raw in.npy 1 "{'shape':(0,3),\"fortran_order\":False,'descr':'<f4'}"
expect "npy: keys in another order" 0 'a,b|' '' abut join in.npy boxes.csv
npy in.npy 1 '<f4' False '(1L, 3L)' 1 0 1
expect "npy of Python 2" 0 'a,b|0,2|' '' abut join in.npy boxes.csv
npy_raw in.npy 1 "{'descr': '<f4', 'fortran_order': False, 'shape': (L, 3)}"
invalid "a shape without a digit" 'header: the shape is not that of two or three dimensions'
for version in 1 2 3; do
    npy_raw in.npy $version '{}' 65535
    invalid "a header of version $version that is cut off" 'header: is not all there'
done
printf '\223NUMPY\002\000\377\377\377\377{}' >in.npy
invalid "a header of four billion bytes" 'header: is not all there'
for version in 0 4; do
    npy_raw in.npy $version '{}'
    invalid "format $version" 'header: is of a format other than 1, 2 and 3'
done
npy whole.npy 1 '<f4' False '(1, 4)' 1 1 1 1
for size in 6 7 8 9 10 11 40 69 70 80; do
    head -c $size whole.npy >in.npy
    abut join in.npy boxes.csv --kind-a spheres >found.csv 2>errors.txt
    same "npy cut after $size bytes" '1 1 0' "$? $(wc -l <errors.txt) $(wc -c <found.csv)"
done

finish npy_invalid
