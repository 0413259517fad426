#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the npm package in a folder: both modules, one with SIMD and one without, and the types of all predicates.
# usage: bindings/wasm/build.sh FOLDER; needs scripts/setup.sh wasm
set -eu
folder=$(realpath -m "${1:?usage: bindings/wasm/build.sh FOLDER}")
here=$(realpath "$(dirname "$0")")
top=$here/../..

features="--enable-simd --enable-nontrapping-float-to-int --enable-sign-ext --enable-bulk-memory"
optimize() {
    wasm-opt -Oz $features --low-memory-unused --zero-filled-memory "$@"
}

# module NAME CMAKE_OPTION...
module() {
    name=$1
    shift
    cmake -S "$top" -B "$folder/build-$name" -G Ninja --toolchain "$top/cmake/wasi.cmake" \
        -DCMAKE_BUILD_TYPE=MinSizeRel "-DCMAKE_C_FLAGS_MINSIZEREL=-Oz -DNDEBUG" \
        -DABUT_SMALL=ON -DABUT_BUILD_CLI=OFF -DABUT_BUILD_TESTS=OFF -DABUT_BUILD_EXAMPLES=OFF "$@" >/dev/null
    cmake --build "$folder/build-$name" --target abut >/dev/null
    clang --target=wasm32-wasi -O2 -std=c11 -I"$top/include" -I"$top/src" -c "$here/src/module.c" -o "$folder/module.o"
    # Without a level of optimisation the link does not run wasm-opt, whose -Oz saves more than its -O2. A second -Oz
    # and the order of functions save a tenth of the compressed bytes. Nothing lies below address 1024.
    clang --target=wasm32-wasi -mexec-model=reactor "$folder/module.o" "$folder/build-$name/libabut.a" \
        -o "$folder/module.wasm" -Wl,--no-entry,--strip-all,--gc-sections,-z,stack-size=262144,--global-base=1024
    optimize "$folder/module.wasm" -o "$folder/small.wasm"
    wasm-dis "$folder/small.wasm" -o "$folder/small.wat"
    node "$here/order.mjs" "$folder/small.wasm" "$folder/small.wat" "$folder/ordered.wat"
    optimize "$folder/ordered.wat" -o "$folder/package/abut-$name.wasm"
}

mkdir -p "$folder/package"
cp "$here/abut.js" "$here/abut.d.ts" "$here/package.json" "$here/README.md" "$top/LICENSE" "$folder/package"
# Engines that have SIMD have these, too, which make code shorter.
module simd "-DCMAKE_C_FLAGS=-mnontrapping-fptoint -msign-ext -mbulk-memory -Wno-unsupported-floating-point-opt"
module scalar -DABUT_ISAS=scalar
# What abut.js imports.
{
    printf "// abut-simd.wasm, compressed by gzip, in base64.\nexport default '"
    gzip -9 -n -c "$folder/package/abut-simd.wasm" | base64 -w 0
    echo "';"
} >"$folder/package/abut-simd.js"
node "$here/make-types.mjs" "$folder/package"
rm -f "$folder/module.o" "$folder"/*.wasm "$folder"/*.wat
for file in abut.js abut-simd.js abut-simd.wasm abut-scalar.wasm; do
    echo "$file: $(wc -c <"$folder/package/$file") bytes, $(gzip -9 -c "$folder/package/$file" | wc -c) compressed"
done
