/** Bundles the engine suite into one file, and runs it inside the selected Electron. */

import { COMMON_JS, compileProblem, EXTERNAL } from '../setup/compile.mjs';
import { chosenRuntime } from '../setup/electron-runtime.mjs';
import { BuildProblem } from '../setup/problem.mjs';
import { output, project, readJson } from '../setup/project.mjs';
import { openDisplay } from './display.mjs';
import { runProgram } from './program.mjs';
import { reporters, startTally } from './tally.mjs';

// In the same folder as the service's bundle, because windows load their preload scripts from this folder.
const bundleFile = output('engine-tests.cjs');
const mainScript = project('build', 'testing', 'inside-electron.cjs');

/**
 * @param {string[]} files relative to the project
 * @param {{ minutes: number, isLive?: boolean }} options `isLive`: see tally.mjs
 */
export async function runEngineTests(files, { minutes, isLive = true }) {
  const electron = chosenRuntime()?.electron;
  if (!electron)
    throw new BuildProblem('Electron is not installed yet: run `node build/bootstrap.mjs --with-tests`.');
  await bundle(files);
  const tally = startTally('engine');
  const display = await openDisplay();
  try {
    const env = { ...display.env, NODE_OPTIONS: nodeOptions(isLive) };
    return tally.read(
      await runProgram({ file: electron, args: electronArgs(), env, minutes, name: 'engine' }),
    );
  } finally {
    display.close();
  }
}

/** Bundles the tests like the service, but without development packages. @param {string[]} files */
async function bundle(files) {
  const { build } = await import('esbuild');
  const loads = files.map((file) => `() => require(${JSON.stringify(project(file))}),`);
  const contents = `require(${JSON.stringify(mainScript)}).runInside([\n${loads.join('\n')}\n]);\n`;
  const external = [...EXTERNAL, ...Object.keys(readJson(project('package.json')).devDependencies)];
  try {
    const stdin = { contents, resolveDir: project(), sourcefile: 'engine-tests.cjs' };
    await build({ ...COMMON_JS, stdin, outfile: bundleFile, absWorkingDir: project(), external });
  } catch (error) {
    throw compileProblem(error);
  }
}

/**
 * Returns NODE_OPTIONS with the reporters, which run in Electron. ending-reporter.mjs also ends Electron.
 * @param {boolean} isLive
 */
function nodeOptions(isLive) {
  const options = reporters('engine', { counter: 'ending-reporter.mjs', isLive });
  return ['--enable-source-maps', ...options].map(quoted).join(' ');
}

/** @param {string} option */
function quoted(option) {
  return `"${option.replaceAll('\\', '\\\\')}"`;
}

function electronArgs() {
  const linux = process.platform === 'linux' ? ['--ozone-platform=x11'] : [];
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return [...root, ...linux, bundleFile];
}
