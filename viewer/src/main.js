// SPDX-License-Identifier: MIT
// Starts the page: of a result that is in it, or of a run that goes on.
import { Run } from './data.js';
import { startLive } from './live.js';
import { element } from './page.js';
import { Viewer } from './viewer.js';

async function start() {
  try {
    const meta = JSON.parse(document.getElementById('meta').textContent);
    window.viewer = meta.live ? await startLive(meta) : new Viewer(await Run.fromPage(meta));
    document.documentElement.dataset.ready = 'yes';
  } catch (error) {
    document.documentElement.dataset.ready = 'failed';
    document.body.replaceChildren(element('p', { class: 'empty', role: 'alert' },
      `This page cannot be shown: ${error.message}. It needs a browser of 2023 or later with WebGL 2.`));
    throw error;
  }
}

start();
