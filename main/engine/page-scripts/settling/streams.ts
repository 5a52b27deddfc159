/** Watches streams and bodies of responses that scripts read. Part of the page scripts `settling` and `worker-activity`. */
import type { End } from './computations.ts';
import { replaceMethod, watchPromises } from './replacements.ts';

/** Records that a script waits for a chunk; `isFirst`: for the first one that it reads. */
type BeginChunk = (isFirst: boolean) => End;

/** Calls `beginChunk` when a script begins to wait for a chunk, and its result when the chunk has arrived or the stream has ended. */
export function watchStreams(beginChunk: BeginChunk): void {
  const seen = new WeakSet();
  const begin = (reader: unknown) => {
    // Scripts may call the method on anything.
    const key = Object(reader) as object;
    const isFirst = !seen.has(key);
    seen.add(key);
    return beginChunk(isFirst);
  };
  watchPromises(ReadableStreamDefaultReader.prototype, 'read', begin);
  watchWhenUsed('getReader', 'read', begin);
  watchIteration(begin);
  watchPipes(beginChunk);
}

/** Calls `begin` with the address of a response when a script begins to read its body, which arrives after the headers. */
export function watchBodies(begin: (address: string) => End): void {
  for (const method of ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'])
    watchPromises(Response.prototype, method, (response) => begin((response as Response).url));
}

/** Watches `for await`. */
function watchIteration(begin: (reader: unknown) => End): void {
  const prototype = ReadableStream.prototype as { readonly values?: unknown };
  watchWhenUsed('values', 'next', begin);
  const descriptor = Object.getOwnPropertyDescriptor(prototype, Symbol.asyncIterator);
  if (descriptor !== undefined)
    Object.defineProperty(prototype, Symbol.asyncIterator, { ...descriptor, value: prototype.values });
}

/**
 * Watches `method` of the objects that `getter` of a stream returns: of their prototype, once a script has got such an object. Scripts
 * reach the prototype of iterators only through one of them.
 */
function watchWhenUsed(getter: string, method: string, begin: (reader: unknown) => End): void {
  replaceMethod(ReadableStream.prototype, getter, (native) => {
    return function (this: unknown, ...parameters: unknown[]) {
      const reader = Reflect.apply(native, this, parameters) as object;
      watchPromises(Reflect.getPrototypeOf(reader) ?? reader, method, begin);
      return reader;
    };
  });
}

/**
 * Watches `pipeTo`, which Chromium does without calling any method: inserts a stream that sees the chunks. `pipeThrough` needs no watch,
 * because its result is read in turn.
 */
function watchPipes(begin: BeginChunk): void {
  const { pipeThrough } = ReadableStream.prototype;
  replaceMethod(ReadableStream.prototype, 'pipeTo', (native) => {
    return function (this: unknown, ...parameters: unknown[]) {
      const [destination, options] = parameters as [unknown, StreamPipeOptions | undefined];
      const isUsual =
        this instanceof ReadableStream &&
        !this.locked &&
        destination instanceof WritableStream &&
        !destination.locked &&
        // The inserted stream would be kept instead of the source.
        options?.preventCancel !== true;
      if (!isUsual) return Reflect.apply(native, this, parameters);
      let end = begin(true);
      const transform: Transformer['transform'] = (chunk, controller) => {
        end();
        end = begin(false);
        controller.enqueue(chunk);
      };
      const seen = pipeThrough.call(this, new TransformStream({ transform }));
      const piped = Reflect.apply(native, seen, parameters) as Promise<void>;
      const onEnd = () => {
        end();
      };
      piped.then(onEnd, onEnd);
      return piped;
    };
  });
}
