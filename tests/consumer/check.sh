#!/bin/sh
# Installs abut, static and shared, moves the tree and uses it from other projects: check.sh BUILD_FOLDER
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
build=$(cd "$1" && pwd)
log=$build/log
# CMake's own choice is make, which a machine may lack.
export CMAKE_GENERATOR=Ninja
passed=0 failed=0

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
    fi
}

# consumes LANGUAGE WAY ARGUMENTS...: builds the consumer and runs it
consumes() {
    folder=$build/consumer-$1-$2
    rm -rf "$folder"
    # Where the consumer builds the library, one instruction set is enough.
    cmake -S "$source/tests/consumer" -B "$folder" -DLANGUAGE="$1" -DWAY="$2" -DCMAKE_PREFIX_PATH="$stage" \
        -DABUT_ISAS=sse &&
        cmake --build "$folder" &&
        "$folder/consumer" && { [ "$1" = C ] || "$folder/consumer_hpp"; }
}

finds_version() {
    cmake -S "$source/tests/consumer" -B "$build/version" --fresh -DLANGUAGE=C -DWAY=find_package \
        -DCMAKE_PREFIX_PATH="$stage" -DVERSION="$1"
}

refuses_version() {
    ! finds_version "$1" && grep -q "requested version \"$1\"" "$log"
}

has_no_path_of_its_own() {
    ! grep -rF -e "$source" -e "$build" "$stage"
}

adds_only_the_library() {
    (cd "$1" && ctest -N) | grep -q 'Total Tests: 0' &&
        ! cmake --build "$1" --target help | grep -E 'abut_(cli|internal|emulated|unchecked|plain)' &&
        cmake --install "$1" --prefix "$build/nothing" && [ ! -e "$build/nothing" ]
}

version=$(sed -n 's/^#define ABUT_VERSION "\(.*\)"$/\1/p' "$source/include/abut/abut.h")
minor=${version%.*}

for shared in OFF ON; do
    library=$build/library-$shared
    stage=$build/stage-$shared
    rm -rf "$stage" "$stage.first"
    # The same flags as in other builds, so that ccache has the objects.
    isas=
    [ $shared = OFF ] || isas=sse
    check "builds, shared $shared" cmake -S "$source" --preset dev -B "$library" -DBUILD_SHARED_LIBS=$shared \
        -DABUT_ISAS=$isas -DABUT_BUILD_TESTS=OFF -DABUT_BUILD_EXAMPLES=OFF -DCMAKE_INSTALL_INCLUDEDIR="all headers"
    check "builds, shared $shared" cmake --build "$library"
    check "installs, shared $shared" cmake --install "$library" --prefix "$stage.first"
    check "the tree moves" mv "$stage.first" "$stage"
    check "the tree names no folder of the build" has_no_path_of_its_own

    PKG_CONFIG_PATH=$(dirname "$(find "$stage" -name abut.pc)")
    export PKG_CONFIG_PATH
    for language in C CXX; do
        for way in find_package pkg_config; do
            check "$language with $way, shared $shared" consumes $language $way
        done
    done
    check "pkg-config's version" [ "$(pkg-config --modversion abut)" = "$version" ]
    check "the command's version" [ "$("$stage/bin/abut" --version)" = "abut $version" ]
    check "this version is found" finds_version "$minor"
    check "another version is not" refuses_version 99.0
    check "the manual page" mandoc -T lint -W warning "$(find "$stage" -name abut.1)"
    check "completion in bash" bash -c '. "$1" && complete -p abut' bash "$stage/share/bash-completion/completions/abut"
    check "completion in zsh" [ -s "$stage/share/zsh/site-functions/_abut" ]
done
check "the shared library's name" [ -L "$(dirname "$PKG_CONFIG_PATH")/libabut.so.$minor" ]

needs_cpp17() {
    echo '#include <abut/abut.hpp>' >"$build/old.cc"
    for compiler in g++ clang++; do
        ! $compiler -std=c++14 -I"$source/include" -fsyntax-only "$build/old.cc" >"$build/errors" 2>&1 &&
            grep -q 'abut.hpp needs C++17' "$build/errors" && [ "$(grep -c ' error: ' "$build/errors")" -eq 1 ] ||
            return 1
    done
}
check "abut.hpp before C++17 is one error" needs_cpp17

