// SPDX-License-Identifier: MIT
// Colours and surfaces: what the drawing says, or what the material of a part looks like, or a colour of the palette.
import * as THREE from 'three';
import { FORM } from './stream.js';
import { addStructure, ballColour, ballNumber, ballTexture } from './textures.js';

// Told apart also by people who see fewer colours (least distance 14 to 32 units of CIE76, by kind of sight).
export const PALETTE = [0x3f78b5, 0xe08a2c, 0x3c9d84, 0xb8403f, 0x9cc6e6, 0xe3cf6b, 0x43285f, 0x59636d];
const FIXED = 0xa8b3be;

// Materials by their names: colour, metalness, roughness, opacity, structure of the surface. `painted`: parts that move and are no balls have colours of the palette.
const MATERIALS = [
  [/steel|iron/i, { colour: 0xb9bfc5, metalness: 0.7, roughness: 0.36, texture: 'brushed', painted: true }],
  [/alumin/i, { colour: 0xd4d8dc, metalness: 0.7, roughness: 0.42, texture: 'brushed', painted: true }],
  [/brass|bronze|copper|gold/i, { colour: 0xd8b25a, metalness: 1, roughness: 0.28, texture: 'brushed' }],
  [/darkwood|cushion|cue/i, { colour: 0x6b3d20, roughness: 0.45, texture: 'wood' }],
  [/wood|oak|beech|pine/i, { colour: 0xc08d55, roughness: 0.62, texture: 'wood' }],
  [/rubber|tyre|tire/i, { colour: 0x35383c, roughness: 0.88 }],
  [/concrete|rock|stone|brick/i, { colour: 0xb4b2ad, roughness: 0.92, texture: 'speckled' }],
  [/billiardtable|cloth|felt/i, { colour: 0x1c6b49, roughness: 0.95, texture: 'cloth' }],
  [/glass/i, { colour: 0xdcecf2, roughness: 0.08, opacity: 0.35 }],
  [/\bice\b/i, { colour: 0xcfe6f2, roughness: 0.12, opacity: 0.75 }],
  [/billiardball/i, { roughness: 0.12, numbered: true }],
];

export function lookOf(object, moving) {
  const own = { metalness: 0, roughness: 0.42, opacity: 1 };
  const chosen = new THREE.Color(moving ? PALETTE[object.number % PALETTE.length] : FIXED);
  const [r, g, b, a] = object.colour, known = MATERIALS.find(([name]) => name.test(object.material ?? ''))?.[1];
  if (object.onlyOpacity) return { ...lookOf({ ...object, colour: [0, 0, 0, 0], onlyOpacity: false }, moving), opacity: a / 255 };
  if (a > 0) {
    const brown = r > g && g > b && r - b > 40; // wood in another colour is painted, and its rings are not seen
    return { ...own, ...(known?.metalness ? { metalness: 0.6, roughness: known.roughness } : {}), opacity: a / 255,
      texture: known?.texture === 'wood' && !brown ? undefined : known?.texture,
      colour: new THREE.Color().setRGB(r / 255, g / 255, b / 255, THREE.SRGBColorSpace) };
  }
  if (!known || known.painted && moving && object.form !== FORM.sphere) return { ...own, colour: chosen };
  const number = known.numbered && object.form === FORM.sphere ? ballNumber(object.name) : null;
  if (number !== null) return { ...own, ...known, number, colour: ballColour(number) };
  return { ...own, ...known, colour: known.colour === undefined ? chosen : new THREE.Color(known.colour) };
}

// Grains by their speed: light at rest, dark and red when fast; the lightness falls all the way.
const SPEEDS = [0xdcc9a3, 0xf0a85c, 0xdf5a45, 0x9a2a72, 0x35146b].map((c) => new THREE.Color(c));

// share: of the speed that few exceed.
export function speedColour(share, c) {
  const x = (SPEEDS.length - 1) * Math.sqrt(Math.min(1, Math.max(0, share))), k = Math.min(SPEEDS.length - 2, Math.floor(x));
  return c.lerpColors(SPEEDS[k], SPEEDS[k + 1], x - k);
}

// Metals need something to mirror: without an environment they are as others. geometry: of the part, for the structure of its surface.
export function materialOf(look, side = THREE.FrontSide, geometry = null) {
  const material = new THREE.MeshStandardMaterial({ color: look.colour, roughness: look.roughness, metalness: look.metalness,
    transparent: look.opacity < 1, opacity: look.opacity, side });
  material.userData = { metalness: look.metalness, opacity: look.opacity, side };
  addStructure(material, look.texture, geometry);
  if (look.number > 0) { material.map = ballTexture(look.number); material.color.set(0xffffff); }
  return material;
}

export function refine(root, fine) {
  root.traverse(({ material }) => { if (material?.userData.metalness !== undefined) material.metalness = fine ? material.userData.metalness : 0; });
}
