/** The service mode. Builds the parts of the service in order, listens, and closes the parts in reverse order on a stop request. */
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { nodeNameOf, openAccounting, type AccountingLog } from '../accounts/accounting.ts';
import type { FirstAccount } from '../accounts/ensure.ts';
import { AsynchronousJobs } from '../asynchronous-jobs/asynchronous-jobs.ts';
import { openDesktop } from '../app/desktop.ts';
import { FirstKeyFile } from '../app/first-key.ts';
import {
  isOutputUnseen,
  announceListening,
  isolate,
  restartFunction,
  restartsSoFar,
  warnAboutRestart,
} from '../app/process/launcher.ts';
import { memoryByProcess } from '../app/process/memory.ts';
import { warnAboutRuntime } from '../app/process/lifecycle.ts';
import { openConsole } from '../console/open-console.ts';
import { watchClosingLogs } from '../conversion/job-log.ts';
import { openPause } from '../conversion/admission.ts';
import { Converter, type ConverterOptions } from '../converter/converter.ts';
import { canaryOutcomes } from '../engine/health/health-monitor.ts';
import { collectGarbage } from '../engine/window/electron-adapter.ts';
import { replacementReasons } from '../engine/window/replacement.ts';
import { HotFolders } from '../hot-folder/hot-folders.ts';
import { createHttpServer } from '../http/server.ts';
import { openConnections } from '../http/server/connections.ts';
import { connectionLimit, listen } from '../http/server/listen.ts';
import { openWritableCheck } from '../http/server/writable.ts';
import { watchFreeBytes } from '../files/free-bytes.ts';
import { openBodyBudget, bodyMemoryBytes } from '../http/upload/body-budget.ts';
import { openForms } from '../http/upload/forms.ts';
import { KeptInputs } from '../kept-inputs/kept-inputs.ts';
import { openDebugLogs } from '../log/debug-logs.ts';
import { openConsoleOutputRecords } from '../accounts/store/cluster/console-output-records.ts';
import { openDebugLogRecords } from '../accounts/store/cluster/debug-log-records.ts';
import type { ServiceLog } from '../log/service-log.ts';
import { openMetrics } from '../metrics/metrics.ts';
import { openCertificate } from '../preflight/certificate.ts';
import { tryStart } from '../preflight/take-address.ts';
import { openSelfTest } from '../self-test/self-test.ts';
import { debugLogsFolder } from '../settings/data-folder.ts';
import { isDemoExposed } from '../settings/exposure.ts';
import { callbackNetwork } from '../webhook/callback-network.ts';
import { CallbackSender } from '../webhook/callback-sender.ts';
import {
  endWhenUnrecoverable,
  keepingInputs,
  makeWorkFolder,
  markupPrefixes,
  type Runtime,
} from './runtime.ts';

