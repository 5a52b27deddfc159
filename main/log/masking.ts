/** Masks credentials, such as user names and passwords (RFC 3986, 3.2.1), in addresses and other strings before they are logged. */

export const mask = '***';

const userInfoOfUrl = /^(\s*[a-z][a-z\d+.-]*:\/\/)([^/?#]*)@/i;

/** Matches the user info in HOST:PORT, such as the address of a proxy. A slash would belong to a path. */
const userInfoOfHost = /^(\s*)([^/?#\s@:]*:[^/?#\s]*)@/;

/** Removes the user info from a URL, and masks the user info in HOST:PORT. The whole value must be such an address. */
export function withoutUserInfo(value: string): string {
  return value.replace(userInfoOfUrl, '$1').replace(userInfoOfHost, `$1${mask}@`);
}

/** Returns the `user:password` that `withoutUserInfo` removes or masks; empty if there is none. */
export function userInfoOf(value: string): string {
  return (userInfoOfUrl.exec(value) ?? userInfoOfHost.exec(value))?.[2] ?? '';
}

/** Replaces the user info in all URLs inside a string. A quotation mark ends a URL. */
export function withoutUserInfoInText(text: string, replacement = ''): string {
  return text.replace(/\b([a-z][a-z\d+.-]{0,20}:\/\/)[^\s/?#'"]*@/gi, `$1${replacement}`);
}

/** Endings of the names of query fields that usually contain a secret. `secretNames` are complete names. */
const secretNameEndings =
  'passw(?:or)?d|passcode|passphrase|pwd|secret|token|signature|credential|api[-_]?key|access[-_]?key(?:[-_]?id)?|auth(?:key)?|sess(?:ion)?[-_]?id';
const secretNames = 'pass|sig|key|jwt|sid|session|hmac|ticket|bearer|otp';

/** Matches secret fields in a query, in a path (`;jsessionid=`) and in a fragment, which may contain OAuth 2 tokens. */
// eslint-disable-next-line platen/linear-pattern -- A name has none of the characters that begin a match, so each character is scanned once; its endings have no loops.
const secretField = new RegExp(
  `([?&;#](?:[\\w.-]*(?:${secretNameEndings})|${secretNames}))=[^&#;?\\s]*`,
  'gi',
);

/** Returns the address without user name and password, and with the values of secret fields masked. */
export function withoutCredentials(url: string): string {
  return withoutSecretFields(withoutUserInfo(url));
}

/** Masks the values of secret fields in the addresses that a string contains. */
export function withoutSecretFields(text: string): string {
  return text.replace(secretField, `$1=${mask}`);
}

/** Returns the address without user name and password, and with its whole query masked. A fragment is never sent, and is left out. */
export function withoutQuery(url: string): string {
  const end = url.search(/[?#]/);
  if (end === -1) return withoutUserInfo(url);
  return `${withoutUserInfo(url.slice(0, end))}${url[end] === '?' ? `?${mask}` : ''}`;
}

/** Matches `user:password@` without a scheme. A slash ends the user information (RFC 3986, 3.2), and paths may contain an @ too. */
const userInfo = /(?<![^\s'"/@])[^\s'"/@]*@(?=\S)/g;

/** Masks credentials in a string such as an error message or a stack trace, including the addresses in it. */
export function withoutQuotedCredentials(text: string): string {
  const withoutUsers = withoutUserInfoInText(text, `${mask}@`).replace(userInfo, (found) =>
    found.includes(':') ? `${mask}@` : found,
  );
  return withoutSecretFields(withoutUsers);
}

/** Returns the values of the secret fields in an address, so that they can be masked in other strings too. */
export function secretsInQuery(url: string): string[] {
  return [...url.matchAll(secretField)].map(([field, name = '']) => field.slice(name.length + 1));
}

/**
 * Returns a copy of a value with each text in it, at any depth, replaced with the result of `change`. `name` is the name of the
 * field that contains the text or the list with the text.
 */
export function mapTexts<T>(value: T, change: (text: string, name: string) => string): T {
  return changeTexts(value, '', { change, ancestors: new Set() }) as T;
}

interface Traversal {
  readonly change: (text: string, name: string) => string;
  /** The objects that contain the current value, to detect cycles: the fields of an error may refer back to the error. */
  readonly ancestors: Set<object>;
}

function changeTexts(value: unknown, name: string, traversal: Traversal): unknown {
  const { change, ancestors } = traversal;
  if (typeof value === 'string') return change(value, name);
  if (typeof value !== 'object' || value === null) return value;
  if (ancestors.has(value)) return '(see above)';
  ancestors.add(value);
  const copy = Array.isArray(value)
    ? value.map((item) => changeTexts(item, name, traversal))
    : Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, changeTexts(item, key, traversal)]),
      );
  ancestors.delete(value);
  return copy;
}

// The secret values of one job. A single regular expression masks all of them in a string.

interface HiddenValues {
  /** Adds values to mask. Ignores values of fewer than four characters, which would match in half of all strings. */
  readonly hide: (values: readonly string[]) => void;
  /** Like `hide`, but for values that pages and servers can create in any number. Adds none beyond `maxLimitedValues` in total. */
  readonly hideLimited: (values: readonly string[]) => void;
  /** Returns the text with the values masked. If there are too many values to search for, returns only a mask. */
  readonly masked: (text: string) => string;
  readonly isEmpty: () => boolean;
  readonly hasTooMany: () => boolean;
}

export const minSecretLength = 4;

/** A browser stores at most 180 cookies of a site (RFC 6265, 6.1 requires 50), and each cookie has two forms. */
const maxValues = 400;
/** With so many values, all texts are masked. */
export const tooManyValues = maxValues + 1;
const maxLimitedValues = 300;

/**
 * The pattern contains at most this many characters of each value, because V8 does not optimise patterns of more than 20,000
 * characters. A prefix also matches a value that is cut off at the end of a string.
 */
const maxPrefixLength = 48;

export function hiddenValues(): HiddenValues {
  const secrets = new Set<string>();
  let replace: ((text: string) => string) | undefined;
  const add = (values: readonly string[], limit: number) => {
    for (const value of values)
      if (value.length >= minSecretLength && secrets.size < limit && !secrets.has(value)) {
        secrets.add(value);
        replace = undefined;
      }
  };
  return {
    hide(values) {
      add(values, tooManyValues);
    },
    hideLimited(values) {
      add(values, maxLimitedValues);
    },
    masked(text) {
      if (secrets.size > maxValues) return mask;
      if (secrets.size === 0) return text;
      replace ??= replacerOf(secrets);
      return replace(text);
    },
    isEmpty: () => secrets.size === 0,
    hasTooMany: () => secrets.size > maxValues,
  };
}

/** Returns a function that masks the values in a string with a single pattern. */
function replacerOf(values: ReadonlySet<string>): (text: string) => string {
  const byPrefix = new Map<string, string[]>();
  for (const value of [...values].sort()) {
    const prefix = value.slice(0, maxPrefixLength);
    byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), value]);
  }
  // The longest prefixes come first, because one prefix may begin with another.
  const prefixes = [...byPrefix.keys()].sort((left, right) => right.length - left.length);
  // eslint-disable-next-line platen/linear-pattern -- Alternatives of literal texts, at most 48 characters each.
  const pattern = new RegExp(prefixes.map(escapeRegExp).join('|'), 'g');
  return (text) => {
    let result = '';
    let end = 0;
    pattern.lastIndex = 0;
    for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
      const { 0: prefix, index } = found;
      result += text.slice(end, index) + mask;
      end = index + matchLength(index, text, byPrefix.get(prefix) ?? []);
      pattern.lastIndex = end;
    }
    return result + text.slice(end);
  };
}

/** Returns the length of the value at `from`, which may be cut off. `values` are sorted. */
function matchLength(from: number, text: string, values: readonly string[]): number {
  const remainder = text.slice(from);
  const after = values.findIndex((value) => value > remainder);
  // In a sorted list, the values with the longest common prefix are next to the text.
  const [before, next] = after === -1 ? [values.at(-1)] : [values[after - 1], values[after]];
  return Math.max(commonLength(remainder, before), commonLength(remainder, next));
}

function commonLength(text: string, value = ''): number {
  let length = 0;
  while (length < value.length && value[length] === text[length]) length += 1;
  return length;
}

function escapeRegExp(value: string): string {
  return value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
