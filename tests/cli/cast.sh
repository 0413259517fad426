#!/bin/sh
# SPDX-License-Identifier: MIT
# abut cast: the rows that rays and moving spheres hit, and when.
# usage: ABUT="path of abut" cast.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

printf 'name,ax,ay,az,bx,by,bz\nlong,0,0,0,8,0,0\nbeside,0,5,0,8,5,0\nshort,0,0,0,2,0,0\nback,8,0,0,0,0,0\n' >rays.csv
printf 'x,y,z,r\n4,0,0,1\n7,0,0,0.5\n4,0,0,1\n' >balls.csv
printf 'ax,ay,az,bx,by,bz,r\n0,5,0,8,5,0,4\n0,0,0,8,0,0,1\n' >moving.csv
printf 'v 2 -1 -1\nv 2 3 -1\nv 2 -1 3\nv 6 -1 -1\nv 6 3 -1\nv 6 -1 3\nf 1 2 3\nf 4 5 6\n' >walls.obj
expect "cast" 0 'a,b,t|0,0,0.375|3,1,0.0625|' '' abut cast rays.csv balls.csv
expect "cast, --all" 0 'a,b,t|0,0,0.375|0,2,0.375|0,1,0.8125|3,1,0.0625|3,0,0.375|3,2,0.375|' '' \
    abut cast rays.csv balls.csv --all --threads 2
expect "cast, --end inf" 0 'a,b,t|0,0,0.375|2,0,1.5|3,1,0.0625|' '' abut cast rays.csv balls.csv --end inf
expect "cast, --end" 0 'a,b,t|0,0,0.375|3,1,0.0625|' '' abut cast rays.csv balls.csv --end 0.375
expect "cast, --end before" 0 'a,b,t|3,1,0.0625|' '' abut cast rays.csv balls.csv --end 0.37499997
expect "cast, --count" 0 '2|' '' abut cast rays.csv balls.csv --count
expect "cast, --count --all" 0 '6|' '' abut cast rays.csv balls.csv --count --all
expect "cast, moving spheres" 0 'a,b,t|0,0,0.5|1,0,0.25|' '' abut cast moving.csv balls.csv
expect "cast, a mesh" 0 'a,b,t|0,0,0.25|0,1,0.75|2,0,1|3,1,0.25|3,0,0.75|' '' abut cast rays.csv walls.obj --all
expect "cast, names" 0 'a,b,t|long,0,0.375|back,1,0.0625|' '' abut cast rays.csv balls.csv --id-a name
expect "cast, jsonl" 0 '{"a":0,"b":0,"t":0.375}|{"a":3,"b":1,"t":0.0625}|' '' \
    abut cast rays.csv balls.csv --format jsonl
expect "cast, among no row" 0 'a,b,t|' '' abut cast rays.csv no_boxes.csv
printf 'x,y,z,r\n4,0,0,1\n7,0,0,0.5\n3,0,0,-1\n' >holes.csv
expect "cast, an invalid row of B" 0 'a,b,t|0,0,0.375|3,1,0.0625|' \
    'abut: holes.csv: skipped 1 invalid row, at line 4|' abut cast rays.csv holes.csv --skip-bad
printf 'ax,ay,az,bx,by,bz\nnan,0,0,8,0,0\n0,0,0,8,0,0\n' >holes.csv
expect "cast, an invalid row of A" 0 'a,b,t|1,0,0.375|' 'abut: holes.csv: skipped 1 invalid row, at line 2|' \
    abut cast holes.csv balls.csv --skip-bad
printf 'ax,ay,az,bx,by,bz\n0.0001,0,0,8,0,0\n' >odd.csv
expect "cast, a way that rounds" 0 'a,b,t|0,0,0.374992192|' \
    'abut: odd.csv: the way from a to b is rounded to float32 in 1 row|' abut cast odd.csv balls.csv