/** Runs the service. Resolves after a stop request, when all parts of the service are closed. */
export async function serve(runtime: Runtime): Promise<void> {
  const { settings, log, versions, stopRequest } = runtime;
  /** Empty before the service listens. */
  const address: { port?: number; url?: string } = {};
  const servicePort = () => address.port;
  const prefixes = markupPrefixes(runtime);
  const metrics = openMetrics(registryOf(settings), {
    versions,
    memory: memoryByProcess,
    replacements: replacementReasons,
    canaries: canaryOutcomes,
    restarts: restartsSoFar(),
    work: () => converter.work(),
    ready: async () => (await unreadiness()) === undefined,
    balances: () => accounting.balances(),
    databaseProblem: () => accounting.store.problem(),
  });

  // Windows open in separate processes, while the other parts are built here.
  await using opening = openInBackground({
    settings,
    log,
    metrics,
    prefixes,
    servicePort,
    onUnrecoverable: endWhenUnrecoverable(runtime),
  });
  warnAboutRuntime(log);
  warnAboutRestart(log);
  warnAboutDemo(runtime);
  const workFolder = await makeWorkFolder(runtime);
  const writeProblem = openWritableCheck(workFolder);
  const pause = openPause();
  await using debugLogs = await openDebugLogs(
    debugLogsFolder(settings.data),
    settings['debug-log-keep'],
    settings['logs-per-account'],
  );
  await using accounting = await openAccounting({
    settings,
    version: versions.platen,
    removeLogs: (ids) => debugLogs.remove(ids),
    log: accountingLog(log),
  });
  if (accounting.firstAccount !== undefined) handOverKey(accounting.firstAccount, runtime);
  if (accounting.store.isShared) debugLogs.useArchive(openDebugLogRecords(accounting.store));
  await using converter = await opening.opened();
  const unreadiness = async () => {
    if (stopRequest.signal.aborted) return 'shutting down';
    if (accounting.node.isDraining) return 'drained by an operator';
    const problem = pause.reason() ?? converter.unreadiness() ?? accounting.jobs.problem();
    return problem ?? (await writeProblem());
  };
  accounting.node.reportState(() => ({
    running: accounting.jobs.running(),
    problem: stopRequest.signal.aborted ? 'shutting down' : (pause.reason() ?? converter.unreadiness()),
  }));
  const maxConnections = connectionLimit(settings.connections);
  await using forms = openForms(maxConnections);
  const endJobs = new AbortController();
  const keptInputs = await KeptInputs.open(settings);

  const serviceDependencies = {
    settings,
    versions,
    log,
    metrics,
    ...converter.conversionDependencies,
    accounts: accounting.accounts,
    jobs: accounting.jobs,
    debugLogs,
    closingLogs: watchClosingLogs(),
    keepInput: keepingInputs(keptInputs, log),
    workFolder,
    pause,
    shutdown: endJobs.signal,
    isStopping: () => stopRequest.signal.aborted,
    unreadiness,
  };
  const callbackAccess = callbackNetwork(settings, servicePort);
  await using callbackSender = new CallbackSender({
    database: accounting.store.database,
    keyring: accounting.keyring,
    network: callbackAccess,
    version: versions.platen,
    log,
  });
  // Closed after the server has waited for the running jobs.
  await using asynchronousJobs = new AsynchronousJobs({
    ...serviceDependencies,
    store: accounting.store,
    keyring: accounting.keyring,
    node: accounting.node,
    callbackNetwork: callbackAccess,
    isolate: (job, signal) => isolate({ ...job, servicePort: servicePort() }, signal),
    onJobEnded() {
      callbackSender.wake();
    },
    mayBegin: () =>
      !accounting.node.isDraining &&
      (pause.reason() ?? converter.unreadiness() ?? accounting.jobs.problem()) === undefined,
  });
  const selfTest = openSelfTest({
    ...serviceDependencies,
    stopSignal: stopRequest.signal,
    servicePort,
    testDatabase: accounting.testDatabase,
  });
  await using hotFolders = new HotFolders({
    ...serviceDependencies,
    stopSignal: stopRequest.signal,
    account: accounting.ensureHotFolders,
    takeLease: (path) => accounting.node.takeLease(`hot folder ${path}`),
  });
  const console = openConsole({
    ...serviceDependencies,
    ...(accounting.store.isShared && {
      outputArchive: openConsoleOutputRecords(accounting.store.database),
    }),
    store: accounting.store,
    node: accounting.node,
    asynchronousJobs,
    selfTest,
    hotFolders: () => hotFolders.states,
    url: () => address.url,
    activeSettings: runtime.writtenSettings,
    environment: process.env,
    restart: restartFunction(),
    tryStart: (candidate) =>
      tryStart(candidate, { host: settings.host, port: address.port ?? settings.port }),
  });
  const server = createHttpServer({
    ...serviceDependencies,
    asynchronousJobs,
    certificate: await openCertificate(settings),
    prefixes,
    forms,
    connections: openConnections({ settings, maxConnections, log }),
    bodyBudget: openBodyBudget({
      maxBytes: bodyMemoryBytes(settings),
      freeDiskBytes: watchFreeBytes(serviceDependencies.workFolder),
    }),
    consoleFiles: join(import.meta.dirname, 'renderer'),
    console,
    selfTest,
  });
  await using desktop = openDesktop({ settings, log, console, account: accounting.ensureTray });
  await using listening = await listen({
    server,
    settings,
    // In the order in which a job passes through the queues.
    queues: [converter.inputQueue, converter.engine, asynchronousJobs.suspects],
    jobsController: endJobs,
    sessionEnd: stopRequest.sessionEnd,
  });
  address.port = listening.port;
  address.url = listening.url;
  using _url = announceListening(listening.url, settings.data);
  hotFolders.begin();
  asynchronousJobs.begin();
  callbackSender.begin();
  process.stdout.write(`Platen listening on ${listening.url}\n`);
  // The service already accepts requests while its threads, the tray and the console window start.
  await Promise.all([converter.finisher.prepare(), forms.prepare()]);
  collectAfterStart(log);
  await desktop.begin(listening.url);
  await stopRequest.promise;
  log.info('stopping: no new jobs are accepted, running jobs may finish');
}

