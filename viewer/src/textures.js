// SPDX-License-Identifier: MIT
// Structure of surfaces, computed in the shader from the place on the part: rings of wood, brushed metal, weave, speckles; the hatched
// face where a part is cut; and the numbers of billiard balls.
import * as THREE from 'three';

const NOISE = `
  float rbHash(vec3 p) { p = fract(p * 0.3183099 + 0.1); p *= 17.0; return fract(p.x * p.y * p.z * (p.x + p.y + p.z)); }
  float rbNoise(vec3 x) {
    vec3 i = floor(x), f = fract(x);
    f = f * f * (3.0 - 2.0 * f);
    return mix(mix(mix(rbHash(i), rbHash(i + vec3(1, 0, 0)), f.x), mix(rbHash(i + vec3(0, 1, 0)), rbHash(i + vec3(1, 1, 0)), f.x), f.y),
      mix(mix(rbHash(i + vec3(0, 0, 1)), rbHash(i + vec3(1, 0, 1)), f.x), mix(rbHash(i + vec3(0, 1, 1)), rbHash(i + vec3(1, 1, 1)), f.x), f.y), f.z);
  }`;

// p: place on the part over its largest size, its longest side along x. What is finer than a pixel fades.
const LOOK = {
  wood: `
    float wave = rbNoise(p * vec3(2.5, 9.0, 9.0));
    float rings = 26.0 * length(p.yz + vec2(0.31, 0.47) + 0.02 * p.x) + 1.6 * wave;
    float ring = 0.5 + 0.5 * cos(6.2832 * rings), fade = 1.0 - smoothstep(0.25, 0.7, fwidth(rings));
    float fibre = rbNoise(p * vec3(9.0, 160.0, 160.0)) - 0.5;
    rbShade = 1.0 - fade * 0.2 * ring * ring + 0.16 * fibre * (1.0 - smoothstep(0.3, 1.2, 160.0 * length(fwidth(p))));`,
  brushed: `
    float line = rbNoise(p * vec3(5.0, 240.0, 240.0)) - 0.5;
    rbShade = 1.0 + 0.22 * line * (1.0 - smoothstep(0.3, 1.4, 160.0 * length(fwidth(p))));`,
  cloth: `
    vec3 thread = sin(p * 900.0);
    float weave = thread.x * thread.y + thread.y * thread.z + thread.z * thread.x;
    rbShade = 1.0 + 0.07 * (rbNoise(p * 60.0) - 0.5) + 0.1 * weave * (1.0 - smoothstep(0.5, 2.0, 900.0 * length(fwidth(p))));`,
  speckled: `
    rbShade = 1.0 + 0.2 * (rbNoise(p * 35.0) - 0.5) + 0.24 * (rbNoise(p * 150.0) - 0.5) * (1.0 - smoothstep(0.4, 1.6, 150.0 * length(fwidth(p))));`,
  octants: `
    vec3 edge = clamp(p / max(fwidth(p), vec3(1e-6)), -1.0, 1.0);
    rbShade = 0.82 + 0.2 * edge.x * edge.y * edge.z;`, // a ball that stands for a mass: one sees how it turns
};

// Which way the longest side of a geometry lies, as a rotation that brings it to x, and its length.
function grainOf(geometry) {
  if (!geometry.boundingBox) geometry.computeBoundingBox();
  const size = geometry.boundingBox.getSize(new THREE.Vector3()), longest = Math.max(size.x, size.y, size.z, 1e-9);
  const m = new THREE.Matrix3();
  if (longest === size.y && size.y > size.x) m.set(0, 1, 0, 0, 0, 1, 1, 0, 0);
  else if (longest === size.z && size.z > size.x) m.set(0, 0, 1, 1, 0, 0, 0, 1, 0);
  return m.multiplyScalar(1 / longest);
}

// The inside of a part that is cut shows as a hatched face: the back sides of its surface, moved to where the line of sight meets the plane.
const LENS = `
  #if NUM_CLIPPING_PLANES > 0
    varying vec2 rbLens;
  #endif`;
