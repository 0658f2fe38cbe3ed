// SPDX-License-Identifier: MIT
// The stream format of pictures (docs/formats.md): bytes become meshes, drawings and chunks.
// ORDER include/rattleback/drawing.h, src/io/drawing.h

export const FORM = {
  none: 0, sphere: 1, ellipsoid: 2, box: 3, cylinder: 4, cone: 5, capsule: 6, beam: 7, halfspace: 8, mesh: 9,
  coordinates: 10, grid: 11, spring: 12, gearwheel: 13, text: 14, arrow: 15, axis: 16, spheres: 17, lines: 18,
  polygons: 19, gravity: 20, strut: 21,
};

export const CHUNK = {
  poses: 1, contacts: 2, points: 3, values: 4, diameters: 5, colours: 6, sizes: 7, lines: 8, polygon: 9, hidden: 10,
  closePoints: 11, strains: 12, shade: 13, carried: 14, raised: 15, connections: 16, gone: 17, track: 18,
};

const decoder = new TextDecoder();

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
  }
  u8() { return this.bytes[this.at++]; }
  u32() { this.at += 4; return this.view.getUint32(this.at - 4, true); }
  f32() { this.at += 4; return this.view.getFloat32(this.at - 4, true); }
  floats(n) { return Array.from({ length: n }, () => this.f32()); }
  text() {
    const n = this.u32();
    this.at += n;
    return decoder.decode(this.bytes.subarray(this.at - n, this.at));
  }
}

// Numbers that need not be aligned in memory.
export function floatsAt(bytes, offset, count) {
  const copy = bytes.slice(offset, offset + 4 * count);
  return new Float32Array(copy.buffer, 0, count);
}

export function wordsAt(bytes, offset, count) {
  return new Uint32Array(bytes.slice(offset, offset + 4 * count).buffer, 0, count);
}

export function shortsAt(bytes, offset, count) {
  return new Int16Array(bytes.slice(offset, offset + 2 * count).buffer, 0, count);
}

// Does a chunk tell where points are? Of tracks the first kind does.
export function hasPoints(chunk) {
  return chunk.kind === CHUNK.points || chunk.kind === CHUNK.closePoints || (chunk.kind === CHUNK.track && wordsAt(chunk.data, 0, 1)[0] === 3 << 16);
}

// Whole multiples of a step; without one, single precision.
function trackOf(chunk) {
  const head = new DataView(chunk.data.buffer, chunk.data.byteOffset, 16), step = head.getFloat64(8, true);
  if (!(step > 0)) return floatsAt(chunk.data, 16, chunk.count - 4);
  return Float32Array.from(new Int32Array(chunk.data.slice(16).buffer, 0, chunk.count - 4), (n) => step * n);
}

// Places of a chunk that has points: as numbers, as steps of a track, or as steps in a box.
export function pointsOf(chunk) {
  if (chunk.kind === CHUNK.points) return floatsAt(chunk.data, 0, 3 * chunk.count);
  if (chunk.kind === CHUNK.track) return trackOf(chunk);
  const [x, y, z, ...step] = floatsAt(chunk.data, 0, 6), low = [x, y, z];
  const steps = new Uint16Array(chunk.data.slice(24).buffer), out = new Float32Array(steps.length);
  for (let i = 0; i < out.length; i++) out[i] = low[i % 3] + steps[i] * step[i % 3];
  return out;
}

export function readMesh(bytes) {
  const r = new Reader(bytes);
  const vertices = r.u32(), triangles = r.u32();
  const copy = bytes.slice(8);
  return {
    positions: new Float32Array(copy.buffer, 0, 3 * vertices),
    indices: new Uint32Array(copy.buffer, 12 * vertices, 3 * triangles),
  };
}

function readObject(r, number, end) {
  const o = { number, form: r.u8(), axis: r.u8() };
  const flags = r.u8();
  r.u8();
  o.moves = (flags & 1) !== 0;
  o.collides = (flags & 2) !== 0;
  o.onlyOpacity = (flags & 4) !== 0;
  o.colour = [r.u8(), r.u8(), r.u8(), r.u8()];
  o.parent = r.u32() | 0;
  o.mesh = r.u32();
  o.size = r.floats(4);
  o.position = r.floats(3);
  o.rotation = r.floats(4); // w, x, y, z
  o.mass = r.f32();
  o.centre = r.floats(3);
  o.name = r.text();
  o.text = r.text();
  const older = r.at >= end; // of a file before these were
  o.material = older ? '' : r.text();
  o.partner = older ? -1 : r.u32() | 0;
  return o;
}

// Objects, and which of them move, in the order of their poses.
export function readDrawing(bytes) {
  const r = new Reader(bytes);
  r.u32(); // largest picture
  const count = r.u32();
  const objects = [];
  for (let i = 0; i < count; i++) {
    const size = r.u32(), end = r.at + size;
    objects.push(readObject(r, i, end));
    r.at = end;
  }
  const size = r.at < bytes.byteLength ? r.u32() : 0; // chunks that hold in all pictures
  const base = size > 0 ? readChunks(bytes.subarray(r.at, r.at + size)) : [];
  return { objects, base, moving: objects.filter((o) => o.moves).map((o) => o.number) };
}

// All chunks of a picture.
export function readChunks(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks = [];
  for (let at = 0; at + 12 <= bytes.byteLength;) {
    const kind = view.getUint16(at, true), item = view.getUint16(at + 2, true);
    const object = view.getUint32(at + 4, true), count = view.getUint32(at + 8, true);
    chunks.push({ kind, item, object, count, data: bytes.subarray(at + 12, at + 12 + item * count) });
    at += 12 + item * count;
  }
  return chunks;
}

export function readContacts(chunk) {
  const view = new DataView(chunk.data.buffer, chunk.data.byteOffset, chunk.data.byteLength);
  const vector = (at) => [0, 4, 8].map((k) => view.getFloat32(at + k, true));
  const list = [];
  for (let i = 0, at = 0; i < chunk.count; i++, at += chunk.item) {
    list.push({
      a: view.getUint32(at, true), b: view.getUint32(at + 4, true),
      point: vector(at + 8), normal: vector(at + 20), force: vector(at + 32), torque: vector(at + 44),
      depth: view.getFloat32(at + 56, true),
    });
  }
  return list;
}
