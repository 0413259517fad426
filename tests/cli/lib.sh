# SPDX-License-Identifier: MIT
# What the shell tests of the command share: running it, comparing, counting. $ABUT is the command, perhaps with an
# emulator before it.
passed=0
failed=0
skipped=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# A sanitizer looks for leaks as long as most commands take: after one of $LEAKS_OF, by default four.
leaks_of=${LEAKS_OF-4}
export ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=$((leaks_of == 1))"
runs=0
abut() {
    runs=$((runs + 1))
    # Not quoted: an emulator and its options are words of their own.
    ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=$((runs % leaks_of == 0))" $ABUT "$@"
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

# Sets joined to the lines of standard input, each with "|" for its end. The shell does it alone: a process each time
# would take longer than some commands.
join_lines() {
    joined=
    while IFS= read -r line; do
        joined="$joined$line|"
    done
    joined=$joined$line
}

# expect NAME CODE STDOUT STDERR COMMAND...: runs it and compares all three; lines are joined by "|".
expect() {
    name=$1 code=$2 out=$3 err=$4
    shift 4
    got=0
    "$@" >"$work/.out" 2>"$work/.err" || got=$?
    join_lines <"$work/.out"
    got_out=$joined
    join_lines <"$work/.err"
    same "$name" "exit $code, output '$out', errors '$err'" "exit $got, output '$got_out', errors '$joined'"
}

# finish NAME: the last line of a script. Exit status 77: all tests were skipped.
finish() {
    echo "$1: $passed passed, $failed failed"
    [ "$failed" -eq 0 ] || return 1
    [ "$passed" -gt 0 ] || return 77
}
