// SPDX-License-Identifier: MIT
// The third picture: the brushes of a level, balls that move among them, and a camera that circles about.
import { Batch, Hulls, predicates } from '../abut/abut.js';
import { LEVEL_BALLS, ROOM, ROOMS, STOREY, levelBalls, randomNumbers } from './scenes.js';
import { Player } from './player.js';
import { Camera, colour, drawFaces, facesUs, keepDrawn } from './view.js';
import { SIX, WEDGE, boxCorners, planesOf } from './volumes.js';

const $ = (id) => document.getElementById(id);
const THICK = 0.25, // half of a wall
  DOOR = 0.25; // half of a gap, as a share of a wall
const camera = new Camera({ zoom: 1.5 });

let brushes,
  hulls,
  balls,
  frame = 0,
  last = null,
  spent = 0,
  timed = 0;

const shifted = (corners, [x, y, z]) => corners.map((corner) => [corner[0] + x, corner[1] + y, corner[2] + z]);
const box = (half, centre) => ({ corners: shifted(boxCorners(...half), centre), faces: SIX });

/** A wall between two rooms, along x or z: two boxes with a door between them. */
function wall([x, z], alongX) {
  const length = ((1 - 2 * DOOR) * ROOM) / 4;
  return [-1, 1].map((side) => {
    const off = side * (ROOM / 2 - length);
    return box(alongX ? [length, STOREY / 2, THICK] : [THICK, STOREY / 2, length], [
      x + (alongX ? off : 0),
      STOREY / 2,
      z + (alongX ? 0 : off),
    ]);
  });
}

/** A box whose upper face is moved and scaled: a sheared box, or a pillar that tapers. */
function leaning([hx, hy, hz], centre, [dx, dz], scale = 1) {
  const corners = boxCorners(hx, hy, hz).map(([x, y, z]) => (y > 0 ? [x * scale + dx, y, z * scale + dz] : [x, y, z]));
  return { corners: shifted(corners, centre), faces: SIX };
}

/** What stands in a room: pillars, a ramp, or a leaning slab. */
function furniture([x, z], random) {
  const kind = Math.floor(3 * random());
  if (kind === 0)
    return [-1, 1].flatMap((i) =>
      [-1, 1].map((k) => leaning([0.5, STOREY / 2, 0.5], [x + 2 * i, STOREY / 2, z + 2 * k], [0, 0], 0.5)),
    );
  if (kind === 1) return [{ corners: shifted(WEDGE.corners, [x, 1.2, z]), faces: WEDGE.faces }];
  return [leaning([0.6, STOREY / 2, 2], [x, STOREY / 2, z], [3 * (random() - 0.5), 2 * (random() - 0.5)])];
}

/** The convex brushes of a level: corners, faces, planes. */
function makeLevel() {
  const random = randomNumbers(3),
    made = [];
  const at = (i, k) => [(i + 0.5 - ROOMS[0] / 2) * ROOM, (k + 0.5 - ROOMS[1] / 2) * ROOM];
  for (let i = 0; i < ROOMS[0]; i++)
    for (let k = 0; k < ROOMS[1]; k++) {
      const [x, z] = at(i, k);
      made.push(box([ROOM / 2, THICK, ROOM / 2], [x, -THICK, z]), ...furniture([x, z], random));
      made.push(...wall([x, z - ROOM / 2], true), ...wall([x - ROOM / 2, z], false));
      if (i === ROOMS[0] - 1) made.push(...wall([x + ROOM / 2, z], false));
      if (k === ROOMS[1] - 1) made.push(...wall([x, z + ROOM / 2], true));
    }
  return made.map(({ corners, faces }) => {
    const planes = planesOf(corners, faces);
    return { corners, faces, planes, shades: planes.map(shadeOf), floor: corners.every((corner) => corner[1] <= 0) };
  });
}

/** The place of the camera in a frame: it circles about the level, and goes nearer and back. */
function fly() {
  Object.assign(camera, {
    turn: -0.5 + 0.004 * frame,
    tilt: 0.75 + 0.2 * Math.sin(0.005 * frame),
    distance: 56 - 14 * Math.sin(0.007 * frame),
  });
}

