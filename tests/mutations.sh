#!/bin/sh
# SPDX-License-Identifier: MIT
# Puts one defect after another into a copy of the source: a test must notice each, and must pass without it. A defect
# that no longer finds its line is a failure too. The last line counts them.
# usage: mutations.sh [TEXT]            only defects with TEXT in their description
#        mutations.sh --part K/N [TEXT] only every Nth of them, from the Kth on
#        mutations.sh --jobs N [TEXT]   N such parts side by side
#        mutations.sh --lines [TEXT]    only whether each defect finds a line to change
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/mutations part=1 parts=1 seen=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
lines_only=false
case ${1-} in
--lines)
    lines_only=true
    shift
    ;;
--part)
    part=${2%/*} parts=${2#*/}
    shift 2
    ;;
--jobs)
    jobs=$2
    shift 2
    for part in $(seq "$jobs"); do
        "$0" --part "$part/$jobs" "$@" 2>&1 | tee "$work/$part" | grep --line-buffered -v '^[0-9]* passed, ' &
    done
    wait
    for part in $(seq "$jobs"); do
        tail -n 1 "$work/$part"
    done | awk -v parts="$jobs" '/^[0-9]+ passed, [0-9]+ failed$/ { passed += $1; failed += $3; parts-- }
        END { printf "%d passed, %d failed\n", passed, failed + parts; exit failed + parts > 0 }'
    exit
    ;;
esac
only=${1-}
passed=0 failed=0 sound="|" wide= flags=
unset ABUT_TEST_MODE
wrap=$(sed -n 's/^WRAP([a-z]*, \([a-z_]*\),.*/-Wl,--wrap=\1/p' "$root/tests/in_mode.c")

# The library and the tests without a defect.
prepare() {
    mkdir -p "$build"
    exec 9>"$build/lock"
    flock 9 # parts share the build
    cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DABUT_BUILD_CLI=OFF -DABUT_BUILD_EXAMPLES=OFF \
        -DABUT_TEST_EMULATED=ALL >"$work/log" 2>&1 &&
        cmake --build "$build" --target abut_test_support >>"$work/log" 2>&1 || {
        cat "$work/log"
        exit 1
    }
    exec 9>&-
}

# Only isa/scalar.c, $wide and code outside of isa/ get the defect; the other instruction sets come from the libraries.
# compile SOURCES OBJECTS FILE...: each file of the folder SOURCES, and the files that it includes in OBJECTS/*.d
compile() {
    sources=$1 objects=$2
    shift 2
    for file in "$@"; do
        object=$(echo "$file" | tr / .)
        ${CC:-cc} -std=c11 -O1 -ffp-contract=off -D_POSIX_C_SOURCE=200809L $flags -I "$root/include" -I "$sources" \
            -MMD -MF "$objects/${object%.c}.d" -c "$sources/$file" -o "$objects/${object%.c}.o" >>"$work/log" 2>&1 || \
            return 1
    done
}

# link SOURCES PROGRAM OUTPUT OBJECT...: the test program, with the headers of SOURCES
link() {
    sources=$1 program=$2 output=$3
    shift 3
    set -- "$root/tests/$program.c" "$@"
    [ "$program" != exact_stage ] || set -- "$@" "$root"/tests/oracle*.c
    case $program in distance_bounds | nearest_mixed | nearest_shapes) set -- "$@" "$root/tests/distance_oracle.c" ;; esac
    [ "$program" != cast_test ] || set -- "$@" "$root/tests/cast_oracle.c"
    case $program in
    cast_hulls | cast_moving_hulls)
        set -- "$@" "$root/tests/cast_rows.c" "$root/tests/cast_scenes.c"
        ;;
    esac
    [ "$program" != cast_moving_hulls ] ||
        set -- "$@" "$root/tests/moving_oracle.c" "$root/tests/touch_scenes.c" "$root"/tests/oracle*.c
    case $program in
    index_own | index_refit_some | index_threads | index_view | engine_*)
        set -- "$@" "$root"/examples/pool.c -I "$root/examples" -pthread
        ;;
    esac
    case $program in engine_*) set -- "$@" "$root/tests/layouts.c" ;; esac
    ${CC:-cc} -std=c11 -O1 -ffp-contract=off -D_POSIX_C_SOURCE=200809L -I "$root/include" -I "$sources" \
        -I "$root/tests" "$@" \
        "$build/tests/libabut_test_support.a" "$build/tests/libabut_emulated.a" "$build/libabut_internal.a" -lgmp -lm $wrap \
        -Wl,--wrap=pthread_create -o "$output" >>"$work/log" 2>&1
}

# The objects without a defect, compiled once, and those of the instruction set that $wide names.
sound_objects=$work/objects
mkdir "$sound_objects"
$lines_only || {
    prepare
    compile "$root/src" "$sound_objects" isa/scalar.c \
        $(cd "$root/src" && find * -name '*.c' ! -path 'isa/*' ! -path 'cli/*') || {
        cat "$work/log"
        exit 1
    }
}

# sound PROGRAM [ARGUMENT...]: checks once that it passes without a defect
sound() {
    case $sound in
    *"|${ABUT_TEST_MODE-} $*|"*) return ;;
    esac
    sound="$sound${ABUT_TEST_MODE-} $*|" program=$1
    sane=$work/sound_$program
    if { [ -x "$sane" ] || link "$root/src" "$program" "$sane" "$sound_objects"/*.o; } && shift &&
        "$sane" "$@" >"$work/log" 2>&1; then
        passed=$((passed + 1))
    else
        tail -n 20 "$work/log"
        echo "FAILED without any defect: $program $*"
        failed=$((failed + 1))
    fi
}

# build_mutant FILE PROGRAM OUTPUT: compiles what includes the changed file; the other objects are those without a defect
build_mutant() {
    changed=$1 program=$2 output=$3
    set -- "$sound_objects"/*.o
    affected=$wide
    for object in "$@"; do
        dependencies=${object%.o}.d
        shift
        if grep -q "/src/$changed\( \|\$\)" "$dependencies"; then
            affected="$affected $(sed -n '1,2s|.*/src/\([^ ]*\.c\).*|\1|p' "$dependencies" | head -n 1)"
        else
            set -- "$@" "$object"
        fi
    done
    compile "$work/src" "$work/changed" $affected && link "$work/src" "$program" "$output" "$@" "$work/changed"/*.o
}

# mutate TEXT FILE SED PROGRAM [ARGUMENT...]
mutate() {
    text=$1 file=$2 change=$3
    shift 3
    case $text in
    *"$only"*) ;;
    *) return 0 ;;
    esac
    seen=$((seen + 1))
    [ $((seen % parts)) -eq $((part % parts)) ] || return 0
    if $lines_only; then
        if sed "$change" "$root/src/$file" | cmp -s - "$root/src/$file"; then
            failed=$((failed + 1))
            echo "FAILED: $text: finds no line to change in $file"
        else
            passed=$((passed + 1))
        fi
        return 0
    fi
    sound "$@"
    rm -rf "$work/src" "$work/changed"
    cp -R "$root/src" "$work/src"
    sed "$change" "$root/src/$file" >"$work/src/$file"
    mkdir "$work/changed"
    : >"$work/log"
    result=
    if cmp -s "$root/src/$file" "$work/src/$file"; then
        result="finds no line to change in $file"
    elif ! build_mutant "$file" "$1" "$work/program"; then
        result="does not compile"
        tail -n 20 "$work/log"
    else
        shift
        status=0
        # A defect may make a test endless.
        timeout 900 "$work/program" "$@" >"$work/log" 2>&1 || status=$?
        [ "$status" -ne 0 ] || result="was not noticed by $program"
        [ "$status" -eq 0 ] || [ "$status" -eq 124 ] || grep -q FAILED "$work/log" ||
            result="made $program end with $status and no message"
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
mutate_in_mode daz "a part on another thread computes in that thread's floating-point mode" api/test.c \
    '/IN_DEFAULT_FLOAT_MODE;/d' public --only sphere_aabb
mutate_in_mode ftz_daz "a part on another thread computes in that thread's floating-point mode" bvh/parallel.h \
    '/IN_DEFAULT_FLOAT_MODE;/d' \
    index_threads --rounds 1
mutate_in_mode daz "denormals-are-zero mode is not detected" util/float_mode.h \
    's/~UINT32_C(0x3f)/~UINT32_C(0x7f)/; s/0x1f80;/0x1f80;/' \
    public --only sphere_aabb
mutate_in_mode up "the caller's floating-point mode is not restored" util/float_mode.h \
    's/if (__builtin_expect(caller->changed, false))/if (false)/' \
    public --only sphere_aabb

# The filter
# A margin in ulp needs no overflow limit and no underflow term: its size follows the magnitude.
mutate "a margin of 3 ulp is too small" isa/isa.h 's/#define ULPS [0-9]*u/#define ULPS 3u/' check --only sphere_sphere
mutate "a margin of 2 ulp is too small for boxes" isa/isa.h 's/#define ULPS [0-9]*u/#define ULPS 2u/' \
    check --only aabb_in_sphere
mutate "one radius: the error bound of sums is 2 * 2^-24" kernels/filter.h \
    's/(1 - 0x1p-20f)/(1 - 0x1p-23f)/; s/v_set1(0x1p-19f)/v_set1(0x1p-22f)/' check --only sphere_aabb --rounds 4
mutate "one radius: the error bound of sums is 4 * 2^-24" kernels/filter.h \
    's/(1 - 0x1p-20f)/(1 - 0x1p-22f)/; s/v_set1(0x1p-19f)/v_set1(0x1p-21f)/' api
mutate "one radius: no error term for underflow of products" kernels/filter.h \
    's/v_set1(0x1p-126f)/v_set1(0)/; s/v_set1(0x1p-125f)/v_set1(0)/' check --only sphere_aabb --seed 5
mutate "a radius whose square overflows counts as infinite" kernels/filter.h \
    's/finite = v_min(.*, rr);/finite = rr;/' check --only sphere_aabb
mutate "a radius whose square overflows is limited to FLT_MAX" kernels/filter.h \
    's/v_fma(rr, v_set1(0x1p-19f)/v_fma(finite, v_set1(0x1p-19f)/' check --only sphere_aabb
mutate "a NaN sum counts as negative" kernels/filter.h \
    's/p->has_hit || p->prevalidated ? m_negative(t) :.*/m_negative(t));/' \
    check --only point_in_sphere
mutate "a radius of -0 is not made +0" kernels/filter.h 's/v_fma(r, v_abs(r), v_set1(0))/v_mul(r, v_abs(r))/' \
    check --only sphere_aabb
mutate "a negated compare makes NaN a hit" kernels/filter.h \
    's/^    hit_if(p, m_lt(x, y));/    hit_if(p, m_andnot(m_all(), m_le(y, x)));/' check --only sphere_aabb
mutate "a minimum drops NaN, and the bounds of that axis are not checked" kernels/filter.h \
    '/require_le(p, b.minx, b.maxx);/d' check --only sphere_aabb
mutate "a sphere with an infinite centre is inside of all of space" kernels/sphere_aabb.h \
    's/^        sphere_valid(p, s);/;/' \
    check --only sphere_in_aabb
mutate "the sign of the first radius is not checked" kernels/sphere_sphere.h '/^    require_nonneg(p, a.r);/d' check \
    --only sphere_sphere
mutate "boxes touch under the open rule" batch/elementwise.h 's/closed ? -0x1p-149f : 0/-0x1p-149f/' check --only \
    aabb_aabb

mutate "the error bound of a plane's side is an eighth" kernels/sphere_plane.h 's/-0x8p-24f/-0x1p-24f/' \
    check --only sphere_plane
mutate "the error bound of products along OBB axes is missing" kernels/sphere_obb.h 's/v_fnma(mw, mw, .*);/minus_e);/' \
    check --only sphere_obb
mutate "the error bound of spheres and OBBs is a quarter" kernels/sphere_obb.h 's/0x1p22f,/0x1p24f,/' check --only \
    sphere_obb --rounds 2
mutate "spheres with a negative radius touch OBBs" kernels/sphere_obb.h '/require_both_nonneg(p, b.hz/d' \
    check --only sphere_obb --rounds 10
mutate "sticky flags ignore signs" isa/scalar.c \
    's/^    return (struct sticky){g.ok & !((bits_of(a).*/    return (void)a, (void)b, g;/' \
    check --only sphere_obb --rounds 10
mutate "the error bound of spheres inside OBBs is missing" kernels/sphere_obb.h 's/-0x6p-24f/-0x0p-24f/' check --only \
    sphere_in_obb
mutate "OBBs with negative half extents are accepted" kernels/sphere_obb.h '/require_both_nonneg(p, b.hx/d' \
    check --only sphere_obb --rounds 10
