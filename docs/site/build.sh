#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the whole site in a folder, and checks its links. usage: docs/site/build.sh FOLDER
set -eu
folder=$(realpath -m "${1:?usage: docs/site/build.sh FOLDER}")
cd "$(dirname "$0")/../.."

scripts/setup.sh site
bindings/wasm/build.sh "$folder-package"
rm -rf "$folder"
mkdir -p "$folder/abut"
cp "$folder-package"/package/*.js "$folder-package"/package/*.wasm "$folder/abut"
/usr/bin/python3 docs/site/build.py "$folder"
/usr/bin/python3 docs/site/links.py "$folder"
