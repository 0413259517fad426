// SPDX-License-Identifier: MIT
// The same scenes on every machine: whole-number arithmetic makes the numbers, so tests can make them again.

/** Numbers from 0 to 1. */
export function randomNumbers(seed) {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

export const CLOUD = 100000,
  CLOUD_WIDTH = 100;

/** Columns x y z r of a cloud of spheres. */
export function cloud(n = CLOUD) {
  const random = randomNumbers(1);
  const columns = [0, 1, 2, 3].map(() => new Float32Array(n));
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < 3; k++) columns[k][i] = (random() - 0.5) * CLOUD_WIDTH;
    columns[3][i] = 0.2 + 0.8 * random();
  }
  return columns;
}

const LENS = { near: 1, far: 45, tangent: 0.5, aspect: 1.6 };

/** Right, up and backwards of a camera at the origin in a frame: it turns about y and nods. */
function axesOf(frame) {
  const turn = frame * 0.01,
    nod = 0.3 * Math.sin(frame * 0.017);
  const [c, s, d, t] = [Math.cos(turn), Math.sin(turn), Math.cos(nod), Math.sin(nod)];
  return [
    [c, 0, s],
    [s * t, d, -c * t],
    [-s * d, t, c * d],
  ];
}

/** Projection times view of that camera, column after column. */
export function cameraMatrix(frame) {
  const { near, far, tangent, aspect } = LENS,
    [right, up, back] = axesOf(frame);
  const [px, py] = [1 / (tangent * aspect), 1 / tangent];
  const [pz, pw] = [(far + near) / (near - far), (2 * far * near) / (near - far)];
  const matrix = new Float32Array(16);
  for (let k = 0; k < 3; k++) matrix.set([px * right[k], py * up[k], pz * back[k], -back[k]], 4 * k);
  matrix.set([0, 0, pw, 0], 12);
  return matrix;
}

/** The corners of what it sees: four near, four far, each four around. */
export function cameraCorners(frame) {
  const { near, far, tangent, aspect } = LENS,
    [right, up, back] = axesOf(frame);
  return [near, far].flatMap((depth) =>
    [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ].map(([x, y]) => right.map((_, k) => depth * (x * tangent * aspect * right[k] + y * tangent * up[k] - back[k]))),
  );
}

export const LEVEL_BALLS = 2000,
  ROOMS = [5, 4],
  ROOM = 8,
  STOREY = 3;

/** Columns x y z r of balls that move to and fro through a level, in a frame. y is up. */
export function levelBalls(frame) {
  const random = randomNumbers(4),
    sides = [ROOMS[0] * ROOM, 1.4 * STOREY, ROOMS[1] * ROOM];
  const columns = [0, 1, 2, 3].map(() => new Float32Array(LEVEL_BALLS));
  for (let i = 0; i < LEVEL_BALLS; i++) {
    for (let k = 0; k < 3; k++) {
      // Forth over a side and back, in [0, 2).
      const way = (2 * random() + (0.002 * (random() - 0.5) * frame * ROOM) / sides[k] + 1000) % 2;
      columns[k][i] = Math.abs(way - 1) * sides[k] - (k === 1 ? 0 : sides[k] / 2);
    }
    columns[3][i] = 0.1 + 0.7 * random();
  }
  return columns;
}

export const BALLS = 10000,
  BOXES = 10000,
  FLOOR = 220;

/** Balls and boxes that move over a floor and bounce off its edges. */
export class Movers {
  constructor() {
    const random = randomNumbers(2),
      n = BALLS + BOXES;
    Object.assign(this, {
      frame: 0,
      x: new Float32Array(n),
      y: new Float32Array(n),
      vx: new Float32Array(n),
      vy: new Float32Array(n),
      size: new Float32Array(n),
    });
    for (let i = 0; i < n; i++) {
      [this.x[i], this.y[i]] = [random() * FLOOR, random() * FLOOR];
      [this.vx[i], this.vy[i]] = [(random() - 0.5) * 0.3, (random() - 0.5) * 0.3];
      this.size[i] = 0.2 + 0.3 * random();
    }
  }
  step() {
    this.frame++;
    for (const [at, speed] of [
      [this.x, this.vx],
      [this.y, this.vy],
    ])
      for (let i = 0; i < at.length; i++) {
        at[i] += speed[i];
        if (at[i] < 0 || at[i] > FLOOR) {
          speed[i] = -speed[i];
          at[i] += 2 * speed[i];
        }
      }
  }
  /** Columns of the balls, which lie on the floor, and of the boxes. */
  balls() {
    const [x, y, r] = [this.x, this.y, this.size].map((column) => column.slice(0, BALLS));
    return [x, y, r, r];
  }
  boxes() {
    const [x, y, h] = [this.x, this.y, this.size].map((column) => column.slice(BALLS));
    const near = (at) => at.map((v, i) => v - h[i]),
      far = (at) => at.map((v, i) => v + h[i]);
    return [near(x), near(y), new Float32Array(BOXES), far(x), far(y), h.map((v) => 2 * v)];
  }
}
