// SPDX-License-Identifier: MIT
// The three-dimensional picture: objects of the drawing in force, their poses, contacts as arrows, and what can be shown
// besides: frames, boxes, centres of mass, axes, trails.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { cornersOf, findFrame } from './bounds.js';
import { Cut } from './cut.js';
import { Flight } from './flight.js';
import { geometryOf, gridLines, textSprite } from './forms.js';
import { Legend } from './legend.js';
import { lookOf, materialOf, refine, speedColour } from './looks.js';
import { Marks } from './marks.js';
import { Mechanism } from './mechanism.js';
import { Ghosts } from './ghosts.js';
import { Selection } from './selection.js';
import { Speeds } from './speeds.js';
import { Surroundings } from './surroundings.js';
import { Changes } from './changes.js';
import { Crowd } from './crowd.js';
import { SoftBodies } from './soft.js';
import { Stresses, colourOf } from './stress.js';
import { CHUNK, FORM, floatsAt, hasPoints, pointsOf, readContacts } from './stream.js';

const MANY = 300; // spheres from here on are instances
const FAST = 15; // [ms] a plain picture takes on a machine that draws the fine one well
const SLOW = 45; // [ms] of a fine one: too long

const vector = (a) => new THREE.Vector3(a[0], a[1], a[2]);

export class Scene {
  constructor(canvas, run) {
    this.run = run;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(28, 1, 0.001, 1000);
    this.show = { shadows: true, grid: true, fine: false, mechanism: true, speeds: true, changes: true, stress: true, frames: false, boxes: false, centres: false, axes: false, contacts: false,
      forces: false, normals: false, torques: false, summed: false, trails: false, lines: true,
      molecules: true, surfaces: true, connections: false, strain: false, scale: true };
    this.strainScale = 0; // of the colours; 0: as the drawing says
    this.hidden = new Set(); // names
    this.seeThrough = new Set(); // names
    this.follow = null;
    this.drawing = null;
    this.nodes = [];
    this.pose = new Float64Array(7);
    this.up = this.findUp();
    this.around = new Surroundings(this.renderer, this.scene, this.up);
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener('start', () => { this.viewed = null; }); // the user looks as he likes
    this.root = new THREE.Group();
    this.scene.add(this.root);
    this.marks = new Marks(this);
    this.trails = new Map(); // name: line
    this.marker = null;
    this.measureLine = new THREE.Line(new THREE.BufferGeometry(),
      new THREE.LineBasicMaterial({ color: 0xd7263d, depthTest: false }));
    this.scene.add(this.measureLine);
    this.frame = findFrame(run);
    this.bounds = this.frame.box;
    this.middle = this.frame.start.clone();
    this.speeds = new Speeds(run);
    this.changes = new Changes(this, run);
    this.cut = new Cut(this);
    this.selection = new Selection(this);
    this.legend = new Legend(this.renderer);
    this.flight = new Flight();
    this.addGround();
    this.view('iso');
    this.stats = { script: 0, frames: 0, calls: 0 };
  }

  // Up is against gravity; without gravity it is z.
  findUp() {
    for (const d of this.run.drawings) {
      const g = d.objects.find((o) => o.form === FORM.gravity);
      if (g && Math.hypot(...g.size.slice(0, 3)) > 0) return vector(g.size).negate().normalize();
    }
    return new THREE.Vector3(0, 0, 1);
  }

  get radius() { return Math.max(1e-3, this.bounds.getBoundingSphere(new THREE.Sphere()).radius); }

  // Under everything, or where a half-space ends that is the ground of the model.
  addGround() {
    const centre = this.bounds.getCenter(new THREE.Vector3()), r = this.radius;
    const low = Math.min(...cornersOf(this.bounds).map((p) => p.dot(this.up))) - 0.004 * r;
    const plane = this.run.drawings.flatMap((d) => d.objects).find((o) => this.isGround(o));
    this.around.build(centre, r, plane ? vector(plane.position).dot(this.up) - 0.002 * r : low);
  }

