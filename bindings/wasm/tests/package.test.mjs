// SPDX-License-Identifier: MIT
// The installed package against the native library: every predicate and join, and what users may do wrong.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import * as abut from 'abut';
import { HULL_PLANES, hullPlanes, nativeAnswers, randomNumbers, rowsOf } from './native.mjs';

const program = process.env.ABUT_ANSWERS;
const module = process.env.ABUT_MODULE; // 'simd' or 'scalar'
const scalarFile = new URL(import.meta.resolve('abut/abut-scalar.wasm'));
// Node fetches no files.
await abut.load(module === 'simd' ? undefined : await readFile(scalarFile));

const KINDS = ['points', 'spheres', 'aabbs', 'planes', 'obbs', 'segments', 'capsules', 'triangles', 'hulls'];
const N = 130; // more than two words of 64 hits

function makeSide(kind, random, n, numbers) {
  const number = KINDS.indexOf(kind);
  if (kind === 'hulls') {
    const items = Array.from({ length: n }, () => hullPlanes(random));
    assert.ok(items.every((planes) => planes.length === HULL_PLANES));
    return { kind, number, items, fields: 4, owner: new abut.Hulls(items) };
  }
  const { fields } = new abut.Batch(kind, 0);
  const items = rowsOf(kind, fields, n, random, numbers);
  return { kind, number, items, fields: fields.length, owner: new abut.Batch(kind, items.flat()) };
}

const pairsOf = (all, rows, n) => {
  const words = 2 * Math.ceil(n / 64),
    pairs = [];
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < n; j++) if ((all[i * words + (j >>> 5)] >>> (j & 31)) & 1) pairs.push([i, j]);
  return pairs;
};

const sortedBySecond = (pairs) => pairs.map(([i, j]) => [j, i]).sort((p, q) => p[0] - q[0] || p[1] - q[1]);

test('the module is the one that was asked for', () => {
  assert.equal(abut.isa(), module === 'simd' ? 'wasm' : 'scalar');
  assert.equal(abut.simd, true); // Node has it
  assert.match(abut.version(), /^\d+\.\d+\.\d+$/);
});

test('load says what it cannot load, and may be called again', async () => {
  const other = await import(`${import.meta.resolve('abut')}?other`);
  const page = new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } });
  await assert.rejects(other.load(scalarFile), /abut-scalar.wasm cannot be fetched \(.*\); load takes bytes, too/);
  await assert.rejects(other.load(page), /the response is a page and no module/);
  await assert.rejects(other.load(new Response('', { status: 404 })), /the response cannot be loaded: 404/);
  await other.load();
  assert.equal(other.isa(), 'wasm');
});

test('every predicate gives the native bits', () => {
  let hits = 0,
    pairs = 0;
  for (const [i, { name, relation, a: kindA, b: kindB }] of abut.table().entries()) {
    const random = randomNumbers(i + 1),
      open = i % 2 === 1;
    const a = makeSide(kindA, random, N, i % 3 ? 'ties' : 'any'),
      b = makeSide(kindB, random, N, i % 3 ? 'ties' : 'any');
    const native = nativeAnswers(program, { relation, a, b, open });
    const mask = abut.predicates[name](a.owner, b.owner, { open });
    assert.deepEqual(mask.words, native.zip, name);
    assert.deepEqual(mask.words, native.exact, `${name}, by exact arithmetic`);
    const all = abut.predicates[`${name}All`](a.owner, b.owner, { open });
    assert.deepEqual(
      all.flatMap((row) => [...row.words]),
      [...native.all],
      `${name}All`,
    );
    hits += all.reduce((sum, row) => sum + row.count(), 0);
    pairs += N * N;
    a.owner.free();
    b.owner.free();
  }
  assert.ok(abut.table().length > 60 && hits > pairs / 50 && hits < pairs / 2, `${hits} of ${pairs}`);
});

