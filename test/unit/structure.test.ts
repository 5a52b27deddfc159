/** The structure of the code (docs/architecture.md): allowed imports between folders, names, sizes of files and folders. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, dirname, join, relative, resolve, sep } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { declaredTypes } from '../support/declared-types.ts';
import { loadedSpecifiersOf, specifiersOf } from '../support/imports.ts';

/**
 * The allowed imports of each folder of main/, and of index.ts, including types. A folder may always import its own files.
 * Only runtime/ and index.ts import app/; nothing imports cli/ or index.ts.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  failure: [],
  async: ['failure'],
  fields: [],
  files: ['failure'],
  encryption: ['failure', 'files'],
  network: ['async', 'fields'],
  launch: ['failure'],
  settings: ['failure', 'fields', 'files', 'network'],
  log: ['async', 'failure', 'fields', 'files', 'settings'],
  metrics: [],
  accounts: ['async', 'encryption', 'failure', 'settings'],
  webhook: ['accounts', 'async', 'encryption', 'log', 'network', 'settings'],
  rows: ['async', 'failure', 'input'],
  job: ['failure', 'fields', 'log'],
  subprocess: ['async'],
  input: ['async', 'failure', 'fields', 'files', 'job', 'log', 'subprocess'],
  engine: ['async', 'failure', 'fields', 'input', 'job', 'log', 'network', 'subprocess'],
  output: ['async', 'engine', 'failure', 'fields', 'input', 'job', 'preflight', 'subprocess'],
  converter: ['async', 'engine', 'input', 'job', 'log', 'metrics', 'output', 'preflight', 'settings'],
  'kept-inputs': ['encryption', 'job', 'settings'],
  // Of log/ the escaping of HTML and the grouping by key, of output/ the choice between the native and the WebAssembly build of sharp.
  comparison: ['failure', 'log', 'output'],
  conversion: [
    'accounts',
    'async',
    'engine',
    'failure',
    'fields',
    'input',
    'job',
    'log',
    'output',
    'settings',
  ],
  'asynchronous-jobs': [
    'accounts',
    'async',
    'conversion',
    'encryption',
    'failure',
    'fields',
    'files',
    'job',
    'log',
    'metrics',
    'network',
    'output',
    'rows',
    'settings',
  ],
  'hot-folder': [
    'accounts',
    'async',
    'conversion',
    'failure',
    'fields',
    'files',
    'job',
    'log',
    'metrics',
    'settings',
  ],
  'self-test': [
    'accounts',
    'async',
    'console',
    'converter',
    'engine',
    'failure',
    'log',
    'network',
    'output',
    'settings',
  ],
  preflight: ['failure', 'log', 'settings'],
  http: [
    'accounts',
    'async',
    'asynchronous-jobs',
    'console',
    'conversion',
    'failure',
    'fields',
    'job',
    'log',
    'metrics',
    'preflight',
    'self-test',
    'settings',
  ],
  console: [
    'accounts',
    'async',
    'asynchronous-jobs',
    'conversion',
    'failure',
    'fields',
    'job',
    'log',
    'metrics',
    'settings',
  ],
  batch: ['accounts', 'conversion', 'converter', 'failure', 'job', 'launch', 'log', 'settings'],
  cli: [
    'accounts',
    'async',
    'comparison',
    'failure',
    'fields',
    'files',
    'input',
    'job',
    'kept-inputs',
    'launch',
    'log',
    'preflight',
    'settings',
    'upgrade',
  ],
  app: [
    'accounts',
    'console',
    'conversion',
    'failure',
    'files',
    'input',
    'job',
    'launch',
    'log',
    'settings',
    'subprocess',
  ],
  upgrade: ['accounts', 'failure', 'files', 'settings'],
  runtime: [
    'accounts',
    'app',
    'asynchronous-jobs',
    'batch',
    'console',
    'conversion',
    'converter',
    'engine',
    'files',
    'hot-folder',
    'http',
    'kept-inputs',
    'launch',
    'log',
    'metrics',
    'preflight',
    'self-test',
    'settings',
    'webhook',
  ],
  'index.ts': ['app', 'engine', 'failure', 'log', 'runtime', 'settings'],
};

/** Folders that may import electron; all other code runs and is tested in plain Node. */
const mayImportElectron = ['index.ts', 'runtime', 'app', 'engine'];

