// SPDX-License-Identifier: MIT
// Many spheres of one object, in one draw call: as small meshes, and from some thousands on as points that a shader makes
// round, whose cost is that of the pixels they cover.
import * as THREE from 'three';

const MESHES = 5000; // most spheres that are drawn as meshes

const vertexShader = `
  attribute float diameter;
  attribute vec3 shade;
  uniform float height; // of the canvas in pixels
  uniform vec4 plane; // what is on its negative side is cut away
  varying vec3 vShade;
  varying vec3 vMiddle;
  varying float vRadius;
  void main() {
    vec4 middle = modelViewMatrix * vec4(position, 1.0);
    vShade = shade;
    vMiddle = middle.xyz;
    vRadius = 0.5 * diameter;
    gl_Position = projectionMatrix * middle;
    if (dot(plane.xyz, (modelMatrix * vec4(position, 1.0)).xyz) + plane.w < 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = diameter * height * 0.5 * projectionMatrix[1][1] / gl_Position.w;
  }`;

const fragmentShader = `
  uniform mat4 lens; // of the camera
  varying vec3 vShade;
  varying vec3 vMiddle;
  varying float vRadius;
  void main() {
    vec2 p = 2.0 * gl_PointCoord - 1.0;
    float r2 = dot(p, p);
    if (r2 > 1.0) discard;
    vec3 normal = vec3(p.x, -p.y, sqrt(1.0 - r2));
    vec4 at = lens * vec4(vMiddle + vRadius * normal, 1.0);
    gl_FragDepth = 0.5 * at.z / at.w + 0.5;
    float light = 0.45 + 0.55 * max(0.0, dot(normal, normalize(vec3(0.4, 0.7, 0.6))));
    gl_FragColor = vec4(vShade * light, 1.0);
    #include <colorspace_fragment>
  }`;

export class Crowd {
  constructor(capacity, diameter, colour) {
    this.capacity = capacity;
    this.middles = new Float32Array(3 * capacity);
    this.diameters = new Float32Array(capacity).fill(diameter);
    this.shades = new Float32Array(3 * capacity);
    for (let i = 0; i < capacity; i++) colour.toArray(this.shades, 3 * i);
    this.object = capacity > MESHES ? this.makePoints() : this.makeMeshes();
    this.object.frustumCulled = false;
    this.object.userData.uncut = true; // grains are taken away whole
  }

  makeMeshes() {
    const mesh = new THREE.InstancedMesh(new THREE.IcosahedronGeometry(0.5, this.capacity > 1000 ? 1 : 3),
      new THREE.MeshLambertMaterial(), this.capacity);
    mesh.instanceColor = new THREE.InstancedBufferAttribute(this.shades, 3);
    mesh.castShadow = true;
    mesh.count = 0;
    return mesh;
  }

  makePoints() {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(this.middles, 3));
    geometry.setAttribute('diameter', new THREE.BufferAttribute(this.diameters, 1));
    geometry.setAttribute('shade', new THREE.BufferAttribute(this.shades, 3));
    geometry.setDrawRange(0, 0);
    const material = new THREE.ShaderMaterial({ vertexShader, fragmentShader,
      uniforms: { height: { value: 1 }, plane: { value: new THREE.Vector4() }, lens: { value: new THREE.Matrix4() } } });
    const points = new THREE.Points(geometry, material);
    points.onBeforeRender = (renderer, scene, camera) => {
      material.uniforms.height.value = renderer.getDrawingBufferSize(new THREE.Vector2()).y;
      material.uniforms.lens.value.copy(camera.projectionMatrix);
      material.uniformsNeedUpdate = true;
    };
    return points;
  }

  get isPoints() { return this.object.isPoints; }

  setMiddles(points, count) {
    this.count = Math.min(count, this.capacity);
    this.middles.set(points.subarray(0, 3 * this.count));
    this.place();
  }

  // Negative: a polyhedron, which is a mesh.
  setDiameters(list) {
    this.diameters.set(list.subarray(0, this.capacity).map((d) => Math.max(0, d)));
    this.place();
  }

  // Take away those on the negative side of a plane of the world; null: show all.
  cut(plane) {
    this.plane = plane;
    if (this.isPoints) this.object.material.uniforms.plane.value.set(...(plane ? [...plane.normal.toArray(), plane.constant] : [0, 0, 0, 0]));
    else this.place();
  }

  // The plane in the frame of the points.
  ownPlane() {
    this.object.updateWorldMatrix(true, false);
    return this.plane.clone().applyMatrix4(this.object.matrixWorld.clone().invert());
  }

  place() {
    if (this.count === undefined) return;
    if (this.isPoints) {
      this.object.geometry.setDrawRange(0, this.count);
      this.object.geometry.attributes.position.needsUpdate = this.object.geometry.attributes.diameter.needsUpdate = true;
      return;
    }
    const { array } = this.object.instanceMatrix, cut = this.plane ? this.ownPlane() : null, { middles } = this;
    for (let i = 0; i < this.count; i++) {
      const away = cut && cut.normal.x * middles[3 * i] + cut.normal.y * middles[3 * i + 1] + cut.normal.z * middles[3 * i + 2] + cut.constant < 0;
      array[16 * i] = array[16 * i + 5] = array[16 * i + 10] = away ? 0 : this.diameters[i];
      array[16 * i + 15] = 1;
      for (let c = 0; c < 3; c++) array[16 * i + 12 + c] = middles[3 * i + c];
    }
    this.object.count = this.count;
    this.object.instanceMatrix.needsUpdate = true;
  }

  // Red, green, blue, opacity: one for all, or one each.
  setColours(bytes, count) {
    const c = new THREE.Color();
    const at = (i) => c.setRGB(bytes[4 * i] / 255, bytes[4 * i + 1] / 255, bytes[4 * i + 2] / 255, THREE.SRGBColorSpace);
    this.paint((i) => at(count === 1 ? 0 : i), count === 1 ? this.capacity : count);
  }

  paint(colour, count) {
    for (let i = 0; i < Math.min(count, this.capacity); i++) colour(i).toArray(this.shades, 3 * i);
    (this.isPoints ? this.object.geometry.attributes.shade : this.object.instanceColor).needsUpdate = true;
  }
}
