#!/bin/sh
# SPDX-License-Identifier: MIT
# Known answers on real data: every row of expected_float32.csv whose kinds exist, on each instruction set here.
# usage: ABUT="path of abut" [ABUT_DATA_DIR=folder] real_data.sh
# Exit status 77: the data is not here.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
unset ABUT_ISA
data=${ABUT_DATA_DIR:-$here/../../../shared/data}
expected=$data/expected_float32.csv
if [ ! -r "$expected" ]; then
    echo "real_data: skipped, there is no expected_float32.csv (set ABUT_DATA_DIR)"
    exit 77
fi
kinds=$(abut info | sed -n 's/^kinds: //p')
isas=$(abut info | sed -n 's/^instruction sets: //p')

has_kind() {
    case " $kinds " in
    *" $1 "*) return 0 ;;
    esac
    return 1
}

# The command line of a row, or which kind it waits for.
command_of() {
    case $3 in
    "sphere touches AABB") echo "join $data/$1.csv $data/$2.csv" ;;
    "sphere touches sphere" | "AABB touches AABB") echo "self $data/$1.csv" ;;
    "sphere touches OBB") echo "join $data/$1.csv $data/${2%% with*}.csv --by scene" ;;
    *"against hull: planes") echo "join $data/$1.csv $data/$2.csv --normals inward --predicate cull" ;;
    *"against hull: "*) echo "join $data/$1.csv $data/$2.csv --normals inward --predicate ${3##*: }" ;;
    *) echo "needs ?" ;;
    esac
}

# check ROW HITS HASH COMMAND...: these sets are small enough that the command by itself might not use an index.
check() {
    row=$1 hits=$2 hash=$3
    shift 3
    for isa in $isas; do
        for how in "all" "index --threads 1" "index --threads 2" "index --threads 5"; do
            # Not quoted: a method and its threads.
            abut "$@" --isa "$isa" --method $how -o "$work/pairs.csv" || fail "$row, $isa, $how: exit"
            same "$row, $isa, $how" "$hits pairs, hash $hash" "$(tail -n +2 "$work/pairs.csv" | wc -l) pairs, hash $(
                tail -n +2 "$work/pairs.csv" | sha256sum | cut -c 1-16)"
        done
    done
    same "$row, counted by index" "$hits" "$(abut "$@" --method index --count)"
    same "$row, counted" "$hits" "$(abut "$@" --count)"
}

# The file with tabs for commas; the only quoted field is "itself, i < j".
tail -n +2 "$expected" | tr -d '\r' | sed 's/"itself, i < j"/itself/; s/,/	/g' >"$work/rows"
tab=$(printf '\t')
while IFS=$tab read -r a b predicate touch hits ties exact hash; do
    row="$a and $b, $predicate, $touch"
    command=$(command_of "$a" "$b" "$predicate")
    kind=${command#needs }
    if [ "$kind" = "$command" ]; then
        # Not quoted: it is a command and its files.
        check "$row" "$hits" "$hash" $command --touch "$touch"
        case $command in
        join*)
            set -- $command
            first=$2 second=$3 question=
            shift 3
            case $* in
            *inside) question="--predicate contains" ;;
            esac
            same "$row, swapped" "$hits" "$(abut join "$second" "$first" "$@" $question --touch "$touch" --count)"
            ;;
        esac
    elif [ "$kind" = "?" ] || has_kind "$kind"; then
        fail "$row: $kind exist, but this script does not know how to ask"
    else
        skip "$row: there is no kind $kind"
    fi
done <"$work/rows"

[ "$passed" -gt 0 ] || fail "no row was checked"
echo "real_data: $skipped rows skipped"
finish real_data