mutate "the error bound of distances from segments is missing" kernels/sphere_segment.h \
    's/-0x4p-24f/-0x0p-24f/; s/-0x40p-24f \* BOUND/-0x0p-24f * BOUND/; s/-1 - 0x40p-24f/-1/' check --only sphere_segment
mutate "any point of a triangle counts as the nearest" kernels/sphere_segment.h \
    's/v_fma(v_sub(to.d2, to.low), v_set1(-BOUND_SCALE), e)/e/' \
    check --only sphere_triangle
mutate "the sign of a capsule's radius is not checked" kernels/sphere_segment.h '/^    require_nonneg(p, b.r);/d' \
    check --only sphere_capsule

# Exact ties
mutate "a difference is exact without the check of the subtrahend" kernels/filter.h \
    's/m_eq(v_sub(a, d), b), m_eq(v_add(d, b), a)/m_all(), m_eq(v_add(d, b), a)/' check --only sphere_aabb
mutate "a difference is exact without the check of the minuend" kernels/filter.h \
    's/m_eq(v_sub(a, d), b), m_eq(v_add(d, b), a)/m_eq(v_sub(a, d), b), m_all()/' check --only sphere_aabb
mutate "the rounding of a sum is not tracked" kernels/filter.h \
    's/m_eq(v_sub(s, a), b), m_eq(v_sub(s, b), a)/m_all(), m_all()/' check --only sphere_aabb
mutate "the rounding of a square is not tracked" kernels/filter.h 's/v_set1(0x1.001p12f)/v_set1(0x1.002p11f)/' near_ties
mutate "squares with one bit too many count as exact" kernels/filter.h 's/v_set1(0x1.001p12f)/v_set1(0x1.0008p13f)/' \
    near_ties
mutate "the underflow of a square is not tracked" kernels/filter.h 's/m_le(v_set1(0x1p-63f), size)/m_all()/' check \
    --only sphere_aabb
mutate "the rounding of a squared radius is not tracked" kernels/filter.h '/^    track_exact_square(p, r);/d' check \
    --only sphere_aabb
mutate "an axis-aligned offset is exact in spite of a rounded difference" kernels/filter.h \
    's/m_or(p->exact, m_and(before, ahead))/m_or(p->exact, ahead)/' \
    check --only sphere_aabb
mutate "an offset with two components counts as axis-aligned" kernels/filter.h \
    's/m_or(m_and(no_x, m_or(no_y, no_z)), m_and(no_y, no_z))/m_or(no_x, m_or(no_y, no_z))/' near_ties
mutate "axes of any length count as exact" kernels/filter.h \
    's/m_and(straight(x, y, z), m_eq(magnitude_of(x, y, z), v_set1(1)))/straight(x, y, z)/' \
    check --only sphere_plane
mutate "axes of any direction count as exact" kernels/filter.h \
    's/m_and(straight(x, y, z), m_eq(magnitude_of/m_and(m_all(), m_eq(magnitude_of/' near_ties
mutate "rounded axes of an OBB count as exact" kernels/sphere_obb.h \
    's/^    p->exact = t.exact;/    p->exact = m_all();/' near_ties
mutate "a point inside a slab is exact without the error bound" kernels/sphere_obb.h \
    's/m_lt(v_add(beyond, bound), v_set1(-0x1p-140f))/m_lt(beyond, v_set1(0))/' \
    near_ties
mutate "the exactness of one slab replaces that of the slab before" kernels/sphere_obb.h \
    's/m_and(before, m_or(within, p->exact))/m_or(within, p->exact)/' \
    near_ties
mutate "the low part of the difference of points is dropped" kernels/sphere_obb.h 's/r), low);/r), v_set1(0));/' \
    near_ties
mutate "the low part of the difference of points ignores the sign" kernels/sphere_obb.h \
    's/v_sub(v_set1(0), t.low), t.low);/t.low, t.low);/' near_ties
mutate "slanted segments count as boxes" kernels/sphere_segment.h \
    's/m_and(straight(ex, ey, ez), m_lt(n2/m_and(m_all(), m_lt(n2/' near_ties
mutate "segments of infinite length count as boxes" kernels/sphere_segment.h 's/m_lt(n2, v_set1(INFINITY)))/m_all())/' \
    check --only sphere_segment --rounds 4
mutate "the rounding of a sum of a radius and a capsule's radius is not tracked" kernels/sphere_segment.h \
    's/sum(p, s.r, b.r)/v_add(s.r, b.r)/' near_ties
mutate "slanted triangles count as axis-aligned" kernels/sphere_triangle.h 's/m_or(in_x, m_or(in_y, in_z))/m_all()/' \
    near_ties
mutate "triangles have two sides" kernels/sphere_triangle.h '/note_side(&sides, rx, ry, px, py);/d' check --only \
    sphere_triangle
mutate "a point above an edge counts as above the inside" kernels/sphere_triangle.h \
    's/m_lt(bound, area)/m_le(v_set1(0), area)/' \
    check --only sphere_triangle
mutate "the rounding of a height above a triangle is not tracked" kernels/sphere_triangle.h \
    's/v_abs(difference(p, at, level))/v_abs(v_sub(at, level))/' near_ties
mutate "the rounding of a sum with a plane's distance is not tracked" kernels/sphere_plane.h \
    's/v side = sum(p, dot.sum, b.d)/v side = v_add(dot.sum, b.d)/' \
    near_ties
mutate "the sign of a negative radius is lost in its square" kernels/filter.h \
    's/v_select(ahead, r, radius_squared(r))/v_select(ahead, r, v_mul(r, r))/' \
    check --only point_in_sphere
mutate "the rounding of a sum of radii is not tracked" kernels/sphere_sphere.h \
    's/sum(p, a.r, b.r), false/v_add(a.r, b.r), false/' \
    check --only sphere_sphere
mutate "exact results are decided under the closed rule only" kernels/filter.h \
    's/m_and(p->exact, m_lt(p->below, v_sub(y, x)))/m_and(p->exact, m_le(x, y))/' check --only sphere_aabb
# The loop
mutate "short batches go to narrower kernels than they fill" dispatch/dispatch.c \
    's/while ((\*narrower)->width > n)/while ((*narrower)->width >= n \&\& narrower[1])/' api
mutate "one word too many" batch/elementwise.h 's/if (full < args->n)/if (full <= args->n)/' check --only aabb_aabb
mutate "a short batch holds only half of its pairs" batch/elementwise.h \
    's/, from.at\[k\] + i, n);/, from.at[k] + i, n \/ 2 + 1);/' \
    check --only sphere_aabb
mutate "a short batch lacks its last pairs" batch/elementwise.h 's/memcpy(to + n - (half), .*sizeof \*to);/;/' check \
    --only sphere_aabb
mutate "sticky flags of a last word are ignored" batch/elementwise.h \
    '/^INLINE uint64_t run_last/,/^}/s/UNLIKELY(mode != UNCHECKED \&\& !sticky_ok(sticky))/false/' check --only \
    sphere_aabb
mutate "a last word is not shifted to its position" batch/elementwise.h \
    's/bits >> (first - at) : bits << (at - first)/bits >> (first - at) : bits/' \
    check --only aabb_aabb
mutate "a recheck takes the next word" batch/elementwise.h \
    's/recheck_word(args, first, 64)/recheck_word(args, first + 64 < full ? first + 64 : first, 64)/' \
    check --only sphere_aabb
mutate "a recheck of a word takes the first word" batch/elementwise.h \
    's/copy\[k\] : from.at\[k\] + i;/copy[k] : from.at[k];/' check --only sphere_aabb
mutate "a recheck takes a broadcast item from the columns" batch/elementwise.h \
    's/v_set1(\*from.at\[k\])/v_set1(from.at[k][j])/' \
    check --only sphere_aabb
mutate "the last word has bits beyond the last pair" batch/instantiate.h 's/UINT64_MAX >> (64 - n)/UINT64_MAX/' check \
    --only sphere_aabb
mutate "a sphere inside a box is not validated" kernels/sphere_aabb.h 's/if (!p->one_a)/if (false)/' check --only \
    sphere_in_aabb
mutate_avx512 "sticky flags of several words recheck the first word alone" batch/elementwise.h \
    's/if (i - first == 64)/if (true)/' \
    undecided --only sphere_aabb --rounds 12
mutate_avx512 "sticky flags of several words are those of the last" batch/elementwise.h \
    's/^                i += 64;/                i += 64;\n                sticky = i < end ? sticky_start() : sticky;/' \
    undecided --only sphere_aabb --rounds 12
mutate_avx512 "the first of several words is not rechecked" batch/elementwise.h \
    's/^                i = first;/                i = first + 64;/' \
    undecided --only sphere_aabb --rounds 12
mutate "pairs are not counted" batch/elementwise.h '/args->stats->pairs += args->n;/d' check --only aabb_aabb

# The later stages
mutate "a touch is a hit" kernels/formulas.h 's/ : (enum answer)sign;/ : sign == 0 ? ANSWER_HIT : (enum answer)sign;/' \
    exact_stage
mutate "<= for < in the exact formula of boxes" kernels/aabb_aabb.h 's/a.minx < b.maxx/a.minx <= b.maxx/' exact_stage
mutate "a degenerate triangle has a face" kernels/sphere_triangle.h 's/if (size == 0 || ab == -1/if (ab == -1/' \
    exact_stage
mutate "normals along an axis have any length" kernels/items.h \
    's/(x == 1 && y == 0 && z == 0)/(x >= 1 \&\& y == 0 \&\& z == 0)/' exact_stage --only sphere_plane
mutate "a sphere whose centre may be above a triangle is tested against the edges alone" kernels/sphere_triangle.h \
    's/|| edges == face ? edges/|| true ? edges/' exact_stage --only sphere_triangle --rounds 20000
mutate "a sphere whose centre may be above a triangle is tested against the face alone" kernels/sphere_triangle.h \
    's/over == ANSWER_HIT || face == ANSWER_MISS/true/' exact_stage --only sphere_triangle --rounds 20000
mutate "an axis is mistaken for another" kernels/formulas.h 's/y != 0 ? &v->y : &v->z/y != 0 ? \&v->z : \&v->y/' \
    exact_stage
mutate "any direction counts as along an axis" kernels/formulas.h 's/(z != 0) != 1 || x/(z != 0) == 3 || x/' exact_stage
mutate "a segment does not end at its second point" kernels/sphere_segment.h 's/if (from_b <= 0)/if (from_b < -1)/' \
    exact_stage
mutate "the sign of an exact number depends on the floating-point mode" exact/dyadic_limbs.h \
    's/r.sign = mantissa == 0 ? 0 : bits >> 31 != 0 ? -1 : 1;/r.sign = (x > 0) - (x < 0);/' exact_arithmetic
mutate "the open rule is ignored" exact/resolve.c 's/(closed \&\& answer == ANSWER_TOUCH)/answer == ANSWER_TOUCH/' \
    exact_stage
mutate "the float64 filter ignores the rounding error of a sum" exact/bounded.h \
    's/a.error + b.error + fabs(residual)/a.error + b.error/' \
    exact_stage
mutate "the float64 filter ignores underflow" exact/bounded.h '/error += 0x1p-1020;/d' exact_arithmetic
mutate "a borrow of limbs is lost" exact/dyadic_limbs.h 's/carry = (sum >> 32) & 1;/carry = 0;/' exact_arithmetic
mutate "a number whose low limb is 0 counts as 0" exact/dyadic_limbs.h 's/= limb\[zeros\];/= limb[0];/' exact_arithmetic
mutate "an exact number that exceeds its capacity is zero" exact/dyadic_limbs.h \
    's/r.sign = SIGN_UNKNOWN;/r.sign = 0;/' exact_arithmetic

# Distances
mutate "the end of a segment is never its nearest point" kernels/distance.h \
    's/m before_b = m_lt(t, v_set1(1));/m before_b = m_all();/' \
    distance_bounds
mutate "squares of large distances overflow" kernels/distance.h \
    's/v_select(huge, v_set1(0x1p-70f), v_set1(1))/v_set1(1)/' \
    distance_bounds
mutate "the least squared distances are 0" kernels/distance.h \
    's/{inner(apart, apart), at, pass.valid}/{v_select(m_lt(inner(apart, apart), v_set1(0x1p-121f)), v_set1(0), inner(apart, apart)), at, pass.valid}/' \
    distance_bounds
mutate_wide "the last distances are those of the first pairs" batch/distance.h \
    's/pad(copy_b, at_b, b, full, n/pad(copy_b, at_b, b, 0, n/' distances
mutate_wide "the last distances go to the wrong place" batch/distance.h \
    's/= rest\[k\]\[j\];/= args->out[k][full + j];/' distances
mutate "the farther of two candidates is taken" kernels/distance.h \
    's/m second = m_lt(b.d2, a.d2);/m second = m_lt(a.d2, b.d2);/' \
    distance_bounds

