// SPDX-License-Identifier: MIT
// abut in WebAssembly: which bounding volumes touch which, exactly, and many pairs at once.
// abut.d.ts beside this file is the manual.
import packed from './abut-simd.js';

const TOUCHES = 0,
  INSIDE = 1,
  CULL = 2;
const RELATIONS = { touches: TOUCHES, inside: INSIDE, cull: CULL };
const STATUS_INVALID = 8,
  STATUS_LENGTHS = 2;
const NO_ITEM = 0xffffffff;

/** What a call of the library refuses: its text says what was wrong and, of invalid shapes, in which row and field. */
export class AbutError extends Error {
  constructor(text, details) {
    super(`abut: ${text}`);
    this.name = 'AbutError';
    Object.assign(this, details);
  }
}

// ---- The module

let wasm; // its exports
let shapes; // name -> { kind, fields }
const predicateTable = [];

/** All predicates by name, filled by load: predicates.spheresTouchAabbs(a, b, options). */
export const predicates = {};

// A function that splats an integer over a vector: engines without SIMD find it invalid.
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** Whether this engine has WebAssembly's SIMD. */
export const simd = WebAssembly.validate(SIMD_PROBE);

/**
 * The bytes of the module with SIMD. They stand in JavaScript, compressed and in base64, since bundlers and their servers
 * put JavaScript where it is found, and files beside it often not.
 */
async function unpacked() {
  const letters = atob(packed),
    bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i); // Uint8Array.from takes 10 times as long
  const { writable, readable } = new DecompressionStream('gzip');
  const writer = writable.getWriter();
  // What fails here fails the reader, too, which reports it.
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  return new Response(readable).arrayBuffer();
}

// Bundlers that look for these two expressions copy the files.
const ownFile = (withSimd) =>
  withSimd ? new URL('./abut-simd.wasm', import.meta.url) : new URL('./abut-scalar.wasm', import.meta.url);

/** A module of this package. Engines without SIMD are few and old, so that theirs stays a file. */
function ownModule(withSimd) {
  return withSimd && typeof DecompressionStream !== 'undefined' ? unpacked() : fetched(ownFile(withSimd));
}

async function fetched(address) {
  try {
    return await fetch(address);
  } catch (cause) {
    // Node fetches no file: addresses.
    throw new AbutError(`${address} cannot be fetched (${cause.message}); load takes bytes, too`, { cause });
  }
}

async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  const response = typeof Response !== 'undefined' && source instanceof Response ? source : await fetched(source);
  const from = response.url || 'the response';
  if (!response.ok) throw new AbutError(`${from} cannot be loaded: ${response.status} ${response.statusText}`);
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/html')) // what servers of pages answer for any address
    throw new AbutError(`${from} is a page and no module: the server has no file there`);
  return type.startsWith('application/wasm')
    ? WebAssembly.compileStreaming(response) // needs the right type
    : WebAssembly.compile(await response.arrayBuffer());
}

let loading;

