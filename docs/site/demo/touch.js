// SPDX-License-Identifier: MIT
// The first picture: a ball that is dragged about a volume, and four rules for it side by side.
import { Batch } from '../abut/abut.js';
import { Camera, colour, drawVolume, keepDrawn } from './view.js';
import { RULES, Volume } from './volumes.js';

const $ = (id) => document.getElementById(id);
const SIZE = 96,
  REACH = 4.5; // spheres along a side of the slice, and half its width
const STEP = 0.1;

const camera = new Camera();
const centre = new Float32Array([2.8, 1.85, 0]);
const one = { batch: null },
  grid = { batch: null };
let volume, answers;

const radius = () => Math.fround(Number($('radius').value));

function rgb(name) {
  const hex = colour(name).slice(1);
  return [0, 2, 4].map((i) => parseInt(hex.slice(i, i + 2), 16));
}

/** The slice through the centre of the ball: where a ball of this size would be a hit, and where a false one. */
function drawSlice(rule, masks) {
  const canvas = $(`slice-${rule}`),
    context = canvas.getContext('2d');
  const image = context.createImageData(SIZE, SIZE);
  const [hit, wrong, miss] = [rgb('hit'), rgb('false'), rgb('panel')];
  let kept = 0,
    hits = 0;
  for (let i = 0; i < SIZE * SIZE; i++) {
    const said = masks[rule].get(i),
      right = masks.exact.get(i);
    kept += said;
    hits += right && said;
    image.data.set([...(said ? (right ? hit : wrong) : miss), 255], 4 * i);
  }
  context.putImageData(image, 0, 0);
  const at = (v) => ((v / REACH + 1) / 2) * SIZE;
  context.strokeStyle = colour('text');
  context.lineWidth = 1;
  context.beginPath();
  context.arc(at(centre[0]), SIZE - at(centre[1]), 2, 0, 7);
  context.stroke();
  $(`share-${rule}`).textContent = kept ? `${((100 * (kept - hits)) / kept).toFixed(1)} % false` : 'no hits';
}

function fillGrid() {
  const [x, y, z, r] = [0, 1, 2, 3].map((k) => grid.batch.column(k));
  for (let i = 0; i < x.length; i++) {
    x[i] = ((((i % SIZE) + 0.5) / SIZE) * 2 - 1) * REACH;
    y[i] = (1 - ((Math.floor(i / SIZE) + 0.5) / SIZE) * 2) * REACH;
  }
  z.fill(centre[2]);
  r.fill(radius());
}

function draw() {
  if (!answers) return;
  const hit = answers.exact,
    name = hit ? 'hit' : RULES.some((rule) => answers[rule]) ? 'false' : 'missed';
  drawVolume($('view'), camera, volume, centre, radius(), colour(name));
  for (const rule of RULES) drawSlice(rule, grid.masks);
}

function update() {
  one.batch.set(0, [...centre, radius()]);
  const masks = volume.answers(one.batch);
  answers = Object.fromEntries(RULES.map((rule) => [rule, masks[rule].get(0)]));
  for (const rule of RULES) {
    const element = $(`answer-${rule}`),
      said = answers[rule],
      wrong = said !== answers.exact;
    element.textContent = said ? (wrong ? 'touches, wrongly' : 'touches') : 'does not touch';
    element.dataset.state = wrong ? 'false' : said ? 'hit' : 'miss';
  }
  $('radius-out').textContent = radius().toFixed(2);
  $('depth-out').textContent = centre[2].toFixed(2);
  $('depth').value = centre[2];
  $('where').textContent = `centre ${[...centre].map((x) => x.toFixed(2)).join(', ')}, radius ${radius().toFixed(2)}`;
  fillGrid();
  const start = performance.now();
  grid.masks = volume.answers(grid.batch);
  $('slice-time').textContent =
    `${(SIZE * SIZE).toLocaleString('en')} spheres under four rules: ${(performance.now() - start).toFixed(1)} ms`;
  draw();
}

function choose(name) {
  volume?.free();
  volume = new Volume(name);
  update();
}