# Batches
mutate "invalid items of a block count as valid" batch/all_pairs.h 's/UNLIKELY(invalid(item))/false/' public --only \
    sphere_in_aabb
mutate "invalid shapes of a block count as valid" batch/all_pairs.h 's/bits\[r\] \& wanted\[w\];/bits[r];/' check \
    --only sphere_in_aabb
mutate "the row of an invalid item in a block is not cleared" batch/all_pairs.h 's/memset(hits + k.*;/;/' public \
    --only sphere_in_aabb
mutate "items after an invalid one in a block get the wrong row" batch/all_pairs.h \
    's/row\[r\] = hits + block->row\[k + r\]/row[r] = hits + (k + r)/' \
    public --only sphere_in_aabb
mutate "a recheck after an invalid item in a block takes the wrong item" batch/all_pairs.h \
    's/recheck_word(args, block->row\[k + r\]/recheck_word(args, k + r/' \
    public --only sphere_aabb
mutate "an invalid broadcast item counts as valid as A" batch/elementwise.h \
    's/(a_is_one && first_is_invalid/(!a_is_one \&\& first_is_invalid/' \
    check --only sphere_aabb
mutate "an invalid broadcast item counts as valid as B" batch/elementwise.h \
    's/(b_is_one && first_is_invalid/(!b_is_one \&\& first_is_invalid/' \
    check --only aabb_in_sphere
mutate "a block uses its first item for all rows" batch/all_pairs.h 's/block->items\[k + r\]/block->items[0]/' public \
    --only aabb_aabb
mutate_avx512 "two items of a block are the same" batch/all_pairs.h 's/block->items\[k + r\]/block->items[k]/' public \
    --only aabb_aabb
mutate_avx512 "a single item left of a block is skipped" batch/all_pairs.h \
    's/if (together > 1 \&\& k < block->n)/if (false)/' \
    public --only aabb_aabb
mutate_avx512 "the sticky flags of two items of a block are those of the last" batch/all_pairs.h \
    's/sticky_ok(sticky\[r\])/sticky_ok(sticky[rows - 1])/' \
    public --only sphere_aabb
mutate "a recheck in a block takes the first item" batch/instantiate.h \
    's/item\[j\] = args->a\[j\] + k;/item[j] = args->a[j];/' \
    public --only sphere_aabb
mutate "the next block of items repeats the first" api/test.c 's/hits + i \* row_words/hits/' public --only aabb_aabb
mutate "a batch is valid if its last shapes are" batch/elementwise.h 's/all = m_and(all, p.valid);/all = p.valid;/' \
    check --only sphere_sphere
mutate "chunks of a block overwrite each other" batch/all_pairs.h 's/row\[r\]\[i \/ 64 + w\] = /row[r][w] = /' public \
    --only aabb_aabb

# Index: joins, rows, records, order and boxes
mutate "one query with a hit ends its query packet" bvh/search/search.h \
    's/packet->done < packet->n/packet->done == 0/' index_test
mutate "a frontier around the first query packet alone" bvh/search/descent.h \
    's/for (size_t g = 1; g < n; g++)/for (size_t g = n; g < n; g++)/' index_test
mutate "all boxes of a frontier are those of the last child" bvh/search/descent.h \
    's/node_list->index\[i\] % CHILDREN\]/CHILDREN - 1]/' index_test
mutate "a self join leaves nodes of its frontier too early" bvh/search/descent.h \
    's/least >> 4 \* (frontier->level + 1)/least >> 4 * frontier->level/' index_test
mutate "missing spheres are all NaN and leave filters undecided" bvh/build/leaves.c \
    's/no_sphere\[\] = {NAN, NAN, NAN, 0}/no_sphere[] = {NAN, NAN, NAN, NAN}/' index_test
mutate_wide "the second of the upper two lanes is not compacted" isa/sse.c \
    's/high >>= ways\[lanes\].high/high >>= ways[lanes].low/' index_test
mutate "a skipped item spoils the box of its query packet" bvh/search/descent.h \
    's/v_select(m_le(x, x), low, none)/low/' index_test
mutate "the upper bounds of a query packet are its lower ones" bvh/search/descent.h \
    's/k < 3 ? v_least(least) : -v_least(least)/v_least(least)/' index_test
mutate "pairs of one set keep the order of the search" bvh/results/join.c \
    's/self ? (four)(items < queries) : (four){0}/(four){0}/' index_test
mutate "a row gets another query" bvh/search/search.h 's/q \/ LEAF \* traits.query_fields/q \/ LEAF/' index_test
mutate "a refit takes items that it should skip" bvh/build/build.c \
    's/records, options->skip_invalid \&\& may_be_invalid(items, all_good)/records, false/' index_test
mutate "leaves of skipped items are infinite" bvh/build/nodes.c \
    's/infinite = !nothing \&\& !isfinite(sum)/infinite = !isfinite(sum)/' index_memory
mutate "skipped items are neighbours" bvh/search/nearest_descent.c 's/if (!isnan(leaf\[i\]) \&\& /if (/' nearest_test
mutate "a row is as long as its last part" bvh/results/rows.c 's/\.position\]\] += parts/.position]] = parts/' \
    index_test
mutate "all parts of a row begin at its start" bvh/results/rows.c 's/row + placed\[position % PACKET\]/row/' index_test
mutate "long rows are sorted without their first digit" bvh/results/rows.c \
    's/for (unsigned d = 0; d < digits; d++) {/for (unsigned d = 1; d < digits; d++) {/' index_test
mutate "short rows of several parts are not copied" bvh/results/rows.c \
    's/memcpy(spare, row, n \* sizeof \*row);/memset(spare, 0, n * sizeof *row);/' index_test
mutate_avx512 "the padding leaf of an odd row has items" bvh/search/search.h \
    's/index\[candidates->n\] = (uint32_t)items->count/index[candidates->n] = 0/' index_test
mutate_avx512 "an odd number of leaves has no padding leaf" bvh/search/search.h \
    's/(__builtin_popcountll(bits) \& 1) << candidates->n/0/' index_test
mutate_avx512 "the last leaf counts twice where NaN leaves filters undecided" bvh/search/search.h \
    's/first, first, 0xff}/first, first, ~UINT64_C(0)}/' index_test
mutate_avx512 "one of the requested leaves is left out" bvh/search/search.h \
    's/some |= scratch->wanted\[q\];/some = scratch->wanted[q];/' index_view
mutate "a recheck of a row ends with its first word" bvh/search/search.h \
    's/^    while (wanted.bits != 0) {$/    for (unsigned once = 0; once < 1; once++) {/' index_test
mutate "a recheck of a row is of the first leaf alone" bvh/search/search.h \
    's/put_leaf(items, leaves, traits.item_fields, leaf\[n\], n)/put_leaf(items, leaves, traits.item_fields, leaf[0], n)/' \
    index_test
mutate "a recheck of a row leaves out items of the query's own leaf" bvh/search/search.h \
    's/self_lanes(0xff, leaf\[n\], own, lane) : 0xff/self_lanes(0xff, leaf[n], own, 7) : 0xff/' index_test
mutate "short rows are sorted backwards" bvh/results/rows.c 's/item < part/part[k] < item \&\& item != part/' index_test
mutate "every worker's rows begin with the first items" bvh/results/rows.c 's/placing->ids_first\[w + 1\] += .*/;/' \
    index_threads
mutate "the hits of each round overwrite those before" bvh/search/run.c \
    's/run->hits_n += stage->hits_n;/run->hits_n = (i > 0 ? run->hits_n : 0) + stage->hits_n;/' \
    index_threads
mutate "pairs are sorted by a alone" bvh/results/pairs.c 's/any_b |= pairs\[i\].b;//' index_test
mutate "columns of records are swapped" bvh/transpose.h 's/FOUR_OF(a, b, 2, 3, 6, 7)/FOUR_OF(a, b, 2, 3, 4, 5)/' \
    index_test
mutate "records lack their last columns" bvh/build/records.h 's/columns - 4;/columns - 5;/' index_test
mutate "leaves lack their last members" bvh/build/records.h 's/fields - 4;/fields - 5;/' index_test
mutate "lanes without an item hold the first one" bvh/build/records.h \
    's/from\[i\] == UINT32_MAX ? none/from[i] == UINT32_MAX ? records/' index_test
mutate "the Hilbert curve takes a wrong direction" bvh/build/hilbert.h \
    's/(direction + inner_direction + 1) % 3/(direction + inner_direction) % 3/' index_order
mutate "the vectorised Hilbert curve differs from the scalar one" bvh/build/hilbert.h \
    's/state % 3 << 6/(state + 1) % 3 << 6/' index_order
mutate "infinite bounds have infinite centres" bvh/build/centres.h 's/return v_min(v_set1(FLT_MAX), .*/return x;/' \
    index_order
mutate "the reach of a radius along short axes is ignored" api/bounds.c 's/(beyond > 0 ? beyond : 0)/0/' index_test
mutate "0 times infinity gives an unbounded box" api/bounds.c \
    's/along != 0 ? edge : 0/edge/; s/across != 0 ? point : 0/point/' index_test
mutate "boxes of OBBs contain their points alone" api/bounds.c 's/edges > points ? edges : points/points/' index_hulls
mutate "AABBs of OBBs do not hold what the edges span" api/bounds.c 's/edges > points ? edges : points/points/' boxes
mutate "all OBBs of a vector have the box of the first" api/bounds.c \
    's/most = reach.box\[k\]\[i\];/most = reach.box[k][0];/' boxes
mutate "the rounding of a bound is rounded to nearest" util/float32.h \
    's/return float32_up(sum, rest);/return float32_up(sum, 0);/' hull_points
mutate "invalid OBBs have boxes" api/bounds.c 's/obb_invalid(obb_at(obbs, first + i))/false/' boxes
mutate "boxes around spheres round to nearest" api/bounds.c 's/return candidates\[rest > 0\]/return candidates[0]/' \
    boxes
mutate "boxes around OBBs round to nearest" api/bounds.c 's/return candidates\[rest > 0\]/return candidates[0]/' boxes
mutate "boxes are one float too large" api/bounds.c 's/return candidates\[rest > 0\]/return candidates[1]/' boxes
mutate "invalid items have centres" bvh/build/centres.h 's/i < n && !clean/i < n \&\& false/' index_order
mutate "missing items have the centre of the first" bvh/build/centres.h \
    's/i < n ? at\[k\]\[first + i\] : NAN/at[k][first + (i < n ? i : 0)]/' index_order
mutate "the upper bound of an extent is the least value" bvh/build/centres.h \
    's/m_lt(greatest, x), x, greatest/m_lt(x, greatest), x, greatest/' index_order
mutate "centres beyond the last cell get cells of their own" bvh/build/centres.h \
    's/cell < CELLS - 1 ? cell : CELLS - 1/cell < 1e6f ? cell : 1e6f/' index_order
mutate "invalid items take the place of the first" bvh/build/sort.c \
    's/key == NO_KEY ? left_out/key == NO_KEY ? records/' index_test
mutate "cells have the proportions of the world" bvh/build/centres.h \
    's/(float)(grid->scale \/ first)/(float)(CELLS \/ (grid->max[k] - grid->min[k]))/' index_test
mutate "a tiny world has a single cell" bvh/build/centres.h 's/? 1 : 0x1p64f/? 1 : 0/' index_test
mutate "dense cells are not sorted" bvh/build/sort.c 's/if (!grid_end(&grid))/if (grid_end(\&grid) || true)/' index_test
mutate "dense cells after the first are not sorted" bvh/build/sort.c \
    's/first + DENSE_CELL < n; first = end/first + DENSE_CELL < n; first = n + 0 * (end = n)/' index_test
mutate "an index that fails to build is not freed" bvh/build/build.c 's/^        abut_index_free(made);//' index_memory
mutate "joins without memory succeed with no pairs" bvh/results/join.c \
    's/abut_join_run(join) : ABUT_ERROR_MEMORY/abut_join_run(join) : ABUT_OK/' \
    index_memory
mutate "the parts of a set count as valid" bvh/build/sort.c 's/\*clean = all_clean || .*/*clean = true;/' index_memory

# Neighbours
mutate "the last distances are not computed" bvh/search/nearest.c 's/^    compute_pairs(&pairs);$//' nearest_test
mutate "the neighbours of the point before bound a search by their nearest" bvh/search/nearest.c \
    's/known = high > known ? high : known/known = known > 0 \&\& known < high ? known : high/' nearest_test
mutate "an item that is left out bounds the search of the point after" bvh/search/nearest.c \
    's/if (!is_wanted(search, leaves->ids\[last\[i\]\]))/if (leaves->n == 0)/' nearest_shapes
mutate "spheres of a leaf are as far as their centres" bvh/search/nearest_descent.c \
    's/ - (double)leaf\[3 \* LEAF + i\];/;/' nearest_test
