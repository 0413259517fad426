#!/bin/sh
# SPDX-License-Identifier: MIT
# --svg: every kind of shape is drawn where it is, in the colour of a pair or of none.
# usage: ABUT="path of abut" svg.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

# shapes FILE N: the elements of group N (B without a pair, A without, B in a pair, A in a pair), without their markup
shapes() {
    awk -v group="$2" '/^<g / { n++ } n == group && /^<(circle|path)/' "$1" |
        sed 's/<circle cx="\(.*\)" cy="\(.*\)" r="\(.*\)".>/disc \1,\2 \3/; s/<path d="\(.*\)".>/\1/'
}
legend() {
    sed -n 's/^<text[^>]*>\(.*\)<.text>$/\1/p; s/^<rect.*$//' "$1" | grep . | paste -sd'|' -
}

# The extent is -1..9 on each axis, and 0.4 more on each side: 74.07 pixels a unit, x from -1.4, y from 9.4 down.
printf 'x,y,z,r\n0,0,0,1\n8,8,8,1\n4,4,4,0.5\n' >a.csv
printf 'minx,miny,minz,maxx,maxy,maxz\n0,-1,4,1,1,5\n7,7,7,8,9,9\n-1,-1,-1,-1,-1,-1\n' >b.csv
expect "--svg: pairs are those without it" 0 'a,b|1,1|' '' abut join a.csv b.csv --svg out.svg
same "--svg: spheres in a pair" 'disc 696.30,103.70 74.07' "$(shapes out.svg 4)"
same "--svg: spheres in none" 'disc 103.70,696.30 74.07|disc 400.00,400.00 37.04' "$(shapes out.svg 2 | paste -sd'|' -)"
same "--svg: boxes in a pair" 'M622.22,177.78L696.30,177.78L696.30,29.63L622.22,29.63Z' "$(shapes out.svg 3)"
same "--svg: boxes in none" 'M103.70,770.37L177.78,770.37L177.78,622.22L103.70,622.22Z|disc 29.63,770.37 1.50' \
    "$(shapes out.svg 1 | paste -sd'|' -)"
same "--svg: legend" 'a.csv: 1 of 3 in a pair|b.csv: 1 of 3 in a pair|1 pair, seen from above: x to the right, y up' \
    "$(legend out.svg)"
abut join a.csv b.csv --svg out.svg --view front >pairs.txt
same "--view front" 'M103.70,400.00L177.78,400.00L177.78,325.93L103.70,325.93Z' "$(shapes out.svg 1 | head -n 1)"
abut join a.csv b.csv --svg out.svg --view side >pairs.txt
same "--view side" 'M29.63,400.00L177.78,400.00L177.78,325.93L29.63,325.93Z' "$(shapes out.svg 1 | head -n 1)"
same "--view side: legend" '1 pair, seen from the side: y to the right, z up' "$(legend out.svg | sed 's/.*|//')"
expect "self --svg" 0 '' '' abut self a.csv --svg out.svg -o pairs.csv
same "self --svg: legend" 'a.csv: 0 of 3 in a pair|0 pairs, seen from above: x to the right, y up' "$(legend out.svg)"
same "self --svg: shapes" '3 0' "$(shapes out.svg 1 | wc -l) $(shapes out.svg 2 | wc -l)"

# Every kind, with the pairs of its rows.
printf 'x,y,z,r\n0,0,0,1\n' >ball.csv
printf 'ax,ay,az,bx,by,bz,r\n-1,0,0,1,0,0,0.5\n' >capsule.csv
printf 'ax,ay,az,bx,by,bz\n-1,0,0,1,0,0\n' >segment.csv
printf 'ax,ay,az,bx,by,bz,cx,cy,cz\n-1,-1,0,1,-1,0,0,1,0\n' >triangle.csv
printf 'cx,cy,cz,hx,hy,hz,qx,qy,qz,qw\n0,0,0,1,1,0.5,0,0,0.38268343,0.92387953\n' >obb.csv
printf 'nx,ny,nz,d\n1,0,0,0\n' >half.csv
printf 'nx,ny,nz,d,volume\n-1,0,0,0,0\n0,-1,0,0,0\n1,1,0,-1,0\n1,1,0,-1,0\n0,0,1,-1,0\n0,0,-1,0,0\n' >hull.csv
# kind FILE KIND SHAPE
kind() {
    abut join ball.csv "$1.csv" --kind-b "$2" --svg out.svg >pairs.txt
    same "--svg: $2" "$3" "$(shapes out.svg 3)"
}
kind segment segments 'M29.63,400.00L770.37,400.00Z'
kind triangle triangles 'M29.63,770.37L770.37,770.37L400.00,29.63Z'
kind half planes 'M0.00,800.00L400.00,800.00L400.00,0.00L0.00,0.00Z'
kind hull hulls 'M400.00,400.00L770.37,400.00L400.00,29.63Z'
abut join ball.csv obb.csv --svg out.svg >pairs.txt
same "--svg: obbs" 4 "$(shapes out.svg 3 | tr -d MZ | tr L '\n' | awk -F, '{ x = $1 - 400; y = $2 - 400
    if (x < 1 && x > -1 || y < 1 && y > -1) n++ } END { print n }')"
