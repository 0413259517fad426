#!/bin/sh
# SPDX-License-Identifier: MIT
# The names of rows (--id-a, --id-b), and output as JSON lines.
# usage: ABUT="path of abut" names.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

printf 'name,x,y,z,r\nsun,0,0,0,2\n"a ""b"", c",3,0,0,1.5\n sun ,9,9,9,0\n' >stars.csv
printf 'id;minx;miny;minz;maxx;maxy;maxz\n10;0;0;0;1;1;1\n0x1F;3;0;0;4;1;1\n' >rooms.csv
expect "join, --id-a" 0 'a,b|sun,0|"a ""b"", c",1|' '' abut join stars.csv rooms.csv --id-a name
expect "join, --id-b" 0 'a,b|0,10|1,0x1F|' '' abut join stars.csv rooms.csv --id-b id
expect "join, both" 0 'a,b|sun,10|"a ""b"", c",0x1F|' '' abut join stars.csv rooms.csv --id-a name --id-b id
expect "join, --within" 0 'a,b|sun,10|sun,0x1F|"a ""b"", c",10|"a ""b"", c",0x1F|' '' \
    abut join stars.csv rooms.csv --id-a name --id-b id --within 1
expect "self, --id-a" 0 'a,b|sun,"a ""b"", c"|' '' abut self stars.csv --id-a name
expect "self, --id-b" 2 '' 'abut: self does not take --id-b|' abut self stars.csv --id-b name
expect "self, --by and --id-a" 0 'a,b|' '' abut self stars.csv --id-a name --by name
expect "nearest" 0 'a,b,d2|sun,10,0|"a ""b"", c",0x1F,0|sun,0x1F,153|' '' \
    abut nearest stars.csv rooms.csv --kind-a points --id-a name --id-b id --d2
expect "zip, --id-a" 0 'a,hit|sun,1|"a ""b"", c",0|sun,0|' '' sh -c "sed -n 1,2p rooms.csv >room.csv; \
    $ABUT zip stars.csv room.csv --id-a name"
expect "zip, one row of B" 0 'a,b,hit|sun,10,1|"a ""b"", c",10,0|sun,10,0|' '' \
    abut zip stars.csv room.csv --id-a name --id-b id
expect "zip, classes" 0 'b,hit,class|10,1,crossing|10,0,outside|10,0,outside|' '' \
    abut zip stars.csv room.csv --id-b id --class
expect "distance" 0 'a,d2,x,y,z|sun,0,0,0,0|"a ""b"", c",4,1,0,0|sun,192,1,1,1|' '' \
    abut distance stars.csv room.csv --kind-a points --id-a name
printf 'x,y,z,name\n0,0,0, a \n1,0,0,\n' >blank.csv
expect "blanks around names are not kept, and no name is empty" 0 'a,b|a,""|' '' \
    abut self blank.csv --within 1 --id-a name
expect "no such column" 1 '' 'stars.csv:1: nome: the column is missing|' abut join stars.csv rooms.csv --id-a nome
# What a terminal would obey is escaped: controls, also of 8 bits, and marks that turn the direction of text.
odd=$(printf 'g\033[31m\302\205\233\342\200\256\342\201\246\330\234\303\244')
shown='g\x1b[31m\x85\x9b\u202e\u2066\u061c'$(printf '\303\244')
expect "no such column, of odd characters" 1 '' "stars.csv:1: $shown: the column is missing|" \
    abut self stars.csv --by "$odd"
printf 'x,y,z,x%s\n' "$odd" >odd.csv
expect "columns of odd characters" 1 '' "odd.csv:1: there are 4 columns, and names for 1|" \
    abut self odd.csv --columns-a "$odd"
expect "a file of odd characters" 1 '' "abut: cannot read $shown: No such file or directory|" abut self "$odd"
printf 'v 0 0 0\nv 4 0 0\nv 0 4 0\nf 1 2 3\n' >mesh.obj
expect "a mesh has no names" 2 '' 'abut: --id-b does not go with mesh.obj, a mesh|' \
    abut join stars.csv mesh.obj --id-b name
expect "an array of pairs has numbers" 2 '' 'abut: cannot write x.npy: --id-a writes text, no arrays|' \
    abut self stars.csv --id-a name -o x.npy
