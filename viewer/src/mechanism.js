// SPDX-License-Identifier: MIT
// Mechanisms drawn by themselves: bars between the frames of a body where it has no shape, pins, rails and balls of joints, supports
// where they stand on the world, masses, springs and dampers. Sizes follow from the distances between joints.
import * as THREE from 'three';
import { places } from './bounds.js';
import { beam, block, coil, rod } from './forms.js';
import { PALETTE, materialOf } from './looks.js';
import { FORM } from './stream.js';

const WORLD = -1;
const MANY_STRUTS = 150; // more are lines
const STEEL = 0xa3abb3, DARK = 0x505962, SUPPORT = 0x939ea8, SPRING = 0xd9a326;
const Z = new THREE.Vector3(0, 0, 1);

const isSolid = (o) => o.form >= FORM.sphere && o.form <= FORM.mesh || o.form === FORM.spring || o.form === FORM.gearwheel;
const paint = (colour, metalness = 0) => ({ colour: new THREE.Color(colour), metalness, roughness: 0.42, opacity: 1 });
const vector = (a) => new THREE.Vector3(a[0], a[1], a[2]);
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

// A frame whose z points along n, and whose x is as near to `x` as it can be.
function frameOf(n, x = new THREE.Vector3(1, 0, 0)) {
  const z = n.clone().normalize(), y = new THREE.Vector3().crossVectors(z, x);
  if (y.length() < 1e-3) y.crossVectors(z, new THREE.Vector3(0, 1, 0.3));
  y.normalize();
  return new THREE.Quaternion().setFromRotationMatrix(new THREE.Matrix4().makeBasis(y.clone().cross(z), y, z));
}

// What moves as one: the object whose pose is given, and all that is fixed to it; or the world.
class Cluster {
  constructor(root) { Object.assign(this, { root, objects: [], joints: [], points: [], axes: [], depth: 0, solids: [] }); }

  addPoint(p, axis) {
    let k = this.points.findIndex((q) => q.distanceTo(p) < 1e-9 + 1e-6 * p.length());
    if (k < 0) k = this.points.push(p.clone()) - 1;
    if (axis) this.axes[k] = axis;
  }

  // The shortest lines that connect all points.
  get edges() {
    const near = this.points.map((p) => ({ from: 0, d: p.distanceTo(this.points[0]) })), list = [], left = new Set(near.keys());
    left.delete(0);
    while (left.size > 0) {
      const k = [...left].reduce((a, b) => (near[b].d < near[a].d ? b : a));
      list.push([near[k].from, k]);
      left.delete(k);
      for (const i of left) {
        const d = this.points[i].distanceTo(this.points[k]);
        if (d < near[i].d) near[i] = { from: k, d };
      }
    }
    return list;
  }

  // Is a line mostly inside of the shapes?
  covers(p, q) {
    const at = new THREE.Vector3();
    const inside = [0.1, 0.3, 0.5, 0.7, 0.9].filter((f) => {
      at.lerpVectors(p, q, f);
      return this.solids.some(({ box, inverse, slack }) => box.distanceToPoint(at.clone().applyMatrix4(inverse)) <= slack);
    });
    return inside.length > 2;
  }
}

export class Mechanism {
  constructor(scene, drawing) {
    Object.assign(this, { drawing, nodes: scene.nodes, run: scene.run, up: scene.up, home: scene.root, struts: [] });
    if (drawing.objects.length > 3000) return;
    this.cluster();
    this.setDepths();
    const lengths = [...this.clusters.values()].filter((c) => c.root !== WORLD && c.points.length < 100)
      .flatMap((c) => c.edges.map(([i, j]) => c.points[i].distanceTo(c.points[j])));
    const r = scene.radius;
    this.u = Math.min(0.03 * r, Math.max(0.012 * r, 0.055 * (lengths.length ? median(lengths) : r)));
    this.drawBodies();
    for (const o of this.joints) this.drawJoint(o);
    this.addStruts();
  }

  // ---- what belongs together

