#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks invariants of sources and objects that ordinary tests cannot see. Prints a line per invariant, then the counts.
# usage: scripts/check_invariants.sh [WORDS]    only invariants with WORDS in their text
set -eu
cd "$(dirname "$0")/.."

only=${1-}
build=$PWD/build/invariants
scratch=$(mktemp -d)
# CMake's own choice is make, which a machine may lack.
export CMAKE_GENERATOR=Ninja
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

# invariant TEXT COMMAND...: holds if the command succeeds; the command prints violations.
invariant() {
    text=$1
    shift
    case $text in
    *"$only"*) ;;
    *) return 0 ;;
    esac
    # Not as a condition: the shell would ignore set -e in it.
    set +e
    (
        set -e
        "$@"
    ) >"$scratch/violations" 2>&1
    status=$?
    set -e
    if [ "$status" -eq 0 ]; then
        passed=$((passed + 1))
        echo "ok      $text"
    else
        failed=$((failed + 1))
        echo "BROKEN  $text"
        head -n 20 "$scratch/violations" | sed 's/^/        /'
    fi
}

# Fails if the pattern is found, and if grep fails.
no_match() {
    status=0
    grep -nE "$@" || status=$?
    [ "$status" -eq 1 ]
}

# The source files in these folders.
sources() {
    find "$@" -name '*.[ch]' -o -name '*.def' -o -name '*.cc' | grep .
}

without_comments() {
    for file; do
        gcc -fpreprocessed -dD -E -P -x c "$file" 2>/dev/null | sed "s|^|$file: |"
    done
}

# The objects of one target.
objects() {
    find "$build" -path "*/$1.dir/*" -name '*.o' | grep .
}

# The compile commands of the targets that match, one a line.
commands() {
    sed -n 's/^ *"command": "\(.*\)",$/\1/p' "$build/compile_commands.json" | sed 's/\\\(.\)/\1/g' |
        grep -E "/($1)\.dir/"
}

simde_stays_in_isa() {
    no_match '# *include.*simde' $(sources include src bench tests examples | grep -v '^src/isa/[a-z0-9]*\.c$')
}

isa_is_c() {
    [ -z "$(find src/isa -type f ! -name '*.c' ! -name '*.h')" ]
}

# one_symbol_each TARGET_PREFIX SYMBOL_SUFFIX ISA...
one_symbol_each() {
    target=$1 suffix=$2
    shift 2
    for isa; do
        nm -g --defined-only $(objects "$target$isa") | awk -v want="abut_kernels_$isa$suffix" -v isa="$isa" '
            NF == 3 { n++; if ($3 != want || $2 != "R" && $2 != "D") print isa " exports " $3 " (" $2 ")" }
            END { if (n != 1) print isa " exports " n + 0 " symbols" }'
    done | no_match .
}

kernels_name_no_isa() {
    cc -MM -Isrc -Iinclude src/isa/scalar.c | tr ' ' '\n' | grep -E '^src/.*\.h$' | sed 's|[a-z]*/\.\./||g' |
        grep -v '^src/isa/' >"$scratch/included"
    grep -qx 'src/kernels/filter\.h' "$scratch/included"
    without_comments $(sort -u "$scratch/included") >"$scratch/kernels"
    [ -s "$scratch/kernels" ]
    no_match -i '_mm[0-9]*_|__m(128|256|512)|simde|\b(sse|avx|neon|fma3|x86|amd64|aarch64|arm)[0-9]*|(float|int|uint)(32|64)x[0-9]' \
        "$scratch/kernels"
}

cpu_asks_alone() {
    no_match 'cpuid|xgetbv|__builtin_cpu|getauxval' $(sources src bench | grep -v '^src/dispatch/cpu\.[ch]$')
}

no_environment() {
    no_match '\b(getenv|secure_getenv|environ)\b' $(sources include src | grep -v '^src/cli/')
    no_match '\b(fesetround|fesetenv|feholdexcept|ldmxcsr|_MM_SET|setcsr|__set_fpcr)' $(sources include src | grep -vE '^src/(util/float_mode.h|cli/main.c)$')
}

command_is_public() {
    no_match '# *include "[^"]*/' $(sources src/cli)
}

library_calls_only() {
    nm -D --undefined-only "$build/libabut.so" | awk '$1 == "U" { sub("@.*", "", $2); print $2 }' >"$scratch/undefined"
    [ -s "$scratch/undefined" ]
    no_match -vx 'malloc|aligned_alloc|madvise|free|str(cmp|len)|mem(cpy|set|cmp|move)|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail' "$scratch/undefined"
}

