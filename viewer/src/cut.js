// SPDX-License-Identifier: MIT
// A plane that cuts the picture open: what lies on the viewer's side of it is taken away. Grains are taken away whole.
import * as THREE from 'three';

const AXES = ['x', 'y', 'z'];

export class Cut {
  constructor(scene) { Object.assign(this, { scene, axis: null, at: 0, plane: new THREE.Plane() }); }

  // axis: x, y, z or nothing; at: where on it [m]; NaN: in the middle
  set(axis, at = NaN) {
    this.axis = AXES.includes(axis) ? axis : null;
    if (this.axis) this.at = Number.isFinite(at) ? at : this.scene.bounds.getCenter(new THREE.Vector3())[axis];
    this.side = 0;
    this.apply();
  }

  get on() { return this.axis !== null; }

  // The normal points away from the viewer: what is before the plane goes.
  update() {
    const { camera, controls, renderer } = this.scene;
    renderer.localClippingEnabled = this.on;
    if (!this.on) return;
    const toward = camera.position[this.axis] - controls.target[this.axis], side = toward < 0 ? 1 : -1;
    if (side === this.side) return;
    this.side = side;
    this.plane.normal.set(0, 0, 0)[this.axis] = side;
    this.plane.constant = -side * this.at;
    this.cutGrains();
  }

  // All that the model draws, also what was built since.
  apply() {
    this.side = 0;
    const planes = this.on ? [this.plane] : null;
    this.scene.root.traverse((n) => {
      const { material } = n;
      if (!material || n.userData.uncut) return;
      material.clippingPlanes = planes;
      material.clipShadows = this.on;
      if (material.userData.side !== undefined) material.side = this.on ? THREE.DoubleSide : material.userData.side;
      material.needsUpdate = true;
    });
    this.update();
    if (!this.on) this.cutGrains();
  }

  cutGrains() {
    for (const { userData: { crowd } } of this.scene.nodes) crowd?.cut(this.on ? this.plane : null);
  }
}
