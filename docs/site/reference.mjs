// SPDX-License-Identifier: MIT
// Pages of the reference that are made from the sources: commands, classes of the library, headers, materials, messages.
// A page is {path, title, section, html, sections: [{anchor, heading, text}]}.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { anchorOf, codeBlock, escape } from './markdown.mjs';

const heading = (anchor, text, depth = 2) =>
  `<h${depth} id="${anchor}">${text} <a class="anchor" href="#${anchor}" aria-label="link to this section">#</a></h${depth}>\n`;
const table = (head, rows) => `<div class="wide"><table><thead><tr>${head.map((h) => `<th>${escape(h)}</th>`).join('')}</tr></thead>
<tbody>${rows.map((r) => `<tr>${r.map((c) => `<td>${c}</td>`).join('')}</tr>`).join('\n')}</tbody></table></div>\n`;
const code = (text) => (text === '' ? '' : `<code>${escape(text)}</code>`);
// Marks of code in help texts and comments.
const prose = (text) => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');

function commandPages(facts) {
  const pages = facts.commands.map((c) => ({
    path: `reference/command-${c.name}.html`, title: `rattleback ${c.name}`, section: 'Commands',
    sections: [{ anchor: '', heading: '', text: `${c.summary} ${c.text}` },
      ...c.options.map((o) => ({ anchor: `--${o.name}`, heading: `--${o.name}`, text: o.help }))],
    html: `<h1>rattleback ${c.name}</h1>\n<p>${prose(c.summary)}</p>\n${codeBlock(`rattleback ${c.name} ${c.arguments} [options]`)}`
      + c.text.split('\n').filter(Boolean).map((p) => `<p>${prose(p)}</p>\n`).join('')
      + (c.examples.length ? `${heading('examples', 'Examples')}${c.examples.map((e) => `<p>${prose(e.what)}</p>\n${codeBlock(e.line, 'sh')}`).join('')}` : '')
      + heading('options', 'Options')
      + table(['option', 'meaning'], c.options.map((o) => [`<code id="--${o.name}">--${o.name}${o.argument ? (o.argument[0] === '[' ? '' : ' ') + escape(o.argument) : ''}</code>`, prose(o.help)])),
  }));
  const list = table(['command', 'what it does'], facts.commands.map((c) => [`<a href="command-${c.name}.html">${c.name}</a>`, prose(c.summary)]));
  const codes = facts.exit_codes.split('; ').map((e) => { const m = e.match(/^(\d+) (.*)$/); return [m[1], prose(m[2])]; });
  return [{ path: 'reference/commands.html', title: 'Commands', section: 'Reference', sections: [{ anchor: '', heading: '', text: facts.commands.map((c) => c.name).join(' ') }],
    html: `<h1>Commands</h1>\n<p>Made from the table of commands in the program. <code>rattleback COMMAND --help</code> and the man pages show the same.</p>\n${list}`
      + heading('exit-codes', 'Exit codes') + table(['code', 'meaning'], codes)
      + heading('environment', 'Environment') + table(['variable', 'meaning'], facts.environment.map((e) => [code(e.name), prose(e.what)])) }, ...pages];
}

const KINDS = { parameter: 'Parameters', input: 'Inputs', output: 'Outputs', connector: 'Connectors', outer: 'Needed around it', literal: 'Literals', variable: 'Variables and components', constant: 'Constants' };

function classHtml(c, source) {
  const name = c.name.split('.').pop(), picture = join(source, 'docs/images/gallery', `${c.name}.jpg`);
  let html = heading(name, escape(name)) + `<p><span class="kind">${escape(c.kind)}</span> ${prose(c.description)}</p>\n`;
  if (existsSync(picture)) html += `<p><img src="../images/gallery/${escape(c.name)}.jpg" alt="${escape(name)}" loading="lazy"></p>\n`;
  for (const [kind, title] of Object.entries(KINDS)) {
    const list = c.elements.filter((e) => e.kind === kind);
    if (!list.length) continue;
    html += `<h3>${title}</h3>\n` + table(['name', 'type', 'default', 'unit', 'meaning'], list.map((e) => [code(e.name), escape(e.type), code(e.value), escape(e.unit),
      prose(e.description) + (e.condition ? ` <span class="kind">if ${escape(e.condition)}</span>` : '')]));
  }
  return html;
}

