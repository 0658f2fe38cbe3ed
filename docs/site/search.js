// SPDX-License-Identifier: MIT
// The search of the manual: all words must occur; titles and headings count more than text. Works from a file, without a server.
(() => {
  const field = document.getElementById('search'), found = document.getElementById('found'), root = document.body.dataset.root;
  const MOST = 20;
  let entries;

  function score(entry, words) {
    let sum = 0;
    for (const w of words) {
      const in_heading = entry.heading.indexOf(w), in_title = entry.title.indexOf(w), in_text = entry.text.indexOf(w);
      if (in_heading < 0 && in_title < 0 && in_text < 0) return 0;
      sum += (in_heading >= 0 ? 10 + (entry.heading === w ? 30 : entry.last === w ? 20 : 0) : 0) + (in_title >= 0 ? 5 : 0) + (in_text >= 0 ? 1 : 0);
    }
    return sum + (entry.heading ? 0 : 1);
  }

  function find(text) {
    entries ??= window.manual.map(([path, title, heading, body]) => ({ path, shown: [title, heading, body], title: title.toLowerCase(), heading: heading.toLowerCase(), last: heading.toLowerCase().split('.').pop(), text: body.toLowerCase() }));
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return [];
    return entries.map((e) => [score(e, words), e]).filter(([s]) => s > 0).sort((a, b) => b[0] - a[0]).slice(0, MOST).map(([, e]) => ({ ...e, words }));
  }

  function excerpt({ shown: [, , body], text, words }) {
    const at = Math.max(0, Math.min(...words.map((w) => (text.indexOf(w) < 0 ? Infinity : text.indexOf(w)))));
    return Number.isFinite(at) ? body.slice(Math.max(0, at - 40), at + 110) : body.slice(0, 150);
  }

  function show() {
    const list = find(field.value), none = document.createElement('p');
    none.textContent = 'Nothing found.';
    found.hidden = !field.value.trim();
    found.replaceChildren(...(list.length ? list.map((e) => {
      const a = document.createElement('a'), b = document.createElement('strong'), p = document.createElement('span');
      a.href = `${root}/${e.path}`;
      b.textContent = e.shown[1] ? `${e.shown[0]}: ${e.shown[1]}` : e.shown[0];
      p.textContent = excerpt(e);
      a.append(b, p);
      a.onclick = () => { found.hidden = true; };
      return a;
    }) : [none]));
  }

  field.addEventListener('input', show);
  field.addEventListener('keydown', (e) => {
    if (e.key === 'Escape') { field.value = ''; show(); }
    if (e.key === 'Enter') found.querySelector('a')?.click();
  });
  document.addEventListener('keydown', (e) => { if (e.key === '/' && e.target !== field) { field.focus(); e.preventDefault(); } });
  document.getElementById('menu').onclick = () => document.body.classList.toggle('menu');
  const nav = document.querySelector('nav'), here = nav.querySelector('[aria-current]');
  if (here) nav.scrollTop = here.offsetTop - nav.clientHeight / 2;
})();
