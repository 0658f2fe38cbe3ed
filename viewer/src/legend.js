// SPDX-License-Identifier: MIT
// Scales of the colours in the picture (speeds, strains, pressures), drawn over it in a corner.
import * as THREE from 'three';

const WIDTH = 210, HEIGHT = 52; // of one scale, in pixels of a picture that is 720 high

const digits = (x) => (x === 0 ? '0' : String(Number(x.toPrecision(2))));

// scale: {title, low, high, colours: from low to high, evenly}
function draw(pen, { title, low, high, colours }, ink) {
  pen.fillStyle = ink;
  pen.font = '600 13px system-ui, sans-serif';
  pen.textAlign = 'left';
  pen.fillText(title, 0, 13);
  const fill = pen.createLinearGradient(0, 0, WIDTH, 0);
  colours.forEach((c, i) => fill.addColorStop(i / (colours.length - 1), c));
  pen.fillStyle = fill;
  pen.fillRect(0, 20, WIDTH, 12);
  pen.fillStyle = ink;
  pen.font = '12px system-ui, sans-serif';
  for (const [x, v, align] of [[0, low, 'left'], [WIDTH / 2, (low + high) / 2, 'center'], [WIDTH, high, 'right']]) {
    pen.textAlign = align;
    pen.fillText(digits(v), x, 46);
  }
}

export class Legend {
  constructor(renderer) {
    this.renderer = renderer;
    this.scene = new THREE.Scene();
    this.camera = new THREE.OrthographicCamera(0, 1, 1, 0, -1, 1);
    this.plate = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), new THREE.MeshBasicMaterial({ transparent: true, depthTest: false, toneMapped: false }));
    this.scene.add(this.plate);
    this.key = '';
  }

  // Draws what it shows only if that is new.
  set(scales, dark) {
    const size = this.renderer.getDrawingBufferSize(new THREE.Vector2()), f = Math.min(0.27 * size.x / WIDTH, Math.max(size.y / 720, 0.9 * this.renderer.getPixelRatio()));
    const key = JSON.stringify([scales, dark, size.x, size.y, f]);
    this.shown = scales.length > 0;
    if (key === this.key || !this.shown) return;
    this.key = key;
    const canvas = document.createElement('canvas'), wide = WIDTH + 24, tall = HEIGHT * scales.length + 16;
    [canvas.width, canvas.height] = [Math.ceil(wide * f), Math.ceil(tall * f)];
    const pen = canvas.getContext('2d');
    pen.scale(f, f);
    pen.fillStyle = dark ? 'rgba(20, 24, 29, 0.72)' : 'rgba(255, 255, 255, 0.72)';
    pen.beginPath();
    pen.roundRect(0, 0, wide, tall, 8);
    pen.fill();
    pen.translate(12, 8);
    for (const s of scales) { draw(pen, s, dark ? '#e8edf2' : '#1c242c'); pen.translate(0, HEIGHT); }
    this.plate.material.map?.dispose();
    this.plate.material.map = new THREE.CanvasTexture(canvas);
    this.plate.material.map.colorSpace = THREE.SRGBColorSpace;
    this.plate.material.needsUpdate = true;
    this.plate.scale.set(canvas.width / size.x, canvas.height / size.y, 1);
    this.plate.position.set((canvas.width / 2 + 14 * f) / size.x, (canvas.height / 2 + 14 * f) / size.y, 0);
  }

  render() {
    if (!this.shown) return;
    this.renderer.autoClear = false;
    this.renderer.render(this.scene, this.camera);
    this.renderer.autoClear = true;
  }
}
