// SPDX-License-Identifier: MIT
// Files of what is seen (glTF, three.js, OBJ, PLY, STL), pictures and films, against the result they are made from.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { check, finish, folder, makeUp, modules, near, require, run, skip, tryRun } from './harness.mjs';

let validator, THREE;
try {
  validator = require('gltf-validator');
  THREE = await import(pathToFileURL(join(modules, '../viewer/node_modules/three/build/three.module.js')).href);
} catch (error) { skip(`packages are not installed: ${error.message}`); }

run('simulate', 'two-balls', '--output-file', 'balls.rbj', '--output-interval', '0.01', '--quiet');
run('convert', 'balls.rbj', 'balls.csv');
makeUp('parts', 'parts.rbj');
const bytesOf = (name) => readFileSync(join(folder, name));

// Rows of the result: of those at the same time, the last.
const lines = readFileSync(join(folder, 'balls.csv'), 'utf8').trim().split('\n');
const names = lines[0].match(/"[^"]*"/g).map((n) => n.slice(1, -1));
const rows = [];
for (const line of lines.slice(1).map((l) => l.split(',').map(Number))) {
  if (rows.length && Math.fround(rows.at(-1)[0]) === Math.fround(line[0])) rows.pop();
  rows.push(line);
}
const bodies = names.filter((n) => n.endsWith('.r_abs[1]')).map((n) => n.slice(0, -9));
check('the result has bodies', bodies.length >= 2, names);
const position = (row, body) => [1, 2, 3].map((k) => row[names.indexOf(`${body}.r_abs[${k}]`)]);

async function glb() {
  for (const name of ['balls', 'parts']) {
    run('convert', `${name}.rbj`, `${name}.glb`);
    const report = await validator.validateBytes(new Uint8Array(bytesOf(`${name}.glb`)));
    check(`${name}.glb: ${JSON.stringify(report.issues.messages.slice(0, 3))}`, report.issues.numErrors === 0 && report.issues.numWarnings === 0);
  }
  const file = bytesOf('balls.glb'), length = file.readUInt32LE(12);
  const gltf = JSON.parse(file.subarray(20, 20 + length)), data = file.subarray(28 + length);
  const floats = (accessor) => {
    const a = gltf.accessors[accessor], view = gltf.bufferViews[a.bufferView];
    return Array.from({ length: view.byteLength / 4 }, (_, i) => data.readFloatLE(view.byteOffset + 4 * i));
  };
  const { samplers, channels } = gltf.animations[0];
  for (const body of bodies) {
    const node = gltf.nodes.findIndex((n) => n.name === body);
    const channel = channels.find((c) => c.target.node === node && c.target.path === 'translation');
    const times = floats(samplers[channel.sampler].input), values = floats(samplers[channel.sampler].output);
    check(`${body}: ${times.length} key frames, ${rows.length} rows`, times.length === rows.length);
    const wrong = rows.findIndex((row, i) => times[i] !== Math.fround(row[0])
      || position(row, body).some((x, k) => Math.abs(values[3 * i + k] - x) > 2e-7 * (1 + Math.abs(x))));
    check(`${body}: key frame ${wrong} is not the row of the result`, wrong < 0);
  }
  const parts = JSON.parse(bytesOf('parts.glb').subarray(20, 20 + bytesOf('parts.glb').readUInt32LE(12)));
  const ball = parts.nodes.findIndex((n) => n.name === 'ball');
  check('a part that vanishes is scaled to nothing', parts.animations[0].channels.some((c) => c.target.node === ball && c.target.path === 'scale'));
}

