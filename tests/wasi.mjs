// SPDX-License-Identifier: MIT
// node tests/wasi.mjs PROGRAM ARGUMENT...: runs a WASI program with this environment, and ends with its status.
import { readFile } from 'node:fs/promises';
import process from 'node:process';

process.removeAllListeners('warning'); // Node warns that its WASI may change
const { WASI } = await import('node:wasi');
const [program, ...args] = process.argv.slice(2);
const wasi = new WASI({
  version: 'preview1',
  args: [program, ...args],
  env: process.env,
  preopens: { '/': '/', '.': '.' },
  returnOnExit: true,
});
const module = await WebAssembly.compile(await readFile(program));
// Node 18 has no getImportObject.
const imports = { wasi_snapshot_preview1: wasi.wasiImport };
process.exitCode = wasi.start(await WebAssembly.instantiate(module, imports));