/** Allowed entries of the top folder, except dot files and what git ignores. */
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
  'CONTRIBUTING.md',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
];
const ignored = ['node_modules', 'dist'];
const sourceFolders = ['main', 'renderer', 'build', 'client', 'test'];

/** Names of types that main/ and client/ both declare for the same thing. The client is published without main/. */
const typesOfClientAndMain = ['DebugLog', 'Job'];

const emptyNames = ['util', 'utils', 'helper', 'helpers', 'common', 'misc', 'manager', 'managers', 'shared'];
const project = fileURLToPath(new URL('../..', import.meta.url));
const main = join(project, 'main');
const table = 'mayImport in test/unit/structure.test.ts';

test('every folder of main/ imports only what mayImport allows', () => {
  const wrong = importsUnder(main).flatMap(({ file, specifier }) => {
    if (!specifier.startsWith('.')) return [];
    const from = ownerOf(file);
    const to = ownerOf(resolve(dirname(file), specifier));
    const row = mayImport[from];
    if (row === undefined) return [`${shown(file)}: main/${from} has no row; add one to ${table}`];
    if (from === to || row.includes(to)) return [];
    return [
      `${shown(file)} imports ${specifier}, but ${from} may not import ${to}; if this is intended, add '${to}' to the row '${from}' of ${table}`,
    ];
  });
  assert.deepEqual(wrong, []);
});

test('mayImport names only existing folders and allows no cycles', () => {
  for (const [from, row] of Object.entries(mayImport)) {
    assert.ok(existsSync(join(main, from)), `main/${from} does not exist; remove its row from ${table}`);
    for (const to of row)
      assert.ok(
        Object.hasOwn(mayImport, to),
        `the row '${from}' names '${to}', which has no row in ${table}`,
      );
    assert.ok(
      !reachable(from).has(from),
      `main/${from} imports itself through other folders, so ${table} has a cycle`,
    );
  }
});

test('there are no import cycles, types included', () => {
  const wrong = ['main', 'renderer'].flatMap((folder) => cyclesUnder(join(project, folder)));
  assert.deepEqual(wrong, [], 'move the shared code into a separate file, or merge the files');
});

test('the folders of renderer/ do not import each other in a cycle, types included', () => {
  const folderOf = (file: string) => relative(join(project, 'renderer'), file).split(sep)[0] ?? '';
  const wrong = cyclesUnder(join(project, 'renderer'), folderOf);
  assert.deepEqual(wrong, [], 'move what both folders need into renderer/state/ or renderer/parts/');
});

test('only the listed folders import electron, types included', () => {
  const wrong = importsUnder(main)
    .filter(
      ({ file, specifier }) =>
        /^electron(\/|$)/.test(specifier) && !mayImportElectron.includes(ownerOf(file)),
    )
    .map(
      ({ file }) =>
        `${shown(file)} imports electron; if this is intended, add '${ownerOf(file)}' to mayImportElectron in test/unit/structure.test.ts`,
    );
  assert.deepEqual(wrong, []);
});

test('processes are started only by the launcher, the command line and subprocess/', () => {
  const wrong = importsUnder(main)
    .filter(
      ({ file, specifier }) =>
        specifier === 'node:child_process' && !['cli', 'launch', 'subprocess'].includes(ownerOf(file)),
    )
    // Any other child process could inherit the sockets of Chromium's processes.
    .map(({ file, specifier }) => `${shown(file)} imports ${specifier}; use main/subprocess/start.ts`);
  assert.deepEqual(wrong, []);
});

test('a relative import has the name of a file with its extension', () => {
  const wrong = sourceFolders
    .flatMap((folder) => importsUnder(join(project, folder)))
    .filter(({ file, specifier }) => specifier.startsWith('.') && !isFile(resolve(dirname(file), specifier)))
    .map(
      ({ file, specifier }) =>
        `${shown(file)} imports ${specifier}, which is not a file; include the extension (.ts)`,
    );
  assert.deepEqual(wrong, []);
});

