# SPDX-License-Identifier: MIT
# What the shell tests of the command share: running it, comparing, counting. $ABUT is the command, perhaps with an
# emulator before it.
passed=0
failed=0
skipped=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

abut() {
    # Not quoted: an emulator and its options are words of their own.
    $ABUT "$@"
}

pass() {
    passed=$((passed + 1))
}

fail() {
    failed=$((failed + 1))
    echo "FAIL $*"
}

skip() {
    skipped=$((skipped + 1))
    echo "skipped: $*"
}

# same NAME EXPECTED GOT
same() {
    if [ "$2" = "$3" ]; then
        pass
    else
        fail "$1"
        printf '  expected: %s\n  got:      %s\n' "$2" "$3"
    fi
}

# expect NAME CODE STDOUT STDERR COMMAND...: runs it and compares all three; lines are joined by "|".
expect() {
    name=$1 code=$2 out=$3 err=$4
    shift 4
    got=0
    "$@" >"$work/.out" 2>"$work/.err" || got=$?
    same "$name" "exit $code, output '$out', errors '$err'" \
        "exit $got, output '$(tr '\n' '|' <"$work/.out")', errors '$(tr '\n' '|' <"$work/.err")'"
}

finish() {
    echo "$1: $passed passed, $failed failed"
    [ "$failed" -eq 0 ]
}