function classPages(facts, source) {
  const packages = new Map();
  for (const c of facts.classes) {
    const name = c.name.slice(0, c.name.lastIndexOf('.'));
    packages.set(name, [...(packages.get(name) ?? []), c]);
  }
  const pages = [...packages].sort(([a], [b]) => a.localeCompare(b)).map(([name, list]) => ({
    path: `reference/${name}.html`, title: name, section: 'Classes',
    sections: list.map((c) => ({ anchor: c.name.split('.').pop(), heading: c.name, text: `${c.description} ${c.elements.map((e) => `${e.name} ${e.description}`).join(' ')}` })),
    html: `<h1>${name}</h1>\n<p>${list.map((c) => `<a href="#${c.name.split('.').pop()}">${escape(c.name.split('.').pop())}</a>`).join(', ')}</p>\n${list.map((c) => classHtml(c, source)).join('')}`,
  }));
  const rows = pages.map((p) => [`<a href="${p.path.slice(10)}">${p.title}</a>`, packages.get(p.title).map((c) => `<a href="${p.path.slice(10)}#${c.name.split('.').pop()}">${escape(c.name.split('.').pop())}</a>`).join(', ')]);
  return [{ path: 'reference/classes.html', title: 'Classes of the library', section: 'Reference', sections: [],
    html: `<h1>Classes of the library</h1>\n<p>The package <code>Rattleback</code> is built into the program. <code>rattleback info Rattleback.Parts.Solid</code> prints the same.</p>\n${table(['package', 'classes'], rows)}` }, ...pages];
}

