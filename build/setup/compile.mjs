/** Compiles main/ and the log page to .build/: the service, its threads and child processes, the command line, and page scripts. */

import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fingerprintOf } from './fingerprint.mjs';
import { BuildProblem, print } from './problem.mjs';
import { output, project } from './project.mjs';

/** The esbuild options for programs. CommonJS has no `import.meta`, so esbuild replaces its properties with these expressions. */
export const COMMON_JS = /** @type {const} */ ({
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  sourcemap: 'linked',
  logLevel: 'silent',
  define: {
    'import.meta.url': '__importMetaUrl',
    'import.meta.dirname': '__dirname',
    'import.meta.filename': '__filename',
  },
  banner: { js: "const __importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
});

/** Packages that are not bundled: Electron, and packages that load a binary file or a worker next to their code. */
export const EXTERNAL = [
  'electron',
  'sharp',
  'tinypool',
  '@neslinesli93/qpdf-wasm',
  '@photostructure/sqlite',
  'libxml2-wasm',
  '@hyzyla/pdfium',
];

/**
 * Replaces `import()` of external packages with `importModule()`, a function that main/launch/code-cache.ts passes to the program,
 * because code from V8's code cache cannot use `import()`.
 * @type {import('esbuild').Plugin}
 */
const moduleImport = {
  name: 'module-import',
  setup: ({ onLoad }) =>
    // eslint-disable-next-line platen/linear-pattern -- Paths of this project.
    onLoad({ filter: /[/\\]main[/\\].*\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: EXTERNAL.reduce(
        (text, name) => text.replaceAll(`import('${name}')`, `importModule('${name}')`),
        readFileSync(path, 'utf8'),
      ),
    })),
};

/** The esbuild options for programs that main/launch/code-cache.ts runs. */
const codeCached = { ...COMMON_JS, plugins: [moduleImport] };

/** The esbuild options for scripts that the service evaluates in pages. The variable `program` contains their exports. */
const inPage = /** @type {const} */ ({
  ...COMMON_JS,
  format: 'iife',
  platform: 'browser',
  globalName: 'program',
  sourcemap: false,
  define: {},
  banner: {},
});

const outputs = [
  { source: 'main/launch/entry/service.ts', name: 'service', options: COMMON_JS },
  { source: 'main/index.ts', name: 'service-program', options: codeCached },
  { source: 'main/app/failed-start.ts', name: 'failed-start-program', options: codeCached },
  { source: 'main/app/client/client.ts', name: 'client-program', options: codeCached },
  { source: 'main/launch/entry/command.ts', name: 'platen', options: COMMON_JS },
  { source: 'main/cli/entry/all-commands.ts', name: 'platen-program', options: codeCached },
  { source: 'main/cli/entry/serve-only.ts', name: 'serve-program', options: codeCached },
  { source: 'main/log/render-worker.ts', name: 'render-worker', options: COMMON_JS },
  {
    source: 'main/accounts/store/sqlite/checkpoint-thread.ts',
    name: 'checkpoint-thread',
    options: COMMON_JS,
  },
  { source: 'main/http/upload/form-worker.ts', name: 'form-worker', options: COMMON_JS },
  {
    source: 'main/engine/health/back-pressure-thread.ts',
    name: 'back-pressure-thread',
    options: COMMON_JS,
  },
  ...['archive', 'template'].flatMap((input) => [
    { source: 'main/launch/entry/worker.ts', name: `${input}-worker`, options: COMMON_JS },
    { source: `main/input/${input}/worker.ts`, name: `${input}-worker-program`, options: codeCached },
  ]),
  { source: 'main/launch/entry/worker.ts', name: 'uploaded-pdf-worker', options: COMMON_JS },
  { source: 'main/output/uploaded-pdf/program.ts', name: 'uploaded-pdf-worker-program', options: codeCached },
  { source: 'main/output/merge/merge-program.ts', name: 'merge-worker', options: COMMON_JS },
  { source: 'main/output/finish/finisher-thread.ts', name: 'finish-worker', options: COMMON_JS },
  { source: 'main/output/image/encode/program.ts', name: 'image-encoder', options: COMMON_JS },
  {
    source: 'main/engine/requests/certificate-program.ts',
    name: 'certificate-program',
    options: COMMON_JS,
  },
  {
    source: 'renderer/log-page/log-page.tsx',
    name: 'log-page',
    options: { ...COMMON_JS, minify: true, sourcemap: false },
  },
  // A sandboxed preload can require only a few Node modules.
  {
    source: 'main/engine/page-scripts/page-preload.ts',
    name: 'page-preload',
    options: { ...COMMON_JS, define: {}, banner: {} },
  },
  {
    source: 'main/app/console-window/console-preload.ts',
    name: 'console-preload',
    options: { ...COMMON_JS, define: {}, banner: {} },
  },
  ...[
    'content/article',
    'content/element',
    'breaks',
    'controls/controls',
    'scrolling/expand',
    'scrolling/fixed',
    'scrolling/reveal',
    'scrolling/virtual-lists',
    'examine/examine',
    'examine/pictures',
    'header-footer',
    'library',
    'page-references',
    'page-rules',
    'document-size',
    'print-destinations',
    'sketch',
  ].map((script) => ({
    source: `main/engine/page-scripts/${script}.ts`,
    name: `page-${path.basename(script)}`,
    options: inPage,
  })),
  // Minified, because almost every page compiles these scripts; the second one in every frame.
  {
    source: 'main/engine/page-scripts/examine/warnings.ts',
    name: 'page-warnings',
    options: { ...inPage, target: 'es2022', minify: true },
  },
  {
    source: 'main/engine/page-scripts/worker-activity.ts',
    name: 'page-worker-activity',
    options: { ...inPage, target: 'es2022', minify: true },
  },
  {
    source: 'main/engine/page-scripts/settling.ts',
    name: 'page-settling',
    options: { ...inPage, target: 'es2022', minify: true },
  },
];
const record = output('compiled.txt');