// Grains are nodes: eight fall freely from the start, two come later and are nothing before.
async function grains() {
  writeFileSync(join(folder, 'Fall.mo'), `model Fall
    import Rattleback.*;
    inner World world(g = 10, n = {0, 0, -1});
    Particles.Grid a(n = 8, radius = 0.008, low = {-0.02, -0.02, 0}, high = {0.02, 0.02, 0.04});
    Particles.Rain b(n = 2, radius = 0.008, startTime = 0.05, rate = 1000, low = {1, 1, 1}, high = {1.1, 1.1, 1.1});
    annotation(experiment(StopTime = 0.1, Interval = 0.01));
  end Fall;`);
  run('simulate', 'Fall.mo', '--output-file', 'fall.rbj', '--quiet');
  run('convert', 'fall.rbj', 'fall.glb');
  const file = bytesOf('fall.glb'), length = file.readUInt32LE(12);
  const report = await validator.validateBytes(new Uint8Array(file));
  check(`fall.glb: ${JSON.stringify(report.issues.messages.slice(0, 3))}`, report.issues.numErrors === 0 && report.issues.numWarnings === 0);
  const gltf = JSON.parse(file.subarray(20, 20 + length)), data = file.subarray(28 + length);
  const floats = (accessor) => {
    const a = gltf.accessors[accessor], view = gltf.bufferViews[a.bufferView];
    return Array.from({ length: view.byteLength / 4 }, (_, i) => data.readFloatLE(view.byteOffset + 4 * i));
  };
  const { samplers, channels } = gltf.animations[0];
  const nodes = gltf.nodes.filter((n) => n.name.startsWith('grains '));
  check(`ten grains, one mesh: ${nodes.length}`, nodes.length === 10 && nodes.every((n) => n.mesh === nodes[0].mesh));
  const sampler = (k, path) => samplers[channels.find((c) => c.target.node === gltf.nodes.indexOf(nodes[k]) && c.target.path === path)?.sampler];
  for (let k = 0; k < 8; k++) {
    const times = floats(sampler(k, 'translation').input), places = floats(sampler(k, 'translation').output);
    check('a key frame per row', times.length === 11 && nodes[k].scale.every((x) => Math.abs(x - 0.016) < 1e-8));
    times.forEach((t, i) => near(`fall of ${k} until ${t} s`, places[2] - places[3 * i + 2], 5 * t * t, 1e-5));
    check('the size of what is always there stays', !sampler(k, 'scale'));
  }
  for (let k = 8; k < 10; k++) {
    const sizes = floats(sampler(k, 'scale').output), places = floats(sampler(k, 'translation').output);
    check(`it comes later: ${sizes}`, sizes[0] === 0 && Math.abs(sizes.at(-1) - 0.016) < 1e-8 && sampler(k, 'scale').interpolation === 'STEP');
    check('before that it is where it will be', places[0] > 0.9 && places[3] === places[0]);
  }
}

// The page reads places that were rounded to whole steps; velocities are none.
async function tracks() {
  const { hasPoints, pointsOf, readChunks } = await import(new URL('../../viewer/src/stream.js', import.meta.url).href);
  const steps = [1, -2, 3, 4000, 5, -6], bytes = new Uint8Array(12 + 16 + 4 * steps.length), view = new DataView(bytes.buffer);
  [[0, 18 | 4 << 16], [4, 3], [8, 4 + steps.length], [12, 3 << 16]].forEach(([at, word]) => view.setUint32(at, word, true));
  view.setFloat64(20, 1e-3, true);
  steps.forEach((n, i) => view.setInt32(28 + 4 * i, n, true));
  const [chunk] = readChunks(bytes);
  check('a track of places has points', hasPoints(chunk) && chunk.object === 3);
  pointsOf(chunk).forEach((x, i) => near(`place ${i}`, x, 1e-3 * steps[i], 1e-6));
  view.setUint32(12, 1 | 3 << 16, true);
  check('one of velocities has none', !hasPoints(readChunks(bytes)[0]));
}

function three() {
  run('convert', 'balls.rbj', 'balls.json');
  const scene = new THREE.ObjectLoader().parse(JSON.parse(bytesOf('balls.json')));
  const mixer = new THREE.AnimationMixer(scene), clip = scene.animations[0];
  mixer.clipAction(clip).play();
  const row = rows[Math.floor(rows.length / 2)];
  mixer.setTime(row[0]);
  for (const body of bodies) {
    const got = scene.getObjectByName(body).position.toArray();
    position(row, body).forEach((x, k) => near(`three.js: ${body}[${k}]`, got[k], x, 1e-5));
  }
}

// Middle of the points of an object: that of a sphere is its place.
function middle(points) {
  return [0, 1, 2].map((k) => (Math.max(...points.map((p) => p[k])) + Math.min(...points.map((p) => p[k]))) / 2);
}

