// SPDX-License-Identifier: MIT
/// <reference lib="esnext.disposable" />
/**
 * abut: which bounding volumes touch which, exactly, and many pairs at once.
 *
 * Coordinates are float32. Every answer is a fact about real numbers, made of their exact values, and the same bits as
 * those of the C library on any machine. Invalid input (NaN, a negative radius, min above max) is a miss in predicates;
 * building an index of it throws. Objects with `free` own memory of the module: free them, or declare them with `using`
 * where your compiler has it. Those that are lost are freed when the engine collects garbage.
 */
import type { Predicates } from './predicates.js';

export type Kind = 'points' | 'spheres' | 'aabbs' | 'planes' | 'obbs' | 'segments' | 'capsules' | 'triangles';
export type Relation = 'touches' | 'inside' | 'cull';
export type Plane = readonly [nx: number, ny: number, nz: number, d: number] | readonly number[];
export type Rows = ArrayLike<number>;

/** `open`: touching alone is a miss. Closed, the default, it is a hit. */
export interface Touch {
  open?: boolean;
}

/**
 * `relation`: whether the first touches the second, is inside it, or is beyond no plane of it (`cull`). Of an index
 * hulls have all that their predicates have; other shapes have `touches`, and points and shapes around them `inside`.
 */
export interface Question extends Touch {
  relation?: Relation;
}

/** What a call refuses. The text says what was wrong; of invalid shapes `row` and `field` say where. */
export declare class AbutError extends Error {
  readonly status?: number;
  readonly row?: number;
  readonly field?: string;
}

/** Whether this engine has WebAssembly's SIMD. Without it the scalar module is loaded, 4 to 20 times slower. */
export declare const simd: boolean;

/**
 * Loads the module once. Call it first, and wait for it. By default it is the one of this package that suits the engine:
 * that with SIMD, which abut.js brings along, or else abut-scalar.wasm, which is fetched from beside abut.js. 'simd' and
 * 'scalar' name one of both; else give its address, a response, its bytes, or a compiled module. Node fetches no files:
 * give it the bytes.
 */
export declare function load(
  source?: 'simd' | 'scalar' | URL | string | Response | ArrayBuffer | ArrayBufferView | WebAssembly.Module,
): Promise<void>;

/** Memory in the module. */
declare abstract class Owner {
  /** Frees it now. Twice is fine; any other use afterwards throws. */
  free(): void;
  [Symbol.dispose](): void;
}

/**
 * Shapes of one kind, in columns. Members, in their order:
 * points x y z; spheres x y z r; aabbs minx miny minz maxx maxy maxz; planes nx ny nz d (outside where n.p + d > 0);
 * obbs cx cy cz hx hy hz ux uy uz vx vy vz wx wy wz (centre, half extents, axes); segments ax ay az bx by bz; capsules
 * ax ay az bx by bz r; triangles ax ay az bx by bz cx cy cz.
 */
export declare class Batch extends Owner {
  readonly kind: Kind;
  readonly length: number;
  readonly fields: readonly string[];
  /** So many shapes, all zeros; or those of rows, all members of one shape after the other. */
  constructor(kind: Kind, countOrRows: number | Rows);
  /**
   * The column of a field, by name or number. The view writes through. It is lost ("detached") when the module's memory
   * grows, which any other call may cause: ask for it again, which costs next to nothing.
   */
  column(field: string | number): Float32Array;
  get(i: number): number[];
  set(i: number, members: Rows): this;
  /** All shapes, from rows of `stride` numbers each, the first of which begins at `offset`. */
  setRows(rows: Rows, options?: { stride?: number; offset?: number }): this;
  /** Throws for the first invalid shape. */
  check(): this;
}

/** Convex volumes of 1 to 32 planes each: what is outside of no plane. */
export declare class Hulls extends Owner {
  readonly kind: 'hulls';
  readonly length: number;
  constructor(hulls: readonly (readonly Plane[])[]);
  check(): this;
}

