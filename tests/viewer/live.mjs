// SPDX-License-Identifier: MIT
// `rattleback live`: in a real browser, and against those who must not see it.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { check, finish, folder, near, openBrowser, program, run, shot } from './harness.mjs';

const browser = await openBrowser();

// Start it; the address is the first line that it says.
function live(...args) {
  const child = spawn(program, ['live', ...args, '--no-open'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const it = { child, said: '' };
  it.ended = new Promise((resolve) => child.on('exit', (code) => resolve(code)));
  it.address = new Promise((resolve, reject) => {
    child.stderr.on('data', (d) => { it.said += d; const m = it.said.match(/^http:\S+/); if (m) resolve(m[0]); });
    child.on('exit', () => reject(new Error(`live has ended: ${it.said}`)));
  });
  return it;
}

async function open(address) {
  const page = await browser.newPage({ viewport: { width: 1100, height: 700 } });
  page.on('console', (m) => check(`console: ${m.text()}`, m.type() !== 'error'));
  page.on('pageerror', (e) => check(e.stack, false));
  await page.goto(address);
  await page.waitForFunction(() => document.documentElement.dataset.ready, null, { timeout: 30000 });
  return page;
}

const time = (page) => page.evaluate(() => viewer.run.now);
const state = (page, wanted) => page.waitForFunction((s) => viewer.state === s, wanted, { timeout: 10000 });

// der(x) = -k x: exp(-k t) with the k of the time; what was set is in the result.
async function steering() {
  writeFileSync(join(folder, 'Decay.mo'), `model Decay parameter Real k = 1; input Real u(start = 0);
  Real x(start = 1, fixed = true); equation der(x) = -k*x + u; end Decay;`);
  const it = live('Decay.mo', '--stop-time', '1000', '--output-interval', '0.01', '--tolerance', '1e-9', '--output-file', 'decay.rbj');
  const page = await open(await it.address);
  await page.waitForFunction(() => viewer.run.now > 0.05);
  await page.locator('#play').click();
  await state(page, 'paused');
  await page.waitForTimeout(100);
  const paused = await time(page);
  await page.waitForTimeout(200);
  check(`a pause stops the run: ${paused}`, await time(page) === paused);
  await page.locator('input[type=number][aria-label=k]').fill('4');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => viewer.link.status.settings.some(([n, v]) => n === 'k' && v === 4));
  await page.locator('#play').click();
  await page.waitForFunction((t) => viewer.run.now > t + 0.1, paused);
  await page.locator('#play').click();
  await state(page, 'paused');
  await page.locator('#stop').click();
  check('it ends well', await it.ended === 0);
  await page.close();
  run('convert', 'decay.rbj', 'decay.csv');
  const lines = readFileSync(join(folder, 'decay.csv'), 'utf8').trim().split('\n');
  const names = lines[0].split(',').map((n) => n.replaceAll('"', '')), x = names.indexOf('x');
  const rows = lines.slice(1).map((l) => l.split(',').map(Number));
  const last = rows[rows.length - 1], after = rows.filter((r) => r[0] > paused);
  check(`rows after the change: ${after.length}`, after.length > 5 && last[0] > paused + 0.05);
  for (const r of rows) {
    near(`x(${r[0]})`, r[x], r[0] <= paused ? Math.exp(-r[0]) : Math.exp(-paused - 4 * (r[0] - paused)), 1e-7);
  }
}

// Parameters of the model come first and those of its parts after them; each has the form of its type and the range that is declared. A step
// goes to the next point of the output. x' = k or -k or 0, as the knobs say.
async function knobs() {
  writeFileSync(join(folder, 'Knobs.mo'), `model Knobs
    type Way = enumeration(up, down, still);
    model Part parameter Real deep = 1; end Part;
    Part part;
    parameter Real k(min = 0.5, max = 4, unit = "1/s") = 2 "Speed";
    parameter Boolean on = true "Switch";
    parameter Way way = Way.up;
    parameter Integer n(min = 1, max = 9) = 3;
    parameter Integer size = 2;
    input Real u(start = 0);
    Real y[size](each start = 0, each fixed = true), x(start = 0, fixed = true);
  equation
    der(x) = if not on or way == Way.still then 0 else if way == Way.up then k else -k;
    der(y) = fill(u, size);
  end Knobs;`);
  const it = live('Knobs.mo', '--stop-time', '1000', '--output-interval', '0.25', '--tolerance', '1e-9', '--output-file', 'knobs.rbj');
  const page = await open(await it.address), knob = (name) => page.locator(`#knobs [aria-label="${name}"]`);
  const names = await page.locator('#knobs li > span').allInnerTexts();
  check(`the order of the knobs: ${names}`, names[0] === 'u' && names.at(-1) === 'part.deep' && names.indexOf('k [1/s]') < names.indexOf('part.deep'));
  const slider = page.locator('#knobs [aria-label="k [1/s], slider"]');
  check('the slider goes from 0.5 to 4', await slider.getAttribute('min') === '0.5' && await slider.getAttribute('max') === '4');
  check('a Boolean is a switch', await knob('on').getAttribute('role') === 'switch' && await knob('on').isChecked());
  check('an enumeration is a list', (await knob('way').locator('option').allInnerTexts()).join() === 'up,down,still');
  check('an Integer has whole steps', await knob('n').getAttribute('step') === '1');
  check('what only grains and soft bodies have is not there', !(await page.locator('#show-speeds').isVisible().catch(() => false)));
  await page.locator('#play').click();
  await state(page, 'paused');
  check('the pause lets steps be made', await page.locator('#step').isEnabled());
  await page.waitForTimeout(100);
  await page.evaluate(() => viewer.send({ do: 'watch', names: ['x'] }));
  await page.waitForFunction(() => viewer.run.latest.size === 1);
  const x = () => page.evaluate(() => [...viewer.run.latest.values()][0]);
  const step = async () => {
    const from = await time(page), before = await x();
    await page.locator('#step').click();
    await page.waitForFunction((t) => viewer.run.now > t, from);
    near('a step is a point of the output', await time(page) - from, 0.25, 1e-9);
    return await x() - before;
  };
  near('upwards', await step(), 0.5, 1e-6);
  await knob('way').selectOption({ label: 'down' });
  await page.waitForFunction(() => viewer.link.status.settings.some(([n, v]) => n === 'way' && v === 2));
  near('downwards', await step(), -0.5, 1e-6);
  await knob('on').uncheck();
  await page.waitForFunction(() => viewer.link.status.settings.some(([n, v]) => n === 'on' && v === 0));
  near('switched off', await step(), 0, 1e-9);
  await shot(page, 'knobs');
  await page.locator('#stop').click();
  check(`it ends well: ${it.said}`, await it.ended === 0);
  await page.close();
}

// `view` of a model runs it first.
function viewing() {
  run('view', 'Decay.mo', '--override', 'k=2', '--stop-time', '1', '--no-open', '--output-file', 'seen.html');
  run('convert', 'seen.rbj', 'seen.csv');
  const lines = readFileSync(join(folder, 'seen.csv'), 'utf8').trim().split('\n'), names = lines[0].split(',').map((n) => n.replaceAll('"', ''));
  near('the model ran to its end', Number(lines.at(-1).split(',')[names.indexOf('x')]), Math.exp(-2), 1e-5);
  check('there is a page', /^<!doctype html>/i.test(readFileSync(join(folder, 'seen.html'), 'utf8')));
}

// The text of the model is changed in the page: a mistake is told with its line, and the run goes on; then it is mended.
async function editing() {
  writeFileSync(join(folder, 'Grow.mo'), 'model Grow\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = 2;\nend Grow;\n');
  const it = live('Grow.mo', '--stop-time', '1000', '--output-interval', '0.01');
  const page = await open(await it.address);
  const write = async (equation, keys) => {
    await page.locator('#text').fill(`model Grow "größer"\n  Real x(start = 1, fixed = true);\n// ${'long '.repeat(1000)}\nequation\n  ${equation}\nend Grow;\n`);
    if (keys) await page.keyboard.press('Control+Enter'); else await page.locator('#translate').click();
  };
  check('the text is there', (await page.locator('#text').inputValue()).includes('der(x) = 2'));
  await write('der(x) = 2*y;');
  await page.locator('#mistakes button').first().waitFor();
  const mistake = await page.locator('#mistakes').innerText();
  check(`the mistake has its line: ${mistake}`, mistake.includes('line 5') && mistake.includes("'y'"));
  await page.locator('#mistakes button').first().click();
  check('a click goes there', await page.evaluate(() => {
    const t = document.getElementById('text');
    return t.value.slice(t.selectionStart, t.selectionEnd);
  }) === 'y');
  check(`the line is that of the new text: ${it.said}`, (await page.evaluate(() => viewer.link.status.notes.join())).includes('der(x) = 2*y'));
  await shot(page, 'editing');
  await page.locator('#text').fill('');
  await page.locator('#translate').click();
  await page.waitForFunction(() => viewer.link.status.notes.join().includes('there is no class'));
  const before = await time(page);
  await page.waitForFunction((t) => viewer.run.now > t + 0.05, before);
  const late = await time(page);
  await write('der(x) = -3;', true);
  await page.waitForFunction((t) => viewer.run.now < t, late);
  await page.evaluate(() => { viewer.send({ do: 'watch', names: ['x'] }); });
  await page.waitForFunction(() => viewer.run.latest.size > 0);
  const [t, x] = await page.evaluate(() => [viewer.run.now, [...viewer.run.latest.values()][0]]);
  near('it runs with the new text', x, 1 - 3 * t, 1e-6);
  check('no mistake is left', await page.locator('#mistakes li').count() === 0);
  await page.locator('#stop').click();
  check(`it ends well: ${it.said}`, await it.ended === 0);
  await page.close();
}

// Pictures move, restart goes back, as fast as possible is faster; Ctrl-C ends it.
async function watching() {
  const it = live('newtons-cradle');
  const page = await open(await it.address);
  await page.waitForFunction(() => viewer.run.now > 0.1);
  // Five balls whose strings leave them at their places: x of neighbours differs by at least a diameter.
  const balls = await page.evaluate(() => viewer.scene.nodes.filter((n) => /^ball\d$/.test(n.name))
    .map((n) => ({ at: n.getWorldPosition(n.position.clone()).toArray(), size: n.userData.object.size[0] })));
  check(`five balls are there, not ${balls.length}`, balls.length === 5);
  for (let i = 1; i < balls.length; i++) {
    const apart = Math.hypot(...balls[i].at.map((x, k) => x - balls[i - 1].at[k]));
    check(`balls ${i} and ${i + 1} are ${apart} m apart`, apart > 0.99 * balls[i].size && apart < 10 * balls[i].size);
  }
  await page.locator('#play').click();
  await state(page, 'paused');
  await page.waitForTimeout(100);
  await shot(page, 'live');
  const before = await time(page);
  await page.locator('#restart').click();
  await page.waitForFunction((t) => viewer.run.now < t, before);
  await page.locator('#speed').selectOption('0');
  await page.locator('#play').click();
  await state(page, 'finished');
  await page.waitForFunction(() => viewer.run.now > 4.99, null, { timeout: 10000 }).catch(() => {}); // the last frame comes after the state
  near('it gets to its end', await time(page), 5, 1e-9);
  await page.close();
  it.child.kill('SIGINT');
  check('Ctrl-C ends it well', await it.ended === 0);
}

// Somebody pulls at a ball: it goes there, and its energy comes from outside.
async function pulling() {
  const it = live('newtons-cradle', '--stop-time', '1000', '--output-file', 'pulled.rbj');
  const page = await open(await it.address);
  await page.waitForFunction(() => viewer.run.now > 0.05);
  await page.locator('#play').click(); // so that the ball waits
  await state(page, 'paused');
  await page.waitForTimeout(200);
  const at = await page.evaluate(() => {
    const node = viewer.scene.nodes.find((n) => n.name === 'ball5'), canvas = document.getElementById('view').getBoundingClientRect();
    const p = node.getWorldPosition(node.position.clone()).project(viewer.scene.camera);
    return [canvas.x + (p.x + 1) / 2 * canvas.width, canvas.y + (1 - p.y) / 2 * canvas.height];
  });
  await page.keyboard.down('Shift');
  await page.mouse.move(...at);
  await page.mouse.down();
  await page.evaluate(() => viewer.play(true));
  await state(page, 'running');
  for (let i = 1; i <= 10; i++) { await page.mouse.move(at[0] + 8 * i, at[1] - 3 * i); await page.waitForTimeout(40); }
  check('a body is held', await page.evaluate(() => viewer.pull.held !== null));
  await page.waitForFunction(() => viewer.pull.line.visible);
  await page.evaluate(() => viewer.send({ do: 'watch', names: ['energy.input'] }));
  await page.waitForFunction(() => [...viewer.run.latest.values()].some((x) => Math.abs(x) > 1e-6));
  await shot(page, 'pulling');
  await page.mouse.up();
  await page.keyboard.up('Shift');
  check('it is let go', await page.evaluate(() => viewer.pull.held === null));
  // The same by keyboard, for the chosen body.
  await page.evaluate(() => viewer.choose(viewer.scene.nodes.find((n) => n.userData.object.moves).userData.object));
  await page.keyboard.down('Shift');
  await page.keyboard.down('ArrowRight');
  check('an arrow key pulls', await page.evaluate(() => viewer.pull.held?.node.name === viewer.chosen.name));
  await page.keyboard.up('ArrowRight');
  await page.keyboard.up('Shift');
  check('and lets go', await page.evaluate(() => viewer.pull.held === null));
  const before = await time(page);
  await page.waitForFunction((t) => viewer.run.now > t + 0.05, before);
  await page.locator('#stop').click();
  check(`it ends well: ${it.said}`, await it.ended === 0);
  await page.close();
}

// A scene of soft bodies while it runs: what is shown, what touches, how exactly; its text is changed and read again.
async function softScene() {
  const molecules = (low, fixed) => [0, 1, 2].flatMap((x) => [0, 1, 2].flatMap((y) => [0, 1, 2].map((z) => `  <molecule x="${0.02 * x}"`
    + ` y="${0.02 * y + low}" z="${0.02 * z}" material="${fixed ? 'ground' : 'box'}" radius="0.015" ${fixed ? 'fixed="true"' : 'vx="0.001"'}/>`))).join('\n');
  writeFileSync(join(folder, 'box.xml'), `<?xml version="1.0" encoding="utf-8"?>
<come>
<scene gX="0.0" gY="0.0" gZ="0.0">
<simulation fps="100" duration="2.0"/>
<patient>
 <materials>
  <material description="ground" density="970" youngs_modulus="500000"/>

  <material description="box" density="2500" youngs_modulus="5000"/>
 </materials>
 <molecule_organ description="ground">\n${molecules(0, true)}\n </molecule_organ>
 <molecule_organ description="box">\n${molecules(0.1, false)}\n </molecule_organ>
</patient></scene></come>
`);
  const it = live('box.xml', '--stop-time', '1000', '--speed', '0.1', '--output-file', 'box.rbj');
  const page = await open(await it.address);
  const shown = () => page.evaluate(() => viewer.scene.soft.list.map((b) => [b.crowd.object.visible, b.surface.visible, b.lines.visible]).join(' '));
  const after = async (condition, what) => page.waitForFunction(condition, null, { timeout: 20000 }).catch(() => check(what, false));
  await page.waitForFunction(() => viewer.run.now > 0.03);
  check(`spheres touch, so they are shown: ${await shown()}`, await shown() === 'true,false,false true,false,false');
  for (const kind of ['surfaces', 'connections', 'strain']) await page.locator(`#show-${kind}`).check();
  check(`all of them: ${await shown()}`, await shown() === 'true,true,true true,true,true');
  const moved = await page.evaluate(() => viewer.scene.soft.list[1].places[0]);
  await page.waitForFunction((y) => viewer.scene.soft.list[1].places[0] > y, moved);
  for (const kind of ['surfaces', 'connections', 'strain']) await page.locator(`#show-${kind}`).uncheck();
  // The detection is switched: surfaces touch from now on, and are shown.
  const before = await time(page);
  await page.evaluate(() => viewer.send({ do: 'set', name: 'detection', value: 1 }));
  await after(() => viewer.scene.soft.list[0]?.surface.visible && !viewer.scene.soft.list[0].crowd.object.visible, 'surfaces are shown when they touch');
  await page.waitForFunction((t) => viewer.run.now > t + 0.02, before);
  check('it went on from where it was', await time(page) > before);
  // The tolerance.
  await page.locator('#tolerance').fill('1e-6');
  await page.keyboard.press('Enter');
  await after(() => viewer.link.status.tolerance === 1e-6, 'the tolerance is taken');
  await page.locator('#tolerance').fill('5');
  await page.keyboard.press('Enter');
  await after(() => /tolerance is 5/.test(document.getElementById('notes').textContent), 'a tolerance that is none is refused');
  check('the one before stays', await page.evaluate(() => viewer.link.status.tolerance) === 1e-6);
  // The text: a mistake is told with its line, and the run goes on; then the scene is loaded again.
  const edit = (from, to) => page.evaluate(([a, b]) => { const t = document.getElementById('text'); t.value = t.value.replace(a, b); }, [from, to]);
  await edit('youngs_modulus="5000"', 'youngs_modulus="-5000"');
  await page.locator('#translate').click();
  await page.locator('#mistakes button').first().waitFor();
  const mistake = await page.locator('#mistakes').innerText();
  check(`the mistake has its line: ${mistake}`, mistake.includes('line 9') && mistake.includes("modulus"));
  const late = await time(page);
  await page.waitForFunction((t) => viewer.run.now > t + 0.02, late);
  await edit('youngs_modulus="-5000"', 'youngs_modulus="9000"');
  await page.locator('#translate').click();
  await page.waitForFunction((t) => viewer.run.now < t, late);
  await after(() => viewer.run.variables.find((v) => v.name === 'box.youngs_modulus')?.knob === 9000, 'the new scene is there');
  check('no mistake is left', await page.locator('#mistakes li').count() === 0);
  check('the tolerance stays', await page.evaluate(() => viewer.link.status.tolerance) === 1e-6);
  await shot(page, 'soft-live');
  await page.locator('#stop').click();
  check(`it ends well: ${it.said}`, await it.ended === 0);
  await page.close();
  run('convert', 'box.rbj', 'box.csv');
  check('the journal is of the new scene', readFileSync(join(folder, 'box.csv'), 'utf8').split('\n').length > 3);
}

// A material that is changed in the page, and the same model that changes it at that instant by itself: the same motion.
async function material() {
  const model = (more) => `model Gel
  inner Rattleback.World world(g = 9.81, n = {0, -1, 0});
  Rattleback.Parts.Solid ground(shape = Rattleback.Shapes.Box(0.2, 0.02, 0.2), r = {0, -0.01, 0}, fixed = true);
  Rattleback.Parts.SoftBody gel(shape = Rattleback.Shapes.Box(0.04, 0.04, 0.04), gridSize = 0.02, r_start = {0, 0.04, 0}, E = 5e4);
  ${more}
end Gel;
`;
  writeFileSync(join(folder, 'Gel.mo'), model(''));
  const options = ['--tolerance', '1e-8', '--output-interval', '0.002'];
  const it = live('Gel.mo', '--stop-time', '1000', ...options, '--speed', '0.2', '--output-file', 'gel.rbj');
  const page = await open(await it.address);
  await page.waitForFunction(() => viewer.run.now > 0.06);
  await page.locator('#play').click();
  await state(page, 'paused');
  await page.evaluate(() => viewer.send({ do: 'set', name: 'gel.E', value: 1e4 }));
  await page.waitForFunction(() => viewer.link.status.settings.some(([n, v]) => n === 'gel.E' && v === 1e4));
  const paused = await time(page);
  await page.locator('#play').click();
  await page.waitForFunction((t) => viewer.run.now > t + 0.1, paused);
  await page.locator('#stop').click();
  check(`it ends well: ${it.said}`, await it.ended === 0);
  await page.close();
  const rowsOf = (file) => {
    run('convert', `${file}.rbj`, `${file}.csv`);
    const lines = readFileSync(join(folder, `${file}.csv`), 'utf8').trim().split('\n');
    const y = lines[0].split(/,(?=")/).indexOf('"gel.r[2]"');
    return lines.slice(1).map((l) => { const f = l.split(','); return [Number(f[0]), Number(f[y])]; });
  };
  const lived = rowsOf('gel'), at = lived.find((r, i) => i > 0 && lived[i - 1][0] === r[0] && Math.abs(r[0] - paused) < 1e-12)?.[0];
  check(`the change is an event of the result: ${at}`, at === paused);
  writeFileSync(join(folder, 'Gel.mo'), model(`Rattleback.Actions.ChangeMaterial soften(at = ${paused}, a = "gel", E = 1e4);`));
  run('simulate', 'Gel.mo', ...options, '--stop-time', String(lived.at(-1)[0]), '--output-file', 'timed.rbj', '--quiet');
  const timed = new Map(rowsOf('timed').map(([t, y]) => [t.toFixed(9), y]));
  const apart = lived.map(([t, y]) => [t, Math.abs(y - (timed.get(t.toFixed(9)) ?? NaN))]).filter(([, d]) => !Number.isNaN(d));
  const most = Math.max(...apart.map(([, d]) => d)), late = apart.filter(([t]) => t > paused).length;
  console.log(`live and by itself: ${most.toExponential(1)} m apart, ${late} rows after the change`);
  check(`they move alike: ${most} m`, most < 1e-7 && late > 20);
  writeFileSync(join(folder, 'Gel.mo'), model(''));
  run('simulate', 'Gel.mo', ...options, '--stop-time', String(lived.at(-1)[0]), '--output-file', 'timed.rbj', '--quiet');
  const unchanged = new Map(rowsOf('timed').map(([t, y]) => [t.toFixed(9), y]));
  check('which the unchanged one does not', lived.some(([t, y]) => Math.abs(y - (unchanged.get(t.toFixed(9)) ?? y)) > 1e-5));
}

// ---- those who must not see it
const status = (url, path, headers = {}) => new Promise((resolve, reject) => {
  const r = request({ host: '127.0.0.1', port: url.port, path, headers }, (a) => { a.resume(); resolve(a.statusCode); });
  r.on('upgrade', (a, socket) => { socket.destroy(); resolve(101); });
  r.on('error', reject);
  r.end();
});

const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' };

async function strangers(url) {
  const token = url.pathname, wrong = token.replace(/[0-9a-f]\/$/, (c) => (c[0] === '0' ? '1/' : '0/'));
  check('the page', await status(url, token) === 200);
  const requests = [['wrong token', wrong, {}], ['no token', '/', {}], ['socket with a wrong token', `${wrong}socket`, upgrade],
    ['foreign origin', `${token}socket`, { ...upgrade, Origin: 'http://example.com' }],
    ['origin of another port', `${token}socket`, { ...upgrade, Origin: 'http://127.0.0.1:1' }],
    ['foreign origin of the page', token, { Origin: 'null' }], ['foreign host', token, { Host: `example.com:${url.port}` }],
    ['files', '/etc/passwd', {}], ['files above', '/../../etc/passwd', {}]];
  for (const [what, path, headers] of requests) check(`${what}: 403`, await status(url, path, headers) === 403);
  check('there are no files', await status(url, `${token}../../etc/passwd`) === 404);
  check('a good socket', await status(url, `${token}socket`, { ...upgrade, Origin: url.origin }) === 101);
}

// 1,000 frames that are wrong in every way, on some sockets; the server answers or closes, and the run goes on.
async function nonsense(url) {
  let sent = 0;
  while (sent < 1000) {
    const socket = connect(url.port, '127.0.0.1');
    let open = true;
    socket.on('close', () => { open = false; });
    socket.on('error', () => { open = false; });
    socket.resume();
    socket.write(`GET ${url.pathname}socket HTTP/1.1\r\nHost: ${url.host}\r\n${Object.entries(upgrade).map(([k, v]) => `${k}: ${v}`).join('\r\n')}\r\n\r\n`);
    await new Promise((r) => { setTimeout(r, 5); });
    for (let i = 0; i < 25 && open; i++, sent++) socket.write(malformed(sent));
    await new Promise((r) => { setTimeout(r, 5); });
    socket.destroy();
  }
}

function malformed(i) {
  const bytes = randomBytes(2 + i % 40);
  if (i % 7 === 0) return Buffer.from([0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4]); // 2^63 bytes
  if (i % 7 === 1) return Buffer.concat([Buffer.from([0x81, 0x80 | (bytes.length - 4 & 127), 0, 0, 0, 0]), bytes]); // no JSON
  if (i % 7 === 2) { // JSON that makes no sense
    const text = Buffer.from(['{"do":7}', '{"do":"set","name":"nothing","value":1}', '[[[[[', '{"do":"set","value":"x"}', '{"do":"watch","names":[1,{}]}', '{"do":"speed","value":-1}'][i % 6]);
    return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]);
  }
  return bytes;
}

async function safety() {
  const it = live('Decay.mo', '--stop-time', '1000');
  const url = new URL(await it.address);
  await strangers(url);
  await nonsense(url);
  const page = await open(url.href);
  const before = await time(page);
  await page.waitForFunction((t) => viewer.run.now > t + 0.1, before);
  await page.locator('#stop').click();
  check(`it ends well: ${it.said}`, await it.ended === 0);
  await page.close();
}

await steering();
await knobs();
viewing();
await editing();
await watching();
await pulling();
await softScene();
await material();
await safety();
await browser.close();
finish();
