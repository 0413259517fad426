// SPDX-License-Identifier: MIT
// Culling and a broad phase: 20,000 spheres in a cube, those that a camera sees, and the pairs that touch.
import { load, Batch, Hulls, Index, frustum, isa, predicates } from 'abut';

await load();

let state = 1;
const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;

const spheres = new Batch('spheres', 20000);
for (const field of ['x', 'y', 'z']) {
  const column = spheres.column(field);
  for (let i = 0; i < column.length; i++) column[i] = random() * 100 - 50;
}
spheres.column('r').fill(0.75);

// A camera at the origin that looks along -z: 90 degrees high and wide, from 1 to 50.
const [near, far] = [1, 50];
const projection = [
  1,
  0,
  0,
  0,
  0,
  1,
  0,
  0,
  0,
  0,
  (near + far) / (near - far),
  -1,
  0,
  0,
  (2 * near * far) / (near - far),
  0,
];
const camera = new Hulls([frustum(projection)]);
const exact = predicates.spheresTouchHulls(spheres, camera);
const sixPlanes = predicates.spheresCullHulls(spheres, camera);

const index = new Index(spheres);
const pairs = index.selfPairs();
const { indices } = index.nearest([0, 0, 0], 3);

console.log(`instruction set ${isa()}`);
console.log(`${exact.count()} spheres touch what the camera sees; six planes keep ${sixPlanes.count()}`);
console.log(`${pairs.length / 2} pairs of spheres touch; nearest to the camera are ${[...indices].join(', ')}`);
for (const owner of [index, camera, spheres]) owner.free();
