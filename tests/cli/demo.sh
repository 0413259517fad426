#!/bin/sh
# SPDX-License-Identifier: MIT
# abut selftest and demo.
# usage: ABUT="path of abut" demo.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

if [ -n "$slow" ]; then
    skip "selftest and demo: an emulator or a sanitizer is too slow"
    finish demo
    exit
fi

abut selftest --isa scalar --quiet >selftest.txt
same "selftest: exit" 0 $?
same "selftest: the instruction set of --isa" 'instruction sets: scalar' "$(head -n 1 selftest.txt)"
predicates='[1-9][0-9]* of [0-9]* predicates and [0-9]* searches against exact arithmetic'
grep -q "^answers: $predicates, and [1-9][0-9]* of [0-9]* distances and neighbours against .*, 0 wrong\$" selftest.txt
same "selftest: $(tail -n 1 selftest.txt)" 0 $?

abut demo --files scene >demo.txt
same "demo: exit" 0 $?
same "demo: what is wrong comes first" 'wrong       plain floats, which round, get ' "$(sed -n '1s/[1-9][0-9,]* .*//p' demo.txt)"
same "demo --files" '22047' "$(abut join scene/spheres.csv scene/boxes.csv --count)"
grep -q '^  *index  .* s to find the pairs, by [1-9][0-9]* thread' demo.txt
same "demo: times of the index" 0 $?
sed -n 's/^next *\(abut join .*\) *#.*/\1/p' demo.txt >next.txt
same "demo: what to try next" 1 "$(wc -l <next.txt)"
sh -c "$ABUT $(cut -d ' ' -f 2- next.txt)" && same "demo: it works" 22048 "$(wc -l <pairs.csv)"
grep -q '^scene       20,000 spheres and as many boxes: 400,000,000 pairs$' demo.txt
same "demo: scene" 0 $?
same "demo: pairs" 'touching    22,047 pairs, of which 1,000 touch exactly' "$(grep '^touching' demo.txt)"
grep -q '^  *100 by exact arithmetic$' demo.txt
same "demo: exact stage" 0 $?
grep -q '^agreement   all instruction sets and the index give the same pairs$' demo.txt
same "demo: agreement" 0 $?
for isa in $isas; do
    grep -q "^  *$isa .* times the plain loop's speed\$" demo.txt
    same "demo: speed of $isa" 0 $?
done

expect "demo --files where the report goes" 1 '' \
    'abut: the scene and the report cannot both go to scene/boxes.csv|' abut demo --files scene -o ./scene/boxes.csv

touch file
expect "demo --files, no directory" 1 '' 'abut: cannot write file/spheres.csv: Not a directory|' abut demo --files file

finish demo
