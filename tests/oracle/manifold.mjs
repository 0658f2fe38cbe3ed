// SPDX-License-Identifier: MIT
// Compares the lines of csg_pairs with the kernel manifold-3d: volumes to 1e-6 of the sum of both, areas to 1e-6, Euler's
// characteristics. Where solids only touch in a face manifold-3d may keep a plate without volume as their intersection, which is counted.
// Of a third of the pairs faces coincide up to single precision: what lies between them is a skin that manifold-3d takes for a rounding
// error and we do not, and only volumes are compared.
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

let pairs = 0, failures = 0, skins = 0, plates = 0, others = 0;
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
        const error = Math.abs(result.volume() - p[name].volume) / scale;
        const areaError = Math.abs(result.surfaceArea() - p[name].area) / surface;
        const euler = result.isEmpty() ? 0 : 2 - 2 * result.genus();
        volumes.see(error, p.number);
        if (!(error <= 1e-6)) complain(p, name, 'volume', result.volume());
        const differs = !(areaError <= 1e-6) || euler !== p[name].euler;
        if (anyhow) {
            areas.see(areaError, p.number);
            if (!(areaError <= 1e-6)) complain(p, name, 'area', result.surfaceArea());
            if (euler !== p[name].euler) complain(p, name, 'euler', euler);
        } else if (differs && p.number % 3 === 2)
            skins++;
        else if (differs && p[name].area === 0 && result.volume() <= 1e-6 * scale)
            plates++;
        else if (differs) {
            others++;
            console.log(`pair ${p.number}, ${name}: area ${p[name].area}, Euler ${p[name].euler}; manifold-3d ${result.surfaceArea()}, ${euler}`);
        }
        result.delete();
    }
    a.delete();
    b.delete();
    pairs++;
}
console.log(`${pairs} pairs, largest difference of volumes ${volumes}, of areas ${areas}, ${failures} failures; ` +
    `where faces coincide, manifold-3d keeps ${plates} plates without volume, and ${others} results differ; up to single precision ${skins}`);
process.exit(pairs > 0 && failures === 0 && others <= pairs / 1000 ? 0 : 1);
