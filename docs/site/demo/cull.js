// SPDX-License-Identifier: MIT
// The second picture: 100,000 spheres and what a turning camera sees of them.
import { Batch, Hulls, frustum, predicates } from '../abut/abut.js';
import { CLOUD, cameraCorners, cameraMatrix, cloud } from './scenes.js';
import { Camera, colour, keepDrawn } from './view.js';
import { Player } from './player.js';

const $ = (id) => document.getElementById(id);
const overview = new Camera({ turn: -0.6, tilt: 0.75, distance: 190, zoom: 0.95 });

let spheres,
  projected,
  frame = 0,
  last = null;
let spent = 0,
  timed = 0;

/** Where each sphere is on the canvas: it stays, and only its colour changes. */
function projectAll(canvas, columns) {
  const at = new Int32Array(CLOUD);
  for (let i = 0; i < CLOUD; i++) {
    const [x, y] = overview.project([columns[0][i], columns[1][i], columns[2][i]], canvas).map(Math.round);
    at[i] = x >= 1 && y >= 1 && x < canvas.width - 1 && y < canvas.height - 1 ? y * canvas.width + x : -1;
  }
  projected = { at, width: canvas.width, height: canvas.height };
}

/** A colour of the theme as canvas memory has it: the bytes red, green, blue, opaque. */
function pixel(name) {
  const hex = colour(name).slice(1);
  const [r, g, b] = [0, 2, 4].map((i) => parseInt(hex.slice(i, i + 2), 16));
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

function drawFrustum(context, canvas) {
  const corners = cameraCorners(last.frame).map((corner) => overview.project(corner, canvas));
  context.strokeStyle = colour('edge');
  context.lineWidth = Math.max(1, canvas.width / 900);
  context.beginPath();
  for (let i = 0; i < 4; i++)
    for (const [from, to] of [
      [i, (i + 1) % 4],
      [4 + i, 4 + ((i + 1) % 4)],
      [i, 4 + i],
    ]) {
      context.moveTo(...corners[from].slice(0, 2));
      context.lineTo(...corners[to].slice(0, 2));
    }
  context.stroke();
}

function draw() {
  const canvas = $('cull');
  if (!last || !canvas.width) return;
  if (projected?.width !== canvas.width || projected.height !== canvas.height) projectAll(canvas, last.columns);
  const context = canvas.getContext('2d'),
    image = context.createImageData(canvas.width, canvas.height);
  const pixels = new Uint32Array(image.data.buffer);
  pixels.fill(pixel('panel'));
  const dot = (i, ink, big) => {
    const at = projected.at[i];
    if (at < 0) return;
    pixels[at] = ink;
    if (big) for (const d of [1, projected.width, projected.width + 1, -1, -projected.width]) pixels[at + d] = ink;
  };
  const [miss, hit, wrong] = ['dot', 'hit', 'false'].map(pixel);
  for (let i = 0; i < CLOUD; i++) dot(i, miss, false);
  for (const i of last.exact.indices()) dot(i, hit, false);
  for (const i of last.wrong) dot(i, wrong, true);
  context.putImageData(image, 0, 0);
  drawFrustum(context, canvas);
}

function step() {
  const planes = frustum(cameraMatrix(frame));
  const camera = new Hulls([planes]);
  const start = performance.now();
  const exact = predicates.spheresTouchHulls(spheres, camera);
  const middle = performance.now();
  const kept = predicates.spheresCullHulls(spheres, camera);
  const end = performance.now();
  camera.free();
  const wrong = kept.indices().filter((i) => !exact.get(i));
  last = { ...last, frame, planes, exact, wrong, hits: exact.count(), kept: kept.count() };
  spent += middle - start;
  timed++;
  $('cull-hits').textContent = last.hits.toLocaleString('en');
  $('cull-false').textContent = wrong.length.toLocaleString('en');
  $('cull-ms').textContent = `${(spent / timed).toFixed(2)} ms`;
  $('cull-loose-ms').textContent = `${(end - middle).toFixed(2)} ms`;
  $('cull-frame').textContent = frame.toLocaleString('en');
  frame++;
  draw();
}

export function startCull() {
  const columns = cloud();
  spheres = new Batch('spheres', CLOUD);
  columns.forEach((column, k) => spheres.column(k).set(column));
  last = { columns };
  keepDrawn($('cull'), draw);
  return new Player($('cull'), $('cull-play'), step);
}

/** What the page shows, for tests. */
export const cullState = () => ({ frame: last.frame, planes: last.planes, hits: last.hits, kept: last.kept });