function stills() {
  const row = rows[Math.floor(rows.length / 3)], time = String(row[0]);
  for (const e of ['obj', 'ply', 'stl']) run('convert', 'balls.rbj', `balls.${e}`, '--time', time);
  const objects = new Map();
  let points, triangles = 0;
  for (const line of readFileSync(join(folder, 'balls.obj'), 'utf8').split('\n')) {
    const [kind, ...rest] = line.split(' ');
    if (kind === 'o') objects.set(rest[0], points = []);
    if (kind === 'v') points.push(rest.map(Number));
    if (kind === 'f') triangles++;
  }
  for (const body of bodies) middle(objects.get(body)).forEach((x, k) => near(`${body}[${k}] in OBJ`, x, position(row, body)[k], 1e-5));
  const ply = readFileSync(join(folder, 'balls.ply'), 'utf8');
  const vertices = [...objects.values()].reduce((n, p) => n + p.length, 0);
  check('PLY has the same vertices and faces', ply.includes(`element vertex ${vertices}\n`) && ply.includes(`element face ${triangles}\n`)
    && ply.trim().split('\n').length === 13 + vertices + triangles, ply.slice(0, 300));
  const stl = bytesOf('balls.stl');
  check('STL has the same triangles', stl.readUInt32LE(80) === triangles && stl.length === 84 + 50 * triangles);
  const late = tryRun('convert', 'balls.rbj', 'late.obj', '--time', '1e9');
  check(`a time that is not in the result: ${late.text}`, late.code === 2 && late.text.includes('outside of the result'));
  const flat = tryRun('convert', 'balls.csv', 'flat.glb');
  check(`a result without bodies: ${flat.text}`, flat.code === 2 && flat.text.includes('no three-dimensional data'));
}

function pictures() {
  const found = ['chromium-headless-shell', 'chromium', 'google-chrome'].some((b) => existsSync(`/usr/bin/${b}`));
  if (!found) { console.log('no chromium: pictures are not tested'); return; }
  const shared = tmpdir(); // where others of this machine work, too
  process.env.TMPDIR = mkdtempSync(join(shared, 'exports-'));
  run('render', 'balls.rbj', '--time', '0.1', '--size', '320x240', '--output-file', 'balls.png');
  const png = bytesOf('balls.png');
  check('a PNG of the size that was asked for', png.readUInt32BE(0) === 0x89504e47 && png.readUInt32BE(16) === 320 && png.readUInt32BE(20) === 240);
  check(`a picture of ${png.length} bytes is not blank`, png.length > 4000);
  if (spawnSync('ffmpeg', ['-version']).status === 0) {
    run('render', 'balls.rbj', '--stop-time', '0.5', '--frame-rate', '10', '--size', '160x120', '--output-file', 'balls.mp4');
    const frames = execFileSync('ffprobe', ['-v', 'error', '-count_frames', '-show_entries', 'stream=nb_read_frames,width', '-of', 'csv=p=0',
      join(folder, 'balls.mp4')], { encoding: 'utf8' }).trim();
    check(`a film of 6 pictures 160 wide: ${frames}`, frames === '160,6');
  }
  looks();
  const left = readdirSync(tmpdir()).filter((n) => n.startsWith('rattleback-'));
  check(`nothing is left in ${tmpdir()}: ${left}`, left.length === 0);
  rmSync(tmpdir(), { recursive: true });
  process.env.TMPDIR = shared;
  const odd = tryRun('render', 'balls.rbj', '--size', '100');
  check(`a size that is none: ${odd.text}`, odd.code === 2 && odd.text.includes('WIDTHxHEIGHT'));
  const camera = tryRun('render', 'balls.rbj', '--camera', 'below');
  check(`a view that is none: ${camera.text}`, camera.code === 2 && camera.text.includes("no view 'below'"));
  const flat = tryRun('render', 'balls.csv');
  check(`a result without bodies: ${flat.text}`, flat.code === 2 && flat.text.includes('no three-dimensional data'));
}

