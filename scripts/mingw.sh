#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the library for 64-bit Windows with MinGW, and runs examples and tests of answers in Wine. Ends with counts.
set -eu
cd "$(dirname "$0")/.."

build=$PWD/build/mingw
mkdir -p "$build/include"
passed=0 failed=0

# check TEXT COMMAND...
check() {
    text=$1
    shift
    if "$@" >"$build/log" 2>&1 </dev/null; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $text: $*"
        tail -n 20 "$build/log"
    fi
}

windows() {
    WINEPREFIX=$build/wine WINEDEBUG=-all wine "$@"
}

# prints REGEX PROGRAM...: the program prints a line with it
prints() {
    wanted=$1
    shift
    windows "$@" | tr -d '\r' | tee "$build/printed"
    grep -Eq "$wanted" "$build/printed"
}

program() {
    x86_64-w64-mingw32-gcc -std=c11 -O1 -Wall -Wextra -Werror -Iinclude -o "$build/$1.exe" "$2" "$build/libabut.a" -lm
}

# Other headers of this machine are not those of Windows.
ln -sfn /usr/include/simde "$build/include/simde"
check "configures" cmake -S . -B "$build" -G Ninja -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_SYSTEM_PROCESSOR=x86_64 \
    -DCMAKE_C_COMPILER=x86_64-w64-mingw32-gcc -DCMAKE_BUILD_TYPE=Release -DSIMDE_INCLUDE_DIR="$build/include" \
    -DABUT_BUILD_CLI=OFF -DABUT_BUILD_TESTS=OFF -DABUT_BUILD_EXAMPLES=OFF
check "builds" cmake --build "$build" --target abut
for name in quickstart cull world; do
    check "builds $name" program $name examples/$name.c
done
check "builds the tests of answers" program portable tests/portable.c
check "quickstart" prints "box 1: touches" "$build/quickstart.exe"
check "cull" prints "lamp +47 +0  14" "$build/cull.exe"
check "world" prints "step 7: 24 began, 25 ended, 1072 touch" "$build/world.exe"
check "every predicate on every instruction set" prints "predicates, 0 failures" "$build/portable.exe"
cat "$build/printed"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
