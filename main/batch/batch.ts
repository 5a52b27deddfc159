/**
 * Conversions without a service: what the launcher of `platen convert` orders is converted as the API does it, and told. It knows
 * no account and no HTTP, and listens nowhere.
 */
import { watchClosingLogs } from '../conversion/closing-logs.ts';
import type { ConversionParts } from '../conversion/convert-form.ts';
import { openDebugLogs } from '../log/debug-logs.ts';
import type { Versions } from '../log/events.ts';
import type { ServiceLog } from '../log/service-log.ts';
import type { BatchOrder, BatchReport } from '../launch/batch-messages.ts';
import { openMachinery } from '../machinery.ts';
import { debugLogsFolder } from '../settings/data-folder.ts';
import type { LoadedSettings } from '../settings/load.ts';
import { carryOut } from './carry-out.ts';
import { freeEntry } from './free-entry.ts';

export interface BatchMeans {
  readonly settings: LoadedSettings;
  readonly log: ServiceLog;
  readonly versions: Versions;
  /** Empty. */
  readonly workFolder: string;
  /** Ends what is under way, and the batch. */
  readonly stop: AbortSignal;
  readonly onHopeless: (sentence: string) => void;
  readonly hear: (onOrder: (order: BatchOrder) => void) => void;
  readonly tell: (report: BatchReport) => void;
}

/** Resolves when it has been stopped, and all is closed. */
export async function convertBatch(means: BatchMeans): Promise<void> {
  const { log, versions, workFolder, stop } = means;
  const settings = patient(means.settings);
  using debugLogs = await openDebugLogs(debugLogsFolder(settings.data), settings['debug-log-keep']);
  await using machinery = await openMachinery({
    ...{ settings, log, onHopeless: means.onHopeless, servicePort: () => undefined },
    prefixes: ['service', ...(settings.alias === undefined ? [] : [settings.alias])],
    metrics: { waited() {}, replaced() {}, canary() {} },
  });
  const parts: ConversionParts = {
    ...{ ...machinery, settings, versions, debugLogs, log, workFolder, shutdown: stop },
    ...{ closingLogs: watchClosingLogs(), jobs: { begin: () => Promise.resolve(freeEntry()) } },
  };
  const underWay = new Set<Promise<void>>();
  means.hear((order) => {
    const work = carryOut(order, { ...parts, read: debugLogs.read, tell: means.tell });
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  });
  await stopped(stop);
  await Promise.all(underWay);
}

/** Milliseconds. Nobody holds a line while his document waits for a machine that is short of memory. */
const patience = 600_000;

function patient(settings: LoadedSettings): LoadedSettings {
  return { ...settings, 'queue-timeout': Math.max(patience, settings['queue-timeout']) };
}

function stopped(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve();
    else
      stop.addEventListener('abort', () => {
        resolve();
      });
  });
}
