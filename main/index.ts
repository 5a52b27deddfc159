/** Electron's main process, the service: settings, services, server, in this order, and the way back. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { app } from 'electron';
import { Registry } from 'prom-client';
import { openAccounting, type Accounting } from './accounts/accounting.ts';
import { consoleScheme } from './app/console-scheme.ts';
import { openDesktop, type Desktop } from './app/desktop.ts';
import {
  batchChannel,
  restarting,
  restartsSoFar,
  selfTestForm,
  tellListening,
  warnAboutRestart,
  whenToldToStop,
  withKeptPort,
} from './app/launcher.ts';
import { endForFault, endOnFault, logFaults, logWarnings, prepareChromium } from './app/lifecycle.ts';
import { collectAfterStart, memoryByProcess } from './app/memory.ts';
import { warnAboutRuntime } from './app/runtime-age.ts';
import { convertBatch } from './batch/batch.ts';
import { canaryOutcomes } from './engine/health.ts';
import { replacementReasons } from './engine/replacement.ts';
import { registerSchemes } from './engine/job-document.ts';
import { openHotFolders, type HotFolders } from './hot-folder/hot-folders.ts';
import { openBodyBudget, roomForBodies } from './http/body-budget.ts';
import { openConsole } from './console/open-console.ts';
import { watchClosingLogs } from './conversion/closing-logs.ts';
import { affordableConnections } from './http/descriptors.ts';
import { openForms, type Forms } from './http/forms.ts';
import { listen } from './http/listen.ts';
import { createHttpServer } from './http/server.ts';
import { watchWritable } from './http/writable.ts';
import { openDebugLogs } from './log/debug-logs.ts';
import type { Versions } from './log/events.ts';
import { openServiceLog, type ServiceLog } from './log/service-log.ts';
import { openMachinery, type Machinery, type MachineryParts } from './machinery.ts';
import { openMetrics, type Metrics, type MetricSources } from './metrics/metrics.ts';
import { openPausing } from './pausing.ts';
import { openCertificate } from './preflight/certificate.ts';
import { tryStart } from './preflight/try-start.ts';
import { testAlone } from './self-test/alone.ts';
import { openSelfTest } from './self-test/self-test.ts';
import { debugLogsFolder } from './settings/data-folder.ts';
import { demoIsExposed } from './settings/demo.ts';
import { loadSettings, type LoadedSettings } from './settings/load.ts';
import { readWritten } from './settings/written.ts';

endOnFault();
const sources = { flags: [], environment: process.env };
const [settings, inForce] = [withKeptPort(loadSettings(sources)), readWritten(sources)];
const told = whenToldToStop();
prepareChromium(join(settings.data, 'browser'));
registerSchemes(consoleScheme);

async function boot(log: ServiceLog): Promise<void> {
  await app.whenReady();
  const prefixes = ['service', ...(settings.alias === undefined ? [] : [settings.alias])];
  const doors: { service?: number; url?: string } = {};
  const servicePort = () => doors.service;
  const metrics = metricsOf({
    work: () => machinery.work(),
    ready: async () => (await unreadiness()) === undefined,
    balances: () => accounting.balances(),
  });
  await using beginning = beginMachinery({ log, metrics, prefixes, servicePort });
  warnAtStart(log);
  const workFolder = await makeWorkFolder();
  const [whyNotWritable, pausing] = [watchWritable(workFolder), openPausing()];
  const closed = () => (told.signal.aborted ? 'shutting down' : pausing.reason());
  const unreadiness = async () =>
    closed() ?? machinery.unreadiness() ?? accounting.jobs.problem() ?? (await whyNotWritable());

  using debugLogs = await openDebugLogs(debugLogsFolder(settings.data), settings['debug-log-keep']);
  const report = reporting(log);
  await using accounting = await openAccounting({ settings, removeLogs: debugLogs.remove, report });
  tellFirstAccount(accounting.first);
  await using machinery = await beginning.opened();
  const callers = affordableConnections(settings.connections);
  await using forms = openForms(callers);
  const stopping = new AbortController();
  const parts = {
    ...{ ...machinery, settings, versions, debugLogs, log, metrics, workFolder, pausing },
    ...{ accounts: accounting.accounts, jobs: accounting.jobs, closingLogs: watchClosingLogs() },
    ...{ shutdown: stopping.signal, stopping: () => told.signal.aborted, unreadiness },
  };
  const means = { ...parts, told: told.signal };
  const selfTest = openSelfTest({ ...means, servicePort, tryOut: accounting.tryOut });
  await using hotFolders = openHotFolders({ ...means, account: accounting.ensureHotFolders });
  const own = { selfTest, hotFolders: hotFolders.states, ...operatorParts(servicePort) };
  const console = openConsole({ ...parts, ...own, url: () => doors.url });
  const server = createHttpServer({
    certificate: await openCertificate(settings),
    ...{ ...parts, prefixes, forms, callers, selfTest },
    ...{ console, ...ownHttpParts(callers) },
  });
  await using desktop = openDesktop({ settings, log, console, account: accounting.ensureTray });
  await using listening = await listen({ server, settings, works: worksOf(machinery), stopping });
  Object.assign(doors, { service: listening.port, url: listening.url });
  await tellAddress(listening.url, { desktop, hotFolders, forms, finisher: machinery.finisher });
  await told.promise;
  log.info('stopping: no new jobs, running ones may finish');
}

/**
 * Windows open in processes of their own, so the rest of a start is done meanwhile. Disposed, what nobody has asked for is closed:
 * Electron that is to end while it opens a window crashes.
 */
