// SPDX-License-Identifier: MIT
// The skeleton of the page. Everything that comes from a file is set as text, never as markup.

// element('button', {class: 'x', onclick: f}, 'text', child ...)
export function element(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) e.addEventListener(name.slice(2), value);
    else if (value === true) e.setAttribute(name, '');
    else if (value !== false && value != null) e.setAttribute(name, value);
  }
  e.append(...children);
  return e;
}

const button = (id, label, text, key) => element('button', { id, type: 'button', 'aria-label': label,
  title: key ? `${label} (${key})` : label }, text);

const check = (id, label, on) => element('label', { class: 'check' },
  element('input', { id, type: 'checkbox', checked: on }), label);

const SHOWN = [
  ['fine', 'fine shading'], ['shadows', 'shadows', true], ['grid', 'ground grid', true], ['mechanism', 'links and joints', true],
  ['speeds', 'colours of speed', true], ['stress', 'colours of stress', true], ['changes', 'flashes where parts are joined or part', true], ['contacts', 'contact points'], ['forces', 'contact forces'], ['normals', 'contact normals'], ['torques', 'contact torques'],
  ['summed', 'sum of forces on each body'], ['frames', 'frames'], ['boxes', 'bounding boxes'],
  ['centres', 'centres of mass'], ['axes', 'joint axes'], ['trails', 'trails'], ['lines', 'springs and lines', true],
  ['scale', 'scales of colours', true],
];

// Of bodies that deform.
const SOFT = [['molecules', 'molecules'], ['surfaces', 'surfaces'], ['connections', 'connections'], ['strain', 'strain']];

export const KEYS = [
  ['Space', 'play or pause'], ['← →', 'one row back or on'], ['E, Shift+E', 'next, previous event'],
  ['Home, End', 'start, end'], ['+ −', 'faster, slower'], ['L', 'loop'], ['1 … 7', 'views: iso, front, back, left, right, top, bottom'],
  ['F', 'follow the chosen body'], ['G', 'see through the chosen body'], ['K', 'key frame of the camera here and now'],
  ['M', 'measure between two points'], ['X', 'cut across x, y, z, not at all'], ['T', 'light or dark'], ['?', 'this list'],
];

function timeline() {
  return element('div', { class: 'timeline', role: 'group', 'aria-label': 'time' },
    button('play', 'play', '▶', 'Space'), button('back', 'previous event', '◀|', 'Shift+E'),
    button('next', 'next event', '|▶', 'E'),
    element('div', { class: 'scrub' },
      element('canvas', { id: 'marks', height: 14, 'aria-hidden': 'true' }),
      element('input', { id: 'time', type: 'range', min: 0, max: 1000, step: 'any', value: 0, 'aria-label': 'time' })),
    element('output', { id: 'clock', for: 'time' }, '0 s'),
    element('label', {}, 'speed ', element('select', { id: 'speed' },
      ...[0.01, 0.03, 0.1, 0.3, 1, 3, 10].map((s) => element('option', { value: s, selected: s === 1 }, `${s}×`)))),
    check('loop', 'loop', true));
}

function viewPanel() {
  return element('section', { 'aria-labelledby': 'h-view' },
    element('h2', { id: 'h-view' }, 'View'),
    element('div', { class: 'views', role: 'group', 'aria-label': 'camera' },
      ...['iso', 'front', 'back', 'left', 'right', 'top', 'bottom'].map((v, i) =>
        element('button', { type: 'button', 'data-view': v, title: `view ${v} (${i + 1})` }, v))),
    element('div', { class: 'checks' }, ...SHOWN.map(([id, label, on]) => check(`show-${id}`, label, on))),
    element('div', { id: 'soft', class: 'checks', hidden: true }, ...SOFT.map(([id, label]) => check(`show-${id}`, label)),
      element('label', {}, 'strain of full colour ',
        element('input', { id: 'strain-scale', type: 'number', min: 0, step: 'any' }))),
    element('label', {}, 'force scale [mm/N] ',
      element('input', { id: 'scale', type: 'number', min: 0, step: 'any', placeholder: 'auto' })),
    element('div', { class: 'row' }, button('follow', 'follow the chosen body', 'Follow', 'F'),
      button('ghost', 'see through the chosen body', 'See through', 'G'), button('measure', 'measure between two points', 'Measure', 'M')),
    element('p', { id: 'measured', 'aria-live': 'polite' }),
    element('div', { class: 'row' }, element('label', {}, 'cut ', element('select', { id: 'cut' },
      ...[['', 'nowhere'], ['x', 'across x'], ['y', 'across y'], ['z', 'across z']].map(([value, text]) => element('option', { value }, text)))),
    element('output', { id: 'cut-place', class: 'note' })),
    element('input', { id: 'cut-at', type: 'range', min: 0, max: 1, step: 'any', value: 0.5, 'aria-label': 'place of the cut', hidden: true }));
}

