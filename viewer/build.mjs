// SPDX-License-Identifier: MIT
// node build.mjs OUTPUT: the program of the page as C, compressed. Modules are found in node_modules of the folder it is
// started in.
import { createRequire } from 'node:module';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const require = createRequire(join(process.cwd(), 'package.json'));
const { buildSync } = require('esbuild');
const here = dirname(fileURLToPath(import.meta.url));

const { outputFiles } = buildSync({
  entryPoints: [join(here, 'src/main.js')], bundle: true, minify: true, format: 'iife', target: 'es2022',
  charset: 'ascii', legalComments: 'none', loader: { '.css': 'text' }, nodePaths: [join(process.cwd(), 'node_modules')],
  write: false,
});
const bytes = gzipSync(outputFiles[0].contents, { level: 9 });
const lines = [];
for (let i = 0; i < bytes.length; i += 32) lines.push([...bytes.subarray(i, i + 32)].join(','));
writeFileSync(process.argv[2], `#include "export/page.h"
const unsigned char rb_viewer_program[] = {
${lines.join(',\n')}};
const size_t rb_viewer_program_size = sizeof rb_viewer_program;
`);
