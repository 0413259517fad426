#!/bin/sh
# SPDX-License-Identifier: MIT
# Progress: shown on a terminal only, and only for long work.
# usage: ABUT="path of abut" progress.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

if [ -n "$emulated" ]; then
    skip "progress: an emulator is too slow"
    finish progress
    exit
fi
make_endless

# Progress is shown after a second of work. Two seconds of processor time are more than that on a busy machine, too. A
# shell may add a message of its own ("Killed") to what the command prints, so only lines of progress are counted.
lines_of_progress() {
    grep -c 'comparing'
}
same "no progress in a pipe" 0 "$(sh -c "ulimit -t 2; exec $endless -o long.csv 2>&1" 2>&1 | lines_of_progress)"

# terminal COMMAND: its output and its errors go to a pseudo-terminal, and from there to standard output
terminal() {
    script -qec "$1" /dev/null </dev/null
}
# shows PATTERN COMMAND: waits until the command shows a line of that pattern on a terminal, and ends it. A command that
# shows none is killed after 100 seconds of processor time.
shows() {
    rm -f ended
    : >screen.txt
    {
        terminal "sh -c 'ulimit -t 100; echo \$\$ >pid; exec $2'" >screen.txt 2>&1
        : >ended
    } &
    until grep -q "$1" screen.txt || [ -e ended ]; do
        sleep 0.1
    done
    [ -e ended ] || kill "$(cat pid)"
    wait
    grep -q "$1" screen.txt
}
if ! command -v script >/dev/null || ! terminal 'test -t 2' >/dev/null 2>&1; then
    skip "progress on a terminal: there is no script command, or it can make no pseudo-terminal"
    finish progress
    exit
fi
shows 'comparing *[0-9]* %, [0-9.e+]* [kMGT]*rows/s, [0-9]*:[0-9][0-9] left' "$endless -o long.csv"
same "progress on a terminal" 0 $?
same "no progress with --quiet" 0 \
    "$(terminal "sh -c 'ulimit -t 2; exec $endless -o long.csv --quiet'" | lines_of_progress)"
# Only a run within one second of the clock was short for sure; a busy machine may need several runs for that.
until
    second=$(date +%s)
    output=$(terminal "$ABUT join spheres.csv boxes.csv --count" | tr -d '\r\n')
    [ "$(date +%s)" -eq "$second" ]
do :; done
same "no progress for short work" 8 "$output"
if is_32_bit; then
    skip "progress of arrays: a 32-bit command reads no file of 16 GB"
    finish progress
    exit
fi
# A file of 16 GB that takes no space; the command reads its first seconds only.
npy_raw long.npy 1 "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000, 4)}"
if truncate -s $((16000000000 + $(wc -c <long.npy))) long.npy 2>/dev/null; then
    shows 'long.npy *[0-9]* %, [0-9.e+]* [kMGT]*B/s, .* left' "$ABUT join long.npy spheres.csv --kind-a spheres --count"
    same "progress while a long array is checked" 0 $?
else
    skip "progress of arrays: the file system takes no sparse file of 16 GB"
fi

finish progress