/** Faces that look up are light, and sides along one axis darker than those along the other. */
const SHADES = ['brush-top', 'brush', 'brush-dark'];
const shadeOf = ([x, y, z]) => (y > 0.7 ? 0 : Math.abs(x) > Math.abs(z) ? 1 : 2);

/** Floors, which lie below all others, and then the brushes from the farthest to the nearest: faces that we see. */
function drawBrushes(context, canvas) {
  const shown = brushes.map(({ corners, faces, shades, floor }) => {
    const points = corners.map((corner) => camera.project(corner, canvas));
    const depth = points.reduce((sum, point) => sum + point[3], 0) / points.length;
    return { depth, floor, shades, faces: faces.map((face) => face.map((i) => points[i])) };
  });
  shown.sort((a, b) => b.floor - a.floor || b.depth - a.depth);
  context.lineWidth = Math.max(0.5, canvas.width / 1800);
  const inks = SHADES.map(colour),
    line = colour('edge-back');
  for (const { faces, shades } of shown)
    faces.forEach((face, f) => {
      if (facesUs(face)) drawFaces(context, [face], inks[shades[f]], line);
    });
}

const MISS_SIZE = 0.08; // balls that touch nothing are dots, so that they hide no brush

function draw() {
  const canvas = $('level');
  if (!last || !canvas.width) return;
  const context = canvas.getContext('2d');
  context.fillStyle = colour('panel');
  context.fillRect(0, 0, canvas.width, canvas.height);
  drawBrushes(context, canvas);
  context.globalAlpha = 0.8;
  for (const [state, ink] of ['dot', 'hit', 'false'].entries()) {
    context.fillStyle = colour(ink);
    context.beginPath();
    for (let i = 0; i < LEVEL_BALLS; i++) {
      if (last.states[i] !== state) continue;
      const [x, y, scale] = camera.project([0, 1, 2].map((k) => last.columns[k][i]), canvas);
      const r = Math.max((state ? last.columns[3][i] : MISS_SIZE) * scale, 1);
      context.moveTo(x + r, y);
      context.arc(x, y, r, 0, 7);
    }
    context.fill();
  }
  context.globalAlpha = 1;
}

/** For each ball: 0 no brush keeps it, 1 it touches one, 2 it is kept by planes alone. */
function statesOf(exact, kept) {
  const states = new Uint8Array(LEVEL_BALLS);
  for (const mask of kept) for (const i of mask.indices()) states[i] = 2;
  for (const mask of exact) for (const i of mask.indices()) states[i] = 1;
  return states;
}

const sum = (masks) => masks.reduce((total, mask) => total + mask.count(), 0);

function step() {
  const columns = levelBalls(frame);
  columns.forEach((column, k) => balls.column(k).set(column));
  const start = performance.now();
  const exact = predicates.spheresTouchHullsAll(balls, hulls);
  const middle = performance.now();
  const kept = predicates.spheresCullHullsAll(balls, hulls);
  const end = performance.now();
  last = { frame, columns, states: statesOf(exact, kept), hits: sum(exact), kept: sum(kept) };
  spent += middle - start;
  timed++;
  $('level-hits').textContent = last.hits.toLocaleString('en');
  $('level-false').textContent = (last.kept - last.hits).toLocaleString('en');
  $('level-ms').textContent = `${(spent / timed).toFixed(2)} ms`;
  $('level-loose-ms').textContent = `${(end - middle).toFixed(2)} ms`;
  $('level-frame').textContent = frame.toLocaleString('en');
  fly();
  frame++;
  draw();
}

export function startLevel() {
  brushes = makeLevel();
  hulls = new Hulls(brushes.map((brush) => brush.planes));
  balls = new Batch('spheres', LEVEL_BALLS);
  $('level-brushes').textContent = brushes.length.toLocaleString('en');
  keepDrawn($('level'), draw);
  return new Player($('level'), $('level-play'), step);
}

/** What the page shows, for tests. */
export const levelState = () => ({
  frame: last.frame,
  planes: brushes.map((brush) => brush.planes),
  hits: last.hits,
  kept: last.kept,
});