const clamp = (v) => Math.max(-REACH, Math.min(REACH, v));
function move(dx, dy, dz = 0) {
  [dx, dy, dz].forEach((d, k) => {
    centre[k] = clamp(centre[k] + d);
  });
  update();
}

/** Moves the centre within its depth to where the picture has it at a place: Newton's method, which needs few steps. */
function moveTo(canvas, target) {
  const SMALL = 0.01;
  for (let round = 0; round < 3; round++) {
    const at = camera.project(centre, canvas);
    const [ax, bx] = [0, 1].map((k) =>
      camera
        .project(
          centre.map((v, j) => v + (j === k ? SMALL : 0)),
          canvas,
        )
        .map((v, i) => (v - at[i]) / SMALL),
    );
    const [sx, sy] = target.map((v, k) => v - at[k]),
      det = ax[0] * bx[1] - ax[1] * bx[0];
    centre[0] = clamp(centre[0] + (sx * bx[1] - sy * bx[0]) / det);
    centre[1] = clamp(centre[1] + (sy * ax[0] - sx * ax[1]) / det);
  }
  update();
}

function dragView() {
  const canvas = $('view');
  let held = null; // from the pointer to the centre, in pixels of the canvas
  const here = (event) => {
    const box = canvas.getBoundingClientRect(),
      ratio = canvas.width / box.width;
    return [(event.clientX - box.left) * ratio, (event.clientY - box.top) * ratio, ratio];
  };
  canvas.addEventListener('pointerdown', (event) => {
    const [px, py, ratio] = here(event),
      [x, y, scale] = camera.project(centre, canvas);
    if (Math.hypot(px - x, py - y) > Math.max(radius() * scale, 24 * ratio)) return;
    held = [x - px, y - py];
    canvas.setPointerCapture(event.pointerId);
    canvas.focus();
    event.preventDefault();
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!held) return;
    const [px, py] = here(event);
    moveTo(canvas, [px + held[0], py + held[1]]);
  });
  for (const end of ['pointerup', 'pointercancel'])
    canvas.addEventListener(end, () => {
      held = null;
    });
}

function dragSlice(rule) {
  const canvas = $(`slice-${rule}`);
  const to = (event) => {
    const box = canvas.getBoundingClientRect();
    centre[0] = clamp((((event.clientX - box.left) / box.width) * 2 - 1) * REACH);
    centre[1] = clamp((1 - ((event.clientY - box.top) / box.height) * 2) * REACH);
    update();
  };
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    to(event);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (event.buttons) to(event);
  });
}

const KEYS = {
  ArrowLeft: [-STEP, 0, 0],
  ArrowRight: [STEP, 0, 0],
  ArrowUp: [0, STEP, 0],
  ArrowDown: [0, -STEP, 0],
  PageUp: [0, 0, -STEP],
  PageDown: [0, 0, STEP],
};

export function startTouch() {
  one.batch = new Batch('spheres', 1);
  grid.batch = new Batch('spheres', SIZE * SIZE);
  for (const rule of RULES) {
    Object.assign($(`slice-${rule}`), { width: SIZE, height: SIZE });
    dragSlice(rule);
  }
  dragView();
  $('view').addEventListener('keydown', (event) => {
    if (!KEYS[event.key]) return;
    event.preventDefault();
    move(...KEYS[event.key]);
  });
  $('radius').addEventListener('input', update);
  $('depth').addEventListener('input', () => {
    centre[2] = Number($('depth').value);
    update();
  });
  for (const button of document.querySelectorAll('[name=volume]'))
    button.addEventListener('change', () => choose(button.value));
  choose(document.querySelector('[name=volume]:checked').value);
  keepDrawn($('view'), draw);
}

/** What the page shows, for tests. */
export function touchState() {
  const box = $('view').getBoundingClientRect(),
    [x, y] = camera.project(centre, $('view'));
  const ratio = $('view').width / box.width;
  return {
    centre: [...centre],
    radius: radius(),
    planes: volume.planes,
    answers,
    ball: [box.left + x / ratio, box.top + y / ratio],
    slice: Object.fromEntries(RULES.map((rule) => [rule, grid.masks[rule].count()])),
  };
}
