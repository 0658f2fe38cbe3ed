// SPDX-License-Identifier: MIT
// The page of `rattleback view` in a real browser.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, fileUrl, finish, folder, makeUp, near, openBrowser, openPage, require, run, share, shot, tryRun } from './harness.mjs';

const browser = await openBrowser();
const examples = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../../examples');

// ---- how many colours the canvas has: a blank one has one
const colours = (page) => page.evaluate(() => {
  viewer.scene.render();
  const { canvas } = viewer.scene.renderer.getContext(), copy = document.createElement('canvas');
  [copy.width, copy.height] = [300, 200];
  const pen = copy.getContext('2d');
  pen.drawImage(canvas, 0, 0, 300, 200);
  const { data } = pen.getImageData(0, 0, 300, 200), seen = new Set();
  for (let i = 0; i < data.length; i += 4) seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
  return seen.size;
});

function table(csv) {
  const lines = csv.trim().split('\n').map((l) => l.match(/("(?:[^"]|"")*"|[^,]+|(?<=,)(?=,|$))/g).map((f) => f.replace(/^"|"$/g, '')));
  return { names: lines[0], rows: lines.slice(1).map((r) => r.map(Number)) };
}

async function accessible(page, what) {
  await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
  const { violations } = await page.evaluate(() => axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'best-practice'] }));
  for (const v of violations) check(`${what}: ${v.id}: ${v.help}: ${v.nodes[0].html} ${v.nodes[0].failureSummary}`, false);
}

// A mass without a shape is a ball that stands on the ground, whole.
async function barePoint() {
  writeFileSync(join(folder, 'Shuttle.mo'), `model Shuttle
    import Rattleback.*;
    inner World world(g = 0);
    Parts.Body mass(m = 1000, I_11 = 500, I_22 = 500, I_33 = 500, r_0(start = {1000, 0, 0}), v_0(start = {-100, 0, 0}));
    annotation(experiment(StopTime = 20));
  end Shuttle;`);
  run('simulate', 'Shuttle.mo', '--output-file', 'shuttle.rbj', '--quiet');
  run('view', 'shuttle.rbj', '--no-open');
  const page = await openPage(browser, fileUrl('shuttle.html'));
  const under = await page.evaluate(() => {
    const { scene } = viewer, reach = [];
    scene.root.traverse((n) => {
      if (!n.isMesh || !n.visible) return;
      n.geometry.computeBoundingSphere();
      const ball = n.geometry.boundingSphere.clone().applyMatrix4(n.matrixWorld);
      reach.push(ball.center.dot(scene.up) - ball.radius);
    });
    return { low: Math.min(...reach), ground: scene.around.low, count: reach.length };
  });
  check(`nothing is under the ground: ${JSON.stringify(under)}`, under.count > 0 && under.low >= under.ground);
  await page.close();
}

// A crane takes a part and lets it go: both changes are in the list and in the time line; the part glows and a ring opens where it happened,
// for a while, and nowhere else.
async function changes() {
  writeFileSync(join(folder, 'Crane.mo'), `model Crane
    import Rattleback.*;
    inner World world(n = {0, 0, -1}, contact = false);
    Parts.Solid hook(shape = Shapes.Box(0.1, 0.1, 0.1), r = {0, 0, 1}, fixed = true);
    Parts.Solid load(shape = Shapes.Sphere(0.2), r = {0, 0, 0.8});
    Actions.Attach take(at = 0.2, a = "hook", b = "load");
    Actions.Release drop(at = 0.8, a = "hook", b = "load");
    annotation(experiment(StopTime = 1, Interval = 0.02));
  end Crane;`);
  run('simulate', 'Crane.mo', '--output-file', 'crane.rbj', '--quiet');
  run('view', 'crane.rbj', '--no-open');
  const page = await openPage(browser, fileUrl('crane.html'));
  const list = await page.locator('#changes li button').allInnerTexts();
  check(`two changes: ${list}`, list.length === 2 && /0\.2\d* s: attach/.test(list[0]) && /0\.8\d* s: release/.test(list[1]));
  for (const id of ['soft', 'show-strain', 'show-speeds']) check(`a rigid scene has no ${id}`, !(await page.locator(`#${id}`).isVisible()));
  await page.locator('#changes li button').nth(1).click();
  near('a click goes there', await page.evaluate(() => viewer.time), 0.8, 1e-6);
  const state = (t) => page.evaluate((time) => {
    viewer.setTime(time);
    const { scene } = viewer, rings = scene.changes.rings.filter((r) => r.visible);
    const load = scene.nodes.find((n) => n.name === 'load').userData.mesh.material.emissive;
    return { glow: load.r, rings: rings.length, at: rings.map((r) => r.position.z) };
  }, t);
  for (const t of [0.1, 0.19, 0.3, 0.79, 0.9]) {
    const quiet = await state(t);
    check(`nothing flashes at ${t} s: ${JSON.stringify(quiet)}`, quiet.glow === 0 && quiet.rings === 0);
  }
  const bright = await state(0.801), fading = await state(0.83);
  check(`the load glows and fades: ${bright.glow} ${fading.glow}`, bright.glow > 0.5 && fading.glow > 0 && fading.glow < 0.5 * bright.glow);
  check(`rings where hook and load are: ${bright.at}`, bright.rings === 2 && bright.at.some((z) => Math.abs(z - 1) < 1e-5));
  await shot(page, 'changes');
  await page.locator('#show-changes').uncheck();
  check('they can be switched off', (await state(0.801)).rings === 0 && (await state(0.801)).glow === 0);
  await page.close();
}

