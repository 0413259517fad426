#!/bin/sh
# SPDX-License-Identifier: MIT
# An output file of a command that a signal ends: nothing is left of it.
# usage: ABUT="path of abut" interrupted.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

make_endless
mkdir out
: >out/pairs.csv

# killed SIGNAL: the signal comes once the temporary file holds something. It is sent from the background, because
# commands there ignore INT and QUIT; where this script itself runs in the background, all commands ignore them.
killed() {
    if [ -n "$(exec 2>/dev/null; sh -c "ulimit -c 0; kill -s $1 \$\$; echo ignored"; :)" ]; then
        skip "-o: killed by $1: the signal is ignored here"
        return
    fi
    rm -f ended
    (
        until [ -s out/abut-* ] || [ -e ended ]; do
            sleep 0.05
        done
        ls out | wc -l >meanwhile.txt
        [ -e ended ] || kill -s "$1" "$(cat pid)"
    ) &
    # A command that survives the signal is killed after 100 seconds of processor time.
    { sh -c "ulimit -c 0; ulimit -t 100; echo \$\$ >pid; exec $endless -o out/large.csv"; } 2>err.txt
    status=$?
    same "-o: killed by $1" "$1" "$([ $status -le 128 ] || kill -l $status)"
    : >ended
    wait
    same "-o: a temporary file is there meanwhile, $1" 2 "$(cat meanwhile.txt)"
    same "-o: an interrupted run leaves nothing, $1" pairs.csv "$(ls out)"
}
for signal in HUP INT QUIT ABRT USR1 PIPE ALRM TERM XCPU SYS; do
    killed $signal
done

finish interrupted