test('no folder or file has a meaningless name such as utils or helpers', () => {
  const wrong = sourceFolders
    .flatMap((folder) => entriesUnder(join(project, folder)))
    .filter((path) =>
      path
        .slice(project.length)
        .split(/[\\/.-]/)
        .some((word) => emptyNames.includes(word.toLowerCase())),
    );
  assert.deepEqual(wrong.map(shown), [], 'name each file and folder after its content');
});

test('no two files declare a type of the same name', () => {
  const filesByType = new Map<string, string[]>();
  for (const file of sourceFolders.flatMap((folder) =>
    sourcesUnder(join(project, folder), /^(fixtures|dist)$/),
  ))
    for (const name of new Set(declaredTypes(file, readFileSync(file, 'utf8'))))
      filesByType.set(name, [...(filesByType.get(name) ?? []), shown(file)]);
  assert.ok(filesByType.has('FaultDetector'), 'types are found');
  const repeated = [...filesByType].filter(([, files]) => files.length > 1);
  const inClientAndMain = repeated.filter(
    ([, files]) =>
      files.length === 2 &&
      ['client/', 'main/'].every((folder) => files.some((file) => file.startsWith(folder))),
  );
  const wrong = repeated.filter(
    (type) => !inClientAndMain.includes(type) || !typesOfClientAndMain.includes(type[0]),
  );
  assert.deepEqual(
    wrong.map(([name, files]) => `${name}: ${files.join(', ')}`),
    [],
    'share one declaration, or give each type a precise name',
  );
  assert.deepEqual(inClientAndMain.map(([name]) => name).sort(), typesOfClientAndMain);
});

test('no file contains merge conflict markers', () => {
  const pages = ['README.md', 'CHANGELOG.md'].map((name) => join(project, name));
  const files = [...sourceFolders, 'docs'].flatMap((folder) => entriesUnder(join(project, folder)));
  const texts = [...pages, ...files].filter((path) => /\.(md|[cm]?[jt]sx?|json|html)$/.test(path));
  const marked = texts.filter((path) => /^(<{7}|>{7}|(> ){7})/m.test(readFileSync(path, 'utf8')));
  assert.deepEqual(marked.map(shown), []);
});

test('the top folder contains only the listed entries', () => {
  const wrong = readdirSync(project).filter(
    (name) => !name.startsWith('.') && !topLevel.includes(name) && !ignored.includes(name),
  );
  assert.deepEqual(wrong, [], 'if this is intended, add it to topLevel in test/unit/structure.test.ts');
});

test('imports are found in every syntactic form', () => {
  const source = `import a from './a.ts';\nimport type { B } from "./b.ts";\nimport './c.ts';\nexport { d } from './d.ts';
    type E = import('./e.ts').E;\nconst f = await import('./f.ts');\nconst g = require('./g.ts');\n// import h from './h.ts';\nconst text = "from './i.ts'";`;
  assert.deepEqual(
    specifiersOf(source).sort(),
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `./${name}.ts`),
  );
});

test('imports of types only are not loaded', () => {
  const source = `import a from './a.ts';\nimport type { B } from './b.ts';\nimport { type C } from './c.ts';
    import { d, type D } from './d.ts';\nimport './e.ts';\nexport { f } from './f.ts';\nexport type { G } from './g.ts';
    const h = () => import('./h.ts');\nimport * as i from './i.ts';`;
  assert.deepEqual(
    loadedSpecifiersOf(source),
    ['a', 'd', 'e', 'f', 'i'].map((name) => `./${name}.ts`),
  );
});

