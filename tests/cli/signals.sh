#!/bin/sh
# SPDX-License-Identifier: MIT
# Signals at random moments: the output file is what it was, or new and whole, and nothing lies beside it.
# usage: ABUT="path of abut" [ROUNDS=N: of each signal] [SEED=N] signals.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"
rounds=${ROUNDS-4} seed=${SEED-$$}
ulimit -c 0

awk 'BEGIN { print "x,y,z,r"; for (i = 0; i < 6000; i++) print i % 37 "," i % 31 "," i % 29 ",1.2" }' >many.csv
$ABUT self many.csv --quiet >whole.csv
mkdir out

# A background command ignores INT and QUIT. KILL cannot be caught; a stopped command does not end.
signals="HUP ILL TRAP ABRT BUS FPE USR1 SEGV USR2 PIPE ALRM TERM XCPU VTALRM PROF SYS"
for signal in STKFLT 16 PWR POLL RTMIN RTMAX; do
    # Some systems do not have it, and some shells not its name. On Linux, 16 is STKFLT.
    { sh -c "kill -s $signal \$\$"; } >/dev/null 2>&1
    [ $? -le 128 ] || signals="$signals $signal"
done

# struck SIGNAL DELAY: sent once so much time has passed, which the result does not depend on
struck() {
    echo before >out/result
    { $ABUT self many.csv --quiet --threads 2 -o out/result 2>err.txt & } 2>/dev/null
    sleep "$2"
    kill -s "$1" $! 2>/dev/null
    wait $! 2>/dev/null
    status=$?
    if [ $status -eq 0 ]; then
        ended=$((ended + 1))
        wrong=$(cmp out/result whole.csv 2>&1)
    else
        wrong=$([ "$(cat out/result)" = before ] || cmp out/result whole.csv 2>&1)
    fi
    left=$(ls out | grep -vx result)
    same "$1 after $2 s (seed $seed)" '' "$wrong$left"
    rm -f out/abut-*
}
ended=0
for signal in $signals; do
    for delay in $(awk -v seed="$seed" -v n="$rounds" -v name="$signal" 'BEGIN {
        for (i = 1; i <= length(name); i++) seed = seed * 31 + index("ABCDEFGHIJKLMNOPQRSTUVWXYZ12", substr(name, i, 1))
        srand(seed % 1000003); for (i = 0; i < n; i++) printf "%.4f\n", rand() * rand() * 0.08 }'); do
        struck "$signal" "$delay"
    done
done
# These end no process.
for signal in CONT CHLD URG WINCH; do
    struck $signal 0.01
    same "$signal" 0 "$status"
done
echo "seed $seed,$signals: $ended of $((passed + failed)) commands ended before their signal"

finish signals