// Two equal masses on three equal springs: in one mode they move alike at sqrt(k/m), in the other against each other at sqrt(3 k/m).
async function modes() {
  writeFileSync(join(folder, 'Two.mo'), `model Two
    import Rattleback.*;
    inner World world(n = {0, 0, -1}, contact = false);
    Parts.Fixed at[2](r = {{1, 0, 0}, {2, 0, 0}});
    Joints.Prismatic slide[2](each n = {1, 0, 0}, each useAxisFlange = true);
    Parts.BodyShape mass[2](each r = {0, 0.1, 0}, each m = 2, each I_11 = 0.1, each I_22 = 0.1, each I_33 = 0.1, each shape = Shapes.Box(0.2, 0.2, 0.2));
    Translational.Components.Spring spring[3](each c = 50);
    Translational.Components.Fixed wall;
  equation
    connect(at.frame_b, slide.frame_a);
    connect(slide.frame_b, mass.frame_a);
    connect(wall.flange, spring[1].flange_a);
    connect(spring[1].flange_b, slide[1].axis);
    connect(slide[1].axis, spring[2].flange_a);
    connect(spring[2].flange_b, slide[2].axis);
    connect(slide[2].axis, spring[3].flange_a);
    connect(spring[3].flange_b, wall.flange);
  end Two;`);
  run('linearize', 'Two.mo', '--shapes', 'modes.html');
  check('the journal of the page has served', !existsSync(join(folder, 'modes.html.rbj')));
  const page = await openPage(browser, fileUrl('modes.html'));
  await page.evaluate(() => viewer.play(false));
  const seen = await page.evaluate(() => viewer.run.meta.chapters.map(({ title, start, stop }) => {
    const list = [];
    for (let i = 0; i <= 20; i++) {
      viewer.setTime(start + (stop - start) * i / 20);
      list.push([1, 2].map((k) => viewer.scene.nodes.find((n) => n.name === `mass[${k}]`).position.x - k));
    }
    return { title, list };
  }));
  check(`two modes: ${seen.map((s) => s.title)}`, seen.length === 2);
  [[1, 5], [-1, 5 * Math.sqrt(3)]].forEach(([sign, w], k) => {
    near(`frequency of mode ${k}`, Number(/: ([\d.]+) Hz, damping 0$/.exec(seen[k].title)?.[1]), w / (2 * Math.PI), 1e-3);
    const most = Math.max(...seen[k].list.map(([a]) => Math.abs(a)));
    check(`mode ${k} is seen, and small beside the scene: ${most}`, most > 0.05 && most < 0.4);
    for (const [a, b] of seen[k].list) near(`mode ${k}`, b, sign * a, 1e-6);
  });
  await page.locator('[data-chapter="1"]').click();
  await page.waitForTimeout(300);
  const now = await page.evaluate(() => [viewer.playing, viewer.time, viewer.chapter.start, viewer.chapter.stop]);
  check(`the second mode plays: ${now}`, now[0] && now[1] >= now[2] && now[1] <= now[3]);
  await shot(page, 'modes');
  await page.close();
  const none = tryRun('linearize', 'Rattleback.Examples.Filter', '--shapes', 'none.html');
  check(`nothing to see: ${none.text}`, none.code === 2 && none.text.includes('no mode oscillates'));
}