expect "cast, a way that rounds, --quiet" 0 '1|' '' abut cast odd.csv balls.csv --quiet --count
printf 'ax,ay,az,bx,by,bz\n0,0,0,1,0,0\n-3e38,0,0,3e38,0,0\n' >far.csv
expect "cast, too far" 1 '' 'abut: far.csv: row 1 moves farther than float32 numbers reach: '\
'give its direction as dx,dy,dz, and --end|' abut cast far.csv balls.csv
printf 'x,y,z,dx,dy,dz\n-3e38,0,0,3e38,0,0\n' >far.csv
expect "cast, as far, by its direction" 0 'a,b,t|0,0,1|' '' abut cast far.csv balls.csv --end 2

# Rays by a start and a motion.
printf 'name,x,y,z,dx,dy,dz\nlong,0,0,0,8,0,0\nunit,0,0,0,1,0,0\nback,8,0,0,-1,0,0\n' >starts.csv
expect "cast, motions" 0 'a,b,t|0,0,0.375|2,1,0.5|' '' abut cast starts.csv balls.csv
expect "cast, motions, --end inf, names" 0 'a,b,t|long,0,0.375|unit,0,3|back,1,0.5|' '' \
    abut cast starts.csv balls.csv --end inf --id-a name
expect "cast, motions, as segments" 0 '2|' '' abut cast starts.csv balls.csv --kind-a segments --count
printf 'r,dz,dy,dx,z,y,x\n4,0,0,8,0,5,0\n1,0,0,8,0,0,0\n' >moved.csv
expect "cast, motions of spheres" 0 'a,b,t|0,0,0.5|1,0,0.25|' '' abut cast moved.csv balls.csv
expect "cast, motions of spheres, as capsules" 0 '2|' '' abut cast moved.csv balls.csv --kind-a capsules --count
expect "cast, motions of spheres, as segments" 0 'a,b,t|1,0,0.375|' '' abut cast moved.csv balls.csv --kind-a segments
printf 'x,y,z,dx,dy,dz,radius,l,length\n0,5,0,8,0,0,4,1,1\n' >moved.csv
expect "cast, motions beside lengths" 0 'a,b,t|0,0,0.5|' '' abut cast moved.csv balls.csv
printf '0,0,0,8,0,0\n' >bare.csv
expect "cast, motions, --columns-a" 0 'a,b,t|0,0,0.375|' '' \
    abut cast bare.csv balls.csv --columns-a x,y,z,dx,dy,dz
# An origin moves the start alone, and a motion is no size beside which it may be too far away.
printf 'x,y,z,dx,dy,dz\n100000004,0,0,-1e-4,0,0\n' >remote.csv
printf 'x,y,z,r\n100000000,0,0,1\n' >remote_ball.csv
expect "cast, motions, --origin" 0 'a,b,t|0,0,30000|' '' \
    abut cast remote.csv remote_ball.csv --origin 100000000,0,0 --end inf
expect "cast, motions, --origin auto" 0 'a,b,t|0,0,30000|' '' \
    abut cast remote.csv remote_ball.csv --origin auto --end inf
printf 'x,y,z,dx,dy,dz,diameter\n0,5,0,8,0,0,8\n' >wide.csv
expect "cast, motions, a diameter" 1 '' \
    "wide.csv:1: the column 'diameter' may be a size: --kind-a segments leaves it out|" abut cast wide.csv balls.csv
expect "cast, motions, no diameter" 0 'a,b,t|' '' abut cast wide.csv balls.csv --kind-a segments
printf 'x,y,z,dx,dy,dz,ax,ay,az,bx,by,bz\n0,0,0,8,0,0,0,0,0,1,0,0\n' >two.csv
expect "cast, motions and ends" 1 '' \
    'two.csv:1: the columns of rays and of segments are here: --kind-a segments takes a and b|' \
    abut cast two.csv balls.csv
expect "cast, ends beside motions" 0 'a,b,t|' '' abut cast two.csv balls.csv --kind-a segments
printf 'x,y,z,dx,dy,dz\n0,0,0,8,0,inf\n0,0,0,8,0,0\n' >endless.csv
expect "cast, an infinite motion" 1 '' 'endless.csv:2: dz: is infinite|' abut cast endless.csv balls.csv
expect "cast, an infinite motion, --skip-bad" 0 'a,b,t|1,0,0.375|' \
    'abut: endless.csv: skipped 1 invalid row, at line 2|' abut cast endless.csv balls.csv --skip-bad
