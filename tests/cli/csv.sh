#!/bin/sh
# SPDX-License-Identifier: MIT
# CSV files: how fields are written, what makes a row invalid, --skip-bad, and numbers rounded to the nearest float32.
# usage: ABUT="path of abut" csv.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

# csv NAME FILE-TEXT: a file with one row that touches the unit box
csv() {
    printf "$2" >in.csv
    expect "csv: $1" 0 '1|' '' abut join in.csv unit.csv --count
}
csv "LF" 'x,y,z\n1,1,1\n'
csv "CRLF" 'x,y,z\r\n1,1,1\r\n'
csv "no line end at the end" 'x,y,z\n1,1,1'
csv "carriage return at the end" 'x,y,z\r\n1,1,1\r'
csv "mixed line ends" 'x,y,z\r\n1,1,1\n9,9,9\r\n'
csv "byte-order mark" '\357\273\277x,y,z\n1,1,1\n'
csv "quotes" '"x","y","z"\n"1","0.5","1e0"\n'
csv "blanks" ' x ,\ty, z\n 1 ,\t1\t, 1 \n'
csv "blank lines at the end" 'x,y,z\n1,1,1\n\n \t\n\r\n'
csv "blank lines at the end, the last without its end" 'x,y,z\n1,1,1\n\n  '
csv "blanks in quotes" 'x,y,z\n" 1 "," 1",1\n'
csv "blanks around quotes" '"x", "y","z" \n"1" ,1, "1"\t\n'
csv "a comma in quotes after a blank" 'x,y,z,l\n1,1,1, "a,b"\n'
csv "commas, quotes and lines in labels" 'l,x,y,"z"\n"a,""b""\nc,",1,1,1\n"\r\n",9,9,9\n'
csv "CRLF in a quoted name" '"x","y","z","note\r\nmore"\r\n1,1,1,a\r\n'
csv "byte-order mark and quotes" '\357\273\277"x",y,z\n1,1,1\n'
csv "empty label" 'x,y,z,l\n1,1,1,\n'
csv "infinite bounds" 'minx,miny,minz,maxx,maxy,maxz\n-inf,-INF,-Infinity,inf,+inf,1\n'
csv "infinite radius" 'x,y,z,r\n9,9,9,inf\n'
csv "underflow" 'x,y,z\n1e-60,-1e-60,4e-46\n'
csv "flat box" 'minx,miny,minz,maxx,maxy,maxz\n1,1,1,1,1,1\n'

# invalid NAME FILE-TEXT MESSAGE: a file that is refused, mostly for an invalid row
invalid() {
    printf "$2" >in.csv
    expect "invalid: $1" 1 '' "in.csv:$3|" abut join in.csv unit.csv
}
s='x,y,z,r\n'
b='minx,miny,minz,maxx,maxy,maxz\n'
invalid "blank line" "${s}1,1,1,1\n\n1,1,1,1\n" '3: the line is blank'
invalid "line of blanks" "${s}  \t\n1,1,1,1\n" '2: the line is blank'
invalid "too few fields" "${s}1,1,1\n" '2: the row has 3 fields, the header has 4'
invalid "too many fields" "${s}1,1,1,1,1\n" '2: the row has 5 fields, the header has 4'
invalid "one field" "${s}1\n" '2: the row has 1 field, the header has 4'
invalid "trailing comma" "${s}1,1,1,1,\n" '2: the row has 5 fields, the header has 4'
invalid "text" "${s}1,1,1,1\n1,one,1,1\n" '3: y: is not a number'
invalid "hex" "${s}1,0x10,1,1\n" '2: y: is not a number'
invalid "NaN" "${s}1,1,nan,1\n" '2: z: is not a number'
invalid "decimal comma" "${s}\"1,5\",1,1,1\n" '2: x: is not a number'
invalid "unit" "${s}1m,1,1,1\n" '2: x: is not a number'
invalid "half an exponent" "${s}1e,1,1,1\n" '2: x: is not a number'
invalid "two numbers" "${s}1 2,1,1,1\n" '2: x: is not a number'
invalid "zero byte" "${s}1\0002,1,1,1\n" '2: x: is not a number'
invalid "lone carriage return" "${s}1,1,1,1\r2,2,2,2\n" '2: the row has 7 fields, the header has 4'
invalid "quote in a number" "${s}1,1\"1,1,1\n" '2: y: is not a number'
invalid "text behind a quote" "${s}1,\"1\"1,1,1\n" '2: y: is not a number'
invalid "open quote" "${s}1,1,1,\"1\n1,1,1,1\n" '2: a quote is never closed'
invalid "open quote in a label, behind an invalid row" \
    "l,${s},1,1\n\"a\n\",1,1,1,1\n\"5 in,1,1,1,1\n,1,1,1,1\n" '5: a quote is never closed'
