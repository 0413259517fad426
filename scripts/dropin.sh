#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the release archive of drop-in sources, which need no SIMDe and no flags of single files (scripts/dropin.py).
# usage: scripts/dropin.sh                 makes build/dropin/abut-VERSION-dropin.tar.gz
#        scripts/dropin.sh test VECTORS    and tests it, on vectors that make_vectors wrote; ends with counts
set -eu
cd "$(dirname "$0")/.."

build=$PWD/build/dropin
version=$(sed -n 's/^#define ABUT_VERSION "\(.*\)"$/\1/p' include/abut/abut.h)
name=abut-$version-dropin
mkdir -p "$build"
rm -rf "${build:?}/$name"
scripts/dropin.py "$build/$name"
tar -C "$build" --sort=name --owner=0 --group=0 --numeric-owner --mtime='2000-01-01 00:00Z' -czf \
    "$build/$name.tar.gz" "$name"
echo "$build/$name.tar.gz"
[ "${1-}" = test ] || exit 0
vectors=$(realpath "${2:?a file of vectors}")

# ccache compiles only what changed.
launcher=$(command -v ccache || :)
passed=0 failed=0
log=$build/log

# check TEXT COMMAND...
check() {
    text=$1
    shift
    if "$@" >"$log" 2>&1 </dev/null; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $text: $*"
        tail -n 20 "$log"
        return 1
    fi
}

# What is tested is the archive: as its README says, with the same flags for all files.
unpack() {
    rm -rf "$build/unpacked"
    mkdir "$build/unpacked"
    tar -C "$build/unpacked" -xzf "$build/$name.tar.gz"
    archive=$build/unpacked/$name
    ! grep -rn 'include *<simde' "$archive"
}

# compile FOLDER COMPILER FLAGS...
compile() {
    folder=$1
    shift
    rm -rf "$folder"
    mkdir "$folder"
    (cd "$archive" && find src -name '*.c' | xargs -P "$(nproc)" -I'{}' sh -c \
        'source=$1 folder=$2; shift 2; "$@" -Iinclude -c "$source" -o "$folder/$(basename "$source" .c).o"' \
        _ '{}' "$folder" $launcher "$@")
    ar rcs "$folder/libabut.a" "$folder"/*.o
    [ "$(find "$archive/src" -name '*.c' | wc -l)" -eq "$(ar t "$folder/libabut.a" | wc -l)" ]
}

# The tests that compare answers with known ones, on top of the archive's files.
link() {
    folder=$1
    shift
    wraps=$(sed -n 's/^WRAP([a-z]*, \([a-z_]*\),.*/-Wl,--wrap=\1/p' tests/in_mode.c)
    support=$(sed -n '/^add_library(abut_test_support /,/)/p' tests/CMakeLists.txt | tr ' )' '\n\n' | grep '\.c$')
    for program in golden check_vectors; do
        (cd tests && $launcher "$@" -std=c11 -D_POSIX_C_SOURCE=200809L -I"$archive/include" -I"$archive/src" -I. -I../src \
            -o "$folder/$program" $program.c $support $wraps -Wl,--wrap=pthread_create \
            "$folder/libabut.a" -lpthread -lm) || return 1
    done
    "$@" -I"$archive/include" -o "$folder/quickstart" examples/quickstart.c "$folder/libabut.a" -lm
}

quickstart() {
    [ "$("$@" | sed -n 2p)" = "box 1: touches" ]
}

# refuses COMPILER FLAG
refuses() {
    ! "$1" "$2" -I"$archive/include" -fsyntax-only "$archive/src/api/status.c" 2>"$log.refused" &&
        grep -q '#error\|error:' "$log.refused"
}

# answers TEXT RUNNER... : what was built gives the right answers, with every instruction set that the machine runs
answers() {
    text=$1
    shift
    check "golden hashes, $text" "$@" "$folder/golden" || :
    check "vectors, $text" "$@" "$folder/check_vectors" "$vectors" || :
    check "example, $text" quickstart "$@" "$folder/quickstart" || :
}

# builds TEXT COMPILER FLAGS...
builds() {
    text=$1
    shift
    folder=$build/$(echo "$text" | tr -c 'a-z0-9\n' '-')
    check "compiles, $text" compile "$folder" "$@" && check "links, $text" link "$folder" "$1" "-O1"
}

check "the archive needs no SIMDe" unpack
for compiler in gcc clang; do
    check "$compiler refuses -ffast-math" refuses $compiler -ffast-math || :
    check "$compiler refuses -Ofast" refuses $compiler -Ofast || :
done
if builds "gcc" gcc -O2 -Wall -Wextra -Werror; then
    answers "gcc"
fi
if builds "clang, C11" clang -std=c11 -O2 -Wall -Wextra -Wpedantic -Werror; then
    answers "clang"
fi
if [ "$(uname -m)" = x86_64 ] && builds "aarch64" aarch64-linux-gnu-gcc -O2 -Wall -Wextra -Werror; then
    answers "aarch64" qemu-aarch64 -L /usr/aarch64-linux-gnu
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
