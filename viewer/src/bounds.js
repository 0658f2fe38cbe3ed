// SPDX-License-Identifier: MIT
// The box in which a run takes place: some rows of each segment are looked at.
import * as THREE from 'three';
import { geometryOf } from './forms.js';
import { FORM, hasPoints, pointsOf } from './stream.js';

const LOOKS = 20; // rows of a segment
const MANY = 1000; // objects: one segment tells enough of so many

const isSolid = (o) => o.form >= FORM.sphere && o.form <= FORM.mesh || o.form === FORM.spring || o.form === FORM.gearwheel;
const isEndless = (o) => [FORM.gravity, FORM.axis, FORM.halfspace, FORM.lines, FORM.polygons].includes(o.form);

const matrixOf = (r, q) => new THREE.Matrix4().compose(new THREE.Vector3(...r.slice(0, 3)),
  new THREE.Quaternion(q[1], q[2], q[3], q[0]), new THREE.Vector3(1, 1, 1));

// Boxes of forms in their own frames, each made once.
class Boxes {
  constructor(meshes) { this.meshes = meshes; this.seen = new Map(); }
  of(o) {
    const key = `${o.form} ${o.axis} ${o.mesh} ${o.size}`;
    if (!this.seen.has(key)) this.seen.set(key, this.make(o));
    return this.seen.get(key);
  }
  make(o) {
    if (o.form === FORM.arrow) return new THREE.Box3().setFromPoints([new THREE.Vector3(), new THREE.Vector3(...o.size.slice(0, 3))]);
    const g = isSolid(o) ? geometryOf(o, o.size, this.meshes) : null;
    g?.computeBoundingBox();
    return g?.boundingBox.clone() ?? new THREE.Box3(new THREE.Vector3(), new THREE.Vector3());
  }
}

// Where every object is in a row: a thing that does not move by itself goes with its parent.
function places(segment, row) {
  const { objects, moving } = segment.drawing, n = moving.length, index = new Map(moving.map((o, k) => [o, k]));
  const list = [];
  for (const o of objects) {
    const k = index.get(o.number);
    const p = (c) => segment.poses[(c * n + k) * segment.count + row];
    const own = k === undefined ? matrixOf(o.position, o.rotation) : matrixOf([p(0), p(1), p(2)], [p(3), p(4), p(5), p(6)]);
    list.push(k === undefined && o.parent >= 0 ? own.premultiply(list[o.parent]) : own);
  }
  return list;
}

// Points of spheres and moving vertices.
function addPoints(box, run, s, row, matrices) {
  const v = new THREE.Vector3();
  const all = [...run.segments[s].drawing.base, ...run.chunks({ segment: s, local: row })];
  for (const c of all.filter(hasPoints)) {
    const points = pointsOf(c);
    for (let i = 0; i < points.length / 3; i++) box.expandByPoint(v.fromArray(points, 3 * i).applyMatrix4(matrices[c.object]));
  }
}

export function findBounds(run) {
  const box = new THREE.Box3(), own = new THREE.Box3(), boxes = new Boxes(run.meshes);
  for (const [k, s] of run.segments.entries()) {
    if (!s.drawing || s.count === 0) continue;
    const { objects, moving } = s.drawing, looks = moving.length > MANY ? 4 : LOOKS;
    for (let i = 0, step = Math.max(1, Math.floor(s.count / looks)); i < s.count; i += step) {
      const matrices = places(s, i);
      for (const o of objects) {
        if (!isEndless(o) && o.form !== FORM.spheres) box.union(own.copy(boxes.of(o)).applyMatrix4(matrices[o.number]));
      }
      addPoints(box, run, k, i, matrices);
    }
    if (moving.length > MANY) break;
  }
  if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
  return box;
}
