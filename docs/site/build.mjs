// SPDX-License-Identifier: MIT
// node build.mjs SOURCE OUTPUT PROGRAM: the manual as a static site. Its contents and their order are those of docs/README.md; the
// reference is completed from the sources (reference.mjs). A link that leads nowhere is an error.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { codeBlock, escape, render } from './markdown.mjs';
import { referencePages } from './reference.mjs';

const [source, output, program] = process.argv.slice(2);
const here = dirname(new URL(import.meta.url).pathname);
const docs = join(source, 'docs');
const pages = new Map(); // by path on the site
const files = new Set(); // of the source that are shown as they are
const wrong = [];

// ---- pages that are written

// Where a link of the page `from` (below docs) leads: other pages, pictures, or files of the source.
function linkFrom(from) {
  return (href) => {
    if (/^[a-z]+:|^#/.test(href)) return href;
    const [path, anchor] = href.split('#'), target = posix.normalize(posix.join('docs', posix.dirname(from), path));
    if (!existsSync(join(source, target))) { wrong.push(`docs/${from}: ${href} is not there`); return href; }
    const to = siteOf(target.replace(/\/$/, ''));
    return posix.relative(posix.dirname(from), to) + (anchor ? `#${anchor}` : '');
  };
}

function siteOf(target) {
  if (target === 'docs/README.md' || target === 'docs') return 'index.html';
  if (/^docs\/.*\.md$/.test(target)) return target.replace(/^docs\//, '').replace(/\.md$/, '.html');
  if (/^docs\/.*\.(png|jpg|svg|webp)$/.test(target)) return target.replace(/^docs\//, '');
  files.add(target);
  return `source/${target}.html`;
}

// Sections of the table of contents: [{title, groups: [{title, links: [{path, text}]}]}]
function contents(text) {
  const list = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('## ')) list.push({ title: line.slice(3), groups: [{ title: '', links: [] }] });
    else if (list.length && /^[A-Z].*:$/.test(line)) list.at(-1).groups.push({ title: line.slice(0, -1), links: [] });
    else if (list.length) for (const [, t, p] of line.matchAll(/\[([^\]]+)\]\(([^)]+\.md)\)/g)) list.at(-1).groups.at(-1).links.push({ path: p.replace(/\.md$/, '.html'), text: t[0].toUpperCase() + t.slice(1) });
  }
  return list;
}

function findPages(folder = '') {
  for (const entry of readdirSync(join(docs, folder), { withFileTypes: true })) {
    const name = posix.join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'site') findPages(name);
    if (entry.name.endsWith('.md')) {
      const page = render(readFileSync(join(docs, name), 'utf8'), linkFrom(name));
      pages.set(siteOf(`docs/${name}`), page);
    }
  }
}

// ---- files of the source

function addFile(target) {
  const path = join(source, target), folder = statSync(path).isDirectory();
  const language = /\.mo$/.test(target) ? 'modelica' : /\.[ch]$/.test(target) ? 'c' : /\.py$/.test(target) ? 'python' : /\.(sh|json)$/.test(target) ? 'sh' : '';
  const text = folder ? null : readFileSync(path, 'utf8');
  const list = folder ? readdirSync(path).filter((n) => statSync(join(path, n)).isFile()) : [];
  const html = folder ? `<ul>${list.map((n) => { files.add(`${target}/${n}`); return `<li><a href="${posix.basename(target)}/${escape(n)}.html">${escape(n)}</a></li>`; }).join('')}</ul>`
    : codeBlock(text, language);
  pages.set(`source/${target}.html`, { title: target, html: `<h1>${escape(target)}</h1>\n${html}`, sections: [], source: true });
}

// ---- the frame

function navigation(toc, path) {
  const to = (p) => posix.relative(posix.dirname(path), p) || posix.basename(p);
  const item = (l) => `<li><a href="${to(l.path)}"${l.path === path ? ' aria-current="page"' : ''}>${escape(l.text)}</a></li>`;
  return toc.map((s) => {
    const open = s.groups.some((g) => g.links.some((l) => l.path === path));
    return `<details${open || path === 'index.html' ? ' open' : ''}><summary>${escape(s.title)}</summary>${s.groups.filter((g) => g.links.length)
      .map((g) => `${g.title ? `<h3>${escape(g.title)}</h3>` : ''}<ul>${g.links.map(item).join('')}</ul>`).join('')}</details>`;
  }).join('\n');
}

function frame(path, page, toc) {
  const up = posix.relative(posix.dirname(path), '.') || '.';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(page.title)} – Rattleback</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${up}/style.css"></head>
<body data-root="${up}"><header><a class="home" href="${up}/index.html">Rattleback</a>
<input id="search" type="search" placeholder="search the manual (/)" aria-label="search the manual"><button id="menu" type="button" aria-label="contents">☰</button></header>
<div id="found" role="region" aria-live="polite" aria-label="results of the search" hidden></div>
<nav aria-label="contents">${navigation(toc, path)}</nav>
<main class="${posix.basename(path, '.html')}">
${page.html}</main>
<script src="${up}/index-of-pages.js" defer></script><script src="${up}/search.js" defer></script></body></html>
`;
}

// ---- all

rmSync(output, { recursive: true, force: true });
findPages();
const toc = contents(readFileSync(join(docs, 'README.md'), 'utf8'));
const reference = referencePages(source, program);
for (const p of reference) pages.set(p.path, p);
const place = toc.find((s) => s.title === 'Reference') ?? wrong.push('docs/README.md has no section Reference');
for (const title of ['Reference', 'Commands', 'Classes', 'C interface']) {
  const links = reference.filter((p) => p.section === title).map((p) => ({ path: p.path, text: p.title.replace(/^Rattleback\./, '') }));
  if (title === 'Reference') place.groups[0].links.push(...links); else place.groups.push({ title, links });
}
toc.unshift({ title: 'Start', groups: [{ title: '', links: [{ path: 'index.html', text: 'Contents' }, { path: 'gallery.html', text: 'Gallery' }] }] });
const listed = new Set(toc.flatMap((s) => s.groups.flatMap((g) => g.links.map((l) => l.path))));
for (const [path, p] of pages) if (!listed.has(path) && !p.source) wrong.push(`${path} is not in docs/README.md`);
for (let before = -1; before !== files.size;) { before = files.size; for (const f of [...files]) if (!pages.has(`source/${f}.html`)) addFile(f); }

for (const [path, page] of pages) {
  mkdirSync(join(output, dirname(path)), { recursive: true });
  writeFileSync(join(output, path), frame(path, page, toc));
}
for (const folder of ['images', 'guide/pictures', 'tutorials/pictures']) if (existsSync(join(docs, folder))) cpSync(join(docs, folder), join(output, folder), { recursive: true });
for (const name of ['style.css', 'search.js']) cpSync(join(here, name), join(output, name));
const entries = [...pages].filter(([, p]) => !p.source).flatMap(([path, p]) => p.sections.map((s) => [path + (s.anchor ? `#${s.anchor}` : ''), p.title, s.heading, s.text.replace(/\s+/g, ' ').trim().slice(0, 2000)]));
writeFileSync(join(output, 'index-of-pages.js'), `window.manual = ${JSON.stringify(entries).replace(/</g, '\\u003c')};\n`);
for (const w of wrong) console.error(w);
console.log(`${relative(source, output)}: ${pages.size} pages`);
process.exit(wrong.length ? 1 : 0);