// A hollow box is cut open: what is inside is seen, and the cut faces. A part is named; the camera flies.
async function cuts() {
  writeFileSync(join(folder, 'Safe.mo'), `model Safe
    import Rattleback.*;
    inner World world(n = {0, 0, -1}, contact = false);
    Parts.Solid box(shape = Shapes.Box(1, 1, 1), color = {20, 60, 220}, fixed = true);
    Parts.Solid gold(shape = Shapes.Sphere(0.6), color = {230, 20, 10}, r = {0, 0.1, 0}, v = {0, 0, 1});
    annotation(experiment(StopTime = 0.2, Interval = 0.02));
  end Safe;`);
  run('simulate', 'Safe.mo', '--output-file', 'safe.rbj', '--quiet');
  run('view', 'safe.rbj', '--no-open');
  const page = await openPage(browser, fileUrl('safe.html'));
  await page.locator('[data-view=front]').click();
  const dots = () => page.evaluate(() => { // what of the picture is how coloured
    viewer.scene.render();
    const { canvas } = viewer.scene.renderer.getContext(), copy = document.createElement('canvas');
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const pen = copy.getContext('2d');
    pen.drawImage(canvas, 0, 0);
    const { data } = pen.getImageData(0, 0, copy.width, copy.height), found = { red: 0, blue: 0, light: 0, orange: 0 };
    for (let i = 0; i < data.length; i += 4) {
      const [r, g, b] = [data[i], data[i + 1], data[i + 2]];
      if (r > 100 && g < 60 && b < 60) found.red++;
      if (b > 90 && r < 60) found.blue++;
      if (r > 235 && g > 60 && g < 160 && b < 60) found.orange++;
    }
    return found;
  });
  const shut = await dots();
  check(`a shut box hides what is in it: ${JSON.stringify(shut)}`, shut.red === 0 && shut.blue > 1000);
  await page.locator('#cut').selectOption('y');
  check('the cut is in the middle', await page.evaluate(() => Math.abs(viewer.scene.cut.at) < 0.05));
  // Half of the ball would be seen if the box were empty; its inside is full, so that its own cut is what is seen.
  await page.locator('#cut-at').fill('0.5');
  const open = await dots();
  check(`the face of the cut is hatched: ${JSON.stringify(open)}`, open.blue < 0.9 * shut.blue);
  await shot(page, 'cut');
  const side = () => page.evaluate(() => viewer.scene.cut.plane.normal.y);
  const before = await side();
  await page.locator('[data-view=back]').click();
  check('the other half is cut away from behind', await side() === -before && Math.abs(before) === 1);
  await page.locator('#cut').selectOption('');
  await page.locator('[data-view=front]').click();
  check('and whole again', JSON.stringify(await dots()) === JSON.stringify(shut));

  // Chosen, named, seen through.
  await page.evaluate(() => viewer.choose(viewer.scene.drawing.objects.find((o) => o.name === 'box')));
  const chosen = await dots();
  check(`a chosen part has a rim: ${chosen.orange}`, chosen.orange > 300 && shut.orange === 0);
  check('and its name', await page.evaluate(() => viewer.scene.selection.labels.length === 1));
  await page.locator('#ghost').click();
  const through = await dots();
  check(`it can be seen through: ${JSON.stringify(through)}`, through.blue < 0.3 * shut.blue);
  await page.locator('#ghost').click();
  await page.evaluate(() => viewer.choose(null));

  // Two key frames; between them the camera goes on a smooth way, at them it is where it was put.
  const put = (time, from, at) => page.evaluate(([t, f, l]) => { viewer.setTime(t); viewer.scene.look(f, l); viewer.draw(); }, [time, from, at]);
  await put(0, [4, 0, 1], [0, 0, 0]);
  await page.locator('#add-key').click();
  await put(0.1, [0, 4, 1], [0, 0, 0]);
  await page.locator('#add-key').click();
  await put(0.2, [-4, 0, 1], [0, 0, 0.5]);
  await page.locator('#add-key').click();
  await page.locator('#fly').click();
  const at = (time) => page.evaluate((t) => { viewer.setTime(t); return [...viewer.scene.camera.position.toArray(), viewer.scene.controls.target.z]; }, time);
  for (const [t, want] of [[0, [4, 0, 1, 0]], [0.1, [0, 4, 1, 0]], [0.2, [-4, 0, 1, 0.5]], [0.05, [2, 2.5, 1, -0.03125]]]) {
    const got = await at(t); // 0.05: by hand, slopes of y at its ends are 40 and 0, of the last number 0 and 2.5
    want.forEach((w, k) => near(`camera at ${t} s, ${k}`, got[k], w, 1e-6));
  }
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#save-flight').click()]);
  await download.saveAs(join(folder, 'flight.csv'));
  const lines = readFileSync(join(folder, 'flight.csv'), 'utf8').trim().split('\n');
  check(`the flight is a table: ${lines}`, lines[0] === 'time,x,y,z,look_x,look_y,look_z' && lines.length === 4 && lines[2] === '0.1,0,4,1,0,0,0');
  await page.locator('#keyframes li button.small').first().click();
  check('a key frame can be removed', await page.locator('#keyframes li').count() === 2);
  await page.close();
}