  isGround(o) {
    if (o.form !== FORM.halfspace || o.moves || o.parent >= 0) return false;
    const q = new THREE.Quaternion(o.rotation[1], o.rotation[2], o.rotation[3], o.rotation[0]);
    return new THREE.Vector3(0, 0, 1).applyQuaternion(q).dot(this.up) > 0.999;
  }

  // Which way the camera looks from. The longer side of the scene faces it; it stands higher over what is flat.
  directionOf(name) {
    const side = Math.abs(this.up.x) > 0.9 ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(1, 0, 0);
    const front = new THREE.Vector3().crossVectors(side, this.up).normalize();
    side.crossVectors(this.up, front).normalize();
    const size = this.bounds.getSize(new THREE.Vector3()), along = (n) => Math.abs(n.x) * size.x + Math.abs(n.y) * size.y + Math.abs(n.z) * size.z;
    const wide = Math.max(along(side), along(front)), height = along(this.up);
    const elevation = (height < 0.3 * wide ? 34 : height > 1.2 * wide ? 14 : 22) * Math.PI / 180, turn = 28 * Math.PI / 180;
    const [near, beside] = along(front) > 1.25 * along(side) ? [side, front.clone().negate()] : [front, side];
    return { front, back: front.clone().negate(), right: side, left: side.clone().negate(),
      top: this.up.clone().addScaledVector(front, 1e-3), bottom: this.up.clone().negate().addScaledVector(front, 1e-3),
      iso: near.clone().multiplyScalar(Math.cos(turn)).addScaledVector(beside, Math.sin(turn)).multiplyScalar(Math.cos(elevation))
        .addScaledVector(this.up, Math.sin(elevation)) }[name].normalize();
  }

  // Camera presets: as near as all points of the frame allow.
  view(name) {
    const z = this.directionOf(name), x = new THREE.Vector3().crossVectors(this.up, z).normalize(), y = z.clone().cross(x);
    const tall = 0.92 * Math.tan(this.camera.fov * Math.PI / 360), wide = tall * (this.camera.aspect || 1);
    const most = { left: -Infinity, right: -Infinity, up: -Infinity, down: -Infinity }, origin = this.bounds.getCenter(new THREE.Vector3());
    for (const p of this.frame.points) {
      const d = p.clone().sub(origin), depth = d.dot(z);
      most.right = Math.max(most.right, d.dot(x) + depth * wide);
      most.left = Math.max(most.left, -d.dot(x) + depth * wide);
      most.up = Math.max(most.up, d.dot(y) + depth * tall);
      most.down = Math.max(most.down, -d.dot(y) + depth * tall);
    }
    const distance = Math.max((most.left + most.right) / 2 / wide, (most.up + most.down) / 2 / tall, 0.3 * this.radius) + 0.1 * this.radius;
    origin.addScaledVector(x, (most.right - most.left) / 2).addScaledVector(y, (most.up - most.down) / 2).add(this.middle).sub(this.frame.start);
    this.camera.near = distance / 100;
    this.camera.far = distance * 50;
    this.camera.updateProjectionMatrix();
    this.camera.position.copy(origin).addScaledVector(z, distance);
    this.controls.target.copy(origin);
    this.controls.update();
    this.around.lightFrom(z);
    this.viewed = name;
  }

  // From a place and at another one; what is not given stays as it is. light: the sun goes with the viewer
  look(from, at, light = true) {
    const { target } = this.controls;
    if (at) { this.camera.position.add(vector(at).sub(target)); target.fromArray(at); }
    if (from) this.camera.position.fromArray(from);
    const toward = this.camera.position.clone().sub(target), distance = Math.max(toward.length(), 1e-6);
    this.camera.near = Math.min(distance, this.radius) / 100;
    this.camera.far = (distance + this.radius) * 50;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    if (light) this.around.lightFrom(toward.divideScalar(distance));
    this.viewed = null;
  }

