/** Owns sbom.cdx.json: what the packaged application is made of, by name, version, licence and hash. */

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { npm } from '../setup/npm.mjs';
import { Problem, tellingLines } from '../setup/problem.mjs';
import { project, readJson } from '../setup/project.mjs';
import { completeBill } from './bill.ts';
import { sha256 } from './checksums.mjs';
import { EXECUTABLE } from './runtime.mjs';

/**
 * @param {string} target
 * @param {{ shipped: readonly string[], versions: Record<string, string> }} made the packages in the archive; process.versions
 * @returns {Promise<import('./bill.ts').Bill>}
 */
export async function writeBillOfMaterials(target, { shipped, versions }) {
  const runtime = path.join(target, 'runtime');
  const files = {
    'runtime/resources/app.asar': await sha256(path.join(runtime, 'resources', 'app.asar')),
    [`runtime/${EXECUTABLE}`]: await sha256(path.join(runtime, EXECUTABLE)),
  };
  const { name, version } = readJson(project('package.json'));
  const vips = readJson(project('node_modules', '@img', 'sharp-wasm32', 'versions.json')) ?? {};
  const bill = completeBill(await listedByNpm(), { name, version, shipped, versions, vips, files });
  writeFileSync(path.join(target, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
  return bill;
}

/** Of what is installed; nothing is asked for over the network. @returns {Promise<import('./bill.ts').Bill>} */
async function listedByNpm() {
  const { ok, output } = await npm(['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--loglevel=error']);
  if (ok) return JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1));
  throw new Problem(
    `npm made no bill of materials (${tellingLines(output)}): update npm, then run the command again.`,
  );
}
