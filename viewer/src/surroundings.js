// SPDX-License-Identifier: MIT
// Light, sky and ground. The plain way (two lights, a grid) is for machines that draw without a graphics card; the fine way adds
// an environment that metals mirror, soft shadows, light from the sky and a ground that takes shadows.
import * as THREE from 'three';
import { gridLines } from './forms.js';

function dome(up) {
  const scene = new THREE.Scene(), ball = new THREE.SphereGeometry(10, 32, 24), p = ball.attributes.position;
  const sky = new THREE.Color(0xdfe9f5), middle = new THREE.Color(0xf4f4f2), ground = new THREE.Color(0xc4c3c0), c = new THREE.Color();
  const colours = new Float32Array(3 * p.count);
  for (let i = 0; i < p.count; i++) {
    const h = p.getY(i) / 10;
    c.copy(middle).lerp(h > 0 ? sky : ground, Math.min(1, Math.abs(h) * (h > 0 ? 1.5 : 6))).toArray(colours, 3 * i);
  }
  ball.setAttribute('color', new THREE.BufferAttribute(colours, 3));
  const group = new THREE.Group();
  group.add(new THREE.Mesh(ball, new THREE.MeshBasicMaterial({ vertexColors: true, side: THREE.BackSide })));
  for (const [x, y, z, width, strength] of [[-4, 6, 4, 5, 5], [6, 4, 1, 3, 3], [0, 5, -7, 4, 3]]) {
    const light = new THREE.Mesh(new THREE.PlaneGeometry(width, width),
      new THREE.MeshBasicMaterial({ color: new THREE.Color().setScalar(strength), side: THREE.DoubleSide }));
    light.position.set(x, y, z);
    light.lookAt(0, 0, 0);
    group.add(light);
  }
  group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), up);
  scene.add(group);
  return scene;
}

function gradient(top, bottom) {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [2, 128];
  const pen = canvas.getContext('2d'), fill = pen.createLinearGradient(0, 0, 0, 128);
  fill.addColorStop(0, top);
  fill.addColorStop(0.75, bottom);
  pen.fillStyle = fill;
  pen.fillRect(0, 0, 2, 128);
  const map = new THREE.CanvasTexture(canvas);
  map.colorSpace = THREE.SRGBColorSpace;
  return map;
}

// A disc that fades out, with lines in its shader; they stand still in the world when the disc goes with a body.
function disc(radius, step) {
  const material = new THREE.MeshLambertMaterial({ color: 0xe2e6ea, transparent: true, depthWrite: false });
  const uniforms = { offset: { value: new THREE.Vector2() }, lines: { value: 1 }, ends: { value: radius }, step: { value: step } };
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader.replace('#include <common>', '#include <common>\nvarying vec2 vPlace;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvPlace = position.xy;');
    shader.fragmentShader = shader.fragmentShader.replace('#include <common>', `#include <common>
      varying vec2 vPlace; uniform vec2 offset; uniform float lines, ends, step;
      float onLine(float apart) {
        vec2 c = (vPlace + offset) / apart, d = abs(fract(c - 0.5) - 0.5) / fwidth(c);
        return 1.0 - min(min(d.x, d.y), 1.0);
      }`).replace('#include <color_fragment>', `#include <color_fragment>
      diffuseColor.rgb *= 1.0 - lines * max(0.12 * onLine(step), 0.2 * onLine(10.0 * step));
      diffuseColor.a *= 1.0 - smoothstep(0.25, 1.0, length(vPlace) / ends);`);
  };
  const mesh = new THREE.Mesh(new THREE.CircleGeometry(radius, 96), material);
  mesh.receiveShadow = true;
  mesh.userData.uniforms = uniforms;
  return mesh;
}

export class Surroundings {
  constructor(renderer, scene, up) {
    Object.assign(this, { renderer, scene, up, fine: false, dark: false, shadows: true, grid: true });
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = THREE.PCFShadowMap;
    renderer.toneMapping = THREE.NeutralToneMapping;
    this.round = new THREE.HemisphereLight(0xffffff, 0x8899aa, 1.6);
    this.round.position.copy(up);
    this.sun = new THREE.DirectionalLight(0xfff4e6, 2.2);
    this.sky = new THREE.DirectionalLight(0xeaf2ff, 0.7);
    for (const light of [this.sun, this.sky]) scene.add(light, light.target);
    scene.add(this.round);
  }