unset PKG_CONFIG_PATH
stage=$build/none
for language in C CXX; do
    check "$language with add_subdirectory" consumes $language add_subdirectory
done
check "C with FetchContent" consumes C FetchContent
check "a subproject adds only the library" adds_only_the_library "$build/consumer-C-add_subdirectory"

# As FetchContent adds it: a debug build, with link-time optimisation, of a shared library with chosen instruction sets.
# One predicate is enough for its flags, and compiles in seconds.
isas="scalar"
[ "$(uname -m)" != x86_64 ] || isas="sse scalar"
subproject() {
    cmake -S "$source/tests/consumer" -B "$build/debug" --fresh -DLANGUAGE=C -DWAY=add_subdirectory \
        -DCMAKE_BUILD_TYPE=Debug -DBUILD_SHARED_LIBS=ON -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON \
        -DABUT_PREDICATES=sphere_aabb "-DABUT_ISAS=$(echo "$isas" | sed 's/ *scalar//')" \
        -DCMAKE_EXPORT_COMPILE_COMMANDS=ON &&
        cmake --build "$build/debug" && "$build/debug/consumer"
}
kernels_are_optimised() {
    grep 'src/isa/scalar.c' "$build/debug/compile_commands.json" | grep -q -e '-O3.*-fno-lto'
}
installs_its_library() {
    rm -rf "$build/installed"
    cmake --install "$build/debug" --prefix "$build/installed" && [ -n "$(find "$build/installed" -name 'libabut.so*')" ]
}
# Casts take no predicate, so they answer whatever a build leaves out.
casts_among_hulls() {
    gcc -std=c99 -Wall -Wextra -Wpedantic -Werror -I"$source/include" -o "$build/debug/casts" \
        "$source/tests/consumer/casts.c" -L"$build/debug/abut" -labut -Wl,-rpath,"$build/debug/abut" -lm &&
        "$build/debug/casts"
}
check "a debug build with link-time optimisation" subproject
check "casts among hulls without predicates of hulls" casts_among_hulls
check "its kernels are optimised, and left out of link-time optimisation" kernels_are_optimised
check "a parent installs the shared library" installs_its_library
check "the chosen instruction sets" \
    [ "$(nm -C "$build/debug/abut/libabut.so" | sed -n 's/^.* abut_kernels_\([a-z0-9]*\)$/\1/p' | sort | paste -sd' ')" = \
    "$(echo "$isas" | tr ' ' '\n' | sort | paste -sd' ')" ]
no_such_isa() {
    ! cmake -S "$source" -B "$build/none" --fresh -DABUT_ISAS=avx3 && grep -q "there is no instruction set avx3" "$log"
}
check "an instruction set that does not exist" no_such_isa

# Some of the predicates, which are much less code.
chosen="sphere_aabb;capsule_hull;aabb_in_hull"
chosen_predicates() {
    cmake -S "$source" -B "$build/chosen" --fresh -DABUT_BUILD_CLI=OFF -DABUT_BUILD_TESTS=OFF \
        -DABUT_BUILD_EXAMPLES=OFF -DCMAKE_COMPILE_WARNING_AS_ERROR=ON "-DABUT_PREDICATES=$1" &&
        cmake --build "$build/chosen"
}
links() {
    gcc -std=c99 -Wall -Wextra -Wpedantic -Werror -I"$source/include" -o "$build/chosen/program-$1" "$2" \
        "$build/chosen/libabut.a" -lm -Wl,--gc-sections
}
others_are_left_out() {
    nm "$build/chosen/program-chosen" >"$log" && grep -q ' sphere_aabb_zip$' "$log" &&
        ! grep -q ' sphere_sphere_zip$' "$log"
}
no_such_predicate() {
    ! chosen_predicates sphere_cube && grep -q "there is no predicate sphere_cube" "$log"
}
has_no_world() {
    printf '#include <abut/world.h>\nint main(void) { return (int)abut_world_new(0, NULL, NULL); }\n' >"$build/world.c"
    ! links world "$build/world.c" && grep -q 'undefined reference to .abut_world_new' "$log"
}
check "builds with the predicates $chosen" chosen_predicates "$chosen"
check "links with them" links chosen "$source/tests/consumer/chosen.c"
check "these answer, and the others are errors" "$build/chosen/program-chosen"
check "the others are left out" others_are_left_out
check "worlds, which need all, are left out" has_no_world
check "a predicate that does not exist" no_such_predicate

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
