#!/bin/sh
# SPDX-License-Identifier: MIT
# abut join and self find the same pairs by each method and with any number of threads, with and without labels.
# usage: ABUT="path of abut" methods.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

# Shapes, some of whose rows are invalid.
awk 'BEGIN { print "x,y,z,r"; for (i = 0; i < 900; i++) print i % 7 "," i % 11 "," i % 13 "," (i % 50 ? i % 3 : -1) }' \
    >balls.csv
awk 'BEGIN { print "minx,miny,minz,maxx,maxy,maxz"; for (i = 0; i < 700; i++)
    print i % 5 "," i % 12 "," i % 9 "," i % 5 + 1 "," i % 12 + (i % 70 ? 1 : -1) "," i % 9 }' >flats.csv
awk 'BEGIN { print "nx,ny,nz,d,volume,g"; for (i = 0; i < 100; i++) {
    x = i % 7; y = i % 11; z = i % 13; g = i % 3
    print "1,0,0," (i == 9 ? "-inf" : -x - 1) "," i "," g "\n-1,0,0," x "," i "," g "\n0,1,0," (-y - 1) "," i "," g
    print "0,-1,0," y "," i "," g; if (i % 4) print "1,0,2," (-x - 2 * z - 2) "," i "," g } }' >slabs.csv
awk 'BEGIN { print "ax,ay,az,bx,by,bz,g"; for (i = 0; i < 300; i++)
    print i % 5 "," i % 12 "," i % 9 "," i % 8 "," (i % 60 ? 1 : "nan") "," i % 10 "," i % 4 }' >lines.csv
sed '1s/g/r,g/; 2,$s/,\([^,]*\)$/,0.5,\1/' lines.csv >sticks.csv
sed '1s/g/cx,cy,cz,g/; 2,$s/,\([^,]*\)$/,2,1,3,\1/' lines.csv >faces.csv
awk 'BEGIN { print "cx,cy,cz,hx,hy,hz,ux,uy,uz,vx,vy,vz,wx,wy,wz,g"; for (i = 0; i < 200; i++)
    print i % 5 "," i % 12 "," i % 9 "," (i % 30 ? 1 : -1) ",1,0.5,0.6,0.8,0,-0.8,0.6,0,0,0,1," i % 4 }' \
    >obb_grid.csv
sed '1s/$/,g/; 2,$s/\(.\)$/\1,\1/' balls.csv >balls_by.csv
# Commands on other shapes, with the operands in both orders.
commands() {
    for file in slabs lines sticks faces obb_grid; do
        printf '%s\n' "join balls.csv $file.csv" "join $file.csv balls.csv" \
            "join balls_by.csv $file.csv --by g" "join $file.csv balls_by.csv --by g"
    done
    printf '%s\n' "join flats.csv slabs.csv --predicate cull" "join slabs.csv obb_grid.csv --predicate cull" \
        "join balls.csv slabs.csv --predicate cull" "join balls.csv slabs.csv --predicate inside" \
        "join slabs.csv flats.csv --predicate contains" "join slabs.csv balls_by.csv --by g --predicate contains"
}
commands >commands.txt
for command in "join balls.csv flats.csv" "join flats.csv balls.csv" "self balls.csv" "self flats.csv"; do
    $ABUT $command --skip-bad --quiet --method all >all.csv
    $ABUT $command --skip-bad --quiet --method index >index.csv
    same "$command, --method, invalid rows" '' "$(cmp all.csv index.csv 2>&1)"
done
# same_pairs ROWS: both methods find the same pairs, in all commands
same_pairs() {
    while read -r command; do
        $ABUT $command --skip-bad --quiet --method all >all.csv
        $ABUT $command --skip-bad --quiet --method index --stats >index.csv 2>stats.txt
        same "$command, $1" '' "$(cmp all.csv index.csv 2>&1; [ "$(wc -l <all.csv)" -gt 9 ] || echo few)"
        same "$command, $1, an index" 1 "$(grep -c 'index built' stats.txt)"
    done <commands.txt
}
same_pairs "invalid rows"

# Where most rows hit all others, the command sees that an index is of no use. Where rows are far apart, it uses one.
awk 'BEGIN { print "x,y,z,r"; for (i = 0; i < 1500; i++) print "0,0,0," i % 7 }' >heap.csv
awk 'BEGIN { print "x,y,z,r"; for (i = 0; i < 1500; i++) print 9 * i ",0,0,5" }' >row.csv
for file in heap row; do
    $ABUT self $file.csv --method all >all.csv
    $ABUT self $file.csv --stats >auto.csv 2>stats.txt
    same "self $file.csv, --method auto" '' "$(cmp all.csv auto.csv 2>&1)"
done
same "self row.csv, by an index alone" 0 "$(grep -c 'tested all pairs' stats.txt || :)"
$ABUT self heap.csv --stats --count >count.txt 2>stats.txt
same "self heap.csv, all with all" '1124250 1' "$(cat count.txt) $(grep -c 'tested all pairs' stats.txt)"
# A few rows that hit all others come first; they do not decide for the rest.
awk 'BEGIN { print "x,y,z,r"; for (i = 0; i < 6060; i++) print 9 * i ",0,0," (i < 60 ? 1e6 : 1) }' >first.csv
$ABUT self first.csv --stats --count --threads 4 >count.txt 2>stats.txt
same "self first.csv, by an index alone" '361770 0' "$(cat count.txt) $(grep -c 'tested all pairs' stats.txt || :)"