// Key frames of the camera.
function flightPanel() {
  return element('section', { 'aria-labelledby': 'h-flight' },
    element('h2', { id: 'h-flight' }, 'Camera flight'),
    element('div', { class: 'row' }, button('add-key', 'key frame of the camera here and now', 'Key frame', 'K'),
      element('button', { id: 'fly', type: 'button', 'aria-pressed': 'false', disabled: true, title: 'the camera goes from key frame to key frame' }, 'Fly'),
      element('button', { id: 'save-flight', type: 'button', disabled: true, title: 'a file for rattleback render --camera-path' }, 'Save')),
    element('ul', { id: 'keyframes', class: 'list' }));
}

function objectsPanel() {
  return element('section', { 'aria-labelledby': 'h-objects' },
    element('h2', { id: 'h-objects' }, 'Objects'),
    element('input', { id: 'find-object', type: 'search', placeholder: 'search objects', 'aria-label': 'search objects' }),
    element('ul', { id: 'objects', class: 'list' }),
    element('div', { id: 'chosen', 'aria-live': 'polite' }));
}

// What was attached, released, broken; empty where nothing was.
function changesPanel() {
  return element('section', { id: 'changes', 'aria-labelledby': 'h-changes', hidden: true },
    element('h2', { id: 'h-changes' }, 'Changes of structure'),
    element('ul', { class: 'list' }));
}

// Parts of the time that have names, such as modes.
function chaptersPanel(chapters) {
  return element('section', { id: 'chapters', 'aria-labelledby': 'h-chapters' },
    element('h2', { id: 'h-chapters' }, 'Chapters'),
    element('ul', { class: 'list' }, ...chapters.map((c, i) => element('li', {},
      element('button', { type: 'button', 'data-chapter': i, 'aria-pressed': 'false' }, c.title)))));
}

function variablesPanel() {
  return element('section', { 'aria-labelledby': 'h-variables' },
    element('h2', { id: 'h-variables' }, 'Variables'),
    element('input', { id: 'find-variable', type: 'search', placeholder: 'search variables', 'aria-label': 'search variables' }),
    element('ul', { id: 'variables', class: 'list' }),
    element('p', { id: 'left-out', class: 'note' }));
}

// The page, or the part of a report that has the place for it.
export function buildPage(meta, pictures) {
  const place = document.getElementById('app');
  const bar = element('header', {},
    element(place ? 'h3' : 'h1', {}, meta.model || 'Result'),
    element('span', { id: 'state', class: 'note' }),
    element('span', { class: 'grow' }),
    button('panel', 'show or hide the side panel', '☰'),
    button('theme', 'light or dark', '◐', 'T'),
    button('help', 'keys', '?', '?'));
  const canvas = element('canvas', { id: 'view', tabindex: 0, role: 'img',
    'aria-label': 'three-dimensional view; click a body to choose it, drag to turn' });
  const stage = element('div', { class: 'stage' },
    pictures ? canvas : element('p', { id: 'no-pictures', class: 'empty' },
      'This result has no three-dimensional data: only a journal (.rbj) of a model with bodies has. Its variables can be plotted.'));
  const side = element('aside', { id: 'side', 'aria-label': 'settings' },
    ...(pictures && meta.chapters?.length ? [chaptersPanel(meta.chapters)] : []), ...(pictures ? [viewPanel(), objectsPanel(), changesPanel(), flightPanel()] : []), variablesPanel());
  const keys = element('dialog', { id: 'keys', 'aria-labelledby': 'h-keys' },
    element('h2', { id: 'h-keys' }, 'Keys'),
    element('dl', {}, ...KEYS.flatMap(([k, what]) => [element('dt', {}, k), element('dd', {}, what)])),
    element('button', { id: 'close-keys', type: 'button' }, 'Close'));
  (place ?? document.body).replaceChildren(element('div', { class: 'viewer' }, bar, element(place ? 'section' : 'main', { class: 'body', 'aria-label': 'run' }, stage, side, timeline(),
    element('div', { id: 'plots', hidden: true, tabindex: 0, role: 'region', 'aria-label': 'curves' })), keys));
}