  // Around a place: r is the size of the scene, low how high the ground is, along up.
  build(centre, r, low) {
    this.r = r;
    this.step = 10 ** Math.round(Math.log10(r / 4));
    const step = this.step, size = 2 * step * Math.ceil(1.5 * r / step);
    this.lines = gridLines(size, size, step, 3, 0x8a949e);
    Object.assign(this.lines.material, { transparent: true, opacity: 0.45 });
    this.disc = disc(3.2 * r, step);
    for (const thing of [this.lines, this.disc]) {
      thing.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), this.up);
      this.scene.add(thing);
    }
    this.low = low;
    for (const [light, width] of [[this.sun, 1.25], [this.sky, 1.4]]) {
      const c = light.shadow.camera;
      [c.left, c.right, c.top, c.bottom, c.near, c.far] = [-width * r, width * r, width * r, -width * r, 0.01 * r, 10 * r];
      c.updateProjectionMatrix();
    }
    this.sun.shadow.normalBias = 0.004 * r;
    this.towards = new THREE.Vector3(1, -1, 0);
    this.moveTo(centre);
    this.apply();
  }

  // The sun stands behind the left shoulder of who looks from there.
  lightFrom(toward) {
    const flat = toward.clone().addScaledVector(this.up, -toward.dot(this.up));
    if (flat.length() < 0.1) return;
    this.towards.copy(flat.normalize());
    this.moveTo(this.centre);
  }

  moveTo(centre) {
    this.centre = centre.clone();
    const left = new THREE.Vector3().crossVectors(this.towards, this.up);
    this.sun.position.copy(centre).addScaledVector(this.up, 1.3 * 3 * this.r).addScaledVector(left, 0.75 * 3 * this.r)
      .addScaledVector(this.towards, 0.45 * 3 * this.r);
    this.sky.position.copy(centre).addScaledVector(this.up, 4 * this.r);
    for (const light of [this.sun, this.sky]) light.target.position.copy(centre);
    for (const thing of [this.lines, this.disc]) thing.position.copy(centre).addScaledVector(this.up, this.low - centre.dot(this.up));
    const turned = this.disc.position.clone().applyQuaternion(this.disc.quaternion.clone().invert());
    this.disc.userData.uniforms.offset.value.set(turned.x, turned.y);
    const back = new THREE.Vector3(turned.x % this.step, turned.y % this.step, 0); // lines stay where they are
    this.lines.position.sub(back.applyQuaternion(this.lines.quaternion));
  }

  setTheme(dark) {
    this.dark = dark;
    this.scene.background?.dispose?.();
    this.scene.background = dark ? gradient('#10151b', '#232b34') : gradient('#c3d0dd', '#eceff2');
    this.apply();
  }

  set(kind, on) {
    this[kind] = on;
    this.apply();
  }

  apply() {
    const { fine, sun, sky } = this;
    if (fine && !this.mirrored) {
      const maker = new THREE.PMREMGenerator(this.renderer);
      this.mirrored = maker.fromScene(dome(this.up), 0.03).texture;
      maker.dispose();
    }
    this.scene.environment = fine ? this.mirrored : null;
    this.scene.environmentIntensity = this.dark ? 0.4 : 0.62;
    this.renderer.toneMappingExposure = fine ? 0.82 : 0.7;
    this.round.visible = !fine;
    sky.visible = fine;
    sun.castShadow = this.shadows;
    sky.castShadow = this.shadows && fine;
    this.setShadow(sun, fine ? 2048 : 1024, fine ? 2.2 : 1, -0.0003);
    this.setShadow(sky, 256, 3, -0.004);
    if (!this.disc) return;
    this.disc.visible = fine;
    this.disc.material.color.set(this.dark ? 0x2a323b : 0xe2e6ea);
    this.disc.userData.uniforms.lines.value = this.grid ? (this.dark ? -2.5 : 1) : 0;
    this.lines.visible = !fine && this.grid;
  }

  setShadow(light, size, radius, bias) {
    const { shadow } = light;
    if (shadow.mapSize.x !== size) {
      shadow.mapSize.set(size, size);
      shadow.map?.dispose();
      shadow.map = null;
    }
    Object.assign(shadow, { radius, bias });
  }
}
