// SPDX-License-Identifier: MIT
// node make-types.mjs PACKAGE: writes predicates.d.ts, the types of all predicates of the module's table.
import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

const folder = pathToFileURL(`${process.argv[2]}/`);
const abut = await import(new URL('abut.js', folder));
await abut.load(await readFile(new URL('abut-scalar.wasm', folder)));

const type = (kind) => (kind === 'hulls' ? 'HullsOrPlanes' : `BatchOrRows`);
const lines = abut
  .table()
  .map(
    ({ name, a, b, relation }) =>
      `  /** ${a} and ${b}: ${relation}. */\n` +
      `  ${name}(a: ${type(a)}, b: ${type(b)}, options?: Touch): Mask;\n` +
      `  ${name}All(a: ${type(a)}, b: ${type(b)}, options?: Touch): Mask[];\n`,
  );
await writeFile(
  new URL('predicates.d.ts', folder),
  `// Made by make-types.mjs from the table of the library.
import type { Batch, Hulls, Mask, Plane, Rows, Touch } from './abut.js';
type BatchOrRows = Batch | Rows;
type HullsOrPlanes = Hulls | readonly (readonly Plane[])[];
export interface Predicates {
${lines.join('')}}
`,
);
