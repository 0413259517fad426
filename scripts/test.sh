#!/bin/sh
# SPDX-License-Identifier: MIT
# A menu of test stages; `scripts/test.sh --help` shows it. The last line counts the tests of all stages.
set -eu
cd "$(dirname "$0")/.."

usage() {
    cat <<'END'
usage: scripts/test.sh [STAGE...]

Without a stage, runs all stages not marked with *: half an hour to three quarters of one on two cores.
  gcc        build with gcc, warnings are errors, and run every test
  clang      build the tests of answers with clang and a shared library, and run them, with a share of the longest
  asan       clang, address and undefined behaviour sanitizers: a share of each test except real data and vectors, and a
             short run of the fuzzers
  tsan       thread sanitizer
  valgrind   memory errors and leaks, uninstrumented
  aarch64    native NEON under qemu, against answers made here; no tests of memory, threads and the command
  wasm       WebAssembly in Node: golden answers, and a share of the tests of kernels, exact arithmetic and index
  baseline   x86-64 without AVX, under qemu
  invariants scripts/check_invariants.sh
  install    other projects build with the installed library
  python     the Python package: a source distribution, a wheel of it, and the tests of the installed wheel
  npm        the npm package: packed, installed in an empty project, its example, every predicate and join there
             against native answers, and applications by Vite and esbuild (from the npm registry, with a Node for them)
  bench      build the benchmark, and run all of it briefly: implementations and joins give the right answers
  format     clang-format
* quick      what one runs while working: the instruction sets of this machine, without emulation, and the tests of
             answers, index and calls, without the command, real data, threads, other floating-point modes and fuzzers
* site       the site, built from nothing: its links, and the demonstration driven in Chromium against native answers
* opt        unoptimised, and at -O3
* fuzz       the fuzzers of the asan stage: kernels and index, and the command's readers of files
* msan       memory sanitizer: the command, its readers and the index, in scalar code
* tsan_cli   thread sanitizer: the tests of the command
* readers    ten minutes of files that NumPy and plain Python write, for the command to read
* cli        the tests of the command from the gcc stage
* data       the tests on real data from the gcc stage
* emulated   the gcc stage's tests of instruction sets, with all of them emulated; it has those that this machine lacks
* dropin     scripts/dropin.sh: the archive of drop-in sources with gcc and clang, and on AArch64 under qemu
* x86_32     32-bit x86 with SSE2: the tests of answers, index, memory and command, against answers made here
* windows    scripts/mingw.sh: the library for Windows, with MinGW and Wine
* symbols    the invariants about names
* avx512     scripts/avx512.sh: native AVX-512 on an emulated machine
* mutations  tests/mutations.sh: puts defects into the source, and the tests must notice each
* soak       fuzzers and random tests for half an hour

Python is /usr/bin/python3. Node is the first on the path, from 18 on, which Debian 12 has.
END
}

everything="gcc clang asan tsan valgrind aarch64 wasm baseline invariants install python npm bench format"
passed=0 failed=0 skipped=0
logs=$PWD/build/test
jobs=$(nproc)

# did PASSED FAILED
did() {
    passed=$((passed + $1))
    failed=$((failed + $2))
}

# check TEXT COMMAND...: one test
check() {
    text=$1
    shift
    if "$@" >"$log" 2>&1 </dev/null; then
        did 1 0
    else
        did 0 1
        tail -n 60 "$log"
        echo "FAILED $stage: $text: $*"
        return 1
    fi
}

# counted COMMAND...: a script whose last line reports the numbers of passed and failed tests
counted() {
    status=0
    "$@" >"$log" 2>&1 </dev/null || status=$?
    counts=$(sed -n '$ s/^\([0-9][0-9]*\) passed, \([0-9][0-9]*\) failed$/\1 \2/p' "$log")
    did ${counts:-0 0}
    [ "$status" -ne 0 ] || [ -z "$counts" ] || return 0
    tail -n 60 "$log"
    echo "FAILED $stage: $* ended with $status"
    case $counts in
    "" | *" 0") did 0 1 ;;
    esac
}

# build PRESET [TARGETS [OPTION...]]: once a run, from preset and options alone, without earlier settings of the folder
build() {
    preset=$1 targets=${2-all}
    shift $(($# < 2 ? $# : 2))
    case " $built " in
    *" $preset "*) return 0 ;;
    esac
    rm -f "build/$preset/CMakeCache.txt"
    check "configure $preset" cmake --preset "$preset" "$@" &&
        check "build $preset" cmake --build "build/$preset" --target $targets &&
        built="$built $preset"
}
built=

# tests FOLDER [LABEL | -LABELS]: all tests but valgrind and soak; those with LABEL; all but these and those with LABELS
tests() {
    folder=$1
    case ${2-} in
    "") set -- -LE 'valgrind|soak' ;;
    -*) set -- -LE "valgrind|soak|${2#-}" ;;
    *) set -- -L "^$2\$" ;;
    esac
    status=0
    $runner ctest --test-dir "$folder" --output-on-failure --no-tests=error -j "$jobs" --timeout 900 "$@" \
        >"$log" 2>&1 </dev/null || status=$?
    counts=$(sed -n 's/^.* tests passed, \([0-9]*\) tests failed out of \([0-9]*\)$/\1 \2/p' "$log")
    set -- ${counts:-1 1}
    not_run=$(grep -c '\*\*\*Skipped' "$log") || :
    skipped=$((skipped + not_run))
    did $(($2 - $1 - not_run)) "$1"
    [ "$status" -eq 0 ] || cat "$log"
    [ "$status" -eq 0 ] || [ "$1" -gt 0 ] || did 0 1
}
runner=

