// SPDX-License-Identifier: MIT
// The answers of the native library, by bindings/python/tests/answers.c, and random shapes with many ties.
import { spawnSync } from 'node:child_process';

const RELATIONS = ['touches', 'inside', 'cull'];
export const HULL_PLANES = 6;

export function randomNumbers(seed) {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

/** n rows of one kind. Small whole numbers tie often; a few rows are invalid. */
export function rowsOf(kind, fields, n, random, kinds = 'ties') {
  const number = kinds === 'ties' ? () => Math.floor(random() * 9) - 4 : () => Math.fround(random() * 8 - 4);
  const size = () => Math.abs(number());
  const row = () => {
    if (kind === 'aabbs') {
      const low = [number(), number(), number()];
      return [...low, ...low.map((x) => x + size())];
    }
    if (kind === 'obbs')
      return [
        number(),
        number(),
        number(),
        size(),
        size(),
        size(),
        ...[
          [1, 0, 0, 0, 1, 0, 0, 0, 1],
          [0, 1, 0, -1, 0, 0, 0, 0, 1],
          [0.6, 0.8, 0, -0.8, 0.6, 0, 0, 0, 1],
        ][Math.floor(random() * 3)],
      ];
    return fields.map((field) => (field === 'r' ? size() : number()));
  };
  return Array.from({ length: n }, (_, i) => {
    const made = row();
    if (i % 37 === 5) made[i % made.length] = NaN;
    return made;
  });
}

/** Six planes that hold a turned or a plain box. */
export function hullPlanes(random) {
  const far = () => Math.floor(random() * 4);
  const turns = [
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
    [
      [3, 4, 0],
      [-4, 3, 0],
      [0, 0, 1],
    ],
    [
      [1, 1, 0],
      [1, -1, 0],
      [0, 0, 2],
    ],
  ];
  const axes = turns[Math.floor(random() * turns.length)];
  return axes.flatMap((axis) => [
    [...axis, -far()],
    [...axis.map((x) => -x), -far()],
  ]);
}

const columns = (rows, fields) => Array.from({ length: fields }, (_, j) => Float32Array.from(rows, (row) => row[j]));

/** Masks of 64-bit words as 32-bit words: item by item, by exact arithmetic, and of every pair. */
export function nativeAnswers(program, { relation, a, b, open }) {
  const rows = (side) => (side.kind === 'hulls' ? side.items.flat() : side.items);
  const sides = [a, b].flatMap((side) => [side.number, side.items.length]);
  const head = `${[RELATIONS.indexOf(relation), ...sides, open ? 1 : 0].join(' ')}\n`;
  const input = [
    Buffer.from(head),
    ...[a, b].flatMap((side) => columns(rows(side), side.fields).map((c) => Buffer.from(c.buffer))),
  ];
  const { status, stdout } = spawnSync(program, { input: Buffer.concat(input), maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`${program} ended with ${status}`);
  const words = new Uint32Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length));
  const n = 2 * Math.ceil(Math.max(a.items.length, b.items.length) / 64);
  return { zip: words.subarray(0, n), exact: words.subarray(n, 2 * n), all: words.subarray(2 * n) };
}
