/** The service's end of the channel to its launcher: when to stop, that it lives, where it listens, why it was started anew. */
import { app } from 'electron';
import {
  restartedAfterVariable,
  restartsVariable,
  selfTestVariable,
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
  process.on('message', (message: Order) => {
    if (message === 'stop') stop();
    // From the main thread, so that it is answered only while that runs.
    else report('well');
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

/** From now on a silence means that the service hangs, and its end that it is to be started anew. */
export function tellListening(url: string): void {
  report({ listening: url });
}

/** Times the launcher has started the service anew. */
export function restartsSoFar(): number {
  return Number(process.env[restartsVariable] ?? 0);
}

export function warnAboutRestart(log: ServiceLog): void {
  const restarts = restartsSoFar();
  if (restarts > 0)
    log.warn({ why: process.env[restartedAfterVariable], restarts }, 'the service was started anew');
}

/** A launcher that has gone closes the channel, and that ends us. */
function report(what: Report): void {
  if (process.connected) process.send?.(what, undefined, undefined, () => {});
}