# one_list LINE FILE...: with LINE added to predicates.def, no FILE compiles, because a kernel, formula, oracle or plain
# loop is missing. The linker reports missing oracles of predicates.
one_list() {
    line=$1
    shift
    rm -rf "$scratch/list"
    mkdir -p "$scratch/list"
    cp -r include src bench tests "$scratch/list"
    sed -i 's/^#undef PREDICATE/'"$line"'\n&/' "$scratch/list/src/tables/predicates.def"
    for file in "$@"; do
        gcc -std=c11 -D_POSIX_C_SOURCE=200809L -fsyntax-only -Iinclude -Isrc -Ibench "$file" ||
            { echo "$file does not compile as it is"; exit 1; }
        ! (cd "$scratch/list" && gcc -std=c11 -D_POSIX_C_SOURCE=200809L -Werror=implicit-function-declaration \
            -fsyntax-only -Iinclude -Isrc -Ibench "$file") 2>/dev/null ||
            { echo "$file compiles with a line without code"; exit 1; }
    done
}

flags_everywhere() {
    commands 'abut[a-z0-9_]*' >"$scratch/commands"
    [ -s "$scratch/commands" ]
    no_match -v -e ' -ffp-contract=off ' "$scratch/commands"
    no_match -v -e ' -std=c11 ' "$scratch/commands"
    no_match -e '-Ofast|-ffast-math|-funsafe|-fassociative|-freciprocal|-ffinite|-fno-signed-zeros' "$scratch/commands"
}

# The compiler flags of an instruction set.
flags_of() {
    sed -nE "s/^INSTRUCTION_SET.$1, [a-z0-9_]+, \"([^\"]*)\".*/\\1/p" src/tables/isas.def
}

# Each target has the -m flags of its instruction set and no other.
flags_of_isas() {
    for isa in $isas; do
        want=$(flags_of $isa)
        for target in abut_isa_$isa abut_unchecked_$isa abut_inexact_$isa; do
            have=$(commands "$target" | tr ' ' '\n' | grep -e '^-m' | tr '\n' ' ') || :
            [ "$have" = "${want:+$want }" ] || { echo "$target has $have"; exit 1; }
        done
    done
    commands 'abut_base|abut_command|abut_cli|abut_plain|abut_emulated' >"$scratch/commands"
    no_match -e ' -m' "$scratch/commands"
}

refuses() {
    ! cmake -S . -B "$scratch/configure" --fresh "$@" >"$scratch/refusal" 2>&1 ||
        { echo "configures with $*"; exit 1; }
    grep -q 'abut cannot be exact' "$scratch/refusal"
}

fast_math_is_refused() {
    for flag in -ffast-math -ffinite-math-only -fno-signed-zeros; do
        refuses "-DCMAKE_C_FLAGS=$flag"
    done
    for compiler in gcc clang; do
        refuses -DCMAKE_C_COMPILER=$compiler -DCMAKE_C_FLAGS_RELEASE=-Ofast
        refuses -DCMAKE_C_COMPILER=$compiler -DCMAKE_C_FLAGS=-funsafe-math-optimizations
    done
    [ "$(uname -m)" != x86_64 ] || refuses -DCMAKE_C_FLAGS=-mfpmath=387
    refuses -DCMAKE_EXE_LINKER_FLAGS=-ffast-math
    refuses -DCMAKE_SHARED_LINKER_FLAGS=-Ofast
}

# A parent project can hide flags from configuring.
hidden_flags_are_undone() {
    mkdir -p "$scratch/parent"
    cat >"$scratch/parent/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(parent LANGUAGES C)
add_compile_options("\$<\$<COMPILE_LANGUAGE:C>:-ffinite-math-only>")
add_library(hidden INTERFACE)
target_compile_options(hidden INTERFACE -fassociative-math)
link_libraries(hidden)
add_link_options("\$<1:-ffast-math>")
add_subdirectory($PWD abut)
END
    for compiler in gcc clang; do
        cmake -S "$scratch/parent" -B "$scratch/parent/build" --fresh -DCMAKE_C_COMPILER=$compiler \
            -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DBUILD_SHARED_LIBS=ON
        grep '"command"' "$scratch/parent/build/compile_commands.json" >"$scratch/parent/commands"
        [ -s "$scratch/parent/commands" ]
        no_match -v -e ' -ffinite-math-only .*-fassociative-math .*-fno-associative-math .*-fno-finite-math-only ' \
            "$scratch/parent/commands"
        ninja -C "$scratch/parent/build" -t commands abut | grep -q -e ' -ffast-math .*-fno-fast-math .*libabut\.so'
    done
}

