#!/bin/sh
# SPDX-License-Identifier: MIT
# Command lines that are refused, --isa and ABUT_ISA, and the order of options and files.
# usage: ABUT="path of abut" usage.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

# refused MESSAGE ARGUMENT...: the command ends with exit code 2
refused() {
    message=$1
    shift
    expect "refused: abut $*" 2 '' "abut: $message|" abut "$@"
}
list=$(echo "$isas" | sed 's/ /, /g')
refused "which command? (abut --help lists them)"
refused "there is no command 'jion': did you mean join?" jion
refused "there is no command 'neerest': did you mean nearest?" neerest
refused "there is no command 'cull' (abut --help lists them)" cull spheres.csv
refused "there is no command 'jion': did you mean join?" help jion
refused "there is no command 'jion': did you mean join?" jion --help
refused "there is no command '$(printf '%0500d' 0)' (abut --help lists them)" $(printf '%0500d' 0)
refused "help takes one command at a time" help join self
refused "join takes two files: abut join A B" join
refused "join takes two files: abut join A B" join spheres.csv
refused "join takes two files: abut join A B" join spheres.csv boxes.csv boxes.csv
refused "zip takes two files: abut zip A B" zip spheres.csv
refused "distance takes two files: abut distance A B" distance points.csv
refused "distance does not take --count" distance points.csv boxes.csv --count
refused "distance does not take --touch" distance points.csv boxes.csv --touch open
refused "self takes one file: abut self A" self
refused "self takes one file: abut self A" self spheres.csv boxes.csv
refused "demo takes no files" demo spheres.csv
refused "only one of two files can be standard input" join - -
refused "there is no option --frobnicate (abut --help lists them)" join --frobnicate spheres.csv boxes.csv
refused "there is no option --counts: did you mean --count?" join --counts spheres.csv boxes.csv
refused "there is no option --tuoch: did you mean --touch?" join --tuoch=open spheres.csv boxes.csv
refused "there is no option -x (abut --help lists them)" self -x spheres.csv
refused "there is no option -t (abut --help lists them)" self -touch open spheres.csv
refused "--kind may be --kind-a or --kind-b" join --kind spheres spheres.csv boxes.csv
refused "--t may be --touch, --target, --ties or --threads" join --t=2 spheres.csv boxes.csv
refused "--count takes no value" join --count=1 spheres.csv boxes.csv
refused "--touch needs a value: RULE" join spheres.csv boxes.csv --touch
refused "-o needs a value: FILE" join spheres.csv boxes.csv -o
refused "-o takes FILE, not ''" demo -o ''
refused "--touch takes closed or open, not 'ajar'" join --touch ajar spheres.csv boxes.csv
refused "--predicate takes touches, inside, contains, exact or cull, not 'near'" \
    join --predicate near spheres.csv boxes.csv
refused "--class does not go with --count" zip spheres.csv boxes.csv --class --count
refused "cannot write x.npy: zip writes text, no arrays" zip spheres.csv boxes.csv -o x.npy
refused "cannot write x.NPY: zip writes text, no arrays" zip spheres.csv boxes.csv -o x.NPY
refused "cannot write x.npy: distance writes text, no arrays" distance points.csv boxes.csv -o x.npy
refused "cannot write .npy: frustum writes text, no arrays" frustum -o.npy
refused "cannot write x.npy: --count writes text, no arrays" self spheres.csv --count -o x.npy
refused "cannot write x.npy: --count writes text, no arrays" nearest points.csv boxes.csv -o x.npy --count
refused "cannot write x.npy: --distance writes text, no arrays" nearest points.csv boxes.csv -o x.npy --distance
for ending in json JSON parquet tsv csv.gz obj; do
    refused "cannot write x.$ending: the output is CSV text, JSON lines (.jsonl), or an array (.npy)" \
        join spheres.csv boxes.csv -o x.$ending
