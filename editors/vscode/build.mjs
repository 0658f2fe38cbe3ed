// SPDX-License-Identifier: MIT
// The extension and the packages it needs in one file, dist/extension.js. `node build.mjs [FOLDER]`: node_modules is in FOLDER.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? here;
const { build } = createRequire(join(folder, 'package.json'))('esbuild');
await build({
  entryPoints: [join(here, 'src/extension.js')],
  outfile: join(folder, 'dist/extension.js'),
  bundle: true,
  platform: 'node',
  external: ['vscode'],
  nodePaths: [join(folder, 'node_modules')],
});
