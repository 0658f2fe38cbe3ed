// SPDX-License-Identifier: MIT
// Walls between the viewer and grains are seen through, and so are closed meshes around them.
import * as THREE from 'three';
import { FORM } from './stream.js';

const WALL = 0.13, SHELL = 0.3; // opacities

export class Ghosts {
  constructor(scene) {
    this.scene = scene;
    this.crowds = scene.nodes.map((n) => n.userData.crowd).filter((c) => c && !scene.soft.list.some((b) => b.crowd === c));
    this.walls = this.crowds.length === 0 ? [] : scene.nodes.filter((n) => n.userData.mesh && n.userData.object.form !== FORM.halfspace
      && n.userData.object.form >= FORM.box && n.userData.object.form <= FORM.mesh);
  }

  // Where the grains are.
  middle() {
    const sum = new THREE.Vector3(), at = new THREE.Vector3();
    let count = 0;
    for (const c of this.crowds) {
      for (let i = 0; i < (c.count ?? 0); i += 1 + (c.count >> 8), count++) sum.add(at.fromArray(c.middles, 3 * i));
    }
    return count > 0 ? sum.divideScalar(count) : null;
  }

  update() {
    if (this.walls.length === 0) return;
    const middle = this.middle(), toward = this.scene.camera.position.clone().sub(this.scene.controls.target).normalize();
    for (const node of this.walls) this.set(node, middle ? this.opacityOf(node, middle, toward) : 1);
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
