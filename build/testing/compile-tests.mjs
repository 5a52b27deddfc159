/** Compiles test files before a run, which is faster than compiling their modules in every test process. */

import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { EXTERNAL } from '../setup/compile.mjs';
import { output, project } from '../setup/project.mjs';
import { testPrograms } from './files.mjs';

/** @typedef {{ source: string, compiled: string }} TestFile both paths relative to the project */

/**
 * How the system that runs the tests writes an absolute path of this system.
 * @typedef {{ path(file: string): string, url(file: string): string }} PathStyle
 */

/** @type {PathStyle} */
const nativePaths = { path: (file) => file, url: (file) => pathToFileURL(file).href };

/**
 * Compiles test files with the modules that they import, except packages. A module that several files import is compiled only once,
 * so that the files in a process share its state. Also compiles the programs that tests run.
 * @param {string} suite
 * @param {string[]} files relative to the project
 * @param {PathStyle} style of the paths in the compiled files
 * @returns {Promise<TestFile[]>} in the order of `files`
 */
export async function compileTests(suite, files, style = nativePaths) {
  const { build } = await import('esbuild');
  const outdir = output('test', 'compiled', suite);
  rmSync(outdir, { recursive: true, force: true });
  const options = /** @type {const} */ ({
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node20',
    sourcemap: 'linked',
    plugins: [keepPaths(outdir, style)],
    logLevel: 'error',
  });
  // Each program is one file with its packages, so that it starts fast.
  await build({
    ...options,
    entryPoints: testPrograms().map(entryPoint),
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    external: EXTERNAL,
  });
  await build({
    ...options,
    entryPoints: files.map(entryPoint),
    outExtension: { '.js': '.mjs' },
    splitting: true,
    format: 'esm',
    packages: 'external',
    // Bundled, because its modules import each other without file extensions, which Node.js does not resolve.
    alias: {
      'jsonc-parser/lib': project('node_modules', 'jsonc-parser', 'lib'),
      // The package exports only a path outside of Electron. Some tests replace what uses Electron.
      ...(suite === 'windows' && { electron: project('test', 'support', 'windows', 'no-electron.ts') }),
    },
  });
  return files.map((source) => ({
    source,
    compiled: path.relative(project(), path.join(outdir, source.replace(/\.ts$/, '.mjs'))),
  }));
}

/** @param {string} file relative to the project */
function entryPoint(file) {
  return { in: project(file), out: file.replace(/\.ts$/, '') };
}

/** Returns the path of the source of a compiled test file; returns any other path unchanged. @param {string} file absolute */
export function sourceOfTest(file) {
  const compiled = path.relative(output('test', 'compiled'), file);
  if (compiled.startsWith('..')) return file;
  return project(...compiled.split(path.sep).slice(1)).replace(/\.mjs$/, '.ts');
}

/**
 * Replaces `import.meta` with the location of the source, because tests find fixtures relative to it, and
 * `import.meta.resolve('./x-program.ts')` with the URL of the compiled program.
 * @param {string} outdir @param {PathStyle} style
 */
function keepPaths(outdir, style) {
  const compiledUrl = (/** @type {string} */ program) =>
    style.url(path.join(outdir, path.relative(project(), program)).replace(/\.ts$/, '.cjs'));
  return {
    name: 'keep-paths',
    /** @param {import('esbuild').PluginBuild} build */
    setup(build) {
      build.onLoad({ filter: /\.tsx?$/ }, ({ path: file }) => {
        const folder = path.dirname(file);
        const source = readFileSync(file, 'utf8');
        const contents = source
          .replaceAll(/\bimport\.meta\.resolve\('(\.[^']*-program\.ts)'\)/g, (_call, program) =>
            JSON.stringify(compiledUrl(path.join(folder, program))),
          )
          .replaceAll(/\bimport\.meta\.dirname\b/g, () => JSON.stringify(style.path(folder)))
          .replaceAll(/\bimport\.meta\.filename\b/g, () => JSON.stringify(style.path(file)))
          .replaceAll(/\bimport\.meta\.url\b/g, () => JSON.stringify(style.url(file)));
        return { contents, loader: file.endsWith('x') ? 'tsx' : 'ts' };
      });
    },
  };
}
