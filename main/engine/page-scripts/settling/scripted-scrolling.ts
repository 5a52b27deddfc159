/** Watches what scripts scroll. Part of the page script `settling`. */
import { replaceMethod, replaceSetter, type AnyMethod } from './replacements.ts';

type OnChanged = (target: object) => void;

const scrollMethods = ['scroll', 'scrollTo', 'scrollBy'] as const;

/**
 * Calls `onChanged` with each element or window that a script has scrolled, and makes scrolling by scripts instant, because smooth
 * scrolling takes real time. Call it before the page's scripts run.
 */
export function watchScrolling(onChanged: OnChanged): void {
  const scrollElement = Object.getOwnPropertyDescriptor(Element.prototype, 'scrollTo')?.value as AnyMethod;
  const sides = { scrollLeft: 'left', scrollTop: 'top' } as const;
  for (const [property, side] of Object.entries(sides))
    replaceSetter(Element.prototype, property, () =>
      withComparison(
        positionOf,
        function (this: unknown, value: unknown) {
          Reflect.apply(scrollElement, this, [{ [side]: Number(value), ...instantly }]);
        },
        onChanged,
      ),
    );
  for (const owner of [Element.prototype, globalThis])
    for (const method of scrollMethods)
      replaceMethod(owner, method, (native) =>
        withComparison(
          positionOf,
          function (this: unknown, ...parameters: unknown[]) {
            return Reflect.apply(native, this, instantTarget(parameters));
          },
          onChanged,
        ),
      );
  replaceMethod(Element.prototype, 'scrollIntoView', (native) =>
    withComparison(
      placeOf,
      function (this: unknown, how: unknown) {
        return Reflect.apply(native, this, [instantView(how)]);
      },
      onChanged,
    ),
  );
}

const instantly = { behavior: 'instant' } as const;

/** Returns the parameters of a scroll method with `behavior: 'instant'`. */
function instantTarget(parameters: readonly unknown[]): readonly unknown[] {
  const [first, top] = parameters;
  if (parameters.length > 1) return [{ left: Number(first), top: Number(top), ...instantly }];
  return isDictionary(first) ? [{ ...first, ...instantly }] : parameters;
}

/** Returns the parameter of `scrollIntoView` with `behavior: 'instant'`. A boolean selects the edge (CSSOM View, 6.1). */
function instantView(how: unknown): object {
  if (isDictionary(how)) return { ...how, ...instantly };
  return { block: how === false ? 'end' : 'start', inline: 'nearest', ...instantly };
}

function isDictionary(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function positionOf(target: object): string {
  const element = target instanceof Element ? target : (document.documentElement as Element | null);
  return `${String(element?.scrollLeft)} ${String(element?.scrollTop)}`;
}

function placeOf(target: object): string {
  if (!(target instanceof Element)) return '';
  const { left, top } = target.getBoundingClientRect();
  return `${left} ${top}`;
}

/** Returns a method that calls `work`, and `onChanged` if the result of `read` is then different. */
function withComparison(read: (target: object) => unknown, work: AnyMethod, onChanged: OnChanged): AnyMethod {
  return function (this: unknown, ...parameters: unknown[]) {
    const target = this ?? globalThis;
    const before = read(target);
    const result = Reflect.apply(work, this, parameters);
    if (read(target) !== before) onChanged(target);
    return result;
  };
}
