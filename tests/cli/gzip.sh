#!/bin/sh
# SPDX-License-Identifier: MIT
# Files of every format that are compressed by gzip, and such files that are damaged.
# usage: ABUT="path of abut" gzip.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

if ! abut info | grep -q gzip; then
    printf '\037\213\010\000' >in.gz
    expect "gzip in a build without zlib" 1 '' \
        'abut: cannot read in.gz: it is compressed by gzip, and this abut has no zlib: gunzip -c FILE | abut ... -|' \
        abut self in.gz
    finish gzip
    exit
fi

# same_answers NAME FILE [OPTION...]: of a file and its compressed form, in a file and from a pipe
same_answers() {
    name=$1 file=$2
    shift 2
    gzip -c "$file" >"$file.gz"
    plain=$(abut join spheres.csv "$file" "$@")
    same "gzip: $name" "$plain" "$(abut join spheres.csv "$file.gz" "$@")"
    [ "${file%.obj}" != "$file" ] ||
        same "gzip: $name, from a pipe" "$plain" "$(gzip -c "$file" | abut join spheres.csv - "$@")"
    same "gzip: $name: there are answers" yes "$([ "$(echo "$plain" | wc -l)" -gt 1 ] && echo yes)"
}
same_answers CSV boxes.csv
npy boxes.npy 1 '<f8' False '(3, 6)' -2 -2 -2 -1 -1 -1 2 1 2 4 3 4 0 0 0 2 2 2
same_answers NPY boxes.npy --kind-b aabbs
printf 'v 0 0 0\nv 3 0 0\nv 3 3 0\nv 0 3 0\nf 1 2 3 4\n' >square.obj
same_answers OBJ square.obj
cp square.obj.gz SQUARE.OBJ.GZ
expect "gzip: OBJ in capitals" 0 "$(abut join spheres.csv square.obj --count)|" '' \
    abut join spheres.csv SQUARE.OBJ.GZ --count
printf 'ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\nend_header\n' >cloud.ply
printf '1 0 1\n4 1 1\n' >>cloud.ply
same_answers PLY cloud.ply
expect "gzip: both files" 0 "$(abut join boxes.csv boxes.csv --count)|" '' \
    abut join boxes.csv.gz boxes.npy.gz --kind-b aabbs --count
head -n 2 boxes.csv | gzip -c >members.gz
tail -n 2 boxes.csv | gzip -9 -c >>members.gz
expect "gzip: two members, and padding" 0 "$(abut join spheres.csv boxes.csv | tr '\n' '|')" '' \
    sh -c "{ cat members.gz && dd if=/dev/zero bs=512 count=1 2>/dev/null; } | $ABUT join spheres.csv -"
awk 'BEGIN { print "x,y,z"; for (i = 0; i < 90000; i++) print i % 97 ",1," i }' >many.csv
gzip -c many.csv >many.csv.gz
expect "gzip: more than a buffer" 0 "$(abut join many.csv boxes.csv --count --quiet)|" '' \
    abut join many.csv.gz boxes.csv --count --quiet
expect "gzip: lines of messages are those of the text" 1 '' 'in.gz:3: y: is not a number|' \
    sh -c "printf 'x,y,z\n1,2,3\n1,b,3\n' | gzip -c >in.gz; $ABUT self in.gz"
expect "gzip: an origin" 0 "$(abut join many.csv boxes.csv --origin auto --count --quiet)|" '' \
    abut join many.csv.gz boxes.csv --origin auto --count --quiet

# invalid NAME MESSAGE: in.gz is refused
invalid() {
    expect "gzip: $1" 1 '' "$2|" abut self in.gz
}
odd=
for cut in 2 9 11 20 60 $(($(wc -c <many.csv.gz) - 9)) $(($(wc -c <many.csv.gz) - 1)); do
    head -c "$cut" many.csv.gz >in.gz
    abut self in.gz >out.txt 2>err.txt
    [ "$? $(wc -c <out.txt) $(cat err.txt)" = "1 0 abut: cannot read in.gz: its gzip data are cut off" ] || odd="$odd $cut"
done
same "gzip: cut off anywhere" '' "$odd"
{ head -c $(($(wc -c <boxes.csv.gz) - 8)) boxes.csv.gz && printf '12345678'; } >in.gz
invalid "another checksum" 'abut: cannot read in.gz: its gzip data are damaged'
printf '\037\213\007\000and what follows it' >in.gz
invalid "another method" 'abut: cannot read in.gz: its gzip data are damaged'
{ cat boxes.csv.gz && echo more; } >in.gz
invalid "text behind it" 'abut: cannot read in.gz: bytes follow its gzip data'
gzip -c boxes.csv.gz >in.gz
invalid "compressed twice" 'in.gz: is compressed by gzip twice: gunzip it once'
: | gzip -c >in.gz
invalid "an empty file" 'in.gz:1: no header line: the file is empty'
{ echo x,y,z && dd if=/dev/zero bs=1000000 count=68 2>/dev/null; } | gzip -c >in.gz
invalid "zeros without end" \
    'abut: cannot read in.gz: it inflates to more than 100 times its size: if it should, gunzip -c FILE | abut ... -'
# Its inflated size limits how many rows it may have.
printf '\n\n\n\n' >newlines
quadruple newlines 10 >blank
{ echo x,y,z && cat blank blank && echo 1,1,1; } | gzip -c >in.gz
invalid "blank lines" \
    'abut: in.gz: 8388609 rows of 3 numbers are too many for 8.4 MB: most of its lines are blank or too short'

finish gzip
