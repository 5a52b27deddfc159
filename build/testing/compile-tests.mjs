/** Compiles test files before a run, which is faster than compiling their modules in every test process. */

import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { output, project } from '../setup/project.mjs';

/** @typedef {{ source: string, compiled: string }} TestFile both paths relative to the project */

/**
 * Compiles test files with the modules that they import, except packages. A module that several files import is compiled only once,
 * so that the files in a process share its state.
 * @param {string} suite
 * @param {string[]} files relative to the project
 * @returns {Promise<TestFile[]>} in the order of `files`
 */
export async function compileTests(suite, files) {
  const { build } = await import('esbuild');
  const outdir = output('test', 'compiled', suite);
  rmSync(outdir, { recursive: true, force: true });
  await build({
    entryPoints: files.map((file) => ({ in: project(file), out: file.replace(/\.ts$/, '') })),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    // Bundled, because its modules import each other without file extensions, which Node.js does not resolve.
    alias: { 'jsonc-parser/lib': project('node_modules', 'jsonc-parser', 'lib') },
    sourcemap: 'linked',
    plugins: [keepPaths],
    logLevel: 'error',
  });
  return files.map((source) => ({
    source,
    compiled: path.relative(project(), path.join(outdir, source.replace(/\.ts$/, '.mjs'))),
  }));
}

/** Returns the path of the source of a compiled test file; returns any other path unchanged. @param {string} file absolute */
export function sourceOfTest(file) {
  const compiled = path.relative(output('test', 'compiled'), file);
  if (compiled.startsWith('..')) return file;
  return project(...compiled.split(path.sep).slice(1)).replace(/\.mjs$/, '.ts');
}

/** Replaces `import.meta` with the location of the source, because tests find fixtures and programs relative to it. */
const keepPaths = {
  name: 'keep-paths',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    build.onLoad({ filter: /\.tsx?$/ }, ({ path: file }) => {
      const source = readFileSync(file, 'utf8');
      const contents = source
        .replaceAll(/\bimport\.meta\.dirname\b/g, JSON.stringify(path.dirname(file)))
        .replaceAll(/\bimport\.meta\.filename\b/g, JSON.stringify(file))
        .replaceAll(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(file).href));
      return { contents, loader: file.endsWith('x') ? 'tsx' : 'ts' };
    });
  },
};
