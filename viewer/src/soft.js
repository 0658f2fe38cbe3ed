// SPDX-License-Identifier: MIT
// Bodies that deform: their points come with every picture; they are spheres, carry a surface and have connections between them. Any mix
// of these is shown, in the colours of the materials or of the strain.
import * as THREE from 'three';
import { CHUNK, floatsAt, pointsOf, shortsAt, wordsAt } from './stream.js';

const NONE = 0xffffffff;
const DENSE = 3; // connections of each point

// Blue at -scale, white at 0, red at scale.
export function shadeOf(strain, scale, c) {
  const part = Math.min(1, Math.max(-1, strain / scale)), faded = 1 - Math.abs(part);
  return c.setRGB(part > 0 ? 1 : faded, faded, part > 0 ? faded : 1, THREE.SRGBColorSpace);
}

// Vertices that hang on points: sum of weight times point, and where all points lie in a plane the height above it.
class Carried {
  constructor(chunk, raised) {
    this.count = chunk.count;
    const words = wordsAt(chunk.data, 0, 16 * chunk.count), floats = new Float32Array(words.buffer);
    this.points = [];
    this.weights = [];
    this.first = new Uint32Array(chunk.count + 1); // of each vertex in these lists
    this.nearest = new Uint32Array(chunk.count);
    for (let i = 0; i < chunk.count; i++) {
      for (let k = 0; k < 8 && words[16 * i + k] !== NONE; k++) {
        this.points.push(words[16 * i + k]);
        this.weights.push(floats[16 * i + 8 + k]);
      }
      this.first[i + 1] = this.points.length;
      this.nearest[i] = words[16 * i];
    }
    this.raised = raised ? { count: raised.count, words: wordsAt(raised.data, 0, 8 * raised.count) } : { count: 0 };
    if (raised) this.raised.floats = new Float32Array(this.raised.words.buffer);
  }

  place(r, out) {
    const { points, weights, first } = this;
    for (let i = 0; i < this.count; i++) {
      let x = 0, y = 0, z = 0;
      for (let k = first[i]; k < first[i + 1]; k++) {
        const p = 3 * points[k], w = weights[k];
        x += w * r[p]; y += w * r[p + 1]; z += w * r[p + 2];
      }
      out[3 * i] = x; out[3 * i + 1] = y; out[3 * i + 2] = z;
    }
    this.raise(r, out);
  }

  raise(r, out) {
    const a = new THREE.Vector3(), b = new THREE.Vector3(), c = new THREE.Vector3();
    for (let i = 0; i < this.raised.count; i++) {
      const [vertex, p, q, s] = this.raised.words.subarray(8 * i, 8 * i + 4), f = this.raised.floats;
      for (let k = 0; k < 3; k++) out[3 * vertex + k] += f[8 * i + 5 + k];
      if (p === NONE) continue;
      a.fromArray(r, 3 * p);
      b.fromArray(r, 3 * q).sub(a).cross(c.fromArray(r, 3 * s).sub(a)).normalize();
      out[3 * vertex] += f[8 * i + 4] * b.x;
      out[3 * vertex + 1] += f[8 * i + 4] * b.y;
      out[3 * vertex + 2] += f[8 * i + 4] * b.z;
    }
  }
}

class SoftBody {
  constructor(node) {
    Object.assign(this, { node, crowd: node.userData.crowd, places: null, strains: null, gone: new Set(), scale: 0 });
    this.hides = { molecules: false, surfaces: false };
  }

  // What holds in all pictures. Chunks of the surface and of the connections name other nodes.
  take(chunk, node, raised) {
    if (chunk.kind === CHUNK.hidden && node === this.node) this.hides.molecules = true;
    if (chunk.kind === CHUNK.hidden && node.userData.mesh) this.hides.surfaces = true;
    if (chunk.kind === CHUNK.shade) [this.scale] = floatsAt(chunk.data, 0, 1);
    if (chunk.kind === CHUNK.diameters) this.crowd.setDiameters(floatsAt(chunk.data, 0, chunk.count));
    if (chunk.kind === CHUNK.colours && node === this.node) this.colours = chunk.data;
    if (chunk.kind === CHUNK.colours && node !== this.node) this.surfaceColours = chunk.data;
    if (chunk.kind === CHUNK.carried) this.addSurface(node, chunk, raised);
    if (chunk.kind === CHUNK.connections) this.addConnections(node, chunk);
    this.move(chunk);
  }

  // Is it a block or a sheet, so that its surface looks like it? Points of nets and rings have few connections.
  get isSolid() { return this.surface !== undefined && this.pairs?.length / 2 > DENSE * this.crowd.capacity; }

  // What a picture has.
  move(chunk) {
    if (chunk.kind === CHUNK.points || chunk.kind === CHUNK.closePoints) this.places = pointsOf(chunk);
    if (chunk.kind === CHUNK.strains) this.strains = shortsAt(chunk.data, 0, chunk.count);
    if (chunk.kind === CHUNK.gone) this.gone = new Set(wordsAt(chunk.data, 0, chunk.count));
  }

