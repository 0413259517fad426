// SPDX-License-Identifier: MIT
// The page in Chromium: drags, keys and numbers, which must be those of the native library; every page opens.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import test from 'node:test';
import { chromium } from 'playwright-core';
import { CLOUD, Movers, cloud, levelBalls } from './demo/scenes.js';
import { nativeAnswers } from './native.mjs';
import { serve } from './serve.mjs';

const { ABUT_SITE: site, ABUT_ANSWERS: program, ABUT_PICTURES: pictures } = process.env;
const HULL_PLANES = 6,
  SPHERES = 1,
  AABBS = 2,
  HULLS = 8;
const server = await serve(site);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const problems = [];
test.after(async () => {
  await browser.close();
  server.close();
});

async function open(options = {}, address = '') {
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, ...options });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
  });
  await page.goto(server.url + address);
  await page.waitForSelector('body[data-ready=yes]', { timeout: 60000 });
  return page;
}

const state = (page, name) => page.evaluate((which) => window.demo[which](), name);
const bit = (words, i) => Boolean((words[i >>> 5] >>> (i & 31)) & 1);
const count = (words) => words.reduce((sum, word) => sum + word.toString(2).replaceAll('0', '').length, 0);
const spheresOf = (columns) => ({
  kind: 'spheres',
  number: SPHERES,
  fields: 4,
  items: Array.from(columns[0], (_, i) => columns.map((column) => column[i])),
});
// answers.c takes hulls of six planes: one plane twice is the same hull.
const hullsOf = (hulls) => ({
  kind: 'hulls',
  number: HULLS,
  fields: 4,
  items: hulls.map((planes) => [...planes, ...planes].slice(0, HULL_PLANES)),
});

/** Fails unless the page says of its ball what the native library says. */
async function agrees(page) {
  const { centre, radius, planes, answers } = await state(page, 'touchState');
  const a = spheresOf([...centre, radius].map((x) => [x])),
    b = hullsOf([planes]);
  assert.ok(planes.length <= HULL_PLANES);
  const native = (relation) => bit(nativeAnswers(program, { relation, a, b }).exact, 0);
  assert.equal(answers.exact, native('touches'));
  assert.equal(answers.planes, native('cull'));
  assert.equal(await page.textContent('#answer-exact'), answers.exact ? 'touches' : 'does not touch');
  return answers;
}

test('the ball: dragged, moved by keys, about every volume', { timeout: 240000 }, async () => {
  const page = await open();
  assert.match(await page.textContent('#status'), /instruction set wasm/);
  assert.equal(await page.isVisible('#no-simd'), false);
  const first = await agrees(page);
  assert.deepEqual([first.exact, first.planes], [false, true]); // a false hit is in sight from the start
  if (pictures) await page.screenshot({ path: `${pictures}/light.png`, fullPage: true });

  const [x, y] = (await state(page, 'touchState')).ball;
  await page.mouse.move(x, y);
  await page.mouse.down();
  const seen = new Set();
  for (let i = 1; i <= 6; i++) {
    await page.mouse.move(x - 25 * i, y + 15 * i);
    seen.add((await agrees(page)).exact);
  }
  await page.mouse.up();
  assert.ok(seen.has(true), 'the ball has come to touch');
  const [nowX] = (await state(page, 'touchState')).ball;
  assert.ok(Math.abs(nowX - (x - 150)) < 1, `the ball follows the pointer: ${x} - 150 is not ${nowX}`);

  await page.focus('#view');
  const before = await state(page, 'touchState');
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowUp', 'PageDown']) await page.keyboard.press(key);
  const after = await state(page, 'touchState');
  for (const [k, moved] of [0.2, 0.1, 0.1].entries())
    assert.ok(Math.abs(after.centre[k] - before.centre[k] - moved) < 1e-5);
  for (const volume of ['turned', 'brush', 'frustum']) {
    await page.check(`[value=${volume}]`);
    await agrees(page);
    await page.fill('#radius', '1.5');
    await agrees(page);
    const { slice } = await state(page, 'touchState');
    assert.ok(
      slice.exact > 100 && slice.exact < slice.planes && slice.planes < slice.any && slice.exact < slice.faces,
      JSON.stringify(slice),
    );
    if (pictures) await page.screenshot({ path: `${pictures}/${volume}.png` });
  }
  await page.close();
});

test('culling: frames go on, and counts are native', { timeout: 240000 }, async () => {
  const page = await open();
  await page.locator('#cull').scrollIntoViewIfNeeded();
  await page.waitForFunction(() => window.demo.cullState().frame >= 5, null, { timeout: 120000 });
  await page.click('#cull-play');
  assert.equal(await page.textContent('#cull-play'), 'Play');
  const { frame, planes, hits, kept } = await state(page, 'cullState');
  const a = spheresOf(cloud()),
    b = hullsOf([planes]);
  assert.equal(a.items.length, CLOUD);
  assert.equal(planes.length, HULL_PLANES);
  assert.equal(hits, count(nativeAnswers(program, { relation: 'touches', a, b }).zip));
  assert.equal(kept, count(nativeAnswers(program, { relation: 'cull', a, b }).zip));
  assert.ok(kept >= hits && hits > 1000);
  assert.equal(await page.textContent('#cull-false'), (kept - hits).toLocaleString('en'));
  assert.match(await page.textContent('#cull-ms'), /^\d+\.\d\d ms$/);
  await page.focus('#cull');
  await page.keyboard.press(' '); // plays again
  await page.waitForFunction((then) => window.demo.cullState().frame > then, frame, { timeout: 60000 });
  await page.close();
});

