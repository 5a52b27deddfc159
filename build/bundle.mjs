/**
 * `npm run bundle [-- PLATFORM-ARCH ...]`: writes an archive with everything needed to build and install Platen without a network.
 */

import { chmodSync, cpSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { copyFonts } from './bundling/fonts.mjs';
import { instructions, offlineBatch, offlineScript } from './bundling/instructions.ts';
import { copyNode } from './bundling/node.mjs';
import { fillNpmCache, registryAddress } from './bundling/npm-cache.mjs';
import { copySources } from './bundling/sources.mjs';
import { sha256, writeChecksums } from './packaging/checksums.mjs';
import { folderOf } from './packaging/runtime.mjs';
import { sourceDate } from './packaging/source-date.mjs';
import { setDates, makeReadable, sizeOf, writeTarGz } from './packaging/tar-gz.mjs';
import { chosenRuntime } from './setup/electron-runtime.mjs';
import { explain, BuildProblem, print } from './setup/problem.mjs';
import { output, project, readJson } from './setup/project.mjs';

const ours = `${process.platform}-${process.arch}`;

try {
  await bundle(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${explain(error, 'The bundle build')}\n`);
  process.exitCode = 1;
}

/** @param {string[]} others further platforms, such as win32-x64, whose npm packages the bundle also contains */
async function bundle(others) {
  const unknown = others.filter((name) => !/^(linux|win32|darwin)-(x64|arm64)$/.test(name));
  if (unknown.length > 0)
    throw new BuildProblem(`${unknown.join(', ')}: name platforms as linux-x64, win32-x64 or darwin-arm64.`);
  const chosen = chosenRuntime();
  if (!chosen) throw new BuildProblem('Electron is not installed yet: run `node build/bootstrap.mjs`.');
  process.umask(0o022);
  const { version } = readJson(project('package.json'));
  const folder = output('bundle', `platen-${version}-bundle-${ours}`);
  rmSync(output('bundle'), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await fill(folder, { version, chosen, platforms: [...new Set([ours, ...others])] });
  await writeChecksums(folder);
  makeReadable(folder);
  setDates(folder, sourceDate());
  print(`Making the archive of ${(sizeOf(folder) / 1e6).toFixed(0)} MB.`);
  mkdirSync(project('dist'), { recursive: true });
  const file = project('dist', `${path.basename(folder)}.tar.gz`);
  await writeTarGz(folder, file);
  rmSync(output('bundle'), { recursive: true });
  writeFileSync(`${file}.sha256`, `${await sha256(file)}  ${path.basename(file)}\n`);
  print(`${(statSync(file).size / 1e6).toFixed(1)} MB  ${file}`);
}

/**
 * @param {string} folder
 * @param {{ version: string, chosen: import('./setup/electron-runtime.mjs').SelectedRuntime, platforms: string[] }} of
 */
async function fill(folder, { version, chosen, platforms }) {
  const registry = await registryAddress();
  await copySources(path.join(folder, 'platen'));
  await fillNpmCache(path.join(folder, 'npm-cache'), platforms);
  print('Adding Electron, Node.js and fonts.');
  cpSync(folderOf(chosen.electron), path.join(folder, 'electron'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  const nodeMissing = copyNode(path.join(folder, 'node'));
  const { fonts, missing } = copyFonts(path.join(folder, 'fonts'));
  const elsewhere = platforms
    .slice(1)
    .map(
      (name) =>
        `Electron for ${name}: replace the folder electron/ with an unpacked Electron for that platform.`,
    );
  const facts = {
    version,
    registry,
    fonts,
    platform: ours,
    electron: chosen.version,
    node: nodeMissing === undefined ? process.versions.node : undefined,
    missing: [...(nodeMissing === undefined ? [] : [nodeMissing]), ...missing, ...elsewhere],
  };
  for (const sentence of facts.missing) print(`Skipped ${sentence}`);
  writeFileSync(path.join(folder, 'INSTALL.txt'), instructions(facts));
  writeFileSync(path.join(folder, 'offline'), offlineScript(registry));
  chmodSync(path.join(folder, 'offline'), 0o755);
  if (platforms.some((name) => name.startsWith('win32')))
    writeFileSync(path.join(folder, 'offline.cmd'), offlineBatch(registry));
}