  // Where all that moves goes far, the camera goes with the heaviest.
  travel() {
    const leader = this.frame.leader && this.nodes.find((n) => n.name === this.frame.leader);
    if (!leader) return;
    const now = leader.getWorldPosition(new THREE.Vector3());
    const step = now.clone().sub(this.middle);
    this.middle.copy(now);
    this.controls.target.add(step);
    this.camera.position.add(step);
    this.controls.update();
    this.around.moveTo(this.around.centre.clone().add(step));
  }

  // Fine pictures where the machine is fast enough: the plain one is tried first.
  chooseFine() {
    if (this.timed(2) < FAST) {
      this.setShow('fine', true);
      if (this.timed(3) > SLOW) this.setShow('fine', false);
    }
    return this.show.fine;
  }

  // [ms] of a picture, the first one apart, which makes shaders.
  timed(count) {
    const gl = this.renderer.getContext(), pixel = new Uint8Array(4);
    const draw = () => { this.render(); gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel); };
    draw();
    const begin = performance.now();
    for (let i = 0; i < count; i++) draw();
    return (performance.now() - begin) / count;
  }

  // ---- objects

  build(drawing) {
    this.root.traverse((n) => { n.geometry?.dispose(); n.material?.dispose?.(); });
    this.root.clear();
    this.drawing = drawing;
    const moving = new Set(drawing.moving);
    const isMoving = (o) => moving.has(o.number) || o.parent >= 0 && isMoving(drawing.objects[o.parent]);
    const many = drawing.objects.filter((o) => o.form === FORM.sphere).length > MANY;
    this.nodes = drawing.objects.map((o) => this.makeNode(o, isMoving(o), many));
    drawing.objects.forEach((o, i) => {
      if (many && o.form === FORM.sphere) return; // an instance
      (o.parent >= 0 && !o.moves ? this.nodes[o.parent] : this.root).add(this.nodes[i]);
    });
    this.instances = many ? this.makeInstances(drawing.objects.filter((o) => o.form === FORM.sphere)) : null;
    this.decorate();
    this.stresses = new Stresses(drawing, this.nodes, this.run);
    this.buildSoft(drawing);
    this.mechanism = this.instances ? null : new Mechanism(this, drawing);
    this.ghosts = new Ghosts(this);
    for (const kind of ['mechanism', 'lines']) this.root.traverse((n) => { if (n.userData.kind === kind) n.visible = this.show[kind]; });
    this.applyFine();
    if (this.cut.on) this.cut.apply();
    this.selection.build();
  }

  applyFine() {
    refine(this.root, this.show.fine);
    for (const n of this.nodes) if (n.userData.ground) n.userData.mesh.visible = !this.show.fine; // the disc stands for it
  }

  // What a user has chosen to see stays chosen.
  buildSoft(drawing) {
    this.soft = new SoftBodies(drawing, this.nodes, this.run.meshes);
    const { wanted } = this.soft;
    if (!wanted) return;
    this.strainScale ||= wanted.scale;
    for (const kind of ['molecules', 'surfaces', 'connections', 'strain']) {
      if (this.first?.[kind] !== wanted[kind]) this.show[kind] = wanted[kind];
    }
    this.first = wanted;
    this.onkinds?.();
  }

  // What the colours in the picture say.
  scales() {
    const list = [], c = new THREE.Color(), even = (n, colour) => Array.from({ length: n }, (_, i) => `#${colour(i / (n - 1)).getHexString()}`);
    const rainbow = even(7, (x) => c.setHSL(0.66 * (1 - x), 0.9, 0.5));
    if (this.sped) list.push({ title: 'speed [m/s]', low: 0, high: this.speeds.fast, colours: even(9, (x) => speedColour(x, c)) });
    if (this.show.strain && this.soft?.wanted) {
      list.push({ title: 'strain [%]', low: -100 * this.strainScale, high: 100 * this.strainScale, colours: ['#0000ff', '#ffffff', '#ff0000'] });
    }
    if (this.show.stress && this.stresses?.any) list.push({ ...this.stresses.legend, colours: rainbow });
    if (this.marks.pressures) list.push({ title: 'pressure [Pa]', ...this.marks.pressures, colours: rainbow });
    return list;
  }

  setStrainScale(scale) {
    if (scale > 0) this.strainScale = scale;
  }

  makeNode(o, moving, many) {
    const node = new THREE.Group();
    node.name = o.name;
    const look = lookOf(o, moving);
    node.userData = { object: o, moving, look, colour: look.colour };
    if (!o.moves) {
      node.position.set(...o.position);
      node.quaternion.set(o.rotation[1], o.rotation[2], o.rotation[3], o.rotation[0]);
    }
    if (many && o.form === FORM.sphere) return node;
    const geometry = geometryOf(o, o.size, this.run.meshes, this.run.drawings.length > 50 || this.drawing.objects.length > MANY);
    if (geometry) node.add(this.makeMesh(geometry, node));
    if (o.form === FORM.text) node.add(textSprite(o.text, o.size[0] || 0.1, '#d7263d'));
    if (o.form === FORM.grid) node.add(gridLines(o.size[0], o.size[1], o.size[2], o.axis, 0x8a949e));
    if (o.form === FORM.coordinates) node.add(new THREE.AxesHelper(o.size[0]));
    if (o.form === FORM.halfspace) node.add(this.makePlate(node));
    if (o.form === FORM.spheres) node.add(this.makeSpheres(o, node));
    return node;
  }

  makeMesh(geometry, node) {
    const { look, object } = node.userData; // a mesh may be open
    const mesh = new THREE.Mesh(geometry, materialOf(look, object.form === FORM.mesh ? THREE.DoubleSide : THREE.FrontSide, geometry));
    mesh.castShadow = object.form !== FORM.halfspace && look.opacity > 0.5;
    mesh.receiveShadow = true;
    mesh.userData.node = node;
    node.userData.mesh = mesh;
    return mesh;
  }

  makePlate(node) {
    node.userData.ground = this.isGround(node.userData.object);
    const size = 3 * this.radius;
    return this.makeMesh(new THREE.BoxGeometry(size, size, 0.01 * size).translate(0, 0, -0.005 * size), node);
  }

  // Spheres of one object, whose middles come with every picture.
  makeSpheres(o, node) {
    const crowd = node.userData.crowd = new Crowd(Math.max(1, o.size[0]), o.size[1], node.userData.colour);
    crowd.object.userData.node = node;
    return crowd.object;
  }

  // Many objects that are spheres: one draw call.
  makeInstances(objects) {
    const mesh = new THREE.InstancedMesh(new THREE.IcosahedronGeometry(0.5, 1), new THREE.MeshLambertMaterial(),
      objects.length);
    mesh.frustumCulled = false;
    mesh.userData.objects = objects;
    objects.forEach((o, i) => {
      const node = this.nodes[o.number];
      mesh.setColorAt(i, node.userData.colour);
      mesh.setMatrixAt(i, new THREE.Matrix4().makeScale(o.size[0], o.size[0], o.size[0]).setPosition(node.position));
      node.userData.instance = i;
    });
    this.root.add(mesh);
    return mesh;
  }

  // Frames, centres of mass, axes of joints and boxes, each in a group that can be switched.
  decorate() {
    const size = 0.12 * this.radius;
    if (this.instances) return;
    for (const node of this.nodes) {
      const o = node.userData.object;
      const add = (kind, thing) => { thing.userData.kind = kind; thing.visible = this.show[kind]; node.add(thing); };
      if (o.form === FORM.spheres || this.drawing.objects[o.parent]?.form === FORM.spheres) continue; // they have no frame
      if (o.form <= FORM.mesh) add('frames', new THREE.AxesHelper(size));
      if (o.mass > 0) {
        const ball = new THREE.Mesh(new THREE.OctahedronGeometry(0.15 * size),
          new THREE.MeshBasicMaterial({ color: 0xffb000, depthTest: false }));
        ball.position.set(...o.centre);
        ball.renderOrder = 2;
        add('centres', ball);
      }
      if (o.form === FORM.axis) {
        const n = vector(o.size).normalize().multiplyScalar(1.5 * size);
        const line = new THREE.Line(new THREE.BufferGeometry().setFromPoints([n, n.clone().negate()]),
          new THREE.LineBasicMaterial({ color: 0x8e44ad, depthTest: false }));
        add('axes', line);
      }
      if (node.userData.mesh) {
        node.userData.mesh.geometry.computeBoundingBox();
        const box = new THREE.Box3Helper(node.userData.mesh.geometry.boundingBox, 0x2e86ab);
        add('boxes', box);
      }
    }
  }

  setShow(kind, on) {
    this.show[kind] = on;
    this.root.traverse((n) => { if (n.userData.kind === kind) n.visible = on; });
    if (kind === 'grid' || kind === 'shadows' || kind === 'fine') this.around.set(kind, on);
    if (kind === 'fine') this.applyFine();
    if (kind === 'trails') this.updateTrails();
  }

  setHidden(name, hide) {
    if (hide) this.hidden.add(name); else this.hidden.delete(name);
  }

  // ---- a moment

  update(time) {
    const begin = performance.now();
    const place = this.place = this.run.place(time);
    const segment = this.run.segments[place.segment];
    if (!segment?.drawing) { this.root.visible = false; return; }
    this.root.visible = true;
    if (segment.drawing !== this.drawing) this.build(segment.drawing);
    for (const n of this.nodes) {
      n.visible = this.hidden.size === 0 || !this.hidden.has(n.name);
      if (n.userData.changed) this.restore(n);
    }
    this.setPoses(place);
    this.setChunks(this.run.chunks(place));
    this.mechanism?.update();
    this.changes.update(time);
    this.travel();
    this.followBody();
    this.flight.update(time, this);
    this.stats.script = performance.now() - begin;
  }

  setPoses(place) {
    const { moving } = this.drawing, p = this.pose;
    if (this.instances) this.instances.instanceMatrix.needsUpdate = true;
    for (let k = 0; k < moving.length; k++) {
      const node = this.nodes[moving[k]];
      if (node.userData.instance !== undefined) { this.setInstance(place, k, node); continue; }
      this.run.pose(place, k, p);
      node.position.set(p[0], p[1], p[2]);
      node.quaternion.set(p[3], p[4], p[5], p[6]);
    }
  }

  // A sphere looks the same however it is turned: only its middle is set.
  setInstance(place, k, node) {
    const { array } = this.instances.instanceMatrix, at = 16 * node.userData.instance;
    const { poses, count, drawing } = this.run.segments[place.segment], n = drawing.moving.length;
    const i = place.local, j = i + 1 < count ? i + 1 : i, f = place.fraction;
    for (let c = 0; c < 3; c++) {
      const row = (c * n + k) * count, a = poses[row + i];
      array[at + 12 + c] = a + f * (poses[row + j] - a);
    }
    node.position.set(array[at + 12], array[at + 13], array[at + 14]);
    array[at] = array[at + 5] = array[at + 10] = node.visible ? node.userData.object.size[0] : 0;
  }

  setChunks(chunks) {
    this.soft.begin();
    const contacts = [], lines = [], polygons = [];
    for (const c of chunks) {
      const node = this.nodes[c.object];
      if (this.soft.move(c, node)) continue;
      if (c.kind === CHUNK.contacts) contacts.push(...readContacts(c));
      if (c.kind === CHUNK.hidden) node.visible = false;
      if (c.kind === CHUNK.lines) lines.push([node, floatsAt(c.data, 0, 6 * c.count)]);
      if (c.kind === CHUNK.polygon) polygons.push([node, floatsAt(c.data, 0, 4 * c.count)]);
      if (c.kind === CHUNK.sizes) this.resize(node, floatsAt(c.data, 0, 4));
      if (hasPoints(c)) this.setPoints(node, pointsOf(c));
      if (c.kind === CHUNK.colours) this.setColours(node, c);
      if (c.kind === CHUNK.values) this.setValues(node, floatsAt(c.data, 0, c.count));
      if (c.kind === CHUNK.diameters) node.userData.crowd?.setDiameters(floatsAt(c.data, 0, c.count));
    }
    this.soft.show(this.show, this.strainScale);
    this.setSpeeds(chunks);
    this.marks.set(contacts, lines, polygons);
  }

  // Grains that have no colours are painted by their speed.
  setSpeeds(chunks) {
    this.sped = false;
    const painted = new Set(chunks.filter((c) => c.kind === CHUNK.colours || c.kind === CHUNK.values).map((c) => c.object));
    for (const { userData: { crowd, object, colour } } of this.nodes) {
      if (!crowd || painted.has(object.number) || object.colour[3] || this.soft.of.has(this.nodes[object.number])) continue;
      if (this.show.speeds) this.sped = this.speeds.paint(crowd, object.number, this.place) || this.sped;
      else { crowd.row = -1; crowd.paint(() => colour, crowd.capacity); }
    }
  }

  // What a picture does not change looks as it was drawn first.
  restore(node) {
    const { mesh, object } = node.userData;
    node.userData.changed = false;
    node.userData.size = null;
    if (!mesh) return;
    if (object.form !== FORM.mesh && object.form !== FORM.halfspace) this.setGeometry(node, object.size);
    mesh.material.vertexColors = false;
    mesh.material.color.copy(mesh.material.map ? new THREE.Color(0xffffff) : node.userData.colour);
    mesh.material.needsUpdate = true;
  }

  resize(node, size) {
    node.userData.changed = true;
    if (node.userData.object.form === FORM.arrow) { node.userData.size = Array.from(size); return; }
    if (node.userData.mesh) this.setGeometry(node, size);
  }

  setGeometry(node, size) {
    const geometry = geometryOf(node.userData.object, size, this.run.meshes, true);
    node.userData.mesh.geometry.dispose();
    node.userData.mesh.geometry = geometry;
  }

  setPoints(node, points) {
    const { crowd, mesh, object } = node.userData;
    if (crowd) crowd.setMiddles(points, points.length / 3);
    if (!mesh || object.form !== FORM.mesh) return;
    const { indices } = this.run.meshes[object.mesh], to = mesh.geometry.attributes.position;
    for (let i = 0; i < indices.length; i++) to.setXYZ(i, points[3 * indices[i]], points[3 * indices[i] + 1], points[3 * indices[i] + 2]);
    to.needsUpdate = true;
    mesh.geometry.computeVertexNormals();
    mesh.geometry.computeBoundingSphere();
  }

  setColours(node, chunk) {
    const { crowd, mesh, object } = node.userData;
    if (crowd) { crowd.setColours(chunk.data, chunk.count); return; }
    if (!mesh) return;
    node.userData.changed = true;
    const colour = (i, c) => c.setRGB(chunk.data[4 * i] / 255, chunk.data[4 * i + 1] / 255, chunk.data[4 * i + 2] / 255,
      THREE.SRGBColorSpace);
    if (chunk.count === 1) { colour(0, mesh.material.color); return; }
    if (object.form !== FORM.mesh) return;
    const { indices } = this.run.meshes[object.mesh], perTriangle = chunk.count === indices.length / 3, c = new THREE.Color();
    this.paint(mesh, (i) => colour(perTriangle ? Math.floor(i / 3) : indices[i], c));
  }

  // A field on the vertices, from blue (its least value; of stresses 0) to red.
  setValues(node, values) {
    const { crowd, mesh, object } = node.userData, c = new THREE.Color(), stress = this.stresses.has(node);
    if (stress && !this.show.stress) return;
    let low = Infinity, high = -Infinity;
    for (const v of values) { low = Math.min(low, v); high = Math.max(high, v); }
    if (stress) {
      this.stresses.note(values);
      [low, high] = [0, this.stresses.scale];
    }
    const shade = (v) => colourOf((v - low) / (high - low || 1), c);
    if (crowd) crowd.paint((i) => shade(values[i]), values.length);
    if (!mesh || object.form !== FORM.mesh) return;
    node.userData.changed = true;
    const { indices } = this.run.meshes[object.mesh];
    this.paint(mesh, (i) => shade(values[indices[i]]));
  }

  paint(mesh, colour) {
    const count = mesh.geometry.attributes.position.count, list = new Float32Array(3 * count);
    for (let i = 0; i < count; i++) colour(i).toArray(list, 3 * i);
    mesh.geometry.setAttribute('color', new THREE.BufferAttribute(list, 3));
    mesh.material.vertexColors = true;
    mesh.material.color.set(0xffffff);
    mesh.material.needsUpdate = true;
  }

  followBody() {
    const node = this.follow && this.nodes.find((n) => n.name === this.follow);
    if (!node) return;
    const at = node.getWorldPosition(new THREE.Vector3()), step = at.clone().sub(this.controls.target);
    this.controls.target.copy(at);
    this.camera.position.add(step);
    this.controls.update();
  }

  // The path of each body's origin over the whole run.
  updateTrails() {
    for (const line of this.trails.values()) this.scene.remove(line);
    this.trails.clear();
    if (!this.show.trails || !this.drawing || this.drawing.moving.length > MANY) return;
    const paths = new Map();
    for (const s of this.run.segments) {
      if (!s.drawing) continue;
      const n = s.drawing.moving.length;
      s.drawing.moving.forEach((number, k) => {
        const o = s.drawing.objects[number];
        if (!paths.has(o.name)) paths.set(o.name, { points: [], colour: lookOf(o, true).colour });
        const { points } = paths.get(o.name);
        for (let i = 0; i < s.count; i++) for (let c = 0; c < 3; c++) points.push(s.poses[(c * n + k) * s.count + i]);
      });
    }
    for (const [name, { points, colour }] of paths) {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
      const line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: colour }));
      this.trails.set(name, line);
      this.scene.add(line);
    }
  }

  // ---- looking

  setTheme(dark) {
    this.dark = dark;
    this.around.setTheme(dark);
  }

  setSize(width, height, ratio) {
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / Math.max(1, height);
    this.camera.updateProjectionMatrix();
    if (this.viewed) this.view(this.viewed);
  }

  render() {
    this.ghosts?.update();
    this.cut.update();
    this.selection.update();
    this.renderer.render(this.scene, this.camera);
    this.stats.calls = this.renderer.info.render.calls;
    this.legend.set(this.show.scale && this.root.visible ? this.scales() : [], this.dark);
    this.legend.render();
    this.stats.frames++;
  }

  // The object under a point of the canvas (-1 to 1 each way) and where it was hit, or null.
  pick(x, y) {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(x, y), this.camera);
    for (const hit of ray.intersectObject(this.root, true)) {
      if (hit.object.userData.objects) return { object: hit.object.userData.objects[hit.instanceId], point: hit.point };
      const { node } = hit.object.userData;
      if (node?.visible) return { object: node.userData.object, point: hit.point };
    }
    return null;
  }

  // Show which object is chosen.
  select(object) {
    this.selection.set([object?.name]);
  }

  measure(points) {
    this.measureLine.geometry.setFromPoints(points);
    this.measureLine.visible = points.length === 2;
    return points.length === 2 ? points[0].distanceTo(points[1]) : NaN;
  }
}