printf 'x,y,z,dx,dy,dz,r\n0,0,0,8,0,0,-1\n' >thin.csv
expect "cast, a negative radius" 1 '' 'thin.csv:2: r: is negative|' abut cast thin.csv balls.csv
expect "motions elsewhere" 1 '' "starts.csv:1: the column 'dx' may be a size: --kind-a points leaves it out|" \
    abut join starts.csv balls.csv
# B may be beyond b.
printf 'ax,ay,az,bx,by,bz\n0,0,0,1,0,0\n' >step.csv
printf 'x,y,z,r\n100,0,0,1\n' >distant.csv
expect "cast, beyond b" 0 'a,b,t|0,0,99|' '' abut cast step.csv distant.csv --end inf

# Hulls: a slab in x from 2 to 3 that is endless, a box behind it, and an invalid one.
printf 'x,y,z,volume\n2,-1,-1,0\n2,3,-1,0\n2,-1,3,0\n6,-1,-1,0\n' >tent.csv
printf 'nx,ny,nz,d,volume\n-1,0,0,2,4\n1,0,0,-3,4\n' >walls.csv
printf '%s,0,0,%s,7\n' -1 5 1 -6 >>walls.csv
printf '0,%s,0,-1,7\n0,0,%s,-1,7\n' -1 -1 1 1 >>walls.csv
expect "cast, hulls" 0 'a,b,t|0,0,0.25|1,0,0.25|2,0,1|3,1,0.25|' '' abut cast rays.csv walls.csv
expect "cast, hulls, --all, names" 0 'a,b,t|long,0,0.25|long,1,0.625|beside,0,0.25|short,0,1|'\
'back,1,0.25|back,0,0.625|' '' abut cast rays.csv walls.csv --all --id-a name
expect "cast, hulls, --all --count" 0 '6|' '' abut cast rays.csv walls.csv --all --count --threads 2
expect "cast, vertices of hulls" 0 'a,b,t|0,0,0.25|2,0,1|3,0,0.5|' '' \
    abut cast rays.csv tent.csv --kind-b hulls
printf 'nx,ny,nz,d,volume\n-1,0,0,2,0\n1,0,0,-3,0\n1,0,0,nan,1\n' >holes.csv
expect "cast, an invalid hull" 0 'a,b,t|0,0,0.25|1,0,0.25|2,0,1|3,0,0.625|' \
    'abut: holes.csv: skipped 1 invalid row, at line 4|' abut cast rays.csv holes.csv --skip-bad
expect "cast, moving spheres among hulls" 0 'a,b,t|0,0,0|1,0,0.125|' '' abut cast moving.csv walls.csv
expect "cast, moving spheres among hulls, --all" 0 'a,b,t|0,0,0|0,1,0.625|1,0,0.125|1,1,0.5|' '' \
    abut cast moving.csv walls.csv --all
# Beyond an edge and a corner of the box: at x = 5 - sqrt(0.75) and 5 - sqrt(0.5).
printf 'x,y,z,dx,dy,dz,r\n3.5,1.5,0,8,0,0,1\n3.5,-1.5,1.5,8,0,0,1\n4,2.01,0,8,0,0,1\n' >moved.csv
sed '/,4$/d' walls.csv >box.csv
expect "cast, moving spheres past a box" 0 'a,b,t|0,0,0.0792468265|1,0,0.0991116539|' '' abut cast moved.csv box.csv

expect "cast, kinds" 2 '' \
    'abut: cast takes rays, segments or capsules (A) and all shapes but planes (B), not spheres and spheres|' \
    abut cast balls.csv balls.csv
printf 'nx,ny,nz,d\n0,0,1,0\n' >ground.csv
expect "cast, planes" 2 '' \
    'abut: cast takes rays, segments or capsules (A) and all shapes but planes (B), not segments and planes|' \
    abut cast rays.csv ground.csv
expect "cast, --end below 0" 2 '' 'abut: --end takes a time of 0 or more, not -1|' abut cast rays.csv balls.csv --end -1
expect "cast, no array" 2 '' 'abut: cannot write x.npy: cast writes text, no arrays|' \
    abut cast rays.csv balls.csv -o x.npy

finish cast