mutate "points are boxes from the origin" bvh/search/nearest.c 's/pairs->of_points ? k % 3 : k/k/' nearest_test
mutate "missing neighbours have distance 0" bvh/search/nearest.c 's/d2\[i\] = INFINITY/d2[i] = 0/' nearest_test
mutate "a node as near as the farthest item found is skipped" bvh/search/nearest_descent.c \
    's/(order == 0 \&\& greater)/order == 0/' nearest_test
mutate "nodes at equal distance are skipped whatever their indices" bvh/search/nearest_descent.c \
    's/greater = step->least >= leaves->ids\[farthest->position\]/greater = true/' nearest_test
mutate "every fourth lane is missing from a lower bound" bvh/build/nodes.c 's/lesser(x\[2\], x\[3\])/x[2]/' index_test
mutate "every fourth lane is missing from an upper bound" bvh/build/nodes.c 's/greater(x\[2\], x\[3\])/x[2]/' index_test
mutate "a node has the least index of its last child" bvh/build/nodes.c \
    's/least = ids\[i\] < least ? ids\[i\] : least;/least = ids[i];/' nearest_test
mutate "neighbours are compared in float64 alone" bvh/search/nearest_bounds.c \
    's/^    stats->exact++;/    stats->exact++; return 0;/' nearest_test
mutate "a box has the radius of the sphere that it is compared with" bvh/search/nearest_arithmetic.h \
    's/compare_rounded(&square_a, part_a.r, /compare_rounded(\&square_a, part_b.r, /' nearest_test
mutate "a node that is slightly farther is visited" bvh/search/nearest_descent.c \
    's/return order > 0 || (order == 0 \&\& greater);/return order == 0 \&\& greater;/' nearest_test
mutate "spheres around the point are not equally near" bvh/search/nearest_arithmetic.h \
    's/return (out_b <= 0) - (out_a <= 0);/return out_a <= 0 ? -1 : 1;/' nearest_test
mutate "spheres are compared by their centres alone" bvh/search/nearest_arithmetic.h \
    's/if (part_a.r > 0 || part_b.r > 0)/if (part_a.r < 0)/' nearest_test
mutate "the square of a root has no factor 4" bvh/search/nearest_arithmetic.h 's/a), real_of(4));/a), real_of(1));/' \
    nearest_test
mutate "an edge is nearest even where the point is on its inner side" bvh/search/nearest_arithmetic.h \
    's/if (side <= 0) {/if (side <= 1) {/' nearest_shapes
mutate "needles have no end at their third vertex" bvh/search/nearest_arithmetic.h \
    's/^        last = c;/        last = a;/' nearest_shapes
mutate "a line has no denominator" bvh/search/nearest_arithmetic.h \
    's/distance->one = part->kind == PART_VERTEX/distance->one = part->kind != PART_PLANE/' nearest_shapes
mutate "parts of different radius are the same" bvh/search/nearest_arithmetic.h 's/ || a->r != b->r)/)/' nearest_test
mutate "float64 bounds of a triangle have no error" bvh/search/nearest_bounds.c \
    's/0x4p-53 \* n2/0 * n2/g; s/1 + 0x40p-53/1.0/' nearest_shapes
mutate "boxes around OBBs are as far as their slabs" bvh/search/nearest_descent.c \
    's/scale = (1 - SLIP) \* margin \* margin/scale = 1 + 0x1p-6 + 0 * margin/' nearest_shapes
mutate "a limit of neighbours has no error bound" bvh/search/nearest_bounds.c \
    's/bounds.high < radius \* (1 - SLIP) ? -1/bounds.high <= radius ? -1/' nearest_shapes
mutate "a point is its own neighbour" bvh/search/nearest_descent.c \
    's/is_wanted(search, leaves->ids\[number \* LEAF + i\])/true/' nearest_shapes
mutate "equally near neighbours have ranks of their own" bvh/search/nearest.c \
    's/if (j + 1 < n \&\& abut_nearest_equal/if (j > n \&\& abut_nearest_equal/' nearest_shapes
mutate "items of a leaf are bounded by two of their vertices" bvh/search/nearest_descent.c 's/3 \* (n - 1)/3/' \
    nearest_shapes

# Casts
mutate "a moving sphere passes by where the distance is least" bvh/cast/cast_pieces.h \
    's/if (rises <= 0)/if (rises <= 1)/' cast_test
mutate "a moving sphere touches a face beside the triangle" bvh/cast/cast_arithmetic.h 's/^    if (inside)$/    if (true)/' \
    cast_test
mutate "times are compared without the product of their roots" bvh/cast/cast_roots.h \
    's/sign_z < 0 ? 1 : product_less_square(p, q, z)/1/' cast_test
mutate "times of casts have no error bound" bvh/cast/cast_tracked.c 's/(x).value, tracked_error(x)/(x).value, 0 * (x).error/' \
    cast_test
mutate "half of an ulp is always rounded up" bvh/cast/measure.c 's/ \&\& middle % 2 == 1)/)/' cast_test
mutate "a moving sphere is as thin as a ray along axes where it rests" bvh/cast/descent.c \
    's/= by > 0 ? grown/= by < 0 ? grown/' cast_test
mutate "moving spheres measure along short axes of OBBs by their radius" bvh/cast/descent.c \
    's/(double)ray->r \* (double)margin.scale/(double)ray->r * (0 * (double)margin.scale + 1)/' cast_calls
mutate "any hit is the first" bvh/cast/descent.c \
    's/if (search->n == 0 || search->mode != CAST_FIRST)/if (true)/' cast_test
mutate "equal times are in the order of the tree" bvh/cast/descent.c \
    's/ids\[hit->position\] < ids\[search->best.position\]/hit->position < search->best.position/' cast_test
mutate "equal times of a row are in the order of the tree" bvh/cast/measure.c \
    's/^    sort_by_number(search);//' cast_test
mutate "equal times of a row are compared as often as others" bvh/cast/measure.c \
    's/^        if (order == 0) {/        if (false) {/' cast_calls
mutate "more hits are written than were counted" bvh/cast/descent.c \
    's/if (search->all \&\& search->n == search->most)/if (false)/' cast_calls
mutate "a part is touched at the same time whichever vertex it is" bvh/cast/measure.c \
    's/ \&\& memcmp(a->at, b->at, sizeof a->at) == 0//' cast_test
mutate "a ray enters a hull where it leaves a plane" bvh/cast/cast_hulls.h \
    's/if (real_sign(height.w) <= 0)/if (real_sign(height.w) >= -1)/' cast_hulls
mutate "a ray along a face is outside of it" bvh/cast/cast_hulls.h \
    's/outside == 1 \&\& (rises == 0/outside >= 0 \&\& (rises == 0/' cast_hulls
mutate "a ray enters a hull at its first plane" bvh/cast/cast_hulls.h \
    's/if (later > 0) {/if (later > 0 \&\& k == 0) {/' cast_hulls
mutate "a start that may be outside of a plane is inside" bvh/cast/cast_hulls.h \
    's/ || (outside == SIGN_UNKNOWN \&\& rises <= 0)//' cast_hulls
mutate "a ray hits a hull where it hits its AABB" bvh/cast/descent.c 's/ \&\& !search->hulls;/;/' cast_hulls
mutate "planes that bound nothing end a ray" bvh/cast/measure.c 's/if (!plane_missing(plane))/if (true)/' cast_hulls
mutate "a sphere touches the plane of a face outside of it" bvh/cast/cast_moving_hulls.h \
    's/ other = above_face(ray, plane, hull->plane\[k\])/ other = {real_of(-1), real_of(0)}/' \
    cast_moving_hulls
mutate "a sphere touches the line of an edge where another plane cuts it off" bvh/cast/cast_moving_hulls.h \
    's/sign_above_edge(root, \&edge, ray, a, b, hull->plane\[k\])/-1/' cast_moving_hulls
mutate "a sphere touches an edge from any side" bvh/cast/cast_moving_hulls.h \
    's/if_not_negative(found, sign_at(root, \&edge.along_a))/if_not_negative(found, 1)/' cast_moving_hulls
mutate "a sphere touches a corner from any side" bvh/cast/cast_moving_hulls.h \
    's/if_not_negative(found, sign_of_factor(root, \&corner, i, ray))/if_not_negative(found, 1)/' cast_moving_hulls
mutate "a sphere grazes a hull at any of its features" bvh/cast/cast_moving_hulls.h \
    's/: all == FOUND_ROOT    ? compare_roots(\&touched, root)/: false ? 0/' cast_moving_hulls
mutate "a sphere misses a hull that it is about to reach" bvh/cast/cast_guess.c 's/if (at.falls <= 0)/if (at.falls <= 2)/' \
    cast_moving_hulls
mutate "separating planes of a moving sphere have no error bound" bvh/cast/cast_guess.c \
    's/2 \* HULL_ERROR/0 * HULL_ERROR/' cast_moving_hulls
mutate "a sphere of infinite radius touches empty hulls" bvh/cast/descent.c 's/(!search->hulls ||/(true ||/' \
    cast_moving_hulls
mutate "a cast ends after its last hit" bvh/cast/measure.c 's/{end, end, 0}) <= 0/{end, end, 0}) < 2/' cast_test

# Hulls
mutate "the error of a depth is ignored" kernels/hull_filter.h \
    's/v_set1(0x1p-20f), v_set1(hull->error)/v_set1(0), v_set1(0)/' \
    check --only sphere_hull
mutate "the worst depth of a word is the last" kernels/hull_filter.h 's/v_min_abs(p->nearest, s)/v_abs(s)/' check \
    --only sphere_hull
mutate "all of space touches NaN" batch/hull.h 's/return hull->planes > 0 \&\& /return /' check --only sphere_hull
mutate "the coordinate bound of a word is that of its last vector" kernels/hull_filter.h \
    's/v_max(v_max_abs(x, y, z), so_far)/v_max_abs(x, y, z)/' \
    check --only sphere_hull
mutate "several hulls ignore the size of the items' coordinates" batch/hull.h \
    's/p.coordinate = v_max(p.coordinate, items->magnitude);/;/' check --only sphere_hull
mutate "an infinite sphere in all of space counts as NaN" kernels/hull_filter.h \
    's/m_lt(p->bound, v_abs(s))/m_lt(p->bound, v_min_abs(CERTAIN, s))/' check --only sphere_in_hull
mutate "the limit of certain distances is infinite" kernels/hull_filter.h \
    's/define CERTAIN v_set1(0x1p100f)/define CERTAIN v_set1(INFINITY)/' check --only sphere_hull
mutate "lanes do not wait for the error bound" batch/hull.h 's/lanes_last = looks/lanes_last = mode == UNCHECKED/' \
    check --only sphere_hull
mutate "one hull touches invalid items" batch/hull.h \
    's/mode == FAST ? sticky_fine(worst->sticky) : m_all()/m_all()/' check --only sphere_hull
mutate "several hulls touch invalid items" batch/hull.h 's/{sticky_ok(p.sticky), filter/{true, filter/' check --only \
    sphere_hull
mutate "the upper bounds of boxes do not enter the coordinate bound" kernels/box_hull.h \
    's/v_max_abs(b.maxx, b.maxy, b.maxz)/v_set1(0)/' check --only aabb_hull_planes
mutate "several hulls skip a word of a block" batch/hull.h \
    's/args, k, w \* 64, words, items/args, k, w * 64, 1, items/' \
    check --only sphere_hull
mutate "the size of a centre is ignored" kernels/hull_filter.h 's/v_max(v_max_abs(x, y, z), so_far)/so_far/' check \
    --only sphere_hull
mutate "all of space touches a NaN centre" kernels/hull_filter.h \
    's/p->mode == RECHECK ? v_add/p->mode == UNCHECKED ? v_add/' check --only sphere_hull
mutate "radii are slightly too small" kernels/sphere_hull.h \
    '/sphere_hull_planes_filter/,/^}/s/v_load(operand->at\[3\] + i))/v_mul(v_load(operand->at[3] + i), v_set1(0x1.fff8p-1f)))/' \
    check --only sphere_hull_planes
mutate "the sign of a normal's z is ignored" hull/hull.c 's/ | (nz > 0) << 2//' check --only aabb_hull_planes
mutate "edges in one plane are not looked at within it" kernels/convex_body.h 's/return spread == 1 ? all : spread == 0 ? by_directions_flat(question) : ANSWER_UNKNOWN;/return all;/' exact_stage --only segment_segment
mutate "a triangle that is subtracted keeps the direction of an edge" kernels/convex_body.h \
    's/corner\[1\] = second ? minus(a, c) : minus(c, a);/corner[1] = minus(c, a);/' exact_stage --only triangle_triangle