# Labels: --by finds the same pairs as a filter on labels.
# labels FILE: the label of each row, or of each hull that of its first plane
labels() {
    awk -F, 'NR == 1 { hulls = /volume/; next } !hulls || !seen[$5]++ { print $NF }' "$1"
}
for command in "join balls_by.csv slabs.csv" "join slabs.csv balls_by.csv" "join balls_by.csv lines.csv" \
    "self balls_by.csv"; do
    set -- $command
    labels "$2" >labels_a.txt
    labels "${3-$2}" >labels_b.txt
    $ABUT $command --skip-bad --quiet --method all | awk -F, 'FILENAME == "labels_a.txt" { a[FNR - 1] = $1; next }
        FILENAME == "labels_b.txt" { b[FNR - 1] = $1; next } FNR == 1 || a[$1] == b[$2]' \
        labels_a.txt labels_b.txt - >all.csv
    for method in all index; do
        $ABUT $command --by g --skip-bad --quiet --method $method >some.csv
        same "$command --by g, --method $method, the same as pairs filtered by label" '' \
            "$(cmp all.csv some.csv 2>&1; [ "$(wc -l <all.csv)" -gt 99 ] || echo few)"
    done
done
# Rows of other labels cost nothing: of 20 pairs, 3 * 2 + 1 * 2 are compared.
printf 'x,y,z,g\n1,1,1,a\n1,1,1,b\n1,1,1,a\n1,1,1,c\n1,1,1,a\n' >few_a.csv
printf 'x,y,z,r,g\n1,1,1,2,b\n1,1,1,2,a\n1,1,1,-1,b\n1,1,1,2,a\n' >few_b.csv
expect "join, --by, invalid rows" 0 'a,b|0,1|0,3|1,0|2,1|2,3|4,1|4,3|' '' \
    abut join few_a.csv few_b.csv --by g --skip-bad --quiet
same "join, --by, pairs compared" 'abut: 8 pairs, ' \
    "$(abut join few_a.csv few_b.csv --by g --skip-bad --quiet --stats 2>&1 >/dev/null | sed -n 's/\(pairs, \).*/\1/p')"
expect "self, --by, invalid rows" 0 '1|' '' abut self few_b.csv --by g --skip-bad --quiet --count
# A label of many rows gets an index, a label of few rows does not.
awk 'BEGIN { print "x,y,z,r,g"; for (i = 0; i < 1200; i++)
    print i % 7 "," i % 11 "," i % 13 ",1," (i % 100 ? "many" : "few") }' >uneven.csv
for command in "join uneven.csv uneven.csv --by g" "self uneven.csv --by g"; do
    $ABUT $command --method all >all.csv
    same "$command, both methods" '1 1' "$($ABUT $command --stats 2>&1 >some.csv |
        awk '/index built/ { a++ } /tested all pairs/ { b++ } END { print a, b }')"
    same "$command" '' "$(cmp all.csv some.csv 2>&1)"
done
sed -i '/,-1$/s/-1$/1/' balls.csv
sed -i '/,-1,1$/s/-1,1$/1,1/' balls_by.csv
sed -i 's/nan/2/' lines.csv sticks.csv faces.csv
sed -i 's/,-1,1,0.5/,1,1,0.5/' obb_grid.csv
same_pairs "valid rows"
for command in "join balls.csv flats.csv" "join flats.csv balls.csv" "self balls.csv"; do
    $ABUT $command --skip-bad --quiet --method all >all.csv
    $ABUT $command --skip-bad --quiet --method index >index.csv
    same "$command, --method" '' "$(cmp all.csv index.csv 2>&1)"
done
same "--stats" 4 "$($ABUT self balls.csv --method index --count --stats 2>&1 >/dev/null | wc -l)"
processor=$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')
same "as many threads as processors that the command may use" 'by 1 thread;' \
    "$(taskset -c "$processor" $ABUT self balls.csv --method index --count --stats 2>&1 |
        grep -o 'by [0-9]* threads*;')"
same "--stats without an index" 'abut: 9 pairs, ' "$($ABUT join points.csv boxes.csv --stats 2>&1 >/dev/null |
    sed -n 's/\(pairs, \).*/\1/p')"
same "--method takes known methods" 2 "$($ABUT self balls.csv --method grid >/dev/null 2>&1; echo $?)"

# Threads.
for threads in 1 2 5; do
    $ABUT join balls.csv flats.csv --skip-bad --quiet --method index --threads $threads >some.csv
    $ABUT join balls.csv flats.csv --skip-bad --quiet --method all >all.csv
    same "join, --threads $threads" '' "$(cmp all.csv some.csv 2>&1)"
done
for count in 0 257 x 1x -1 ''; do
    expect "--threads '$count'" 2 '' "abut: --threads takes a number from 1 to 256, not '$count'|" \
        abut self balls.csv --threads "$count"
done

finish methods