stage_gcc() {
    build dev && tests build/dev
}

stage_quick() {
    check "configure quick" cmake --preset dev -B build/quick -DABUT_TEST_EMULATED=OFF -DABUT_BUILD_CLI=OFF \
        -DABUT_BUILD_EXAMPLES=OFF "-DABUT_ISAS=$(own_sets)" &&
        check "build quick" cmake --build build/quick && tests build/quick "-data|emulated|fuzz|memory|modes|threads"
}

# The other targets are built with clang, and its warnings, for asan.
answers="check_vectors check undecided hull_limits tangents public properties golden exact_stage exact_arithmetic"

stage_clang() {
    # The vectors are those of gcc's build, as on AArch64: making them takes a minute.
    build dev && build clang "abut $answers" "-DABUT_TEST_VECTORS=$PWD/build/dev/tests/vectors.txt" &&
        tests build/clang answers
}

# The instruction sets that this machine runs, for ABUT_ISAS: a build of others is not worth its minute where nothing
# runs them. Empty, which means all, if the gcc stage has not built the command.
own_sets() {
    sets_of dev 2>/dev/null | sed 's/^.*: //; s/ /;/g'
}

build_asan() {
    build asan all "-DABUT_ISAS=$(own_sets)"
}

stage_asan() {
    build_asan && tests build/asan -data
}

# Newer Linux randomises more address bits than thread and memory sanitizers support.
fixed_addresses() {
    if setarch -R true 2>/dev/null; then
        runner="setarch -R"
    fi
}

tsan_targets="threads index_threads index_view index_own index_some index_refit_some world_test engine_groups
    engine_masks engine_rows"

stage_tsan() {
    build tsan "$tsan_targets" || return 0
    fixed_addresses
    tests build/tsan threads
    runner=
}

stage_tsan_cli() {
    build tsan "$tsan_targets" || return 0
    check "build the command" cmake --build build/tsan --target abut_cli cli_parse_float_test || return 0
    fixed_addresses
    tests build/tsan cli
    runner=
}

stage_msan() {
    build msan "abut_cli cli_parse_float_test fuzz fuzz_readers fuzz_index properties golden index_test" || return 0
    fixed_addresses
    tests build/msan cli
    tests build/msan fuzz
    check "properties" $runner build/msan/tests/properties --rounds 1 --step 3 || :
    check "the golden hash" $runner build/msan/tests/golden || :
    check "index" $runner build/msan/tests/index_test --step 7 || :
    runner=
}

stage_readers() {
    if ! /usr/bin/python3 -c "import numpy" 2>/dev/null; then
        echo "skipped: there is no NumPy"
        return 0
    fi
    build dev && check "NumPy and plain Python" /usr/bin/python3 tests/cli/differential.py build/dev/bin/abut 600
}

stage_valgrind() {
    build dev && tests build/dev valgrind
}

stage_aarch64() {
    build dev && build aarch64 && tests build/aarch64 "-cli|data|memory|threads"
}

stage_wasm() {
    check "packages" scripts/setup.sh wasm && build wasm && tests build/wasm
}

# on_cpu MODEL ARGUMENT...: the command on that processor
on_cpu() {
    model=$1
    shift
    qemu-x86_64 -cpu "$model" build/dev/bin/abut "$@"
}

runs() {
    [ "$(on_cpu "$1" info | sed -n 's/^instruction sets: //p')" = "$2" ]
}

joins() {
    printf 'x,y,z,r\n0,0,0,1\n9,9,9,1\n' >"$logs/spheres.csv"
    printf 'minx,miny,minz,maxx,maxy,maxz\n5,5,5,6,6,6\n1,0,0,2,1,1\n' >"$logs/boxes.csv"
    [ "$(on_cpu "$1" join "$logs/spheres.csv" "$logs/boxes.csv" | tr '\n' ' ')" = "a,b 0,1 " ]
}

stage_baseline() {
    if [ "$(uname -m)" != x86_64 ]; then
        echo "skipped: this is $(uname -m)"
        return 0
    fi
    build dev || return 0
    check "the first x86-64 has only SSE2" runs qemu64 "sse scalar"
    check "SSE4.2 selects sse" runs Nehalem "sse scalar"
    check "AVX without AVX2 selects sse" runs SandyBridge "sse scalar"
    check "AVX2 without AVX-512 selects avx2" runs Haswell "avx2 sse scalar"
    check "join" joins qemu64
    check "vectors" qemu-x86_64 -cpu qemu64 build/dev/tests/check_vectors build/dev/tests/vectors.txt
}

