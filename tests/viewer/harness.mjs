// SPDX-License-Identifier: MIT
// What the tests of pages share: the program under test, a browser, checks that name themselves, exit code 77 where the
// browser or its driver is missing.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

export const [program, madeUp, folder, modules] = process.argv.slice(2);
export const require = createRequire(join(modules, 'package.json'));
const browsers = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'];

export function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

let failures = 0;
export function check(what, good, ...details) {
  if (good) return;
  failures++;
  console.log(`FAILED: ${what}`, ...details);
}

export function near(what, got, want, tolerance) {
  check(`${what} is ${got}, want ${want}`, Math.abs(got - want) <= tolerance);
}

export function finish() {
  console.log(failures ? `${failures} failed` : 'all passed');
  process.exit(failures ? 1 : 0);
}

export function run(...args) {
  return execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

export function tryRun(...args) {
  const r = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
  return { code: r.status, text: r.stderr };
}

export function makeUp(kind, file) { execFileSync(madeUp, [kind, join(folder, file)]); }

export async function openBrowser() {
  const path = browsers.find((b) => existsSync(b));
  if (!path) skip('there is no chromium');
  let driver;
  try { driver = require('playwright-core'); } catch { skip('playwright-core is not installed'); }
  return driver.chromium.launch({ executablePath: path, args: ['--use-angle=gl-egl', '--ignore-gpu-blocklist'] });
}

// Open a page; errors of the console and requests other than for the file itself are failures.
export async function openPage(browser, url, { width = 1100, height = 700, colorScheme = 'light' } = {}) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  page.on('console', (m) => check(`${url}: console: ${m.text()}`, m.type() !== 'error'));
  page.on('pageerror', (e) => check(`${url}: ${e.stack}`, false));
  page.on('request', (r) => check(`${url}: request for ${r.url().slice(0, 100)}`,
    r.url() === url || /^(data|blob):/.test(r.url())));
  await page.goto(url);
  await page.waitForFunction(() => document.documentElement.dataset.ready, null, { timeout: 60000 });
  return page;
}

// The part of the picture that what the model draws covers, without ground and sky: pixels that change when it is taken away.
export const share = (page) => page.evaluate(() => {
  const { scene } = viewer, { canvas } = scene.renderer.getContext(), copy = document.createElement('canvas');
  [copy.width, copy.height] = [320, 200];
  const pen = copy.getContext('2d', { willReadFrequently: true });
  const pixels = (seen) => {
    scene.root.visible = seen;
    scene.render();
    pen.drawImage(canvas, 0, 0, 320, 200);
    return pen.getImageData(0, 0, 320, 200).data;
  };
  const shadows = scene.show.shadows;
  scene.setShow('shadows', false);
  const without = pixels(false), drawn = pixels(true);
  scene.setShow('shadows', shadows);
  let count = 0;
  for (let i = 0; i < drawn.length; i += 4) count += Math.abs(drawn[i] - without[i]) + Math.abs(drawn[i + 1] - without[i + 1]) + Math.abs(drawn[i + 2] - without[i + 2]) > 24;
  return count / (320 * 200);
});

export const fileUrl = (name) => `file://${join(folder, name)}`;

export async function shot(page, name) { await page.screenshot({ path: join(folder, `${name}.png`) }); }

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
