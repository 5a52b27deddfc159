/**
 * Tracks asynchronous work, other than requests, that a page's scripts start in the browser: operations that return promises, reading
 * files, encoding images, and databases. Part of the page script `settling`.
 */
import { watchPlatformPromises } from './platform-promises.ts';
import { replaceMethod, type AnyMethod } from './replacements.ts';

/** Records the end of work. */
export type End = () => void;
/** Records the start of work. Returns the function that records its end. */
export type BeginWork = (kind: 'request' | 'resource' | 'computation', name: string) => End;

const readMethods = ['readAsArrayBuffer', 'readAsBinaryString', 'readAsDataURL', 'readAsText'] as const;

/** Watches the work that the page's scripts start. Call it before the scripts run. */
export function watchComputations(begin: BeginWork): void {
  watchPlatformPromises((name) => begin('computation', name));
  watchFileReader(begin);
  watchToBlob(begin);
  watchDatabases(begin);
}

function watchFileReader(begin: BeginWork): void {
  for (const method of readMethods)
    replaceMethod(FileReader.prototype, method, (native) => {
      return function (this: unknown, ...parameters: unknown[]) {
        Reflect.apply(native, this, parameters);
        (this as FileReader).addEventListener('loadend', begin('computation', method), { once: true });
      };
    });
}

function watchToBlob(begin: BeginWork): void {
  // Workers have no such elements.
  if (!('HTMLCanvasElement' in globalThis)) return;
  replaceMethod(HTMLCanvasElement.prototype, 'toBlob', (native) => {
    return function (this: unknown, callback: unknown, ...parameters: unknown[]) {
      const end = begin('computation', 'toBlob');
      const onBlob = (blob: Blob | null) => {
        end();
        if (typeof callback === 'function') (callback as AnyMethod)(blob);
      };
      try {
        return Reflect.apply(native, this, [onBlob, ...parameters]);
      } catch (problem) {
        end();
        throw problem;
      }
    };
  });
}

function watchDatabases(begin: BeginWork): void {
  const watch = (target: EventTarget, name: string, events: readonly string[]) => {
    const end = begin('computation', name);
    for (const event of events) target.addEventListener(event, end, { once: true });
  };
  for (const method of ['open', 'deleteDatabase'])
    replaceMethod(IDBFactory.prototype, method, (native) => {
      return function (this: unknown, ...parameters: unknown[]) {
        const request = Reflect.apply(native, this, parameters) as IDBOpenDBRequest;
        watch(request, 'a database', ['success', 'error', 'blocked']);
        return request;
      };
    });
  replaceMethod(IDBDatabase.prototype, 'transaction', (native) => {
    return function (this: unknown, ...parameters: unknown[]) {
      const transaction = Reflect.apply(native, this, parameters) as IDBTransaction;
      watch(transaction, 'a transaction', ['complete', 'abort']);
      return transaction;
    };
  });
}