// A pixel of a PNG, red, green and blue; ffmpeg reads the file.
const pixel = (name, x, y) => [...execFileSync('ffmpeg', ['-v', 'error', '-i', join(folder, name), '-vf', `crop=1:1:${x}:${y}`, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'])];

// Plots as pictures and as PDF of their size; dark ones.
function plots() {
  run('plot', 'balls.csv', 'ball1.r[1]', '--output-file', 'curve.pdf');
  const pdf = bytesOf('curve.pdf').toString('latin1'), box = /MediaBox \[\s*0 0 ([\d.]+) ([\d.]+)\s*\]/.exec(pdf);
  check(`a PDF of one page, 860 px wide: ${box}`, pdf.startsWith('%PDF-') && box && Math.abs(box[1] - 645) < 1 && (pdf.match(/\/Type ?\/Page\b/g) ?? []).length === 1);
  check('its text is text', pdf.includes('/Font'));
  for (const [name, dark] of [['light.png', false], ['dark.png', true]]) {
    run('plot', 'balls.csv', 'ball1.r[1]', '--output-file', name, ...(dark ? ['--dark'] : []));
    const [r, g, b] = pixel(name, 30, 30);
    check(`${name} is ${[r, g, b]}`, dark ? Math.max(r, g, b) < 40 : Math.min(r, g, b) > 240);
  }
}

// A camera that is placed, one that goes with a body, samples, and a film that pages show.
function looks() {
  if (spawnSync('ffmpeg', ['-version']).status !== 0) return;
  writeFileSync(join(folder, 'Lamp.mo'), `model Lamp
    import Rattleback.*;
    inner World world(n = {0, 0, -1});
    Parts.Solid red(shape = Shapes.Sphere(0.2), color = {230, 10, 10}, r = {3, 0, 0}, v = {0, 10, 0});
    Parts.Solid blue(shape = Shapes.Sphere(0.2), color = {10, 10, 230}, r = {0, 3, 0}, v = {0, 0, 10});
    annotation(experiment(StopTime = 0.2, Interval = 0.1));
  end Lamp;`);
  run('simulate', 'Lamp.mo', '--output-file', 'lamp.rbj', '--quiet');
  const middle = (...options) => {
    run('render', 'lamp.rbj', '--size', '160x120', '--output-file', 'lamp.png', ...options);
    return pixel('lamp.png', 80, 60);
  };
  const isRed = ([r, , b]) => r > 90 && b < 60, isBlue = ([r, , b]) => b > 90 && r < 60;
  const red = middle('--time', '0', '--camera', '3,-2,0', '--look-at', '3,0,0'), blue = middle('--time', '0', '--camera', '0,1,0', '--look-at', '0,3,0');
  check(`the camera looks at red: ${red}`, isRed(red));
  check(`the camera looks at blue: ${blue}`, isBlue(blue));
  const gone = middle('--time', '0.2', '--camera', '3,-2,0', '--look-at', '3,0,0.5');
  check(`red has left: ${gone}`, !isRed(gone));
  for (const samples of ['1', '3']) {
    const followed = middle('--time', '0.2', '--camera', '0,1,0', '--look-at', '0,3,0', '--follow', 'blue', '--samples', samples);
    check(`the camera follows blue: ${followed}`, isBlue(followed));
  }
  const png = bytesOf('lamp.png');
  check('samples do not change the size', png.readUInt32BE(16) === 160 && png.readUInt32BE(20) === 120);
  run('render', 'lamp.rbj', '--frame-rate', '10', '--size', '64x48', '--output-file', 'lamp.webp');
  const webp = bytesOf('lamp.webp').toString('latin1');
  check('a film as WebP has three pictures', webp.startsWith('RIFF') && webp.split('ANMF').length === 4, webp.split('ANMF').length);
  // A flight from red to blue; a part that is cut away, seen through, named.
  writeFileSync(join(folder, 'flight.csv'), 'time,x,y,z,look_x,look_y,look_z\n0,3,-2,0,3,0,0\n0.1,0,1,1,0,3,1\n');
  const starts = middle('--time', '0', '--camera-path', 'flight.csv'), ends = middle('--time', '0.1', '--camera-path', 'flight.csv');
  check(`the flight goes from red to blue: ${starts}; ${ends}`, isRed(starts) && isBlue(ends));
  const cut = middle('--time', '0', '--camera', '3,-2,0', '--look-at', '3,0,0', '--cut', 'y=0.2');
  check(`red is cut away: ${cut}`, !isRed(cut));
  const through = middle('--time', '0', '--camera', '3,-2,0', '--look-at', '3,0,0', '--see-through', 'red,blue');
  check(`red is seen through: ${red} ${through}`, through[2] > red[2] + 40);
  run('render', 'lamp.rbj', '--size', '160x120', '--output-file', 'lamp.png', '--time', '0', '--camera', '3,-2,0', '--look-at', '3,0,0', '--label', 'red');
  const all = execFileSync('ffmpeg', ['-v', 'error', '-i', join(folder, 'lamp.png'), '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-']);
  let orange = 0;
  for (let i = 0; i < all.length; i += 3) orange += all[i] > 200 && all[i + 1] > 60 && all[i + 1] < 160 && all[i + 2] < 80;
  check(`a named part has a rim: ${orange}`, orange > 20);
  writeFileSync(join(folder, 'lamp2.csv'), 'time,x,y,z\n0,1,2,3\n');
  writeFileSync(join(folder, 'back.csv'), 'time,x,y,z,look_x,look_y,look_z\n1,3,-2,0,3,0,0\n0,0,1,1,0,3,1\n');
  for (const [message, ...options] of [['must increase', '--camera-path', 'back.csv'], ["'look_x' is missing", '--camera-path', 'lamp2.csv'],
    ['x, y or z', '--cut', 'w'], ['--look-at', '--look-at', '1,2'], ["no object 'green'", '--follow', 'green'], ['from 1 to 4', '--samples', '7'],
    ['X,Y,Z', '--camera', '1,2,x']]) {
    const odd = tryRun('render', 'lamp.rbj', '--output-file', 'lamp.png', ...options);
    check(`${options}: ${odd.text}`, odd.code === 2 && odd.text.includes(message));
  }
}

// A soft cube that falls: its surface is there, and in every key frame as much lower as the time says; at other times as a still.
async function soft() {
  const molecules = [];
  for (const x of [0, 0.02, 0.04]) for (const y of [0, 0.02, 0.04]) for (const z of [0, 0.02, 0.04]) {
    molecules.push(`<molecule x="${x}" y="${y}" z="${z}" material="gel" radius="0.015"/>`);
  }
  writeFileSync(join(folder, 'fall.xml'), `<come><scene gX="0" gY="-10" gZ="0"><simulation fps="50" duration="0.4"/><patient>
<materials><material description="gel" density="1000" youngs_modulus="20000"/></materials>
<molecule_organ description="cube">${molecules.join('\n')}</molecule_organ></patient></scene></come>`);
  run('simulate', 'fall.xml', '--output-file', 'fall.rbj', '--quiet');
  run('convert', 'fall.rbj', 'fall.glb');
  const report = await validator.validateBytes(new Uint8Array(bytesOf('fall.glb')));
  check(`fall.glb: ${JSON.stringify(report.issues.messages.slice(0, 3))}`, report.issues.numErrors === 0 && report.issues.numWarnings === 0);
  const file = bytesOf('fall.glb'), length = file.readUInt32LE(12);
  const gltf = JSON.parse(file.subarray(20, 20 + length)), data = file.subarray(28 + length);
  const floats = (accessor) => {
    const view = gltf.bufferViews[gltf.accessors[accessor].bufferView];
    return Array.from({ length: view.byteLength / 4 }, (_, i) => data.readFloatLE(view.byteOffset + 4 * i));
  };
  const node = gltf.nodes.findIndex((n) => n.name === 'cube'), { samplers, channels } = gltf.animations[0];
  const { targets } = gltf.meshes[gltf.nodes[node].mesh].primitives[0];
  const channel = channels.find((c) => c.target.node === node && c.target.path === 'weights');
  const times = floats(samplers[channel.sampler].input), weights = floats(samplers[channel.sampler].output);
  check(`a shape for each of ${times.length} key frames`, times.length === 21 && targets.length === 20 && weights.length === 21 * 20);
  times.forEach((t, k) => {
    check(`key frame ${k} is its shape`, targets.every((_, i) => weights[20 * k + i] === Number(i === k - 1)));
    if (k === 0) return;
    const moved = floats(targets[k - 1].POSITION);
    moved.forEach((d, i) => { if (Math.abs(d - (i % 3 === 1 ? -5 * t * t : 0)) > 1e-5) check(`at ${t} a vertex has moved by ${d}`, false); });
  });
  const heights = (time) => {
    run('convert', 'fall.rbj', 'fall.obj', '--time', time);
    return readFileSync(join(folder, 'fall.obj'), 'utf8').split('\n').filter((l) => l.startsWith('v ')).map((l) => Number(l.split(' ')[2]));
  };
  const first = heights('0');
  check('the still has a surface', first.length > 100);
  heights('0.4').forEach((y, i) => { if (Math.abs(y - first[i] + 0.8) > 1e-5) check(`a vertex of the still is at ${y}`, false); });
  const strange = tryRun('render', 'fall.rbj', '--show', 'bones');
  check(`what cannot be shown: ${strange.text}`, strange.code === 2 && strange.text.includes("'bones' cannot be shown of soft bodies"));
}

await glb();
await grains();
await tracks();
await soft();
three();
stills();
pictures();
plots();
finish();