test('code for PostgreSQL, and pdf-lib, are loaded only on demand, so that no start waits for them', () => {
  const entries = ['index.ts', 'cli/entry/all-commands.ts', 'cli/account.ts'].map((name) => join(main, name));
  const loaded = entries.flatMap((entry) => [...loadedFrom(entry)]);
  const sources = new Set(loaded.filter((file) => file.endsWith('.ts')));
  assert.deepEqual(
    [...sources].filter(
      (file) => /[/\\]postgres[^.]*\b/.test(relative(main, file)) && !file.includes('settings'),
    ),
    [],
  );
  const packages = [...sources].flatMap((file) => loadedSpecifiersOf(readFileSync(file, 'utf8')));
  assert.ok(packages.includes('kysely'));
  assert.deepEqual(
    ['pg', '@cantoo/pdf-lib'].filter((name) => packages.includes(name)),
    [],
  );
});

test('types are found in every syntactic form, and in JSDoc', () => {
  const source = `export interface A {}\ntype B<T> = T[];\nabstract class C {}\nenum D {}\nconst e = class E {};
    function f<T>(value: T) { interface F {} }\nimport type { G } from './g.ts';\nexport type { H } from './h.ts';\nconst text = 'type I = 1';`;
  assert.deepEqual(declaredTypes('source.ts', source), ['A', 'B', 'C', 'D', 'E', 'F']);
  const script = `/** @typedef {{ a: { b: string } }} A */\n/** @typedef {import('./b.mjs').B} B */\nclass C {}\n/** @type {D} */\nlet d;`;
  assert.deepEqual(declaredTypes('source.mjs', script).sort(), ['A', 'C']);
});

interface Import {
  /** Absolute path of the importing file. */
  readonly file: string;
  readonly specifier: string;
}

function importsUnder(folder: string): Import[] {
  return sourcesUnder(folder).flatMap((file) =>
    specifiersOf(readFileSync(file, 'utf8')).map((specifier) => ({ file, specifier })),
  );
}

/** Returns the folder of main/ that contains a file, or the name of a file directly in main/. */
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

/** Returns the file and all files that it loads at run time. Does not follow dynamic imports. */
function loadedFrom(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  for (const specifier of loadedSpecifiersOf(readFileSync(file, 'utf8')))
    if (specifier.startsWith('.')) loadedFrom(resolve(dirname(file), specifier), loaded);
  return loaded;
}

/**
 * Returns the groups of nodes that import each other (Tarjan's strongly connected components), each as one text. A node is a file,
 * or the folder that `nodeOf` returns for it.
 */
function cyclesUnder(folder: string, nodeOf = (file: string) => file): string[] {
  const files = new Set(sourcesUnder(folder));
  const imports = new Map([...files].map((file) => [nodeOf(file), new Set<string>()]));
  for (const { file, specifier } of importsUnder(folder)) {
    const target = resolve(dirname(file), specifier);
    const isInside = specifier.startsWith('.') && files.has(target) && nodeOf(target) !== nodeOf(file);
    if (isInside) imports.get(nodeOf(file))?.add(nodeOf(target));
  }
  const cycles: string[] = [];
  const numbers = new Map<string, number>();
  const stack: string[] = [];
  const visit = (file: string): number => {
    const ownNumber = numbers.size;
    numbers.set(file, ownNumber);
    stack.push(file);
    let lowest = ownNumber;
    for (const target of imports.get(file) ?? []) {
      if (!numbers.has(target)) lowest = Math.min(lowest, visit(target));
      else if (stack.includes(target)) lowest = Math.min(lowest, numbers.get(target) ?? ownNumber);
    }
    if (lowest === ownNumber) {
      const group = stack.splice(stack.indexOf(file));
      if (group.length > 1)
        cycles.push(group.map((node) => (isAbsolute(node) ? shown(node) : node)).join(', '));
    }
    return lowest;
  };
  for (const file of imports.keys()) if (!numbers.has(file)) visit(file);
  return cycles;
}

const excludedFolders = /^(fixtures|dist|generated)$/;

function entriesUnder(folder: string, excluded = excludedFolders): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter(
      (path) =>
        !dirname(shown(path))
          .split('/')
          .some((name) => excluded.test(name)),
    );
}

function sourcesUnder(folder: string, excluded = excludedFolders): string[] {
  return entriesUnder(folder, excluded).filter((path) => /\.[cm]?[jt]sx?$/.test(path));
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function shown(path: string): string {
  return relative(project, path).replaceAll(sep, '/');
}
