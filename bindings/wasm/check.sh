#!/bin/sh
# SPDX-License-Identifier: MIT
# Packs the npm package, installs it in an empty project, and tests it there against the native library. Bundlers, and a
# Node that runs all of them, come from the npm registry and stay in the folder.
# usage: bindings/wasm/check.sh FOLDER LIBABUT.A; the last line counts the tests.
set -eu
folder=$(realpath -m "$1")
library=$(realpath "$2")
cd "$(dirname "$0")"
here=$PWD

./build.sh "$folder"
size=$(gzip -9 -c "$folder/package/abut-simd.js" | wc -c)
[ "$size" -le 307200 ] || { echo "abut-simd.js has $size bytes compressed, more than 300 KiB"; exit 1; }
cc -std=c11 -D_POSIX_C_SOURCE=200809L -I../../include ../python/tests/answers.c "$library" -lm -o "$folder/answers"

rm -rf "$folder/project"
mkdir -p "$folder/project"
cd "$folder/project"
(cd "$folder/package" && npm pack --silent --pack-destination "$folder/project" >/dev/null)
echo '{ "name": "project", "private": true, "type": "module" }' >package.json
npm install --silent --offline --no-audit --no-fund ./abut-*.tgz
cp "$here"/tests/*.mjs "$here"/examples/*.mjs .

passed=0 failed=0
# did TEXT COMMAND...
did() {
    text=$1
    shift
    if ("$@") >log 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        cat log
        echo "FAILED: $text"
    fi
}
example() {
    node cull.mjs >output && grep -q 'instruction set wasm' output &&
        grep -q 'spheres touch what the camera sees' output
}
did "the example runs" example
for module in simd scalar; do
    did "tests of abut-$module.wasm" env ABUT_MODULE=$module ABUT_ANSWERS="$folder/answers" node --test package.test.mjs
done

install_bundlers() {
    mkdir -p "$folder/bundlers"
    cp "$here"/tests/bundlers/*.* "$folder/bundlers"
    cd "$folder/bundlers"
    npm install --ignore-scripts --prefer-offline --no-audit --no-fund
}
bundled() {
    rm -rf "$folder/application"
    cp -r "$here/tests/bundlers/app" "$folder/application"
    cp -r package.json node_modules "$folder/application"
    cd "$folder/bundlers"
    # By its path: npm 9, which Debian 12 has, makes no links of optional packages.
    node_modules/node-linux-*/bin/node bundle.mjs "$1" "$folder/application"
}
did "bundlers from the npm registry" install_bundlers
for bundler in vite-5 vite-6 vite-7 esbuild; do
    did "an application bundled by $bundler" bundled $bundler
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
