#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the site, checks its links, and drives it in Chromium, whose numbers must be those of the native library.
# usage: docs/site/check.sh FOLDER LIBABUT.A; ABUT_PICTURES names a folder for screenshots.
# The last line counts the tests.
set -eu
folder=$(realpath -m "$1")
library=$(realpath "$2")
cd "$(dirname "$0")/../.."
top=$PWD

docs/site/build.sh "$folder/site"
rm -rf "$folder/test"
mkdir -p "$folder/test"
cc -std=c11 -D_POSIX_C_SOURCE=200809L -Iinclude bindings/python/tests/answers.c "$library" -lm -o "$folder/answers"
cd "$folder/test"
echo '{ "name": "test", "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund playwright-core@1.56.1
cp -r "$top"/docs/site/tests/*.mjs "$top/bindings/wasm/tests/native.mjs" "$top/docs/site/demo" .
status=0
ABUT_SITE=$folder/site ABUT_ANSWERS=$folder/answers node --test --test-reporter=tap page.test.mjs >log 2>&1 || status=$?
[ "$status" -eq 0 ] || cat log
echo "$(sed -n 's/^# pass //p' log) passed, $(sed -n 's/^# fail //p' log) failed"
exit "$status"