mutate "a box without an upper bound ends at its lower one" kernels/convex_body.h 's/g->endless_high = second ? no_min : no_max;/g->endless_high = false;/' exact_stage --only segment_aabb
mutate "an invalid second shape with corners is touched" kernels/convex_pairs.h '/define MEETS/,/undef MEETS/s/shape_a##_invalid(a) || shape_b##_invalid(b)/shape_a##_invalid(a)/' exact_stage --only obb_obb
mutate "a box in a box may end before its lower end" kernels/convex_inside.h 's/return both(low, high);/return high;/' \
    exact_stage --only obb_in_aabb
mutate "a box in a box meets its interior at the same bound" kernels/convex_pairs.h \
    's/(min_a > min_b || isinf(min_b)) \&\& (max_a < max_b || isinf(max_b))/true/' exact_stage --only aabb_in_aabb
mutate "the radius of a second capsule is ignored" kernels/convex_pairs.h \
    's/real_add(real_of(a.r), real_of(b.r))/real_of(a.r)/' exact_stage --only capsule_capsule
mutate "a shape in an OBB is not moved to its centre" kernels/convex_pairs.h \
    '/define IN_OBB/,/undef IN_OBB/s/body_place(&body, of_point(b.cx, b.cy, b.cz), true);/;/' exact_stage --only triangle_in_obb
mutate "no area is near a capsule" kernels/convex_distance.h 's/return near_area(f, r2, all);/return ANSWER_MISS;/' exact_stage --only capsule_aabb
mutate "edges near a capsule have no far end" kernels/convex_distance.h 's/if (!s->endless_high)/if (s->endless_low)/' exact_stage --only segment_capsule
mutate "a capsule of radius 0 hits another" kernels/convex_distance.h 's/return meets == ANSWER_HIT ? ANSWER_TOUCH : meets;/return meets;/' exact_stage --only capsule_aabb
mutate "boxes hold what leaves their upper ends" kernels/convex_inside.h 's/return both(low, high);/return low;/' exact_stage --only aabb_in_obb
mutate "the side of a gap that holds a radius is ignored" kernels/convex_inside.h 's/return sign <= 0 ? ANSWER_MISS : at_most/return at_most/' exact_stage --only capsule_in_obb
mutate "the radius of a capsule in an OBB is ignored" kernels/convex_pairs.h 's/body_in_obb(&body, b, a.r > 0, /body_in_obb(\&body, b, false, /' exact_stage --only capsule_in_obb
mutate "a larger sphere is inside a smaller one" kernels/round_pairs.h 's/if (a.r > b.r)/if (isnan(a.r))/' exact_stage --only sphere_in_sphere
mutate "a corner of an OBB in a sphere is left out" kernels/round_pairs.h 's/signs < 8/signs < 7/' exact_stage --only obb_in_sphere
mutate "the third corner of a triangle at a half space is left out" kernels/round_pairs.h 's/return either(segment_plane(ab, b), .*$/return segment_plane(ab, b);/' exact_stage --only triangle_plane

# Boxes among each other, with segments, and what is inside them
mutate "the error bound of two boxes is missing" kernels/box_pairs.h 's/-0x30p-24f/-0x0p-24f/' \
    tangents --only aabb_obb --pairs 20000
mutate "the error bound of two boxes ignores how far axes are from orthonormal" kernels/box_pairs.h \
    's/v_set1(-8 \* BOUND_SCALE)/v_set1(0)/' tangents --only obb_obb
mutate "the third edge of boxes is left out" kernels/box_pairs.h \
    's/v_max(\*most, v_greatest(edges))/v_max(*most, v_max(edges.x, edges.y))/' tangents --only obb_obb
mutate "nearly parallel edges of boxes move nothing" kernels/box_pairs.h \
    's/v_select(parallel, w, v_set1(0)), \*moved/v_set1(0), *moved/' tangents --only aabb_obb --pairs 100000
mutate "nearly parallel edges of boxes count" kernels/box_pairs.h 's/^#define V_PARALLEL .*/#define V_PARALLEL 0x1p-126f/' \
    near_ties
mutate "the error bound of edges of segments and AABBs is missing" kernels/box_pairs.h 's/v_set1(-0x10p-24f)/v_set1(0)/' \
    tangents --only segment_aabb --pairs 20000
mutate "a segment nearly parallel to an edge of an AABB moves nothing" kernels/box_pairs.h \
    's/v_fma(moved, v_set1(1.0625f), face)/face/' tangents --only segment_aabb --pairs 20000
mutate "the error bound of segments and OBBs is missing" kernels/box_pairs.h 's/-0x38p-24f/-0x0p-24f/' \
    tangents --only segment_obb --pairs 20000
mutate "a segment nearly parallel to an edge of an OBB moves nothing" kernels/box_pairs.h \
    's/v_fma(moved, v_set1(2.125f), face)/face/' tangents --only segment_obb --pairs 100000
mutate "the error bound inside OBBs is missing" kernels/convex_inside.h 's/-0x10p-24f/-0x0p-24f/' \
    tangents --only segment_in_obb --pairs 20000
mutate "the error bound inside OBBs ignores how far axes are from orthonormal" kernels/convex_inside.h \
    's/v_set1(-3 \* BOUND_SCALE)/v_set1(0)/' tangents --only obb_in_obb --pairs 20000
mutate "OBBs with skewed axes count as boxes" kernels/convex_inside.h '/^    v_leave_skewed(p, skew);/d' \
    tangents --only aabb_in_obb --pairs 20000
mutate "the third corner of a triangle in an OBB is left out" kernels/convex_inside.h \
    's/v_farther(v_farther(at_a, at_b), at_c)/v_farther(at_a, at_b)/' tangents --only triangle_in_obb
mutate "boxes with negative half extents are accepted" kernels/box_pairs.h '/^    require_extents(p, b->g);/d' \
    check --only obb_obb --rounds 10 --step 3
mutate "the low part of the offset of boxes is dropped" kernels/box_pairs.h \
    's/return sum(f, difference(f, difference(f, t, v_max(h, reach)), v_min(h, reach)), low);/return difference(f, difference(f, t, v_max(h, reach)), v_min(h, reach));/' \
    near_ties
mutate "a face whose terms round counts as exact" kernels/box_pairs.h 's/m_and(plain, f.exact);/plain;/' \
    tangents --only aabb_obb
mutate "an axis is plain whatever the other two are" kernels/box_pairs.h \
    's/m_and(unit_axis(a.w.x, a.w.y, a.w.z), m_and(uw, vw))}/unit_axis(a.w.x, a.w.y, a.w.z)}/' \
    tangents --only obb_obb --pairs 100000
mutate "ties ignore an edge of boxes" kernels/box_pairs.h \
    's/m_or(m_or(m_or(u, v_), no_z), v_below(edges.z, minus_e))/m_all()/' tangents --only obb_obb --pairs 20000
mutate "ties ignore an edge of a segment and an AABB" kernels/box_pairs.h \
    's/m_or(m_or(x, y), m_lt(edges.z, minus_e))/m_all()/' tangents --only segment_aabb --pairs 20000
mutate "ties inside OBBs ignore the radius" kernels/convex_inside.h \
    's/sum(f, difference(f, v_abs(t), h), r)/difference(f, v_abs(t), h)/' near_ties

mutate "the short test of boxes has no error bound" batch/zonotope.h 's/0x1p-47 \* z->size/0 * z->size/' \
    tangents --only obb_obb --pairs 20000
mutate "the distance of segments has no error" kernels/segment_segment.h \
    's/v_fma(size, v_set1(factor), v_set1(0x1p-60f))/v_set1(0x1p-60f)/' tangents --only capsule_capsule
mutate "the distance from a box has no error" kernels/segment_segment.h \
    's/v_fma(size, v_set1(factor), v_set1(0x1p-60f))/v_set1(0x1p-60f)/' tangents --only capsule_aabb
mutate "the distance from a triangle has no error" kernels/segment_segment.h \
    's/v_fma(size, v_set1(factor), v_set1(0x1p-60f))/v_set1(0x1p-60f)/' tangents --only capsule_triangle
mutate "squares of tiny distances do not underflow" kernels/segment_segment.h 's/v_set1(0x1p-60f)/v_set1(0x1p-126f)/' \
    tangents --only segment_capsule --pairs 20000
mutate "a segment ends at its first end" kernels/segment_segment.h \
    's/v_add(w_dot_of(w, o), v_min(zero, w_dot_of(w, e)))/w_dot_of(w, o)/' tangents --only segment_capsule
mutate "segments are along coordinate axes" kernels/segment_segment.h '/segment_is_box(a), segment_is_box(b)/d' \
    tangents --only capsule_capsule
mutate "segments share a plane" kernels/segment_segment.h \
    's/return m_and(m_or(in_x, m_or(in_y, in_z)), crossing)/return crossing/' tangents --only segment_segment
mutate "a segment crosses the line of another" kernels/segment_segment.h \
    's/const m crossing = m_and(\(line_parts([^)]*)\), .*$/const m crossing = \1;/' tangents --only segment_segment
mutate "ends with two equal coordinates are the same" kernels/segment_segment.h \
    's/m_and(m_eq(a.y, b.y), m_eq(a.z, b.z)))/m_eq(a.y, b.y))/' tangents --only segment_segment
mutate "a negative radius counts in a sum" kernels/segment_segment.h \
    '/^INLINE void capsule_capsule_filter/,/^}/s/require_nonneg(p, [ab].r);//' check --only capsule_capsule
mutate "axes of a box are orthonormal" kernels/capsule_box.h \
    's/v_fma(skew, v_set1(3), v_set1(0x48p-24f))/v_set1(0x48p-24f)/' tangents --only capsule_obb
mutate "coordinates along the axes of a box are exact" kernels/capsule_box.h \
    's/v_set1(0x48p-24f)), \(.*\), error_of(length, 0x18p-24f)/v_set1(0)), \1, error_of(length, 0)/' \
    tangents --only capsule_obb --pairs 100000
mutate "a capsule at a box ends at its first end" kernels/capsule_box.h \
    's/v_min(v_set1(0), w_dot_of(at.w, f.d))/v_set1(0)/' tangents --only capsule_aabb
mutate "any capsule is a box" kernels/capsule_box.h '/segment_is_box(core), at_end/d' tangents --only capsule_aabb
mutate "an end beside a face is above it" kernels/capsule_box.h 's/m_and(m_le(min, end), m_le(end, max))/m_all()/' \
    tangents --only capsule_aabb
mutate "ends are above a turned box" kernels/capsule_box.h 's/, normal), stands)/, normal), m_all())/' \
    tangents --only capsule_obb
mutate "the third corner of a triangle is nearer" kernels/capsule_triangle.h \
    's/v_max(zero, v_max(w_dot_of(w, f), w_dot_of(w, g)))/v_max(zero, w_dot_of(w, f))/' tangents --only capsule_triangle
mutate "a capsule is on one side of a triangle" kernels/capsule_triangle.h 's/p->exact = .*$/p->exact = m_all();/' \
    tangents --only capsule_triangle

# Filters in lanes: of half spaces, boxes, triangles, segments, capsules and hulls
mutate "in lanes, the side of a half space has no error" kernels/round_pairs.h \
    's/v_fma(at.size, v_set1(-0x4p-24f \* BOUND_SCALE), /v_fma(at.size, v_set1(0), /' \
    tangents --only triangle_plane --pairs 20000
mutate "in lanes, the farther end of a segment touches a half space" kernels/round_pairs.h \
    's/point_side(p, inside ? higher(at_a/point_side(p, !inside ? higher(at_a/' check --only segment_plane --step 3
mutate "in lanes, the upper corner of a box is nearer to any half space" kernels/round_pairs.h \
    's/const m up = m_lt(v_set1(0), n);/const m up = m_all();/' check --only aabb_plane --step 3
mutate "in lanes, an OBB in an AABB has no error" kernels/round_pairs.h \
    's/v_fma(most.size, v_set1(-0x8p-24f \* BOUND_SCALE), /v_fma(most.size, v_set1(0), /' \
    tangents --only obb_in_aabb --pairs 20000
mutate "in lanes, products of an OBB in an AABB are exact" kernels/round_pairs.h \
    '/^INLINE v reach_along/,/^}/s/track_exact_factor(p, .*//' tangents --only obb_in_aabb --pairs 20000
mutate "in lanes, corners in a sphere have no error" kernels/round_pairs.h \
    's/v_set1(-0x10p-24f \* BOUND_SCALE)/v_set1(0)/' tangents --only obb_in_sphere --pairs 20000
mutate "in lanes, a box in a box may end above it" kernels/round_pairs.h '/high_within(p, a.maxz, b.maxz);/d' \
    check --only aabb_in_aabb --step 3
mutate "in lanes, a sphere without end holds nothing" kernels/round_pairs.h \
    '/leave_undecided(p, m_le(v_set1(INFINITY), b.r));/d' check --only sphere_in_sphere
