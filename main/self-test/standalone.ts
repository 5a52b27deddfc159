/** `platen self-test`: runs the self-test without a running service. Does not listen and creates no account. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openStore } from '../accounts/store/open-store.ts';
import { testDatabase } from '../accounts/store/write-test.ts';
import type { SelfTestReport } from '../console/contract.ts';
import type { ServiceLog } from '../log/service-log.ts';
import { Converter } from '../converter/converter.ts';
import type { Settings } from '../settings/table.ts';
import { reportText } from './report-text.ts';
import { runSelfTest } from './self-test.ts';

interface StandaloneOptions {
  readonly settings: Settings & { readonly data: string };
  readonly log: ServiceLog;
  readonly format: 'table' | 'json';
  readonly signal: AbortSignal;
}

/**
 * Prints the report and writes it to self-test.json in the data folder. Returns whether all checks passed.
 * @throws Error with a one-sentence message
 */
export async function runStandaloneSelfTest({
  settings,
  log,
  format,
  signal,
}: StandaloneOptions): Promise<boolean> {
  const workFolder = join(settings.data, 'work');
  await mkdir(workFolder, { recursive: true, mode: 0o700 });
  const servicePort = () => undefined;
  await using converter = await Converter.open({
    settings,
    log,
    prefixes: ['service'],
    servicePort,
    onUnrecoverable() {},
    metrics: { waited() {}, replaced() {}, canary() {} },
  });
  const report = await runSelfTest(
    {
      ...converter.conversionDependencies,
      settings,
      workFolder,
      servicePort,
      testDatabase: () => openAndTestDatabase(settings),
    },
    signal,
  );
  await print(format === 'json' ? `${JSON.stringify(report, undefined, 2)}\n` : reportText(report));
  await save(report, join(settings.data, 'self-test.json'));
  return report.passed;
}

async function openAndTestDatabase(settings: StandaloneOptions['settings']): Promise<number> {
  await using store = await openStore({ settings });
  return await testDatabase(store.database);
}

/** Resolves when the text is written: the process is about to end, and writes to a pipe are asynchronous on some platforms. */
function print(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(text, () => {
      resolve();
    });
  });
}

/** Saves the report. Ignores errors, because a check of the self-test already reports that the folder cannot be written. */
async function save(report: SelfTestReport, path: string): Promise<void> {
  await writeFile(path, `${JSON.stringify(report, undefined, 2)}\n`, { mode: 0o600 }).catch(() => {});
}
