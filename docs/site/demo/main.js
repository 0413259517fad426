// SPDX-License-Identifier: MIT
// Loads the library and starts the five pictures.
import { isa, load, simd, version } from '../abut/abut.js';
import { broadState, startBroad } from './broad.js';
import { cullState, startCull } from './cull.js';
import { levelState, startLevel } from './level.js';
import { startTie, tieState } from './tie.js';
import { startTouch, touchState } from './touch.js';

const status = document.getElementById('status');
try {
  const scalar = new URLSearchParams(location.search).has('scalar');
  await load(scalar ? 'scalar' : undefined);
  document.getElementById('no-simd').hidden = simd && !scalar;
  status.textContent = `abut ${version()}, instruction set ${isa()}`;
  startTouch();
  const players = { cull: startCull(), level: startLevel(), broad: startBroad() };
  startTie();
  window.demo = { touchState, cullState, levelState, broadState, tieState, players }; // for tests
  document.body.dataset.ready = 'yes';
} catch (error) {
  status.textContent = `The demonstration cannot run here: ${error.message}`;
  document.body.dataset.ready = 'failed';
  throw error;
}
