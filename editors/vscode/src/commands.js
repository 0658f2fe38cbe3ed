// SPDX-License-Identifier: MIT
// What is typed into the terminal for each command.
const path = require('path');

function quoted(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

exports.commandLine = function (kind, program, file, library, variables = []) {
  const result = path.join(path.dirname(file), path.basename(file, '.mo') + '_res.mat');
  const words =
    kind === 'run'
      ? [program, 'simulate', file, ...(library ? ['--library', library] : []), '--output-file', result]
      : [program, kind, result, ...variables];
  return words.map(quoted).join(' ');
};