# compiles ISA FLAGS...
compiles() {
    isa=$1
    shift
    gcc -std=c11 -Iinclude -Isrc -fsyntax-only "$@" "src/isa/$isa.c" 2>"$scratch/errors"
}

no_silent_emulation() {
    for isa in $(sed -nE '/, any,/d; s/^INSTRUCTION_SET.([a-z0-9]+),.*/\1/p' src/tables/isas.def); do
        compiles $isa -DABUT_EMULATED || { echo "$isa is not even emulated"; exit 1; }
        case $isa in
        sse) flags=-mno-sse2 ;;
        *) flags= ;;
        esac
        ! compiles $isa $flags || { echo "$isa compiles without its instructions"; exit 1; }
        grep -q '#error "compile isa/'$isa'\.c' "$scratch/errors" || { cat "$scratch/errors"; exit 1; }
    done
    compiles avx2 -mavx2 -mfma && compiles avx512 -mavx512vl -mavx512dq -mavx512bw -mfma
    for flags in "-mavx2" "-mfma"; do
        ! compiles avx2 $flags || { echo "avx2 compiles with $flags alone"; exit 1; }
    done
    for flags in "-mavx512dq -mavx512bw" "-mavx512vl -mavx512bw" "-mavx512vl -mavx512dq"; do
        ! compiles avx512 -mfma $flags || { echo "avx512 compiles with $flags alone"; exit 1; }
    done
}

# The assembler accepted only instructions of each object's target.
only_own_instructions() {
    commands 'abut_base|abut_plain|abut_command|abut_cli|abut_isa_[a-z0-9]*' >"$scratch/commands"
    sed 's|.* -Wa,-march=\([a-z0-9+]*\) .*/\([a-z0-9_]*\.c\)$|\2 \1|' "$scratch/commands" >"$scratch/assembled"
    echo "cpu.c generic64+xsave" >"$scratch/targets"
    for isa in $isas; do
        echo "$isa.c generic64$(flags_of $isa | sed 's/ *-m/+/g')" >>"$scratch/targets"
    done
    awk 'NR == FNR { want[$1] = $2; next }
        { if ($1 in want) seen++ }
        $2 != ($1 in want ? want[$1] : "generic64") { print }
        END { if (seen != length(want)) print seen " of " length(want) " files with a target of their own" }' \
        "$scratch/targets" "$scratch/assembled" | no_match .
    grep -q '^main\.c ' "$scratch/assembled"
    echo 'vaddps %xmm0, %xmm0, %xmm0' >"$scratch/wide.s"
    gcc -c -o "$scratch/wide.o" "$scratch/wide.s"
    ! gcc -c -Wa,-march=generic64 -o "$scratch/wide.o" "$scratch/wide.s"
}

# The same for the built objects: VEX and EVEX mnemonics begin with v.
no_wide_registers() {
    for target in abut_base abut_plain abut_command abut_isa_scalar abut_isa_sse; do
        objdump -d --no-show-raw-insn $(objects $target) >"$scratch/code"
        grep -q xmm "$scratch/code"
        no_match '%[yz]mm|%k[0-7]|	v[a-z]' "$scratch/code"
    done
    objdump -d --no-show-raw-insn $(objects abut_isa_avx2) >"$scratch/code"
    grep -q ymm "$scratch/code"
    no_match '%zmm|%k[0-7]' "$scratch/code"
    objdump -d --no-show-raw-insn $(objects abut_isa_avx512) | grep -q zmm
}