done
expect "an ending that says nothing" 0 '8|' '' sh -c "$ABUT join spheres.csv boxes.csv --count -o x.json.old; cat x.json.old"
refused "cannot write boxes.csv: it is the input boxes.csv" join spheres.csv boxes.csv -o boxes.csv
ln -s spheres.csv same.csv
refused "cannot write ./same.csv: it is the input spheres.csv" join spheres.csv boxes.csv -o ./same.csv
expect "-o over standard input" 2 '' "abut: cannot write spheres.csv: it is the input -|" \
    sh -c "$ABUT self - -o spheres.csv <spheres.csv"
refused "cannot write boxes.csv: it is the input boxes.csv" join spheres.csv boxes.csv --svg boxes.csv
printf '1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n' >matrix.txt
refused "cannot write ./matrix.txt: it is the input matrix.txt" frustum --matrix matrix.txt -o ./matrix.txt
strange=$(printf 'a\nb\tc\033[31m\302\233\303\244.csv')
expect "control characters in the name of a file" 1 '' \
    "abut: cannot read a\\nb\\tc\\x1b[31m\\x9b$(printf '\303\244').csv: No such file or directory|" abut self "$strange"
printf 'x,y,z,r\n1,1,1,-1\n' >"$strange"
expect "control characters in the name of an invalid file" 1 '' \
    "a\\nb\\tc\\x1b[31m\\x9b$(printf '\303\244').csv:2: r: is negative|" abut self "$strange"
refused "--distance does not go with --count" nearest points.csv boxes.csv --distance --count
refused "join does not take --distance" join points.csv boxes.csv --distance
refused "self does not take --kind-b" self spheres.csv --kind-b spheres
refused "info does not take --count" info --count
refused "demo does not take --skip-bad" demo --skip-bad
refused "selftest does not take --touch" selftest --touch open
refused "--isa: mmx is no instruction set; here run $list" self spheres.csv --isa mmx
refused "--isa:  is no instruction set; here run $list" self spheres.csv --isa=
for isa in $(sed -nE 's/^INSTRUCTION_SET.([a-z0-9]+),.*/\1/p' "$here/../../src/tables/isas.def"); do
    case " $isas " in
    *" $isa "*)
        expect "--isa $isa" 0 '8|' '' abut join spheres.csv boxes.csv --count --isa $isa
        expect "--isa $isa is active" 0 "active: $isa|" '' sh -c "$ABUT info --isa $isa | grep active"
        expect "ABUT_ISA=$isa" 0 "active: $isa|" '' sh -c "ABUT_ISA=$isa $ABUT info | grep active"
        expect "--isa $isa overrides ABUT_ISA" 0 "active: $isa|" '' \
            sh -c "ABUT_ISA=nonsense $ABUT info --isa $isa | grep active"
        ;;
    *) refused "--isa: $isa cannot run on this machine; here run $list" join spheres.csv boxes.csv --isa $isa ;;
    esac
done
expect "ABUT_ISA that does not exist" 2 '' "abut: ABUT_ISA: mmx is no instruction set; here run $list|" \
    sh -c "ABUT_ISA=mmx $ABUT self spheres.csv"
expect "ABUT_ISA empty" 0 '8|' '' sh -c "ABUT_ISA= $ABUT join spheres.csv boxes.csv --count"
expect "-- ends the options" 0 '8|' '' sh -c "cp spheres.csv ./--count; $ABUT join --count -- --count boxes.csv"
expect "options cut short, with their values, behind the files" 0 '8|' '' \
    abut join spheres.csv boxes.csv --cou --tou=closed
expect "options behind files, whatever the environment" 0 '8|' '' \
    sh -c "POSIXLY_CORRECT=1 $ABUT join spheres.csv boxes.csv --count"
expect "the last of an option holds" 0 '8|' '' \
    abut join spheres.csv boxes.csv --count --touch open --touch closed

finish usage
