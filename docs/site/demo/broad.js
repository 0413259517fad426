// SPDX-License-Identifier: MIT
// The fourth picture: 20,000 balls and boxes that move, and every pair of them that touches.
import { Batch, Index } from '../abut/abut.js';
import { BALLS, BOXES, FLOOR, Movers } from './scenes.js';
import { Player } from './player.js';
import { colour, keepDrawn } from './view.js';

const $ = (id) => document.getElementById(id);
const SHOWN = FLOOR / 3; // the middle of the floor
const STALE = 1.5; // an index that has grown so much is built anew

const movers = new Movers();
const touching = new Uint8Array(BALLS + BOXES);
let balls,
  boxes,
  ballIndex,
  boxIndex,
  last = null,
  spent = 0,
  timed = 0;

const write = (batch, columns) => columns.forEach((column, k) => batch.column(k).set(column));

function refreshed(index, batch) {
  if (!index) return new Index(batch);
  if (index.refit(batch) < STALE) return index;
  index.free();
  return new Index(batch);
}

function draw() {
  const canvas = $('broad');
  if (!last || !canvas.width) return;
  const context = canvas.getContext('2d'),
    scale = canvas.width / SHOWN;
  const place = (at) => (at - SHOWN) * scale;
  context.fillStyle = colour('panel');
  context.fillRect(0, 0, canvas.width, canvas.height);
  const ink = { ball: [colour('ball-dot'), colour('hit')], box: [colour('box-dot'), colour('hit')] };
  for (let touches = 0; touches < 2; touches++) {
    context.fillStyle = ink.box[touches];
    for (let i = BALLS; i < BALLS + BOXES; i++)
      if (touching[i] === touches) {
        const side = 2 * movers.size[i] * scale;
        context.fillRect(place(movers.x[i] - movers.size[i]), place(movers.y[i] - movers.size[i]), side, side);
      }
    context.fillStyle = ink.ball[touches];
    context.beginPath();
    for (let i = 0; i < BALLS; i++)
      if (touching[i] === touches) {
        const [x, y, r] = [place(movers.x[i]), place(movers.y[i]), movers.size[i] * scale];
        context.moveTo(x + r, y);
        context.arc(x, y, r, 0, 7);
      }
    context.fill();
  }
}

function step() {
  movers.step();
  const [ballColumns, boxColumns] = [movers.balls(), movers.boxes()];
  const start = performance.now();
  write(balls, ballColumns);
  write(boxes, boxColumns);
  ballIndex = refreshed(ballIndex, balls);
  boxIndex = refreshed(boxIndex, boxes);
  const pairs = [ballIndex.selfPairs(), boxIndex.selfPairs(), boxIndex.query(balls)];
  const ms = performance.now() - start;
  touching.fill(0);
  const offsets = [
    [0, 0],
    [BALLS, BALLS],
    [0, BALLS],
  ];
  pairs.forEach((list, k) =>
    list.forEach((item, i) => {
      touching[item + offsets[k][i % 2]] = 1;
    }),
  );
  const [ballPairs, boxPairs, mixed] = pairs.map((list) => list.length / 2);
  last = { frame: movers.frame, ballPairs, boxPairs, mixed };
  spent += ms;
  timed++;
  $('broad-pairs').textContent = (ballPairs + boxPairs + mixed).toLocaleString('en');
  $('broad-ms').textContent = `${(spent / timed).toFixed(2)} ms`;
  $('broad-frame').textContent = movers.frame.toLocaleString('en');
  draw();
}

export function startBroad() {
  balls = new Batch('spheres', BALLS);
  boxes = new Batch('aabbs', BOXES);
  keepDrawn($('broad'), draw);
  return new Player($('broad'), $('broad-play'), step);
}

/** What the page shows, for tests. */
export const broadState = () => last;