# The texts that name instruction sets name those of isas.def.
texts_name_isas() {
    all=$(sed -nE 's/^INSTRUCTION_SET.([a-z0-9]+),.*/\1/p' src/tables/isas.def)
    echo "$all" | sort >"$scratch/isas"
    sed -n '/---- Instruction sets/,/\*\//p' include/abut/abut.h | grep -o '"[a-z0-9]*"' | tr -d '"' | sort >"$scratch/header"
    diff "$scratch/isas" "$scratch/header" || { echo "abut.h names other instruction sets"; exit 1; }
    sed -n '/^\.It Fl -isa/,/selftest/p' src/cli/abut.1 | grep '^\.Cm' | tr ' ' '\n' | grep -x '[a-z0-9]*' |
        grep -vx selftest | sort >"$scratch/manual"
    diff "$scratch/isas" "$scratch/manual" || { echo "abut.1 names other instruction sets"; exit 1; }
    for isa in $(echo "$all" | grep -vx scalar); do
        tr -d - <README.md | grep -qi "$isa" || { echo "README.md lacks $isa"; exit 1; }
    done
    # What an emulated processor runs is the end of the list.
    natives=$(sed -nE 's/^INSTRUCTION_SET.([a-z0-9]+), (x86|any).*/\1/p' src/tables/isas.def | tr '\n' ' ')
    sed -nE 's/.* runs [A-Za-z0-9]+ "([a-z0-9 ]*)".*/\1/p' scripts/test.sh >"$scratch/emulated"
    [ -s "$scratch/emulated" ]
    while read -r end; do
        case $natives in *"$end ") ;; *) echo "scripts/test.sh: \"$end\" is no end of \"$natives\""; exit 1 ;; esac
    done <"$scratch/emulated"
}

# The functions that the headers declare.
promised_names() {
    for header in include/abut/*.h; do
        gcc -std=c11 -E -P -Iinclude "$header" >"$scratch/header"
        grep -vE '^(static inline|typedef) ' "$scratch/header" | grep -oE '\babut_[a-z0-9_]+ *\(' | tr -d ' ('
    done | sort -u >"$scratch/promised"
    [ -s "$scratch/promised" ]
}

# Every function that takes options says in options.def which it honours.
options_listed() {
    for header in include/abut/*.h; do
        gcc -std=c11 -E -P -Iinclude "$header" | tr '\n' ' ' | tr '{};' '\n'
    done | grep 'const struct abut_options \*' | grep -vE 'static inline|typedef|\(\*' |
        grep -oE '\babut_[a-z0-9_]+ *\(' | tr -d ' (' | sort -u >"$scratch/take_options"
    [ -s "$scratch/take_options" ]
    sed -nE 's/^OPTIONS_OF\(([a-z_]+),.*/\1/p' src/tables/options.def | sort | diff "$scratch/take_options" -
}

exported_names() {
    promised_names
    # The symbol of the version itself is absolute.
    nm -D --defined-only --with-symbol-versions "$build/libabut.so" | awk '$2 != "A" { print $3 }' | sort >"$scratch/versioned"
    version=$(sed -nE 's/^#define ABUT_VERSION "(0\.[0-9]+|[1-9][0-9]*)\..*"$/\1/p' include/abut/abut.h)
    [ -n "$version" ]
    no_match -v "@@ABUT_$version\$" "$scratch/versioned"
    sed 's/@@.*//' "$scratch/versioned" >"$scratch/exported"
    diff "$scratch/promised" "$scratch/exported"
}

