// SPDX-License-Identifier: MIT
// The page of `rattleback live`: the newest moment of a run that goes on, and its knobs. The server is src/live.
import { Run } from './data.js';
import { element } from './page.js';
import { Pull } from './pull.js';
import { CHUNK, floatsAt, readChunks, readDrawing, readMesh } from './stream.js';
import { $, Viewer } from './viewer.js';

const KIND = { hello: 0, scene: 1, status: 2, frame: 3 }; // ORDER src/live/server.h
const KNOBS = 60; // listed at once
const KEPT = 20000; // moments in the curves; when it is reached every second one goes
const WATCHED = 64; // ORDER src/live/live.c

const decoder = new TextDecoder();
const text = (view) => JSON.parse(decoder.decode(new Uint8Array(view.buffer, 4)));

// ---- the run, as far as it has come: one moment to be drawn, and curves of what is watched
class LiveRun extends Run {
  constructor(meta) {
    super(meta);
    Object.assign(this, { generation: 0, now: NaN, end: null, begin: 0, times: [], curves: new Map(), latest: new Map() });
  }

  hello({ start, stop, variables, text }) {
    Object.assign(this, { begin: start ?? 0, end: stop, text, variables: variables.map((v) => ({ ...v, series: -1 })) });
  }

  scene(view) {
    let at = 12;
    const blob = () => { at += 4 + view.getUint32(at, true); return at; };
    const next = () => { const from = at + 4, to = blob(); return new Uint8Array(view.buffer, from, to - from); };
    this.generation = view.getUint32(4, true);
    this.meshes = Array.from({ length: view.getUint32(8, true) }, () => readMesh(next()));
    const bytes = next(), drawing = bytes.length > 0 ? readDrawing(bytes) : null;
    this.drawings = drawing ? [drawing] : [];
    this.segments = [{ first: 0, count: 1, drawing, poses: new Float32Array(7 * (drawing?.moving.length ?? 0)), chunks: [] }];
  }

  frame(view) {
    const time = view.getFloat64(8, true), count = view.getUint32(20, true);
    if (time < this.now) { this.times = []; this.curves.clear(); } // it has started anew
    const values = new Map();
    for (let i = 0; i < count; i++) {
      values.set(view.getUint32(24 + 4 * i, true), view.getFloat64(24 + 4 * count + 8 * i, true));
    }
    this.now = time;
    this.latest = values;
    this.keep(time, values);
    if (view.getUint32(4, true) === this.generation) this.picture(new Uint8Array(view.buffer, 24 + 12 * count));
  }

  keep(time, values) {
    if (this.times.length >= KEPT) {
      const half = (list) => list.filter((_, i) => i % 2 === 0);
      this.times = half(this.times);
      for (const [v, list] of this.curves) this.curves.set(v, half(list));
    }
    const before = this.times.length;
    this.times.push(time);
    for (const v of values.keys()) if (!this.curves.has(v)) this.curves.set(v, new Array(before).fill(NaN));
    for (const [v, list] of this.curves) list.push(values.get(v) ?? NaN);
  }

  picture(bytes) {
    const s = this.segments[0];
    if (!s?.drawing) return;
    const n = s.drawing.moving.length, chunks = readChunks(bytes);
    let next = 0; // moving object: poses of all chunks follow each other
    for (const c of chunks.filter((k) => k.kind === CHUNK.poses)) {
      const f = floatsAt(c.data, 0, 7 * c.count);
      for (let i = 0; i < c.count && next < n; i++, next++) for (let k = 0; k < 7; k++) s.poses[k * n + next] = f[7 * i + k];
    }
    s.chunks = chunks.filter((k) => k.kind !== CHUNK.poses);
  }

  get start() { return this.begin; }
  get stop() { return this.end ?? this.now; }
  get events() { return []; }
  rowAt() { return Math.max(0, this.times.length - 1); }
  place() { return { segment: 0, row: 0, local: 0, fraction: 0 }; }
  chunks() { return this.segments[0].chunks; }
  values(variable) { return this.curves.get(variable) ?? new Array(this.times.length).fill(NaN); }
}

// ---- knobs

// Inputs and parameters of the model itself, then those of its parts, level by level.
const rank = (v) => 2 * (v.name.replace(/\[[^\]]*\]/g, '').split('.').length - 1) + (v.input ? 0 : 1);

// Where a slider goes: as far as the model says, otherwise to twice the value.
function rangeOf({ knob, min, max }) {
  const size = Math.abs(knob) || 1, far = (x) => x == null || Math.abs(x) > 1e3 * size;
  const from = far(min) ? Math.min(knob > 0 ? 0 : knob - size, far(max) ? Infinity : max) : min;
  const to = far(max) ? Math.max(knob < 0 ? 0 : knob + size, from + size) : max;
  return to > from ? [from, to] : [knob - size, knob + size];
}

// ---- the page
class LiveViewer extends Viewer {
  constructor(run, link) {
    super(run);
    this.link = link;
    this.addPanel();
    this.showStatus(link.status);
    this.frame();
  }

  send(what) { this.link?.send(what); }

