#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the benchmark, runs it pinned to a core with repetitions interleaved, and makes tables of the medians.
set -eu

usage() {
    cat <<'END'
usage: scripts/bench.sh [quick] [OPTIONS]
       scripts/bench.sh join [--sizes=N,N...] [--repetitions=N] [--isa=NAME] [--threads=N]
                             [--crossover | --shapes | --moving]
       scripts/bench.sh world [--quick] [--only=WORDS]
       scripts/bench.sh casts
       scripts/bench.sh engine [--quick]
       scripts/bench.sh worst [--seconds=S] [--seed=N] [--only=TEXT] [--show]
       scripts/bench.sh report [--quick]
       scripts/bench.sh peers [--sizes=N,N...] [--repetitions=N] [--only=NAME] [--patience=SECONDS]

Without options, everything: writes bench/results/CPU.json and the tables in README.md and bench/README.md (the better
part of an hour).
With any of these, prints tables only:

  join                  join_uniform and join_clustered by an index, 1,000 to 1,000,000 spheres and as many boxes;
                        --crossover: the number from which an index is faster than all with all;
                        --shapes: spheres among 200,000 shapes of each kind, and these among spheres, with every
                        instruction set and one thread; --moving: refits and searches of a million moving boxes,
                        in an index and in a view
  world                 frames of a world that moves: abut_world, refit and join, and Bullet's broad phase where that is
                        installed; compares pairs. 7 minutes; --quick: a twentieth of the frames
  casts                 rays and moving spheres among 21,000 boxes, beside the box of a ray and Bullet's tree where that is
                        installed. Seconds
  engine                searches for one query beside a loop, and the calls of engine.h beside what one would write
                        without them; compares answers. Seconds; --quick: a twentieth of the items
  worst                 searches for the pairs that take longest, S (20) seconds for each predicate, half an hour in all;
                        --only=TEXT: functions with TEXT in their names; --show: the slowest pair, too
  report                kernels beside the compiler's own loop, and these, joins and moving worlds beside packaged
                        libraries (installed first); compares pairs before it prints times. Half an hour; writes
                        charts, a page and figures to bench/results/CPU-report. --quick: small sizes, few repetitions,
                        for a look
  peers                 joins of a million spheres and boxes, one thread, beside Embree, Bullet, CGAL and Boost
                        (installed first); compares pairs before it prints times. A quarter of an hour; writes
                        build/bench/peers.json. --repetitions=N: of each, interleaved (default 3); --only=NAME: beside
                        abut only names with NAME in them; --patience=SECONDS: leave out joins that would take longer
                        (60). With several --sizes, also cost by number, time a pair, memory beyond input and pairs, say
                        --sizes=1000,10000,100000,1000000,10000000 --only=sorted
  quick                 spheres against boxes alone, fewer sizes, implementations and repetitions: two minutes
  --filter=REGEX        only benchmarks whose name matches: WORKLOAD/PAIRS/IMPLEMENTATION, say
                        sphere_vs_aabbs/1%/4096/avx2/exact
  --sizes=all|N,N...    these numbers of pairs a pass instead of the usual; all: powers of two, 256 to 16 Mi
  --repetitions=N       of each benchmark, interleaved with the others of its workload and size (default 9, quick 5)
  --list                only print the names of the benchmarks
  --help

BENCH_CPU is the core to run on (by default the last one that may be used). With BENCH_PEERS=ON, kernels are also
compared with packaged libraries, which are installed first.
END
}

root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/bench
needs=bench peers=${BENCH_PEERS-OFF}
[ "$peers" = OFF ] || needs=peers
case ${1-} in
join)
    shift
    target=abut_bench_join
    ;;
world)
    shift
    target=abut_bench_world
    ;;
casts)
    shift
    target=abut_bench_casts
    ;;
engine)
    shift
    target=abut_bench_engine
    ;;
worst)
    shift
    target=abut_bench_worst
    ;;
peers)
    shift
    target=abut_bench_peers needs=peers peers=ON
    ;;
report)
    shift
    target="abut_bench abut_bench_peers abut_bench_frames" needs=peers peers=ON
    ;;
*) target=abut_bench ;;
esac
quick= filter=. sizes= repetitions= list=
whole=1
for argument; do
    [ "$target" = abut_bench ] || break
    case $argument in
    quick) quick=1 ;;
    --filter=*) filter=${argument#*=} ;;
    --sizes=*) sizes=$argument ;;
    --repetitions=*) repetitions=${argument#*=} ;;
    --list) list=1 ;;
    --help)
        usage
        exit 0
        ;;
    *)
        usage >&2
        exit 2
        ;;
    esac
    whole=
done
[ -n "$repetitions" ] || repetitions=${quick:+5}

