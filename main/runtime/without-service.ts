/** The modes that do not listen: `platen convert`, `platen self-test`, and a job that its service runs apart. */
import { app } from 'electron';
import { openJobs } from '../accounts/jobs.ts';
import { openKeyring } from '../accounts/open-keyring.ts';
import { openDebugLogRecords } from '../accounts/store/cluster/debug-log-records.ts';
import { openStore } from '../accounts/store/open-store.ts';
import { reportIsolatedBegin, type BatchChannel } from '../app/process/launcher.ts';
import { runIsolatedJob } from '../asynchronous-jobs/isolated-job.ts';
import { convertBatch } from '../batch/batch.ts';
import { watchClosingLogs } from '../conversion/job-log.ts';
import { Converter } from '../converter/converter.ts';
import { KeptInputs } from '../kept-inputs/kept-inputs.ts';
import type { IsolatedJob } from '../launch/messages.ts';
import { openDebugLogs } from '../log/debug-logs.ts';
import { runStandaloneSelfTest } from '../self-test/standalone.ts';
import { debugLogsFolder } from '../settings/data-folder.ts';
import {
  endWhenUnrecoverable,
  keepingInputs,
  makeWorkFolder,
  markupPrefixes,
  type Runtime,
} from './runtime.ts';

/** Converts the requests that arrive on the channel, until a stop request. */
export async function runBatch(runtime: Runtime, channel: BatchChannel): Promise<void> {
  // Hides the icon in the macOS Dock, because this mode has no visible windows.
  app.dock?.hide();
  const { settings, log, versions, stopRequest } = runtime;
  await convertBatch({
    settings,
    log,
    versions,
    workFolder: await makeWorkFolder(runtime),
    stopSignal: stopRequest.signal,
    onUnrecoverable: endWhenUnrecoverable(runtime),
    onRequests: channel.listen,
    report: channel.report,
  });
}

/** Runs a job that a service has claimed (docs/decisions/0064-suspects.md). */
export async function runJobAlone(runtime: Runtime, job: IsolatedJob): Promise<void> {
  app.dock?.hide();
  const { log, versions, stopRequest } = runtime;
  const settings = { ...runtime.settings, workers: 1 };
  const report = (problem: unknown) => {
    log.error({ err: problem }, 'cannot write to the accounts database; this is retried');
  };
  await using debugLogs = await openDebugLogs(
    debugLogsFolder(settings.data),
    settings['debug-log-keep'],
    settings['logs-per-account'],
  );
  await using store = await openStore({ settings, report });
  const keyring = await openKeyring({ store, settings });
  if (store.isShared) debugLogs.useArchive(openDebugLogRecords(store));
  await using jobs = await openJobs({ store, node: { id: job.node }, report });
  await using converter = await Converter.open({
    settings,
    log,
    onUnrecoverable: endWhenUnrecoverable(runtime),
    servicePort: () => job.servicePort,
    prefixes: markupPrefixes(runtime),
    metrics: { waited() {}, replaced() {}, canary() {} },
  });
  const keptInputs = await KeptInputs.open(settings);
  await runIsolatedJob(job, {
    ...converter.conversionDependencies,
    store,
    keyring,
    settings,
    versions,
    log,
    jobs,
    debugLogs,
    closingLogs: watchClosingLogs(),
    keepInput: keepingInputs(keptInputs, log),
    workFolder: job.folder,
    shutdown: stopRequest.signal,
    onBegin: reportIsolatedBegin,
  });
  await debugLogs.copied();
}

/** Prints the report of the self-test. Sets the exit code to 1 if a check failed. */
export async function runSelfTestAlone(runtime: Runtime, format: 'table' | 'json'): Promise<void> {
  const { settings, log, stopRequest } = runtime;
  const passed = await runStandaloneSelfTest({ settings, log, format, signal: stopRequest.signal });
  if (!passed) process.exitCode = 1;
}
