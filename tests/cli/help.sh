#!/bin/sh
# SPDX-License-Identifier: MIT
# abut --help, --version and info, and the manual page.
# usage: ABUT="path of abut" [FLUSHES="a library that is loaded before it"]
#     [HARDENED="path of abut, which is hardened"] help.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

manual=$here/../../src/cli/abut.1
version=$(abut info | sed -n 's/^version: //p')
expect "--version" 0 "abut $version|" '' abut --version
expect "--version behind a command" 0 "abut $version|" '' abut join --version
abut --help >help.txt
same "--help: exit" 0 $?
for same in -h help 'help --help'; do
    abut $same | cmp -s - help.txt
    same "$same is --help" 0 $?
done
for command in $(sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' help.txt); do
    abut help $command >page.txt
    same "help $command: exit" 0 $?
    for same in "$command --help" "$command -h" "-h $command"; do
        abut $same | cmp -s - page.txt
        same "$same is help $command" 0 $?
    done
    same "help $command: usage and example" "usage: abut $command|  abut $command" \
        "$(grep -o "^\(usage: \|  \)abut $command" page.txt | paste -sd'|' -)"
    same "help $command: 80 columns" 0 "$(awk 'length > 80' page.txt | wc -l)"
done
abut help zip >page.txt
same "help zip: options that it takes" '0 1' "$(grep -c -e ' --svg ' page.txt) $(grep -c -e ' --class ' page.txt)"
same "--help: no long lines" 0 "$(awk 'length > 100' help.txt | wc -l)"
for word in join zip distance self demo info selftest -o --touch --predicate --count --kind-a --kind-b --isa \
    --skip-bad --quiet --help --version; do
    grep -q -e "^  $word " help.txt
    same "--help names $word" 0 $?
done
for word in qx,qy,qz,qw CSV NPY PLY .obj; do
    same "--help mentions $word" 1 "$(grep -o -F -e "$word" help.txt | sort -u | wc -l)"
done
sed -n '/^kinds of files/,/^$/p' help.txt | sed 1d | while read -r kind fields; do
    [ -n "$kind" ] || continue
    sed -n "/^\\.It $kind\$/{n;p;}" "$manual" | tr ' ' ',' | grep -qx "$fields" || echo "$kind"
done >undocumented.txt
same "the manual page has every kind as --help has it" '' "$(cat undocumented.txt)"
for word in $(sed -n 's/^  -*\([a-z-]*\) .*/\1/p' help.txt); do
    grep -q -e "\\b$word\\b" "$manual"
    same "the manual page names $word" 0 $?
done
abut info >info.txt
same "info: lines" 'version|instruction sets|active|kinds|files' \
    "$(cut -d: -f1 info.txt | paste -sd'|' -)"
case " $isas " in
*" $(sed -n 's/^active: //p' info.txt) "*) pass ;;
*) fail "info: the active instruction set does not run here" ;;
esac
if [ -n "${FLUSHES-}" ]; then
    printf 'x,y,z\n-3,3,0\n' >corner.csv
    printf 'minx,miny,minz,maxx,maxy,maxz\n-3,3,0,-2,6,2\n' >above.csv
    same "the command does not inherit a floating-point mode" 1 \
        "$(LD_PRELOAD=$FLUSHES $ABUT join corner.csv above.csv --count)"
fi
# A program that binds all functions when it starts can have its table of them read-only.
if [ -n "${HARDENED-}" ] && command -v readelf >/dev/null; then
    readelf -d "$HARDENED" >dynamic.txt
    same "immediate binding" 1 "$(grep -c -e BIND_NOW -e 'Flags:.*NOW' dynamic.txt | awk '{ print ($1 > 0) }')"
    same "a stack protector" yes "$(readelf -sW "$HARDENED" | grep -q __stack_chk_fail && echo yes || echo no)"
    same "fortified functions" yes "$(readelf -sW "$HARDENED" | grep -q '__[a-z]*printf_chk' && echo yes || echo no)"
fi
abut info -o info2.txt && cmp -s info.txt info2.txt
same "info -o" 0 $?

finish help