// A header as it reads: comments as text, declarations as code, an anchor for every function and type.
function headerPage(source, name) {
  const lines = readFileSync(join(source, 'include/rattleback', name), 'utf8').split('\n').filter((l) => !/SPDX|^#|^extern "C" \{$|^\}$/.test(l));
  const sections = [], blocks = [];
  let note = [], body = [], deep = 0;
  const flush = () => {
    const declared = [...body.join('\n').matchAll(/\b(rb_\w+)\(|^\} (Rb\w+);|^typedef struct (Rb\w+) \1;|^(?:typedef )?(?:struct|enum|union) (Rb\w+)/gm)].map((m) => m[1] ?? m[2] ?? m[3] ?? m[4]).filter(Boolean);
    const text = note.map((l) => l.replace(/^\/\/ ?/, '')).filter((l) => !/^-{20,}/.test(l)).join('\n');
    const rule = note.map((l) => l.match(/^\/\/ -{20,}\s*(.*)$/)).find(Boolean);
    if (rule?.[1]) blocks.push(heading(anchorOf(rule[1]), escape(rule[1][0].toUpperCase() + rule[1].slice(1))));
    const paragraphs = text.split(/\n\n+/).map((p) => (/^ {4}/.test(p) ? codeBlock(p.replace(/^ {4}/gm, ''), 'c') : `<p>${prose(p)}</p>\n`)).join('');
    const anchors = [...new Set(declared)].filter((d) => !sections.some((s) => s.anchor === d));
    for (const d of anchors) sections.push({ anchor: d, heading: d, text });
    if (text.trim() || body.length) blocks.push(`<div class="block">${anchors.map((a) => `<span id="${a}"></span>`).join('')}${text.trim() ? paragraphs : ''}${body.length ? codeBlock(body.join('\n'), 'c') : ''}</div>\n`);
    note = [], body = [];
  };
  for (const line of lines) {
    if (line.trim() === '' && deep === 0) { flush(); continue; }
    if (deep === 0 && body.length === 0 && line.startsWith('//')) { note.push(line); continue; }
    if (deep === 0 && body.length > 0 && line.startsWith('//')) flush(), note.push(line);
    else body.push(line);
    deep += (line.match(/\{/g) ?? []).length - (line.match(/\}/g) ?? []).length;
  }
  flush();
  return { path: `reference/c-${name.replace('.h', '')}.html`, title: name, section: 'C interface', sections,
    html: `<h1>rattleback/${name}</h1>\n${blocks.join('')}` };
}

function headerPages(source) {
  const pages = readdirSync(join(source, 'include/rattleback')).filter((n) => n.endsWith('.h') && n !== 'rattleback.h').sort().map((n) => headerPage(source, n));
  const rows = pages.map((p) => [`<a href="${p.path.slice(10)}">${p.title}</a>`, p.sections.map((s) => `<a href="${p.path.slice(10)}#${s.anchor}">${s.anchor}</a>`).join(', ')]);
  return [{ path: 'reference/c.html', title: 'C interface', section: 'Reference', sections: [], html: `<h1>C interface</h1>\n<p>Made from the headers. <code>rattleback/rattleback.h</code> includes all of them.</p>\n${table(['header', 'functions and types'], rows)}` }, ...pages];
}

const range = (v) => (Array.isArray(v) ? `${v[0]} to ${v[1]}` : v === undefined ? '' : String(v));

function materialsPage(source) {
  const { solids, pairs, sources = {} } = JSON.parse(readFileSync(join(source, 'data/materials.json'), 'utf8'));
  const words = { all: '', density: 'density ', youngs_modulus: 'modulus ', poissons_ratio: 'ratio ', restitution: 'restitution ', sliding_friction: 'friction ',
    restitution_range: 'range of restitution ', sliding_friction_range: 'range of friction ' };
  const cite = (m) => Object.entries(m.sources ?? {}).map(([value, s]) => `${words[value]}<a href="#${anchorOf(s)}">${escape(s)}</a>`).join(', ');
  const shown = (v) => (v === undefined ? '' : v === 0 || Math.abs(v) >= 1e-3 && Math.abs(v) < 1e5 ? String(v) : v.toExponential().replace('e+', 'e'));
  const solid = Object.entries(solids).map(([n, m]) => [code(n), shown(m.density), shown(m.youngs_modulus), shown(m.poissons_ratio), cite(m)]);
  const pair = pairs.filter((p) => p.response !== 'observer').map((p) => [p.materials.map(code).join(' on '), shown(p.restitution), range(p.restitution_range), shown(p.sliding_friction), range(p.sliding_friction_range), cite(p)]);
  const list = Object.entries(sources).map(([n, text]) => [`<span id="${anchorOf(n)}">${escape(n)}</span>`, prose(text)]);
  return { path: 'reference/materials.html', title: 'Materials', section: 'Reference',
    sections: [{ anchor: 'solids', heading: 'Solids', text: Object.keys(solids).join(' ') }, { anchor: 'pairs', heading: 'Pairs', text: pairs.map((p) => p.materials.join(' ')).join(' ') }],
    html: `<h1>Materials</h1>\n<p>The built-in palette. <code>--material-file FILE.json</code> adds to it.</p>\n`
      + heading('solids', 'Solids') + table(['material', 'density [kg/m³]', 'Young’s modulus [Pa]', 'Poisson’s ratio', 'source'], solid)
      + heading('pairs', 'Pairs') + table(['pair', 'restitution', 'published', 'friction', 'published', 'source'], pair)
      + (list.length ? heading('sources', 'Sources') + table(['source', 'what it is'], list) : '') };
}

// Every model of tests/errors with the message that it must give.
function messagesPage(source) {
  const folder = join(source, 'tests/errors'), sections = [];
  const html = readdirSync(folder).filter((n) => n.endsWith('.mo') && existsSync(join(folder, n.replace('.mo', '.txt')))).sort().map((n) => {
    const message = readFileSync(join(folder, n.replace('.mo', '.txt')), 'utf8').trim(), first = message.split('\n')[0].replace(/^[^:]*(:\d+:\d+)?: (error|warning): /, '').replace(/ \[\w+\]$/, '');
    const anchor = n.replace('.mo', '');
    sections.push({ anchor, heading: first, text: message });
    return heading(anchor, escape(first), 3) + codeBlock(readFileSync(join(folder, n), 'utf8'), 'modelica') + codeBlock(message);
  });
  return { path: 'reference/messages.html', title: 'Messages', section: 'Reference', sections,
    html: `<h1>Messages</h1>\n<p>${sections.length} mistakes in models, each with the message that a test expects for it.</p>\n${html.join('')}` };
}

export function referencePages(source, program) {
  const facts = JSON.parse(execFileSync(program, ['--write-reference', '-'], { encoding: 'utf8', maxBuffer: 1 << 28 }));
  return [...commandPages(facts), ...classPages(facts, source), ...headerPages(source), materialsPage(source), messagesPage(source)];
}
