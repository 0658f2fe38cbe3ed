// SPDX-License-Identifier: MIT
// The extension: `rattleback lsp` as language server, and commands that run, plot and view the model of the file.
const path = require('path');
const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');
const { commandLine } = require('./commands');

let client, terminal;

function setting(name) {
  return vscode.workspace.getConfiguration('rattleback').get(name);
}

function serverOptions() {
  const library = setting('library');
  return { command: setting('program'), args: library ? ['lsp', '--library', library] : ['lsp'] };
}

async function start() {
  client = new LanguageClient('rattleback', 'Rattleback', serverOptions(), {
    documentSelector: [{ scheme: 'file', language: 'modelica' }],
  });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`'${setting('program')} lsp' does not start: ${error.message}. Set rattleback.program to the path of the command.`);
  }
}

async function runCommand(kind) {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.document.languageId !== 'modelica') return;
  const wanted = kind === 'plot' ? await vscode.window.showInputBox({ prompt: 'Variables to plot, separated by spaces' }) : '';
  if (wanted === undefined) return;
  await editor.document.save();
  const file = editor.document.uri.fsPath;
  if (!terminal || terminal.exitStatus) terminal = vscode.window.createTerminal({ name: 'Rattleback', cwd: path.dirname(file) });
  terminal.show(true);
  terminal.sendText(commandLine(kind, setting('program'), file, setting('library'), wanted.split(/\s+/).filter(Boolean)));
}

exports.activate = async function (context) {
  for (const kind of ['run', 'plot', 'view'])
    context.subscriptions.push(vscode.commands.registerCommand('rattleback.' + kind, () => runCommand(kind)));
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (!change.affectsConfiguration('rattleback')) return;
      if (client) await client.stop();
      await start();
    }),
  );
  await start();
};

exports.deactivate = function () {
  return client && client.stop();
};
