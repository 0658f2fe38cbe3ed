// SPDX-License-Identifier: MIT
// What of a run the camera should see: the parts that move, over the time, and what stands near them. Some rows are looked at.
import * as THREE from 'three';
import { geometryOf } from './forms.js';
import { FORM, hasPoints, pointsOf } from './stream.js';

const LOOKS = 240; // rows of a run
const MANY = 300; // objects: their middles and one segment tell enough
const FEW_POINTS = 400; // none is dropped
const MUCH = 0.6; // of the size: if more is left, none is dropped
const LARGER = 2.4; // what stands may be than what moves, to be seen whole

const isSolid = (o) => o.form >= FORM.sphere && o.form <= FORM.mesh || o.form === FORM.spring || o.form === FORM.gearwheel;
const isEndless = (o) => [FORM.gravity, FORM.axis, FORM.halfspace, FORM.lines, FORM.polygons, FORM.strut].includes(o.form);

const matrixOf = (r, q) => new THREE.Matrix4().compose(new THREE.Vector3(...r.slice(0, 3)),
  new THREE.Quaternion(q[1], q[2], q[3], q[0]), new THREE.Vector3(1, 1, 1));

// Boxes of forms in their own frames, each made once.
class Boxes {
  constructor(meshes) { this.meshes = meshes; this.seen = new Map(); }
  of(o) {
    const key = `${o.form} ${o.axis} ${o.mesh} ${o.size} ${o.centre}`;
    if (!this.seen.has(key)) this.seen.set(key, this.make(o));
    return this.seen.get(key);
  }
  make(o) {
    if (o.form === FORM.arrow) return new THREE.Box3().setFromPoints([new THREE.Vector3(), new THREE.Vector3(...o.size.slice(0, 3))]);
    const g = isSolid(o) ? geometryOf(o, o.size, this.meshes, true) : null;
    g?.computeBoundingBox();
    return g?.boundingBox.clone() ?? new THREE.Box3().setFromPoints([new THREE.Vector3(), new THREE.Vector3(...o.centre)]);
  }
}

