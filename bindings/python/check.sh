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

# As docs/python.md says, without a library at hand, with another Python first on the path, and with what it shows. One
# predicate of one instruction set is enough.
builds_the_library() {
    mkdir -p "$folder/path" "$folder/small"
    for name in python python3 pip pip3; do
        printf '#!/bin/sh\necho "another $0"\nexit 1\n' >"$folder/path/$name"
    done
    chmod +x "$folder"/path/*
    printf 'set(ABUT_%s CACHE STRING "")\n' 'PREDICATES sphere_aabb' 'ISAS scalar' >"$folder/small.cmake"
    tar -C "$folder/small" --strip-components=1 -xzf "$folder"/abut-*.tar.gz
    command=$(sed -n 's/^ *\(.* -m pip wheel .*\) bindings.python$/\1/p' ../../docs/python.md)
    env -u ABUT_LIBRARY CFLAGS=-O0 PATH="$folder/path:$PATH" CMAKE_TOOLCHAIN_FILE="$folder/small.cmake" \
        $command --no-index --wheel-dir "$folder/small" "$folder/small" >"$folder/small.log" 2>&1 &&
        grep -q 'abut: building the C library' "$folder/small.log" &&
        grep -q '\[[0-9]*/[0-9]*\] Building C object' "$folder/small.log" && [ -s "$folder"/small/*.whl ]
}
built=1
builds_the_library || { built=0 && tail -n 40 "$folder/small.log" && echo "FAILED: the wheel by docs/python.md"; }
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
echo "$((${passed:-0} + built)) passed, $((${failed:-0} + 1 - built)) failed"
[ "$status" -eq 0 ] && [ "$built" -eq 1 ]
