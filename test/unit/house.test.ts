/** The rules of the house (docs/architecture.md): who may import whom, what things are called, how long files are. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { specifiersOf } from '../support/imports.ts';

/**
 * Each folder of main/ (and each file at its top) and what it may import of main/, types included. Its own files are always
 * allowed. Nobody imports index.ts, cli/ or app/ but index.ts.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  failure: [],
  'threads.ts': ['failure'],
  fields: [],
  network: [],
  launch: [],
  settings: ['fields', 'network'],
  log: ['fields', 'settings'],
  metrics: [],
  accounts: ['failure', 'settings'],
  job: ['failure', 'fields'],
  apart: [],
  input: ['apart', 'failure', 'job', 'log', 'run.ts'],
  'signals.ts': [],
  'run.ts': ['job', 'log'],
  engine: ['failure', 'fields', 'input', 'job', 'log', 'network', 'run.ts', 'signals.ts'],
  output: ['engine', 'failure', 'fields', 'input', 'job', 'run.ts', 'threads.ts'],
  'convert.ts': ['accounts', 'engine', 'input', 'output', 'run.ts'],
  'pausing.ts': ['failure'],
  conversion: [
    'accounts',
    'convert.ts',
    'failure',
    'fields',
    'job',
    'log',
    'pausing.ts',
    'settings',
    'signals.ts',
  ],
  'hot-folder': [
    'accounts',
    'conversion',
    'failure',
    'fields',
    'job',
    'log',
    'metrics',
    'pausing.ts',
    'settings',
    'signals.ts',
  ],
  'own-job.ts': ['engine', 'input', 'job', 'log', 'output', 'run.ts', 'signals.ts'],
  'canary.ts': ['engine', 'job', 'output', 'own-job.ts'],
  'self-test': [
    'accounts',
    'canary.ts',
    'console',
    'engine',
    'failure',
    'log',
    'machinery.ts',
    'network',
    'output',
    'own-job.ts',
    'settings',
    'signals.ts',
  ],
  preflight: ['log', 'settings'],
  http: [
    'accounts',
    'console',
    'conversion',
    'convert.ts',
    'failure',
    'fields',
    'job',
    'log',
    'metrics',
    'pausing.ts',
    'preflight',
    'self-test',
    'settings',
    'signals.ts',
    'threads.ts',
  ],
  console: ['accounts', 'conversion', 'failure', 'fields', 'job', 'log', 'metrics', 'pausing.ts', 'settings'],
  batch: ['accounts', 'conversion', 'failure', 'job', 'launch', 'log', 'machinery.ts', 'settings'],
  cli: [
    'accounts',
    'failure',
    'fields',
    'input',
    'job',
    'launch',
    'log',
    'preflight',
    'settings',
    'signals.ts',
    'upgrade',
  ],
  app: ['accounts', 'console', 'conversion', 'failure', 'input', 'job', 'launch', 'log', 'settings'],
  upgrade: ['accounts', 'settings'],
  'service.ts': ['launch'],
  'command.ts': ['launch'],
  'machinery.ts': ['canary.ts', 'engine', 'input', 'log', 'metrics', 'output', 'settings', 'threads.ts'],
  'index.ts': [
    'accounts',
    'app',
    'batch',
    'console',
    'conversion',
    'engine',
    'hot-folder',
    'http',
    'log',
    'machinery.ts',
    'metrics',
    'pausing.ts',
    'preflight',
    'self-test',
    'settings',
  ],
};

/** Who may import electron; all else runs and is tested in plain Node. */
const mayImportElectron = ['index.ts', 'app', 'engine'];

/** What may lie at the top besides the dot files the tools insist on, and what git ignores. */
const topLevel = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'eslint.config.js',
  'main',
  'renderer',
  'build',
  'client',
  'test',
  'docs',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
];
const ignored = ['node_modules', 'dist'];

const sourceFolders = ['main', 'renderer', 'build', 'client', 'test'];

const emptyNames = ['util', 'utils', 'helper', 'helpers', 'common', 'misc', 'manager', 'managers', 'shared'];
const longest = 300;

const project = fileURLToPath(new URL('../..', import.meta.url));
const main = join(project, 'main');
const table = 'mayImport in test/unit/house.test.ts';

test('every folder of main/ imports only what the table allows it', () => {
  const wrong = importsUnder(main).flatMap(({ file, specifier }) => {
    if (!specifier.startsWith('.')) return [];
    const [from, to] = [ownerOf(file), ownerOf(resolve(dirname(file), specifier))];
    const row = mayImport[from];
    if (row === undefined) return [`${shown(file)}: main/${from} has no row; add one to ${table}`];
    if (from === to || row.includes(to)) return [];
    return [
      `${shown(file)} imports ${specifier}, but ${from} may not import ${to}; if it was meant, add '${to}' to the row '${from}' of ${table}`,
    ];
  });
  assert.deepEqual(wrong, []);
});

