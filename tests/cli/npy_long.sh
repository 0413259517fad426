#!/bin/sh
# SPDX-License-Identifier: MIT
# Long NPY files: they are read in blocks where they can be mapped, and whole from a pipe.
# usage: ABUT="path of abut" npy_long.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

spheres="1 0 1 2 3 1 1 1.25 4 1 1 1.25 3 1 1 1 1 1 1 0.5"
columns="1 3 4 3 1 0 1 1 1 1 1 1 1 1 1 2 1.25 1.25 1 0.5"
# long FILE DESCR FORTRAN RUN...: an array of 327,680 rows; each RUN is a file of values to repeat
long() {
    file=$1
    npy "$file" 1 "$2" "$3" '(327680, 4)'
    shift 3
    for run; do
        quadruple "$run" 8 >>"$file"
    done
}
types="csv npy"
[ -z "$slow" ] || types=npy
# streamed NAME FILE PAIRS: the pairs are the same as through a pipe
streamed() {
    for type in $types; do
        cat "$2" | abut join - boxes.csv --kind-a spheres --skip-bad --quiet -o "piped.$type"
        for method in all index; do
            abut join "$2" boxes.csv --kind-a spheres --skip-bad --quiet --method $method -o "found.$type"
            same "long npy, $1, to $type, --method $method" '' "$(cmp "found.$type" "piped.$type" 2>&1)"
        done
    done
    same "long npy, $1: pairs" "$3" "$(abut join "$2" boxes.csv --kind-a spheres --skip-bad --quiet --count)"
}
npy run.npy 1 '<f4' True '(5, 4)' $columns
for k in 0 1 2 3; do
    tail -c 80 run.npy | head -c $((20 * k + 20)) | tail -c 20 >column$k
done
long long.npy '<f4' True column0 column1 column2 column3
streamed "by columns" long.npy 524288
npy run.npy 1 '<f8' False '(5, 4)' $spheres
tail -c 160 run.npy >run
long long.npy '<f8' False run
streamed "rows" long.npy 524288
# put FILE ROW BYTES: the new y of that row
put() {
    printf "$3" | dd of="$1" bs=1 seek=$(($(wc -c <"$1") - 32 * (327680 - $2) + 8)) conv=notrunc 2>/dev/null
}
put long.npy 300000 '\000\000\000\000\145\315\315\101'
expect "long npy, too far from a periodic box" 1 '' \
    'abut: long.npy: y = 1e+09 in row 300000 is infinite, or more than 1048576 periods from 0: move it into the box|' \
    abut join long.npy boxes.csv --kind-a spheres --periodic 100,100,100
put long.npy 300000 '\234\165\000\210\074\344\067\176'
put long.npy 320000 '\000\000\000\000\000\000\360\177'
put long.npy 327679 '\000\000\000\000\000\000\370\177'
expect "long npy, invalid rows" 1 '' 'long.npy:row 300000: y: is too large for a float32 (and 2 more invalid rows)|' \
    abut join long.npy boxes.csv --kind-a spheres
expect "long npy, invalid rows skipped" 0 '524283|' 'abut: long.npy: skipped 3 invalid rows, the first at row 300000|' \
    abut join long.npy boxes.csv --kind-a spheres --skip-bad --count
streamed "invalid rows" long.npy 524283
put long.npy 300000 '\000\000\000\000\000\000\360\077'
expect "long npy, infinite and no number" 1 '' \
    'long.npy:row 320000: y: is infinite (and 1 more invalid row)|' abut join long.npy boxes.csv --kind-a spheres
expect "long npy, --by" 1 '' 'long.npy:header: g: the columns of arrays have no names|' \
    abut join long.npy grouped.csv --kind-a spheres --by g --skip-bad --quiet
npy run.npy 1 '<f4' False '(5, 4)' 1 0 0 -1 0 0 0 -1 0 0 0 1 1 0 0 -inf 1 0 0 -9
tail -c 80 run.npy >run
long long.npy '<f4' False run
expect "long npy, invalid float32 planes skipped" 0 '131072|' 'abut: long.npy: skipped 196608 invalid rows, the first at row 1|' \
    abut join long.npy origin_sphere.csv --kind-a planes --skip-bad --predicate touches --count
if [ -z "$emulated" ]; then
    # The command maps A before it opens B.
    mkdir out
    mkfifo pipe.csv
    (
        exec >pipe.csv
        : >long.npy
        cat boxes.csv
    ) &
    expect "long npy, cut while it is read" 1 '' \
        'abut: an input file became shorter, or unreadable, while it was read|' \
        abut join long.npy pipe.csv --kind-a spheres --skip-bad --quiet -o out/cut.csv
    wait
    same "long npy, cut: no output" '' "$(ls out)"
fi

finish npy_long
