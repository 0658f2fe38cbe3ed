// SPDX-License-Identifier: MIT
// `rattleback lsp` and the client of the protocol that VS Code uses (vscode-languageserver-protocol), the grammar in the engine of
// VS Code, the commands, and the bundle. `node client.mjs PROGRAM [FOLDER]`: the packages are in FOLDER/node_modules.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = join(dirname(fileURLToPath(import.meta.url)), '..');
const [program, folder = here] = process.argv.slice(2);
if (!existsSync(join(folder, 'node_modules'))) {
  console.log('the packages are not there: not tested');
  process.exit(77);
}
const require = createRequire(join(folder, 'package.json'));
const text = 'model Ball "falls"\n  parameter Real g = 9.81;\n  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\nequation\n  der(h)=v;\n  der(v) = -g;\nend Ball;\n';

async function checkServer() {
  const lsp = require('vscode-languageserver-protocol/node');
  const server = spawn(program, ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = lsp.createProtocolConnection(new lsp.StreamMessageReader(server.stdout), new lsp.StreamMessageWriter(server.stdin));
  const published = [];
  connection.onNotification(lsp.PublishDiagnosticsNotification.type, (p) => published.push(p));
  connection.listen();
  const known = await connection.sendRequest(lsp.InitializeRequest.type, { processId: process.pid, rootUri: null, capabilities: {} });
  for (const what of ['hoverProvider', 'definitionProvider', 'referencesProvider', 'renameProvider', 'documentFormattingProvider'])
    assert.equal(known.capabilities[what], true, what);
  await connection.sendNotification(lsp.InitializedNotification.type, {});
  const uri = pathToFileURL(join(tmpdir(), 'Ball.mo')).href;
  const at = { textDocument: { uri }, position: { line: 5, character: 12 } }; // g
  await connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId: 'modelica', version: 1, text } });
  const hover = await connection.sendRequest(lsp.HoverRequest.type, at);
  assert.match(hover.contents.value, /parameter Real .*g = 9.81/);
  assert.deepEqual(published.at(-1).diagnostics, []);
  const places = await connection.sendRequest(lsp.ReferencesRequest.type, { ...at, context: { includeDeclaration: true } });
  assert.deepEqual(places.map((p) => [p.range.start.line, p.range.start.character]), [[1, 17], [5, 12]]);
  const edit = await connection.sendRequest(lsp.RenameRequest.type, { ...at, newName: 'gravity' });
  assert.equal(edit.changes[uri].length, 2);
  await assert.rejects(connection.sendRequest(lsp.RenameRequest.type, { ...at, newName: 'h' }), /already the name/);
  const edits = await connection.sendRequest(lsp.DocumentFormattingRequest.type, { textDocument: { uri }, options: { tabSize: 2, insertSpaces: true } });
  assert.match(edits[0].newText, /\n {2}der\(h\) = v;\n/);
  const outline = await connection.sendRequest(lsp.DocumentSymbolRequest.type, { textDocument: { uri } });
  assert.deepEqual(outline[0].children.map((s) => s.name), ['g', 'h', 'v']);
  await connection.sendRequest(lsp.ShutdownRequest.type);
  await connection.sendNotification(lsp.ExitNotification.type);
  assert.equal(await new Promise((done) => server.on('exit', done)), 0);
}

async function checkGrammar() {
  const { Registry } = require('vscode-textmate');
  const oniguruma = require('vscode-oniguruma');
  await oniguruma.loadWASM(readFileSync(join(folder, 'node_modules/vscode-oniguruma/release/onig.wasm')).buffer);
  const raw = JSON.parse(readFileSync(join(here, 'syntaxes/modelica.tmLanguage.json'), 'utf8'));
  const registry = new Registry({
    onigLib: Promise.resolve({ createOnigScanner: (p) => new oniguruma.OnigScanner(p), createOnigString: (s) => new oniguruma.OnigString(s) }),
    loadGrammar: async () => raw,
  });
  const grammar = await registry.loadGrammar('source.modelica');
  const scope = (line, word) => {
    const token = grammar.tokenizeLine(line).tokens.find((t) => t.startIndex <= line.indexOf(word) && line.indexOf(word) < t.endIndex);
    return token.scopes.at(-1);
  };
  assert.equal(scope('model Ball "falls"', 'model'), 'storage.type.class.modelica');
  assert.equal(scope('model Ball "falls"', 'Ball'), 'entity.name.type.modelica');
  assert.equal(scope('model Ball "falls"', 'falls'), 'string.quoted.double.modelica');
  assert.equal(scope('  parameter Real g = 9.81; // m', 'parameter'), 'storage.modifier.modelica');
  assert.equal(scope('  parameter Real g = 9.81; // m', '9.81'), 'constant.numeric.modelica');
  assert.equal(scope('  parameter Real g = 9.81; // m', '// m'), 'comment.line.double-slash.modelica');
  assert.equal(scope('  der(v) = -g;', 'der'), 'support.function.modelica');
  assert.equal(scope('end if;', 'end'), 'keyword.control.modelica');
}

// The commands of the extension, as a shell runs them.
function checkCommands() {
  const { commandLine } = createRequire(join(here, 'package.json'))('./src/commands.js');
  const file = join(mkdtempSync(join(tmpdir(), "rattleback's ")), 'Ball.mo');
  writeFileSync(file, text);
  execFileSync('sh', ['-c', commandLine('run', program, file, '')], { stdio: 'pipe' });
  assert.ok(existsSync(file.replace('.mo', '_res.mat')));
  execFileSync('sh', ['-c', commandLine('plot', program, file, '', ['h', 'v'])], { stdio: 'pipe', cwd: dirname(file) });
}

function checkBundle() {
  execFileSync(process.execPath, [join(here, 'build.mjs'), folder]);
  const described = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
  const bundle = readFileSync(join(folder, described.main), 'utf8');
  for (const { command } of described.contributes.commands) assert.ok(bundle.includes(command.split('.')[0] + '.'));
  execFileSync(process.execPath, ['--check', join(folder, described.main)]);
}

await checkServer();
await checkGrammar();
checkCommands();
checkBundle();
console.log('the extension works');