const CUT = `
  #if NUM_CLIPPING_PLANES > 0
    gl_FragDepth = gl_FragCoord.z;
    if (!gl_FrontFacing) {
      gl_FragColor = vec4(mix(vec3(0.93, 0.94, 0.95), 0.55 * diffuseColor.rgb, step(0.72, fract((gl_FragCoord.x - gl_FragCoord.y) / 11.0))), opacity);
      float z = vClipPosition.z * clippingPlanes[0].w / dot(vClipPosition, clippingPlanes[0].xyz);
      gl_FragDepth = 0.5 + 0.5 * (rbLens.y - rbLens.x * z) / z;
    }
  #endif
  #include <colorspace_fragment>`;

// texture: a name of LOOK, or nothing
export function addStructure(material, texture, geometry) {
  const kind = LOOK[texture] && geometry ? texture : null;
  const uniforms = kind ? { rbGrain: { value: grainOf(geometry) } } : {};
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader.replace('#include <common>', `#include <common>${LENS}`).replace('#include <begin_vertex>', `#include <begin_vertex>
      #if NUM_CLIPPING_PLANES > 0
        rbLens = vec2(projectionMatrix[2][2], projectionMatrix[3][2]);
      #endif`);
    shader.fragmentShader = shader.fragmentShader.replace('#include <common>', `#include <common>${LENS}`).replace('#include <colorspace_fragment>', CUT);
    if (!kind) return;
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader.replace('#include <common>', '#include <common>\nvarying vec3 vPart; uniform mat3 rbGrain;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvPart = rbGrain * position;');
    shader.fragmentShader = shader.fragmentShader.replace('#include <common>', `#include <common>\nvarying vec3 vPart;${NOISE}`)
      .replace('#include <color_fragment>', `#include <color_fragment>
        float rbShade = 1.0;
        { vec3 p = vPart; ${LOOK[kind]} }
        diffuseColor.rgb *= rbShade;`)
      .replace('#include <roughnessmap_fragment>', `#include <roughnessmap_fragment>
        ${kind === 'brushed' ? 'roughnessFactor *= 2.0 - rbShade;' : ''}`);
  };
  material.customProgramCacheKey = () => `structure ${kind}`;
}

// ---- billiard balls

const POOL = [0xf3f0e6, 0xf2b705, 0x1f4fa3, 0xc8281e, 0x5a2d82, 0xea6a1f, 0x1d7a3e, 0x7d1f24, 0x17181a];

// The number of a ball by its name: ball[3] is 3, names without one are 0 (the cue ball), others have none.
export function ballNumber(name) {
  const found = /(\d+)\]?$/.exec(name);
  return found ? Number(found[1]) <= 15 ? Number(found[1]) : null : 0;
}

export const ballColour = (number) => new THREE.Color(POOL[number > 8 ? number - 8 : number]);

export function ballTexture(number) {
  const canvas = document.createElement('canvas'), [w, h] = [canvas.width, canvas.height] = [512, 256];
  const pen = canvas.getContext('2d'), colour = `#${ballColour(number).getHexString()}`, white = `#${ballColour(0).getHexString()}`;
  pen.fillStyle = number > 8 ? white : colour;
  pen.fillRect(0, 0, w, h);
  if (number > 8) { pen.fillStyle = colour; pen.fillRect(0, 0.27 * h, w, 0.46 * h); }
  for (const x of number > 0 ? [0.25 * w, 0.75 * w] : []) {
    pen.fillStyle = white;
    pen.beginPath();
    pen.arc(x, h / 2, 0.13 * h, 0, 2 * Math.PI);
    pen.fill();
    pen.fillStyle = '#17181a';
    pen.font = `bold ${0.17 * h}px sans-serif`;
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.fillText(String(number), x, h / 2);
  }
  const map = new THREE.CanvasTexture(canvas);
  map.colorSpace = THREE.SRGBColorSpace;
  map.anisotropy = 4;
  return map;
}
