// SPDX-License-Identifier: MIT
// Curves over time, one panel per unit, with a cursor that is the time of the picture.
import uPlot from 'uplot';

const STROKES = ['#1f6fb4', '#c0392b', '#1e8449', '#9a6b00', '#6c3483', '#0e7c86', '#a04000', '#555f69'];
const DARK_STROKES = ['#6db3f2', '#ff8a7a', '#6fd08c', '#f0c040', '#c39bd3', '#5fd3dc', '#f5a462', '#b8c2cc'];

export class Plots {
  constructor(host, run, onTime) {
    Object.assign(this, { host, run, onTime, chosen: [], panels: [], time: 0, dark: false });
  }

  toggle(variable) {
    const i = this.chosen.indexOf(variable);
    if (i >= 0) this.chosen.splice(i, 1); else this.chosen.push(variable);
    this.build();
  }

  setTheme(dark) { this.dark = dark; this.build(); }

  build() {
    for (const p of this.panels) p.plot.destroy();
    this.panels = [];
    this.host.replaceChildren();
    this.host.hidden = this.chosen.length === 0;
    const byUnit = new Map();
    for (const v of this.chosen) {
      const unit = this.run.variables[v].unit ?? '';
      if (!byUnit.has(unit)) byUnit.set(unit, []);
      byUnit.get(unit).push(v);
    }
    for (const [unit, list] of byUnit) this.addPanel(unit, list);
    this.setTime(this.time);
  }

  addPanel(unit, list) {
    const ink = this.dark ? '#d5dbe1' : '#2b333b', faint = this.dark ? '#38424c' : '#dde3e8';
    const strokes = this.dark ? DARK_STROKES : STROKES;
    const figure = document.createElement('figure');
    figure.setAttribute('aria-label', `${list.map((v) => this.run.variables[v].name).join(', ')} over time`);
    this.host.append(figure);
    const axis = { stroke: ink, grid: { stroke: faint, width: 1 }, ticks: { stroke: faint } };
    const options = {
      width: Math.max(200, this.host.clientWidth - 8), height: 170, scales: { x: { time: false } },
      legend: { live: true },
      cursor: { drag: { x: true, y: false } },
      series: [{ label: 'time [s]', value: (_, v) => (v == null ? '' : v.toPrecision(6)) },
        ...list.map((v, i) => ({
          label: this.run.variables[v].name, stroke: strokes[i % strokes.length], width: 1.5, spanGaps: false,
          value: (_, x) => (x == null ? 'none' : x.toPrecision(5)),
        }))],
      axes: [axis, { ...axis, label: unit ? `[${unit}]` : '', labelSize: 18, size: 62 }],
      hooks: {
        draw: [(u) => this.drawMarks(u)],
        ready: [(u) => u.over.addEventListener('click', (e) => this.onTime(u.posToVal(e.offsetX, 'x')))],
      },
    };
    const plot = new uPlot(options, this.data(list), figure);
    this.panels.push({ plot, list });
  }

  data(list) {
    const nan = (values) => Array.from(values, (x) => (Number.isNaN(x) ? null : x));
    return [Array.from(this.run.times), ...list.map((v) => nan(this.run.values(v)))];
  }

  // The run has got on.
  refresh() {
    for (const { plot, list } of this.panels) plot.setData(this.data(list));
  }

  // Events as thin lines, and the time of the picture.
  drawMarks(u) {
    const { ctx } = u, { top, height, left, width } = u.bbox;
    const line = (time, colour, dash) => {
      const x = u.valToPos(time, 'x', true);
      if (x < left || x > left + width) return;
      ctx.strokeStyle = colour;
      ctx.setLineDash(dash);
      ctx.beginPath();
      ctx.moveTo(x, top);
      ctx.lineTo(x, top + height);
      ctx.stroke();
    };
    ctx.save();
    ctx.lineWidth = devicePixelRatio;
    const { events } = this.run;
    if (events.length <= 500) for (const t of events) line(t, this.dark ? '#4a5661' : '#c4ccd3', [2, 3]);
    line(this.time, '#d7263d', []);
    ctx.restore();
  }

  setTime(time) {
    this.time = time;
    for (const { plot } of this.panels) plot.redraw(false, false);
  }

  resize() {
    for (const { plot } of this.panels) plot.setSize({ width: Math.max(200, this.host.clientWidth - 8), height: 170 });
  }
}
