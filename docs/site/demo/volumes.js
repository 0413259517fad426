// SPDX-License-Identifier: MIT
// The volumes of the first picture, and the four rules that decide whether a sphere touches one.
import { Batch, Hulls, Mask, planeOf, predicates } from '../abut/abut.js';

const turn = ([x, y, z]) => {
  // 30 degrees about z, then 25 about x
  const [c, s, d, t] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6), Math.cos(0.436), Math.sin(0.436)];
  const [u, v] = [c * x - s * y, s * x + c * y];
  return [u, d * v - t * z, t * v + d * z];
};
/** The corners of a box about the origin. */
export const boxCorners = (hx, hy, hz) =>
  [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1 ? hx : -hx, i & 2 ? hy : -hy, i & 4 ? hz : -hz]);
const frustumCorners = () =>
  boxCorners(1, 1, 1).map(([x, y, z]) => (z > 0 ? [0.6 * x, 0.4 * y, 2.2] : [2.6 * x, 1.8 * y, -2.2]));

/** The faces of a box by its corners, counterclockwise when seen from outside. */
export const SIX = [
  [0, 4, 6, 2],
  [1, 3, 7, 5],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 2, 3, 1],
  [4, 5, 7, 6],
];
export const WEDGE = {
  corners: [
    [-2.2, -1.2, -1.5],
    [2.2, -1.2, -1.5],
    [2.2, -1.2, 1.5],
    [-2.2, -1.2, 1.5],
    [2.2, 1.2, -1.5],
    [2.2, 1.2, 1.5],
  ],
  faces: [
    [0, 1, 2, 3],
    [1, 4, 5, 2],
    [0, 3, 5, 4],
    [0, 4, 1],
    [3, 2, 5],
  ],
};

/** Corners and faces of each volume. */
export const VOLUMES = {
  box: { corners: boxCorners(2, 1, 1.5), faces: SIX },
  turned: { corners: boxCorners(2, 1, 1.4).map(turn), faces: SIX },
  brush: WEDGE,
  frustum: { corners: frustumCorners(), faces: SIX },
};

export const RULES = ['exact', 'planes', 'faces', 'any'];

/** The planes of faces, facing outward. */
export const planesOf = (corners, faces) => faces.map((face) => planeOf(...face.slice(0, 3).map((i) => corners[i])));

const shareAnEdge = (a, b) => a.filter((corner) => b.includes(corner)).length === 2;

/** A volume made ready: its planes as the library has them, and which faces are neighbours. */
export class Volume {
  constructor(name) {
    const { corners, faces } = VOLUMES[name];
    this.corners = corners;
    this.faces = faces;
    this.planes = planesOf(corners, faces);
    this.hull = new Hulls([this.planes]);
    this.out = this.planes.map((plane) => new Batch('planes', plane));
    this.back = this.planes.map(
      (plane) =>
        new Batch(
          'planes',
          plane.map((x) => -x),
        ),
    );
    this.neighbours = faces.map((face) => faces.flatMap((other, j) => (shareAnEdge(face, other) ? [j] : [])));
  }

  /** The answers of the four rules for many spheres, each one decided exactly. */
  answers(spheres) {
    const exact = predicates.spheresTouchHulls(spheres, this.hull);
    const planes = predicates.spheresCullHulls(spheres, this.hull);
    const inside = predicates.spheresInsideHulls(spheres, this.hull).words;
    // A sphere crosses a plane if it touches both of its half spaces.
    const touches = this.out.map((plane) => predicates.spheresTouchPlanes(spheres, plane).words);
    const crosses = this.back.map((plane, f) =>
      predicates.spheresTouchPlanes(spheres, plane).words.map((w, i) => w & touches[f][i]),
    );
    const faces = inside.slice(),
      any = inside.slice();
    for (let f = 0; f < this.planes.length; f++)
      for (let i = 0; i < any.length; i++) {
        any[i] |= crosses[f][i];
        faces[i] |= this.neighbours[f].reduce((bits, g) => bits & touches[g][i], crosses[f][i]);
      }
    return { exact, planes, faces: new Mask(faces, spheres.length), any: new Mask(any, spheres.length) };
  }

  free() {
    for (const owner of [this.hull, ...this.out, ...this.back]) owner.free();
  }
}
