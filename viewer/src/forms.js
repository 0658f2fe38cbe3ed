// SPDX-License-Identifier: MIT
// What the forms of a drawing look like in three.js. The frame of a form is that of docs/formats.md.
import * as THREE from 'three';
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js';
import { toCreasedNormals } from 'three/addons/utils/BufferGeometryUtils.js';
import { FORM } from './stream.js';

const CREASE = 0.6; // [rad] between faces: smaller angles look round
const SMOOTHED = 30000; // corners of a mesh that is looked at for creases, at most

// Turn a geometry whose axis is z so that it points along axis 1, 2, 3.
function alongAxis(geometry, axis) {
  if (axis === 1) geometry.applyMatrix4(new THREE.Matrix4().set(0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1));
  if (axis === 2) geometry.applyMatrix4(new THREE.Matrix4().set(0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1));
  return geometry;
}

// A geometry of three.js around y, turned to z.
const upright = (geometry) => geometry.rotateX(Math.PI / 2);

function pipe(outer, inner, length) {
  const ring = new THREE.Shape().absarc(0, 0, outer, 0, 2 * Math.PI, false);
  ring.holes.push(new THREE.Path().absarc(0, 0, inner, 0, 2 * Math.PI, true));
  return new THREE.ExtrudeGeometry(ring, { depth: length, bevelEnabled: false, curveSegments: 48 })
    .translate(0, 0, -length / 2);
}

// Edges are a little round, so that light catches them.
const bevelOf = (...sides) => Math.min(0.06 * Math.min(...sides), 0.01 * Math.max(...sides));

export function block(x, y, z) {
  return Math.min(x, y, z) > 0 ? new RoundedBoxGeometry(x, y, z, 2, bevelOf(x, y, z)) : new THREE.BoxGeometry(x, y, z);
}

// A cylinder around z.
export function rod(radius, length) {
  const b = bevelOf(2 * radius, length), h = length / 2;
  const outline = [[0, -h], [radius - b, -h], [radius - b, -h], [radius, b - h], [radius, b - h], [radius, h - b], [radius, h - b],
    [radius - b, h], [radius - b, h], [0, h]];
  return upright(toCreasedNormals(new THREE.LatheGeometry(outline.map(([x, y]) => new THREE.Vector2(x, y)), 48), CREASE));
}

// Length along x, width along y, thickness along z.
export function beam(length, width, thickness) {
  const r = width / 2, h = length / 2, s = new THREE.Shape();
  s.moveTo(-h, -r).lineTo(h, -r).absarc(h, 0, r, -Math.PI / 2, Math.PI / 2, false)
    .lineTo(-h, r).absarc(-h, 0, r, Math.PI / 2, 1.5 * Math.PI, false);
  return new THREE.ExtrudeGeometry(s, { depth: thickness, bevelEnabled: false, curveSegments: 24 })
    .translate(0, 0, -thickness / 2);
}

function gear(diameter, length, inner, teeth) {
  const n = Math.max(6, Math.round(teeth)), r = diameter / 2, depth = Math.min(0.1 * r, 3 * r / n), s = new THREE.Shape();
  for (let i = 0; i < n; i++) {
    [0, 0.3, 0.5, 0.8].forEach((f, k) => {
      const a = (i + f) / n * 2 * Math.PI, radius = k < 2 ? r : r - depth;
      if (i + k === 0) s.moveTo(radius, 0); else s.lineTo(radius * Math.cos(a), radius * Math.sin(a));
    });
  }
  if (inner > 0) s.holes.push(new THREE.Path().absarc(0, 0, inner / 2, 0, 2 * Math.PI, true));
  return new THREE.ExtrudeGeometry(s, { depth: length, bevelEnabled: false }).translate(0, 0, -length / 2);
}

class Coil extends THREE.Curve {
  constructor(length, radius, windings) { super(); Object.assign(this, { length, radius, windings }); }
  getPoint(t, target = new THREE.Vector3()) {
    const a = 2 * Math.PI * this.windings * t;
    return target.set(this.radius * Math.cos(a), this.radius * Math.sin(a), this.length * t);
  }
}

export function coil(length, diameter, wire, windings) {
  const turns = windings || 5;
  return new THREE.TubeGeometry(new Coil(length, (diameter - wire) / 2, turns), Math.ceil(24 * turns), wire / 2 || 0.01, 8);
}

export function meshGeometry(mesh) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(mesh.positions.slice(), 3));
  geometry.setIndex(new THREE.BufferAttribute(mesh.indices, 1));
  const flat = geometry.toNonIndexed(); // sharp edges stay sharp
  if (flat.attributes.position.count <= SMOOTHED) return toCreasedNormals(flat, CREASE);
  flat.computeVertexNormals();
  return flat;
}

