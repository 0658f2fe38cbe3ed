// SPDX-License-Identifier: MIT
// The page: puts it together and lets time pass.
import css from './style.css';
import plotCss from 'uplot/dist/uPlot.min.css';
import { buildPage, element } from './page.js';
import { writeFlight } from './flight.js';
import { Plots } from './plots.js';
import { Scene } from './scene.js';
import { FORM } from './stream.js';

const LISTED = 300; // names that a list shows at once
export const $ = (id) => document.getElementById(id);

export class Viewer {
  constructor(run) {
    Object.assign(this, { run, time: run.start, playing: false, speed: 1, loop: true, chosen: null, measuring: null });
    document.head.append(element('style', {}, css), element('style', {}, plotCss));
    document.title = run.meta.model || 'Result';
    buildPage(run.meta, run.hasPictures);
    if (run.hasPictures) this.scene = new Scene($('view'), run);
    this.plots = new Plots($('plots'), run, (t) => this.setTime(t));
    const dark = matchMedia('(prefers-color-scheme: dark)').matches;
    this.connect();
    this.setTheme(dark);
    this.listVariables();
    this.describe();
    this.setSpeed();
    new ResizeObserver(() => this.resize()).observe(document.querySelector('.body'));
    this.resize();
    this.setTime(run.start);
    if (this.scene && run.meta.chapters?.length) this.playChapter(0);
    if (run.meta.plots) for (const name of run.meta.plots) this.plotByName(name);
  }

  describe() {
    const { meta } = this.run;
    $('state').textContent = meta.complete ? '' : `not complete: ${meta.reason}`;
    const notes = [];
    if (meta.left_out > 0) notes.push(`${meta.left_out} more variables are in the result but not in this page (choose with --variable-filter).`);
    if (meta.picture_stride > 1) notes.push(`Points, lines and contacts are shown in one of ${meta.picture_stride} rows (--picture-size).`);
    $('left-out').textContent = notes.join(' ');
  }

  // The speed at which the whole run takes about ten seconds is offered first.
  setSpeed() {
    const length = this.run.stop - this.run.start;
    if (length > 0 && (length < 2 || length > 60)) {
      const wanted = length / 10, select = $('speed');
      const best = [...select.options].reduce((a, b) =>
        (Math.abs(Math.log(b.value / wanted)) < Math.abs(Math.log(a.value / wanted)) ? b : a));
      select.value = best.value;
    }
    this.speed = Number($('speed').value);
  }

  // ---- time

  setTime(time) {
    this.time = Math.min(this.run.stop, Math.max(this.run.start, time));
    const length = this.run.stop - this.run.start || 1;
    $('time').value = 1000 * (this.time - this.run.start) / length;
    $('time').setAttribute('aria-valuetext', `${this.time.toPrecision(5)} s`);
    $('clock').textContent = `${this.time.toFixed(length < 1 ? 5 : 3)} s`;
    this.draw();
  }

  draw() {
    if (this.scene) {
      const drawing = this.scene.drawing;
      this.scene.update(this.time);
      if (this.scene.drawing !== drawing) this.listObjects();
      if (this.sized && this.scene.drawing && !this.tried) this.chooseFine();
      this.scene.render();
      this.showValues();
    }
    this.plots.setTime(this.time);
  }

  chooseFine() {
    this.tried = true;
    $('show-fine').checked = this.scene.chooseFine();
  }

