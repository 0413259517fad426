// SPDX-License-Identifier: MIT
// The fifth picture: two balls that just touch on paper, and three kinds of numbers that disagree about it.
import { predicates } from '../abut/abut.js';
import { add, compare, digitsOf, fraction, parseDecimal } from './decimal.js';

const $ = (id) => document.getElementById(id);
const IDS = ['tie-a', 'tie-b', 'tie-d'];
let state;

const order = (x, y) => (x > y ? 1 : x < y ? -1 : 0); // a difference of infinities would be NaN
const word = (sign) => (sign > 0 ? 'they overlap' : sign === 0 ? 'they touch in one point' : 'they are apart');

function update() {
  const typed = IDS.map((id) => parseDecimal($(id).value)),
    doubles = IDS.map((id) => Number($(id).value)),
    [a, b, d] = doubles.map(Math.fround);
  const invalid = typed.some((decimal) => !decimal || decimal.numerator < 0n) || ![a, b, d].every(Number.isFinite);
  $('tie-error').textContent = invalid ? 'Each is a number from 0 to 3.4e38, such as 0.1.' : '';
  if (invalid) return;
  const floats = [a, b, d].map(fraction);
  const exact = compare(add(floats[0], floats[1]), floats[2]);
  const touches = predicates.spheresTouchSpheres([0, 0, 0, a], [d, 0, 0, b]).get(0);
  const rows = {
    paper: compare(add(typed[0], typed[1]), typed[2]),
    rounded: order(Math.fround(a + b), d),
    squared: order(Math.fround(Math.fround(a + b) * Math.fround(a + b)), Math.fround(d * d)),
    double: order(doubles[0] + doubles[1], doubles[2]),
    exact,
  };
  for (const [name, sign] of Object.entries(rows)) {
    $(`tie-${name}`).textContent = word(sign);
    $(`tie-${name}`).dataset.state = sign >= 0 === touches ? 'hit' : 'false';
  }
  $('tie-abut').textContent = touches ? 'touches' : 'does not touch';
  floats.forEach((value, i) => {
    $(`${IDS[i]}-is`).textContent = digitsOf(value);
  });
  $('tie-sum-is').textContent = digitsOf(add(floats[0], floats[1]));
  state = { a, b, d, touches, rows };
}

export function startTie() {
  for (const id of IDS) $(id).addEventListener('input', update);
  update();
}

/** What the page shows, for tests. */
export const tieState = () => state;
