// SPDX-License-Identifier: MIT
// Pulling at a body of a live run: shift and drag, or shift and an arrow key for the chosen body. The server makes a spring of
// it; this shows it as a line.
import * as THREE from 'three';

const PERIOD = 33; // [ms] between two messages
const KEYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class Pull {
  constructor(scene, canvas, send) {
    Object.assign(this, { scene, canvas, send, held: null, sent: 0 });
    this.line = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0xf39c12, depthTest: false }));
    this.line.visible = false;
    this.line.frustumCulled = false;
    scene.scene.add(this.line);
    canvas.addEventListener('pointerdown', (e) => this.down(e), true);
    canvas.addEventListener('pointermove', (e) => this.move(e));
    for (const kind of ['pointerup', 'pointercancel']) canvas.addEventListener(kind, () => this.up());
  }

  ray(e) {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(2 * e.offsetX / this.canvas.clientWidth - 1, 1 - 2 * e.offsetY / this.canvas.clientHeight),
      this.scene.camera);
    return ray.ray;
  }

  // The thing that moves, of which an object is a part.
  body(object) {
    const { objects } = this.scene.drawing;
    let o = object;
    while (!o.moves && o.parent >= 0) o = objects[o.parent];
    return o.moves ? this.scene.nodes[o.number] : null;
  }

  down(e) {
    if (!e.shiftKey) return;
    const hit = this.scene.pick(2 * e.offsetX / this.canvas.clientWidth - 1, 1 - 2 * e.offsetY / this.canvas.clientHeight);
    const node = hit && this.body(hit.object);
    if (!node) return;
    e.stopPropagation();
    this.scene.controls.enabled = false;
    this.canvas.setPointerCapture(e.pointerId);
    this.begin(node, hit.point);
  }

  begin(node, point) {
    node.updateWorldMatrix(true, false);
    const facing = this.scene.camera.getWorldDirection(new THREE.Vector3());
    this.held = { node, point: node.worldToLocal(point.clone()), target: point.clone(),
      plane: new THREE.Plane().setFromNormalAndCoplanarPoint(facing, point) };
  }

  move(e) {
    if (!this.held) return;
    if (!this.ray(e).intersectPlane(this.held.plane, this.held.target)) return;
    this.tell();
  }

  tell() {
    const { node, point, target } = this.held, now = performance.now();
    if (now - this.sent < PERIOD) return;
    this.sent = now;
    this.send({ do: 'pull', name: node.name, point: point.toArray(), target: target.toArray(), mass: node.userData.object.mass || 1 });
  }

  // Arrow keys pull the chosen body to the side, up or down, as seen; false: this is no such key.
  key(e, name) {
    const way = KEYS[e.key], node = this.scene.nodes.find((n) => n.name === name && n.userData.object.moves);
    if (!way || !node) return false;
    const right = new THREE.Vector3(), up = new THREE.Vector3(), at = node.getWorldPosition(new THREE.Vector3());
    this.scene.camera.matrixWorld.extractBasis(right, up, new THREE.Vector3());
    if (!this.held) this.begin(node, at);
    this.held.target.copy(at).addScaledVector(right, 0.3 * way[0] * this.scene.radius).addScaledVector(up, 0.3 * way[1] * this.scene.radius);
    this.tell();
    return true;
  }

  up() {
    if (!this.held) return;
    this.held = null;
    this.scene.controls.enabled = true;
    this.send({ do: 'release' });
  }

  show() {
    this.line.visible = this.held !== null;
    if (!this.held) return;
    const { node, point, target } = this.held;
    node.updateWorldMatrix(true, false);
    this.line.geometry.setFromPoints([node.localToWorld(point.clone()), target]);
  }
}
