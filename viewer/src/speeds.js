// SPDX-License-Identifier: MIT
// Speeds of grains from where they are in two rows, as colours on a scale that holds for the whole run.
import * as THREE from 'three';
import { speedColour } from './looks.js';
import { hasPoints, pointsOf } from './stream.js';

const LOOKS = 16, AHEAD = 12; // rows that tell the scale; rows in which the next picture is sought

export class Speeds {
  constructor(run) { this.run = run; }

  pointsAt(place, object) {
    const chunk = this.run.chunks(place).find((c) => c.object === object && hasPoints(c));
    return chunk ? pointsOf(chunk) : null;
  }

  // [m/s] of each, or null: to the next row that has other places, at the end of a segment from the one before.
  of(object, place) {
    const { pictures, count, first } = this.run.segments[place.segment], from = place.local;
    const now = this.pointsAt(place, object);
    if (!now) return null;
    for (const way of [1, -1]) {
      for (let k = from + way; k >= 0 && k < count && Math.abs(k - from) <= AHEAD; k += way) {
        const time = Math.abs(this.run.times[first + k] - this.run.times[first + from]);
        if (pictures[k] === pictures[from] || !(time > 0)) continue;
        const then = this.pointsAt({ segment: place.segment, local: k }, object);
        if (then) return this.between(now, then, time);
      }
    }
    return null;
  }

  // Grains that are not in both have just come, or go: they count as resting.
  between(a, b, time) {
    const list = new Float32Array(a.length / 3);
    for (let i = 0; i < Math.min(a.length, b.length) / 3; i++) list[i] = Math.hypot(b[3 * i] - a[3 * i], b[3 * i + 1] - a[3 * i + 1], b[3 * i + 2] - a[3 * i + 2]) / time;
    return list;
  }

  // The speed that one in a hundred exceeds.
  fastOf(object) {
    if (this.fast === undefined) {
      const all = [], { times } = this.run;
      for (let i = 0; i < LOOKS; i++) {
        const list = this.of(object, this.run.place(times[Math.floor(i * (times.length - 1) / LOOKS)])) ?? [];
        for (let k = 0; k < list.length; k += 1 + (list.length >> 10)) all.push(list[k]);
      }
      this.fast = all.length ? all.sort((a, b) => a - b)[Math.floor(0.99 * (all.length - 1))] : 0;
    }
    return this.fast;
  }

  // Is there a scale? One picture is painted once.
  paint(crowd, object, place) {
    const fast = this.fastOf(object);
    if (crowd.row === place.row) return fast > 0;
    crowd.row = place.row;
    const list = this.of(object, place), c = new THREE.Color();
    if (list) crowd.paint((i) => speedColour(fast > 0 ? list[i] / fast : 0, c), list.length);
    return fast > 0;
  }
}