invalid "text behind a quote in a column that is not read" \
    "l,${s}a,1,1,1,1\n\"5\" in,1,1,1,1\n" '3: text follows the closing quote of field 1'
invalid "rows in quotes, and text" \
    "l,${s}\"5 in,1,1,1,1\nb,1,1,1,1\n\"6 in,1,1,1,1\n" '2: a quote is closed 2 lines below, and text follows'
invalid "rows in the second quotes with text" \
    "l,m,${s}\"5\"x,\"6 in,1,1,1,1\nb,\"y,1,1,1,1\n" '2: a quote is closed 1 line below, and text follows'
invalid "text behind a quote in the header" "\"x\"1,y,z\n1,1,1\n" '1: text follows a closing quote'
invalid "open quote in the header" "x,\"y\"\"\n,z\n1,1,1\n" '1: a quote is never closed'
invalid "only carriage returns, in quotes" \
    '"x","y","z","r"\r"1","1","1","1"\r' '1: a carriage return alone ends no line'
invalid "only carriage returns" 'x,y,z,r\r1,1,1,1\r' '1: a carriage return alone ends no line'
invalid "empty number" "${s}1,,1,1\n" '2: y: is missing'
invalid "quoted empty number" "${s}1,\"\",1,1\n" '2: y: is missing'
invalid "quoted comma" "${s}1,\",\",1,1\n" '2: y: is not a number'
invalid "blank number" "${s}1, ,1,1\n" '2: y: is missing'
invalid "last number missing" "${s}1,1,1,\n" '2: r: is missing'
invalid "overflow" "${s}1,1,1,3.5e38\n" '2: r: is too large for a float32'
invalid "rounding to infinity" "${s}1,1,1,340282356779733661637539395458142568448\n" '2: r: is too large for a float32'
invalid "negative overflow" "${s}1,-1e999,1,1\n" '2: y: is too large for a float32'
invalid "negative radius" "${s}1,1,1,-1\n" '2: r: is negative'
invalid "infinite centre" "${s}1,1,1,1\n1,inf,1,1\n" '3: y: is infinite'
invalid "several" "${s}1,1,1,-1\n1,1,1\n1,1,1,1\n\n1,1,1,1\n" '2: r: is negative (and 2 more invalid rows)'
invalid "two, unreadable first" "${s}1,1,1\n1,1,1,-1\n" '2: the row has 3 fields, the header has 4 (and 1 more invalid row)'
invalid "behind lines in quotes" "l,${s}\"a\nb\",1,1,1,1\n\"\n\n\",1,1,1,-1\n" '4: r: is negative'
invalid "behind lines in quotes, unreadable" "l,${s}\"a\nb\",1,1,1,1\n,1,x,1,1\n" '4: y: is not a number'
invalid "behind lines in a quoted header" "\"l\nm\",${s},1,1,1,-1\n" '3: r: is negative'
printf "${b}1,0,0,0,1,1\n" >in.csv
abut self in.csv 2>err.txt
same "invalid: inverted box: exit" 1 $?
grep -q '^in.csv:2: m[inax]*x: .' err.txt
same "invalid: inverted box: $(cat err.txt)" 0 $?
expect "invalid: the second file" 1 '' 'in2.csv:2: r: is negative|' \
    sh -c "printf '${s}1,1,1,-1\n' >in2.csv; $ABUT join boxes.csv in2.csv"
expect "invalid: standard input" 1 '' '-:2: r: is negative|' sh -c "printf '${s}1,1,1,-1\n' | $ABUT self -"
printf 'x,y,z,r\n-5,0,0,.1\n' >left.csv
printf 'cx,cy,cz,hx,hy,hz,qx,qy,qz,qw\n0,0,0,1,1,1,0,0,0,1\n0,0,0,1,1,1,0,0,0,0\n0,0,0,1,1,1,inf,0,0,0\n' >rotated.csv
expect "quaternions that are no rotation" 1 '' 'rotated.csv:3: qx,qy,qz,qw: is not a rotation (and 1 more invalid row)|' \
    abut join left.csv rotated.csv
printf 'cx,cy,cz,hx,hy,hz,qx,qy,qz,qw\n0,0,0,1,-1,1,0,0,0,1\n' >rotated.csv
expect "half extents beside a quaternion" 1 '' 'rotated.csv:2: hy: is negative|' abut join left.csv rotated.csv

