// SPDX-License-Identifier: MIT
// Walls between the viewer and grains are seen through, and so are closed meshes around them or around parts that move; and parts that the
// user wants so.
import * as THREE from 'three';
import { places } from './bounds.js';
import { FORM } from './stream.js';

const WALL = 0.13, SHELL = 0.3, CHOSEN = 0.22; // opacities
const LOOKS = 9, MANY = 60; // rows that are looked at; parts beyond which they are not

// Does a plate stand before grains, which are around a place?
function isBefore(box, at, thin, spread) {
  const around = box.clone().expandByScalar(spread);
  around.min[thin] -= 2 * spread;
  around.max[thin] += 2 * spread;
  return around.containsPoint(at);
}

export class Ghosts {
  constructor(scene) {
    this.scene = scene;
    this.crowds = scene.nodes.map((n) => n.userData.crowd).filter((c) => c && !scene.soft.list.some((b) => b.crowd === c));
    this.walls = this.crowds.length === 0 ? [] : scene.nodes.filter((n) => n.userData.mesh && n.userData.object.form !== FORM.halfspace
      && n.userData.object.form >= FORM.box && n.userData.object.form <= FORM.mesh);
    for (const node of this.shells()) this.set(node, node.userData.shell = SHELL);
  }

  // Pipes and hollow bodies that stand, through which smaller parts go.
  shells() {
    const { nodes, run, drawing } = this.scene, segment = run.segments.find((s) => s.drawing === drawing && s.count > 0);
    const hollow = nodes.filter(({ userData: { mesh, moving, object } }) => mesh && !moving && (object.form === FORM.mesh || object.form === FORM.cylinder && object.size[2] > 0));
    const parts = nodes.filter(({ userData: { mesh, moving, object } }) => mesh && moving && object.form <= FORM.mesh);
    if (!segment || run.meta.live || hollow.length === 0 || parts.length === 0 || hollow.length + parts.length > MANY) return [];
    const boxOf = ({ userData: { mesh: { geometry } } }) => geometry.boundingBox ?? (geometry.computeBoundingBox(), geometry.boundingBox);
    const sizeOf = (node) => boxOf(node).getSize(new THREE.Vector3()).length(), found = new Set(), at = new THREE.Vector3();
    for (let i = 0; i < LOOKS; i++) {
      const matrices = places(segment, Math.round(i * (segment.count - 1) / (LOOKS - 1)));
      for (const h of hollow) {
        const back = matrices[h.userData.object.number].clone().invert(), inner = boxOf(h).clone();
        inner.expandByScalar(-0.05 * Math.min(...inner.getSize(at).toArray()));
        for (const p of parts) {
          at.setFromMatrixPosition(matrices[p.userData.object.number]).applyMatrix4(back);
          if (inner.containsPoint(at) && sizeOf(p) < 0.7 * sizeOf(h)) found.add(h);
        }
      }
    }
    return found;
  }

  // Where the grains are, and how far from there.
  middle() {
    const sum = new THREE.Vector3(), at = new THREE.Vector3();
    let count = 0, squares = 0;
    for (const c of this.crowds) {
      for (let i = 0; i < (c.count ?? 0); i += 1 + (c.count >> 8), count++) {
        sum.add(at.fromArray(c.middles, 3 * i));
        squares += at.lengthSq();
      }
    }
    if (count === 0) return null;
    sum.divideScalar(count);
    this.spread = 2 * Math.sqrt(Math.max(0, squares / count - sum.lengthSq()));
    return sum;
  }

  update() {
    const { seeThrough } = this.scene;
    for (const node of this.scene.nodes) {
      if (!node.userData.mesh || seeThrough.has(node.name) === Boolean(node.userData.seenThrough)) continue;
      node.userData.seenThrough = seeThrough.has(node.name);
      this.set(node, node.userData.seenThrough ? CHOSEN : node.userData.shell ?? 1);
    }
    if (this.walls.length === 0) return;
    const middle = this.middle(), toward = this.scene.camera.position.clone().sub(this.scene.controls.target).normalize();
    for (const node of this.walls) if (!node.userData.seenThrough && !node.userData.shell) this.set(node, middle ? this.opacityOf(node, middle, toward) : 1);
  }

  // A plate that does not lie and stands nearer to the viewer; a mesh that has them inside.
  opacityOf(node, middle, toward) {
    const { mesh, moving, object } = node.userData, box = mesh.geometry.boundingBox ?? (mesh.geometry.computeBoundingBox(), mesh.geometry.boundingBox);
    node.updateWorldMatrix(true, false);
    const size = box.getSize(new THREE.Vector3()), at = middle.clone().applyMatrix4(node.matrixWorld.clone().invert());
    if (object.form === FORM.mesh && box.containsPoint(at)) return SHELL;
    const sides = [['x', size.x], ['y', size.y], ['z', size.z]].sort((a, b) => a[1] - b[1]), thin = sides[0][0];
    if (moving || sides[0][1] > 0.35 * sides[1][1]) return 1;
    const normal = new THREE.Vector3();
    normal[thin] = box.getCenter(new THREE.Vector3())[thin] > at[thin] ? 1 : -1;
    normal.transformDirection(node.matrixWorld);
    if (!isBefore(box, at, thin, this.spread)) return 1;
    return Math.abs(normal.dot(this.scene.up)) < 0.7 && normal.dot(toward) > 0.15 ? WALL : 1;
  }

  set(node, share) {
    const { mesh, look } = node.userData, opacity = share * look.opacity;
    if (mesh.material.opacity === opacity) return;
    mesh.material.opacity = opacity;
    mesh.material.transparent = opacity < 1;
    mesh.material.depthWrite = opacity > 0.5;
    mesh.castShadow = opacity > 0.5;
    mesh.material.needsUpdate = true;
  }
}
