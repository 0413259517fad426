#!/bin/sh
# SPDX-License-Identifier: MIT
# Files that cannot be read or written, and output files, which appear whole or not at all.
# usage: ABUT="path of abut" output.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

# Files that cannot be read or written.
expect "no such file" 1 '' 'abut: cannot read none.csv: No such file or directory|' abut self none.csv
expect "a folder" 1 '' 'abut: cannot read .: Is a directory|' abut self .
expect "no such folder" 1 '' 'abut: cannot write none/out.csv: No such file or directory|' \
    abut self spheres.csv -o none/out.csv
expect "a folder as output" 1 '' 'abut: cannot write .: Is a directory|' abut self spheres.csv -o .
# Not by -o: a command with a defect there, run by root, would replace the device.
if [ -c /dev/full ]; then
    full='No space left on device'
    expect "a full standard output" 1 '' "abut: cannot write standard output: $full|" \
        sh -c "$ABUT self spheres.csv >/dev/full"
    expect "help on a full device" 1 '' "abut: cannot write standard output: $full|" sh -c "$ABUT --help >/dev/full"
    expect "zip on a full device" 1 '' "abut: cannot write standard output: $full|" \
        sh -c "$ABUT zip spheres.csv spheres.csv >/dev/full"
else
    skip "a full device: there is no /dev/full"
fi
expect "standard output is closed" 1 '' 'abut: cannot write standard output: Bad file descriptor|' \
    sh -c "$ABUT self spheres.csv >&-"
expect "standard input is closed" 1 '' 'abut: cannot read -: Bad file descriptor|' sh -c "$ABUT self - <&-"
expect "standard error is closed: not written where the result is" 0 'a,b|1,2|' '' \
    sh -c "$ABUT self boxes.csv --stats -o alone.csv 2>&-; cat alone.csv"

# Output files appear whole or not at all.
mkdir out
expect "-o" 0 '' '' abut self boxes.csv -o out/pairs.csv
same "-o: content" 'a,b|1,2|' "$(tr '\n' '|' <out/pairs.csv)"
same "-o: nothing else" pairs.csv "$(ls out)"
expect "-oFILE" 0 'a,b|1,2|' '' sh -c \
    "$ABUT self boxes.csv -oout/attached.csv; cat out/attached.csv; rm out/attached.csv"
(umask 027 && abut self boxes.csv -o out/mode.csv)
same "-o: mode of a new file" -rw-r----- "$(ls -l out/mode.csv | cut -c1-10)"
chmod 604 out/mode.csv
abut self boxes.csv -o out/mode.csv
same "-o: mode of an old file" -rw----r-- "$(ls -l out/mode.csv | cut -c1-10)"
rm out/mode.csv
abut self spheres.csv --kind-a cubes -o out/pairs.csv 2>/dev/null
abut self twice.csv -o out/pairs.csv 2>/dev/null
abut self points.csv -o out/pairs.csv 2>/dev/null
same "-o: unchanged by errors" 'a,b|1,2|' "$(tr '\n' '|' <out/pairs.csv)"
expect "-o: input and output the same" 2 '' 'abut: cannot write out/same.csv: it is the input out/same.csv|' \
    sh -c "cp boxes.csv out/same.csv; $ABUT self out/same.csv -o out/same.csv"
cmp -s boxes.csv out/same.csv
same "-o: the input is as it was" 0 $?
rm out/same.csv
ln -s pairs.csv out/link.csv
abut self boxes.csv --touch open -o out/link.csv
same "-o: through a symbolic link" 'a,b|' "$(tr '\n' '|' <out/pairs.csv)"
same "-o: the link stays" pairs.csv "$(readlink out/link.csv)"
rm out/link.csv
ln -s nothing.csv out/link.csv
expect "-o: a link to a missing file" 1 '' \
    'abut: cannot write out/link.csv: it is a link to a file that does not exist|' abut self boxes.csv -o out/link.csv