mutate "in lanes, two triangles have no error" kernels/triangle_triangle.h 's/v_set1(0xep-24f)/v_set1(0)/' \
    tangents --only triangle_triangle --pairs 20000
mutate "in lanes, the third edge of a triangle is the first" kernels/triangle_triangle.h \
    's/row2 = w_ends_of(g2, h, k.c, false)/row2 = row0/' tangents --only triangle_triangle
mutate "in lanes, the middle edge of a triangle is like the others" kernels/triangle_triangle.h \
    's/^    if (middle) {/    if (false) {/' tangents --only triangle_triangle
mutate "in lanes, the plane of the second triangle separates nothing" kernels/triangle_triangle.h \
    's/w_gap(w_least(of_a), w_greatest(of_a))/v_set1(-0x1p100f)/' tangents --only triangle_triangle
mutate "in lanes, a vertex beside a segment is at the height of the others" kernels/triangle_triangle.h \
    's/v_add(g.b, k), g.c}/g.b, g.c}/' tangents --only segment_triangle
mutate "in lanes, a triangle at a box has no error" kernels/triangle_box.h \
    's/v_fma(size, v_set1(0x10p-24f), own_error)/own_error/' tangents --only triangle_aabb --pairs 20000
mutate "in lanes, products of tiny triangles do not underflow" kernels/triangle_box.h \
    '/^INLINE void triangle_aabb_filter/,/^}/s/v_set1(0x1p-27f)/v_set1(0)/' tangents --only triangle_aabb --pairs 20000
mutate "in lanes, the third edge of a triangle at a box is left out" kernels/triangle_box.h \
    '/all = w_both(all, w_across_edge(t.r, t.q, g, inner, outer));/d' tangents --only triangle_aabb
mutate "in lanes, the plane of a triangle at a box is left out" kernels/triangle_box.h \
    '/all = w_both(all, (struct w_gaps){v_add(w_reach/d' tangents --only triangle_aabb
mutate "in lanes, triangles that lie on boxes are left to later stages" kernels/triangle_box.h \
    's/^    decide_\(bounds\|extent\)(p, .*//' near_ties
mutate "in lanes, a lying triangle ends at its second edge" kernels/triangle_box.h \
    's/w_both(w_both(e, f), w_both(g, faces))/w_both(w_both(e, f), faces)/' tangents --only triangle_aabb --pairs 20000
mutate "in lanes, a triangle lies on a box whose edge does" kernels/triangle_box.h \
    's/return m_and(m_eq(a, b), m_eq(a, c));/return m_eq(a, b);/' tangents --only triangle_obb --pairs 20000
mutate "in lanes, a triangle lies on an axis of any direction" kernels/triangle_box.h \
    's/m_and(plain.[uvw], \(w_across_[xyz](t, inner)\))/\1/' tangents --only triangle_obb --pairs 20000
mutate "in lanes, axes of a box at a triangle are orthonormal" kernels/triangle_box.h \
    's/v_add(skew, v_set1(0x4p-24f))/v_set1(0x4p-24f)/' tangents --only triangle_obb --pairs 20000
mutate "in lanes, a radius less than the error is squared" kernels/segment_segment.h \
    's/m_and(m_lt(v_set1(0), inner), m_lt(more/m_and(m_all(), m_lt(more/' tangents --only segment_capsule
mutate "in lanes, a direction that separates nothing proves a miss" kernels/segment_segment.h \
    's/m_and(m_lt(v_set1(0), low), m_lt(v_set1(0x1p-100f), d2))/m_lt(v_set1(0x1p-100f), d2)/' \
    tangents --only capsule_capsule
mutate "in lanes, capsules stand on axes of any direction" kernels/capsule_box.h \
    's/m_and(m_and(unit_axis(axis.u.x, axis.u.y, axis.u.z), normal), stands)/m_and(normal, stands)/' \
    tangents --only capsule_obb --pairs 20000
mutate "in lanes, capsules at a wall stand on the ground" kernels/capsule_triangle.h \
    's/v_select(in_x, b.ax, v_select(in_z, b.az, b.ay))/b.ay/' tangents --only capsule_triangle --pairs 20000
mutate "in lanes, faces of the second box are left out" kernels/box_pairs.h \
    's/v_max(v_greatest(v_beyond_faces_of_a(b, q)), v_greatest(v_beyond_faces_of_b(b, q)))/v_greatest(v_beyond_faces_of_a(b, q))/' \
    tangents --only obb_obb
mutate "in lanes, ties ignore a face of the second box" kernels/box_pairs.h \
    '/track_exact(p, m_or(m_and(ties->b.w, v_same_face(ties->a, q.w)), v_below(faces_b.z, minus_e)));/d' \
    tangents --only aabb_obb --pairs 20000
mutate "in lanes, a capsule in an OBB has one end" kernels/convex_inside.h 's/far = v_farther(at_a, at_b)/far = at_a/' \
    check --only capsule_in_obb --step 3
mutate "in lanes, ties in OBBs drop the low part of an offset" kernels/convex_inside.h \
    's/r), v_low_of_size(t, low))/r), v_set1(0))/' tangents --only aabb_in_obb --pairs 20000
mutate "in lanes, ties in OBBs look at one corner of a box" kernels/convex_inside.h \
    '/v_inside_add(&in, b, a.maxx, a.maxy, a.maxz, none);/d' tangents --only aabb_in_obb --pairs 20000
mutate "in lanes, corners in a hull have no error" kernels/corner_hull.h \
    's/m_lt(v_add(most, c.e2), v_set1(0))/m_lt(most, v_set1(0))/' tangents --only triangle_in_hull
mutate "in lanes, the middle of a segment at a hull has no error" kernels/corner_hull.h \
    's/m hit = m_lt(v_add(farthest.height, c.e2), v_set1(0));/m hit = m_lt(farthest.height, v_set1(0));/' \
    tangents --only segment_hull --pairs 20000
mutate "in lanes, a capsule beside a hull has no error" kernels/corner_hull.h \
    's/const v beyond = v_add(r, c.e2);/const v beyond = r;/' tangents --only capsule_hull
mutate "in lanes, any point inside a hull is near a capsule" kernels/corner_hull.h \
    's/v_set1(0)), m_lt(v_add(deeper, c.e2), r));/v_set1(0)), m_all());/' tangents --only capsule_hull
mutate "in lanes, the third axis of a box at a hull is left out" kernels/corner_hull.h \
    's/i < 3; i++) lowest =/i < 2; i++) lowest =/' tangents --only obb_hull
mutate "in lanes, a box at a hull has no ends" kernels/corner_hull.h \
    's/return v_min(h, v_max(v_sub(v_set1(0), h), t));/return t;/' tangents --only aabb_hull
mutate "in lanes, a triangle outside a hull has no error" kernels/corner_hull.h \
    's/const m miss = m_lt(sure.e2, apart);/const m miss = m_lt(v_set1(0), apart);/' tangents --only triangle_hull

mutate "a direction of 0 counts in the short test of boxes" batch/zonotope.h 's/any |= separated != 0;/any = true;/' check --only obb_obb
mutate "half spaces that float64 leaves open are met" kernels/half_spaces.h 's/ *\*unknown |= sign == SIGN_UNKNOWN;//' \
    exact_stage --only aabb_hull
mutate "ties of half spaces are hits" kernels/half_spaces.h 's/tie ? ANSWER_TOUCH : ANSWER_HIT/ANSWER_HIT/' \
    exact_stage --only aabb_hull
mutate "half spaces of a triangle have no third edge" kernels/half_spaces.h 's/return all->half;/return false;/' \
    exact_stage --only triangle_hull
mutate "half spaces shifted to one side" kernels/half_spaces.h 's/all->shift <= 4/all->shift <= 1/' exact_stage \
    --only obb_hull
mutate "an invalid item touches the half spaces of a hull" hull/hull.c \
    '/SCALAR_CASE_hulls/,/sized64/s/if (shape##_invalid(shape##_of(item)))/if (hull->invalid)/' exact_stage --only \
    segment_hull
mutate "corners of a shape at a hull have no error bound" kernels/corner_hull.h \
    's/most\[i\] < -error\[i\]/most[i] <= error[i]/' exact_stage --only segment_hull
mutate "the last corner of a shape at a hull is left out" kernels/corner_hull.h \
    '/bool apart = true/,/if (apart)/s/i < corners.n/i + 1 < corners.n/' exact_stage --only triangle_hull
mutate "the third corner of a triangle in a hull is left out" kernels/corner_hull.h \
    's/return both(segment_in_hull(ab, hull, found), .*$/return segment_in_hull(ab, hull, found);/' exact_stage --only \
    triangle_in_hull
mutate "the planes of the other hull bound nothing" kernels/half_spaces.h \
    's/(all->other != NULL ? all->other->planes : 0)/0/' exact_stage --only hull_hull
mutate "two hulls meet where one of them has a point" kernels/corner_hull.h 's/(other, p/(hull, p/' exact_stage --only \
    hull_hull
mutate "two hulls meet in a bounded part of space alone" kernels/half_spaces.h \
    's/between(-INFINITY, INFINITY);/between(0, INFINITY);/' exact_stage --only hull_hull
mutate "an invalid hull is touched by another" hull/hull.h '/hull_invalid/,/^}/s/return hull->invalid;/return false;/' \
    exact_stage --only hull_hull
mutate "hulls of a batch are the first one" batch/hull_items.c 's/at\[2\], at\[3\]}, i, false)/at[2], at[3]}, 0, false)/' \
    check --only hull_hull
mutate "edges of a hull near a capsule have no ends" kernels/capsule_hull.h \
    's/inside = require_within(require_feature(ANSWER_HIT, t), real_sub(t, mm))/inside = ANSWER_HIT/' exact_stage --only capsule_hull
mutate "corners of a hull are not near a capsule" kernels/capsule_hull.h \
    's/: near_corner(a, d, r2, hull, active, all)/: (*all = false, ANSWER_MISS)/' exact_stage --only capsule_hull
mutate "a capsule of radius 0 hits a hull" kernels/capsule_hull.h 's/c.r == 0 ? ANSWER_TOUCH : ANSWER_HIT/ANSWER_HIT/' \
    exact_stage --only capsule_hull
mutate "slabs have no second plane" kernels/hull_filter.h \
    's/return v_max(h, v_sub(v_set1(hull->across\[k \/ 2\]), h));/return h;/' check --only sphere_hull
mutate "all slabs have the width of the first" kernels/hull_filter.h 's/hull->across\[k \/ 2\]/hull->across[0]/' check \
    --only sphere_hull
mutate "slabs have a slightly wrong thickness" hull/hull.c \
    's/= hull->d\[k\] + hull->d\[k + 1\];/= (float)((hull->unit[k][3] + hull->unit[k + 1][3]) * 0x1.ffffcp-1);/' check \
    --only sphere_hull_planes
mutate "normals that differ in z form a slab" hull/hull.c 's/ && nz\[i\] == -nz\[j\]//' check --only sphere_hull
mutate "a plane belongs to two slabs" hull/hull.c 's/ && (left >> i & left >> j & 1) != 0//' check --only sphere_hull
mutate "slabs are kept although a plane was left out" hull/hull.c 's/hull->planes == n ? sides : 0/sides/' check \
    --only sphere_hull
mutate "two corners of a box are the same" kernels/box_hull.h \
    's/corner_plane(s, minx, maxy/corner_plane(s, minx, miny/' check --only aabb_hull_planes
mutate "inverted boxes touch hulls" kernels/box_hull.h '/hull_require_nonneg(p, v_sub(b.max/d' check --only \
    aabb_hull_planes
mutate "OBBs with negative half extents touch hulls" kernels/box_hull.h '/hull_require_nonneg(p, b.h/d' check --only \
    obb_hull_planes
mutate "a recheck ignores the size of boxes" kernels/hull_filter.h 's/p->needed = v_max(p->needed, e);/;/' check \
    --only obb_hull_planes
mutate "the greatest axis in a word of OBBs is not kept" batch/hull.h 's/worst->axis = p.axis;/;/' check --only \
    obb_hull_planes
mutate "the error bound of OBB half extents is missing" kernels/box_hull.h \
    's/return v_fma(v_add(needed, .*;/return coordinate;/' \
    check --only obb_hull_planes
mutate "points touch hulls under the open rule" batch/hull.h 's/filter.has_boundary \&\& !closed/false/' check --only \
    sphere_hull
mutate "spheres that may cross a face count as hits" kernels/sphere_hull.h \
    's/m_lt(v_sub(v_set1(0), p->bound), depth)/m_lt(p->bound, depth)/' check --only sphere_hull
mutate "spheres that cross a face count as hits" kernels/sphere_hull.h \
    's/p->boundary = m_and.*;/p->boundary = m_none();/' check --only sphere_hull
