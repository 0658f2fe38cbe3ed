// SPDX-License-Identifier: MIT
// A flight of the camera: key frames, each with a time, a place and a point to look at, and smooth ways between them.

// The slope of one coordinate at key i: that of the parabola through it and its neighbours, so that uneven times do no harm; at an end that of
// the line to its neighbour.
function slope(t, x, i) {
  const n = t.length - 1;
  if (n === 0) return 0;
  const between = (k) => (x[k + 1] - x[k]) / (t[k + 1] - t[k]);
  if (i === 0) return between(0);
  if (i === n) return between(n - 1);
  const a = t[i] - t[i - 1], b = t[i + 1] - t[i];
  return (b * between(i - 1) + a * between(i)) / (a + b);
}

// Cubic in each piece; before the first key and after the last one it stands.
function along(t, x, time) {
  const n = t.length - 1;
  if (time <= t[0]) return x[0];
  if (time >= t[n]) return x[n];
  let i = 0;
  while (t[i + 1] < time) i++;
  const h = t[i + 1] - t[i], s = (time - t[i]) / h, s2 = s * s, s3 = s2 * s;
  return (2 * s3 - 3 * s2 + 1) * x[i] + (s3 - 2 * s2 + s) * h * slope(t, x, i) + (3 * s2 - 2 * s3) * x[i + 1] + (s3 - s2) * h * slope(t, x, i + 1);
}

// keys: [[time, camera x, y, z, look-at x, y, z]], in order of time
export function flightAt(keys, time) {
  const t = keys.map((k) => k[0]), at = (c) => along(t, keys.map((k) => k[c]), time);
  return { camera: [at(1), at(2), at(3)], lookAt: [at(4), at(5), at(6)] };
}

const HEAD = 'time,x,y,z,look_x,look_y,look_z';

export const writeFlight = (keys) => `${HEAD}\n${keys.map((k) => k.map((x) => Math.round(x * 1e9) / 1e9 + 0).join(',')).join('\n')}\n`;

export class Flight {
  constructor() { Object.assign(this, { keys: [], on: false }); }

  // The view of now; another one at the same time is replaced.
  add(time, scene) {
    this.keys = this.keys.filter((k) => k[0] !== time);
    this.keys.push([time, ...scene.camera.position.toArray(), ...scene.controls.target.toArray()]);
    this.keys.sort((a, b) => a[0] - b[0]);
  }

  remove(index) { this.keys.splice(index, 1); }

  update(time, scene) {
    if (!this.on || this.keys.length === 0) return;
    const { camera, lookAt } = flightAt(this.keys, time);
    scene.look(camera, lookAt, false);
  }
}
