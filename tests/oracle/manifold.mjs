// SPDX-License-Identifier: MIT
// Compares the lines of csg_pairs with the kernel manifold-3d: volumes to 1e-6 of the sum of both, areas to 1e-6, Euler's
// characteristics. What is smaller than single precision can tell counts as nothing, and so does a plate without volume, which
// manifold-3d may keep where solids only touch in a face; that is counted. Where a result touches itself in an edge
// manifold-3d joins faces now in one way and now in another; asked with solids that are a little smaller or larger, so that nothing touches, it
// has to say what we do. Of a third of the pairs faces coincide up to single precision: what lies between them is a skin that
// manifold-3d takes for a rounding error and we do not, and only volumes are compared.
//     node manifold.mjs FOLDER-WITH-NODE_MODULES < lines
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const file = process.argv[2] + '/node_modules/manifold-3d/manifold.js';
const { default: Module } = await import(pathToFileURL(file));
const wasm = await Module();
wasm.setup();
const { Manifold, Mesh } = wasm;

function solid(m) {
    const mesh = new Mesh({ numProp: 3, vertProperties: new Float32Array(m.x), triVerts: new Uint32Array(m.t) });
    return new Manifold(mesh);
}

// A convex solid, larger or smaller.
function scaled(solid, factor) {
    const { min, max } = solid.boundingBox();
    const middle = min.map((x, k) => (x + max[k]) / 2);
    return solid.translate(middle.map(x => -x)).scale(factor).translate(middle);
}

// Euler's characteristic of what is left of a difference or an intersection if a little is taken off its whole surface.
function erodedEuler(name, a, b) {
    const off = 1e-4;
    const one = scaled(a, 1 - off), other = scaled(b, name === 'difference' ? 1 + off : 1 - off);
    return euler(name === 'difference' ? one.subtract(other) : one.intersect(other));
}

function euler(result) { return result.isEmpty() ? 0 : 2 - 2 * result.genus(); }

// The largest difference of one kind, and how many are beyond 1e-6.
class Worst {
    value = 0;
    at = -1;
    beyond = 0;
    see(error, number) {
        if (error > this.value) [this.value, this.at] = [error, number];
        if (!(error <= 1e-6)) this.beyond++;
    }
    toString() { return `${this.value.toExponential(2)} (pair ${this.at})`; }
}

let pairs = 0, failures = 0, skins = 0, plates = 0, joined = 0;
const volumes = new Worst(), areas = new Worst();
function complain(p, name, what, theirs) {
    failures++;
    console.error(`pair ${p.number}, ${name}: ${what} ${p[name][what]}, manifold-3d ${theirs}`);
}

for await (const line of createInterface({ input: process.stdin })) {
    if (!line.startsWith('{')) continue;
    const p = JSON.parse(line), anyhow = p.number % 4 === 3; // as csg_case_pair has it
    const a = solid(p.a), b = solid(p.b);
    const scale = a.volume() + b.volume(), surface = a.surfaceArea() + b.surfaceArea();
    const theirs = { union: a.add(b), difference: a.subtract(b), intersection: a.intersect(b) };
    for (const [name, result] of Object.entries(theirs)) {
        const ours = p[name].area > 1e-12 * surface ? p[name] : { volume: 0, area: 0, euler: 0 };
        const error = Math.abs(result.volume() - ours.volume) / scale;
        volumes.see(error, p.number);
        if (!(error <= 1e-6)) complain(p, name, 'volume', result.volume());
        const areaError = Math.abs(result.surfaceArea() - ours.area) / surface;
        const differs = !(areaError <= 1e-6) || euler(result) !== ours.euler;
        if (!anyhow && p.number % 3 === 2) {
            if (differs) skins++;
        } else if (differs && ours.area === 0 && result.volume() <= 1e-6 * scale) {
            plates++;
        } else {
            areas.see(areaError, p.number);
            if (!(areaError <= 1e-6)) complain(p, name, 'area', result.surfaceArea());
            const otherwise = euler(result) !== ours.euler && !anyhow && name !== 'union';
            if (otherwise) joined++;
            const want = otherwise ? erodedEuler(name, a, b) : euler(result);
            if (want !== ours.euler) complain(p, name, 'euler', want);
        }
        result.delete();
    }
    a.delete();
    b.delete();
    pairs++;
}
console.log(`${pairs} pairs, largest difference of volumes ${volumes}, of areas ${areas}, ${failures} failures; ` +
    `where faces coincide, manifold-3d keeps ${plates} plates without volume and joins ${joined} results otherwise where they touch themselves; ` +
    `up to single precision ${skins} differ`);
process.exit(pairs > 0 && failures === 0 ? 0 : 1);