async function billiards() {
  run('simulate', 'billiards', '--output-file', 'billiards.rbj', '--stop-time', '5', '--output-interval', '0.01',
    '--contact', 'cue,table', '--quiet');
  run('view', 'billiards.rbj', 'cue.r_0[1]', 'energy.kinetic', '--no-open');
  const { size } = statSync(join(folder, 'billiards.html'));
  check(`billiards.html has ${size} bytes, at most 1.55 MB`, size < 1.55e6);
  run('convert', 'billiards.rbj', 'billiards.csv');
  const csv = table(readFileSync(join(folder, 'billiards.csv'), 'utf8'));
  const page = await openPage(browser, fileUrl('billiards.html'));
  await shot(page, 'billiards');
  const count = await colours(page);
  check(`the canvas has ${count} colours`, count > 200);
  check('two panels of curves', await page.locator('#plots figure').count() === 2);

  // Cloth and wood look as such; the camera is as near as the table allows.
  const seen = await page.evaluate(() => {
    const { scene } = viewer, hex = (name) => scene.nodes.find((n) => n.name === name).userData.colour.getHexString();
    const reach = scene.frame.points.map((p) => p.clone().project(scene.camera)).map((p) => Math.max(Math.abs(p.x), Math.abs(p.y)));
    return { table: hex('table'), balls: new Set(scene.nodes.filter((n) => n.userData.moving).map((n) => n.userData.colour.getHexString())).size,
      reach: Math.max(...reach), fine: scene.show.fine };
  });
  check(`the table is of cloth: ${seen.table}`, seen.table === '1c6b49');
  check(`balls have ${seen.balls} colours`, seen.balls === 9); // as pool balls have: the cue ball is white, a solid and a striped one share each of 8
  check(`the table fills the picture: ${seen.reach}`, seen.reach > 0.8 && seen.reach < 1);
  check('a machine without a graphics card gets plain shading', !seen.fine);
  await page.locator('#show-fine').check();
  check('fine shading has surroundings that metals mirror', await page.evaluate(() => viewer.scene.scene.environment !== null));
  const fine = await colours(page);
  check(`fine shading has ${fine} colours`, fine > 200);
  await shot(page, 'billiards-fine');
  await page.locator('#show-fine').uncheck();
  await page.locator('#show-forces').check();

  // Play and scrub.
  await page.locator('#play').click();
  await page.waitForFunction(() => viewer.time > 0.05);
  await page.locator('#play').click();
  const paused = await page.evaluate(() => viewer.time);
  await page.waitForTimeout(100);
  check('pause stops the time', await page.evaluate(() => viewer.time) === paused);
  await page.locator('#time').fill('500');
  near('scrubbing', await page.evaluate(() => viewer.time), 2.5, 1e-9);
  await page.locator('#next').click();
  const event = await page.evaluate(() => viewer.time);
  const times = csv.rows.map((r) => r[0]);
  check(`next event at ${event}`, event === times.find((t, i) => t > 2.5 && times[i + 1] === t));

  // Poses and forces are those of the result.
  const column = (name) => csv.names.indexOf(name);
  const force = [1, 2, 3].map((k) => column(`contact(cue,table).force[${k}]`));
  const hit = csv.rows.reduce((best, r, i) => (Math.hypot(...force.map((c) => r[c])) > Math.hypot(...force.map((c) => csv.rows[best][c])) ? i : best), 0);
  const want = Math.hypot(...force.map((c) => csv.rows[hit][c]));
  check('cue and table touch in the result', want > 0);
  const got = await page.evaluate((t) => {
    viewer.setTime(t);
    const { scene } = viewer, names = scene.drawing.objects.map((o) => o.name);
    const i = scene.marks.contacts.findIndex((c) => ['cue', 'table'].every((n) => [names[c.a], names[c.b]].includes(n)));
    const position = scene.nodes[names.indexOf('cue')].position.toArray();
    return { length: i < 0 ? NaN : scene.marks.arrows.forces.lengths[i], scale: scene.marks.scale, position };
  }, csv.rows[hit][0]);
  near('length of the arrow over its scale', got.length / got.scale, want, 1e-5 * want);
  const row = csv.rows.findLast((r) => r[0] === csv.rows[hit][0]);
  for (let k = 0; k < 3; k++) near(`cue.r_0[${k + 1}]`, got.position[k], row[column(`cue.r_0[${k + 1}]`)], 1e-6);

  // Picking: what is clicked is chosen.
  const at = await page.evaluate(() => {
    viewer.setTime(0);
    const node = viewer.scene.nodes.find((n) => n.name === 'cue'), v = node.position.clone().project(viewer.scene.camera);
    const box = document.getElementById('view').getBoundingClientRect();
    return [box.x + (v.x + 1) / 2 * box.width, box.y + (1 - v.y) / 2 * box.height];
  });
  await page.mouse.click(...at);
  check('the ball that was clicked is chosen', await page.evaluate(() => viewer.chosen?.name) === 'cue');
  check('its values are shown', /r\[1\]/.test(await page.locator('#chosen').innerText()));

  // Everything can be switched on; keyboard.
  for (const id of ['normals', 'torques', 'summed', 'frames', 'boxes', 'centres', 'axes', 'trails']) await page.locator(`#show-${id}`).check();
  await page.locator('#view').focus();
  for (const key of ['End', 'Home', 'ArrowRight', 'e', 'E', '6', 'f', 'm', 'm', '+', '-', 't', 't', '?']) await page.keyboard.press(key);
  check('? opens the list of keys', await page.locator('#keys').isVisible());
  await page.keyboard.press('Escape');
  await page.locator('#view').focus();
  await page.keyboard.press(' ');
  check('space plays', await page.evaluate(() => viewer.playing));
  await page.keyboard.press(' ');
  await shot(page, 'billiards-all');
  await accessible(page, 'light');
  await page.locator('#theme').click();
  await shot(page, 'billiards-dark');
  await accessible(page, 'dark');
  const reached = await page.evaluate(() => [...document.querySelectorAll('button, input, select, canvas#view')]
    .filter((e) => e.tabIndex < 0).map((e) => e.outerHTML));
  check(`every control is reached by the keyboard: ${reached}`, reached.length === 0);
  await page.close();
}

