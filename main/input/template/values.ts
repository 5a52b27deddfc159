/** The values of templates: plain data, MissingValue and SafeMarkup. Templates access properties only through this file. */
import { checkText } from './output.ts';
import { TemplateProblem, type SourcePosition } from './problem.ts';

/** Represents a name without a value in the data. A template may test for a missing value; using it is an error. */
export class MissingValue {
  readonly name: string;
  readonly position: SourcePosition;

  constructor(name: string, position: SourcePosition) {
    // Messages and notes contain it.
    this.name = name.slice(0, maxNameLength);
    this.position = position;
  }
}

const maxNameLength = 200;

/** Text that is already HTML and is therefore not escaped. */
export class SafeMarkup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A number of the data that JavaScript would print differently, such as `1.10`. Templates print its text. */
export class WrittenNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The elements of XML data that have attributes or child elements. */
const elements = new WeakSet();

/** Marks an object as an element of XML data. XML does not distinguish a list of one from a single element, so lists accept both. */
export function markElement(value: PlainObject): void {
  elements.add(value);
}

/** Returns a list with the element of XML data as its only member; undefined for any other value. */
export function listOfElement(value: unknown): readonly unknown[] | undefined {
  return typeof value === 'object' && value !== null && elements.has(value) ? [value] : undefined;
}

/** Like listOfElement. In XML data (`isXml`), a text is a list of one, too, because elements with text alone are strings. */
export function listOfOne(value: unknown, isXml: boolean): readonly unknown[] | undefined {
  return isXml && typeof value === 'string' ? [value] : listOfElement(value);
}

export type PlainObject = Readonly<Record<string, unknown>>;

/**
 * Returns an own property of a list or a plain object, the length of a string, or undefined. Ignores prototypes, functions and
 * instances of classes, so that `constructor` and similar names are ordinary names.
 */
export function ownProperty(target: unknown, key: unknown): unknown {
  if (typeof key !== 'string' && typeof key !== 'number') return undefined;
  if (typeof target === 'string') return key === 'length' ? target.length : undefined;
  if (!Array.isArray(target) && !isPlainObject(target)) return undefined;
  if (!Object.hasOwn(target, key)) {
    const list = listOfElement(target);
    return list === undefined ? undefined : ownProperty(list, key);
  }
  const value: unknown = (target as PlainObject)[key];
  return typeof value === 'function' ? undefined : value;
}

export function isPlainObject(value: unknown): value is PlainObject {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** Creates an object without a prototype, because the keys come from the data and may be `__proto__`. */
export function dictionary(entries: Iterable<readonly [string, unknown]> = []): Record<string, unknown> {
  const object = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of entries) object[key] = value;
  return object;
}

/** Returns whether a value is truthy in Handlebars. Python differs only for the empty object, which is truthy here. */
export function isTruthy(value: unknown): boolean {
  if (value instanceof MissingValue) return false;
  if (value instanceof SafeMarkup) return value.text !== '';
  if (value instanceof WrittenNumber) return Number(value.text) !== 0;
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** Returns the text of a value. @throws TemplateProblem for objects: `[object Object]` on an invoice is always a mistake. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  if (value instanceof SafeMarkup || value instanceof WrittenNumber) return value.text;
  if (Array.isArray(value)) return textOfList(value);
  throw new TemplateProblem(`${kindOf(value)} cannot be printed; name one of its values, or use json`);
}

function textOfList(list: readonly unknown[]): string {
  if (
    list.some((member) => typeof member === 'object' && member !== null && !(member instanceof WrittenNumber))
  ) {
    throw new TemplateProblem('a list of objects or lists cannot be printed; loop over it, or use json');
  }
  const parts = list.map(textOf);
  checkText(parts.reduce((sum, part) => sum + part.length + 1, 0));
  return parts.join(',');
}

/** Describes a value for messages. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'string') return `the string '${value.slice(0, 40)}'`;
  if (value instanceof SafeMarkup) return 'a string';
  if (value instanceof WrittenNumber) return `the number ${value.text.slice(0, 40)}`;
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

/** Escapes the same characters as Handlebars, so that the text is safe in unquoted attributes too. */
export function escapeHtml(text: string): string {
  return /[&<>"'`=]/.test(text) ? text.replace(/[&<>"'`=]/g, (char) => entities[char] ?? char) : text;
}