  cluster() {
    const { objects } = this.drawing;
    this.clusters = new Map([[WORLD, new Cluster(WORLD)]]);
    this.rootOf = [];
    this.matrix = []; // in the frame of the root
    for (const o of objects) {
      this.rootOf[o.number] = o.moves ? o.number : o.parent >= 0 ? this.rootOf[o.parent] : WORLD;
      const own = o.moves ? new THREE.Matrix4() : new THREE.Matrix4().compose(vector(o.position),
        new THREE.Quaternion(o.rotation[1], o.rotation[2], o.rotation[3], o.rotation[0]), new THREE.Vector3(1, 1, 1));
      this.matrix[o.number] = !o.moves && o.parent >= 0 ? own.premultiply(this.matrix[o.parent]) : own;
      if (!this.clusters.has(this.rootOf[o.number])) this.clusters.set(this.rootOf[o.number], new Cluster(this.rootOf[o.number]));
      this.place(o);
    }
    this.joints = objects.filter((o) => o.form === FORM.axis);
    this.connections = objects.filter((o) => o.form === FORM.strut);
    for (const o of this.joints) this.connectJoint(o);
    for (const o of this.connections) for (const end of [o.parent, o.partner]) this.of(end).addPoint(this.originOf(end));
  }

  place(o) {
    const c = this.clusters.get(this.rootOf[o.number]), node = this.nodes[o.number];
    if (isSolid(o) && node.userData.mesh) {
      node.userData.mesh.geometry.computeBoundingBox();
      const box = node.userData.mesh.geometry.boundingBox;
      c.solids.push({ box, inverse: this.matrix[o.number].clone().invert(), slack: 0.1 * box.getSize(new THREE.Vector3()).length() });
    }
    if (node.userData.crowd || o.form === FORM.lines) c.soft = true;
    if (o.form === FORM.none || isSolid(o)) { c.objects.push(o); c.addPoint(this.originOf(o.number)); }
  }

  of(object) { return this.clusters.get(object >= 0 ? this.rootOf[object] : WORLD); }
  originOf(object) { return object >= 0 ? new THREE.Vector3().setFromMatrixPosition(this.matrix[object]) : new THREE.Vector3(); }
  directionOf(object, n) { return object >= 0 ? n.clone().transformDirection(this.matrix[object]) : n.clone().normalize(); }

  connectJoint(o) {
    const n = vector(o.size), a = this.of(o.parent), b = this.of(o.partner), turns = o.size[3] === 1;
    a.addPoint(this.originOf(o.number), turns ? this.directionOf(o.number, n) : null);
    b.addPoint(this.originOf(o.partner), turns ? this.directionOf(o.partner, n) : null);
    for (const c of [a, b]) c.joints.push(o);
  }

  // How many joints a body is from the world.
  setDepths() {
    const seen = new Set([this.clusters.get(WORLD)]);
    for (const c of seen) {
      for (const o of c.joints) {
        for (const other of [this.of(o.parent), this.of(o.partner)]) {
          if (seen.has(other)) continue;
          other.depth = c.depth + 1;
          seen.add(other);
        }
      }
    }
  }

  // ---- drawing

  // A part that goes with a node: at a place of its frame.
  add(node, kind, geometry, look, position, quaternion) {
    const mesh = new THREE.Mesh(geometry, materialOf(look, THREE.FrontSide, geometry));
    mesh.castShadow = mesh.receiveShadow = true;
    if (position) mesh.position.copy(position);
    if (quaternion) mesh.quaternion.copy(quaternion);
    mesh.userData = { node: node === this.home ? undefined : node, kind };
    node.add(mesh);
    return mesh;
  }

  nodeOf(cluster) { return cluster.root === WORLD ? this.home : this.nodes[cluster.root]; }

  // Where the mass of a body without a shape is: of each object, the first of which tells the sum.
  massesOf(c) {
    const { mass, centre } = this.drawing.objects[c.root];
    if (c.solids.length > 0 || !(mass > 0)) return [];
    const others = c.objects.filter((o) => o.number !== c.root && o.mass > 0)
      .map((o) => ({ mass: o.mass, at: vector(o.centre).applyMatrix4(this.matrix[o.number]) }));
    const own = { mass, at: vector(centre).multiplyScalar(mass) };
    for (const o of others) { own.mass -= o.mass; own.at.addScaledVector(o.at, -o.mass); }
    return own.mass > 1e-6 * mass ? [{ mass: own.mass, at: own.at.divideScalar(own.mass) }, ...others] : others;
  }