async function parts() {
  makeUp('parts', 'parts.rbj');
  run('view', 'parts.rbj', '--no-open');
  const page = await openPage(browser, fileUrl('parts.html'));
  const names = (t) => page.evaluate((time) => {
    viewer.setTime(time);
    return viewer.scene.nodes.filter((n) => n.visible).map((n) => n.name);
  }, t);
  check('the ball is there', (await names(0.5)).includes('ball'));
  await shot(page, 'parts-1');
  const later = await names(1.5);
  check('then it is a mesh', !later.includes('ball') && later.some((n) => n.startsWith('<img')));
  const corner = await page.evaluate(() => {
    const p = viewer.scene.nodes[1].userData.mesh.geometry.attributes.position;
    return Math.max(...Array.from({ length: p.count }, (_, i) => p.getX(i)));
  });
  near('a vertex that moves', corner, 1 + 0.5 * Math.sin(7.5), 1e-6);
  await shot(page, 'parts-2');
  check('then it is hidden', !(await names(2.5)).some((n) => n.startsWith('<img')));
  const table = await page.evaluate(() => viewer.scene.nodes[0].userData.colour.getHexString());
  check(`the table has changed its colour: ${table}`, table === '5a005a');
  await shot(page, 'parts-3');
  check('a curve has a gap where its variable does not exist',
    await page.evaluate(() => { const v = viewer.run.values(1); return Number.isNaN(v[60]) && v[10] > 0; }));
  check('nothing was injected', await page.evaluate(() => window.injected === undefined && !document.querySelector('img, b')));
  check('the title is text', (await page.locator('h1').innerText()).includes('</script>'));
  near('the arrow is as long as the force', await page.evaluate(() => {
    viewer.scene.setShow('forces', true);
    viewer.setTime(0);
    return viewer.scene.marks.arrows.forces.lengths[0] / viewer.scene.marks.scale;
  }), 5, 1e-6);
  await page.setViewportSize({ width: 400, height: 800 });
  await page.waitForTimeout(100);
  check('no need to scroll sideways at 400 px', await page.evaluate(() => document.documentElement.scrollWidth <= 400));
  await shot(page, 'narrow');
  await accessible(page, 'narrow');
  await page.close();
}

async function meshes() {
  run('simulate', 'cup-parts', '--output-file', 'cup.rbj', '--quiet');
  run('view', 'cup.rbj', '--no-open');
  const page = await openPage(browser, fileUrl('cup.html'), { colorScheme: 'dark' });
  await shot(page, 'cup');
  const count = await colours(page);
  check(`the cup has ${count} colours`, count > 100);
  await page.close();
}

// Median time of script for a picture at a time of the run: the smallest of up to ten, since others use the processor too.
async function scriptTime(page, length, wanted = 8) {
  let least = Infinity;
  for (let round = 0; round < 10 && least >= wanted; round++) {
    least = Math.min(least, await page.evaluate((end) => Array.from({ length: 30 }, (_, i) => {
      viewer.scene.update(end * i / 30);
      return viewer.scene.stats.script;
    }).sort((a, b) => a - b)[15], length));
  }
  return least;
}

async function longRun() {
  run('simulate', 'billiards', '--output-interval', '0.0005', '--variable-filter', 'cue.*', '--output-file', 'long.rbj', '--quiet');
  run('view', 'long.rbj', '--no-open');
  const page = await openPage(browser, fileUrl('long.html'), { width: 700, height: 500 });
  const frames = await page.evaluate(() => viewer.run.times.length), script = await scriptTime(page, 5);
  console.log(`16 balls, ${frames} frames: ${script.toFixed(2)} ms of script per frame`);
  check(`${frames} frames take ${script} ms of script each`, frames > 10000 && script < 8);
  await page.close();
}

async function spheres() {
  makeUp('spheres', 'spheres.rbj');
  run('view', 'spheres.rbj', '--no-open');
  const page = await openPage(browser, fileUrl('spheres.html'), { width: 700, height: 500 });
  const script = await scriptTime(page, 1.5);
  const calls = await page.evaluate(() => { viewer.scene.render(); return viewer.scene.stats.calls; });
  const rate = await page.evaluate(() => {
    const start = performance.now();
    const gl = viewer.scene.renderer.getContext(), pixel = new Uint8Array(4);
    for (let i = 0; i < 3; i++) { viewer.scene.render(); gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel); }
    return 3000 / (performance.now() - start);
  });
  console.log(`10,000 spheres: ${script.toFixed(2)} ms of script per frame, ${calls} draw calls, ${rate.toFixed(1)} frames/s in software`);
  check(`10,000 spheres take ${script} ms of script per frame`, script < 8);
  check(`10,000 spheres take ${calls} draw calls`, calls < 20);
  await shot(page, 'spheres');
  await page.close();
}