stage_opt() {
    for level in 0 3; do
        check "configure -O$level" cmake -S . -B build/O$level -G Ninja -DCMAKE_C_COMPILER=gcc \
            -DCMAKE_COMPILE_WARNING_AS_ERROR=ON -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O$level \
            -DABUT_TEST_EMULATED=OFF -DABUT_OPTIMIZED=OFF &&
            check "build -O$level" cmake --build build/O$level && tests build/O$level answers
    done
}

stage_invariants() {
    counted scripts/check_invariants.sh
}

stage_symbols() {
    counted scripts/check_invariants.sh names
}

stage_install() {
    counted tests/consumer/check.sh build/install
}

stage_python() {
    build dev && counted bindings/python/check.sh build/python build/dev/libabut.a
}

stage_npm() {
    check "packages" scripts/setup.sh wasm && build dev && counted bindings/wasm/check.sh build/npm build/dev/libabut.a
}

stage_site() {
    check "packages" scripts/setup.sh site && build dev && counted docs/site/check.sh build/site build/dev/libabut.a
}

stage_bench() {
    # The flags of the preset dev, so that ccache has the library.
    check "configure" cmake --preset dev -B build/bench_brief --fresh -DABUT_BUILD_BENCH=ON -DABUT_BUILD_CLI=OFF \
        -DABUT_BUILD_TESTS=OFF -DABUT_BUILD_EXAMPLES=OFF "-DABUT_ISAS=$(own_sets)" &&
        check "build" cmake --build build/bench_brief || return 0
    check "implementations" build/bench_brief/bench/abut_bench --sizes=1000 --benchmark_min_time=0.00001 || :
    check "joins" build/bench_brief/bench/abut_bench_join --sizes=1000 --repetitions=1 --threads=2 || :
    check "worlds" build/bench_brief/bench/abut_bench_world --quick --only=16,000 || :
    check "calls of engines" build/bench_brief/bench/abut_bench_engine --quick || :
    check "frames" build/bench_brief/bench/abut_bench_frames --quick || :
    check "longest times" build/bench_brief/bench/abut_bench_worst --seconds=0.01 || :
}

stage_fuzz() {
    build_asan && tests build/asan fuzz
}

stage_cli() {
    build dev && tests build/dev cli
}

stage_data() {
    build dev && tests build/dev data
}

stage_emulated() {
    check "configure" cmake --preset dev -B build/emulated -DABUT_TEST_EMULATED=ALL &&
        check "build" cmake --build build/emulated && tests build/emulated emulated
}

stage_avx512() {
    counted scripts/avx512.sh
}

stage_mutations() {
    counted tests/mutations.sh --jobs "$jobs"
}

stage_format() {
    check "style" find include src bench tests examples bindings '(' -name '*.[ch]' -o -name '*.cc' -o -name '*.hpp' ')' \
        -exec clang-format --dry-run --Werror {} +
}

stage_dropin() {
    build dev && counted scripts/dropin.sh test build/dev/tests/vectors.txt
}

stage_windows() {
    # Wine and MinGW are not among the packages of the other tests.
    check "packages" scripts/setup.sh windows && counted scripts/mingw.sh
}

stage_x86_32() {
    if [ "$(uname -m)" != x86_64 ]; then
        echo "skipped: this is $(uname -m)"
        return 0
    fi
    # Its compiler is not among the packages of the other tests.
    check "packages" scripts/setup.sh x86_32 && build dev && build x86_32 || return 0
    check "all sets of this machine" [ "$(sets_of x86_32)" = "$(sets_of dev)" ] || :
    tests build/x86_32 "-data|modes"
}

# The instruction sets that a build's command runs here.
sets_of() {
    "build/$1/bin/abut" info | grep '^instruction sets: '
}

stage_soak() {
    build_asan && tests build/asan soak
}

case ${1-} in
-h | --help)
    usage
    exit 0
    ;;
esac
for stage in "$@"; do
    command -v "stage_$stage" >/dev/null || {
        usage >&2
        exit 2
    }
done

mkdir -p "$logs"
if ! scripts/setup.sh test >"$logs/setup" 2>&1 </dev/null; then
    cat "$logs/setup"
    exit 1
fi

# Tests read messages of compilers, which speak the language of the caller, and compare flags, to which these add.
export LC_ALL=C.UTF-8
unset CFLAGS CXXFLAGS LDFLAGS

# ccache compiles code that several stages share only once.
if command -v ccache >/dev/null; then
    export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_DIR="$PWD/build/ccache"
fi

for stage in ${*:-$everything}; do
    log=$logs/$stage
    before_passed=$passed before_failed=$failed before=$(date +%s)
    "stage_$stage" || :
    echo "$stage: $((passed - before_passed)) passed, $((failed - before_failed)) failed," \
        "$(($(date +%s) - before)) seconds"
done
[ "$skipped" -eq 0 ] || echo "$skipped skipped"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