test('no row of the table is of something that has gone, and none leads back to itself', () => {
  for (const [from, row] of Object.entries(mayImport)) {
    assert.ok(existsSync(join(main, from)), `main/${from} has gone; take its row out of ${table}`);
    for (const to of row)
      assert.ok(
        Object.hasOwn(mayImport, to),
        `the row '${from}' names '${to}', which has no row in ${table}`,
      );
    assert.ok(
      !reachable(from).has(from),
      `main/${from} imports itself by way of others, so the rows of ${table} have no order`,
    );
  }
});

test('electron is imported, types included, only where Electron is owned', () => {
  const wrong = importsUnder(main)
    .filter(
      ({ file, specifier }) =>
        /^electron(\/|$)/.test(specifier) && !mayImportElectron.includes(ownerOf(file)),
    )
    .map(
      ({ file }) =>
        `${shown(file)} imports electron; if it was meant, add '${ownerOf(file)}' to mayImportElectron in test/unit/house.test.ts`,
    );
  assert.deepEqual(wrong, []);
});

test('a relative import names a file, with its extension', () => {
  const wrong = sourceFolders
    .flatMap((folder) => importsUnder(join(project, folder)))
    .filter(({ file, specifier }) => specifier.startsWith('.') && !isFile(resolve(dirname(file), specifier)))
    .map(
      ({ file, specifier }) =>
        `${shown(file)} imports ${specifier}, which is no file; write the extension (.ts)`,
    );
  assert.deepEqual(wrong, []);
});

test('no folder and no file has a name that says nothing', () => {
  const wrong = sourceFolders
    .flatMap((folder) => entriesUnder(join(project, folder)))
    .filter((path) =>
      path
        .slice(project.length)
        .split(/[\\/.-]/)
        .some((word) => emptyNames.includes(word.toLowerCase())),
    );
  assert.deepEqual(wrong.map(shown), [], 'name each after what it owns');
});

test('no file is longer than 300 lines', () => {
  const wrong = sourceFolders
    .flatMap((folder) => sourcesUnder(join(project, folder)))
    .filter((file) => readFileSync(file, 'utf8').trimEnd().split('\n').length > longest);
  assert.deepEqual(wrong.map(shown), [], 'cut each in two along what it owns');
});

test('no file holds the marks of a merge that was not finished', () => {
  const pages = ['README.md', 'CHANGELOG.md'].map((name) => join(project, name));
  const files = [...sourceFolders, 'docs'].flatMap((folder) => entriesUnder(join(project, folder)));
  const texts = [...pages, ...files].filter((path) => /\.(md|[cm]?[jt]sx?|json|html)$/.test(path));
  const marked = texts.filter((path) => /^(<{7}|>{7}|(> ){7})/m.test(readFileSync(path, 'utf8')));
  assert.deepEqual(marked.map(shown), []);
});

test('the top of the repository holds what the design lists and nothing else', () => {
  const wrong = readdirSync(project).filter(
    (name) => !name.startsWith('.') && !topLevel.includes(name) && !ignored.includes(name),
  );
  assert.deepEqual(wrong, [], 'if it was meant, add it to topLevel in test/unit/house.test.ts');
});

test('the imports of a file are found in every form they have', () => {
  const source = `import a from './a.ts';\nimport type { B } from "./b.ts";\nimport './c.ts';\nexport { d } from './d.ts';
    type E = import('./e.ts').E;\nconst f = await import('./f.ts');\nconst g = require('./g.ts');\n// import h from './h.ts';\nconst text = "from './i.ts'";`;
  assert.deepEqual(
    specifiersOf(source).sort(),
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `./${name}.ts`),
  );
});

interface Import {
  /** Absolute. */
  readonly file: string;
  readonly specifier: string;
}

function importsUnder(folder: string): Import[] {
  return sourcesUnder(folder).flatMap((file) =>
    specifiersOf(readFileSync(file, 'utf8')).map((specifier) => ({ file, specifier })),
  );
}

/** The folder of main/ a file is in, or its name when it lies at the top of main/. */
function ownerOf(file: string): string {
  return relative(main, file).split(sep)[0] ?? '';
}

function reachable(from: string, seen = new Set<string>()): Set<string> {
  for (const to of mayImport[from] ?? []) {
    if (seen.has(to)) continue;
    seen.add(to);
    reachable(to, seen);
  }
  return seen;
}

function entriesUnder(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => !/\/(fixtures|dist|generated)\//.test(shown(path)));
}

function sourcesUnder(folder: string): string[] {
  return entriesUnder(folder).filter((path) => /\.[cm]?[jt]sx?$/.test(path));
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function shown(path: string): string {
  return relative(project, path).replaceAll(sep, '/');
}