// Many spheres of one object are points that a shader makes round.
async function crowd() {
  makeUp('crowd', 'crowd.rbj');
  run('view', 'crowd.rbj', '--no-open');
  const page = await openPage(browser, fileUrl('crowd.html'), { width: 700, height: 500 });
  const script = await page.evaluate(() => Array.from({ length: 15 }, (_, i) => {
    viewer.scene.update(0.1 * i);
    return viewer.scene.stats.script;
  }).sort((a, b) => a - b)[7]);
  console.log(`20,000 spheres of one object: ${script.toFixed(2)} ms of script per frame`);
  const { drawn, round, box } = await page.evaluate(() => {
    const { object, diameters } = viewer.scene.nodes[0].userData.crowd;
    return { drawn: object.geometry.drawRange.count, round: Array.from(diameters.slice(0, 3)), box: viewer.scene.bounds.max.toArray() };
  });
  check(`all are drawn: ${drawn}`, drawn === 20000);
  round.forEach((d, i) => near(`diameter ${i}`, d, 0.005 + 0.005 * i, 1e-6));
  near('they are in the bounds', box[2], 0.1, 0.01);
  const count = await colours(page);
  check(`the crowd has ${count} colours`, count > 100);
  await shot(page, 'crowd');
  await page.close();
}

// 10,000 grains in the colours of their speeds, with 200 parts that move beside them: what the page does for each picture, and what it hands to
// the graphics card. The scene is larger than most; 4 ms leave a slow laptop time to draw 60 pictures in a second.
async function busy() {
  writeFileSync(join(folder, 'Busy.mo'), `model Busy
    import Rattleback.*;
    inner World world(n = {0, 0, -1});
    Parts.Solid floor(shape = Shapes.Box(4, 4, 0.1), r = {0, 0, -0.05}, fixed = true);
    Parts.Solid part[200](each shape = Shapes.Box(0.05, 0.05, 0.05), each collidable = false,
      r = {{0.1*mod(i, 20) - 1, 1.2, 0.5 + 0.1*div(i, 20)} for i in 1:200}, each w = {1, 2, 3});
    Particles.Random beads(n = 10000, low = {-1, -1, 0}, high = {1, 1, 0.3}, radius = 0.01, spread = 0.2, E = 1e6);
    annotation(experiment(StopTime = 0.02, Interval = 0.001));
  end Busy;`);
  run('simulate', 'Busy.mo', '--output-file', 'busy.rbj', '--quiet');
  run('view', 'busy.rbj', '--no-open');
  const page = await openPage(browser, fileUrl('busy.html'), { width: 700, height: 500 });
  const seen = await page.evaluate(() => {
    const { scene, run: { start, stop } } = viewer, times = [], grains = scene.nodes.find((n) => n.userData.crowd);
    for (let i = 0; i < 40; i++) {
      scene.update(start + (stop - start) * i / 39);
      const begin = performance.now(); // what comes before the picture is drawn
      scene.ghosts.update();
      scene.cut.update();
      scene.selection.update();
      times.push(scene.stats.script + performance.now() - begin);
    }
    scene.render();
    return { median: times.sort((a, b) => a - b)[20], calls: scene.stats.calls, grains: grains.userData.crowd.count, parts: scene.drawing.moving.length,
      shades: new Set(grains.userData.crowd.shades).size };
  });
  console.log(`10,000 grains and 200 parts: ${seen.median.toFixed(2)} ms of script per frame, ${seen.calls} draw calls`);
  check(`all are there: ${JSON.stringify(seen)}`, seen.grains === 10000 && seen.parts >= 200 && seen.shades > 100);
  check(`they take ${seen.median} ms of script per frame`, seen.median < 4);
  check(`they take ${seen.calls} draw calls`, seen.calls < 900);
  await page.close();
}

// Sizes that change with the time are those of the time, also when it goes back.
async function equations() {
  run('simulate', 'Rattleback.Examples.Drawn', '--output-file', 'drawn.rbj', '--quiet');
  run('view', 'drawn.rbj', '--no-open');
  const page = await openPage(browser, fileUrl('drawn.html'));
  const length = (time) => page.evaluate((t) => {
    viewer.setTime(t);
    const node = viewer.scene.nodes.find((n) => n.name === 'spring');
    node.userData.mesh.geometry.computeBoundingBox();
    const { min, max } = node.userData.mesh.geometry.boundingBox;
    return max.x - min.x;
  }, time);
  const first = await length(0), later = await length(0.498), again = await length(0);
  near('the spring at the start', first, 1.2, 0.03);
  near('half a period later', later, 1.8, 0.03);
  check(`back at the start it is the same: ${again}`, again === first);
  await shot(page, 'equations');
  await page.close();
}

