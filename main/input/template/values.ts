/** What templates compute with: plain data, and the few values that are none. Property access is here and nowhere else. */
import { checkText } from './output.ts';
import { TemplateProblem, type Place } from './problem.ts';

/** A value the data does not hold. It is an error only once somebody needs it. */
export class Missing {
  readonly name: string;
  readonly place: Place;

  constructor(name: string, place: Place) {
    this.name = name;
    this.place = place;
  }
}

/** Text that is HTML already. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type PlainObject = Readonly<Record<string, unknown>>;

/**
 * An own property of plain data, or undefined. Prototypes, functions and the values of our own classes have nothing to
 * find, so `constructor` and its relatives are names like any other.
 */
export function ownProperty(target: unknown, key: unknown): unknown {
  if (typeof key !== 'string' && typeof key !== 'number') return undefined;
  if (typeof target === 'string') return key === 'length' ? target.length : undefined;
  if (!Array.isArray(target) && !isPlainObject(target)) return undefined;
  if (!Object.hasOwn(target, key)) return undefined;
  const value: unknown = (target as PlainObject)[key];
  return typeof value === 'function' ? undefined : value;
}

export function isPlainObject(value: unknown): value is PlainObject {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** A dictionary without a prototype, for names that come from outside. */
export function dictionary(entries: Iterable<readonly [string, unknown]> = []): Record<string, unknown> {
  const made = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of entries) made[key] = value;
  return made;
}

/** Handlebars' and Python's idea of truth, which agree but for the empty object: it is true. */
export function isTrue(value: unknown): boolean {
  if (value instanceof Missing) return false;
  if (value instanceof Markup) return value.text !== '';
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** As printed. Objects have no text: `[object Object]` on an invoice is always a mistake. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return textOfList(value);
  throw new TemplateProblem(`${kindOf(value)} cannot be printed; name one of its values, or use json`);
}

function textOfList(list: readonly unknown[]): string {
  if (list.some((member) => typeof member === 'object' && member !== null)) {
    throw new TemplateProblem('a list of objects or lists cannot be printed; loop over it, or use json');
  }
  const parts = list.map(textOf);
  checkText(parts.reduce((sum, part) => sum + part.length + 1, 0));
  return parts.join(',');
}

/** What a value is, for messages. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'string') return `the text '${value.slice(0, 40)}'`;
  if (value instanceof Markup) return 'a text';
  if (isPlainObject(value)) {
    const keys = Object.keys(value);
    return `an object (${keys.slice(0, 5).join(', ')}${keys.length > 5 ? ', ...' : ''})`;
  }
  return typeof value === 'object' || typeof value === 'function'
    ? 'a macro'
    : `the ${typeof value} ${JSON.stringify(value)}`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
  '`': '&#x60;',
  '=': '&#x3D;',
};

/** Handlebars' set, which is safe in attributes without quotes too. */
export function escapeHtml(text: string): string {
  return /[&<>"'`=]/.test(text) ? text.replace(/[&<>"'`=]/g, (char) => entities[char] ?? char) : text;
}