mutate "a projection outside of other planes counts as a hit" kernels/hull_projection.h \
    's/hit = m_and(hit, m_lt(height(face(faces, k), to->x, to->y, to->z), inside));/continue;/' \
    check --only sphere_hull
mutate "a projection that is too far away counts as a hit" kernels/hull_projection.h \
    's/m_lt(v_add(length, error), c.r)/m_lt(length, v_mul(c.r, v_set1(1.0625f)))/' \
    check --only sphere_hull
mutate "the error bound of heights that prove a miss is missing" kernels/hull_projection.h \
    's/v_fma(error, v_set1(16), .*}/v_set1(0)}/' \
    check --only sphere_hull
mutate "a miss is proved by the length of a move alone" kernels/hull_projection.h \
    's/m_lt(v_mul(c.r, length), ts)/m_lt(c.r, length)/' \
    check --only sphere_hull
mutate "a multiplier may become negative" kernels/hull_projection.h \
    's/v_max(v_add(h, v_add(old, slack.more)), none)/v_add(h, v_add(old, slack.more))/' \
    check --only sphere_hull
mutate "a queued sphere is resolved at another's place" batch/hull_boundary.h \
    's/row_words \* 64 + i);/row_words * 64 + i \/ 64 * 64);/' \
    check --only sphere_hull
mutate "only the first 64 queued words are resolved" batch/hull_boundary.h \
    's/end = word + queue->count;/end = word + (queue->count < 64 ? queue->count : 64);/' \
    hull_limits
mutate "queued spheres are not resolved at the end" batch/hull_boundary.h \
    '/^static void hull_resolve_boundary/,/^}/s/hull_resolve_queue(args, k, boundary);/;/' \
    check --only sphere_hull
mutate "the rounds of projections count all spheres as hits" batch/hull_boundary.h \
    's/return move_in_rounds(.*);/return (struct moved){boundary_vector_wanted(left), 0};/' \
    check --only sphere_hull
mutate "a miss by the first guess is ignored" batch/hull_boundary.h '/&= ~(miss << at % 64);/d' check --only sphere_hull
mutate "first guesses all use the first hull" batch/hull_boundary.h \
    's/faces_of(&args->hulls\[boundary_vector->hull\[0\]\])/faces_of(args->hulls)/' \
    check --only sphere_hull
mutate "spheres left by a first guess go to the first hull" batch/hull_boundary.h \
    's/boundary_vector_add(left, boundary_vector->hull\[0\], at)/boundary_vector_add(left, 0, at)/' \
    check --only sphere_hull
mutate_wide "all lanes of a vector use the first lane's hull" batch/hull_boundary.h \
    's/lane < boundary_vector->n ? lane : 0\]/0]/' check --only sphere_hull
mutate_wide "the missing planes of a lane's hull cut it off" batch/hull_boundary.h \
    's/= there ? hull->d\[k\] : -0x1p100f;/= there ? hull->d[k] : 0x1p40f;/' \
    check --only sphere_hull
mutate_wide "the last, partial vectors are not resolved" batch/hull_boundary.h \
    's/if (boundary->left.n > 0)/if (boundary->left.n == WIDTH)/' \
    check --only sphere_hull
mutate "a hull's last word begins where the one before does" batch/hull.h 's/n < 64 ? 0 : n - 64, known/0, known/' \
    check --only sphere_hull
mutate "a hull's last word is not shifted to its position" batch/hull.h \
    's/(word.hits \& at.wanted) >> at.known/word.hits/' \
    check --only sphere_hull
mutate "the spheres of a hull's last word are not queued" batch/hull.h 's/(word.boundary \& at.wanted) >> at.known/0/' \
    check --only sphere_hull
mutate "sticky flags of a hull's last word are ignored" batch/hull.h \
    '/^INLINE void hull_last_word/,/^}/s/UNLIKELY(mode != UNCHECKED \&\& !hull_certain(mode, filter, \&args->hulls\[k\], \&worst))/false/' \
    check --only sphere_hull
mutate "boxes that may be beyond no plane are left out" batch/hull.h 's/args->perhaps ||/!args->perhaps \&\&/' \
    index_hulls
mutate "a word with queued spheres is forgotten" batch/hull.h 's/count += word.boundary != 0;/count += 0;/' check \
    --only sphere_hull
mutate "the sign of a plane's side is ignored" kernels/sphere_plane.h \
    's/return sign < 0 ? ANSWER_HIT : order;/return order;/' \
    exact_stage
mutate "queued spheres are all the first hull's" batch/hull_boundary.h 's/k \* args->row_words \* 64 + i);/i);/' check \
    --only sphere_hull
mutate "several hulls are the first" batch/hull.h 's/hull = &args->hulls\[k\];/hull = args->hulls;/' \
    check --only sphere_hull
mutate_avx512 "a recheck of several words of a hull takes the first word alone" batch/hull.h \
    's/if (end - first == 1)/if (true)/' undecided
mutate_avx512 "the worst values of several words of a hull are those of the last" batch/hull.h \
    's/for (; w < end; w++)$/for (; w < end; worst = w + 1 < end ? hull_worst_start() : worst, w++)/' undecided
mutate_avx512 "the first of several words of a hull is not rechecked" batch/hull.h \
    's/^            w = first;/            w = first + 1;/' undecided
mutate_avx512 "several words of a hull have the coordinate bound of the last" batch/hull.h \
    's/p.coordinate = worst->coordinate;/;/' \
    undecided --rounds 20
mutate "hulls are open at their edges" kernels/sphere_hull.h 's/if (sign != 0 \&\& sign != -1)/if (sign != -1)/' \
    exact_stage --only sphere_hull
mutate "a negative multiplier is accepted" kernels/sphere_hull.h \
    's/if (sign != 0 \&\& sign != 1)/if (sign == SIGN_UNKNOWN)/' \
    exact_stage --only sphere_hull
mutate "a set of planes with an unknown sign is ruled out" kernels/sphere_hull.h \
    's/return sign == SIGN_UNKNOWN ? ANSWER_UNKNOWN : ANSWER_ELSEWHERE;/return ANSWER_ELSEWHERE;/' exact_stage --only \
    sphere_hull
mutate "the error bound of cancelling normals is missing" hull/nearest_point.c 's/ + 0x1p-48 \* weight;/;/' \
    exact_stage --only sphere_hull
mutate "the nearest point is inside all other planes without a check" hull/nearest_point.c \
    's/found->boundary = boundary_planes(&q, &foot);/found->boundary = 0;/' \
    exact_stage --only sphere_hull
mutate "the nearest point on several planes counts as certain as on one" hull/nearest_point.c \
    's/foot->active.count > 1 ||/false ||/' \
    exact_stage --only sphere_hull
mutate "the error of the foot on a plane is ignored" hull/nearest_point.c 's/foot->p) < -error/foot->p) < 0/' \
    exact_stage --only sphere_hull
mutate "a plane that float64 leaves undecided is left out" hull/hull.c 's/found->boundary |= UINT32_C(1) << k;/;/' \
    exact_stage --only aabb_hull_planes
mutate "an added plane is taken alone" hull/hull.c 's/keep < 7 \&\&/keep < 1 \&\&/' exact_stage --only sphere_hull
mutate "hulls without a common point are touched" hull/hull.c \
    's/^            return ANSWER_MISS;/            return ANSWER_HIT;/' \
    exact_stage --only sphere_hull
mutate "half extents are added instead of subtracted" kernels/box_hull.h \
    's/sum = (sign > 0) == nearest/sum = (sign > 0) != nearest/' \
    exact_stage --only obb_hull_planes
mutate "invalid items have a class" api/classify.c 's/i < n \&\& !valid/i < n \&\& false/' classes
mutate "items have a class with planes that leave no points" api/classify.c \
    's/set.kind == ABUT_SET_HULLS || set.kind == ABUT_SET_PLANES/set.kind == ABUT_SET_HULLS/' classes
mutate "one invalid hull has classes" api/classify.c 's/return !abut_item_is_invalid(set, 0);/return true;/' classes
mutate "both tests of a class use the same touch rule" api/classify.c \
    's/open = {.touch = ABUT_OPEN/open = {.touch = ABUT_CLOSED/' \
    classes
mutate "later blocks of classes overwrite the first" api/classify.c 's/classes + i);/classes);/' classes

# Views
mutate "boxes are not padded" bvh/build/padded.c 's/ - view->padding;/;/' index_view
mutate "upper bounds of padded boxes are lower ones" bvh/build/padded.c 's/: -box\[k\]\[i\])/: box[k][i])/' index_view
mutate "only lower bounds decide whether an item left its box" bvh/build/padded.c \
    's/ \& near(high\[i\], kept + i \* BOX + 2, most);/;/' index_view
mutate "the last of four items is not checked" bvh/build/padded.c 's/in\[2\] \& in\[3\]/in[2]/' index_view
mutate "the second half of a leaf is not checked" bvh/build/padded.c 's/lane < LEAF; lane += 4/lane < 4; lane += 4/' \
    index_view
mutate "a new box does not renew its leaf" bvh/build/padded.c 's/leaves\[first + i\]\], 1,/leaves[first + i]], 0,/' \
    index_view
mutate "only the first item that left a leaf gets a new box" bvh/build/padded.c \
    's/left != 0; left \&= left - 1/left != 0; left = 0/' index_view
mutate "an invalid item of a view counts as valid" bvh/build/padded.c 's/if (blank)$/if (false)/' index_view
mutate "a gather keeps invalid items" bvh/build/padded.c \
    's/some_invalid = renewal.some_invalid;/some_invalid = false;/' index_test
mutate "a refused refit moves the view" bvh/build/padded.c \
    's/^    if (renewal.invalid)$/    index->view.items = *items;\n    if (renewal.invalid)/' index_view
mutate "a view accepts invalid items" bvh/build/padded.c \
    's/^            renewal->invalid = true;/            renewal->invalid = false;/' index_view
mutate "upper nodes are not renewed" bvh/build/padded.c \
    's/^            abut_nodes_set_above(\&index->tree, .*/            (void)0;/' index_view
mutate "a listed item keeps its old box" bvh/build/padded.c 's/(listed ? listed\[t\] : UINT_MAX)/(listed ? 0 : UINT_MAX)/' \
    index_refit_some
mutate "a refit of some forgets that a view has invalid items" bvh/build/padded.c \
    's/^    renewal.some_invalid = index->view.some_invalid;//' index_refit_some
mutate "a refit of some of a view forgets the other radii" bvh/build/padded.c 's/^    renewal.radius = radius;.*//' \
    index_refit_some
mutate "a view that is refit for no item keeps its arrays" bvh/build/refit_some.c \
    's/if (moves->n == 0 \&\& !is_view)/if (moves->n == 0)/' nothing
mutate "a refit of some keeps the greatest radius" bvh/build/refit_some.c 's/^    else if (had_it)/    else if (false)/' \
    index_refit_some
mutate "a refit of some forgets a greater radius" bvh/build/refit_some.c \
    's/tree->margin.radius = greatest;/tree->margin.radius = tree->margin.radius;/' index_refit_some
mutate "a refit of some takes items that it should skip" bvh/build/refit_some.c \
    's/ \&\& moves->invalid.count > 0)/ \&\& false)/' index_refit_some
mutate "a refit of many takes items that it should skip" bvh/build/refit_some.c \
    's/refill(moves->index, records, blank,/refill(moves->index, records, false,/' index_refit_some
mutate "the nodes above listed items are not renewed" bvh/build/refit_some.c \
    's/^    abut_nodes_set_above(tree, moves->leaves);//' index_refit_some
mutate "the last node of a path is not renewed" bvh/build/nodes.c 's/^    abut_nodes_path_end(\&path, tree);//' \
    index_refit_some
mutate "a box never shrinks" bvh/build/padded.c 's/ \& ~(four)((floats)a - b > most)//' index_view
mutate "the greatest radius of another worker is lost" bvh/build/padded.c \
    's/int32_t so_far = renewal->radius;/int32_t so_far = 0;\n    renewal->radius = 0;/' index_view
mutate "a refit keeps the greatest radius" bvh/build/padded.c \
    's/^    memcpy(\&index->tree.margin.radius, /    if (all)\n        memcpy(\&index->tree.margin.radius, /' \
    index_view
mutate "an infinite radius is the greatest" bvh/build/padded.c \
    's/bits = bits < above ? bits : 0;/bits = bits <= above ? bits : 0;/' index_view
mutate "leaves requested by many queries are not gathered in advance" bvh/search/gather.c \
    's/queries >= leaves->n/queries < leaves->n/' index_view
mutate "all gathered items count as valid" bvh/search/gather.c \
    's/^    if (leaves->view->some_invalid)/    if (false)/' index_test
