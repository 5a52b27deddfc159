/**
 * Tracks asynchronous work, other than requests, that a page's scripts start in the browser: decoding images, reading files,
 * cryptography, WebAssembly, and databases. Part of the page script `settling`.
 */
import { replaceMethod, watchPromises, type AnyMethod } from './replacements.ts';

/** Records the end of work. */
export type End = () => void;
/** Records the start of work. Returns the function that records its end. */
export type BeginWork = (kind: 'request' | 'resource' | 'computation', name: string) => End;

/** Methods that return a promise, by the object that has them. */
const promiseMethods: readonly (readonly [owner: () => object | undefined, methods: readonly string[]])[] = [
  [() => globalThis, ['createImageBitmap']],
  [() => globalThis.Blob.prototype, ['arrayBuffer', 'text']],
  [() => globalThis.HTMLImageElement.prototype, ['decode']],
  [() => globalThis.OffscreenCanvas.prototype, ['convertToBlob']],
  [
    () => globalThis.SubtleCrypto.prototype,
    [
      'decrypt',
      'deriveBits',
      'deriveKey',
      'digest',
      'encrypt',
      'exportKey',
      'generateKey',
      'importKey',
      'sign',
      'unwrapKey',
      'verify',
      'wrapKey',
    ],
  ],
  [() => WebAssembly, ['compile', 'compileStreaming', 'instantiate', 'instantiateStreaming']],
  [() => globalThis.CacheStorage.prototype, ['delete', 'has', 'keys', 'match', 'open']],
  [() => globalThis.Cache.prototype, ['add', 'addAll', 'delete', 'keys', 'match', 'matchAll', 'put']],
];

const readMethods = ['readAsArrayBuffer', 'readAsBinaryString', 'readAsDataURL', 'readAsText'] as const;

/** Watches the work that the page's scripts start. Call it before the scripts run. */
export function watchComputations(begin: BeginWork): void {
  for (const [ownerOf, methods] of promiseMethods) {
    const owner = existing(ownerOf);
    if (owner === undefined) continue;
    for (const method of methods) watchPromises(owner, method, () => begin('computation', method));
  }
  watchFileReader(begin);
  watchToBlob(begin);
  watchDatabases(begin);
}

/** Returns the owner, or undefined if it does not exist, because insecure contexts lack some of these interfaces. */
function existing(ownerOf: () => object | undefined): object | undefined {
  try {
    return ownerOf();
  } catch {
    return undefined;
  }
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