test('every join finds the native pairs', () => {
  let found = 0,
    joins = 0;
  for (const [i, entry] of abut.table().entries()) {
    if (entry.relation === 'inside' && entry.a !== 'points' && entry.b !== 'hulls') continue;
    const random = randomNumbers(1000 + i),
      open = i % 2 === 0;
    const a = makeSide(entry.a, random, N, 'ties'),
      b = makeSide(entry.b, random, N, 'ties');
    const native = nativeAnswers(program, { relation: entry.relation, a, b, open });
    const hulls = entry.b === 'hulls';
    // A row of the native answers is an item of a, or a hull, which is then the query.
    const pairs = pairsOf(native.all, N, N);
    const options = { sort: true, open, relation: entry.relation };
    if (entry.search) {
      const index = new abut.Index(b.owner, { skipInvalid: true });
      assert.deepEqual([...index.query(a.owner, options)], pairs.flat(), entry.name);
      index.free();
      joins++;
    }
    if (entry.searchSwapped) {
      const index = new abut.Index(a.owner, { skipInvalid: true });
      const wanted = hulls ? pairs : sortedBySecond(pairs);
      assert.deepEqual([...index.query(b.owner, options)], wanted.flat(), `${entry.name}, swapped`);
      index.free();
      joins++;
    }
    if (entry.self) {
      const index = new abut.Index(a.owner, { skipInvalid: true });
      const itself = nativeAnswers(program, { relation: entry.relation, a, b: a, open });
      const once = pairsOf(itself.all, N, N).filter(([x, y]) => x < y);
      assert.deepEqual([...index.selfPairs({ sort: true, open })], once.flat(), `${entry.name}, self`);
      index.free();
      joins++;
    }
    found += pairs.length;
    a.owner.free();
    b.owner.free();
  }
  assert.ok(joins > 50 && found > 1000, `${joins} joins, ${found} pairs`);
});

test('0.1 + 0.2 against 0.3 is as the floats are', () => {
  const [a, b, c] = [0.1, 0.2, 0.3].map(Math.fround);
  const touches = (x, r) => abut.predicates.spheresTouchSpheres([0, 0, 0, a], [x, 0, 0, r]).get(0);
  assert.equal(touches(c, b), a + b >= c); // float64 adds two floats exactly
  assert.equal(touches(0.5, 0.25), false);
  assert.equal(abut.predicates.spheresTouchSpheres([0, 0, 0, 0.25], [0.75, 0, 0, 0.5]).get(0), true);
  assert.equal(abut.predicates.spheresTouchSpheres([0, 0, 0, 0.25], [0.75, 0, 0, 0.5], { open: true }).get(0), false);
});

test('columns, rows and members', () => {
  const batch = new abut.Batch('spheres', 3);
  batch.column('r').set([1, 2, 3]);
  batch.set(1, [4, 5, 6, 7]);
  assert.deepEqual(batch.get(1), [4, 5, 6, 7]);
  assert.deepEqual([...batch.column(3)], [1, 7, 3]);
  batch.setRows([9, 1, 2, 3, 4, 9, 5, 6, 7, 8, 9, 2, 2, 2, 2], { stride: 5, offset: 1 });
  assert.deepEqual(
    [0, 1, 2].map((i) => batch.get(i)),
    [
      [1, 2, 3, 4],
      [5, 6, 7, 8],
      [2, 2, 2, 2],
    ],
  );
  batch.free();
});

test('planes, frusta and classes', () => {
  const box = new abut.Hulls([abut.boxPlanes([-1, -1, -1], [1, 1, 1])]);
  const spheres = new abut.Batch('spheres', [0, 0, 0, 0.5, 1, 0, 0, 0.5, 3, 0, 0, 0.5, 2, 0, 0, 1]);
  assert.deepEqual(
    [...abut.classify(spheres, box)].map((c) => abut.CLASSES[c]),
    ['inside', 'crossing', 'outside', 'crossing'],
  );
  assert.deepEqual([...abut.predicates.spheresTouchHulls(spheres, box).indices()], [0, 1, 3]);
  assert.deepEqual(abut.planeOf([0, 0, 5], [1, 0, 5], [0, 1, 5]), [0, 0, 1, -5]);
  const projection = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -3, -1, 0, 0, -4, 0]; // near 1, far 2
  assert.equal(abut.frustum(projection).length, 6);
  const seen = new abut.Hulls([abut.frustum(projection)]);
  assert.deepEqual(
    [-0.5, -1.5, -2.5].map((z) => abut.predicates.pointsInsideHulls([0, 0, z], seen).get(0)),
    [false, true, false],
  );
  for (const owner of [box, spheres, seen]) owner.free();
});

