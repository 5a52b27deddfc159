/** The entry point of Electron's main process. Prepares Chromium, then runs the mode that the launcher requests. */
import { join } from 'node:path';
import { app } from 'electron';
import { consoleScheme } from './app/console-window/console-scheme.ts';
import {
  batchChannel,
  isolatedJob,
  listenForStop,
  selfTestFormat,
  reusePreviousPort,
  useDefaultLogFile,
} from './app/process/launcher.ts';
import { endOnFault, logFaults, logWarnings, prepareChromium } from './app/process/lifecycle.ts';
import { registerSchemes } from './engine/requests/job-document.ts';
import { openServiceLog } from './log/service-log.ts';
import { runBatch, runSelfTestAlone, runJobAlone } from './runtime/without-service.ts';
import type { Runtime } from './runtime/runtime.ts';
import { serve } from './runtime/serve.ts';
import { loadSettings } from './settings/load.ts';
import { readRawSettings } from './settings/raw-settings.ts';
import { messageOf } from './failure/failure.ts';

endOnFault();
const sources = { flags: [], environment: process.env };
const settings = useDefaultLogFile(reusePreviousPort(loadSettings(sources)));
const writtenSettings = readRawSettings(sources);
const stopRequest = listenForStop();
const jobAlone = isolatedJob();
// Electron accepts both calls only before its `ready` event.
prepareChromium(join(jobAlone?.folder ?? settings.data, 'browser'), { webgl: settings.webgl });
registerSchemes(consoleScheme);

async function start(): Promise<void> {
  // The log file belongs to the service.
  const logSettings = jobAlone === undefined ? settings : { ...settings, 'log-file': undefined };
  const log = openServiceLog(logSettings, process.env.PLATEN_TERMINAL !== undefined);
  logFaults(log);
  logWarnings(log);
  const versions = {
    platen: app.getVersion(),
    electron: process.versions.electron,
    chromium: process.versions.chrome,
  };
  try {
    await app.whenReady();
    await runMode({ settings, writtenSettings, log, versions, stopRequest });
  } catch (problem) {
    // At level `debug` without a log file, because the error is printed to standard error anyway.
    log[settings['log-file'] === undefined ? 'debug' : 'fatal']({ err: problem }, 'cannot start');
    throw problem;
  }
}

async function runMode(runtime: Runtime): Promise<void> {
  const format = selfTestFormat();
  const channel = batchChannel();
  if (format !== undefined) await runSelfTestAlone(runtime, format);
  else if (channel !== undefined) await runBatch(runtime, channel);
  else if (jobAlone !== undefined) await runJobAlone(runtime, jobAlone);
  else await serve(runtime);
}

start().then(
  () => {
    app.exit(Number(process.exitCode ?? 0));
  },
  (problem: unknown) => {
    process.stderr.write(`platen: ${messageOf(problem)}\n`);
    app.exit(1);
  },
);
