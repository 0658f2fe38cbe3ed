// SPDX-License-Identifier: MIT
// Flexible parts: their surface moves, and its vertices have the von Mises stress as a field. Colours go from blue at 0 to red at one scale for
// the whole run: as the drawing says, or else the largest stress of all pictures.
import * as THREE from 'three';
import { CHUNK, floatsAt, readChunks } from './stream.js';

export function colourOf(part, c) {
  return c.setHSL(0.66 * (1 - Math.min(1, Math.max(0, part))), 0.9, 0.5);
}

const UNITS = [[1e9, 'GPa'], [1e6, 'MPa'], [1e3, 'kPa'], [1, 'Pa']];

function largest(values) {
  let most = 0;
  for (const v of values) if (v > most) most = v;
  return most;
}

export class Stresses {
  constructor(drawing, nodes, run) {
    this.given = new Map();
    this.most = 0;
    const base = drawing.base ?? [];
    for (const c of base.filter((b) => b.kind === CHUNK.shade && nodes[b.object].userData.mesh)) {
      this.given.set(nodes[c.object], floatsAt(c.data, 0, 1)[0]);
    }
    const scales = [...this.given.values()].filter((v) => v > 0);
    this.fixed = scales.length > 0 ? Math.max(...scales) : 0;
    if (this.any && !this.fixed) this.scan(run, nodes);
  }

  get any() { return this.given.size > 0; }

  get scale() { return this.fixed || this.most || 1; }

  has(node) { return this.given.has(node); }

  // A page that follows a run sees pictures one by one.
  note(values) { this.most = Math.max(this.most, largest(values)); }

  scan(run, nodes) {
    let before = null;
    for (const picture of run.segments.flatMap((s) => s.pictures ?? [])) {
      if (picture === before) continue;
      before = picture;
      for (const c of readChunks(picture)) {
        if (c.kind === CHUNK.values && this.has(nodes[c.object])) this.note(floatsAt(c.data, 0, c.count));
      }
    }
  }

  get legend() {
    const [unit, name] = UNITS.find(([u]) => this.scale >= u) ?? UNITS[3];
    return { title: `von Mises stress [${name}]`, low: 0, high: this.scale / unit };
  }
}
