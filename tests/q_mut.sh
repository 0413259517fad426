#!/bin/sh
# SPDX-License-Identifier: MIT
# Puts one defect after another into a copy of the source: a test must notice each, and must pass without it. A defect
# that no longer finds its line is a failure too. The last line counts them.
# usage: mutations.sh [TEXT]     only defects with TEXT in their description
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/mutations
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
only=${1-}
passed=0 failed=0 sound="|" wide= flags=
unset ABUT_TEST_MODE
wrap=$(sed -n 's/^WRAP([a-z]*, \([a-z_]*\),.*/-Wl,--wrap=\1/p' "$root/tests/in_mode.c")

cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release -DABUT_BUILD_CLI=OFF -DABUT_BUILD_EXAMPLES=OFF >"$work/log" 2>&1 &&
    cmake --build "$build" --target abut_test_support >>"$work/log" 2>&1 || {
    cat "$work/log"
    exit 1
}

# Only isa/scalar.c, $wide and code outside of isa/ get the defect; the other instruction sets come from the libraries.
# build_program SOURCES PROGRAM OUTPUT
build_program() {
    sources=$1 program=$2 output=$3
    set -- "$root/tests/$program.c"
    [ "$program" != exact_stage ] || set -- "$@" "$root"/tests/oracle*.c
    case $program in distance_bounds | nearest_shapes) set -- "$@" "$root/tests/distance_oracle.c" ;; esac
    [ "$program" != hull_exact_stage ] || set -- "$@" "$root"/tests/hull_oracle.c
    case $program in index_threads | index_view) set -- "$@" "$root"/examples/pool.c -I "$root/examples" -pthread ;; esac
    ${CC:-cc} -std=c11 -O1 -ffp-contract=off -D_POSIX_C_SOURCE=200809L $flags -I "$root/include" -I "$sources" -I "$root/tests" \
        "$@" "$sources/isa/scalar.c" ${wide:+"$sources/$wide"} $(find "$sources" -name '*.c' ! -path '*/isa/*' ! -path '*/cli/*') \
        "$build/tests/libabut_test_support.a" "$build/libabut_emulated.a" "$build/libabut_internal.a" -lgmp -lm $wrap -Wl,--wrap=pthread_create \
        -o "$output" >"$work/log" 2>&1
}

# sound PROGRAM [ARGUMENT...]: checks once that it passes without a defect
sound() {
    case $sound in
    *"|${ABUT_TEST_MODE-} $*|"*) return ;;
    esac
    sound="$sound${ABUT_TEST_MODE-} $*|" program=$1
    sane=$work/sound_$program
    if { [ -x "$sane" ] || build_program "$root/src" "$program" "$sane"; } && shift && "$sane" "$@" >"$work/log" 2>&1; then
        passed=$((passed + 1))
    else
        tail -n 20 "$work/log"
        echo "FAILED without any defect: $program $*"
        failed=$((failed + 1))
    fi
}

# mutate TEXT FILE SED PROGRAM [ARGUMENT...]
mutate() {
    text=$1 file=$2 change=$3
    shift 3
    case $text in
    *"$only"*) ;;
    *) return 0 ;;
    esac
    sound "$@"
    rm -rf "$work/src"
    cp -R "$root/src" "$work/src"
    sed "$change" "$root/src/$file" >"$work/src/$file"
    result=
    if cmp -s "$root/src/$file" "$work/src/$file"; then
        result="finds no line to change in $file"
    elif ! build_program "$work/src" "$1" "$work/program"; then
        result="does not compile"
        tail -n 20 "$work/log"
    else
        shift
        status=0
        "$work/program" "$@" >"$work/log" 2>&1 || status=$?
        [ "$status" -ne 0 ] || result="was not noticed by $program"
        [ "$status" -eq 0 ] || grep -q FAILED "$work/log" || result="made $program end with $status and no message"
    fi
    if [ -z "$result" ]; then
        passed=$((passed + 1))
        echo "noticed: $text"
    else
        failed=$((failed + 1))
        echo "FAILED: $text: $result"
    fi
}

# Puts the defect into SSE2 too, where a single lane does not show it.
mutate_wide() {
    [ "$(uname -m)" = x86_64 ] || return 0
    wide=isa/sse.c
    mutate "$@"
    wide=
}

# Puts the defect into AVX-512 too, for code that only AVX-512 uses; skipped where this machine lacks it.
mutate_avx512() {
    grep -q avx512dq /proc/cpuinfo 2>/dev/null || return 0
    wide=isa/avx512.c flags="-mavx512f -mavx512vl -mavx512dq -mavx512bw -mavx2 -mfma"
    mutate "$@"
    wide='' flags=''
}

# mutate_in_mode MODE TEXT FILE SED PROGRAM [ARGUMENT...]: public calls are made in that floating-point mode
mutate_in_mode() {
    [ "$(uname -m)" = x86_64 ] || return 0
    export ABUT_TEST_MODE="$1"
    shift
    mutate "$@"
    unset ABUT_TEST_MODE
}