  drawBodies() {
    const bodies = [...this.clusters.values()].filter((c) => c.root !== WORLD && !c.soft && c.points.length < 100);
    const masses = new Map(bodies.map((c) => [c, this.massesOf(c)])), all = [...masses.values()].flat().map((m) => m.mass);
    for (const c of bodies) {
      const look = paint(PALETTE[(c.depth > 0 ? c.depth - 1 : c.root) % PALETTE.length]), ends = c.joints.length < 2 || c.points.length < 2;
      const balls = ends ? masses.get(c) : [], alone = c.points.length < 2;
      for (const { at } of balls) c.addPoint(at);
      for (const [i, j] of c.edges) this.drawBar(c, i, j, look);
      for (const { mass, at } of balls) {
        const free = alone || c.joints.length === 0, radius = (free ? 3.2 : 1.7) * this.u * Math.min(1.6, Math.max(0.6, Math.cbrt(mass / median(all))));
        this.add(this.nodeOf(c), 'mechanism', new THREE.SphereGeometry(radius, 32, 20), free ? { ...look, texture: 'octants' } : look, at);
      }
    }
  }

  drawBar(c, i, j, look) {
    const p = c.points[i], q = c.points[j], along = q.clone().sub(p), length = along.length(), { u } = this;
    if (length < 0.5 * u || c.covers(p, q)) return;
    const middle = p.clone().add(q).multiplyScalar(0.5), axis = c.axes[i] ?? c.axes[j];
    const flat = axis && Math.abs(axis.dot(along)) < 0.2 * length;
    if (!flat) { this.add(this.nodeOf(c), 'mechanism', rod((c.joints.length > 0 ? 0.75 : 1.6) * u, length), look, middle, frameOf(along)); return; }
    middle.addScaledVector(axis, (c.depth % 2 ? 0.55 : -0.55) * u);
    this.add(this.nodeOf(c), 'mechanism', beam(length, 1.8 * u, 0.8 * u), look, middle, frameOf(axis, along));
  }

  drawJoint(o) {
    const a = this.of(o.parent), b = this.of(o.partner), node = this.nodes[o.number], { u } = this, n = vector(o.size);
    if (o.size[3] === 2) {
      this.add(node, 'mechanism', new THREE.SphereGeometry(1.2 * u, 24, 16), paint(DARK, 0.6));
    } else if (o.size[3] === 1) {
      for (const [radius, length, z] of [[0.5, 4, 0], [0.85, 0.5, 2], [0.85, 0.5, -2]]) {
        this.add(node, 'mechanism', rod(radius * u, length * u).translate(0, 0, z * u), paint(DARK, 0.6), null, frameOf(n));
      }
    } else if (a.solids.length === 0 || b.solids.length === 0) {
      this.drawRail(o, node, n);
    }
    if (o.size[3] < 1) return;
    if (a.root === WORLD) this.drawSupport(this.originOf(o.number), this.directionOf(o.number, n), o.size[3] === 2);
    else if (b.root === WORLD) this.drawSupport(this.originOf(o.partner), this.directionOf(o.partner, n), o.size[3] === 2);
  }

  // On the world: two cheeks on a plate; under an upright axis a turntable.
  drawSupport(at, n, ball) {
    const { u, up } = this, down = up.clone().negate();
    if (ball || Math.abs(n.dot(up)) > 0.7) {
      this.add(this.home, 'mechanism', rod(2.6 * u, 1.2 * u), paint(SUPPORT), at.clone().addScaledVector(down, 1.8 * u), frameOf(up));
      this.add(this.home, 'mechanism', rod(3.2 * u, 0.6 * u), paint(DARK), at.clone().addScaledVector(down, 2.7 * u), frameOf(up));
      return;
    }
    const turned = frameOf(n, down), cheek = new THREE.Shape(); // x is down
    cheek.moveTo(3.4 * u, -2 * u).lineTo(3.4 * u, 2 * u).lineTo(0, 1.2 * u).absarc(0, 0, 1.2 * u, Math.PI / 2, 1.5 * Math.PI, false);
    for (const z of [-1.75, 1.15]) {
      this.add(this.home, 'mechanism', new THREE.ExtrudeGeometry(cheek, { depth: 0.6 * u, bevelEnabled: false }).translate(0, 0, z * u),
        paint(SUPPORT), at, turned);
    }
    this.add(this.home, 'mechanism', block(0.6 * u, 6.4 * u, 5 * u).translate(3.7 * u, 0, 0), paint(DARK), at, turned);
  }