// The geometry of a form with these sizes, or null if it has no surface. plain: with sharp edges, which takes less time.
export function geometryOf(o, size, meshes, plain = false) {
  const [a, b, c, d] = size;
  switch (o.form) {
    case FORM.sphere: return new THREE.SphereGeometry(a / 2, 32, 20);
    case FORM.ellipsoid: return new THREE.SphereGeometry(0.5, 40, 24).scale(a, b, c);
    case FORM.box: return plain ? new THREE.BoxGeometry(a, b, c) : block(a, b, c);
    case FORM.cylinder:
      return alongAxis(c > 0 ? pipe(a / 2, c / 2, b) : plain ? upright(new THREE.CylinderGeometry(a / 2, a / 2, b, 48)) : rod(a / 2, b), o.axis);
    case FORM.cone:
      return alongAxis(upright(new THREE.CylinderGeometry(c / 2, a / 2, b, 48)).translate(0, 0, b / 2), o.axis);
    case FORM.capsule: return alongAxis(upright(new THREE.CapsuleGeometry(a / 2, b, 12, 32)), o.axis);
    case FORM.beam: return alongAxis(beam(a, b, c), (o.axis + 1) % 3 + 1); // its length points along the axis
    case FORM.mesh: return meshGeometry(meshes[o.mesh]);
    case FORM.spring: return alongAxis(coil(a, b, c, d), o.axis);
    case FORM.gearwheel: return alongAxis(gear(a, b, c, d), o.axis);
    default: return null;
  }
}

// A text always faces the viewer.
export function textSprite(text, height, colour) {
  const canvas = document.createElement('canvas'), pixels = 64;
  let pen = canvas.getContext('2d');
  pen.font = `${pixels}px sans-serif`;
  canvas.width = Math.max(1, Math.ceil(pen.measureText(text).width) + 8);
  canvas.height = pixels * 1.3;
  pen = canvas.getContext('2d');
  pen.font = `${pixels}px sans-serif`;
  pen.fillStyle = colour;
  pen.textBaseline = 'middle';
  pen.fillText(text, 4, canvas.height / 2);
  const map = new THREE.CanvasTexture(canvas);
  map.colorSpace = THREE.SRGBColorSpace;
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map, depthWrite: false }));
  sprite.scale.set(height * canvas.width / canvas.height, height, 1);
  return sprite;
}

export function gridLines(length, width, distance, axis, colour) {
  const points = [], step = distance > 0 ? distance : Math.max(length, width) / 10;
  for (let x = -length / 2; x <= length / 2 + 1e-9; x += step) points.push(x, -width / 2, 0, x, width / 2, 0);
  for (let y = -width / 2; y <= width / 2 + 1e-9; y += step) points.push(-length / 2, y, 0, length / 2, y, 0);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
  return new THREE.LineSegments(alongAxis(geometry, axis), new THREE.LineBasicMaterial({ color: colour }));
}

// Arrows that are drawn together: shafts and heads are instances; lengths in metres of the picture.
export class Arrows {
  constructor(colour, capacity = 64) {
    this.group = new THREE.Group();
    this.colour = colour;
    this.allocate(capacity);
  }

  allocate(capacity) {
    this.group.clear();
    this.capacity = capacity;
    const material = new THREE.MeshBasicMaterial();
    this.shafts = new THREE.InstancedMesh(new THREE.CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0), material, capacity);
    this.heads = new THREE.InstancedMesh(new THREE.ConeGeometry(1, 1, 14).translate(0, -0.5, 0), material, capacity);
    for (const m of [this.shafts, this.heads]) { m.frustumCulled = false; m.count = 0; this.group.add(m); }
  }

  // list: {at: Vector3, vector: Vector3, colour: Color or nothing}; thickness: radius of a shaft.
  set(list, thickness) {
    if (list.length > this.capacity) this.allocate(2 * list.length);
    const m = new THREE.Matrix4(), q = new THREE.Quaternion(), up = new THREE.Vector3(0, 1, 0);
    const scale = new THREE.Vector3(), tip = new THREE.Vector3(), n = new THREE.Vector3();
    const own = new THREE.Color(this.colour);
    let count = 0;
    this.lengths = [];
    for (const { at, vector, colour } of list) {
      const length = vector.length();
      if (!(length > 1e-9)) continue;
      n.copy(vector).divideScalar(length);
      q.setFromUnitVectors(up, n);
      const head = Math.min(0.4 * length, 5 * thickness);
      m.compose(at, q, scale.set(thickness, length - head, thickness));
      this.shafts.setMatrixAt(count, m);
      m.compose(tip.copy(at).add(vector), q, scale.set(2.4 * thickness, head, 2.4 * thickness));
      this.heads.setMatrixAt(count, m);
      for (const part of [this.shafts, this.heads]) part.setColorAt(count, colour ?? own);
      this.lengths.push(length);
      count++;
    }
    this.shafts.count = this.heads.count = count;
    for (const part of [this.shafts, this.heads]) {
      part.instanceMatrix.needsUpdate = true;
      if (part.instanceColor) part.instanceColor.needsUpdate = true;
    }
  }
}