# A function that abut.hpp does not call is named in a comment that says what serves for it.
cpp_names() {
    promised_names
    cat include/abut/abut.hpp include/abut/cpp/*.hpp | grep -oE '\babut_[a-z0-9_]+' | sort -u >"$scratch/named"
    comm -23 "$scratch/promised" "$scratch/named" | no_match .
}

# In a static library hidden names are visible to the linker.
internal_names() {
    nm -g --defined-only "$build/libabut_internal.a" | awk 'NF == 3 { print $3 }' >"$scratch/names"
    [ -s "$scratch/names" ]
    no_match -v '^abut_' "$scratch/names"
}

# With these operations, bits would depend on the instruction set.
numbers_are_fixed() {
    without_comments src/kernels/distance.h src/batch/distance.h >"$scratch/numbers"
    [ -s "$scratch/numbers" ]
    no_match '\b(v_fma|v_fnma|v_min|v_max|v_min_abs|v_max_abs|sum_of_squares|dot3|dot_product|fraction|radius_squared)\b' "$scratch/numbers"
}

# Products with a denormal, fused or not, are slow on Intel's processors. Exceptions: compares, a constant scaled to a
# normal number, and a sum for a half extent of 0.
no_denormal_constants() {
    without_comments $(sources src/kernels) >"$scratch/kernels"
    grep -q 'filter.h: .*0x1p-126f' "$scratch/kernels"
    sed 's/-0x1p-140f \* BOUND_SCALE//; s/m_lt(v_add(beyond, bound), v_set1(-0x1p-140f))//; s/v_add(needed, v_set1(0x1p-149f))//' "$scratch/kernels" |
        no_match '0x[0-9a-f.]+p-1(2[7-9]|[3-9][0-9])f'
}

readme_example() {
    sed -n '/^```c$/,/^```$/p' README.md | sed '1d;$d' >"$scratch/readme.c"
    sed 1d examples/quickstart.c | diff - "$scratch/readme.c"
}

predicate_tables() {
    cp README.md include/abut/abut.h "$scratch"
    scripts/predicates.sh "$scratch/README.md" "$scratch/abut.h"
    grep -q 'abut_spheres_touch_aabbs' "$scratch/README.md"
    { diff README.md "$scratch/README.md" && diff include/abut/abut.h "$scratch/abut.h"; } || {
        echo "scripts/predicates.sh README.md include/abut/abut.h renews them"
        exit 1
    }
}

isas=$(sed -nE "s/^INSTRUCTION_SET.([a-z0-9]+), ($(uname -m | sed s/x86_64/x86/)|any).*/\\1/p" src/tables/isas.def)

if ! {
    cmake --preset dev -B "$build" -DBUILD_SHARED_LIBS=ON -DABUT_BUILD_TESTS=OFF -DABUT_BUILD_EXAMPLES=OFF &&
        cmake --build "$build" --target abut abut_cli abut_internal abut_plain abut_unchecked_scalar
} >"$scratch/build" 2>&1 </dev/null; then
    cat "$scratch/build"
    exit 1
fi

invariant "only src/isa/*.c include SIMDe" simde_stays_in_isa
invariant "src/isa has only C files" isa_is_c
invariant "each ISA object exports its table and nothing else" one_symbol_each abut_isa_ "" $isas
invariant "each unchecked ISA object exports its table and nothing else" one_symbol_each abut_unchecked_ _unchecked scalar
invariant "code compiled per instruction set names none" kernels_name_no_isa
invariant "distances use no fused operation and no minimum that depends on the machine" numbers_are_fixed
invariant "kernels have no denormal constants" no_denormal_constants
invariant "only cpu.c queries the processor" cpu_asks_alone
invariant "the command includes public headers only" command_is_public
invariant "the library reads no environment, and only one header sets the floating-point mode" no_environment
invariant "the library calls only memory and string functions" library_calls_only
invariant "a predicate without kernel, formula or plain loop does not compile" \
    one_list "PREDICATE(nothing, sphere, aabb, touches, abut_nothing)" src/exact/filter64.c src/isa/scalar.c bench/plain.c
invariant "a predicate of hulls without kernel, formula or float64 filter does not compile" \
    one_list "PREDICATE(nothing, sphere, hull, touches, abut_nothing)" src/isa/scalar.c src/exact/filter64.c src/hull/hull.c
invariant "a distance without kernel, oracle or plain loop does not compile" \
    one_list "DISTANCE(nothing, point, aabb, abut_nothing)" src/isa/scalar.c tests/distance_oracle.c bench/plain.c
invariant "the example in README.md is examples/quickstart.c" readme_example
invariant "the tables of predicates in README.md and abut.h are those of predicates.def" predicate_tables
invariant "-ffp-contract=off and -std=c11 everywhere, no unsafe arithmetic" flags_everywhere
invariant "only ISA files have -m flags" flags_of_isas
invariant "abut.h, the manual page, README.md and test.sh name the instruction sets of isas.def" texts_name_isas
invariant "configuring with -ffast-math or x87 arithmetic fails" fast_math_is_refused
invariant "-ffast-math hidden from the configuration is undone" hidden_flags_are_undone
invariant "each defect of tests/mutations.sh finds a line to change" tests/mutations.sh --lines
invariant "the exported names are those of the headers" exported_names
invariant "abut.hpp names every exported function" cpp_names
invariant "options.def names every function that takes options" options_listed
invariant "all global names begin with abut_" internal_names
if [ "$(uname -m)" = x86_64 ]; then
    invariant "an ISA file without its flags does not compile" no_silent_emulation
    invariant "no instruction outside of the target's instruction set" only_own_instructions
    invariant "no wide registers outside their ISA objects" no_wide_registers
else
    echo "skipped the invariants of x86-64 instructions: this is $(uname -m)"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