  connectScene() {
    super.connectScene();
    this.pull = new Pull(this.scene, $('view'), (what) => this.send(what));
    document.addEventListener('keyup', () => this.pull.up());
  }

  key(e) {
    if (e.shiftKey && this.chosen && this.pull?.key(e, this.chosen.name)) { e.preventDefault(); return; }
    super.key(e);
  }

  // A picture is drawn when the browser wants one, whatever the server sends meanwhile.
  frame() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.pull?.show();
      this.setTime(this.run.now);
      const now = performance.now();
      if (now - (this.plotted ?? 0) > 100) { this.plots.refresh(); this.plotted = now; }
    });
  }

  play(on) { this.send({ do: on ? 'resume' : 'pause' }); }
  stepEvent() {}
  stepRow(direction) { if (direction > 0) this.send({ do: 'step' }); }
  setSpeed() {}
  changeSpeed(by) { super.changeSpeed(by); this.send({ do: 'speed', value: this.speed }); }

  connect() {
    super.connect();
    for (const id of ['back', 'next']) $(id).hidden = true;
    $('time').disabled = true;
    $('loop').parentElement.hidden = true;
    $('speed').append(element('option', { value: 0 }, 'as fast as possible'));
    $('speed').onchange = (e) => { this.speed = Number(e.target.value); this.send({ do: 'speed', value: this.speed }); };
  }

  addPanel() {
    const button = (id, what, label) => element('button', { id, type: 'button', onclick: () => this.send({ do: what }) }, label);
    $('side').prepend(element('section', { 'aria-labelledby': 'h-live' },
      element('h2', { id: 'h-live' }, 'Run'),
      element('div', { class: 'row' }, button('restart', 'restart', 'Restart'), button('step', 'step', 'Step'), button('stop', 'stop', 'Stop')),
      element('label', {}, 'tolerance ', element('input', { id: 'tolerance', type: 'number', min: 0, step: 'any',
        onchange: (e) => this.send({ do: 'tolerance', value: Number(e.target.value) }) })),
      element('p', { id: 'notes', class: 'note', 'aria-live': 'polite' }),
      element('h2', {}, 'Parameters and inputs'),
      element('input', { id: 'find-knob', type: 'search', placeholder: 'search parameters', 'aria-label': 'search parameters',
        oninput: () => this.listKnobs() }),
      element('ul', { id: 'knobs', class: 'list' }),
      ...this.makeEditor()));
    this.listKnobs();
  }

  // The text of the model, and what is wrong with it.
  makeEditor() {
    if (typeof this.run.text !== 'string') return [];
    const area = element('textarea', { id: 'text', rows: 14, spellcheck: false, wrap: 'off', 'aria-label': 'text of the model',
      'aria-describedby': 'mistakes' });
    area.value = this.run.text;
    area.onkeydown = (e) => { if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) this.translate(); e.stopPropagation(); };
    return [element('h2', {}, 'Model'), area,
      element('div', { class: 'row' },
        element('button', { id: 'translate', type: 'button', onclick: () => this.translate() }, 'Translate and run')),
      element('ul', { id: 'mistakes', class: 'list', 'aria-live': 'polite' })];
  }

  // In parts, since the server takes short messages only. The position counts bytes.
  translate() {
    const bytes = new TextEncoder().encode($('text').value), decoder = new TextDecoder();
    for (let at = 0; at < bytes.length || at === 0;) {
      let end = Math.min(bytes.length, at + 1500);
      while (end < bytes.length && (bytes[end] & 0xc0) === 0x80) end--; // not inside a letter
      this.send({ do: 'edit', at, text: decoder.decode(bytes.subarray(at, end)) });
      at = Math.max(end, at + 1);
    }
    this.asked_at = this.link.status?.noted ?? 0;
    this.send({ do: 'translate' });
  }

  // Messages of the translator with their places; a click goes there.
  showMistakes(status) {
    if (!$('mistakes') || this.asked_at === undefined) return;
    const fresh = status.refused ? status.notes.slice(-Math.max(0, status.noted - this.asked_at) || status.notes.length) : [];
    $('mistakes').replaceChildren(...fresh.map((note) => {
      const place = note.match(/:(\d+):(\d+): /);
      if (!place) return element('li', {}, note);
      const go = () => this.goTo(Number(place[1]), Number(place[2]));
      return element('li', {}, element('button', { type: 'button', onclick: go }, `line ${place[1]}: ${note.slice(place.index + place[0].length)}`));
    }));
  }

  goTo(line, column) {
    const lines = $('text').value.split('\n'), at = lines.slice(0, line - 1).reduce((n, l) => n + l.length + 1, 0) + column - 1;
    $('text').focus();
    $('text').setSelectionRange(at, at + 1);
  }

  listKnobs() {
    const wanted = $('find-knob').value.toLowerCase();
    const all = this.run.variables.filter((v) => v.knob !== null && v.name.toLowerCase().includes(wanted))
      .sort((a, b) => rank(a) - rank(b)); // what the model declares itself comes first
    this.knobs = new Map();
    $('knobs').replaceChildren(...all.slice(0, KNOBS).map((v) => this.makeKnob(v)));
    if (all.length > KNOBS) $('knobs').append(element('li', {}, `… ${all.length - KNOBS} more: search for them`));
  }

  makeKnob(v) {
    const label = v.unit && !v.unit.startsWith('{') ? `${v.name} [${v.unit}]` : v.name, send = (value) => this.send({ do: 'set', name: v.name, value });
    const title = [v.description, v.min != null || v.max != null ? `from ${v.min ?? '−∞'} to ${v.max ?? '∞'}` : '',
      v.structural ? 'decides the structure: change the text of the model' : ''].filter(Boolean).join('; ');
    if (v.type === 'boolean') {
      const box = element('input', { type: 'checkbox', role: 'switch', checked: v.knob !== 0, disabled: v.structural, 'aria-label': label,
        onchange: (e) => send(e.target.checked ? 1 : 0) });
      this.knobs.set(v.name, (value) => { box.checked = value !== 0; });
      return element('li', { class: 'knob', title }, element('span', {}, label), box);
    }
    if (v.type === 'enumeration') {
      const list = element('select', { disabled: v.structural, 'aria-label': label, onchange: (e) => send(Number(e.target.value)) },
        ...v.choices.map((c, i) => element('option', { value: i + 1, selected: i + 1 === v.knob }, c)));
      this.knobs.set(v.name, (value) => { list.value = String(value); });
      return element('li', { class: 'knob', title }, element('span', {}, label), list);
    }
    const [from, to] = rangeOf(v), least = v.type === 'integer' ? 1 : (to - from) / 200;
    const set = (e) => {
      const value = Number(e.target.value);
      if (e.target.value !== '' && Number.isFinite(value)) this.send({ do: 'set', name: v.name, value });
    };
    const number = element('input', { type: 'number', step: v.type === 'integer' ? 1 : 'any', min: v.min, max: v.max, value: v.knob, disabled: v.structural,
      'aria-label': label, onchange: set });
    const slider = element('input', { type: 'range', min: from, max: to, step: least, value: v.knob, disabled: v.structural,
      'aria-label': `${label}, slider`, onchange: set });
    this.knobs.set(v.name, (value) => { if (document.activeElement !== number) number.value = value; slider.value = value; });
    return element('li', { class: 'knob', title }, element('span', {}, label), number, slider);
  }

  showStatus(status) {
    if (!status) return;
    this.state = status.state;
    this.showMistakes(status);
    this.playing = status.state === 'running';
    $('play').textContent = this.playing ? '❚❚' : '▶';
    $('play').setAttribute('aria-label', this.playing ? 'pause' : 'play');
    $('play').disabled = !['running', 'paused'].includes(status.state);
    $('step').disabled = status.state !== 'paused';
    $('state').textContent = status.state;
    this.speed = status.speed;
    $('speed').value = String(status.speed);
    if (document.activeElement !== $('tolerance')) $('tolerance').value = status.tolerance;
    $('notes').replaceChildren(...status.notes.slice(-3).flatMap((n) => [n, element('br')]));
    for (const [name, value] of status.settings) {
      const v = this.run.variables.find((k) => k.name === name);
      if (v) v.knob = value;
      this.knobs?.get(name)?.(value);
    }
  }

  // Values come for what is plotted and for the chosen body.
  watch() {
    const prefix = this.chosen ? `${this.chosen.name}.` : null, { variables } = this.run;
    const wanted = new Set(this.plots.chosen);
    if (prefix) variables.forEach((v, i) => { if (wanted.size < WATCHED && v.name.startsWith(prefix)) wanted.add(i); });
    this.send({ do: 'watch', names: [...wanted].map((i) => variables[i].name) });
  }

  listVariables() { super.listVariables(); this.watch(); }
  choose(object) { super.choose(object); this.watch(); }

  current(cell) { return this.run.latest.get(cell.variable); }
}