abut join ball.csv capsule.csv --svg out.svg >pairs.txt
same "--svg: capsules" 2 "$(shapes out.svg 3 | grep -o A123.46,123.46 | wc -l)"
abut join points.csv one_sphere.csv --svg out.svg >pairs.txt
same "--svg: points" 'disc 177.78,622.22 1.50' "$(shapes out.svg 4)"

# Shapes that cannot be drawn, and infinite ones, which end where the picture ends.
printf 'x,y,z,r\n0,0,0,1\n0,0,0,-1\nnan,0,0,1\n0,0,0,inf\n' >odd.csv
printf 'minx,miny,minz,maxx,maxy,maxz\n-inf,-inf,-inf,inf,0,inf\n' >slab.csv
expect "--svg: invalid rows" 0 'a,b|0,0|3,0|' '' abut join odd.csv slab.csv --skip-bad --quiet --svg out.svg
same "--svg: invalid rows and infinite radii are left out" '1 0' "$(shapes out.svg 4 | wc -l) $(shapes out.svg 2 | wc -l)"
same "--svg: infinite boxes" 'M0.00,800.00L800.00,800.00L800.00,400.00L0.00,400.00Z' "$(shapes out.svg 3)"
expect "--svg: no rows" 0 'a,b|' '' abut join ball.csv no_boxes.csv --svg out.svg
head -n 1 ball.csv >no_balls.csv
expect "--svg: no rows at all" 0 'a,b|' '' abut join no_balls.csv no_boxes.csv --svg out.svg
cp ball.csv '<&">é
.csv'
abut self '<&">é
.csv' --svg out.svg >pairs.txt
same "--svg: a name with markup" '&#60;&#38;">???.csv: 0 of 1 in a pair' "$(legend out.svg | sed 's/|.*//')"

# Labels move rows, which the picture keeps apart.
printf 'x,y,z,r,g\n0,0,0,1,b\n9,0,0,1,a\n8,0,0,1,b\n9,0,0,1,a\n' >by.csv
expect "--svg --by" 0 'a,b|1,3|' '' abut self by.csv --by g --svg out.svg
same "--svg --by: in a pair" 'disc 703.03 disc 703.03' "$(shapes out.svg 2 | sed 's/,.*//' | paste -sd' ' -)"

# What is refused.
expect "--svg: no name" 2 '' "abut: --svg takes FILE, not ''|" abut self a.csv --svg ''
expect "--svg --count" 2 '' 'abut: --svg does not go with --count|' abut self a.csv --svg out.svg --count
expect "--svg where the pairs go" 2 '' 'abut: pairs and picture cannot both go to x.csv|' \
    abut self a.csv --svg x.csv -o x.csv
# What counts is the file, not how its name is written.
rm -f x.csv
both='abut: pairs and picture cannot both go to x.csv|'
expect "--svg where the pairs go, written otherwise" 2 '' "$both" abut self a.csv --svg ./x.csv -o x.csv
expect "--svg where the pairs go, by its whole name" 2 '' "$both" abut self a.csv --svg "$work/./x.csv" -o x.csv
ln -s . here
expect "--svg where the pairs go, in a folder of two names" 2 '' "$both" abut self a.csv --svg here/x.csv -o x.csv
expect "--svg beside the pairs, in another folder" 0 '' '' \
    sh -c "mkdir there && $ABUT self a.csv --svg there/x.csv -o x.csv"
ln -s x.csv link.svg
expect "--svg where the pairs go, by a link" 2 '' "$both" abut self a.csv --svg link.svg -o x.csv
same "--svg where the pairs go: they stay" 'a,b' "$(cat x.csv)"
standard='abut: pairs and picture cannot both go to standard output|'
expect "--svg where standard output goes" 2 '' "$standard" sh -c "$ABUT self a.csv --svg out.svg >out.svg"
expect "--svg to a name of standard output" 2 '' "$standard" sh -c "$ABUT self a.csv --svg /dev/stdout | cat; exit 2"
expect "--svg and the pairs to nothing" 0 '' '' abut self a.csv --svg /dev/null -o /dev/null
expect "--svg to standard output" 2 '' 'abut: pairs and picture cannot both go to standard output|' \
    abut self a.csv --svg -
same "--svg - with -o" '<svg' "$(abut self a.csv --svg - -o pairs.csv | head -n 1 | cut -c 1-4)"
expect "--view alone" 2 '' 'abut: --view is where --svg FILE looks from: it needs that option|' abut self a.csv --view top
expect "--view of no side" 2 '' "abut: --view takes top, front or side, not 'below'|" \
    abut self a.csv --view below --svg out.svg
expect "nearest --svg" 2 '' 'abut: nearest does not take --svg|' abut nearest points.csv points.csv --svg out.svg
rm -f out.svg
awk 'BEGIN { print "x,y,z,r"; for (i = 0; i < 50001; i++) print i ",0,0,0.1" }' >many.csv
expect "--svg: too many shapes" 1 '' \
    'abut: cannot draw out.svg: --svg draws at most 50000 shapes, and there are 50001; draw a part of the files|' \
    abut self many.csv --svg out.svg
same "--svg: no file after an error" no "$([ -e out.svg ] && echo yes || echo no)"
expect "--svg: a folder that does not exist" 1 'a,b|' 'abut: cannot write no/out.svg: No such file or directory|' \
    abut self ball.csv --svg no/out.svg

finish svg