test('the brushes of a level: counts are native', { timeout: 240000 }, async () => {
  const page = await open();
  await page.locator('#level').scrollIntoViewIfNeeded();
  await page.waitForFunction(() => window.demo.levelState().frame >= 3, null, { timeout: 120000 });
  await page.click('#level-play');
  const { frame, planes, hits, kept } = await state(page, 'levelState');
  assert.ok(planes.length > 100 && planes.every((brush) => brush.length <= HULL_PLANES));
  assert.equal(await page.textContent('#level-brushes'), planes.length.toLocaleString('en'));
  // answers.c wants as many hulls as spheres: those beyond the brushes are empty.
  const empty = Array(HULL_PLANES).fill([0, 0, 0, 1]);
  const a = spheresOf(levelBalls(frame)),
    b = hullsOf([...planes, ...Array(a.items.length - planes.length).fill(empty)]);
  const all = (relation) => count(nativeAnswers(program, { relation, a, b }).all);
  assert.equal(hits, all('touches'));
  assert.equal(kept, all('cull'));
  assert.ok(kept > hits && hits > 100, `${hits} ${kept}`);
  assert.equal(await page.textContent('#level-hits'), hits.toLocaleString('en'));
  assert.equal(await page.textContent('#level-false'), (kept - hits).toLocaleString('en'));
  if (pictures) await page.locator('#level').screenshot({ path: `${pictures}/level.png` });
  await page.close();
});

test('the broad phase: pairs are native', { timeout: 240000 }, async () => {
  const page = await open();
  await page.locator('#broad').scrollIntoViewIfNeeded();
  await page.waitForFunction(() => window.demo.broadState().frame >= 4, null, { timeout: 120000 });
  await page.click('#broad-play');
  const { frame, ballPairs, boxPairs, mixed } = await state(page, 'broadState');
  const movers = new Movers();
  while (movers.frame < frame) movers.step();
  const balls = spheresOf(movers.balls()),
    boxes = { ...spheresOf(movers.boxes()), kind: 'aabbs', number: AABBS, fields: 6 };
  const all = (a, b) => count(nativeAnswers(program, { relation: 'touches', a, b }).all);
  assert.equal(mixed, all(balls, boxes));
  assert.equal(ballPairs, (all(balls, balls) - balls.items.length) / 2);
  assert.equal(boxPairs, (all(boxes, boxes) - boxes.items.length) / 2);
  assert.equal(await page.textContent('#broad-pairs'), (ballPairs + boxPairs + mixed).toLocaleString('en'));
  await page.close();
});

test('the tie', { timeout: 120000 }, async () => {
  const page = await open();
  const native = ({ a, b, d }) =>
    bit(
      nativeAnswers(program, {
        relation: 'touches',
        a: spheresOf([[0], [0], [0], [a]]),
        b: spheresOf([[d], [0], [0], [b]]),
      }).exact,
      0,
    );
  for (const numbers of [
    ['0.1', '0.2', '0.3'],
    ['0.25', '0.5', '0.75'],
    ['0.7', '0.1', '0.8'],
    ['1', '1', '2.0000002'],
    ['3e38', '3e38', '3.4e38'],
    ['1e-45', '0', '1e-45'],
  ]) {
    for (const [i, id] of ['tie-a', 'tie-b', 'tie-d'].entries()) await page.fill(`#${id}`, numbers[i]);
    const now = await state(page, 'tieState');
    assert.equal(now.touches, native(now), numbers.join(' '));
    assert.equal(now.touches, now.rows.exact >= 0);
    assert.equal(await page.textContent('#tie-abut'), now.touches ? 'touches' : 'does not touch');
  }
  await page.fill('#tie-a', '0.1');
  assert.equal(await page.textContent('#tie-a-is'), '0.100000001490116119384765625');
  for (const refused of ['a lot', '-1', '1e40', '3.5e38', '1e99']) {
    await page.fill('#tie-a', refused);
    assert.match(await page.textContent('#tie-error'), /from 0 to 3.4e38/, refused);
  }
  await page.fill('#tie-a', '0.1');
  assert.equal(await page.textContent('#tie-error'), '');
  await page.close();
});

test('without SIMD the page says so, and answers the same', { timeout: 120000 }, async () => {
  const page = await open({}, '?scalar');
  assert.match(await page.textContent('#status'), /instruction set scalar/);
  assert.equal(await page.isVisible('#no-simd'), true);
  await agrees(page);
  await page.close();
});

test('dark, and on a phone', { timeout: 240000 }, async () => {
  const dark = await open({ colorScheme: 'dark' });
  const background = await dark.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(background, 'rgb(18, 23, 30)');
  if (pictures) await dark.screenshot({ path: `${pictures}/dark.png`, fullPage: true });
  await dark.close();
  const phone = await open({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  assert.ok(
    await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
    'nothing is wider than the phone',
  );
  const { centre } = await state(phone, 'touchState');
  await phone.tap('#slice-exact');
  assert.notDeepEqual((await state(phone, 'touchState')).centre, centre);
  await agrees(phone);
  if (pictures) await phone.screenshot({ path: `${pictures}/phone.png`, fullPage: true });
  await phone.close();
});

test('every other page opens, and fits a phone', { timeout: 120000 }, async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
  });
  for (const name of (await readdir(site)).filter((file) => file.endsWith('.html') && file !== 'index.html')) {
    await page.goto(server.url + name);
    assert.ok((await page.textContent('h1')).length > 3, name);
    assert.ok(
      await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      `${name} is wider than a phone`,
    );
  }
  await page.close();
});

test('nothing failed on the way', () => assert.deepEqual(problems, []));