  play(on) {
    if (this.playing === on) return;
    this.playing = on;
    $('play').textContent = on ? '❚❚' : '▶';
    $('play').setAttribute('aria-label', on ? 'pause' : 'play');
    if (!on) return;
    if (this.time >= this.run.stop) this.time = this.run.start;
    let last = performance.now();
    const tick = (now) => {
      if (!this.playing) return;
      const next = this.time + this.speed * (now - last) / 1000;
      last = now;
      const { start, stop } = this.chapter ?? this.run;
      if (next > stop && this.loop && stop > start) this.setTime(start);
      else this.setTime(next);
      if (next >= stop && !this.loop) this.play(false); else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  // A part of the time that is played by itself, again and again.
  playChapter(number) {
    this.chapter = this.run.meta.chapters[number];
    document.querySelectorAll('[data-chapter]').forEach((b) => b.setAttribute('aria-pressed', String(Number(b.dataset.chapter) === number)));
    this.setTime(this.chapter.start);
    this.speed = 1;
    this.play(true);
  }

  // To the next (+1) or previous (-1) event.
  stepEvent(direction) {
    const { events } = this.run;
    const next = direction > 0 ? events.find((t) => t > this.time + 1e-12 * (1 + Math.abs(this.time)))
      : events.findLast((t) => t < this.time - 1e-12 * (1 + Math.abs(this.time)));
    this.setTime(next ?? (direction > 0 ? this.run.stop : this.run.start));
  }

  stepRow(direction) {
    const row = this.run.rowAt(this.time);
    let i = row;
    do i += direction; while (i > 0 && i < this.run.times.length - 1 && this.run.times[i] === this.time);
    this.setTime(this.run.times[Math.min(this.run.times.length - 1, Math.max(0, i))]);
  }

  drawMarks() {
    const canvas = $('marks'), width = canvas.width = canvas.clientWidth * devicePixelRatio, { height } = canvas;
    const pen = canvas.getContext('2d'), length = this.run.stop - this.run.start || 1;
    const at = (t) => 8 + (width - 16) * (t - this.run.start) / length;
    pen.clearRect(0, 0, width, height);
    pen.fillStyle = this.dark ? '#f0c040' : '#9a6b00';
    for (const t of this.run.events) pen.fillRect(at(t), 4, 1, height - 4);
    pen.fillStyle = this.dark ? '#6db3f2' : '#1f6fb4';
    for (const s of this.run.segments.slice(1)) pen.fillRect(at(this.run.times[s.first]) - 1, 0, 3, height);
    pen.fillStyle = this.dark ? '#ffa04d' : '#c25400';
    for (const { time } of this.scene?.changes.list ?? []) {
      pen.beginPath();
      pen.arc(at(time), height / 2, height / 3, 0, 2 * Math.PI);
      pen.fill();
    }
  }

  listChanges() {
    const { list } = this.scene.changes, host = $('changes');
    host.hidden = list.length === 0;
    host.querySelector('ul').replaceChildren(...list.slice(0, LISTED).map(({ time, cause }) => element('li', {},
      element('button', { type: 'button', onclick: () => this.setTime(time) }, `${time.toPrecision(4)} s: ${cause}`))));
    $('show-changes').parentElement.hidden = list.length === 0;
  }

  // ---- lists

  listObjects() {
    const list = $('objects'), wanted = $('find-object').value.toLowerCase();
    if (!list || !this.scene.drawing) return;
    const { objects } = this.scene.drawing, part = (o) => objects[o.parent]?.name === o.name; // of a soft body
    const all = objects.filter((o) => o.form !== FORM.gravity && !part(o) && o.name.toLowerCase().includes(wanted));
    list.replaceChildren(...all.slice(0, LISTED).map((o) => element('li', {},
      element('input', { type: 'checkbox', checked: !this.scene.hidden.has(o.name), 'aria-label': `show ${o.name}`,
        onchange: (e) => { this.scene.setHidden(o.name, !e.target.checked); this.draw(); } }),
      element('button', { type: 'button', 'aria-pressed': String(o.name === this.chosen?.name),
        style: o.parent >= 0 ? 'padding-left: 1.2em' : null, onclick: () => this.choose(o) }, o.name))));
    if (all.length > LISTED) list.append(element('li', {}, `… ${all.length - LISTED} more: search for them`));
  }

  listVariables() {
    const list = $('variables'), wanted = $('find-variable').value.toLowerCase();
    const all = this.run.variables.map((v, i) => [v, i]).filter(([v]) => v.name.toLowerCase().includes(wanted));
    list.replaceChildren(...all.slice(0, LISTED).map(([v, i]) => element('li', {},
      element('button', { type: 'button', 'aria-pressed': String(this.plots.chosen.includes(i)), title: v.description ?? '',
        onclick: () => { this.plots.toggle(i); this.listVariables(); this.resize(); } },
      v.unit ? `${v.name} [${v.unit}]` : v.name))));
    if (all.length > LISTED) list.append(element('li', {}, `… ${all.length - LISTED} more: search for them`));
  }

  plotByName(name) {
    const i = this.run.variables.findIndex((v) => v.name === name);
    if (i >= 0 && !this.plots.chosen.includes(i)) { this.plots.toggle(i); this.listVariables(); this.resize(); }
  }

  choose(object) {
    this.chosen = object;
    this.scene.select(object);
    $('ghost').setAttribute('aria-pressed', String(this.scene.seeThrough.has(object?.name)));
    this.listObjects();
    this.values = null;
    this.draw();
  }

  // The variables of the chosen body at this time; each can be plotted.
  showValues() {
    const host = $('chosen');
    if (!this.chosen) { host.replaceChildren(); return; }
    if (this.values?.name !== this.chosen.name) {
      const prefix = `${this.chosen.name}.`;
      const list = this.run.variables.map((v, i) => [v, i]).filter(([v]) => v.name.startsWith(prefix)).slice(0, 40);
      const cells = list.map(([v, i]) => {
        const cell = element('td');
        return { cell, variable: i, series: this.run.values(i), unit: v.unit ?? '', line: element('tr', {}, element('td', {},
          element('button', { type: 'button', title: `plot ${v.name}`, onclick: () => this.plotByName(v.name) },
            v.name.slice(prefix.length))), cell) };
      });
      host.replaceChildren(element('h2', {}, this.chosen.name),
        element('table', { class: 'values' }, element('tbody', {}, ...cells.map((c) => c.line))));
      this.values = { name: this.chosen.name, cells };
    }
    for (const c of this.values.cells) {
      const x = this.current(c);
      c.cell.textContent = x === undefined || Number.isNaN(x) ? 'none' : `${x.toPrecision(5)} ${c.unit}`;
    }
  }

  current(cell) { return cell.series[this.run.rowAt(this.time)]; }

  // ---- what the user does

  connect() {
    $('play').onclick = () => this.play(!this.playing);
    $('back').onclick = () => this.stepEvent(-1);
    $('next').onclick = () => this.stepEvent(1);
    document.querySelectorAll('[data-chapter]').forEach((b) => { b.onclick = () => this.playChapter(Number(b.dataset.chapter)); });
    $('time').oninput = (e) => this.setTime(this.run.start + (this.run.stop - this.run.start) * e.target.value / 1000);
    $('speed').onchange = (e) => { this.speed = Number(e.target.value); };
    $('loop').onchange = (e) => { this.loop = e.target.checked; };
    $('theme').onclick = () => this.setTheme(!this.dark);
    $('help').onclick = () => $('keys').showModal();
    $('close-keys').onclick = () => $('keys').close();
    $('panel').onclick = () => { document.querySelector('.body').classList.toggle('wide'); this.resize(); };
    $('find-variable').oninput = () => this.listVariables();
    document.addEventListener('keydown', (e) => this.key(e));
    if (this.scene) this.connectScene();
  }

  connectScene() {
    for (const b of document.querySelectorAll('[data-view]')) b.onclick = () => { this.scene.view(b.dataset.view); this.draw(); };
    for (const kind of Object.keys(this.scene.show)) {
      const box = $(`show-${kind}`);
      if (box) box.onchange = () => { this.scene.setShow(kind, box.checked); this.draw(); };
    }
    this.listChanges();
    this.scene.onkinds = () => this.showKinds();
    this.showKinds();
    $('strain-scale').oninput = (e) => { this.scene.setStrainScale(Number(e.target.value)); this.draw(); };
    $('scale').oninput = (e) => { this.scene.marks.forceScale = Number(e.target.value) / 1000; this.draw(); };
    $('find-object').oninput = () => this.listObjects();
    this.connectCut();
    this.connectFlight();
    $('ghost').onclick = () => this.toggleGhost();
    $('follow').onclick = () => this.toggleFollow();
    $('measure').onclick = () => this.startMeasuring();
    this.scene.controls.addEventListener('change', () => { if (!this.playing) this.scene.render(); });
    const canvas = $('view');
    let down = null;
    canvas.addEventListener('pointerdown', (e) => { down = [e.offsetX, e.offsetY]; });
    canvas.addEventListener('pointerup', (e) => {
      if (down && Math.hypot(e.offsetX - down[0], e.offsetY - down[1]) < 4) this.click(e);
    });
  }

  connectCut() {
    const { scene } = this, { min, max } = scene.bounds;
    const show = () => {
      $('cut-at').hidden = !scene.cut.on;
      $('cut-place').textContent = scene.cut.on ? `${scene.cut.axis} = ${scene.cut.at.toPrecision(3)} m` : '';
      this.draw();
    };
    $('cut').onchange = (e) => {
      const axis = e.target.value;
      scene.cut.set(axis);
      if (axis) $('cut-at').value = (scene.cut.at - min[axis]) / (max[axis] - min[axis] || 1);
      show();
    };
    $('cut-at').oninput = (e) => {
      const { axis } = scene.cut;
      scene.cut.set(axis, min[axis] + Number(e.target.value) * (max[axis] - min[axis]));
      show();
    };
  }

  connectFlight() {
    $('add-key').onclick = () => { this.scene.flight.add(this.time, this.scene); this.listKeys(); };
    $('fly').onclick = () => {
      this.scene.flight.on = !this.scene.flight.on;
      this.listKeys();
      this.draw();
    };
    $('save-flight').onclick = () => {
      const url = URL.createObjectURL(new Blob([writeFlight(this.scene.flight.keys)], { type: 'text/csv' }));
      element('a', { href: url, download: 'flight.csv' }).click();
      setTimeout(() => URL.revokeObjectURL(url), 1000);
    };
  }

  listKeys() {
    const { flight } = this.scene;
    if (flight.keys.length === 0) flight.on = false;
    $('fly').disabled = $('save-flight').disabled = flight.keys.length === 0;
    $('fly').setAttribute('aria-pressed', String(flight.on));
    $('keyframes').replaceChildren(...flight.keys.map((k, i) => element('li', {},
      element('button', { type: 'button', onclick: () => { this.setTime(k[0]); this.scene.look(k.slice(1, 4), k.slice(4, 7)); this.draw(); } },
        `${k[0].toPrecision(4)} s`),
      element('button', { type: 'button', 'aria-label': `remove the key frame at ${k[0].toPrecision(4)} s`, class: 'small',
        onclick: () => { flight.remove(i); this.listKeys(); } }, '✕'))));
  }

  toggleGhost() {
    const { seeThrough } = this.scene, name = this.chosen?.name;
    if (name && !seeThrough.delete(name)) seeThrough.add(name);
    $('ghost').setAttribute('aria-pressed', String(seeThrough.has(name)));
    this.draw();
  }

  // The boxes of bodies that deform, if there are any, say what the scene shows.
  showKinds() {
    $('soft').hidden = !this.scene.soft?.wanted;
    $('show-speeds').parentElement.hidden = !this.scene.nodes.some((n) => n.userData.crowd); // of grains
    for (const kind of ['molecules', 'surfaces', 'connections', 'strain']) $(`show-${kind}`).checked = this.scene.show[kind];
    if (document.activeElement !== $('strain-scale')) $('strain-scale').value = this.scene.strainScale || '';
  }

  click(e) {
    const canvas = $('view');
    const hit = this.scene.pick(2 * e.offsetX / canvas.clientWidth - 1, 1 - 2 * e.offsetY / canvas.clientHeight);
    if (!this.measuring) { this.choose(hit?.object ?? null); return; }
    if (!hit) return;
    this.measuring.push(hit.point.clone());
    const distance = this.scene.measure(this.measuring);
    if (this.measuring.length === 2) {
      $('measured').textContent = `distance ${distance.toPrecision(5)} m`;
      this.measuring = null;
      $('measure').setAttribute('aria-pressed', 'false');
    }
    this.draw();
  }

  startMeasuring() {
    this.measuring = this.measuring ? null : [];
    $('measure').setAttribute('aria-pressed', String(this.measuring !== null));
    $('measured').textContent = this.measuring ? 'click two points' : '';
    this.scene.measure([]);
    this.draw();
  }

  toggleFollow() {
    this.scene.follow = this.scene.follow || !this.chosen ? null : this.chosen.name;
    $('follow').setAttribute('aria-pressed', String(this.scene.follow !== null));
    this.draw();
  }

  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName) && e.target.type !== 'checkbox') return;
    const views = ['iso', 'front', 'back', 'left', 'right', 'top', 'bottom'];
    const keys = {
      ArrowRight: () => this.stepRow(1), ArrowLeft: () => this.stepRow(-1),
      Home: () => this.setTime(this.run.start), End: () => this.setTime(this.run.stop),
      e: () => this.stepEvent(1), E: () => this.stepEvent(-1), t: () => this.setTheme(!this.dark),
      l: () => $('loop').click(), '?': () => $('keys').showModal(),
      '+': () => this.changeSpeed(1), '-': () => this.changeSpeed(-1),
    };
    if (this.scene) {
      Object.assign(keys, { f: () => this.toggleFollow(), m: () => this.startMeasuring(), g: () => this.toggleGhost(), k: () => $('add-key').click(),
        x: () => { $('cut').selectedIndex = ($('cut').selectedIndex + 1) % 4; $('cut').onchange({ target: $('cut') }); } });
    }
    if (e.key === ' ' && !/^(BUTTON|INPUT)$/.test(e.target.tagName)) keys[' '] = () => this.play(!this.playing);
    const number = Number(e.key);
    if (this.scene && number >= 1 && number <= 7) { this.scene.view(views[number - 1]); this.draw(); e.preventDefault(); }
    if (keys[e.key]) { keys[e.key](); e.preventDefault(); }
  }

  changeSpeed(by) {
    const s = $('speed');
    s.selectedIndex = Math.min(s.options.length - 1, Math.max(0, s.selectedIndex + by));
    this.speed = Number(s.value);
  }

  setTheme(dark) {
    this.dark = dark;
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    this.scene?.setTheme(dark);
    this.plots.setTheme(dark);
    this.drawMarks();
    this.draw();
  }

  // A picture of a moment as a data address, for `rattleback render`.
  // o: {width, height, view, dark; strain: of full colour, or 0; show: kinds of bodies that deform, or nothing; film: one of many
  // pictures, which are fine only if that is fast or has more samples; camera, lookAt: points; follow: a name; flight: key frames;
  // cut: [axis, place]; label, through: names}
  picture(time, o) {
    if (!this.pictured) this.beginPictures(time, o);
    this.setTime(time);
    if (o.follow && !this.scene.nodes.some((n) => n.name === o.follow)) return 'unknown';
    const drawn = this.scene.renderer.domElement;
    if (o.samples === 1) return drawn.toDataURL('image/png');
    this.pictured.getContext('2d').drawImage(drawn, 0, 0, o.width, o.height);
    return this.pictured.toDataURL('image/png');
  }

  beginPictures(time, o) {
    const { scene } = this;
    this.pictured = element('canvas', { width: o.width, height: o.height });
    this.pictured.getContext('2d').imageSmoothingQuality = 'high';
    this.resize = () => {}; // the size is fixed from now on
    this.setTheme(o.dark);
    this.tried = true;
    scene.setSize(o.width, o.height, o.samples);
    scene.view(o.view);
    if (o.camera || o.lookAt) scene.look(o.camera, o.lookAt);
    scene.follow = o.follow ?? null;
    Object.assign(scene.flight, { keys: o.flight ?? [], on: Boolean(o.flight) });
    if (o.cut) scene.cut.set(...o.cut);
    scene.selection.set(o.label ?? []);
    scene.seeThrough = new Set(o.through ?? []);
    scene.update(time);
    if (o.film && o.samples === 1) this.chooseFine(); else scene.setShow('fine', true);
    for (const kind of o.show ? ['molecules', 'surfaces', 'connections'] : []) scene.setShow(kind, o.show.split(',').includes(kind));
    if (o.strain > 0) { scene.setStrainScale(o.strain); scene.setShow('strain', true); }
  }

  resize() {
    const stage = document.querySelector('.stage');
    this.sized = true;
    this.scene?.setSize(stage.clientWidth, stage.clientHeight, Math.min(2, devicePixelRatio));
    this.plots.resize();
    this.drawMarks();
    this.draw();
  }
}
