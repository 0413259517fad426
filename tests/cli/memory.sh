#!/bin/sh
# SPDX-License-Identifier: MIT
# Files that would take many times their size in memory, or long, are refused before they do, or take little.
# usage: ABUT="path of abut" memory.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

# Address space in KiB; sanitizers reserve more than there is.
allow() {
    limit=$1
    [ -z "$slow" ] || limit=unlimited
}
allow 1000000

# bounded NAME CODE STDOUT STDERR COMMAND...: the same as expect, with little memory and 20 s, which are a hundred
# times what any of these takes
bounded() {
    name=$1 code=$2 out=$3 err=$4
    shift 4
    expect "$name" "$code" "$out" "$err" sh -c 'ulimit -t 20; ulimit -v "$0" || exit 3; exec "$@"' "$limit" $ABUT "$@"
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

# --origin auto reads files before it is known whether they are in proportion. Where memory runs out it goes on without
# their bounds, so that what it takes is measured.
if [ -z "$slow" ] && command -v python3 >python; then
    expect "a CSV file of blank lines, --origin auto: less than 400 MB" 0 '1 True|' '' python3 -c "
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stderr=subprocess.DEVNULL)
print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 400000)" \
        $ABUT self blank.csv --quiet --origin auto
else
    skip "a CSV file of blank lines, --origin auto: no python3"
fi
rm blank.csv

# Names and labels: of files of short rows, each of another name, or of the same.
awk 'BEGIN { print "x,y,z,r,n"; for (i = 0; i < 500000; i++) printf "0,0,0,0,%x\n", i }' >names.csv
printf 'x,y,z,r\n0,0,0,0\n' >one.csv
allow 55000
bounded "very many names" 0 '' '' zip names.csv one.csv --id-a n -o found.csv
same "very many names: they are there" 'a,hit|0,1|7a11f,1|' "$(sed -n '1,2p;$p' found.csv | tr '\n' '|')"
rm names.csv found.csv

# Results are kept no longer than is needed to sort them: more pairs than are kept at a time are those of fewer rows.
allow 100000
awk 'BEGIN { print "x,y,z,r,g"; for (i = 0; i < 3000; i++) print i % 7 "," i % 11 ",0,50,a" }' >dense.csv
abut self dense.csv --method all -o all.csv
same "very many pairs" 4498501 "$(wc -l <all.csv)"
# dense NAME OPTION...: all pairs of the rows
dense() {
    name=$1
    shift
    bounded "$name" 0 '' '' self dense.csv --threads 1 -o found.csv "$@"
    same "$name: pairs" '' "$(cmp all.csv found.csv 2>&1)"
}
dense "very many pairs, --within" --within 1
dense "very many pairs, --by" --by g
allow 65000
awk 'BEGIN { print "x,y,z,dx,dy,dz"; for (i = 0; i < 400; i++) print i % 7 "," i % 11 ",0,1,0,0" }' >rays.csv
bounded "very many hits of rays" 0 "1200000|" '' cast rays.csv dense.csv --all --count --threads 1
head -n 1500 dense.csv >half.csv
abut join half.csv dense.csv --method all -o all.csv
bounded "very many pairs of two files, --by" 0 '' '' join half.csv dense.csv --by g --threads 1 -o found.csv
same "very many pairs of two files, --by: pairs" '' "$(cmp all.csv found.csv 2>&1)"

allow 1000000
printf ' 1 1 1 1' >corners
{ printf 'v 0 0 0\nf' && quadruple corners 9 && quadruple corners 8 && echo; } >face.obj
bounded "an OBJ face of very many corners" 1 '' \
    'face.obj:2: brings the triangles to more than 1048576, which are too many for a file of this size|' \
    join face.obj origin_sphere.csv --quiet
{ printf 'v 0 0 0\nf' && quadruple corners 7 && echo; } >face.obj
bounded "an OBJ face of many corners" 0 '65534|' '' join face.obj origin_sphere.csv --quiet --count

# Time: what was looked at for each column, member or corner again.
awk 'BEGIN { printf "x,y,z"; for (i = 0; i < 100000; i++) printf ",r"; print "" }' >reds.csv
bounded "a header of very many radii" 1 '' 'reds.csv:1: r: the column is here 100000 times|' self reds.csv
npy_raw padding.npy 2 "{'descr': [('x', '<f4'), $(printf "('','|V0',1048576),%.0s" $(seq 50000))], \
'fortran_order': False, 'shape': (0,), }"
bounded "an array with very much padding of no size" 1 '' \
    "padding.npy:header: no kind fits 'x': name the columns, --columns-a x,y,z or so (abut --help lists kinds)|" \
    self padding.npy
npy_raw blanks.npy 2 "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 3), $(printf '%01048576d' 0 | tr 0 ' ')}"
bounded "an array with a header of more than a megabyte" 1 '' 'blanks.npy:header: is longer than a megabyte|' \
    self blanks.npy
awk 'BEGIN { print "x,y,z,volume"; for (v = 0; v < 200; v++) for (i = 0; i < 128; i++) print i * i % 97 "," i * 31 % 89 ",1," v }' \
    >flat_hulls.csv
bounded "hulls of very many vertices in one plane" 1 '' "flat_hulls.csv:2: volume: has all vertices in one plane: \
a flat hull needs its planes (nx,ny,nz,d,volume) (and 199 more invalid rows)|" self flat_hulls.csv --kind-a hulls
awk 'BEGIN { print "x,y,z,volume"; for (i = 0; i < 128; i++) print i % 3 "," i % 3 "," 2 * (i % 3) ",1" }' >line.csv
bounded "a hull of very many vertices on one line" 1 '' "line.csv:2: volume: has all vertices in one plane: \
a flat hull needs its planes (nx,ny,nz,d,volume)|" self line.csv --kind-a hulls
# Ears that are found late: the corners of a star are blocked by its centre alone, which comes last.
awk 'BEGIN { n = 4095; k = 1228; m = n - k - 2
    for (i = 0; i < k; i++) print "v", i, -1e-4 * i * i, 0
    print "v", k / 2, 20 * k, 0
    for (i = 0; i < m; i++) { a = 2.5 + 3.14159265358979 * (m - 1) / m * i; print "v", 60 * k + 40 * k * cos(a), -60 * k + 40 * k * sin(a), 0 }
    print "v", 60 * k, -60 * k, 0
    printf "f"; for (i = 1; i <= n; i++) printf " %d", i; print "" }' >ears.obj
bounded "a concave face whose ears are found late" 0 '2|' '' join origin_sphere.csv ears.obj --quiet --count

finish memory