rm out/link.csv
long_name=$(printf '%0255d' 0)
expect "-o: the longest name" 0 'a,b|1,2|' '' sh -c "$ABUT self boxes.csv -o out/$long_name; cat out/0*; rm out/0*"
expect "-o /dev/stdout" 0 'a,b|1,2|' '' abut self boxes.csv -o /dev/stdout
expect "-o /dev/stdout, appended to" 0 'first|a,b|1,2|' '' sh -c \
    "echo first >out/log; $ABUT self boxes.csv -o /dev/stdout >>out/log; cat out/log; rm out/log"
expect "-o /dev/fd/3, appended to" 0 'first|a,b|1,2|' '' sh -c \
    "echo first >out/log; $ABUT self boxes.csv -o /dev/fd/3 3>>out/log; cat out/log; rm out/log"
ln -s fd out/one && ln -s /dev/stdout out/fd
expect "-o by way of links to /dev/stdout" 0 'first|a,b|1,2|' '' sh -c \
    "echo first >out/log; $ABUT self boxes.csv -o out/one >>out/log; cat out/log; rm out/log"
expect "-o by way of links to /dev/stdout, from the folder" 0 'first|a,b|1,2|' '' sh -c \
    "cd out; echo first >log; $ABUT self ../boxes.csv -o one >>log; cat log; rm log"
rm out/one out/fd
expect "-o /dev/fd/3, open for reading alone" 1 '' 'abut: cannot write /dev/fd/3: Bad file descriptor|' sh -c \
    "$ABUT self boxes.csv -o /dev/fd/3 3<boxes.csv"
# A file that is already open elsewhere is replaced: written in place, it would keep the end of its old content.
for redirection in '5<>out/log' '1<>out/log' '>out/log' '>>out/log' '>out/log 2>&1'; do
    expect "-o to a file that is open already: $redirection" 0 'a,b|1,2|' '' sh -c \
        "seq 1 20 >out/log; $ABUT self boxes.csv -o out/log $redirection; cat out/log; rm out/log"
done
mkfifo out/pipe
expect "-o to a named pipe" 0 'a,b|1,2|' '' sh -c "cat out/pipe & $ABUT self boxes.csv -o out/pipe; wait"
[ -p out/pipe ]
same "-o: the named pipe stays" 0 $?
rm out/pipe
awk 'BEGIN { print "x,y,z,r"; for (i = 0; i < 20000; i++) print "0,0,0,1" }' >heap.csv
same "output ends early in a pipe" 'a,b|0,1|' "$(abut self heap.csv 2>/dev/null | head -n 2 | tr '\n' '|')"
if [ -n "$slow" ]; then
    skip "many hits: an emulator or a sanitizer is too slow"
else
    abut self heap.csv --count --stats >count.txt 2>stats.txt
    same "many hits: number" 199990000 "$(cat count.txt)"
    sed -n 's/.* \([0-9]*\)\.[0-9] MB of workspace$/\1/p' stats.txt >megabytes.txt
    [ "$(cat megabytes.txt)" -lt 200 ]
    same "many hits: $(cat megabytes.txt) megabytes are enough" 0 $?
fi
(
    ulimit -f 8
    failed=0
    abut self heap.csv -o out/large.csv 2>err.txt
    same "-o: a failed write: exit" 1 $?
    same "-o: a failed write: message" 'abut: cannot write out/large.csv: File too large' "$(cat err.txt)"
    abut self heap.csv 2>err.txt >large.csv
    same "standard output: a failed write: exit" 1 $?
    same "standard output: a failed write: message" 'abut: cannot write standard output: File too large' \
        "$(cat err.txt)"
    [ "$failed" -eq 0 ]
) && passed=$((passed + 4)) || failed=$((failed + 1))
same "-o: a failed write leaves nothing" pairs.csv "$(ls out)"

finish output