/**
 * The planes of what a camera sees, from the projection matrix times the view matrix: 16 numbers, column after column,
 * as WebGL, WebGPU and three.js keep them (`new Matrix4().multiplyMatrices(camera.projectionMatrix,
 * camera.matrixWorldInverse).elements`). `depth` is '-1..1' for WebGL and '0..1' for WebGPU, reversed or not.
 */
export declare function frustum(matrix: Rows, options?: { depth?: '-1..1' | '0..1'; rowMajor?: boolean }): Plane[];

/** The planes of an axis-aligned box, exactly. */
export declare function boxPlanes(min: Rows, max: Rows): Plane[];

/** The plane through three points that turn counterclockwise when seen from outside. */
export declare function planeOf(a: Rows, b: Rows, c: Rows): Plane;

/** Answers, one bit a pair: pair i is bit i % 32 of word i / 32 (i >>> 5). */
export declare class Mask {
  readonly words: Uint32Array;
  readonly length: number;
  get(i: number): boolean;
  count(): number;
  indices(): Uint32Array;
}

/** Every predicate by name: `predicates.spheresTouchAabbs(spheres, boxes)`. Ending in All: every pair, a mask a row. */
export declare const predicates: Predicates;

/** Tests a against b item by item; one item is tested against all of the other batch. */
export declare function test(a: Batch | Hulls, b: Batch | Hulls, question?: Question): Mask;

/** Tests every item of a against every item of b: one mask for each item of a or, where b is hulls, for each hull. */
export declare function testAll(a: Batch | Hulls, b: Batch | Hulls, question?: Question): Mask[];

export declare const CLASSES: readonly ['none', 'outside', 'crossing', 'inside'];

/** Where items of a are to those of b, item by item: numbers that CLASSES names. What does not touch is outside. */
export declare function classify(a: Batch, b: Batch | Hulls): Uint8Array;

/** `sort`: by the first number, then the second. `view`: no copy, and lost at the next call. */
export interface PairOptions {
  sort?: boolean;
  view?: boolean;
}

/** A broad phase over a copy of the items: finds all pairs without comparing all with all. */
export declare class Index extends Owner {
  readonly itemKind: Kind;
  readonly length: number;
  readonly bytes: number;
  /** `skipInvalid`: invalid items keep their numbers and touch nothing; else they throw. */
  constructor(items: Batch, options?: { skipInvalid?: boolean });
  /** All pairs of a query and an item that touch: query, item, query, item, ... */
  query(queries: Batch | Hulls, options?: Question & PairOptions): Uint32Array;
  /** All pairs of two items that touch, each once, the lower number first: a, b, a, b, ... */
  selfPairs(options?: Touch & PairOptions): Uint32Array;
  /** The k nearest items of each point, nearest first, and the squares of their distances. NO_ITEM: there are no more. */
  nearest(points: Batch | Rows, k?: number): { indices: Uint32Array; d2: Float32Array };
  /** After all items have moved. The result is how much longer searches take: from 1.5 on build a new index. */
  refit(items: Batch, options?: { skipInvalid?: boolean }): number;
}
export declare const NO_ITEM: 4294967295;

export interface TableEntry {
  readonly name: string;
  readonly relation: Relation;
  readonly a: Kind | 'hulls';
  readonly b: Kind | 'hulls';
  /** An index of b can be searched for a; an index of a for b; an index for pairs of its own items. */
  readonly search: boolean;
  readonly searchSwapped: boolean;
  readonly self: boolean;
}

/** All predicates of the library. */
export declare function table(): readonly TableEntry[];
export declare function version(): string;
export declare function isa(): 'wasm' | 'scalar';
/** Chooses the instruction set. Answers are the same. */
export declare function useIsa(name: 'wasm' | 'scalar'): void;
/** Bytes of the module's memory. It never shrinks; freed parts are used again. */
export declare function memoryBytes(): number;
/** Frees what joins keep for the next join. */
export declare function trim(): void;