// Where every object is in a row: a thing that does not move by itself goes with its parent.
export function places(segment, row) {
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

export function cornersOf(box) {
  return [0, 1, 2, 3, 4, 5, 6, 7].map((i) => new THREE.Vector3(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y,
    i & 4 ? box.max.z : box.min.z));
}

// Points of spheres and moving vertices, at most some thousands.
function addPoints(list, run, s, row, matrices) {
  const all = [...run.segments[s].drawing.base, ...run.chunks({ segment: s, local: row })];
  for (const c of all.filter(hasPoints)) {
    const points = pointsOf(c), step = Math.max(1, Math.floor(points.length / 3 / 2000));
    for (let i = 0; i < points.length / 3; i += step) list.push(new THREE.Vector3().fromArray(points, 3 * i).applyMatrix4(matrices[c.object]));
  }
}

// One row: points of what moves, where the leader is, boxes of what stands.
function look(run, s, row, boxes, leader) {
  const segment = run.segments[s], { objects, moving } = segment.drawing, matrices = places(segment, row);
  const moves = [], points = [], fixed = [], middle = new THREE.Vector3();
  const first = objects.find((o) => o.name === leader);
  for (const o of objects) {
    moves[o.number] = o.moves || (o.parent >= 0 && moves[o.parent]);
    if (isEndless(o) || o.form === FORM.spheres) continue;
    if (!moves[o.number]) { if (isSolid(o)) fixed.push(boxes.of(o).clone().applyMatrix4(matrices[o.number])); continue; }
    const box = boxes.of(o);
    if (moving.length > MANY) points.push(new THREE.Vector3().setFromMatrixPosition(matrices[o.number]));
    else points.push(...cornersOf(box).map((p) => p.applyMatrix4(matrices[o.number])));
  }
  addPoints(points, run, s, row, matrices);
  if (first) middle.setFromMatrixPosition(matrices[first.number]);
  return { points, fixed, middle };
}

// The heaviest body that is there at the end.
function leaderOf(run) {
  const { objects, moving } = run.segments.findLast((s) => s.drawing && s.count > 0)?.drawing ?? { moving: [] };
  return moving.length ? moving.map((k) => objects[k]).reduce((a, b) => (b.mass > a.mass ? b : a)).name : null;
}

function looks(run, leader) {
  const boxes = new Boxes(run.meshes), list = [], drawn = run.segments.filter((s) => s.drawing && s.count > 0).length;
  for (const [k, s] of run.segments.entries()) {
    if (!s.drawing || s.count === 0) continue;
    const many = s.drawing.moving.length > MANY, rows = many ? 4 : Math.max(2, Math.min(20, Math.ceil(LOOKS / drawn)));
    for (let i = 0; i < rows; i++) list.push(look(run, k, Math.round(i * (s.count - 1) / Math.max(1, rows - 1)), boxes, leader));
    if (many) break;
  }
  return list;
}

const size = (box) => (box.isEmpty() ? 0 : box.getSize(new THREE.Vector3()).length());

// Without the outermost hundredth on each side, if these are far from the others.
function dropFar(points) {
  if (points.length <= FEW_POINTS) return points;
  const box = new THREE.Box3();
  for (const k of ['x', 'y', 'z']) {
    const sorted = Float64Array.from(points, (p) => p[k]).sort();
    box.min[k] = sorted[Math.floor(0.01 * points.length)];
    box.max[k] = sorted[Math.ceil(0.99 * points.length) - 1];
  }
  if (size(box) > MUCH * size(new THREE.Box3().setFromPoints(points))) return points;
  const slack = 1e-6 * size(box);
  return points.filter((p) => box.distanceToPoint(p) <= slack);
}

// What stands is seen whole if it is not much larger than what moves, otherwise the part near it.
function addFixed(points, fixed) {
  const moving = new THREE.Box3().setFromPoints(points);
  if (fixed.isEmpty()) return points;
  if (moving.isEmpty() || size(fixed) <= LARGER * size(moving)) return points.concat(cornersOf(fixed));
  const near = moving.clone().expandByScalar(0.25 * size(moving)).intersect(fixed);
  return near.isEmpty() ? points : points.concat(cornersOf(near));
}

// Does a joint hold something to the world? Then what is to be seen happens there.
function isHeld(run) {
  const { objects } = run.segments.find((s) => s.drawing)?.drawing ?? { objects: [] };
  const stands = (k) => k < 0 || !objects[k].moves && stands(objects[k].parent);
  return objects.some((o) => o.form === FORM.axis && (stands(o.parent) || stands(o.partner)));
}

// {box, points: to be framed, leader: the camera goes with this object, or null, start: where that is at first}
export function findFrame(run) {
  const heaviest = leaderOf(run), list = looks(run, heaviest), start = list[0]?.middle ?? new THREE.Vector3();
  let points = dropFar(list.flatMap((l) => l.points)), fixed = new THREE.Box3();
  for (const b of list[0]?.fixed ?? []) fixed = fixed.union(b);
  const whole = size(new THREE.Box3().setFromPoints(points)), first = new THREE.Box3().setFromPoints(list[0]?.points ?? []), own = size(first);
  const travels = own > 0 && whole > 20 * own && size(fixed) < 0.3 * whole && !isHeld(run);
  const leaves = travels || own > 0 && whole > 8 * own && size(fixed) < own && isHeld(run);
  if (travels) points = list.flatMap((l) => l.points.map((p) => p.clone().sub(l.middle).add(start)));
  const near = first.clone().expandByScalar((travels ? 0.2 : 0.5) * own);
  if (leaves) points = points.map((p) => near.clampPoint(p, new THREE.Vector3()));
  if (!travels) points = addFixed(points, fixed);
  if (points.length === 0) points = cornersOf(new THREE.Box3(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1)));
  // Pins with their supports, and the balls of masses without a shape, are drawn around points.
  const box = new THREE.Box3().setFromPoints(points), has = (what) => run.drawings.some((d) => d.objects.some(what));
  const around = has((o) => o.form === FORM.axis) ? 0.04 : has((o) => o.mass > 0 && !isSolid(o)) ? 0.06 : 0;
  if (around) points = points.concat(cornersOf(box.expandByScalar(around * size(box))));
  if (run.meta.live) points = points.concat(cornersOf(box.expandByScalar(0.25 * size(box)))); // what comes is not known
  if (size(box) === 0) points = cornersOf(box.expandByScalar(0.5));
  const every = Math.ceil(points.length / 4000);
  return { box, points: points.filter((_, i) => i % every === 0), leader: travels ? heaviest : null, start };
}