# The floating-point mode of the caller
mutate_in_mode daz "a part on another thread computes in that thread's floating-point mode" api/test.c '/IN_DEFAULT_FLOAT_MODE;/d' public --only sphere_aabb
mutate_in_mode ftz_daz "a part on another thread computes in that thread's floating-point mode" bvh/parallel.h '/IN_DEFAULT_FLOAT_MODE;/d' \
    index_threads --rounds 1
mutate_in_mode daz "denormals-are-zero mode is not detected" util/float_mode.h 's/~UINT32_C(0x3f)/~UINT32_C(0x7f)/; s/0x1f80;/0x1f80;/' \
    public --only sphere_aabb
mutate_in_mode up "the caller's floating-point mode is not restored" util/float_mode.h 's/if (__builtin_expect(caller->changed, false))/if (false)/' \
    public --only sphere_aabb

# The filter
# A margin in ulp needs no overflow limit and no underflow term: its size follows the magnitude.
# Neighbours
mutate "the last distances are not computed" bvh/search/nearest.c 's/^    compute_pairs(&pairs);$//' nearest_test
mutate "points are boxes from the origin" bvh/search/nearest.c 's/pairs->of_points ? k % 3 : k/k/' nearest_test
mutate "missing neighbours have distance 0" bvh/search/nearest.c 's/d2\[i\] = INFINITY/d2[i] = 0/' nearest_test
mutate "a node as near as the farthest item found is skipped" bvh/search/nearest_descent.c 's/(order == 0 \&\& greater)/order == 0/' nearest_test
mutate "nodes at equal distance are skipped whatever their indices" bvh/search/nearest_descent.c 's/greater = step->least >= leaves->ids\[farthest->position\]/greater = true/' nearest_test
mutate "every fourth lane is missing from a lower bound" bvh/build/nodes.c 's/lesser(x\[2\], x\[3\])/x[2]/' index_test
mutate "every fourth lane is missing from an upper bound" bvh/build/nodes.c 's/greater(x\[2\], x\[3\])/x[2]/' index_test
mutate "a node has the least index of its last child" bvh/build/nodes.c 's/least = ids\[i\] < least ? ids\[i\] : least;/least = ids[i];/' nearest_test
mutate "neighbours are compared in float64 alone" bvh/search/nearest_bounds.c 's/^    stats->exact++;/    stats->exact++; return 0;/' nearest_test
mutate "a box has the radius of the sphere that it is compared with" bvh/search/nearest_arithmetic.h 's/compare_rounded(&square_a, part_a.r, /compare_rounded(\&square_a, part_b.r, /' nearest_test
mutate "a node that is slightly farther is visited" bvh/search/nearest_descent.c 's/return order > 0 || (order == 0 \&\& greater);/return order == 0 \&\& greater;/' nearest_test
mutate "spheres around the point are not equally near" bvh/search/nearest_arithmetic.h 's/return (out_b <= 0) - (out_a <= 0);/return out_a <= 0 ? -1 : 1;/' nearest_test
mutate "spheres are compared by their centres alone" bvh/search/nearest_arithmetic.h 's/if (part_a.r > 0 || part_b.r > 0)/if (part_a.r < 0)/' nearest_test
mutate "the square of a root has no factor 4" bvh/search/nearest_arithmetic.h 's/a), real_of(4));/a), real_of(1));/' nearest_test
mutate "an edge is nearest even where the point is on its inner side" bvh/search/nearest_arithmetic.h 's/if (side <= 0) {/if (side <= 1) {/' nearest_shapes
mutate "needles have no end at their third vertex" bvh/search/nearest_arithmetic.h 's/^        last = c;/        last = a;/' nearest_shapes
mutate "a line has no denominator" bvh/search/nearest_arithmetic.h 's/distance->one = part->kind == PART_VERTEX/distance->one = part->kind != PART_PLANE/' nearest_shapes
mutate "parts of different radius are the same" bvh/search/nearest_arithmetic.h 's/ || a->r != b->r)/)/' nearest_test
mutate "float64 bounds of a triangle have no error" bvh/search/nearest_bounds.c 's/0x4p-53 \* n2/0 * n2/g; s/1 + 0x40p-53/1.0/' nearest_shapes
mutate "the face of a triangle is not among the candidates" bvh/search/nearest_bounds.c 's/^    tighten_at(&bounds, &t, beta, gamma);/    (void)gamma;/' nearest_shapes
mutate "boxes around OBBs are as far as their slabs" bvh/search/nearest_descent.c 's/scale = (1 - SLIP) \* margin \* margin/scale = 1 + 0x1p-6 + 0 * margin/' nearest_shapes
mutate "items of a leaf are bounded by two of their vertices" bvh/search/nearest_descent.c 's/3 \* (vertices - 1)/3/' nearest_shapes

mutate "skipped items are neighbours" bvh/search/nearest_descent.c 's/if (!isnan(leaf\[i\]) \&\& /if (/' nearest_test
mutate "neighbour searches read leaves that were not gathered" bvh/search/nearest_descent.c 's/^    if (leaves->view)/    if (false)/' nearest_test
    public --only sphere_aabb

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
