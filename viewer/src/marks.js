// SPDX-License-Identifier: MIT
// What is drawn over the parts: contacts as points and arrows, patches in the colours of their pressure, lines, drawn arrows.
import * as THREE from 'three';
import { Arrows } from './forms.js';
import { FORM } from './stream.js';

const vector = (a) => new THREE.Vector3(a[0], a[1], a[2]);

export class Marks {
  constructor(home) {
    Object.assign(this, { home, contacts: [], forceScale: 0, pressures: null }); // scale 0: chosen from the data
    this.arrows = {
      forces: new Arrows(0xd7263d), normals: new Arrows(0x2e86ab), torques: new Arrows(0x8e44ad),
      summed: new Arrows(0xf39c12), drawn: new Arrows(0x16a085), gravity: new Arrows(0x777777),
    };
    for (const a of Object.values(this.arrows)) home.scene.add(a.group);
    this.points = new THREE.Points(new THREE.BufferGeometry(),
      new THREE.PointsMaterial({ color: 0xd7263d, size: 7, sizeAttenuation: false, depthTest: false }));
    this.lines = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0x55606a }));
    this.polygons = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.MeshBasicMaterial({
      vertexColors: true, side: THREE.DoubleSide, transparent: true, opacity: 0.8, depthTest: false }));
    for (const thing of [this.points, this.lines, this.polygons]) {
      thing.frustumCulled = false;
      home.scene.add(thing);
    }
  }

  // Of a picture. lines, polygons: [node, numbers]
  set(contacts, lines, polygons) {
    this.contacts = contacts;
    this.setLines(lines);
    this.setPolygons(polygons);
    this.setArrows();
  }

  // Numbers of a thing; none twice in a row cost nothing.
  fill(thing, name, numbers) {
    if (numbers.length === 0 && thing.geometry.attributes[name]?.count === 0) return;
    thing.geometry.setAttribute(name, new THREE.Float32BufferAttribute(numbers, 3));
  }

  setLines(list) {
    const points = [], v = new THREE.Vector3();
    for (const [node, ends] of this.home.show.lines ? list : []) {
      node.updateWorldMatrix(true, false);
      for (let i = 0; i < ends.length; i += 3) points.push(...v.fromArray(ends, i).applyMatrix4(node.matrixWorld).toArray());
    }
    this.fill(this.lines, 'position', points);
  }

  setPolygons(list) {
    const points = [], colours = [], v = new THREE.Vector3(), c = new THREE.Color();
    let low = 0, high = 0; // pressures: blue is none, red the highest
    for (const [, p] of list) for (let i = 3; i < p.length; i += 4) { low = Math.min(low, p[i]); high = Math.max(high, p[i]); }
    this.pressures = high > low ? { low, high } : null;
    for (const [node, p] of list) {
      node.updateWorldMatrix(true, false);
      for (let k = 1; k + 1 < p.length / 4; k++) {
        for (const i of [0, k, k + 1]) {
          points.push(...v.fromArray(p, 4 * i).applyMatrix4(node.matrixWorld).toArray());
          c.setHSL(0.66 * (1 - (p[4 * i + 3] - low) / (high - low || 1)), 0.9, 0.5);
          colours.push(c.r, c.g, c.b);
        }
      }
    }
    this.fill(this.polygons, 'position', points);
    this.fill(this.polygons, 'color', colours);
  }

  // Metres of the picture per newton, the same over the whole run: as the user says, or such that a common force (in the
  // middle of those of some rows) takes a tenth of the scene. An impact is then a long arrow.
  get scale() {
    if (this.forceScale > 0) return this.forceScale;
    if (this.common === undefined) {
      const sizes = [], rows = this.home.run.times.length;
      for (let i = 0; i < 60; i++) {
        const place = this.home.run.place(this.home.run.times[Math.floor(i * (rows - 1) / 59)]);
        for (const c of this.home.run.contacts(place)) sizes.push(Math.hypot(...c.force));
      }
      const found = sizes.filter((f) => f > 0).sort((a, b) => a - b);
      this.common = found.length ? found[found.length >> 1] : 0;
    }
    const most = this.common > 0 ? this.common : Math.max(0, ...this.contacts.map((c) => Math.hypot(...c.force)));
    return most > 0 ? 0.2 * this.home.radius / most : 1;
  }

  visible(c) {
    return !this.home.hidden.has(this.home.drawing.objects[c.a].name) && !this.home.hidden.has(this.home.drawing.objects[c.b].name);
  }

  setArrows() {
    const shown = this.contacts.filter((c) => this.visible(c));
    const scale = this.scale, r = this.home.radius, thin = 0.006 * r;
    const arrow = (c, v, f) => ({ at: vector(c.point), vector: vector(v).multiplyScalar(f) });
    this.arrows.forces.set(this.home.show.forces ? shown.map((c) => arrow(c, c.force, scale)) : [], thin);
    this.arrows.normals.set(this.home.show.normals ? shown.map((c) => arrow(c, c.normal, 0.15 * r)) : [], 0.6 * thin);
    this.arrows.torques.set(this.home.show.torques ? shown.map((c) => arrow(c, c.torque, scale * 10)) : [], thin);
    this.arrows.summed.set(this.home.show.summed ? this.sums(shown, scale) : [], 1.3 * thin);
    this.arrows.drawn.set(this.drawnArrows(), thin);
    const at = this.home.show.contacts ? shown.flatMap((c) => c.point) : [];
    this.fill(this.points, 'position', at);
  }

  // The sum of all contact forces on each body, at its origin.
  sums(contacts, scale) {
    const sums = new Map();
    const add = (object, force, sign) => {
      const node = this.home.nodes[object];
      if (!node.userData.moving) return;
      if (!sums.has(node)) sums.set(node, new THREE.Vector3());
      sums.get(node).addScaledVector(vector(force), sign * scale);
    };
    for (const c of contacts) { add(c.b, c.force, 1); add(c.a, c.force, -1); }
    return [...sums].map(([node, v]) => ({ at: node.getWorldPosition(new THREE.Vector3()), vector: v }));
  }

  drawnArrows() {
    return this.home.nodes.filter((n) => n.userData.object.form === FORM.arrow && n.visible).map((n) => {
      n.updateWorldMatrix(true, false);
      return { at: n.getWorldPosition(new THREE.Vector3()), colour: n.userData.object.colour[3] ? n.userData.colour : null,
        vector: vector(n.userData.size ?? n.userData.object.size).applyQuaternion(n.getWorldQuaternion(new THREE.Quaternion())) };
    });
  }
}
