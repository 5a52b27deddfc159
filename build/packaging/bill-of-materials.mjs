/** Owns sbom.cdx.json: what the packaged application is made of, by name, version, licence and hash, as CycloneDX 1.5. */

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { npm } from '../setup/npm.mjs';
import { Problem, tellingLines } from '../setup/problem.mjs';
import { project, readJson } from '../setup/project.mjs';
import { sha256 } from './checksums.mjs';
import { EXECUTABLE } from './runtime.mjs';

/** @typedef {{ 'bom-ref': string, type: string, name: string, version: string, [more: string]: any }} Component */
/** @typedef {{ components: Component[], [more: string]: any }} Bill */

/** What compiled code in packages was made of; their lists of dependencies do not name it. The versions are read out of it. */
export const EMBEDDED = [
  { in: '@neslinesli93/qpdf-wasm@0.3.0', name: 'qpdf', version: '12.2.0', licence: 'Apache-2.0' },
  { in: '@neslinesli93/qpdf-wasm@0.3.0', name: 'libjpeg-turbo', version: '2.1.1', licence: 'IJG' },
  { in: '@photostructure/sqlite@1.2.1', name: 'sqlite', version: '3.53.0', licence: 'blessing' },
];

/** The parts of Electron that fixes are published for, by their names in process.versions. */
const RUNTIME = [
  { key: 'electron', name: 'electron', licence: 'MIT', cpe: 'electronjs:electron' },
  { key: 'chrome', name: 'chromium', licence: 'BSD-3-Clause', cpe: 'google:chrome' },
  { key: 'node', name: 'node', licence: 'MIT', cpe: 'nodejs:node.js' },
  { key: 'v8', name: 'v8', licence: 'BSD-3-Clause', cpe: 'google:v8' },
];

/**
 * @param {string} target
 * @param {{ shipped: readonly string[], versions: Record<string, string> }} made the packages in the archive; process.versions
 * @returns {Promise<Bill>}
 */
export async function writeBillOfMaterials(target, { shipped, versions }) {
  const result = await npm(['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--loglevel=error']);
  const start = result.output.indexOf('{');
  if (!result.ok || start < 0)
    throw new Problem(
      `npm made no bill of materials (${tellingLines(result.output)}): update npm, then run the command again.`,
    );
  const runtime = path.join(target, 'runtime');
  const files = {
    'runtime/resources/app.asar': await sha256(path.join(runtime, 'resources', 'app.asar')),
    [`runtime/${EXECUTABLE}`]: await sha256(path.join(runtime, EXECUTABLE)),
  };
  const { name, version } = readJson(project('package.json'));
  const vips = readJson(project('node_modules', '@img', 'sharp-wasm32', 'versions.json')) ?? {};
  const listed = JSON.parse(result.output.slice(start, result.output.lastIndexOf('}') + 1));
  const bill = completeBill(listed, { name, version, shipped, versions, vips, files });
  writeFileSync(path.join(target, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
  return bill;
}

/**
 * What npm lists, without the native packages that stay out, and with all that npm does not know of.
 * @param {Bill} listed
 * @param {{ name: string, version: string, shipped: readonly string[], versions: Record<string, string>,
 *   vips: Record<string, string>, files: Record<string, string> }} made
 * @returns {Bill}
 */
export function completeBill(listed, { name, version, shipped, versions, vips, files }) {
  const packages = listed.components.filter((one) => !isNative(one.name) || shipped.includes(one.name));
  const root = `${name}@${version}`;
  const components = [
    ...packages,
    ...RUNTIME.map((one) => runtimePart(one, versions[one.key] ?? 'unknown')),
    ...EMBEDDED.map(({ in: holder, ...part }) => embeddedPart(holder, part)),
    ...Object.entries(vips).map(([part, of]) =>
      embeddedPart('@img/sharp-wasm32', { name: part, version: of }),
    ),
    ...Object.entries(files).map(([file, hash]) => ownFile(file, version, hash)),
  ];
  const kept = new Set([root, ...components.map((one) => one['bom-ref'])]);
  const dependencies = (listed.dependencies ?? [])
    .filter((/** @type {any} */ { ref }) => kept.has(ref))
    .map((/** @type {any} */ { ref, dependsOn = [] }) => ({
      ref,
      dependsOn: dependsOn.filter((/** @type {string} */ other) => kept.has(other)),
    }));
  const component = { ...listed.metadata.component, 'bom-ref': root, type: 'application', name, version };
  return { ...listed, metadata: { ...listed.metadata, component }, components, dependencies };
}

/** Built for one platform, and installed only there. @param {string} name */
function isNative(name) {
  return /^@img\/sharp-(?!wasm32)/.test(name);
}

/** @param {{ name: string, licence: string, cpe: string }} part @param {string} version @returns {Component} */
function runtimePart({ name, licence, cpe }, version) {
  return {
    ...{ 'bom-ref': `runtime:${name}@${version}`, type: name === 'electron' ? 'framework' : 'library' },
    ...{ name, version, purl: `pkg:generic/${name}@${version}` },
    cpe: `cpe:2.3:a:${cpe}:${version}:*:*:*:*:*:*:*`,
    licenses: [{ license: { id: licence } }],
  };
}

/** @param {string} holder @param {{ name: string, version: string, licence?: string }} part @returns {Component} */
function embeddedPart(holder, { name, version, licence }) {
  return {
    ...{ 'bom-ref': `${holder}:${name}@${version}`, type: 'library', name, version },
    purl: `pkg:generic/${name}@${version}`,
    ...(licence && { licenses: [{ license: { id: licence } }] }),
    properties: [{ name: 'platen:compiled-into', value: holder }],
  };
}

/** @param {string} file @param {string} version @param {string} content @returns {Component} */
function ownFile(file, version, content) {
  const hashes = [{ alg: 'SHA-256', content }];
  return { 'bom-ref': `file:${file}`, type: 'file', name: file, version, hashes };
}
