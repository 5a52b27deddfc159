/** Owns `npm run dist`: the packaged application for this platform under dist/, its fuses, its bill of materials, its sums. */

import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { packApplication } from './packaging/application.mjs';
import { auditDependencies } from './packaging/audit.mjs';
import { writeChecksums } from './packaging/checksums.mjs';
import { copyRuntime, verifyFuses, versionsOf } from './packaging/runtime.mjs';
import { writeNotices } from './packaging/notices.mjs';
import { writeBillOfMaterials } from './packaging/bill-of-materials.mjs';
import { tryOut } from './packaging/try-out.mjs';
import { chosenRuntime } from './setup/electron-runtime.mjs';
import { explain, Problem, say } from './setup/problem.mjs';
import { project, readJson } from './setup/project.mjs';

try {
  await dist();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}

async function dist() {
  if (process.platform !== 'linux')
    throw new Problem('The packaged application is made on Linux only so far: run `npm run dist` there.');
  const chosen = chosenRuntime();
  if (!chosen) throw new Problem('There is no Electron yet: type `node build/bootstrap.mjs`.');
  say(await auditDependencies());
  const { version } = readJson(project('package.json'));
  const target = project('dist', `platen-${version}-${process.platform}-${process.arch}`);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  say('Packing the application.');
  const executable = await copyRuntime(path.dirname(chosen.electron), target);
  const shipped = await packApplication(target);
  await verifyFuses(executable);
  const bill = await writeBillOfMaterials(target, { shipped, versions: versionsOf(executable) });
  writeNotices(target, bill);
  await writeChecksums(target);
  say('Trying it out.');
  await tryOut(target);
  say('Skipped: signing, installers and an archive, which are not made yet.');
  process.stdout.write(`${target}\n`);
}
