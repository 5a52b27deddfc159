/** The service's end of the channel to its launcher: when to stop, that it lives, where it listens, when and why it is started anew. */
import { app } from 'electron';
import type { BatchOrder, BatchReport } from '../launch/batch-messages.ts';
import {
  convertVariable,
  restartedAfterVariable,
  restartsVariable,
  selfTestVariable,
  keptPortVariable,
  type Order,
  type Report,
} from '../launch/messages.ts';
import type { ServiceLog } from '../log/service-log.ts';

export interface Told {
  readonly signal: AbortSignal;
  readonly promise: Promise<void>;
}

/** Told by the launcher, or by a signal to this very process. */
export function whenToldToStop(): Told {
  const told = new AbortController();
  const stop = () => {
    told.abort();
  };
  process.on('message', (message: Order | BatchOrder) => {
    if (message === 'stop') stop();
    // From the main thread, so that it is answered only while that runs.
    else if (message === 'are you well?') report('well');
  });
  // Without its launcher nobody would end this process.
  process.on('disconnect', () => {
    app.exit(1);
  });
  app.on('before-quit', (event) => {
    event.preventDefault();
    stop();
  });
  const promise = new Promise<void>((resolve) => {
    told.signal.addEventListener('abort', () => {
      resolve();
    });
  });
  return { signal: told.signal, promise };
}

/** How to print what the self-test finds; undefined when a service is wanted. */
export function selfTestForm(): 'table' | 'json' | undefined {
  const form = process.env[selfTestVariable] ?? '';
  if (form === '') return undefined;
  return form === 'json' ? 'json' : 'table';
}

/** What a launcher gives to convert, where that is all it wants (`platen convert`). */
export interface BatchChannel {
  /** From now on; orders are given when somebody hears them. */
  readonly hear: (onOrder: (order: BatchOrder) => void) => void;
  readonly tell: (report: BatchReport) => void;
}

/** Undefined when a service is wanted. */
export function batchChannel(): BatchChannel | undefined {
  if ((process.env[convertVariable] ?? '') === '') return undefined;
  return {
    hear(onOrder) {
      process.on('message', (message: Order | BatchOrder) => {
        if (typeof message === 'object') onOrder(message);
      });
      tellListening('');
    },
    tell: report,
  };
}

/** From now on a silence means that the service hangs, and its end that it is to be started anew. */
export function tellListening(url: string): void {
  report({ listening: url });
}

/** How to be started anew, when the jobs under way are done; undefined without a launcher, which would do it. */
export function restarting(): (() => void) | undefined {
  if (!process.connected) return undefined;
  return () => {
    report('restart');
  };
}

/** Callers know the port of the service before this one, also where it had been any free one. */
export function withKeptPort<S extends { readonly port: number }>(settings: S): S {
  const kept = Number(process.env[keptPortVariable] ?? 0);
  return settings.port === 0 ? { ...settings, port: kept } : settings;
}

/** Times the launcher has started the service anew because the one before had not ended in good order. */
export function restartsSoFar(): number {
  return Number(process.env[restartsVariable] ?? 0);
}

export function warnAboutRestart(log: ServiceLog): void {
  const [why, restarts] = [process.env[restartedAfterVariable], restartsSoFar()];
  if (why !== undefined) log.warn({ why, restarts }, 'the service was started anew');
}

/** A launcher that has gone closes the channel, and that ends us. */
function report(what: Report | BatchReport): void {
  if (process.connected) process.send?.(what, undefined, undefined, () => {});
}
