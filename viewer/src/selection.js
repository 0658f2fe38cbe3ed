// SPDX-License-Identifier: MIT
// What is chosen has a bright rim around it and its name above it, of the same size however far it is.
import * as THREE from 'three';

const RIM = 0xff7a00, THICK = 0.005; // of the height of the picture

// The back of the part, a little larger on the screen: behind the part, but seen around it.
const rimMaterial = () => new THREE.ShaderMaterial({
  side: THREE.BackSide,
  uniforms: { aspect: { value: 1 }, colour: { value: new THREE.Color(RIM) } },
  vertexShader: `
    uniform float aspect;
    void main() {
      vec4 at = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
      vec2 outward = (normalMatrix * normal).xy;
      at.xy += ${(2 * THICK).toFixed(4)} * at.w * outward / max(length(outward), 1e-6) / vec2(aspect, 1.0);
      gl_Position = at;
    }`,
  fragmentShader: `
    uniform vec3 colour;
    void main() {
      gl_FragColor = vec4(colour, 1.0);
      #include <colorspace_fragment>
    }`,
});

// A name on a dark pill; its height is that share of the picture's.
export function pill(text, height = 0.038) {
  const canvas = document.createElement('canvas'), pixels = 48, font = `600 ${pixels * 0.62}px system-ui, sans-serif`;
  let pen = canvas.getContext('2d');
  pen.font = font;
  [canvas.width, canvas.height] = [Math.ceil(pen.measureText(text).width + 0.9 * pixels), pixels];
  pen = canvas.getContext('2d');
  pen.fillStyle = 'rgba(24, 30, 38, 0.88)';
  pen.beginPath();
  pen.roundRect(0, 0, canvas.width, pixels, pixels / 3);
  pen.fill();
  Object.assign(pen, { font, fillStyle: '#ffffff', textBaseline: 'middle', textAlign: 'center' });
  pen.fillText(text, canvas.width / 2, 0.53 * pixels);
  const map = new THREE.CanvasTexture(canvas);
  map.colorSpace = THREE.SRGBColorSpace;
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map, depthTest: false, transparent: true, sizeAttenuation: false, toneMapped: false }));
  const tall = height * 2 * Math.tan(28 * Math.PI / 360);
  sprite.scale.set(tall * canvas.width / pixels, tall, 1);
  sprite.center.set(0.5, -0.35);
  sprite.renderOrder = 10;
  return sprite;
}

export class Selection {
  constructor(scene) { Object.assign(this, { scene, names: [], things: [], labels: [] }); }

  // names: of the parts that are chosen or named
  set(names) {
    this.names = names.filter(Boolean);
    this.build();
  }

  build() {
    for (const t of this.things) { t.removeFromParent(); t.material.map?.dispose(); t.material.dispose(); }
    this.things = [];
    this.labels = [];
    for (const name of this.names) {
      const nodes = this.scene.nodes.filter((n) => n.name === name);
      for (const { userData: { mesh } } of nodes) if (mesh && !mesh.isInstancedMesh) this.addRim(mesh);
      if (nodes.length > 0) this.addLabel(name, nodes);
    }
  }

  addRim(mesh) {
    const rim = new THREE.Mesh(mesh.geometry, rimMaterial());
    rim.userData.uncut = true;
    rim.raycast = () => {};
    rim.onBeforeRender = (renderer, scene, camera) => { rim.material.uniforms.aspect.value = camera.aspect; };
    mesh.add(rim);
    this.things.push(rim);
  }

  addLabel(name, nodes) {
    const label = pill(name);
    this.scene.scene.add(label);
    this.things.push(label);
    this.labels.push({ label, nodes });
  }

  // Names stand above the parts.
  update() {
    const box = new THREE.Box3(), one = new THREE.Box3();
    for (const { label, nodes } of this.labels) {
      box.makeEmpty();
      for (const node of nodes) {
        node.updateWorldMatrix(true, false);
        const { mesh, instance, object } = node.userData;
        if (mesh) {
          if (!mesh.geometry.boundingBox) mesh.geometry.computeBoundingBox();
          box.union(one.copy(mesh.geometry.boundingBox).applyMatrix4(node.matrixWorld));
        } else box.expandByPoint(node.getWorldPosition(label.position)).expandByScalar(instance === undefined ? 0 : object.size[0] / 2);
      }
      label.visible = nodes.some((n) => n.visible);
      box.getCenter(label.position);
      const { up } = this.scene, half = box.getSize(new THREE.Vector3()).multiplyScalar(0.5);
      label.position.addScaledVector(up, Math.abs(up.x) * half.x + Math.abs(up.y) * half.y + Math.abs(up.z) * half.z);
    }
    for (const t of this.things) if (t.isMesh) t.geometry = t.parent.geometry; // it may have a new one
  }
}