// ---- the connection
export function startLive(meta) {
  const run = new LiveRun(meta), seen = new Set();
  const socket = new WebSocket(`ws://${location.host}${location.pathname}socket`);
  socket.binaryType = 'arraybuffer';
  const link = { status: null, send: (what) => { if (socket.readyState === 1) socket.send(JSON.stringify(what)); } };
  return new Promise((resolve, reject) => {
    let viewer = null;
    socket.onopen = () => link.send({ do: 'join' });
    socket.onmessage = ({ data }) => {
      const view = new DataView(data), kind = view.getUint32(0, true);
      if (kind === KIND.hello) { run.hello(text(view)); viewer?.listKnobs(); }
      if (kind === KIND.scene) run.scene(view);
      if (kind === KIND.status) { link.status = text(view); viewer?.showStatus(link.status); }
      if (kind === KIND.frame) { run.frame(view); viewer?.frame(); }
      seen.add(kind);
      if (!viewer && seen.size === 4) {
        try { resolve(viewer = new LiveViewer(run, link)); } catch (error) { reject(error); }
      }
    };
    socket.onclose = () => {
      if (!viewer) reject(new Error('the run has ended'));
      else if (viewer.state !== 'stopped') viewer.showStatus({ ...link.status, state: 'the connection is lost' });
    };
  });
}