"$root/scripts/setup.sh" $needs
mkdir -p "$build"
if ! {
    cmake -S "$root" --preset bench -DABUT_BENCH_PEERS=$peers && cmake --build "$build" --target $target
} >"$build/build.log" 2>&1 </dev/null; then
    tail -n 40 "$build/build.log" >&2
    exit 1
fi

cpu=${BENCH_CPU-$(taskset -cp $$ | sed 's/.*[^0-9]//')}
# Some names stand for several generations, so family and model number follow where the processor has them.
model=$(lscpu | awk -F': *' '$1 == "Model name" && !name { name = $2 } $1 == "CPU family" { family = $2 }
    $1 == "Model" { number = $2 } END { print name (family ? " (family " family ", model " number ")" : "") }')
cpu_file=$(echo "${model:-unknown}" | tr '[:upper:]' '[:lower:]' | tr -cs 'a-z0-9\n' '-')

# report [--quick]
report() {
    folder=$root/bench/results/${cpu_file%-}-report
    frames= joins="--sizes=300000 --repetitions=3 --patience=20" repetitions=5
    case $* in
    "") ;;
    --quick) frames=--quick joins="--sizes=10000 --repetitions=1" repetitions=1 ;;
    *)
        usage >&2
        exit 2
        ;;
    esac
    mkdir -p "$folder"
    taskset -c "$cpu" "$build/bench/abut_bench_frames" $frames --json="$folder/frames.json" --cpu="${model:-unknown}"
    taskset -c "$cpu" "$build/bench/abut_bench_peers" $joins --json="$folder/joins.json" --cpu="${model:-unknown}"
    kernels='sphere_vs_aabbs/1%|sphere_aabb_pairs/7%|sphere_obb_pairs/42%|aabb_aabb/one|obb_obb/(zip|one)'
    kernels="$kernels|frustum_culling/(sphere_hull|sphere_hull_planes|aabb_hull_planes)"
    BENCH_PEERS=ON "$0" --sizes=4096,1048576 --repetitions=$repetitions --filter="^($kernels)/"
    cp "$build/results.json" "$folder/kernels.json"
    "$root/bench/report_page.py" "$folder" "${model:-unknown}"
}

bench=$build/bench/$target
case $target in
"abut_bench "*)
    report "$@"
    exit
    ;;
abut_bench_join) exec "$bench" "$@" ;;
abut_bench_world | abut_bench_casts | abut_bench_engine | abut_bench_worst) exec taskset -c "$cpu" "$bench" "$@" ;;
abut_bench_peers) exec taskset -c "$cpu" "$bench" --json="$build/peers.json" --cpu="${model:-unknown}" "$@" ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$bench" $sizes --benchmark_list_tests=true --benchmark_filter="$filter" >"$work/names"
if [ -n "$quick" ]; then
    grep -E '^(sphere_vs_aabbs|sphere_aabb_pairs)/' "$work/names" |
        grep -Ev '/65536/|/scalar/|/sse/x' >"$work/quick" || true
    mv "$work/quick" "$work/names"
fi
if [ -n "$list" ]; then
    cat "$work/names"
    exit 0
fi
if [ ! -s "$work/names" ]; then
    echo "bench: no benchmark has such a name" >&2
    exit 2
fi

# One process per family and size: compared benchmarks are interleaved, and memory holds one set of inputs.
awk -F/ '!seen[$1, $3]++ { print $1, $3 }' "$work/names" >"$work/groups"
while read -r family size; do
    names=$(grep "^$family/[^/]*/$size/" "$work/names" | paste -sd'|' -)
    echo "bench: $family, $size pairs a pass" >&2
    part=$work/$family-$size.json
    taskset -c "$cpu" "$bench" $sizes --benchmark_filter="^($names)\$" --benchmark_enable_random_interleaving=true \
        --benchmark_repetitions="${repetitions:-9}" --benchmark_report_aggregates_only=true \
        --benchmark_min_time=0.02 --benchmark_out="$part" --benchmark_out_format=json >"$work/log" 2>&1 </dev/null || {
        cat "$work/log" >&2
        exit 1
    }
    echo "$part" >>"$work/parts"
done <"$work/groups"

report=$root/bench/report.py
out=$build/results.json
if [ -n "$whole" ]; then
    mkdir -p "$root/bench/results"
    out=$root/bench/results/$cpu_file.json
fi
set --
while read -r part; do
    set -- "$@" "$part"
done <"$work/parts"
python3 "$report" merge "$out" "${model:-unknown}" "$work/names" "$@"
python3 "$report" table "$out"
echo
python3 "$report" acceptance "$out"
if [ -n "$whole" ]; then
    python3 "$report" pages "$out" "$root/README.md" "$root/bench/README.md"
fi