function beginMachinery(parts: Pick<MachineryParts, 'log' | 'metrics' | 'prefixes' | 'servicePort'>) {
  const opening = openMachinery({ ...parts, settings, onHopeless: givingUp(parts.log) });
  // Until somebody waits for it; where something else fails before, that is what is told.
  opening.catch(() => {});
  let asked = false;
  return {
    opened() {
      asked = true;
      return opening;
    },
    async [Symbol.asyncDispose]() {
      if (!asked) await (await opening.catch(() => undefined))?.[Symbol.asyncDispose]();
    },
  };
}

function metricsOf(sources: Pick<MetricSources, 'work' | 'ready' | 'balances'>): Metrics {
  return openMetrics(new Registry(), {
    ...{ versions, memory: memoryByProcess, replacements: replacementReasons, canaries: canaryOutcomes },
    ...{ ...sources, restarts: restartsSoFar() },
  });
}

/** What operators change: config.json and, by the launcher, this process. */
function operatorParts(port: () => number | undefined) {
  return {
    ...{ inForce, environment: process.env, restart: restarting() },
    tryStart: (wanted: LoadedSettings) =>
      tryStart(wanted, { host: settings.host, port: port() ?? settings.port }),
  };
}

/** All that takes jobs, in the order in which they come. */
function worksOf({ preparations, engine }: Machinery) {
  return [preparations, engine];
}

function ownHttpParts(callers: number) {
  const bodies = openBodyBudget({ memory: roomForBodies(settings['max-upload']), bodies: callers });
  return { bodies, consoleFiles: join(import.meta.dirname, 'renderer') };
}

interface Afterwards {
  readonly desktop: Desktop;
  readonly hotFolders: HotFolders;
  readonly forms: Forms;
  readonly finisher: Machinery['finisher'];
}

/** Threads, the tray and its window may take their time: who waits for the service need not. */
async function tellAddress(url: string, { desktop, hotFolders, forms, finisher }: Afterwards): Promise<void> {
  tellListening(url);
  hotFolders.begin();
  process.stdout.write(`Platen listening on ${url}\n`);
  await Promise.all([finisher.prepare(), forms.prepare()]);
  collectAfterStart();
  await desktop.begin(url);
}

function givingUp(log: ServiceLog): (sentence: string) => void {
  return (sentence) => {
    endForFault(new Error(sentence), log);
  };
}

async function testItself(log: ServiceLog): Promise<void> {
  await app.whenReady();
  const passed = await testAlone({ settings, log, form: selfTestForm() ?? 'table', signal: told.signal });
  if (!passed) process.exitCode = 1;
}

async function convertOrders(log: ServiceLog): Promise<void> {
  await app.whenReady();
  // On macOS a program without windows has no place among those that have.
  app.dock?.hide();
  const [channel, workFolder] = [batchChannel(), await makeWorkFolder()];
  const means = { settings, log, versions, workFolder, stop: told.signal, onHopeless: givingUp(log) };
  if (channel !== undefined) await convertBatch({ ...means, ...channel });
}

/** What this process is started for. */
function wanted(): (log: ServiceLog) => Promise<void> {
  if (selfTestForm() !== undefined) return testItself;
  return batchChannel() === undefined ? boot : convertOrders;
}

function warnAtStart(log: ServiceLog): void {
  warnAboutRuntime(log);
  warnAboutRestart(log);
  warnAboutDemo(log);
}

function reporting(log: ServiceLog): (problem: unknown) => void {
  return (problem) => {
    log.error({ err: problem }, 'the accounts database could not be written; this is tried again');
  };
}

/** Empty, whatever a crash left behind. */
async function makeWorkFolder(): Promise<string> {
  const folder = join(settings.data, 'work');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** The key goes to standard output, not to the log, and nowhere else. */
function tellFirstAccount(first: Accounting['first']): void {
  if (first === undefined) return;
  process.stdout.write(
    `First account, an operator: user ${first.name}, key ${first.key}\n` +
      `The key is shown this once; 'platen account key ${first.name}' makes another.\n`,
  );
}

function warnAboutDemo(log: ServiceLog): void {
  if (!demoIsExposed(settings)) return;
  log.warn(
    'the demo account is on, and everybody who reaches this address knows its key; demo=off ends that',
  );
}

const versions: Versions = {
  platen: app.getVersion(),
  electron: process.versions.electron,
  chromium: process.versions.chrome,
};

async function start(): Promise<void> {
  const log = openServiceLog(settings, process.env.PLATEN_TERMINAL !== undefined);
  logFaults(log);
  logWarnings(log);
  try {
    await wanted()(log);
  } catch (problem) {
    // Standard error is told below; who keeps the log in a file reads of it there.
    log[settings['log-file'] === undefined ? 'debug' : 'fatal']({ err: problem }, 'the start failed');
    throw problem;
  }
}

start().then(
  () => {
    app.exit(Number(process.exitCode ?? 0));
  },
  (problem: unknown) => {
    process.stderr.write(`platen: ${problem instanceof Error ? problem.message : String(problem)}\n`);
    app.exit(1);
  },
);