test('nearest, refit and memory', () => {
  const batch = new abut.Batch('spheres', [0, 0, 0, 1, 5, 0, 0, 1, 9, 0, 0, 1]);
  const index = new abut.Index(batch);
  const { indices, d2 } = index.nearest([6.5, 0, 0], 4);
  assert.deepEqual([...indices], [1, 2, 0, abut.NO_ITEM]);
  assert.deepEqual([...d2], [0.25, 2.25, 30.25, Infinity]);
  assert.equal(index.selfPairs().length, 0);
  batch.set(2, [6, 0, 0, 1]);
  assert.ok(index.refit(batch) > 0);
  assert.deepEqual([...index.selfPairs()], [1, 2]);
  index.free();
  batch.free();
});

test('memory is used again', () => {
  const once = () => {
    const batch = new abut.Batch('spheres', 50000);
    batch.column('r').fill(0.25);
    batch.column('x').set(Float32Array.from({ length: 50000 }, (_, i) => i));
    const index = new abut.Index(batch);
    index.selfPairs();
    index.free();
    batch.free();
    abut.trim();
  };
  once();
  const before = abut.memoryBytes();
  for (let i = 0; i < 30; i++) once();
  assert.equal(abut.memoryBytes(), before);
  if (Symbol.dispose) assert.equal(typeof abut.Batch.prototype[Symbol.dispose], 'function');
});

test('errors say what was wrong', () => {
  const throws = (f, text) =>
    assert.throws(f, (error) => error instanceof abut.AbutError && error.message.includes(text), text);
  throws(() => new abut.Batch('balls', 3), 'there is no kind "balls"; there are points, spheres');
  throws(() => new abut.Batch('spheres', [1, 2, 3]), 'spheres take 4 numbers a row, and 3 is no multiple');
  throws(() => new abut.Batch('spheres', -1), 'cannot have -1 items');
  throws(() => new abut.Batch('spheres', 1e9), 'no memory');
  throws(() => new abut.Batch('spheres', 2).column('w'), 'have no field "w"; they have x, y, z, r');
  throws(() => new abut.Batch('spheres', 2).get(2), 'there is no item 2 of 2');
  throws(() => new abut.Batch('spheres', 2).setRows([1, 2, 3, 4]), 'too few');
  throws(
    () => abut.predicates.spheresTouchAabbs(new abut.Batch('points', 2), [0, 0, 0, 1, 1, 1]),
    'spheres are wanted here, not points',
  );
  throws(() => abut.test(new abut.Batch('spheres', 2), new abut.Batch('spheres', 3)), 'lengths');
  throws(() => abut.test(new abut.Batch('planes', 2), new abut.Batch('planes', 2)), 'no such predicate');
  throws(
    () => abut.test(new abut.Batch('spheres', 2), new abut.Batch('spheres', 2), { relation: 'near' }),
    'not "near"',
  );
  throws(() => new abut.Index(new abut.Batch('spheres', [0, 0, 0, 1, 0, 0, 0, -1])), 'spheres 1: r is negative');
  throws(() => new abut.Batch('aabbs', [0, 0, NaN, 1, 1, 1]).check(), 'aabbs 0: minz');
  throws(() => new abut.Hulls([[[1, 0, 0]]]), '[nx, ny, nz, d]');
  throws(() => abut.predicates.spheresTouchHulls([0, 0, 0, 1], [[]]), '');
  throws(() => abut.frustum([1, 2, 3]), 'a matrix has 16 numbers, not 3');
  throws(() => abut.frustum(new Array(16).fill(0)), 'makes no view frustum');
  throws(() => abut.planeOf([0, 0, 0], [1, 0, 0], [2, 0, 0]), 'no plane');
  throws(() => new abut.Index(new abut.Batch('points', 1)).nearest([0, 0, 0], 0), 'above 0');
  throws(() => abut.useIsa('mmx'), '');
  const freed = new abut.Batch('spheres', 1);
  freed.free();
  freed.free();
  throws(() => freed.column('x'), 'this Batch has been freed');
});