/** Loads the module once; later calls wait for the same one. */
export function load(source) {
  loading ??= start(source).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function start(source) {
  const own = source === undefined || source === 'simd' || source === 'scalar';
  const module = await compile(own ? await ownModule(source === undefined ? simd : source === 'simd') : source);
  wasm = (await WebAssembly.instantiate(module, {})).exports;
  wasm._initialize();
  const names = textAt(wasm.shapes()).split(',').filter(Boolean);
  shapes = new Map(
    names.map((line, kind) => {
      const [name, ...fields] = line.split(' ');
      return [name, { kind, fields }];
    }),
  );
  readPredicates([...shapes.keys()]);
}

// "abut_spheres_touch_aabbs" is spheresTouchAabbs.
const camel = (name) => name.replace(/^abut_/, '').replace(/_(.)/g, (_, letter) => letter.toUpperCase());

function readPredicates(kinds) {
  const memory = new DataView(wasm.memory.buffer);
  const first = wasm.predicates();
  for (let i = 0; i < wasm.predicate_count(); i++) {
    const at = first + 24 * i;
    const word = (k) => memory.getUint32(at + 4 * k, true);
    const entry = Object.freeze({
      name: camel(textAt(word(4))),
      relation: Object.keys(RELATIONS)[word(1)],
      a: kinds[word(2)],
      b: kinds[word(3)],
      search: Boolean(memory.getUint8(at + 20)),
      searchSwapped: Boolean(memory.getUint8(at + 21)),
      self: Boolean(memory.getUint8(at + 22)),
    });
    predicateTable.push(entry);
    const { relation, a: kindA, b: kindB } = entry;
    predicates[entry.name] = (a, b, options) =>
      using(kindA, a, (x) => using(kindB, b, (y) => test(x, y, { relation, ...options })));
    predicates[`${entry.name}All`] = (a, b, options) =>
      using(kindA, a, (x) => using(kindB, b, (y) => testAll(x, y, { relation, ...options })));
  }
  Object.freeze(predicates);
  Object.freeze(predicateTable);
}

const loaded = () => {
  if (!wasm) throw new AbutError('call load first, and wait for it');
  return wasm;
};

const decoder = new TextDecoder();
function textAt(at) {
  const bytes = new Uint8Array(wasm.memory.buffer, at);
  return decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
}

function allocate(size) {
  const at = size < 2 ** 32 ? loaded().allocate(size) >>> 0 : 0;
  if (!at) throw new AbutError(`no memory for ${size} bytes`);
  return at;
}

/** Calls f with the address of size bytes, which are freed afterwards. */
function withBytes(size, f) {
  const at = allocate(size);
  try {
    return f(at);
  } finally {
    wasm.release(at);
  }
}

// Views of the memory as it is now: growing replaces its buffer.
const floats = (at, n) => new Float32Array(wasm.memory.buffer, at, n);
const words = (at, n) => new Uint32Array(wasm.memory.buffer, at, n);

function must(status, kind) {
  if (!status) return;
  if (status === STATUS_INVALID) {
    const row = wasm.invalid_row(),
      field = textAt(wasm.invalid_field());
    const text = `${kind} ${row}: ${field} ${textAt(wasm.invalid_what())}`;
    const others = wasm.invalid_count() - 1;
    throw new AbutError(others > 0 ? `${text}, and ${others} more are invalid` : text, { status, row, field });
  }
  throw new AbutError(textAt(wasm.status_text(status)), { status });
}

/** The version of the library. */
export const version = () => textAt(loaded().version());

/** The instruction set in use: "wasm" or "scalar". */
export const isa = () => textAt(loaded().isa());

/** Chooses the instruction set. Answers are the same. */
export function useIsa(name) {
  const bytes = new TextEncoder().encode(`${name}\0`);
  withBytes(bytes.length, (at) => {
    new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
    must(wasm.use_isa(at));
  });
}

/** Bytes of the module's memory, which never shrinks; freed parts are used again. */
export const memoryBytes = () => loaded().memory.buffer.byteLength;

/** Frees what joins keep for the next join. */
export const trim = () => loaded().trim();

/** All predicates of the library: name, relation, shapes, and what an index can be asked. */
export function table() {
  loaded();
  return predicateTable;
}

// ---- What lives in the module's memory

const lost = new FinalizationRegistry(({ release, at }) => wasm[release](at));

class Owner {
  #at = 0;
  #release;
  _own(at, release) {
    this.#at = at;
    this.#release = release;
    lost.register(this, { release, at }, this);
  }
  get _at() {
    if (!this.#at) throw new AbutError(`this ${this.constructor.name} has been freed`);
    return this.#at;
  }
  /** Frees the memory now. Twice is fine; any other use afterwards is an error. */
  free() {
    if (!this.#at) return;
    lost.unregister(this);
    wasm[this.#release](this.#at);
    this.#at = 0;
  }
}
if (Symbol.dispose) Owner.prototype[Symbol.dispose] = Owner.prototype.free;

function shapeOf(kind) {
  loaded();
  const shape = shapes.get(kind);
  if (!shape) throw new AbutError(`there is no kind "${kind}"; there are ${[...shapes.keys()].join(', ')}`);
  return shape;
}

const COLUMN_ALIGNMENT = 64; // a cache line; columns also start a line apart, so that they share no set of the cache

/** Shapes of one kind, in columns. */
export class Batch extends Owner {
  constructor(kind, countOrRows) {
    super();
    const { kind: number, fields } = shapeOf(kind);
    if (kind === 'hulls') throw new AbutError('new Hulls makes hulls');
    const rows = typeof countOrRows === 'number' ? undefined : countOrRows;
    const length = rows ? rows.length / fields.length : countOrRows;
    if (!Number.isInteger(length) || length < 0)
      throw new AbutError(
        rows
          ? `${kind} take ${fields.length} numbers a row, and ${rows.length} is no multiple`
          : `a batch cannot have ${countOrRows} items`,
      );
    Object.assign(this, { kind, length, fields: Object.freeze([...fields]), _kind: number });
    const step = Math.ceil((length * 4) / COLUMN_ALIGNMENT) * COLUMN_ALIGNMENT + COLUMN_ALIGNMENT;
    const at = allocate(2 * COLUMN_ALIGNMENT + step * fields.length);
    this._own(at, 'release');
    const first = Math.ceil((at + COLUMN_ALIGNMENT) / COLUMN_ALIGNMENT) * COLUMN_ALIGNMENT;
    words(at, 16).set([length, ...fields.map((_, j) => first + step * j)]);
    for (let j = 0; j < fields.length; j++) this.column(j).fill(0);
    if (rows) this.setRows(rows);
  }
  /** The column of a field, by name or number: a view that writes through. Ask again after any other call. */
  column(field) {
    const j = typeof field === 'string' ? this.fields.indexOf(field) : field;
    if (!(j >= 0 && j < this.fields.length))
      throw new AbutError(`${this.kind} have no field "${field}"; they have ${this.fields.join(', ')}`);
    return floats(words(this._at, 16)[1 + j], this.length);
  }
  #row(i) {
    if (!(Number.isInteger(i) && i >= 0 && i < this.length))
      throw new AbutError(`there is no item ${i} of ${this.length}`);
    return i;
  }
  /** The members of item i. */
  get(i) {
    this.#row(i);
    return this.fields.map((_, j) => this.column(j)[i]);
  }
  /** Changes item i. */
  set(i, members) {
    this.#row(i);
    if (members.length !== this.fields.length)
      throw new AbutError(`${this.kind} have ${this.fields.length} members, not ${members.length}`);
    this.fields.forEach((_, j) => {
      this.column(j)[i] = members[j];
    });
    return this;
  }
  /** All items, from rows of stride numbers each, the first of which begins at offset. */
  setRows(rows, { stride = this.fields.length, offset = 0 } = {}) {
    const count = this.fields.length;
    if (this.length && rows.length < offset + (this.length - 1) * stride + count)
      throw new AbutError(`${rows.length} numbers are too few for ${this.length} rows`);
    for (let j = 0; j < count; j++) {
      const column = this.column(j);
      for (let i = 0, k = offset + j; i < column.length; i++, k += stride) column[i] = rows[k];
    }
    return this;
  }
  /** Throws for the first invalid item: what predicates count as a miss. */
  check() {
    must(loaded().check(this._kind, this._at), this.kind);
    return this;
  }
}

const HULL_HEAD = 24;

/** Convex volumes by their planes, [nx, ny, nz, d] each, outside where n.p + d > 0. */
export class Hulls extends Owner {
  constructor(hulls) {
    super();
    const planes = hulls.flat();
    const wrong = planes.find((plane) => plane.length !== 4);
    if (wrong) throw new AbutError(`a plane is [nx, ny, nz, d], not ${wrong.length ?? 0} numbers`);
    const n = planes.length;
    Object.assign(this, { kind: 'hulls', length: hulls.length, _kind: shapeOf('hulls').kind });
    const offsets = HULL_HEAD + 4 * (hulls.length + 1);
    const at = allocate(offsets + 16 * n);
    this._own(at, 'release');
    words(at, 6).set([hulls.length, at + HULL_HEAD, ...[0, 1, 2, 3].map((k) => at + offsets + 4 * n * k)]);
    let end = 0;
    words(at + HULL_HEAD, hulls.length + 1).set([0, ...hulls.map((hull) => (end += hull.length))]);
    const members = floats(at + offsets, 4 * n);
    planes.forEach((plane, i) =>
      plane.forEach((x, k) => {
        members[k * n + i] = x;
      }),
    );
  }
  /** Throws for the first invalid hull. */
  check() {
    must(loaded().check(this._kind, this._at), this.kind);
    return this;
  }
}

function planesBy(numbers, call) {
  return withBytes(4 * numbers.length + 96, (at) => {
    floats(at, numbers.length).set(numbers);
    const planes = at + 4 * numbers.length,
      n = call(at, planes);
    return Array.from({ length: n }, (_, i) => Array.from(floats(planes + 16 * i, 4)));
  });
}

/** The planes of what a camera sees, from projection times view as WebGL, WebGPU and three.js store it. */
export function frustum(matrix, { depth = '-1..1', rowMajor = false } = {}) {
  if (matrix.length !== 16) throw new AbutError(`a matrix has 16 numbers, not ${matrix.length}`);
  if (depth !== '-1..1' && depth !== '0..1')
    throw new AbutError(`depth is "-1..1" (WebGL) or "0..1" (WebGPU), not "${depth}"`);
  const planes = planesBy(matrix, (at, to) => wasm.frustum(at, rowMajor ? 1 : 0, depth === '0..1' ? 1 : 0, to));
  if (!planes.length) throw new AbutError('this matrix makes no view frustum');
  return planes;
}

/** The planes of an axis-aligned box. */
export function boxPlanes(min, max) {
  const planes = planesBy([...min, ...max], (at, to) => wasm.hull_aabb(at, to));
  if (!planes.length) throw new AbutError('this box is empty, or all of space');
  return planes;
}

/** The plane through three points that turn counterclockwise when seen from outside. */
export function planeOf(a, b, c) {
  const [plane] = planesBy([...a, ...b, ...c], (at, to) => wasm.plane_points(at, to));
  if (!plane) throw new AbutError('three points on one line make no plane');
  return plane;
}

/** A call with a batch, or with rows that become one for this call. */
function using(kind, items, f) {
  if (items instanceof Owner) {
    if (items.kind !== kind) throw new AbutError(`${kind} are wanted here, not ${items.kind ?? 'an index'}`);
    return f(items);
  }
  const made = kind === 'hulls' ? new Hulls(items) : new Batch(kind, items);
  try {
    return f(made);
  } finally {
    made.free();
  }
}

// ---- Predicates

/** Answers, one bit a pair: pair i is bit i % 32 of word i / 32. */
export class Mask {
  constructor(bits, length) {
    this.words = bits;
    this.length = length;
  }
  /** Whether pair i is a hit. */
  get(i) {
    return Boolean((this.words[i >>> 5] >>> (i & 31)) & 1);
  }
  /** The number of hits. */
  count() {
    let n = 0;
    for (let bits of this.words) for (; bits; bits &= bits - 1) n++;
    return n;
  }
  /** The numbers of the hits, ascending. */
  indices() {
    const list = new Uint32Array(this.count());
    let n = 0;
    this.words.forEach((word, k) => {
      for (let bits = word; bits; bits &= bits - 1) list[n++] = 32 * k + 31 - Math.clz32(bits & -bits);
    });
    return list;
  }
}

function readOptions({ relation = 'touches', open = false } = {}) {
  if (!(relation in RELATIONS)) throw new AbutError(`relation is touches, inside or cull, not "${relation}"`);
  return [RELATIONS[relation], open ? 1 : 0];
}

const maskBytes = (n) => Math.ceil(n / 64) * 8;
const takeMask = (at, n) => new Mask(words(at, maskBytes(n) / 4).slice(), n);

/** Tests a against b item by item; a batch of one item is tested against all of the other. */
export function test(a, b, options) {
  const [relation, touch] = readOptions(options);
  if (a.length !== b.length && a.length !== 1 && b.length !== 1) must((loaded(), STATUS_LENGTHS));
  const n = a.length === 1 ? b.length : a.length;
  return withBytes(maskBytes(n), (hits) => {
    must(wasm.test(0, relation, a._kind, a._at, b._kind, b._at, touch, hits));
    return takeMask(hits, n);
  });
}

/** Tests every item of a against every item of b: one mask for each item of a, or for each hull. */
export function testAll(a, b, options) {
  const [relation, touch] = readOptions(options);
  const [rows, n] = b.kind === 'hulls' ? [b.length, a.length] : [a.length, b.length];
  return withBytes(rows * maskBytes(n), (hits) => {
    must(wasm.test(1, relation, a._kind, a._at, b._kind, b._at, touch, hits));
    return Array.from({ length: rows }, (_, i) => takeMask(hits + i * maskBytes(n), n));
  });
}

/** The names of the numbers that classify gives. */
export const CLASSES = Object.freeze(['none', 'outside', 'crossing', 'inside']);

/** The class of each pair, item by item, as a number: an index of CLASSES. */
export function classify(a, b) {
  if (a.length !== b.length && a.length !== 1 && b.length !== 1) must((loaded(), STATUS_LENGTHS));
  const n = a.length === 1 ? b.length : a.length;
  return withBytes(n, (at) => {
    must(wasm.classify(a._kind, a._at, b._kind, b._at, at));
    return new Uint8Array(wasm.memory.buffer, at, n).slice();
  });
}

// ---- Index

/** A broad phase over a copy of the items: it finds all pairs without comparing all with all. */
export class Index extends Owner {
  constructor(items, { skipInvalid = false } = {}) {
    super();
    Object.assign(this, { itemKind: items.kind, length: items.length });
    const at = withBytes(4, (to) => {
      must(wasm.index_new(items._kind, items._at, skipInvalid ? 1 : 0, to), items.kind);
      return words(to, 1)[0];
    });
    this._own(at, 'index_free');
  }
  #pairs(view) {
    const pairs = words(wasm.pairs(), 2 * wasm.pair_count());
    return view ? pairs : pairs.slice();
  }
  /** All pairs of a query and an item that touch: query, item, query, item, ... */
  query(queries, { sort = false, view = false, ...options } = {}) {
    const [relation, touch] = readOptions(options);
    must(wasm.join(this._at, queries._kind, queries._at, relation, touch, sort ? 1 : 0));
    return this.#pairs(view);
  }
  /** All pairs of two items that touch, each once, the lower number first. */
  selfPairs({ sort = false, view = false, open = false } = {}) {
    must(wasm.self_join(this._at, open ? 1 : 0, sort ? 1 : 0));
    return this.#pairs(view);
  }
  /** The k nearest items of each point, and the squares of their distances. */
  nearest(points, k = 1) {
    if (!(Number.isInteger(k) && k > 0)) throw new AbutError(`k is a whole number above 0, not ${k}`);
    return using('points', points, (batch) => {
      const n = batch.length * k;
      return withBytes(8 * n, (at) => {
        must(wasm.nearest(this._at, batch._at, k, at, at + 4 * n));
        return { indices: words(at, n).slice(), d2: floats(at + 4 * n, n).slice() };
      });
    });
  }
  /** Updates the index after all items have moved; the result says how much longer searches take by now. */
  refit(items, { skipInvalid = false } = {}) {
    return withBytes(8, (growth) => {
      must(wasm.index_refit(this._at, items._kind, items._at, skipInvalid ? 1 : 0, growth), items.kind);
      return new Float64Array(wasm.memory.buffer, growth, 1)[0];
    });
  }
  /** Bytes of the index. */
  get bytes() {
    return wasm.index_bytes(this._at);
  }
}

/** Stands in the indices of nearest where there is no item. */
export { NO_ITEM };
