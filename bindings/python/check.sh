#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes a source distribution and of it a wheel, installs the wheel in an empty environment, and tests it there.
# usage: bindings/python/check.sh FOLDER LIBABUT.A; the last line counts the tests.
set -eu
python=${PYTHON:-/usr/bin/python3}
folder=$(realpath -m "$1")
ABUT_LIBRARY=$(realpath "$2")
export ABUT_LIBRARY
cd "$(dirname "$0")"

rm -rf "$folder"
mkdir -p "$folder"
$python setup.py -q egg_info --egg-base "$folder" sdist --dist-dir "$folder"
$python -m pip wheel -q --no-index --no-build-isolation --no-deps --wheel-dir "$folder" "$folder"/abut-*.tar.gz
case $(ls "$folder"/*.whl) in
*-cp311-abi3-*) ;;
*)
    echo "the wheel is not for all versions of Python: $(ls "$folder"/*.whl)"
    exit 1
    ;;
esac
# NumPy and pytest are the system's; abut is nowhere else.
$python -m venv --system-site-packages "$folder/venv"
"$folder/venv/bin/python" -m pip install -q --no-index --no-deps "$folder"/*.whl
cp -r tests "$folder/tests"
cd "$folder"
ABUT_INCLUDE=$OLDPWD/../../include
export ABUT_INCLUDE
status=0
venv/bin/python -m pytest -q -p no:cacheprovider -c /dev/null --rootdir tests tests >log 2>&1 || status=$?
cat log
counts=$(tail -n 1 log)
passed=$(echo "$counts" | sed -n 's/^.*\b\([0-9][0-9]*\) passed.*$/\1/p')
failed=$(echo "$counts" | sed -n 's/^.*\b\([0-9][0-9]*\) failed.*$/\1/p')
echo "${passed:-0} passed, ${failed:-0} failed"
exit "$status"
