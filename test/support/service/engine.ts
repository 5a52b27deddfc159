/** Starts the engine inside Electron, for tests that use it without HTTP. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { consoleScheme } from '../../../main/app/console-window/console-scheme.ts';
import { prepareChromium } from '../../../main/app/process/lifecycle.ts';
import { Engine, type EngineOptions } from '../../../main/engine/engine.ts';
import { defaults } from '../../../main/job/read-fields.ts';
import type { Job } from '../../../main/job/job.ts';
import type { Options } from '../../../main/job/options.ts';
import type { Source } from '../../../main/input/source.ts';
import { DebugLog } from '../../../main/log/debug-log.ts';
import { defaultLimits } from '../../../main/input/archive/limits.ts';
import { prepareSource } from '../../../main/input/prepare-source.ts';
import { loadPage } from '../../../main/engine/loading/load-page.ts';
import { produce } from '../../../main/output/produce.ts';
import { openFinisher } from '../../../main/output/finish/finisher.ts';
import { registerSchemes } from '../../../main/engine/requests/job-document.ts';
import type { Output } from '../../../main/output/output.ts';
import type { Signer } from '../../../main/output/output.ts';

prepareChromium(mkdtempSync(join(tmpdir(), 'platen-engine-')), { webgl: true });
registerSchemes(consoleScheme);

/** Resolves with an engine that has already opened its spare window, so that its number of windows is fixed. */
export async function startEngine(options: Partial<EngineOptions> = {}): Promise<Engine> {
  const engine = await Engine.open({
    workers: 2,
    queue: 8,
    queueTimeoutMs: 30_000,
    jobTimeoutMs: 20_000,
    settleLimitMs: 5000,
    windowJobs: 500,
    pageMemoryBytes: 4e9,
    memoryReserveBytes: 0,
    prefixes: ['service'],
    network: { rules: { policy: 'intranet', allow: [], deny: [] } },
    log: pino({ level: 'silent' }),
    ...options,
  });
  while (engine.state.windows.dynamic.idle === 0) await pause(5);
  return engine;
}

export function newRun(html: string, options: Partial<Options> = {}, signal = new AbortController().signal) {
  const job: Job = {
    id: 'test',
    account: 'test',
    notes: [],
    rawValues: new Map(),
    givenOptions: new Set(Object.keys(options) as (keyof Options)[]),
    input: { kind: 'text', html },
    options: { ...(defaults as Options), ...options },
  };
  return { job, log: new DebugLog(), signal, folder: { path: tmpdir } };
}

/** Converts HTML with the engine, without HTTP, accounts and a workspace folder. */
export async function convertInside(
  engine: Engine,
  html: string,
  options: Partial<Options> = {},
): Promise<Output> {
  const run = newRun(html, options);
  const source: Source = await prepareSource(run, defaultLimits);
  await using finisher = openFinisher(1);
  return await engine.withWindow(run, source, async (window, limited) =>
    produce(await loadPage(window, source, limited), limited, {
      finisher,
      maxOutputBytes: 1e9,
      signer: noSigner,
    }),
  );
}

/** No account has a signing certificate. */
export const noSigner: Signer = { prepare: () => Promise.reject(new Error('There is no certificate.')) };
