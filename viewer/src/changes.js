// SPDX-License-Identifier: MIT
// Changes of structure: what was attached, released or broken, and where. For a while afterwards the parts glow, and a ring opens at the place.
import * as THREE from 'three';
import { places } from './bounds.js';

const LONG = 0.04; // of the run: a change is seen for so long
const GLOW = 0xff7a00;
const RINGS = 4; // for each change

// Does an object belong to a name such as 'stage.top.frame_b'?
const belongs = (object, name) => object === name || name.startsWith(`${object}.`) || object.startsWith(`${name}.`);

// [{time, cause, names, places}]; a segment without names begins for reasons of the solver.
export function changesOf(run) {
  const list = [];
  run.segments.forEach((s, i) => {
    const names = [...(s.cause ?? '').matchAll(/'([^']+)'/g)].map((m) => m[1]);
    if (names.length === 0) return;
    const before = run.segments[i - 1], from = before?.drawing && before.count > 0 ? before : s;
    list.push({ time: run.times[s.first], cause: s.cause, names, places: placesOf(from, from === s ? 0 : from.count - 1, names) });
  });
  return list;
}

function placesOf(segment, row, names) {
  if (!segment.drawing || segment.count === 0) return [];
  const all = places(segment, row), found = names.map((n) => segment.drawing.objects.find((o) => belongs(o.name, n)));
  return found.filter(Boolean).slice(0, RINGS).map((o) => new THREE.Vector3().setFromMatrixPosition(all[o.number]));
}

function ringTexture() {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 128;
  const pen = canvas.getContext('2d');
  pen.strokeStyle = '#ffffff';
  pen.lineWidth = 9;
  pen.beginPath();
  pen.arc(64, 64, 56, 0, 2 * Math.PI);
  pen.stroke();
  return new THREE.CanvasTexture(canvas);
}

export class Changes {
  constructor(scene, run) {
    this.scene = scene;
    this.list = changesOf(run);
    this.long = LONG * (run.stop - run.start);
    this.rings = [];
    if (this.list.length === 0) return;
    const map = ringTexture();
    for (let i = 0; i < 2 * RINGS; i++) {
      const ring = new THREE.Sprite(new THREE.SpriteMaterial({ map, color: GLOW, transparent: true, depthTest: false }));
      ring.visible = false;
      ring.renderOrder = 3;
      this.rings.push(ring);
      scene.scene.add(ring);
    }
  }

  // Those that are seen now: {change, strength from 1 to 0}
  now(time) {
    return this.list.map((change) => ({ change, strength: 1 - (time - change.time) / this.long })).filter(({ strength }) => strength > 0 && strength <= 1);
  }

  update(time) {
    if (this.list.length === 0) return;
    const { scene } = this, now = scene.show.changes ? this.now(time) : [];
    for (const node of scene.nodes) {
      const emissive = node.userData.mesh?.material.emissive;
      if (!emissive || !node.userData.moving) continue; // what stands does not change
      const glow = Math.max(0, ...now.filter(({ change }) => change.names.some((n) => belongs(node.name, n))).map(({ strength }) => strength));
      emissive.set(glow > 0 ? GLOW : 0).multiplyScalar(glow > 0 ? 0.7 * glow : 1);
    }
    const spots = now.flatMap(({ change, strength }) => change.places.map((at) => ({ at, strength })));
    this.rings.forEach((ring, i) => {
      const spot = spots[i];
      ring.visible = spot !== undefined;
      if (!spot) return;
      ring.position.copy(spot.at);
      ring.scale.setScalar(scene.radius * (0.12 + 0.25 * (1 - spot.strength)));
      ring.material.opacity = spot.strength;
    });
  }
}
