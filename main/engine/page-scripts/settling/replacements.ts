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

/** Replaces the setter of a property of `owner` by the one that `make` returns. Does nothing if `owner` has no such setter. */
export function replaceSetter(owner: object, property: string, make: (native: AnyMethod) => AnyMethod): void {
  const descriptor = Object.getOwnPropertyDescriptor(owner, property);
  const native = descriptor && (Reflect.get(descriptor, 'set') as AnyMethod | undefined);
  if (native === undefined) return;
  Object.defineProperty(owner, property, { ...descriptor, set: named(`set ${property}`, make(native)) });
}
