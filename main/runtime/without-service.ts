/** The modes that do not listen: `platen convert` and `platen self-test`. */
import { app } from 'electron';
import type { BatchChannel } from '../app/process/launcher.ts';
import { convertBatch } from '../batch/batch.ts';
import { runStandaloneSelfTest } from '../self-test/standalone.ts';
import { endWhenUnrecoverable, makeWorkFolder, type Runtime } from './runtime.ts';

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

/** Prints the report of the self-test. Sets the exit code to 1 if a check failed. */
export async function runSelfTestAlone(runtime: Runtime, format: 'table' | 'json'): Promise<void> {
  const { settings, log, stopRequest } = runtime;
  const passed = await runStandaloneSelfTest({ settings, log, format, signal: stopRequest.signal });
  if (!passed) process.exitCode = 1;
}
