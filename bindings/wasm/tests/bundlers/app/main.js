// SPDX-License-Identifier: MIT
// What users of a bundler write: the module of the package, and one question.
import { Batch, Index, isa, load } from 'abut';

load(globalThis.wanted).then(() => {
  const boxes = new Batch('aabbs', [0, 0, 0, 1, 1, 1, 1, 0, 0, 2, 1, 1]);
  globalThis.answer(`${isa()}: ${new Index(boxes).selfPairs()}`);
}, globalThis.answer);
