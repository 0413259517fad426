#!/bin/sh
# SPDX-License-Identifier: MIT
# Each call of each function of the system fails once, and again with all that follow: the command reports it and leaves
# what was there, or does what it would have done without.
# usage: ABUT="path of abut" FAULTS="library that is loaded before it" [EACH=N: one allocation in so many] faults.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"
each=${EACH-1}

cat >mesh.obj <<'END'
v 0 0 0
v 2 0 0
v 0 2 0
v 2 2 0
f 1 2 4 3
END
awk 'BEGIN { print "x,y,z,r,g"; for (i = 0; i < 1500; i++) print i % 17 "," i % 13 "," i % 11 ",0.4," i % 5 }' >many.csv
printf 'ax,ay,az,bx,by,bz\n0,0,0,8,8,8\n0,0,1,8,0,1\n' >ways.csv
gzip -c many.csv >many.csv.gz
npy long.npy 1 '<f4' False '(65536, 4)'
npy run.npy 1 '<f4' False '(4, 4)' 0 0 0 1 3 1 1 1 9 9 9 1 1 1 1 1
tail -c 64 run.npy >run
quadruple run 7 >>long.npy
mkdir out

# faulty FUNCTION ERROR LASTS COMMAND: fails each call in turn, until no call is left to fail. An error of input or
# output (numbers from 5 on) must be reported; closing an input may fail.
faulty() {
    at=1 reported=0 step=1
    [ "$1" != malloc ] || step=$each
    case $1-$2 in
    read-5 | read-28 | write-5 | write-28 | pwrite-* | fsync-* | rename-* | mkstemp-* | fchmod-*) must=yes ;;
    *) must= ;;
    esac
    while :; do
        rm -f out/* fault.log
        echo before >out/result
        status=0
        (
            [ -z "$3" ] || export FAULT_LASTS=1
            FAULT_CALL=$1 FAULT_AT=$at FAULT_ERROR=$2 FAULT_LOG=fault.log LD_PRELOAD=$FAULTS
            export FAULT_CALL FAULT_AT FAULT_ERROR FAULT_LOG LD_PRELOAD
            exec $ABUT $4 >stdout.txt 2>stderr.txt
        ) || status=$?
        if [ ! -e fault.log ]; then
            [ "$1" != close ] || same "$4: closing the output fails" 1 "$reported"
            return 0
        fi
        case $status$must in
        0yes) wrong="not reported" ;;
        0) wrong=$(cmp out/result expected 2>&1) ;;
        1*) reported=$((reported + 1))
            wrong=$([ "$(cat out/result)" = before ] || echo "the file has changed"; [ -s stderr.txt ] || echo silence) ;;
        *) wrong="exit $status" ;;
        esac
        left=$(ls out | grep -vx result)
        same "call $at of $1 fails with $2${3:+, and all later ones}: $4" '' "$wrong$left"
        at=$((at + step))
    done
}

while read -r command; do
    echo before >out/result
    $ABUT $command 2>/dev/null
    cp out/result expected
    for error in 5 28; do
        for function in read write pwrite fsync close rename mkstemp fchmod; do
            faulty "$function" "$error" '' "$command"
        done
    done
    for function in read write; do
        faulty "$function" 4 '' "$command"
    done
    for function in write pwrite; do
        faulty "$function" 0 '' "$command"
    done
    for function in mmap madvise fstat malloc; do
        faulty "$function" 12 '' "$command"
        faulty "$function" 12 lasts "$command"
    done
done <<'END'
join spheres.csv boxes.csv --quiet -o out/result
join many.csv many.csv --by g --threads 2 --quiet -o out/result
self many.csv --method index --threads 3 --quiet -o out/result
join long.npy boxes.csv --kind-a spheres --threads 2 --quiet --count -o out/result
join mesh.obj spheres.csv --quiet -o out/result
join many.csv.gz spheres.csv --quiet -o out/result
nearest points.csv spheres.csv -k 2 --distance --quiet -o out/result
cast ways.csv spheres.csv --all --quiet -o out/result
distance points.csv boxes.csv --quiet -o out/result
frustum -o out/result
END

finish faults