// Bodies without shapes are drawn as links, with pins where they turn; what is broken is gone.
async function mechanisms() {
  const parts = (page) => page.evaluate(() => {
    const list = [];
    viewer.scene.root.traverse((n) => { if (n.userData.kind === 'mechanism' && n.visible) list.push(n.geometry.type); });
    return { count: list.length, bars: list.filter((t) => t === 'ExtrudeGeometry').length };
  });
  run('simulate', join(examples, 'modelica/FourBar.mo'), '--output-file', 'fourbar.rbj', '--quiet');
  run('view', 'fourbar.rbj', '--no-open');
  const page = await openPage(browser, fileUrl('fourbar.html'), { width: 700, height: 500 });
  const { count, bars } = await parts(page); // 3 links and 4 cheeks; 4 pins of 3 parts, 2 plates
  check(`a four-bar linkage has ${count} parts, ${bars} bars and cheeks`, count === 21 && bars === 7);
  const covers = await share(page);
  check(`its links cover ${covers} of the picture`, covers > 0.02 && covers < 0.5);
  await page.locator('#show-mechanism').uncheck();
  check('without them nothing is left', (await parts(page)).count === 0 && await share(page) === 0);
  await shot(page, 'fourbar');
  await page.close();
  run('simulate', join(examples, 'modelica/BreakingPendulum.mo'), '--output-file', 'breaking.rbj', '--quiet');
  run('view', 'breaking.rbj', '--no-open');
  const other = await openPage(browser, fileUrl('breaking.html'), { width: 700, height: 500 });
  const before = (await parts(other)).count;
  await other.evaluate(() => viewer.setTime(1));
  const after = (await parts(other)).count;
  check(`the pin is gone when it has broken: ${before} ${after}`, before === after + 6);
  await other.close();
  run('simulate', 'Rattleback.Examples.AllForces', '--stop-time', '0.1', '--output-file', 'forces.rbj', '--quiet');
  run('view', 'forces.rbj', '--no-open');
  const forces = await openPage(browser, fileUrl('forces.html'), { width: 700, height: 500 });
  const struts = await forces.evaluate(() => {
    viewer.setTime(0);
    return viewer.scene.mechanism.struts.map(({ o, group }) => [o.size[0], o.size[1], group.scale.z]);
  });
  check(`a spring, a damper, both: ${struts}`, ['1,0', '0,1', '1,1'].every((k) => struts.some((s) => `${s[0]},${s[1]}` === k)));
  near('the spring from the hook to the body', struts.find((s) => s[0] && !s[1])[2], Math.hypot(0.2, 1), 1e-6);
  await shot(forces, 'forces');
  await forces.close();
}

async function withoutPictures() {
  writeFileSync(join(folder, 'plain.csv'), '"time","x"\n0,1\n1,2\n');
  run('view', 'plain.csv', 'x', '--no-open');
  const page = await openPage(browser, fileUrl('plain.html'));
  check('it says that there is no 3D data', /no three-dimensional data/.test(await page.locator('#no-pictures').innerText()));
  check('the curve is there', await page.locator('#plots figure').count() === 1);
  await page.close();
  writeFileSync(join(folder, 'nonsense.rbj'), 'not a result');
  const nonsense = tryRun('view', 'nonsense.rbj');
  check(`a file that is no result: ${nonsense.text}`, nonsense.code === 6 && nonsense.text.includes('nonsense.rbj'));
  const bytes = readFileSync(join(folder, 'parts.rbj'));
  bytes[8] = 9;
  writeFileSync(join(folder, 'newer.rbj'), bytes);
  const newer = tryRun('view', 'newer.rbj');
  check(`a newer version: ${newer.text}`, newer.code === 6 && newer.text.includes('format version 9'));
}

