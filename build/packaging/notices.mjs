/** Writes THIRD-PARTY-NOTICES.txt: the licences of all shipped third-party code. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { project } from '../setup/project.mjs';
import { compiledInto } from './bill.ts';

/** @param {string} target @param {import('./bill.ts').Bill} bill */
export function writeNotices(target, bill) {
  const parts = bill.components.filter(({ type }) => type !== 'file').map(notice);
  const head =
    'Platen contains third-party software. For Electron and Chromium, see also runtime/LICENSE.electron.txt\n' +
    '(or LICENSE) and runtime/LICENSES.chromium.html.\n';
  writeFileSync(
    path.join(target, 'THIRD-PARTY-NOTICES.txt'),
    [head, ...parts].join(`\n${'-'.repeat(80)}\n\n`),
  );
}

/** @param {import('./bill.ts').Component} component */
function notice(component) {
  const { name, version, purl, properties = [] } = component;
  const holder = properties.find(({ name }) => name === compiledInto)?.value;
  const texts = String(purl).startsWith('pkg:npm/') ? licenceTexts(name) : [];
  const declared = `Licence: ${licenceOf(component)}${texts.length === 0 ? '; the package contains no licence text' : ''}`;
  const title = `${name} ${version}${holder ? ` (compiled into ${holder})` : ''}`;
  return `${[title, declared, ...texts.map((text) => `\n${text}`)].join('\n')}\n`;
}

/** @param {import('./bill.ts').Component} component @returns {string} */
function licenceOf({ licenses = [] }) {
  const names = licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name);
  return names.join(', ') || 'not declared';
}

/** @param {string} name @returns {string[]} */
function licenceTexts(name) {
  const folder = project('node_modules', name);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^(licen[cs]e|copying|notice)/i.test(entry.name))
    .map((entry) => readFileSync(path.join(folder, entry.name), 'utf8').trim());
}