/**
 * Opens the converter in the background. If the result is disposed before `opened` is called, the converter is closed, because
 * Electron crashes if it ends while a window opens.
 */
function openInBackground(options: ConverterOptions) {
  const opening = Converter.open(options);
  // A failure is reported by `opened`, unless the start has already failed for another reason.
  opening.catch(() => {});
  let hasOwner = false;
  return {
    opened() {
      hasOwner = true;
      return opening;
    },
    async [Symbol.asyncDispose]() {
      if (!hasOwner) await (await opening.catch(() => undefined))?.[Symbol.asyncDispose]();
    },
  };
}

/** Returns a registry whose series have the name of the node, if there may be several. */
function registryOf(settings: Runtime['settings']): Registry {
  const registry = new Registry();
  if (settings.database !== undefined || settings['node-name'] !== undefined)
    registry.setDefaultLabels({ node: nodeNameOf(settings) });
  return registry;
}

function accountingLog(log: ServiceLog): AccountingLog {
  return {
    writeFailed(problem) {
      log.error({ err: problem }, 'cannot write to the accounts database; the service retries this');
    },
    keyLost(path) {
      log.warn(
        { path },
        'the key file is missing, so a new key was created: waiting asynchronous jobs fail, kept outputs are lost, and webhook secrets must be created again',
      );
    },
    availability(problem) {
      if (problem === undefined) log.info('the database can be reached again');
      else log.error({ problem }, 'cannot reach the database; new jobs are refused until it answers');
    },
    nodesReleased(names) {
      log.warn({ nodes: names }, 'nodes have not answered for 20 s; their jobs were given back');
    },
    nodeLost() {
      log.warn('this node did not reach the database for 20 s; other nodes have given back its jobs');
    },
  };
}

/**
 * Prints the key of the first account to standard output, or, if no one sees it, writes the key to a file for the console window.
 * The key is shown nowhere else.
 */
function handOverKey(account: FirstAccount, { settings, log }: Runtime): void {
  if (isOutputUnseen()) {
    new FirstKeyFile(settings.data).save(account);
    log.info({ account: account.name }, 'created the first account; the console window shows its key');
    return;
  }
  process.stdout.write(
    `First account, an operator: user ${account.name}, key ${account.key}\n` +
      `The key is shown only once; 'platen account key ${account.name}' creates another.\n`,
  );
}

function warnAboutDemo({ settings, log }: Runtime): void {
  if (!isDemoExposed(settings)) return;
  log.warn(
    'the demo account is on and its key is public: anyone who can reach this address can use it; demo=off disables it',
  );
}

/** Late enough that the code cache for the next start has been written (launch/code-cache.ts). */
const collectDelayMs = 3000;

/**
 * Runs V8's garbage collector once after the start. This frees about 15 MB in about 40 ms; V8 itself would not collect before the
 * first jobs. The service works without it.
 */
function collectAfterStart(log: ServiceLog): void {
  setTimeout(() => {
    try {
      collectGarbage();
    } catch (problem) {
      log.warn({ err: problem }, 'the garbage collector could not be run after the start');
    }
  }, collectDelayMs).unref();
}