// Bodies that deform: small pages; molecules are where the result says; surface and connections follow; any mix and strain can be shown.
async function soft() {
  run('simulate', join(examples, 'soft/box_on_ground.xml'), '--override', 'detection=1', '--stop-time', '0.42', '--output-file', 'soft.rbj', '--quiet');
  run('view', 'soft.rbj', '--no-open');
  const { size } = statSync(join(folder, 'soft.html'));
  check(`soft.html has ${size} bytes, at most 1.6 MB`, size < 1.6e6);
  run('convert', 'soft.rbj', 'soft.csv');
  const csv = table(readFileSync(join(folder, 'soft.csv'), 'utf8')), row = csv.rows.at(-1);
  const page = await openPage(browser, fileUrl('soft.html'));
  await page.evaluate((t) => viewer.setTime(t), row[0]);
  const look = () => page.evaluate(() => {
    const body = viewer.scene.soft.list.find((b) => b.node.name === 'box'), n = body.places.length / 3;
    const mean = (list) => [0, 1, 2].map((k) => list.filter((_, i) => i % 3 === k).reduce((a, b) => a + b) * 3 / list.length);
    const box = (list) => [0, 1, 2].map((k) => list.filter((_, i) => i % 3 === k)).map((l) => [Math.min(...l), Math.max(...l)]);
    const strains = Array.from(body.strains, (s) => Math.abs(s) * 1e-4);
    return { n, middle: mean(Array.from(body.places)), molecules: box(Array.from(body.places)), strain: Math.max(...strains),
      surface: box(Array.from(body.surface.geometry.attributes.position.array)), lines: body.lines.geometry.drawRange.count / 2,
      shown: [body.crowd.object.visible, body.surface.visible, body.lines.visible],
      colours: new Set(Array.from(body.surface.geometry.attributes.color.array, (c) => c.toFixed(3))).size };
  });
  const first = await look();
  check(`75 molecules: ${first.n}`, first.n === 75);
  check(`surfaces touch, so they are shown: ${first.shown}`, `${first.shown}` === 'false,true,false');
  for (let k = 0; k < 3; k++) {
    near(`middle of the box [${k}]`, first.middle[k], row[csv.names.indexOf(`box.r[${k + 1}]`)], 2e-6);
    check(`the surface is around the molecules: ${first.surface[k]} ${first.molecules[k]}`,
      first.surface[k][0] < first.molecules[k][0] && first.surface[k][1] > first.molecules[k][1]);
  }
  near('largest strain', first.strain, Math.abs(row[csv.names.indexOf('box.strain')]), 1e-4);
  for (const kind of ['molecules', 'connections', 'strain']) await page.locator(`#show-${kind}`).check();
  await page.locator('#show-surfaces').uncheck();
  const second = await look();
  check(`another mix: ${second.shown}`, `${second.shown}` === 'true,false,true');
  check(`all connections are drawn: ${second.lines}`, second.lines === 426);
  check('the scale of strains is there', await page.evaluate(() => viewer.scene.legend.shown && viewer.scene.scales()[0].title === 'strain [%]'));
  await page.locator('#show-surfaces').check();
  await page.locator('#strain-scale').fill('1');
  check('strain colours the surface', (await look()).colours > first.colours + 10);
  await shot(page, 'soft');
  await accessible(page, 'soft');
  check('one name in the list for each body', await page.locator('#objects li').count() === 2);
  await page.close();

  // A page with less room has pictures in some rows; they hold until the next one.
  run('view', 'soft.rbj', '--picture-size', '0.03', '--output-file', 'small.html', '--no-open');
  const small = await openPage(browser, fileUrl('small.html'));
  const kept = await small.evaluate(() => {
    const { pictures } = viewer.run.segments[0], own = pictures.filter((p, i) => p !== pictures[i - 1]);
    return { rows: pictures.length, own: own.length, bytes: own.reduce((n, p) => n + p.length, 0), note: document.getElementById('left-out').textContent };
  });
  check(`pictures in few rows: ${JSON.stringify(kept)}`, kept.rows === csv.rows.length && kept.own < kept.rows / 2 && kept.own > 5
    && kept.bytes <= 0.03 * 1048576 + kept.bytes / kept.own && /one of \d+ rows/.test(kept.note));
  await small.close();

  // The same among rigid bodies.
  run('simulate', 'Rattleback.Examples.SoftLanding', '--stop-time', '0.1', '--output-file', 'landing.rbj', '--quiet');
  run('view', 'landing.rbj', '--no-open');
  const mixed = await openPage(browser, fileUrl('landing.html'));
  await mixed.evaluate(() => viewer.setTime(0.1));
  const plain = await colours(mixed);
  await mixed.locator('#strain-scale').fill('0.02');
  await mixed.locator('#show-strain').check();
  const seen = await mixed.evaluate(() => viewer.scene.soft.list.map((b) => [b.node.name, Math.max(...b.strains.map(Math.abs))]));
  check(`soft bodies beside rigid ones are strained: ${seen}`, seen.length === 3 && seen.some(([, s]) => s > 10));
  check('and coloured', Math.abs(await colours(mixed) - plain) > 20);
  await shot(mixed, 'landing');
  await mixed.close();
}

// A report has the page in it, and the text of the model cannot break it.
async function report() {
  writeFileSync(join(folder, 'Odd.mo'), 'model Odd "</pre><script>window.injected = 3</script>" // <b>\nend Odd;\n');
  run('report', 'billiards.rbj', 'cue.r_0[1]', '--model', 'Odd.mo', '--output-file', 'report.html');
  const page = await openPage(browser, fileUrl('report.html'));
  check('the view is inside', await page.locator('#app canvas#view').isVisible());
  const text = await page.locator('.report').innerText();
  for (const word of ['steps', 'complete', 'energy that the balance misses', 'lost by friction', 'pairs of bodies touch', '</pre><script>']) {
    check(`the report says '${word}'`, text.includes(word));
  }
  check('curves and energies are drawn', await page.locator('.report svg').count() === 2);
  check('nothing was injected', await page.evaluate(() => window.injected === undefined));
  await page.screenshot({ path: join(folder, 'report.png'), fullPage: true });
  await accessible(page, 'report');
  await page.close();
}

try {
  await barePoint();
  await changes();
  await cuts();
  await modes();
  await billiards();
  await report();
  await soft();
  await parts();
  await meshes();
  await longRun();
  await spheres();
  await crowd();
  await busy();
  await equations();
  await mechanisms();
  await withoutPictures();
} finally {
  await browser.close();
}
finish();