expect "a number has no names" 2 '' 'abut: --id-a does not go with --count|' abut self stars.csv --id-a name --count
printf 'nx,ny,nz,d,volume,name\n1,0,0,-1,0,a\n0,1,0,-1,0,a\n' >corner.csv
expect "hulls have no names" 1 '' \
    'abut: corner.csv: --id-a and --id-b name rows, and a hull has several: its name is its number|' \
    abut join stars.csv corner.csv --id-b name

# JSON lines.
expect "jsonl" 0 '{"a":0,"b":0}|{"a":1,"b":1}|' '' abut join stars.csv rooms.csv --format jsonl
expect "jsonl, names" 0 '{"a":"sun","b":"10"}|{"a":"a \"b\", c","b":"0x1F"}|' '' \
    abut join stars.csv rooms.csv --id-a name --id-b id --format jsonl
for ending in jsonl ndjson JSONL; do
    abut self spheres.csv -o pairs.$ending
    same "-o pairs.$ending" '{"a":0,"b":1}|{"a":0,"b":3}|' "$(sed 2q pairs.$ending | tr '\n' '|')"
done
expect "jsonl, nearest" 0 '{"a":0,"b":2,"d2":0,"x":1,"y":1,"z":1}|{"a":1,"b":1,"d2":0,"x":2,"y":2,"z":2}|'\
'{"a":2,"b":1,"d2":6,"x":4,"y":3,"z":4}|' '' abut nearest points.csv boxes.csv --d2 --closest --format jsonl
expect "jsonl, distance: a number that is none" 0 '{"d2":null,"x":null,"y":null,"z":null}|{"d2":0,"x":1,"y":1,"z":1}|' \
    'abut: holes.csv: skipped 1 invalid row, at line 2|' \
    sh -c "printf 'x,y,z\nnan,0,0\n1,1,1\n' >holes.csv; $ABUT distance holes.csv unit.csv --skip-bad --format jsonl"
expect "jsonl, zip" 0 '{"hit":1,"class":"crossing"}|{"hit":0,"class":"outside"}|{"hit":0,"class":"outside"}|' '' \
    abut zip stars.csv room.csv --class --format jsonl
expect "jsonl, zip, no class" 0 '{"hit":1}|{"hit":0}|{"hit":0}|' '' abut zip stars.csv room.csv --format jsonl
printf 'x,y,z,name\n0,0,0,a\001\\\t\303\251\n1,0,0,\351\302\n' >bytes.csv
expect "jsonl, bytes that are no UTF-8" 0 "$(printf '{"a":"a\\u0001\\\\\\u0009\303\251","b":"\\u00e9\\u00c2"}|')" '' \
    abut self bytes.csv --within 1 --id-a name --format jsonl
if command -v python3 >python; then
    abut self bytes.csv --within 1 --id-a name -o bytes.jsonl
    same "jsonl, as Python reads it" 'a\x01\\\t\xe9 \xe9\xc2' "$(python3 -c "
import json
row = json.loads(open('bytes.jsonl', encoding='utf-8').read())
print((row['a'] + ' ' + row['b']).encode('unicode_escape').decode())")"
else
    skip "jsonl, as Python reads it: no python3"
fi
expect "jsonl, --count" 2 '' 'abut: cannot write standard output: --count writes no JSON lines|' \
    abut self spheres.csv --count --format jsonl
expect "jsonl, frustum" 2 '' 'abut: cannot write x.jsonl: frustum writes no JSON lines|' abut frustum -o x.jsonl
expect "--format and another ending" 2 '' 'abut: cannot write x.npy: its name says npy, and --format says jsonl|' \
    abut self spheres.csv -o x.npy --format jsonl
abut self spheres.csv -o pairs --format npy
same "--format npy" '0,1|0,3|' "$(npy_pairs pairs | sed 2q | tr '\n' '|')"
expect "--format npy, a stream" 1 '' 'abut: cannot write standard output: an array needs a regular file|' \
    sh -c "$ABUT self spheres.csv --format npy | cat; exit 1"
expect "--format, unknown" 2 '' "abut: --format takes csv, npy or jsonl, not 'xml'|" abut self spheres.csv --format xml

finish names