  addSurface(node, chunk, raised) {
    const { mesh } = node.userData, { positions, indices } = this.meshOf(node);
    const geometry = new THREE.BufferGeometry(); // round, unlike others: vertices are shared
    geometry.setAttribute('position', new THREE.BufferAttribute(positions.slice(), 3));
    geometry.setAttribute('color', new THREE.BufferAttribute(new Float32Array(positions.length), 3));
    geometry.setIndex(new THREE.BufferAttribute(indices, 1));
    mesh.geometry.dispose();
    mesh.geometry = geometry;
    mesh.material.vertexColors = true;
    mesh.material.color.set(0xffffff);
    mesh.castShadow = true;
    mesh.frustumCulled = false;
    Object.assign(this, { surface: mesh, carried: new Carried(chunk, raised) });
    this.own = node.userData.colour;
  }

  addConnections(node, chunk) {
    this.pairs = wordsAt(chunk.data, 0, 2 * chunk.count);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(6 * chunk.count), 3));
    geometry.setAttribute('color', new THREE.BufferAttribute(new Float32Array(6 * chunk.count), 3));
    this.lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ vertexColors: true }));
    this.lines.frustumCulled = false;
    node.add(this.lines);
  }

  show(shown, scale) {
    if (!this.places) return;
    this.crowd.object.visible = shown.molecules;
    if (this.surface) this.surface.visible = shown.surfaces;
    if (this.lines) this.lines.visible = shown.connections;
    const colour = this.colouring(shown.strain ? scale : 0);
    if (shown.molecules) {
      this.crowd.setMiddles(this.places, this.places.length / 3);
      this.crowd.paint(colour.point, this.places.length / 3);
    }
    if (shown.surfaces && this.surface) this.showSurface(colour.vertex);
    if (shown.connections && this.lines) this.showConnections(scale * shown.strain);
  }

  // Colours of points and of vertices; the latter are those of their nearest point.
  colouring(scale) {
    const c = new THREE.Color(), byte = (bytes, i) => c.setRGB(bytes[4 * i] / 255, bytes[4 * i + 1] / 255, bytes[4 * i + 2] / 255,
      THREE.SRGBColorSpace);
    const strain = (i) => shadeOf((this.strains?.[i] ?? 0) * 1e-4, scale, c);
    if (scale > 0) return { point: strain, vertex: (i) => strain(this.carried.nearest[i]) };
    return { point: (i) => byte(this.colours, i),
      vertex: (i) => (this.surfaceColours ? byte(this.surfaceColours, i) : this.own) };
  }

  showSurface(colour) {
    const { position, color } = this.surface.geometry.attributes;
    this.carried.place(this.places, position.array);
    for (let i = 0; i < this.carried.count; i++) colour(i).toArray(color.array, 3 * i);
    position.needsUpdate = color.needsUpdate = true;
    this.surface.geometry.computeVertexNormals();
    this.surface.geometry.boundingSphere = null; // where it was picked last
  }

  showConnections(scale) {
    const { position, color } = this.lines.geometry.attributes, c = new THREE.Color(), plain = new THREE.Color(0x55606a);
    let count = 0;
    for (let i = 0; i < this.pairs.length / 2; i++) {
      if (this.gone.has(i)) continue;
      for (const p of [this.pairs[2 * i], this.pairs[2 * i + 1]]) {
        for (let k = 0; k < 3; k++) position.array[3 * count + k] = this.places[3 * p + k];
        (scale > 0 ? shadeOf((this.strains?.[p] ?? 0) * 1e-4, scale, c) : plain).toArray(color.array, 3 * count);
        count++;
      }
    }
    this.lines.geometry.setDrawRange(0, count);
    position.needsUpdate = color.needsUpdate = true;
  }
}

// All of a drawing. `of` has the body that a node belongs to.
export class SoftBodies {
  constructor(drawing, nodes, meshes) {
    this.of = new Map();
    this.list = [];
    const base = drawing.base ?? [];
    for (const c of base.filter((b) => b.kind === CHUNK.carried || b.kind === CHUNK.connections)) {
      const parent = nodes[drawing.objects[c.object].parent];
      if (!this.of.has(parent)) this.add(parent, meshes);
      this.of.set(nodes[c.object], this.of.get(parent));
    }
    for (const c of base) {
      const raised = base.find((b) => b.kind === CHUNK.raised && b.object === c.object);
      this.of.get(nodes[c.object])?.take(c, nodes[c.object], raised);
    }
  }

  add(node, meshes) {
    const body = new SoftBody(node);
    body.meshOf = (n) => meshes[n.userData.object.mesh];
    this.of.set(node, body);
    this.list.push(body);
  }

  // What is shown first, and the scale of strains that the drawing asks for; null: there are no such bodies.
  get wanted() {
    if (this.list.length === 0) return null;
    const { hides, scale } = this.list[0], solid = this.list.every((b) => b.isSolid);
    return { molecules: !hides.molecules && !solid, surfaces: !hides.surfaces || solid, connections: false, strain: scale > 0, scale: scale || 0.1 };
  }

  // False: the chunk is of something else.
  move(chunk, node) {
    const body = this.of.get(node);
    if (body) body.move(chunk);
    return body !== undefined;
  }

  // A new picture; it tells again what is gone.
  begin() { for (const b of this.list) b.gone = new Set(); }

  show(shown, scale) { for (const b of this.list) b.show(shown, scale); }
}