  // As long as the slide goes in the run.
  drawRail(o, node, n) {
    const { u } = this, [low, high] = this.travelOf(o, n), turned = frameOf(n, this.up), length = high - low + 3 * u;
    this.add(node, 'mechanism', block(1.1 * u, 1.1 * u, length).translate(0, 0, (low + high) / 2), paint(STEEL, 0.6), null, turned);
    for (const z of [low - 1.5 * u, high + 1.5 * u]) {
      this.add(node, 'mechanism', block(1.7 * u, 1.7 * u, 0.5 * u).translate(0, 0, z), paint(DARK), null, turned);
    }
    if (o.partner < 0) return;
    this.add(this.nodes[o.partner], 'mechanism', block(2.3 * u, 2.3 * u, 2.3 * u), paint(DARK), null, turned);
  }

  travelOf(o, n) {
    let low = 0, high = 0;
    const at = new THREE.Vector3();
    for (const s of this.run.segments.filter((g) => g.drawing === this.drawing && g.count > 0).slice(0, 20)) {
      for (let i = 0; i < 20; i++) {
        const list = places(s, Math.round(i * (s.count - 1) / 19));
        if (o.partner >= 0) at.setFromMatrixPosition(list[o.partner]).applyMatrix4(list[o.number].clone().invert());
        const x = at.dot(n);
        [low, high] = [Math.min(low, x), Math.max(high, x)];
      }
    }
    return [low, high];
  }

  // ---- springs and dampers

  addStruts() {
    if (this.connections.length > MANY_STRUTS) { this.addLines(); return; }
    for (const o of this.connections) {
      const group = new THREE.Group(), { u } = this;
      group.userData.kind = 'lines';
      if (o.size[0]) this.add(group, 'lines', coil(1, 3.2 * u, 0.5 * u, 8), paint(SPRING, 0.3));
      if (o.size[1]) {
        this.add(group, 'lines', rod(u, 0.5).translate(0, 0, 0.25), paint(DARK, 0.3));
        this.add(group, 'lines', rod(0.45 * u, 0.6).translate(0, 0, 0.7), paint(STEEL, 0.6));
      }
      if (!o.size[0] && !o.size[1]) this.add(group, 'lines', rod(0.4 * u, 1).translate(0, 0, 0.5), paint(STEEL, 0.6));
      for (const part of group.children) part.userData.node = this.nodes[o.number];
      this.home.add(group);
      this.struts.push({ o, group });
    }
  }

  addLines() {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(6 * this.connections.length), 3));
    this.lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: 0x55606a }));
    this.lines.frustumCulled = false;
    this.lines.userData.kind = 'lines';
    this.home.add(this.lines);
  }

  end(object, to) {
    if (object < 0) return to.set(0, 0, 0);
    const node = this.nodes[object];
    node.updateWorldMatrix(true, false);
    return to.setFromMatrixPosition(node.matrixWorld);
  }

  update() {
    const a = new THREE.Vector3(), b = new THREE.Vector3();
    for (const { o, group } of this.struts) {
      this.end(o.parent, a);
      this.end(o.partner, b).sub(a);
      const length = b.length();
      group.position.copy(a);
      group.scale.set(1, 1, Math.max(1e-6, length));
      if (length > 0) group.quaternion.setFromUnitVectors(Z, b.divideScalar(length));
    }
    if (!this.lines) return;
    const { position } = this.lines.geometry.attributes;
    this.connections.forEach((o, i) => {
      this.end(o.parent, a).toArray(position.array, 6 * i);
      this.end(o.partner, b).toArray(position.array, 6 * i + 3);
    });
    position.needsUpdate = true;
  }
}
