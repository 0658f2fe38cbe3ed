// SPDX-License-Identifier: MIT
// Compares the lines of csg_pairs with the kernel manifold-3d: volumes to 1e-6 of the sum of both.
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

let pairs = 0, worst = 0, worstAt = -1, failures = 0;
for await (const line of createInterface({ input: process.stdin })) {
    if (!line.startsWith('{')) continue;
    const p = JSON.parse(line);
    const a = solid(p.a), b = solid(p.b);
    const scale = a.volume() + b.volume();
    const theirs = { union: a.add(b), difference: a.subtract(b), intersection: a.intersect(b) };
    for (const [name, result] of Object.entries(theirs)) {
        const error = Math.abs(result.volume() - p[name].volume) / scale;
        if (error > worst) { worst = error; worstAt = p.number; }
        if (!(error <= 1e-6)) {
            failures++;
            console.error(`pair ${p.number}, ${name}: ${p[name].volume}, manifold-3d ${result.volume()}`);
        }
        result.delete();
    }
    a.delete();
    b.delete();
    pairs++;
}
console.log(`${pairs} pairs, largest difference of volumes ${worst.toExponential(2)} (pair ${worstAt}), ${failures} beyond 1e-6`);
process.exit(pairs > 0 && failures === 0 ? 0 : 1);