mutate "a listed leaf is not gathered" bvh/search/gather.c \
    's/^            make_leaf(leaves, mine\[i\]);/            if (i + 1 < taken)\n                make_leaf(leaves, mine[i]);/' \
    index_view
mutate "hull searches read leaves that were not gathered" bvh/search/hulls.c \
    's/^    if (descent->search->tree->leaves.view)/    if (false)/' index_view
mutate "neighbour searches read leaves that were not gathered" bvh/search/nearest_descent.c \
    's/^    if (leaves->view)/    if (false)/' nearest_test
mutate "a vertex that is not there is reported as NaN" bvh/build/mesh.c \
    's/ \&\& invalid->row == missing.row/ \&\& false/' mesh
mutate "a reference point is that of the lower corners" bvh/search/owned.c \
    's/a\[k\] > b\[k\] ? a\[k\]/a[k] < b[k] ? a[k]/' \
    index_own --only sphere_aabb
mutate "an owned box holds its upper bound" bvh/search/owned.c \
    's/at < box->max\[k\]/at <= box->max[k]/' \
    index_own --only sphere_aabb
mutate "an owned box is one of a single axis" bvh/search/owned.c \
    's/holds = holds \& (at >=/holds = (at >=/' \
    index_own --only sphere_aabb
mutate "pairs of other boxes are counted" bvh/search/owned.c \
    's/kept->counts\[q\] = (uint32_t)(found - before);/(void)before;/' \
    index_own --only sphere_aabb
mutate "an owned box may be NaN" bvh/search/owned.c \
    's/ \&\& !isnan(own->max\[k\])//' \
    index_own --only sphere_aabb
mutate "threads report pairs that another box owns" bvh/search/run.c \
    's/if (stage->owned)/if (0)/' \
    index_own --only sphere_aabb
mutate "with threads the first round is all" bvh/search/run.c \
    's/asks ? 1 : /!asks ? 1 : /' \
    index_own --only sphere_aabb
mutate "any padding is accepted" bvh/build/build.c 's/!(\*padding >= 0 \&\& \*padding < INFINITY)/!(*padding >= 0)/' \
    index_view
mutate "a view as queries is not gathered" bvh/search/run.c \
    's/abut_tree_of(join->queries.items, SIZE_MAX/abut_tree_of(join->queries.items, 0/' index_view

mutate "bits before a block are looked at" api/groups.c 's/greater(offsets\[g\], first) - first/0/' engine_groups
mutate "groups that hit are tested on" api/groups.c \
    's/(at >= offsets\[g + 1\] || group_hits(call->mask, g))/at >= offsets[g + 1]/' engine_groups
mutate "groups need not end with the items" api/groups.c \
    's/groups->offsets\[groups->n\] == items ? ABUT_OK : ABUT_ERROR_ARGUMENT/ABUT_OK/' engine_groups
mutate "skipped items have a class" bvh/results/bits.c 's/isnan(member) \&\& /false \&\& /' engine_masks
mutate "inside is closed" bvh/results/bits.c 's/asked.touch = ABUT_OPEN/asked.touch = ABUT_CLOSED/' engine_masks
mutate "distances by type are closed" bvh/search/cutoffs.c 's/\.touch = touch/.touch = ABUT_CLOSED/' engine_rows
mutate "an item is in its own half row" bvh/search/filter.c \
    's/query < id : query != id/query <= id : query != id/' engine_rows
mutate "a sum with a negative part is a bound" api/hull_bounds.c \
    's/feasible = feasible \&\& l >= -0x1p-32/feasible = true/' hull_bounds
mutate "bounds of hulls do not count what rounding leaves" api/hull_bounds.c 's/+= 0x1p-27 \* size + /+= 0 * size + 0 * /' \
    hull_bounds
mutate "rounding is bounded where a hull is not" api/hull_bounds.c \
    's/directions->bound\[e\] = INFINITY;$/;/' hull_bounds
mutate "a corner is found once for each three planes" api/hull_corners.c 's/l < i || //' hull_corners
mutate "coordinates of corners have no error" api/hull_corners.c 's/(p.error + fabs(q) \* w.error)/0/' hull_corners
mutate "a coordinate half way between two floats goes down" api/hull_corners.c \
    's/ || (half == 0 \&\& low % 2 != 0)//' hull_corners
mutate "hulls are bounded" api/hull_corners.c 's/return !any;/return false;/' hull_corners
mutate "equally near items of a world come in any order" bvh/world/nearest.c 's/order < 0 : a < b/order < 0 : true/' \
    nearest_mixed
mutate "the rest of a merged row is lost" bvh/world/nearest.c \
    's/memmove(all + n, all + i, /memmove(all + n, all + n, /' nearest_mixed
mutate "bounds that overlap order items of a world" bvh/search/nearest_bounds.c \
    's/    if (near_a.low > near_b.high || near_b.low > near_a.high)/    if (near_a.low != near_b.low)/' nearest_mixed
mutate "images have no margin for rounding" bvh/search/images.c 's/return moved \* 0x1p-22 + /return 0 * moved + /' \
    within_test
mutate "images beyond all floats are infinite" bvh/search/images.c \
    's/isinf(rounded) ? copysignf(FLT_MAX, rounded) : rounded/rounded/' within_test
mutate "the box around a capsule has no radius" bvh/search/images.c \
    's/(double)box->r + ((double)reach/((double)reach/' within_shapes
mutate "half extents do not grow" bvh/search/images.c \
    's/ + (double)images->reach->within) : item/) : item/' within_shapes
mutate "images have no limit" bvh/search/images.c \
    's/return all <= most ? ABUT_OK : ABUT_ERROR_TOO_MANY/return ABUT_OK/' within_test
mutate "more images are made than were counted" bvh/search/images.c \
    's/while (images->columns.n < images->room \&\& images->left > 0)/while (true)/' within_test
mutate "images are nearer than half a period" bvh/search/images.c \
    's/half = period \* (0.5 + 0x1p-18)/half = period * 0.25/' within_test
mutate "wide queries have the images that are near by their centres" bvh/search/images.c \
    's/if (wide || \*to > \*end)/if (*to > *end)/' within_test
mutate "wide items have the images that are near by their centres" bvh/search/images.c \
    's/} else if (spread->some_wide) {/} else if (false) {/' within_test
mutate "padding makes images" bvh/search/images.c 's/^    if (are_spread(images))/    if (false)/' within_test
mutate "a wide box is where its centre is nearest" bvh/search/separation.c \
    's/if (a1 - a0 >= period || b1 - b0 >= period)/if (false)/' within_test
mutate "a filter counts all pairs within a distance" bvh/results/within.c \
    's/abut_filter_counts(options->filter, from->query, item)/true/' within_test
mutate "tiles own all pairs within a distance" bvh/results/within.c \
    's/(!options->own || abut_owned_pair(options->own, query, other))/true/' within_test
mutate "a triangle ends at its second vertex" bvh/search/images.c 's/c > high ? c : high;/high;/' within_shapes
mutate "infinite axes that depend on each other are taken whole" kernels/convex_distance.h \
    's/ \&\& !g->endless_high) || / || false) || /' within_shapes
mutate "a step backwards from a feature leads forwards" kernels/convex_distance.h \
    's/f->step\[i\].back ? -sign : sign/sign/' within_shapes
mutate "a feature that others are nearer than decides" kernels/convex_distance.h \
    's/along \* onwards < 0)/along * onwards < -1)/' within_shapes
mutate "rounding hides what is at a right angle to an edge" kernels/convex_body.h \
    's/return edge == direction->across\[0\] || /return false \&\& /' within_shapes
mutate "edges of another body are at right angles" kernels/convex_inside.h 's/body, &of_others)/body, direction)/' \
    exact_stage --only obb_in_obb
mutate "a part of a hull that others are nearer than decides" kernels/capsule_hull.h \
    's/negative |= sign\[i\] == -1;//; s/\*supported &= sign\[i\] == 0 || sign\[i\] == 1;//' \
    exact_stage --only capsule_hull
mutate "an edge of a hull is nearest from the wrong side" kernels/capsule_hull.h \
    's/product_of_signs(product_of_signs(side, rise\[0\]), -1)/product_of_signs(side, rise[0])/' \
    exact_stage --only capsule_hull
mutate "a corner of a hull is nearest from the wrong side" kernels/capsule_hull.h \
    's/cofactor\[i\])), -sign);/cofactor[i])), sign);/' exact_stage --only capsule_hull
mutate "the second triangle is its first corner" kernels/convex_distance.h \
    's/i - body->generators\], digit\[i\])))/i - body->generators], i > body->generators ? 0 : digit[i])))/' within_shapes
mutate "the shortest directions bound a distance" bvh/search/convex_bounds.c 's/shortest = 0x1p-300/shortest = 0/' \
    within_shapes
mutate "bounds of convex shapes have no error" bvh/search/convex_bounds.c 's/\* 0x1p-46;/* 0;/' within_shapes
mutate "squares of tiny distances bound neighbours in a periodic box" bvh/search/nearest_periodic.c \
    's/sqrt(d2 < least ? least : d2)/sqrt(d2)/' within_test
mutate "the far end of a tiny box is the near one" bvh/search/nearest_periodic.c \
    's/below > above ? below : above;/below < above ? below : above;/' within_test
mutate "a flat triangle has a normal" api/penetration.c 's/^    if (flat)$/    if (0)/' penetration
mutate "what rounding leaves at an edge is a way out" api/penetration.c 's/(flat ? 0x1p-15 : 0x1p-20) \* size/0 * size/' \
    penetration
mutate "every point is over a triangle" api/penetration.c 's/inner = inner \&\& dot_of(side, vp) >= 0/inner = true/' \
    penetration
mutate "an invalid sphere has a depth" api/penetration.c 's/if (sphere_invalid(s))/if (false)/' penetration

# Options
mutate "a box is ignored where it is not honoured" api/options.c 's/(!options->own || (takes \& TAKES_OWN))/true/' \
    every_option
mutate "a filter of the wrong side is ignored" api/options.c 's/(!of_queries || /(true || of_queries || /' \
    every_option
mutate "relations that do not exist pass" api/options.c 's/ || (unsigned)options->relation > ABUT_CULL//' every_option
mutate "touch rules that do not exist pass" api/options.c 's/(unsigned)options->touch > ABUT_OPEN || //' every_option
mutate "points of a block have the numbers of the first" bvh/search/nearest_periodic.c \
    's/(uint32_t)(periodic->first + point)/point/' every_option
mutate "labels of a block are those of the first" bvh/search/nearest_periodic.c \
    's/filter->query_masks + periodic->first/filter->query_masks/' every_option
mutate "all rays are cast before anyone may end the call" bvh/cast/casts.c \
    's/options->proceed ? (size_t)ROUND/false ? (size_t)ROUND/' every_option
mutate "all neighbours are found before anyone may end the call" bvh/search/nearest.c \
    's/options->proceed ? (size_t)ROUND/false ? (size_t)ROUND/' every_option

# Searches and lanes of predicates without loops of their own
mutate "searches take inside for touch" bvh/search/run.c \
    's/return number > 0 \&\& number == abut_predicate_numbers\[ABUT_TOUCHES\]\[a\]\[b\];/return number > 0;/' generic
mutate "searches of dear predicates ask groups and masks afterwards alone" bvh/search/block_search.h \
    's/!search->labels || labels_agree(search->labels, to->packet->ids\[q\], search->tree->leaves.ids\[place\])/true/' \
    figures
mutate "a pair of one set comes in both orders" bvh/search/block_search.h \
    's/search->block->self \&\& place <= own/false/' index_test
mutate "boxes around OBBs end at two edges" bvh/search/block_search.h \
    's/^\( *\)fabsf(at\[(12 + axis) \* LEAF\]) \* at\[5 \* LEAF\];/\10;/' figures
mutate "an infinite OBB has no box" bvh/search/block_search.h 's/unbounded ? -INFINITY : below/below/' index_test
mutate "vertices are on one side of any plane" batch/mesh_pairs.h 's/return !(above \&\& below);/return true;/' \
    mesh_pairs
mutate "vertices are in a plane where one axis is level" batch/mesh_pairs.h 's/all &= b\[3 \* i + k\] == a\[k\];/;/' \
    mesh_pairs
mutate "a wall meets what has a point on its inner side" batch/mesh_pairs.h \
    's/answer = meets ? answer/answer = meets || left + right > 0 ? answer/' mesh_pairs
mutate "the edges of one of two walls separate them" batch/mesh_pairs.h \
    's/by_b == ANSWER_MISS || by_a == ANSWER_TOUCH ? by_b : ANSWER_UNKNOWN;/by_a;/' mesh_pairs

mutate_avx512 "a difference beside minima is a sum" kernels/filter.h \
    's/return v_fnma(b, v_set1(1), a);/return v_fma(b, v_set1(1), a);/' \
    public --only sphere_aabb

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
