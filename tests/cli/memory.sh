#!/bin/sh
# SPDX-License-Identifier: MIT
# Text files that would take many times their size in memory are refused before they do.
# usage: ABUT="path of abut" memory.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

# Address space in KiB; sanitizers reserve more than there is.
limit=1000000
[ -z "$slow" ] || limit=unlimited

# bounded NAME CODE STDOUT STDERR COMMAND...: the same as expect, with little memory
bounded() {
    name=$1 code=$2 out=$3 err=$4
    shift 4
    expect "$name" "$code" "$out" "$err" sh -c 'ulimit -v "$0" || exit 3; exec "$@"' "$limit" $ABUT "$@"
}
printf '\n\n\n\n' >newlines
{ echo x,y,z && quadruple newlines 12 && echo 1,1,1; } >blank.csv
bounded "a CSV file of blank lines" 1 '' \
    'abut: blank.csv: 67108865 rows of 3 numbers are too many for 67.1 MB: most of its lines are blank or too short|' \
    self blank.csv --quiet
bounded "a CSV file of blank lines, --skip-bad" 1 '' \
    'abut: blank.csv: 67108865 rows of 3 numbers are too many for 67.1 MB: most of its lines are blank or too short|' \
    self blank.csv --quiet --skip-bad
{ echo x,y,z,r && quadruple newlines 9 && echo 1,1,1,-1; } >some_blank.csv
expect "a CSV file of some blank lines" 0 '0|' '' abut self some_blank.csv --skip-bad --quiet --count
rm blank.csv

printf ' 1 1 1 1' >corners
{ printf 'v 0 0 0\nf' && quadruple corners 9 && quadruple corners 8 && echo; } >face.obj
bounded "an OBJ face of very many corners" 1 '' \
    'face.obj:2: brings the triangles to more than 1048576, which are too many for a file of this size|' \
    join face.obj origin_sphere.csv --quiet
{ printf 'v 0 0 0\nf' && quadruple corners 7 && echo; } >face.obj
bounded "an OBJ face of many corners" 0 '65534|' '' join face.obj origin_sphere.csv --quiet --count

finish memory
