/** Writes sbom.cdx.json: the components of the packaged application with name, version, licence and hash. */

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { npm } from '../setup/npm.mjs';
import { BuildProblem, relevantLines } from '../setup/problem.mjs';
import { project, readJson } from '../setup/project.mjs';
import { completeBill } from './bill.ts';
import { sha256 } from './checksums.mjs';

/**
 * @param {string} target
 * @param {{ shipped: readonly string[], versions: Record<string, string>, files: string[], date: Date }} made `shipped`: the npm
 *   packages in app.asar; `versions`: process.versions of Electron; `files`: our own files, relative to `target`
 * @returns {Promise<import('./bill.ts').Bill>}
 */
export async function writeBillOfMaterials(target, { shipped, versions, files, date }) {
  /** @type {Record<string, string>} */
  const hashes = {};
  for (const file of files) hashes[file] = await sha256(path.join(target, file));
  const { name, version } = readJson(project('package.json'));
  const vips = readJson(project('node_modules', '@img', 'sharp-wasm32', 'versions.json')) ?? {};
  const about = { name, version, shipped, versions, vips, files: hashes, date };
  const bill = completeBill(await listedByNpm(), about);
  writeFileSync(path.join(target, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
  return bill;
}

/** Returns npm's list of the installed packages. @returns {Promise<import('./bill.ts').Bill>} */
async function listedByNpm() {
  const { ok, output } = await npm(['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--loglevel=error']);
  if (ok) return JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1));
  throw new BuildProblem(
    `npm did not create a bill of materials (${relevantLines(output)}): update npm, then run the command again.`,
  );
}