# --skip-bad: the other rows keep their numbers.
printf "${s}1,1,1,-1\n1,1,1,1\n\n1,1,1,x\ninf,1,1,1\n1,1,1,1\n" >holes.csv
expect "skip: join" 0 'a,b|1,0|5,0|' 'abut: holes.csv: skipped 4 invalid rows, the first at line 2|' abut join holes.csv unit.csv --skip-bad
expect "skip: self" 0 'a,b|1,5|' '' abut self holes.csv --skip-bad --quiet
expect "skip: zip" 0 'hit|0|1|0|0|0|1|' 'abut: holes.csv: skipped 4 invalid rows, the first at line 2|' \
    abut zip --skip-bad holes.csv one_box.csv
expect "skip: the only row" 0 '0|' 'abut: in.csv: skipped 1 invalid row, at line 2|' sh -c "printf '${s}1,1,1,-1\n' >in.csv
    $ABUT zip in.csv one_box.csv --skip-bad --count"
expect "skip: rows behind an open quote are refused" 1 '' 'in.csv:3: a quote is never closed|' \
    sh -c "printf 'l,${s},1,1,1,1\n\"l,1,1,1,1\n,1,1,1,1\n' >in.csv; $ABUT join in.csv unit.csv --skip-bad"
printf 'nx,ny,nz,d\n1,0,0,-1\n0,0,0,-1\n0,0,0,1\n1,0,0,-inf\n1,0,0,1\n' >invalid_planes.csv
for normals in outward inward; do
    expect "skip: planes, $normals" 0 'hit,class|1,crossing|0,|0,|0,|1,crossing|' \
        'abut: invalid_planes.csv: skipped 3 invalid rows, the first at line 3|' \
        abut zip origin_sphere.csv invalid_planes.csv --skip-bad --normals $normals
done
expect "skip: distance to planes" 0 'd2,x,y,z|0,0,0,0|nan,nan,nan,nan|nan,nan,nan,nan|nan,nan,nan,nan|1,-1,0,0|' '' \
    sh -c "printf 'x,y,z\n0,0,0\n' | $ABUT distance - invalid_planes.csv --skip-bad --quiet"
printf 'cx,cy,cz,hx,hy,hz,ux,uy,uz,vx,vy,vz,wx,wy,wz\n0,0,0,1,1,1,1,0,0,0,1,0,0,0,1\n' >invalid_obbs.csv
printf '0,0,0,1,1,1,0,0,0,0,0,0,0,0,0\n0,0,0,1,1,1,2,0,0,0,1,0,0,0,1\n' >>invalid_obbs.csv
for method in all index; do
    expect "skip: OBBs, $method" 0 'a,b|0,0|' 'abut: invalid_obbs.csv: skipped 2 invalid rows, the first at line 3|' \
        abut join origin_sphere.csv invalid_obbs.csv --skip-bad --method $method
done
expect "skip: all rows are valid" 0 'a,b|' '' abut self one_sphere.csv --skip-bad
expect "skip: an invalid header is refused" 1 '' 'twice.csv:1: x: the column is here 2 times|' \
    abut self twice.csv --skip-bad

# nearest NUMBER FLOAT32: the number is read as that float32, since a point there touches a flat box at it
nearest() {
    printf 'x,y,z\n%s,0,0\n' "$1" >in.csv
    printf "${b}%s,0,0,%s,0,0\n" "$2" "$2" >flat.csv
    expect "nearest float32 of $1" 0 '1|' '' abut zip in.csv flat.csv --count
}
nearest 1.00000017881393432617187499 1.00000011920928955078125
nearest 1.00000017881393432617187501 1.0000002384185791015625
nearest 16777217.000000000000000001 16777218
nearest 16777217 16777216
nearest -0.1 -0.100000001490116119384765625
nearest 7.0064923216240854e-46 1.401298464324817070923729583289916131280e-45
nearest 0.3000000000000000000000000000000000000000000000001 3.00000011920928955078125e-1

if command -v localedef >/dev/null && [ -e /usr/share/i18n/locales/de_DE ]; then
    mkdir locales
    localedef -i de_DE -f UTF-8 locales/de_DE.UTF-8 2>/dev/null
    if [ "$(LOCPATH=$work/locales LC_ALL=de_DE.UTF-8 locale decimal_point 2>/dev/null)" = "," ]; then
        LOCPATH=$work/locales LC_ALL=de_DE.UTF-8
        export LOCPATH
        nearest 1.00000017881393432617187499 1.00000012
        LC_ALL=C
        unset LOCPATH
    else
        skip "decimal comma: the locale could not be made"
    fi
else
    skip "decimal comma: no locale sources"
fi

finish csv
