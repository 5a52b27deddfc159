/** The self-test of an installation whose service does not run: `platen self-test`. It listens nowhere and makes no account. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { databasePath, openDatabase } from '../accounts/database.ts';
import { tryOut } from '../accounts/try-out.ts';
import type { SelfTestReport } from '../console/contract.ts';
import type { ServiceLog } from '../log/service-log.ts';
import { openMachinery } from '../machinery.ts';
import type { Settings } from '../settings/table.ts';
import { reportText } from './report-text.ts';
import { runSelfTest } from './self-test.ts';

export interface Alone {
  readonly settings: Settings & { readonly data: string };
  readonly log: ServiceLog;
  readonly form: 'table' | 'json';
  readonly signal: AbortSignal;
}

/** Prints the report, writes it to self-test.json in the data folder; whether all is well. @throws Error with one sentence */
export async function testAlone({ settings, log, form, signal }: Alone): Promise<boolean> {
  const workFolder = join(settings.data, 'work');
  await mkdir(workFolder, { recursive: true, mode: 0o700 });
  const servicePort = () => undefined;
  await using machinery = await openMachinery({
    ...{ settings, log, prefixes: ['service'], servicePort, onHopeless() {} },
    metrics: { waited() {}, replaced() {}, canary() {} },
  });
  const means = { ...machinery, settings, workFolder, servicePort, tryOut: () => tryDatabase(settings.data) };
  const report = await runSelfTest(means, signal);
  await print(form === 'json' ? `${JSON.stringify(report, undefined, 2)}\n` : reportText(report));
  await keep(report, join(settings.data, 'self-test.json'));
  return report.passed;
}

async function tryDatabase(data: string): Promise<number> {
  const database = await openDatabase(databasePath(data));
  try {
    return await tryOut(database);
  } finally {
    await database.destroy();
  }
}

/** To a pipe it is not written at once on every platform, and the process is about to end. */
function print(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(text, () => {
      resolve();
    });
  });
}

/** That it cannot be written has been told by the check of the folder. */
async function keep(report: SelfTestReport, path: string): Promise<void> {
  await writeFile(path, `${JSON.stringify(report, undefined, 2)}\n`, { mode: 0o600 }).catch(() => {});
}
