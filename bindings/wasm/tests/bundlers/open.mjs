// SPDX-License-Identifier: MIT
// Runs a bundled application and prints its answer: node open.mjs ADDRESS [scalar]
import { register } from 'node:module';

register('./over_http.mjs', import.meta.url);
const [address, wanted] = process.argv.slice(2);
const answer = new Promise((resolve) => Object.assign(globalThis, { wanted, answer: resolve }));
await import(address);
console.log(String(await answer));
