/** Replaces built-in functions of the browser. Part of the page script `settling`. */

export type AnyMethod = (...parameters: unknown[]) => unknown;

/** Sets the name of a replacement to that of the native function, and returns the replacement. */
export function named<F extends (...parameters: never[]) => unknown>(name: string, replacement: F): F {
  return Object.defineProperty(replacement, 'name', { value: name });
}

/** Replaces a method of `owner` by the one that `make` returns. Does nothing if `owner` has no such method. */
export function replaceMethod(owner: object, method: string, make: (native: AnyMethod) => AnyMethod): void {
  const descriptor = Object.getOwnPropertyDescriptor(owner, method);
  if (typeof descriptor?.value !== 'function') return;
  Object.defineProperty(owner, method, {
    ...descriptor,
    value: named(method, make(descriptor.value as AnyMethod)),
  });
}

/** The methods that `replaceMethodOnce` has replaced, by their owner. */
const replacedMethods = new WeakMap<object, Set<string>>();

/** Replaces a method unless an earlier call has replaced it. */
export function replaceMethodOnce(
  owner: object,
  method: string,
  make: (native: AnyMethod) => AnyMethod,
): void {
  const replaced = replacedMethods.get(owner) ?? new Set();
  replacedMethods.set(owner, replaced);
  if (replaced.has(method)) return;
  replaced.add(method);
  replaceMethod(owner, method, make);
}

/** Calls `begin` whenever a method that returns a promise is called, and its result when the promise has settled. */
export function watchPromises(owner: object, method: string, begin: (receiver: unknown) => () => void): void {
  replaceMethodOnce(owner, method, (native) => {
    return function (this: unknown, ...parameters: unknown[]) {
      const promise = Reflect.apply(native, this, parameters) as Promise<unknown>;
      const end = begin(this);
      promise.then(end, end);
      return promise;
    };
  });
}

/**
 * Calls `onCreated` with each object of the class that scripts create, and with the constructor's parameters. Does nothing if the
 * document has no such class.
 */
export function watchConstructor(
  className: string,
  onCreated: (object: object, parameters: readonly unknown[]) => void,
): void {
  const native = (globalThis as unknown as Record<string, (new () => object) | undefined>)[className];
  if (native === undefined) return;
  const value = new Proxy(native, {
    construct(target, parameters: unknown[], newTarget: new () => object) {
      const object = Reflect.construct(target, parameters, newTarget) as object;
      onCreated(object, parameters);
      return object;
    },
  });
  Object.defineProperty(globalThis, className, { value, writable: true, configurable: true });
}

/** Replaces the setter of a property of `owner` by the one that `make` returns. Does nothing if `owner` has no such setter. */
export function replaceSetter(owner: object, property: string, make: (native: AnyMethod) => AnyMethod): void {
  replaceAccessor({ owner, property, kind: 'set' }, make);
}

/** Replaces the getter of a property of `owner` by the one that `make` returns. Does nothing if `owner` has no such getter. */
export function replaceGetter(owner: object, property: string, make: (native: AnyMethod) => AnyMethod): void {
  replaceAccessor({ owner, property, kind: 'get' }, make);
}

function replaceAccessor(
  {
    owner,
    property,
    kind,
  }: { readonly owner: object; readonly property: string; readonly kind: 'get' | 'set' },
  make: (native: AnyMethod) => AnyMethod,
): void {
  const descriptor = Object.getOwnPropertyDescriptor(owner, property);
  const native = descriptor && (Reflect.get(descriptor, kind) as AnyMethod | undefined);
  if (native === undefined) return;
  Object.defineProperty(owner, property, {
    ...descriptor,
    [kind]: named(`${kind} ${property}`, make(native)),
  });
}
