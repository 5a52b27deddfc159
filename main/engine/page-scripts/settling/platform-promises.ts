/**
 * Watches the promises that operations of the browser return, such as `decodeAudioData` or `navigator.permissions.query`. The table of
 * the operations is generated from WebIDL. Part of the page script `settling`.
 */
import { platformPromises, type PromiseMembers } from './generated/platform-promises.ts';
import { replaceGetter, replaceMethodOnce, type AnyMethod } from './replacements.ts';

/** The interfaces of global scopes. Their members are properties of the global object or of its prototypes. */
const globalScopes = ['Window', 'WorkerGlobalScope'] as const;
/** The operations whose promise lasts as long as that of a callback, which may be forever. Their work ends when the callback runs. */
const untilCallback: ReadonlySet<string> = new Set(['LockManager.request']);
/** The methods of async iterables that return iterators. Chromium has several functions with the same name. */
const iterations = ['entries', 'keys', 'values', Symbol.asyncIterator] as const;
/** In an array, all objects have the same interface, except in the entries of a directory. */
const maxElements = 2;

/** Records the start of work with the name of its operation. Returns the function that records its end. */
type BeginOperation = (name: string) => () => void;

/** Calls `begin` whenever a script calls an operation of the table, and its result when the promise has settled. */
export function watchPlatformPromises(begin: BeginOperation): void {
  new PlatformPromises(begin).install();
}

/**
 * Replaces the members of most interfaces only when a script gets an object: creating the classes of all interfaces takes two
 * milliseconds in every document.
 */
class PlatformPromises {
  readonly #begin: BeginOperation;
  readonly #seen = new WeakSet();

  constructor(begin: BeginOperation) {
    this.#begin = begin;
  }

  install(): void {
    for (const scope of globalScopes) if (scope in globalThis) this.#watchGlobalScope(scope);
    for (const [name, members] of Object.entries(platformPromises)) {
      const owner = members.isRoot === true ? valueOf(name) : undefined;
      if (owner === undefined || globalScopes.some((scope) => scope === name)) continue;
      const prototype = (owner as { readonly prototype?: object }).prototype;
      this.#watchMethods(owner, name, members.statics);
      this.#watchMembers(prototype ?? owner, name, members);
    }
  }

  #watchGlobalScope(scope: string): void {
    const members = platformPromises[scope] ?? {};
    for (
      let owner: object | null = globalThis;
      owner !== null && owner !== Object.prototype;
      owner = Reflect.getPrototypeOf(owner)
    )
      this.#watchMembers(owner, scope, members);
  }

  /** Watches the interfaces of an object, or of the objects in an array. */
  #watchObject(value: unknown): void {
    if (typeof value !== 'object' || value === null || this.#seen.has(value)) return;
    this.#seen.add(value);
    if (Array.isArray(value)) {
      for (const element of (value as unknown[]).slice(0, maxElements)) this.#watchObject(element);
      return;
    }
    let prototype = Reflect.getPrototypeOf(value);
    while (prototype !== null && !this.#seen.has(prototype)) {
      this.#seen.add(prototype);
      const name: unknown = Object.getOwnPropertyDescriptor(prototype, Symbol.toStringTag)?.value;
      const members =
        typeof name === 'string' && Object.hasOwn(platformPromises, name)
          ? platformPromises[name]
          : undefined;
      if (members !== undefined) this.#watchMembers(prototype, String(name), members);
      prototype = Reflect.getPrototypeOf(prototype);
    }
  }

  #watchMembers(owner: object, name: string, members: PromiseMembers): void {
    this.#watchMethods(owner, name, members.methods);
    for (const attribute of split(members.attributes))
      replaceGetter(owner, attribute, (native) => this.#watched(native, `${name}.${attribute}`));
    for (const lead of split(members.leads)) this.#watchLead(owner, lead);
    if (members.isAsyncIterable === true)
      for (const iteration of iterations) this.#watchIteration(owner, iteration, name);
  }

  #watchMethods(owner: object, name: string, methods: string | undefined): void {
    for (const method of split(methods))
      replaceMethodOnce(owner, method, (native) => this.#watched(native, `${name}.${method}`));
  }

  /** Returns a function that calls a native one, and counts the promise that this returns as work. */
  #watched(native: AnyMethod, name: string): AnyMethod {
    const begin = () => this.#begin(name);
    const onValue = (value: unknown) => {
      this.#watchObject(value);
    };
    const endsWithCallback = untilCallback.has(name);
    return function (this: unknown, ...parameters: unknown[]) {
      const end = begin();
      const passed = endsWithCallback ? withEnd(parameters, end) : parameters;
      try {
        const promise = Reflect.apply(native, this, passed) as Promise<unknown> | undefined;
        if (promise instanceof Promise)
          promise.then((value: unknown) => {
            onValue(value);
            end();
          }, end);
        else end();
        return promise;
      } catch (problem) {
        end();
        throw problem;
      }
    };
  }

  /** Watches the objects that an attribute or an operation returns. */
  #watchLead(owner: object, lead: string): void {
    const watchObject = (value: unknown) => {
      this.#watchObject(value);
    };
    const watched = (native: AnyMethod) =>
      function (this: unknown, ...parameters: unknown[]) {
        const value = Reflect.apply(native, this, parameters);
        watchObject(value);
        return value;
      };
    if (typeof Object.getOwnPropertyDescriptor(owner, lead)?.value === 'function')
      replaceMethodOnce(owner, lead, watched);
    else replaceGetter(owner, lead, watched);
  }

  /** Watches `for await`. */
  #watchIteration(owner: object, iteration: string | symbol, name: string): void {
    const descriptor = Object.getOwnPropertyDescriptor(owner, iteration);
    if (typeof descriptor?.value !== 'function') return;
    const native = descriptor.value as AnyMethod;
    const watchNext = (iterator: object) => {
      replaceMethodOnce(Reflect.getPrototypeOf(iterator) ?? iterator, 'next', (next) =>
        this.#watched(next, `${name}.next`),
      );
    };
    const value = function (this: unknown, ...parameters: unknown[]) {
      const iterator = Reflect.apply(native, this, parameters) as object;
      watchNext(iterator);
      return iterator;
    };
    Object.defineProperty(value, 'name', { value: native.name });
    Object.defineProperty(owner, iteration, { ...descriptor, value });
  }
}

function split(list: string | undefined): readonly string[] {
  return list === undefined ? [] : list.split(' ');
}

/** Returns the parameters with a last function that first calls `end`. */
function withEnd(parameters: readonly unknown[], end: () => void): unknown[] {
  const callback = parameters.at(-1);
  if (typeof callback !== 'function') return [...parameters];
  const watched = (...values: unknown[]) => {
    end();
    return (callback as AnyMethod)(...values);
  };
  return [...parameters.slice(0, -1), watched];
}

/** Returns a property of the global object if it is an object. */
function valueOf(name: string): object | undefined {
  if (!(name in globalThis)) return undefined;
  const value = (globalThis as unknown as Record<string, unknown>)[name];
  return typeof value === 'function' || (typeof value === 'object' && value !== null) ? value : undefined;
}
