// SPDX-License-Identifier: MIT
// A run as the page sees it: rows with their times, segments with drawings, the pose of every moving object and the
// contacts in each row, and the curves of its variables. A file gives all of it at once (src/export/page.c), the live
// server row by row.
import { CHUNK, floatsAt, readChunks, readContacts, readDrawing, readMesh } from './stream.js';

async function inflate(text) {
  const clean = text.trim();
  const bytes = Uint8Array.fromBase64 ? Uint8Array.fromBase64(clean)
    : Uint8Array.from(atob(clean), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Words of 32 bits come as four planes of bytes, each series as differences of bit patterns.
function unpackWords(bytes, series, length) {
  const n = series * length, words = new Uint32Array(n);
  for (let i = 0; i < n; i++) {
    words[i] = bytes[i] | bytes[n + i] << 8 | bytes[2 * n + i] << 16 | bytes[3 * n + i] << 24;
  }
  for (let s = 0; s < series; s++) {
    for (let i = s * length + 1, end = (s + 1) * length; i < end; i++) words[i] = words[i] + words[i - 1];
  }
  return new Float32Array(words.buffer);
}

function unpackDoubles(bytes, length) {
  const out = new Uint8Array(8 * length);
  for (let i = 0; i < length; i++) for (let k = 0; k < 8; k++) out[8 * i + k] = bytes[k * length + i];
  return new Float64Array(out.buffer);
}

// Poses of a segment: planes[k][object][row], k = x, y, z, qw, qx, qy, qz.
class Segment {
  constructor(first, count, drawing) {
    Object.assign(this, { first, count, drawing, poses: null, pictures: null });
  }
}

export class Run {
  constructor(meta) {
    this.meta = meta;
    this.times = new Float64Array(0);
    this.segments = [];
    this.drawings = [];
    this.meshes = [];
    this.variables = meta.variables ?? [];
  }

  static async fromPage(meta) {
    const run = new Run(meta);
    await run.load(await inflate(document.getElementById('data').textContent));
    return run;
  }

  async load(bytes) {
    const meta = this.meta;
    const part = (p) => bytes.subarray(p[0], p[0] + p[1]);
    this.times = unpackDoubles(part(meta.times), meta.rows);
    this.meshes = meta.meshes.map((p) => readMesh(part(p)));
    this.drawings = meta.drawings.map((p) => readDrawing(part(p)));
    let first = 0;
    for (const s of meta.segments) {
      const segment = new Segment(first, s.rows, s.drawing >= 0 ? this.drawings[s.drawing] : null);
      segment.cause = s.cause ?? '';
      first += s.rows;
      if (segment.drawing) {
        segment.poses = unpackWords(part(s.poses), 7 * segment.drawing.moving.length, s.rows);
        segment.pictures = this.splitPictures(part(s.pictures), s.rows);
      }
      this.segments.push(segment);
    }
    const n = this.variables.filter((v) => v.series >= 0).length;
    this.series = n > 0 ? unpackWords(part(meta.series), meta.series_count, meta.rows) : null;
  }

  // Sizes of all rows, then their bytes. A row without a picture of its own has that of the row before.
  splitPictures(bytes, rows) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const list = [];
    for (let i = 0, at = 4 * rows; i < rows; i++) {
      const size = view.getUint32(4 * i, true), own = size !== 0xffffffff;
      list.push(own ? bytes.subarray(at, at + size) : list[i - 1]);
      if (own) at += size;
    }
    return list;
  }

  get hasPictures() { return this.segments.some((s) => s.drawing); }
  get start() { return this.times.length ? this.times[0] : 0; }
  get stop() { return this.times.length ? this.times[this.times.length - 1] : 0; }

  // The last row at or before a time.
  rowAt(time) {
    let low = 0, high = this.times.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= time) low = middle; else high = middle;
    }
    return low;
  }

  segmentOf(row) {
    let low = 0, high = this.segments.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.segments[middle].first <= row) low = middle; else high = middle;
    }
    return low;
  }

  // Where to look for a time: segment, row in it, and how far on to the next one.
  place(time) {
    const row = this.rowAt(time), s = this.segmentOf(row), segment = this.segments[s];
    const local = row - segment.first, last = local + 1 >= segment.count;
    const t0 = this.times[row], t1 = last ? t0 : this.times[row + 1];
    return { segment: s, row, local, fraction: t1 > t0 ? Math.min(1, Math.max(0, (time - t0) / (t1 - t0))) : 0 };
  }

  // Pose of the k-th moving object, interpolated: out = x, y, z, qx, qy, qz, qw.
  pose(place, k, out) {
    const s = this.segments[place.segment], n = s.drawing.moving.length, rows = s.count, p = s.poses;
    const i = place.local, j = Math.min(i + 1, rows - 1), f = place.fraction;
    let dot = 0;
    for (let c = 3; c < 7; c++) dot += p[(c * n + k) * rows + i] * p[(c * n + k) * rows + j];
    const sign = dot < 0 ? -1 : 1;
    for (let c = 0; c < 7; c++) {
      const at = (c * n + k) * rows, a = p[at + i], b = p[at + j] * (c > 2 ? sign : 1);
      out[c === 3 ? 6 : c > 3 ? c - 1 : c] = a + f * (b - a);
    }
    const length = Math.hypot(out[3], out[4], out[5], out[6]) || 1;
    for (let c = 3; c < 7; c++) out[c] /= length;
    return out;
  }

  chunks(place) {
    const s = this.segments[place.segment];
    return s.pictures ? readChunks(s.pictures[place.local]) : [];
  }

  contacts(place) {
    return this.chunks(place).filter((c) => c.kind === CHUNK.contacts).flatMap(readContacts);
  }

  // Values of a variable in all rows; NaN where it does not exist.
  values(variable) {
    const v = this.variables[variable], n = this.times.length;
    if (v.series < 0) return new Float32Array(n).fill(v.value ?? NaN);
    const values = this.series.subarray(v.series * n, (v.series + 1) * n);
    return v.negated ? values.map((x) => -x) : values;
  }

  // Times at which something happened: two rows with the same time.
  get events() {
    if (!this.eventTimes) {
      const list = [];
      for (let i = 1; i < this.times.length; i++) {
        if (this.times[i] === this.times[i - 1] && list[list.length - 1] !== this.times[i]) list.push(this.times[i]);
      }
      this.eventTimes = list;
    }
    return this.eventTimes;
  }
}

export { floatsAt, inflate };
