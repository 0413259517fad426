// SPDX-License-Identifier: MIT
// Bundles an application with one bundler, without settings for abut, and runs what comes out.
// usage: node bundle.mjs esbuild|vite-5|vite-6|vite-7 APPLICATION
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const [bundler, root] = process.argv.slice(2);
const open = fileURLToPath(new URL('open.mjs', import.meta.url));

/** The application runs in a process of its own: a module is loaded once. */
async function answers(what, address, ...wanted) {
  const { stdout } = await promisify(execFile)(process.execPath, [open, address, ...wanted], { timeout: 60000 });
  assert.equal(stdout, `${wanted.length ? wanted[0] : 'wasm'}: 0,1\n`, `${bundler}, ${what}`);
}

async function withVite() {
  const { build, createServer, preview } = await import(bundler);
  const settings = { root, configFile: false, logLevel: 'warn' };
  const server = await createServer({ ...settings, server: { host: '127.0.0.1' } });
  await server.listen();
  await answers('the development server', `${server.resolvedUrls.local[0]}main.js`);
  await server.close();
  // The polyfill wants a document.
  const { output } = await build({ ...settings, build: { modulePreload: { polyfill: false } } });
  const { fileName } = output.find((file) => file.isEntry);
  const built = await preview({ ...settings, preview: { host: '127.0.0.1' } });
  await answers('a build', built.resolvedUrls.local[0] + fileName);
  await answers('a build, without SIMD', built.resolvedUrls.local[0] + fileName, 'scalar');
  await new Promise((closed) => built.httpServer.close(closed));
}

async function withEsbuild() {
  const { build } = await import(bundler);
  for (const format of ['esm', 'iife']) {
    const outfile = path.join(root, 'dist', `${format}.js`);
    await build({ absWorkingDir: root, entryPoints: ['main.js'], bundle: true, minify: true, outfile, format });
    await answers(format, pathToFileURL(outfile).href);
  }
}

await (bundler === 'esbuild' ? withEsbuild() : withVite());