/** @type {import('./set-up.mjs').Step} */
export const compile = {
  ready() {
    if (!outputs.every(({ name }) => existsSync(output(`${name}.cjs`)))) return false;
    return existsSync(record) && readFileSync(record, 'utf8') === fingerprint();
  },
  async run() {
    print('Compiling main/.');
    const before = fingerprint();
    rmSync(record, { force: true });
    await bundle();
    // The icons of the tray on Windows.
    cpSync(project('build', 'icons', 'tray'), output('tray'), { recursive: true });
    copyInvoiceSchemas();
    // For the text of form fields (main/output/finish/form-fields/embedded-font.ts).
    cpSync(project('node_modules/pdfjs-dist/standard_fonts', fieldFont), output('fonts', fieldFont));
    writeFileSync(record, before);
  },
};

/** The font of form fields. */
const fieldFont = 'LiberationSans-Regular.ttf';

/** Copies the official schemas of Factur-X, a folder for each profile (main/output/finish/attachments/invoice.ts). */
function copyInvoiceSchemas() {
  const schemas = project('node_modules', '@stackforge-eu', 'factur-x', 'schema');
  rmSync(output('invoice-schemas'), { recursive: true, force: true });
  cpSync(schemas, output('invoice-schemas'), {
    recursive: true,
    filter: (file) => path.extname(file) === '' || file.endsWith('.xsd'),
  });
}

/** Returns a BuildProblem with the first error of esbuild, or the error itself if it is not from esbuild. @param {any} error */
export function compileProblem(error) {
  const [first] = error.errors ?? [];
  if (!first) return error;
  const place = first.location
    ? `${first.location.file}:${first.location.line}:${first.location.column + 1}: `
    : '';
  return new BuildProblem(
    `${place}${first.text.replace(/[.:]$/, '')}: correct it, then run the command again.`,
  );
}

function fingerprint() {
  const files = ['build/setup/compile.mjs', 'package.json', 'package-lock.json', 'tsconfig.json'];
  return fingerprintOf({ folders: ['main', 'renderer', 'build/icons'], files });
}

async function bundle() {
  const { build } = await import('esbuild');
  try {
    for (const { source, name, options } of outputs) {
      const place = {
        outfile: output(`${name}.cjs`),
        absWorkingDir: project(),
        external: EXTERNAL,
        write: false,
      };
      const { outputFiles } = await build({ ...options, ...place, entryPoints: [project(source)] });
      for (const file of outputFiles) replaceFile(file.path, inAscii(file));
    }
  } catch (error) {
    throw compileProblem(error);
  }
}

/**
 * Returns a file of esbuild with its non-ASCII characters escaped. esbuild escapes them only in strings, and one in a comment makes
 * V8 store the whole program with two bytes a character, which costs memory and makes each start slower.
 * @param {{ path: string, text: string, contents: Uint8Array }} file
 */
function inAscii({ path: file, text, contents }) {
  if (!file.endsWith('.cjs')) return contents;
  const escape = (/** @type {string} */ unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  // Outside strings, only comments and regular expressions contain such characters, and in both an escape has the same meaning.
  return Buffer.from(text.replace(/[^\0-\x7f]/g, escape));
}

/**
 * Replaces the file atomically, because a service that is starting may read it.
 * @param {string} file @param {Uint8Array} contents
 */
function replaceFile(file, contents) {
  const made = `${file}.${process.pid}`;
  writeFileSync(made, contents);
  renameSync(made, file);
}
