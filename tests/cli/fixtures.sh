# SPDX-License-Identifier: MIT
# What the tests of the command on small files share: their surroundings, the files, and how an NPY file is written.
# A script sets $here to its own folder before it reads this file; it then runs in a work directory of its own.
# Besides $ABUT, the caller may set SANITIZED=yes: the command was built with sanitizers.
. "$here/lib.sh"
cd "$work" || exit 1
unset ABUT_ISA
emulated=
case $ABUT in
*" "*) emulated=yes ;;
esac

# The fifth byte of an ELF file tells a 32-bit command. Its numbers end at 2^32, and it has no file of 16 GB in memory.
is_32_bit() {
    [ -z "$emulated" ] && [ "$(od -An -tu1 -j4 -N1 "$ABUT" | tr -d ' ')" = 1 ]
}
slow=$emulated${SANITIZED-}
# The command has a message for this signal.
export ASAN_OPTIONS="$ASAN_OPTIONS:handle_sigbus=0" TSAN_OPTIONS="${TSAN_OPTIONS-}:handle_sigbus=0" \
    MSAN_OPTIONS="${MSAN_OPTIONS-}:handle_sigbus=0"
LC_ALL=C
export LC_ALL
isas=$(abut info | sed -n 's/^instruction sets: //p')

cat >spheres.csv <<'EOF'
x,y,z,r
1,0,1,2
3,1,1,1.1
4,1,1,1.1
3,1,1,1
1,1,1,0.5
EOF
cat >boxes.csv <<'EOF'
minx,miny,minz,maxx,maxy,maxz
-2,-2,-2,-1,-1,-1
2,1,2,4,3,4
0,0,0,2,2,2
EOF
cat >points.csv <<'EOF'
x,y,z
1,1,1
2,2,2
5,5,5
EOF
head -n 1 boxes.csv >no_boxes.csv
printf 'minx,miny,minz,maxx,maxy,maxz\n0,0,0,1,1,1\n' >unit.csv
printf 'minx,miny,minz,maxx,maxy,maxz\n0,0,0,2,2,2\n' >one_box.csv
printf 'x,y,z,r\n1,1,1,1\n' >one_sphere.csv
printf 'x,y,z,r\n0,0,0,1\n' >origin_sphere.csv
printf 'nx,ny,nz,d\n0,0,1,-1\n' >plane.csv
printf 'x,y,z,r\n0,0,0,0.5\n0,0,1,1\n0,0,3,1\n0,0,2,1\n' >along.csv
printf 'x,y,z,r,g\n1.3,1.3,0,0.4,a\n0,0,0,1,"b"\n' >grouped.csv
printf 'cx,cy,cz,hx,hy,hz,qx,qy,qz,qw,g\n0,0,0,1,1,1,0,0,0,1,"a"\n0,0,0,1,1,1,0,0,3,3,b\n' >obbs.csv
printf 'ax,ay,az,bx,by,bz,cx,cy,cz\n-9,-9,1,9,-9,1,0,9,1\n9,9,9,9,9,9,9,9,9\n' >triangles.csv
printf 'x,y,z,r,x\n1,2,3,4,5\n' >twice.csv
awk 'BEGIN { print "x,y,z"; for (i = 0; i < 9000; i++) print i / 2000 ",1,2" }' >line.csv

# npy FILE VERSION DESCR FORTRAN SHAPE NUMBER...: an NPY file of these numbers, in the order given
npy() {
    file=$1 version=$2 type=$3
    dictionary="{'descr': '$3', 'fortran_order': $4, 'shape': $5, }"
    shift 5
    npy_raw "$file" "$version" "$dictionary"
    printf "$(echo "$*" | awk -v type="$type" '
        function byte(x) { return sprintf("\\%03o", x) }
        { for (i = 1; i <= NF; i++) {
            wide = type ~ /8/; bias = wide ? 1023 : 127; high = wide ? 16 : 128; n = wide ? 8 : 4
            sign = $i ~ /^-/; m = $i; if (sign) m = -m
            if ($i ~ /inf/) { e = bias + 1; m = 1 } else if ($i ~ /nan/) { e = bias + 1; m = 1.5 }
            else if (m == 0) e = -bias
            else for (e = 0; m >= 2 || m < 1;) if (m >= 2) { m /= 2; e++ } else { m *= 2; e-- }
            e += bias; f = m == 0 ? 0 : m - 1
            b[0] = sign * 128 + int(e / (wide ? 16 : 2))
            f = f * high + (e % (wide ? 16 : 2)) * high
            for (k = 1; k < n; k++) { b[k] = int(f); f = (f - b[k]) * 256 }
            for (k = 0; k < n; k++) printf "%s", byte(b[type ~ />/ ? k : n - 1 - k]) } }')" >>"$file"
}
# npy_raw FILE VERSION DICTIONARY [LENGTH]: the header alone
npy_raw() {
    length=${4:-${#3}}
    printf "\\223NUMPY\\00$2\\000$(printf '\\%03o\\%03o' $((length % 256)) $((length / 256 % 256)))" >"$1"
    [ "$2" -eq 1 ] || printf "$(printf '\\%03o\\%03o' $((length / 65536 % 256)) $((length / 16777216 % 256)))" >>"$1"
    printf '%s' "$3" >>"$1"
}
# npy_pairs FILE: the pairs of an array that the command wrote, as text
npy_pairs() {
    od -An -v -j 128 -t u4 -w8 "$1" | awk '{ print $1 "," $2 }'
}
# quadruple FILE STEPS: its bytes 4^STEPS times, on standard output
quadruple() {
    cp "$1" quadruple.1
    for step in $(seq "$2"); do
        cat quadruple.1 quadruple.1 quadruple.1 quadruple.1 >quadruple.4
        mv quadruple.4 quadruple.1
    done
    cat quadruple.1
    rm quadruple.1
}
# make_endless: the files of $endless, a comparison of all with all that takes minutes of processor time. Of 4^10 + 1
# points, the first lies in each of 4^9 spheres, so that pairs are written soon; the others lie in none.
make_endless() {
    npy many_points.npy 1 '<f4' False "($((1048576 + 1)), 3)" 0 0 0
    npy value.npy 1 '<f4' False '(1, 3)' 9 9 9
    tail -c 12 value.npy >value
    quadruple value 10 >>many_points.npy
    npy many_spheres.npy 1 '<f4' False '(262144, 4)'
    npy value.npy 1 '<f4' False '(1, 4)' 0 0 0 1
    tail -c 16 value.npy >value
    quadruple value 9 >>many_spheres.npy
}
endless="$ABUT join many_points.npy many_spheres.npy --kind-b spheres --isa scalar --method all"
